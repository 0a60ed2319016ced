"""A person's edits survive word for word and are known to the next run."""

from __future__ import annotations

from functools import partial

import pytest

from slowwave.memories.context import render_named
from slowwave.memories.publishing.edits import MEMORY, SUMMARY, Absorbed, absorb_edits
from slowwave.memories.publishing.render import render_files
from slowwave.memories.state.values import MemoryState, SkillState
from slowwave.storage.types import EntryStatus, MemoryKind, Origin
from tests.support.states import entry, state

RENDER = partial(render_named, None)


def files_of(one: MemoryState, carried: dict[str, bytes] | None = None) -> dict[str, bytes]:
    return render_files("shop", one, [], carried or {}, RENDER)


@pytest.fixture
def before() -> MemoryState:
    return state(
        entry(1, "Use pnpm, never npm.", situation="installing packages"),
        entry(2, "Never commit to main.", kind=MemoryKind.CONSTRAINT),
        entry(3, "Run the tests with `make check`.", kind=MemoryKind.WORKFLOW),
    )


def edited(before: MemoryState, path: str, *changes: tuple[str, str]) -> Absorbed:
    published = files_of(before)
    text = published[path].decode()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return absorb_edits(before, published, {**published, path: text.encode()}, now=5.0)


def test_nothing_edited_changes_nothing(before: MemoryState) -> None:
    published = files_of(before)
    assert absorb_edits(before, published, published) == Absorbed(before)


def test_a_rewritten_line_is_locked_and_rendered_word_for_word(before: MemoryState) -> None:
    done = edited(before, MEMORY, ("Use pnpm, never npm.", "Use pnpm 10; npm breaks the lockfile!"))

    mine = done.state.entry("m1")
    assert mine is not None and mine.locked
    assert mine.text == "Use pnpm 10; npm breaks the lockfile!"
    assert any("m1 was rewritten" in change for change in done.changes)
    again = files_of(done.state)[MEMORY].decode()
    assert "- Use pnpm 10; npm breaks the lockfile! [m1]" in again


def test_a_removed_line_stays_away(before: MemoryState) -> None:
    line = next(one for one in files_of(before)[MEMORY].decode().split("\n") if "[m2]" in one)
    done = edited(before, MEMORY, (line + "\n", ""))

    gone = done.state.entry("m2")
    assert gone is not None and gone.status is EntryStatus.RETIRED
    assert done.tombstones == ("Never commit to main.",)


def test_a_line_of_ones_own_is_kept_exactly_as_typed(before: MemoryState) -> None:
    done = edited(
        before, MEMORY, ("## Workflows\n", "## Workflows\n\n*   Deploy with   `just ship` \u2014 ask first\n")
    )

    mine = done.state.entries[-1]
    assert (mine.kind, mine.origin) == (MemoryKind.WORKFLOW, Origin.EDIT)
    assert "*   Deploy with   `just ship` \u2014 ask first" in files_of(done.state)[MEMORY].decode()


def test_free_text_and_a_section_of_ones_own_are_kept_in_place(before: MemoryState) -> None:
    own = "## Who to ask\n\nAna for payments.\n\n```\nkeep   this\n\n\nexactly\n```\n"
    done = edited(before, MEMORY, ("## Constraints\n", f"{own}\n## Constraints\n"))
    text = files_of(done.state)[MEMORY].decode()

    assert "## Who to ask" in text and "Ana for payments." in text and "keep   this\n\n\nexactly" in text
    assert text.index("Who to ask") < text.index("## Constraints")


def test_absorbing_the_same_edits_twice_changes_nothing(before: MemoryState) -> None:
    published = files_of(before)
    text = published[MEMORY].decode()
    text = text.replace("Use pnpm, never npm.", "Use pnpm only.").replace(
        "## Workflows\n", "## Workflows\n- Mine.\n\nNote.\n"
    )
    live = {**published, MEMORY: text.encode()}
    once = absorb_edits(before, published, live, now=5.0)
    twice = absorb_edits(once.state, published, live, now=9.0)
    assert twice.state == once.state


def test_what_was_rendered_from_edits_is_no_edit_again(before: MemoryState) -> None:
    done = edited(
        before,
        MEMORY,
        ("Use pnpm, never npm.", "Use pnpm only."),
        ("## Workflows\n", "## Workflows\n- Mine.\n\nA note.\n"),
    )
    published = files_of(done.state)
    assert absorb_edits(done.state, published, published) == Absorbed(done.state)
    assert files_of(absorb_edits(done.state, published, published).state) == published


def test_the_summary_can_be_edited_too(before: MemoryState) -> None:
    line = next(one for one in files_of(before)[SUMMARY].decode().split("\n") if "[m2]" in one)
    hidden = edited(before, SUMMARY, (line + "\n", ""))
    assert "[m2]" not in files_of(hidden.state)[SUMMARY].decode()
    assert "[m2]" in files_of(hidden.state)[MEMORY].decode()
    changed = edited(before, SUMMARY, ("Never commit to main.", "Never commit to main or release."))
    assert "Never commit to main or release." in files_of(changed.state)[MEMORY].decode()


def test_a_skill_that_a_person_rewrote_is_theirs(before: MemoryState) -> None:
    with_skill = before.put_skill(SkillState("ship-it", "Ship.", "Steps", entries=(3,)))
    done = edited(with_skill, "skills/ship-it/SKILL.md", ("Steps", "My own steps"))
    skill = done.state.skills[0]
    assert skill.hand_edited
    assert b"My own steps" in files_of(done.state)["skills/ship-it/SKILL.md"]


def test_files_of_ones_own_are_carried_along(before: MemoryState) -> None:
    published = files_of(before)
    live = {**published, "notes/team.md": b"hello\n", "skills/mine/SKILL.md": b"---\nname: mine\n---\n"}
    done = absorb_edits(before, published, live)
    assert set(done.carried) == {"notes/team.md", "skills/mine/SKILL.md"}
    assert files_of(done.state, dict(done.carried))["notes/team.md"] == b"hello\n"


def test_a_deleted_file_is_no_edit(before: MemoryState) -> None:
    published = files_of(before)
    live = {path: data for path, data in published.items() if path != MEMORY}
    assert absorb_edits(before, published, live).state == before
