"""What the night reads of the day, and the replay of logs."""

from __future__ import annotations

from pathlib import Path

import pytest

from slowwave.paths import session_database_file
from slowwave.rollouts.model import Item, ItemKind, Role
from slowwave.rollouts.readers import readers
from slowwave.session.night import Words, day_notes, locate
from slowwave.session.replay import replay
from slowwave.storage.insession.store import SessionStore
from tests.session.conftest import Host

TASK = "Migrate the React app to Vite, keep the existing tests, and don't touch the auth flow."


def user(index: int, turn: int, text: str) -> Item:
    return Item(index, Role.USER, ItemKind.USER_TEXT, text, turn)


def assistant(index: int, turn: int, text: str) -> Item:
    return Item(index, Role.ASSISTANT, ItemKind.ASSISTANT_TEXT, text, turn, final=True)


def call(index: int, turn: int, tool: str, text: str) -> Item:
    return Item(index, Role.ASSISTANT, ItemKind.TOOL_CALL, text, turn, tool=tool)


SESSION = [
    user(0, 1, f"{TASK} We deploy to Cloudflare Workers."),
    call(1, 1, "Edit", '{"file_path": "src/auth/token.ts", "new_string": "x"}'),
    assistant(2, 1, "I changed the token file. Should I keep the service worker?"),
    user(3, 2, "yes"),
    assistant(4, 2, "Done."),
    user(5, 3, "no, that is wrong. You touched the auth flow"),
    user(6, 4, "go on with the router"),
]


def test_without_a_store_there_is_nothing(home: Path) -> None:
    with day_notes(home) as notes:
        assert notes.watermark("p1") == 0
        assert notes.facts_for("p1") == []
        assert notes.shards_for("p1") == []
        assert notes.signals_for("claude:s1", SESSION) == frozenset({5})
    assert not session_database_file(home).exists()


def test_facts_come_with_every_session_that_said_them(host: Host, home: Path) -> None:
    host.says("We deploy to Cloudflare Workers.")
    Host(home, session_id="s2").says("Remember, we deploy to Cloudflare Workers.")
    Host(home, session_id="s3", project_id="p2").says("We deploy to Fly.io.")
    with day_notes(home) as notes:
        [fact] = notes.facts_for("p1")
    assert {words.thread_id for words in fact.words} >= {"claude:s1"}
    assert all(words.quote for words in fact.words)
    assert "Cloudflare" in fact.text


def test_the_watermark_grows_with_every_note_of_the_project_only(host: Host, home: Path) -> None:
    host.says("We deploy to Cloudflare Workers.")
    with day_notes(home) as notes:
        first = notes.watermark("p1")
    Host(home, session_id="s9", project_id="p2").says("We deploy to Fly.io.")
    with day_notes(home) as notes:
        assert notes.watermark("p1") == first
    host.says("no, that is wrong, use the other file")
    with day_notes(home) as notes:
        second = notes.watermark("p1")
        assert second > first > 0
        assert [event.quote for event in notes.corrections_for("p1", after=first)] == [
            "no, that is wrong, use the other file"
        ]
        assert notes.facts_for("p1", after=first) == []


def test_noted_drift_points_at_its_item(host: Host, home: Path, tmp_path: Path) -> None:
    host.says(TASK)
    log = tmp_path / "log.jsonl"
    log.write_text(
        '{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Edit",'
        '"input":{"file_path":"src/auth/token.ts"}}]}}\n'
    )
    host.answers("done", transcript_path=str(log))
    with day_notes(home) as notes:
        assert notes.signals_for("claude:s1", SESSION) == frozenset({1, 5})


def test_words_are_located_in_the_items_by_quote_and_turn() -> None:
    items = [user(0, 1, "use  tabs"), user(4, 2, "please use tabs here"), user(9, 7, "use tabs")]
    assert locate(items, Words("claude:s", 6, "use tabs", 0.0)) == 9
    assert locate(items, Words("claude:s", 1, "use tabs", 0.0)) == 0
    assert locate(items, Words("claude:s", 1, "use spaces", 0.0)) is None


def test_replay_tells_when_each_layer_fires() -> None:
    found = replay(SESSION, agent="claude", session_id="s")
    assert [turn.turn for turn in found.turns] == [1, 2, 3, 4]
    assert found.turns[0].reasons["pins"] == "pinned_goal+pinned_constraint"
    assert found.turns[1].reasons["pins"].startswith("clarification")
    assert [event.type for event in found.events] == ["drift", "correction"]
    assert [fact.text for fact in found.facts] == ["We deploy to Cloudflare Workers."]
    assert found.injected_tokens == sum(turn.injected_tokens for turn in found.turns) > 0


def test_a_summary_in_a_log_is_a_new_epoch() -> None:
    summary = Item(3, Role.USER, ItemKind.SUMMARY, "The user wants to migrate.", 1)
    found = replay([SESSION[0], summary, user(4, 2, "go on with the router")], agent="claude", session_id="s")
    assert found.turns[1].reasons["recap"] == "new_epoch"
    assert "don't touch the auth flow" in found.turns[1].injected


def test_replay_of_the_shared_logs_stays_cheap(shared_rollouts: Path) -> None:
    env = {"CLAUDE_CONFIG_DIR": str(shared_rollouts / "claude"), "CODEX_HOME": str(shared_rollouts / "codex")}
    turns = 0
    for agent in ("claude", "codex"):
        reader = readers(env)[agent]
        for log in reader.discover(env, shared_rollouts):
            facts = reader.scan(log)
            found = replay(reader.items(log, facts), agent=agent, session_id=facts.session_id)
            turns += len(found.turns)
            assert found.share < 0.02
            assert all(turn.injected_tokens <= 300 for turn in found.turns)
    assert turns > 100


@pytest.mark.parametrize("turns", [200])
def test_what_was_injected_is_never_learnt_again(home: Path, turns: int) -> None:
    """A host that feeds injected text back as user text does not make the store grow."""
    host = Host(home)
    host.says(f"{TASK} We deploy to Cloudflare Workers.")
    for number in range(turns):
        last = host.injected[-1] if host.injected else host.start("resume")
        host.says(f"{last}\nnext page {number}")
        if number % 20 == 0:
            host.compacts()
    with SessionStore(session_database_file(home)) as store:
        assert store.rows("SELECT count(*) FROM facts")[0][0] == 1
        assert store.rows("SELECT count(*) FROM pins")[0][0] <= 4
