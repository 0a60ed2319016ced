"""Facts of one user, project or agent never reach another."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.errors import StoreError
from slowwave.session.hosts.turn import keep, weigh
from slowwave.session.key_facts import facts
from slowwave.storage.insession.facts import FactStore
from slowwave.storage.insession.store import Scope, SessionStore

names = st.sampled_from(["a", "b", "A", "a b", "*x", "%", "_", "a'--", "甲"])
scopes = st.tuples(names, names, names)
actions = st.sampled_from(["add", "widen", "forget", "confirm", "contradict", "fade"])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(actions, scopes, st.integers(0, 4)), min_size=1, max_size=25), scopes)
def test_no_query_crosses_a_scope(
    steps: list[tuple[str, tuple[str, str, str], int]], asked: tuple[str, str, str]
) -> None:
    with tempfile.TemporaryDirectory() as folder, SessionStore(Path(folder) / "session.db") as store:
        shelf = FactStore(store)
        owner: dict[str, tuple[str, str, str]] = {}
        wide: set[str] = set()
        for action, (user, project, agent), number in steps:
            scope = Scope(user, project, agent)
            rows = shelf.active(scope)
            if action == "add":
                text = f"We deploy service {user}|{project}|{agent}|{number} to Cloudflare"
                fact = facts.make(text, text, slot=f"service {number}")
                assert fact is not None
                keep(shelf, scope, weigh(shelf, scope, fact), session="s", turn=1, now=1.0)
                owner[text] = (user, project, agent)
            elif rows:
                row = rows[number % len(rows)]
                if action == "widen" and shelf.widen(scope, row.id):
                    wide.add(row.text)
                elif action == "forget":
                    shelf.forget(scope, row.id, now=1.0)
                elif action == "confirm":
                    shelf.confirm(scope, row.id, session="t", turn=1, quote="q", now=2.0)
                elif action == "contradict":
                    shelf.contradict(scope, row.id)
                else:
                    shelf.fade(unconfirmed_before=0.5, shown_at_least=0)
        scope = Scope(*asked)
        seen = {row.text for row in shelf.active(scope)}
        seen |= {row.text for row in shelf.matching(scope, ["cloudflar", "deploy"], ["Cloudflare"])}
        for text in seen:
            user, project, agent = owner[text]
            assert (user, agent) == (scope.user, scope.agent)
            assert project == scope.project or text in wide


@pytest.mark.parametrize("scope", [("", "p", "a"), ("u", "", "a"), ("u", "p", "")])
def test_an_incomplete_scope_is_refused(scope: tuple[str, str, str]) -> None:
    with pytest.raises(StoreError, match="needs a user"):
        Scope(*scope)


def test_a_change_in_another_scope_changes_nothing(store: SessionStore) -> None:
    shelf = FactStore(store)
    mine, theirs = Scope("u", "p", "claude"), Scope("v", "p", "claude")
    fact = facts.make("We deploy to Cloudflare Workers.", "We deploy to Cloudflare Workers.")
    assert fact is not None
    keep(shelf, mine, weigh(shelf, mine, fact), session="s", turn=1, now=1.0)
    [row] = shelf.active(mine)
    assert not shelf.widen(theirs, row.id)
    assert not shelf.forget(theirs, row.id, now=1.0)
    shelf.contradict(theirs, row.id)
    assert shelf.active(mine) == [row]


def test_a_user_wide_fact_reaches_every_project_of_its_user_only(store: SessionStore) -> None:
    shelf = FactStore(store)
    scope = Scope("u", "p", "claude")
    fact = facts.make("I prefer answers in German.", "I prefer answers in German.")
    assert fact is not None
    keep(shelf, scope, weigh(shelf, scope, fact), session="s", turn=1, now=1.0)
    [row] = shelf.active(scope)
    assert shelf.widen(scope, row.id)
    assert [r.text for r in shelf.active(Scope("u", "q", "claude"))] == [fact.text]
    assert shelf.active(Scope("v", "q", "claude")) == []
    assert shelf.active(Scope("u", "q", "codex")) == []
