"""`SessionMemory` around a list of messages."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from slowwave.session import SessionMemory
from slowwave.session.limits import SessionLimits
from slowwave.session.task.drift import Action
from slowwave.storage.insession.store import SessionStore

TASK = "Migrate the React app to Vite, keep the existing tests, and don't touch the auth flow."


def memory(tmp_path: Path, session_id: str = "s", **more: Any) -> SessionMemory:
    return SessionMemory(tmp_path / "session.db", session_id=session_id, project_id="p", **more)


class Chat:
    """Plays an application that keeps what it sent."""

    def __init__(self, layers: SessionMemory) -> None:
        self.layers = layers
        self.history: list[dict[str, Any]] = []
        self.tails: list[str] = []
        self.tokens: list[int] = []

    def turn(self, text: str, reply: str = "done") -> str:
        sent = self.layers.before_turn([*self.history, {"role": "user", "content": text}])
        assert sent.failed == ""
        self.tails.append(sent.system_tail)
        self.tokens.append(sent.tokens)
        self.history = [*sent.messages, {"role": "assistant", "content": reply}]
        assert self.layers.after_turn(reply) == ""
        return sent.injected


def test_the_task_stands_at_the_end_of_the_system_prompt_from_the_first_turn(tmp_path: Path) -> None:
    with memory(tmp_path) as layers:
        chat = Chat(layers)
        assert chat.turn(TASK) == ""
    assert "Constraint: don't touch the auth flow." in chat.tails[0]


def test_the_system_tail_is_the_same_bytes_for_an_epoch_and_changes_come_with_the_message(tmp_path: Path) -> None:
    with memory(tmp_path) as layers:
        chat = Chat(layers)
        chat.turn(TASK)
        chat.turn("You must never edit the lock file by hand")
        injected = chat.turn("what about the proxy settings?")
        assert "never edit the lock file" in injected
        assert len(set(chat.tails)) == 1
        layers.compacted()
        chat.turn("go on with the router")
        assert "never edit the lock file" in chat.tails[-1]


def test_the_prefix_that_was_sent_never_changes_when_it_is_kept(tmp_path: Path) -> None:
    """What a provider cached stays valid: each request starts with the bytes of the one before."""
    with memory(tmp_path) as layers:
        chat = Chat(layers)
        before: list[dict[str, Any]] = []
        for number in range(30):
            chat.turn(f"{TASK if not number else 'question about page'} {number}", reply="short answer")
            assert chat.history[: len(before)] == before
            before = list(chat.history)


def test_without_keeping_the_recap_comes_every_turn_and_is_stored_nowhere(tmp_path: Path) -> None:
    with memory(tmp_path, keep_injected=False) as layers:
        history: list[dict[str, Any]] = []
        for text in (TASK, "what about the proxy settings?", "and the router?"):
            history.append({"role": "user", "content": text})
            sent = layers.before_turn(history)
            assert ("<task_recap>" in sent.injected) == (text != TASK)
            assert history[-1]["content"] == text
            history.append({"role": "assistant", "content": "done"})
            layers.after_turn("done")


def test_long_history_is_trimmed_and_the_current_message_is_not(tmp_path: Path) -> None:
    with memory(tmp_path) as layers:
        long = "word " * 400
        sent = layers.before_turn(
            [
                {"role": "user", "content": long},
                {"role": "assistant", "content": "ok"},
                {"role": "user", "content": long},
            ]
        )
    assert "[trimmed 1500 chars]" in str(sent.messages[0]["content"])
    assert long in str(sent.messages[2]["content"])


def test_a_list_that_ends_with_tool_results_is_no_new_turn(tmp_path: Path) -> None:
    result = [{"type": "tool_result", "tool_use_id": "t", "content": "never use tabs"}]
    with memory(tmp_path) as layers:
        layers.before_turn([{"role": "user", "content": TASK}])
        sent = layers.before_turn([{"role": "user", "content": TASK}, {"role": "user", "content": result}])
        assert layers.state().turn == 1
    assert sent.messages[-1]["content"] == result
    assert "don't touch the auth flow" in sent.system_tail


def test_drift_is_noted_from_actions(tmp_path: Path) -> None:
    with memory(tmp_path) as layers:
        layers.before_turn([{"role": "user", "content": TASK}])
        layers.after_turn("changed it", actions=[Action("edit", "src/auth/token.ts")])
        [event] = layers.store.events(types=["drift"])
    assert event.quote == "src/auth/token.ts"


def test_a_broken_store_sends_the_messages_as_they_are(tmp_path: Path) -> None:
    layers = memory(tmp_path)
    layers.close()
    messages = [{"role": "user", "content": TASK}]
    sent = layers.before_turn(messages)
    assert (sent.messages, sent.failed) == (messages, "session_store_read_failed") or sent.failed
    assert layers.after_turn("done") != ""


def test_async_calls_do_the_same(tmp_path: Path) -> None:
    async def talk() -> tuple[str, str]:
        with memory(tmp_path) as layers:
            sent = await layers.before_turn_async([{"role": "user", "content": TASK}])
            return sent.system_tail, await layers.after_turn_async("Should I go on?")

    tail, failed = asyncio.run(talk())
    assert "auth flow" in tail
    assert failed == ""


def test_many_sessions_at_once_in_one_store(tmp_path: Path) -> None:
    async def talk(number: int, store: SessionStore) -> int:
        layers = SessionMemory(store, session_id=f"s{number}", project_id="p", limits=SessionLimits())
        for turn in range(4):
            await layers.before_turn_async([{"role": "user", "content": f"Build page {number} {turn} of the shop"}])
            await layers.after_turn_async("done")
        return layers.state().turn

    async def everyone() -> list[int]:
        stores = [SessionStore(tmp_path / "session.db") for _ in range(8)]
        turns = await asyncio.gather(*(talk(number, store) for number, store in enumerate(stores)))
        for store in stores:
            store.close()
        return turns

    assert asyncio.run(everyone()) == [4] * 8
