"""The files that agents read: stable bytes, limits, order."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from skills_ref.validator import validate

from slowwave.errors import TemplateError
from slowwave.llm.prompting.templates import check_templates
from slowwave.memories.context import render_named
from slowwave.memories.publishing.edits import MEMORY, SUMMARY
from slowwave.memories.publishing.render import (
    ARCHIVE,
    SUMMARY_CHARACTERS,
    SUMMARY_LINES,
    RenderOptions,
    SessionSummary,
    render_files,
)
from slowwave.memories.state.values import MemoryState, SkillState
from slowwave.storage.types import MemoryKind
from tests.support.states import DAY, entry, evidence, state

RENDER = partial(render_named, None)


def files_of(one: MemoryState, sessions: list[SessionSummary] | None = None, cap: int = 60) -> dict[str, str]:
    files = render_files("shop", one, sessions or [], {}, RENDER, RenderOptions(cap))
    return {path: data.decode() for path, data in files.items()}


def many(count: int) -> MemoryState:
    kinds = list(MemoryKind)
    return state(
        *(
            entry(
                n,
                f"Rule {n}: component {n * 37} must be handled with the tool that is called {'abcdefgh'[n % 8] * 4}.",
                kind=kinds[n % len(kinds)],
                evidence=(evidence(f"rule {n}", item=n, at=n * DAY),),
            )
            for n in range(1, count + 1)
        )
    )


def test_the_same_state_gives_the_same_bytes() -> None:
    assert files_of(many(50)) == files_of(many(50))


def test_an_unchanged_entry_is_byte_identical_when_another_is_added() -> None:
    before = many(9)
    after = before.put(entry(10, "A new constraint.", kind=MemoryKind.CONSTRAINT))
    old = set(files_of(before)[MEMORY].split("\n"))
    new = set(files_of(after)[MEMORY].split("\n"))
    gone = {line for line in old - new if line and not line.startswith("<!--")}
    assert gone == set()


def test_the_marker_has_a_content_hash_and_the_newest_evidence() -> None:
    text = files_of(many(3))[MEMORY]
    assert re.search(r"^<!-- slowwave version [0-9a-f]{12}; newest evidence 1970-01-04 -->$", text, re.MULTILINE)


@pytest.mark.parametrize("count", [0, 1, 20, 200, 1000])
def test_the_summary_stays_within_every_agents_limit(count: int) -> None:
    text = files_of(many(count))[SUMMARY]
    assert len(text) <= SUMMARY_CHARACTERS
    assert text.count("\n") <= SUMMARY_LINES
    if count >= 200:
        assert len(text) > SUMMARY_CHARACTERS * 0.7
        assert "MEMORY.md" in text


def test_the_summary_begins_with_what_earns_most() -> None:
    one = state(
        entry(1, "A fact.", kind=MemoryKind.FACT),
        entry(2, "A rule that many sessions confirm.", evidence=tuple(evidence("r", f"claude:{n}") for n in range(8))),
        entry(3, "Pinned by a person.", pinned=True),
    )
    lines = [line for line in files_of(one)[SUMMARY].split("\n") if line.startswith("- ")]
    assert [re.search(r"\[(m\d)\]", line).group(1) for line in lines] == ["m3", "m2", "m1"]  # type: ignore[union-attr]


def test_reports_of_use_count_and_injection_does_not() -> None:
    plain, helped, wrong = (entry(n, f"Fact {n}.", kind=MemoryKind.FACT) for n in (1, 2, 3))
    one = state(plain, replace(helped, helped=5), replace(wrong, wrong=2))
    lines = [line for line in files_of(one)[SUMMARY].split("\n") if line.startswith("- ")]
    assert [line[-3:-1] for line in lines] == ["m2", "m1", "m3"]


def test_what_is_over_the_cap_goes_to_the_archive() -> None:
    files = files_of(many(30), cap=3)
    in_memory = set(re.findall(r"\[(m\d+)\]", files[MEMORY]))
    archived = set(re.findall(r"\[(m\d+)\]", files[ARCHIVE]))
    assert len(in_memory) == 3 * len(MemoryKind) and not in_memory & archived
    assert len(in_memory | archived) == 30


def test_session_summaries_get_names_of_their_own() -> None:
    sessions = [
        SessionSummary(f"claude:{n}", f"{n}", "claude", "fix-login", "success", "Fix the login\n\nDone.", date=DAY)
        for n in range(3)
    ]
    files = files_of(many(1), sessions)
    names = sorted(path for path in files if path.startswith("rollout_summaries/"))
    assert names == [
        "rollout_summaries/1970-01-02-fix-login-2.md",
        "rollout_summaries/1970-01-02-fix-login-3.md",
        "rollout_summaries/1970-01-02-fix-login.md",
    ]


def test_generated_skills_obey_the_specification(tmp_path: Path) -> None:
    one = many(1).put_skill(
        SkillState(
            "ship-it", 'Ship: build, "test" and deploy. Use when releasing.', "## Steps\n\n1. `make ship`\n", (1,)
        )
    )
    folder = tmp_path / "ship-it"
    folder.mkdir()
    (folder / "SKILL.md").write_text(files_of(one)["skills/ship-it/SKILL.md"])
    assert validate(folder) == []


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("{{ title }}\n{% if %}", "MEMORY.md.j2:2: "),
        ("{{ title }}\n\n{{ titel }}", "MEMORY.md.j2:3: unknown variable titel"),
        ("{% include 'nowhere.j2' %}", "nowhere.j2"),
    ],
)
def test_a_wrong_template_is_named_with_its_line(tmp_path: Path, source: str, complaint: str) -> None:
    (tmp_path / "MEMORY.md.j2").write_text(source)
    with pytest.raises(TemplateError) as caught:
        check_templates(str(tmp_path))
    assert complaint in str(caught.value)


def test_the_shipped_templates_are_right() -> None:
    check_templates()
