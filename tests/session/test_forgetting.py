"""Forgetting sessions and facts of the day."""

from __future__ import annotations

from pathlib import Path

from slowwave.paths import session_database_file
from slowwave.session.flushing.shards import Shards, profile_root
from slowwave.session.forgetting import forget_sessions, forget_words
from slowwave.storage.insession.facts import FactStore
from slowwave.storage.insession.forgetting import purge_before
from slowwave.storage.insession.store import Scope, SessionStore
from tests.session.conftest import Host

SCOPE = Scope("local", "p1", "claude")


def everything(home: Path) -> bytes:
    return b"".join(file.read_bytes() for file in home.rglob("*") if file.is_file())


def test_a_forgotten_session_leaves_no_byte_and_others_stay(host: Host, home: Path) -> None:
    host.says("Rename the zebrafish importer, never touch the quokka tables. We deploy to Cloudflare Workers.")
    host.answers("Should the wallaby page stay?")
    host.says("no, that is wrong, the wallaby page goes")
    host.ends()
    other = Host(home, session_id="s2")
    other.says("We deploy to Cloudflare Workers. Build the narwhal page of the shop")
    Shards(profile_root(home, "claude-p1")).write(["written by hand about otters"])
    assert forget_sessions(home, ["claude:s1"]) >= 2
    left = everything(home).lower()
    for word in (b"zebrafish", b"quokka", b"wallaby"):
        assert word not in left
    assert b"narwhal" in left
    assert b"otters" in left
    with SessionStore(session_database_file(home)) as store:
        [fact] = FactStore(store).active(SCOPE)
        assert [said.session for said in FactStore(store).evidence(fact.id)] == ["claude:s2"]
        assert fact.session == "claude:s2"
        assert store.session("claude:s1") is None


def test_forgotten_words_do_not_come_back(host: Host, home: Path) -> None:
    host.says("Our staging host is called quokka.")
    assert forget_words(home, "p1", "Our staging host is called quokka") == 1
    Host(home, session_id="s2").says("Our staging host is called quokka.")
    with SessionStore(session_database_file(home)) as store:
        assert FactStore(store).active(SCOPE) == []
    assert forget_words(home, "p2", "anything") == 0


def test_without_a_store_there_is_nothing_to_forget(home: Path) -> None:
    assert forget_sessions(home, ["claude:s1"]) == 0
    assert forget_words(home, "p1", "x") == 0
    assert not home.exists()


def test_old_sessions_lose_their_turns_and_keep_what_they_stated(host: Host, home: Path) -> None:
    host.says("Add a retry policy to the client. We deploy to Cloudflare Workers.")
    with SessionStore(session_database_file(home)) as store:
        assert purge_before(store, 0.0) == 0
        assert purge_before(store, 1e12) == 1
        assert store.turn_prompt(host.key, 1) is None
        assert store.pins(host.key)
        assert FactStore(store).active(SCOPE)
