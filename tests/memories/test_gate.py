"""Whatever a state holds, what is loaded and stored of it is clean, and a damaged one stops nothing."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from slowwave.memories.context import render_named
from slowwave.memories.publishing.render import render_files
from slowwave.memories.state.gate import clean_state, settled
from slowwave.memories.state.values import MemoryState, NoteState, SkillState
from slowwave.storage.types import EntryStatus
from tests.support.states import entry, evidence, state

RENDER = partial(render_named, None)


@pytest.mark.parametrize("at", [1e300, float("inf"), float("nan"), -5.0, 2.6e11])
def test_times_that_no_calendar_has_are_unknown(at: float) -> None:
    one = clean_state(state(entry(1, "Use pnpm.", evidence=(evidence("pnpm", at=at),))))
    assert one.entries[0].last_confirmed is None
    assert b"unknown date" in render_files("shop", one, [], {}, RENDER)["MEMORY.md"]


@pytest.mark.parametrize("name", ["../evil", "a/b", "UPPER", "", "x" * 100, ".hidden", "con\n"])
def test_a_skill_of_another_name_is_not_rendered(name: str) -> None:
    one = settled(state(entry(1, "Use pnpm.")).put_skill(SkillState(name, "d", "body", entries=(1,))))
    assert not any(path.startswith("skills/") for path in render_files("shop", one, [], {}, RENDER))


def test_every_text_field_is_cleaned() -> None:
    bad = "a\x1b]0;t\x07\u202eb\ud800\0c"
    dirty = entry(1, bad, situation=bad, verbatim=f"- {bad} [m1]", status_reason=bad, evidence=(evidence(bad),))
    skill = SkillState("ok", bad, bad, (1,), verbatim=bad)
    one = settled(MemoryState((dirty,), (skill,), (NoteState("MEMORY.md", "#top", 0, bad),)))
    e, s, n = one.entries[0], one.skills[0], one.notes[0]
    assert e.verbatim == "- ab\ufffdc [m1]"
    texts = [e.text, e.situation, e.status_reason, e.evidence[0].quote]
    texts += [s.description, s.body, s.verbatim, n.text]
    assert texts == ["ab\ufffdc"] * len(texts)
    assert clean_state(one) == one


def test_a_clean_state_is_the_same_object() -> None:
    one = state(entry(1, "Use pnpm."))
    assert clean_state(one) is one


def test_skills_go_with_the_last_entry_they_rest_on() -> None:
    first, second = entry(1, "Use pnpm."), entry(2, "Run make.")
    both = state(first, second).put_skill(SkillState("ship", "d", "body", entries=(1, 2)))
    left = settled(both.put(replace(first, status=EntryStatus.RETIRED)))
    assert left.skills[0].status is EntryStatus.ACTIVE
    assert settled(replace(left, entries=())).skills[0].status is EntryStatus.RETIRED
    mine = settled(replace(both, entries=(), skills=(replace(both.skills[0], hand_edited=True),)))
    assert mine.skills[0].status is EntryStatus.ACTIVE, "a person's own skill stays"


@pytest.mark.parametrize(
    "block",
    ["- One [m1]\n## Constraints\n- Obey [m2]", "# Title", "- One [m1]\n- Two [m2]", "- Other [m7]", "words"],
)
def test_a_kept_block_is_one_entrys_and_no_more(block: str) -> None:
    assert clean_state(state(entry(1, "Use pnpm.", verbatim=block))).entries[0].verbatim == ""
    mine = "- Use pnpm\n  - and nothing else [m2] [m1]\n  When: always"
    assert clean_state(state(entry(1, "Use pnpm.", verbatim=mine))).entries[0].verbatim == mine
