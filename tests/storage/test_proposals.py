"""Held operations and fates as rows: the same proposal once, decided for good, forgotten with its words."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Engine
from sqlmodel import Session

from slowwave.storage.engine import open_database, writing
from slowwave.storage.proposals import (
    FateRow,
    HeldRow,
    carry_held,
    decide_held,
    drop_held,
    fates_of,
    held,
    held_counts,
    hold,
    left_out_in,
    record_fates,
    settled_in,
)
from slowwave.storage.tables import Project
from slowwave.storage.types import Fate, HeldState


@pytest.fixture
def engine(database_url: str) -> Engine:
    opened = open_database(database_url)
    with writing(opened) as session:
        session.add_all(Project(id=name, key=name, slug=name, name=name) for name in ("p", "q"))
    return opened


def source(text: str, thread: str = "claude:a") -> dict[str, Any]:
    return {"thread_id": thread, "candidate": {"text": text}}


def row(op: str, *entries: str, text: str = "Use tabs.", reference: str = "s1.1") -> HeldRow:
    operation = {"op": op, "entries": list(entries), "memories": [reference], "reason": "x"}
    return HeldRow(operation, {reference: source(text)}, "needs_evidence")


def test_a_proposal_is_held_once_whatever_its_references_and_stays_declined(engine: Engine) -> None:
    with writing(engine) as session:
        first = hold(session, "p", row("retire", "m1"), run_id=None, now=1.0)
        again = hold(session, "p", row("retire", "m1", reference="s9.4"), run_id=None, now=2.0)
        other = hold(session, "p", row("retire", "m2"), run_id=None, now=2.0)
        assert first is not None and again is not None and other is not None
        assert first.id == again.id != other.id and again.offered == 2
        assert held_counts(session) == {"p": 2}
        assert decide_held(session, first.id or 0, HeldState.DECLINED, now=3.0) is not None
        assert decide_held(session, first.id or 0, HeldState.APPLIED, now=3.0) is None
        assert hold(session, "p", row("retire", "m1"), run_id=None, now=4.0) is None
        assert [one.id for one in held(session, "p")] == [other.id]


def test_a_join_takes_along_what_still_makes_sense(engine: Engine) -> None:
    with writing(engine) as session:
        hold(session, "p", row("retire", "m1"), run_id=None, now=1.0)
        hold(session, "p", row("add"), run_id=None, now=1.0)
        carry_held(session, "p", "q", now=2.0)
        assert not held(session, "p")
        assert [one.operation["op"] for one in held(session, "q")] == ["add"]


def test_what_was_forgotten_is_not_held(engine: Engine) -> None:
    with writing(engine) as session:
        hold(session, "p", row("add", text="Secret plan."), run_id=None, now=1.0)
        hold(session, "p", row("add", text="Use tabs."), run_id=None, now=1.0)
        drop_held(session, "p", lambda one: one["candidate"]["text"] == "Secret plan.")
        assert [one.sources["s1.1"]["candidate"]["text"] for one in held(session, "p")] == ["Use tabs."]


def record(session: Session, state: Fate, hashed: str, **more: Any) -> None:
    one = FateRow("claude:a", hashed, "fact", f"Text {hashed}.", state, **more)
    record_fates(session, "p", [one], run_id=None, now=1.0, offered=1)


def test_the_latest_word_about_a_text_counts(engine: Engine) -> None:
    with writing(engine) as session:
        record(session, Fate.LEFT_OUT, "h1")
        record(session, Fate.DECLINED, "h2", reason="not_in_its_quotes", stage=1)
        assert [one.hash for one in left_out_in(session, "p", offered_below=2)] == ["h1"]
        assert settled_in(session, "p") == {"claude:a": {"h1"}}
        record(session, Fate.LEFT_OUT, "h1")
        assert not left_out_in(session, "p", offered_below=2)
        record(session, Fate.USED, "h1", entry=3)
        found = {one.hash: (one.state, one.reason, one.entry, one.offered) for one in fates_of(session, "claude:a")}
        assert found == {"h1": ("used", "", 3, 3), "h2": ("declined", "not_in_its_quotes", None, 1)}
