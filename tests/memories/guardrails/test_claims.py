"""Which claims their evidence carries: honest paraphrases are kept, what nobody said is not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from slowwave.llm.prompting.schemas import ProposedMemory, Quote, StageOneReply
from slowwave.memories.extraction.checks import Checked, check_reply
from slowwave.memories.guardrails import CHOICES
from slowwave.rollouts.model import Item, ItemKind, Role
from slowwave.storage.types import MemoryKind, Outcome, Standing

HERE = Path(__file__).parent
ROLES = {
    "U": (Role.USER, ItemKind.USER_TEXT),
    "A": (Role.ASSISTANT, ItemKind.ASSISTANT_TEXT),
    "C": (Role.ASSISTANT, ItemKind.TOOL_CALL),
    "R": (Role.TOOL, ItemKind.TOOL_RESULT),
}


@dataclass(frozen=True)
class Case:
    """A small session, what of it is quoted, and the claim."""

    items: tuple[Item, ...]
    quoted: tuple[int, ...]
    kind: MemoryKind
    text: str
    situation: str

    def checked(self) -> Checked:
        """What the checks make of the claim as the only memory of an answer that says `user_said`."""
        memory = ProposedMemory(
            kind=self.kind,
            text=self.text,
            situation=self.situation,
            standing=Standing.USER_SAID,
            evidence=[Quote(item=at, quote=self.items[at].text[:300]) for at in self.quoted],
        )
        reply = StageOneReply(outcome=Outcome.SUCCESS, rollout_slug="", rollout_summary="", memories=[memory])
        return check_reply(reply, self.items)


def cases(name: str) -> Iterator[Case]:
    for block in (HERE / name).read_text("utf-8").split("\n\n"):
        lines = [line for line in block.split("\n") if line and not line.startswith("#")]
        if not lines:
            continue
        *session, claim = lines
        items, quoted = [], []
        for at, line in enumerate(session):
            mark, _, text = line.partition(" ")
            role, kind = ROLES[mark[0]]
            failed = kind is ItemKind.TOOL_RESULT and text.startswith(("FAIL", "psql: error"))
            items.append(Item(at, role, kind, text, exit_status=1 if failed else None))
            if mark.endswith("*"):
                quoted.append(at)
        if not quoted:
            quoted = [max(at for at, item in enumerate(items) if item.kind is ItemKind.USER_TEXT)]
        kind, text, *more = [part.strip() for part in claim.removeprefix("=").split(" | ")]
        situation = more[0].removeprefix("when:").strip() if more else ""
        yield Case(tuple(items), tuple(quoted), MemoryKind(kind), text, situation)


HONEST = list(cases("paraphrases.txt"))
UNSUPPORTED = list(cases("unsupported.txt"))


def test_there_are_enough_of_both() -> None:
    assert len(HONEST) >= 60 and len(UNSUPPORTED) >= 60


@pytest.mark.parametrize("case", HONEST, ids=lambda case: case.text[:50])
def test_an_honest_paraphrase_is_kept(case: Case) -> None:
    done = case.checked()
    assert [one.text for one in done.kept] == [case.text], (done.rejected, done.quarantined)
    if case.kind in CHOICES:
        assert done.kept[0].standing in (Standing.USER_SAID, Standing.AGREED)


@pytest.mark.parametrize("case", UNSUPPORTED, ids=lambda case: case.text[:50])
def test_what_nobody_said_is_not_kept(case: Case) -> None:
    assert case.checked().kept == ()
