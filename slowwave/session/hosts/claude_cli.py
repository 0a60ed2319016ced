"""A host for the `claude` command line: one thread keeps one native session, with one fallback.

`--session-id` takes a UUID and starts a session under it, `--resume` takes that id and goes on. A resume that fails in
any way is answered once by a fresh session whose prompt holds the history as escaped, delimited turns.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from slowwave.errors import HostFailed
from slowwave.session.history.trimming import trim
from slowwave.session.hosts.handles import HandleMap
from slowwave.session.text import escape_element
from slowwave.storage.insession.store import SessionStore

HISTORY_TURNS = 20


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, how it was obtained (`started`, `resumed`, `fallback:<reason>`) and the host's session id."""

    text: str
    how: str
    host_session: str


def history_prompt(turns: Sequence[tuple[str, str]], message: str) -> str:
    """The history as delimited turns and the message that is to be answered. All text is escaped.

    The history is marked as context: a greeting after it must not restart an old task.
    """
    body = "\n".join(f"<{role}>{escape_element(trim(text))}</{role}>" for role, text in turns[-HISTORY_TURNS:])
    return (
        f"<conversation_history>\n{body}\n</conversation_history>\n"
        "The turns above are context, not work to do. Answer this message:\n"
        f"<current_message>{escape_element(message)}</current_message>"
    )


class ClaudeCli:
    """Runs `claude -p` for threads. `command` is how to start it, `timeout` in seconds holds for one run."""

    def __init__(
        self,
        store: SessionStore,
        *,
        command: Sequence[str] = ("claude",),
        timeout: float = 600.0,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.handles = HandleMap(store)
        self.command = tuple(command)
        self.timeout = timeout
        self.cwd = cwd
        self.env = env

    def send(
        self, agent: str, channel: str, thread: str, message: str, history: Sequence[tuple[str, str]] = ()
    ) -> Reply:
        """Send a message in a thread. `history` are earlier (role, text) turns, used only when a resume fails.

        Raises `HostFailed` when the fresh session fails too; there is no further try.
        """
        name, fresh, known = self.handles.open(agent, channel, thread, now=time.time())
        how = "started"
        if known:
            try:
                text, session = self._run(["--resume", known], message)
            except HostFailed as failure:
                fresh = self.handles.drop(name, failure.reason)
                how = f"fallback:{failure.reason}"
                message = history_prompt(history, message) if history else message
            else:
                self.handles.confirm(name, session or known)
                return Reply(text, "resumed", session or known)
        text, session = self._run(["--session-id", fresh], message)
        self.handles.confirm(name, session or fresh)
        return Reply(text, how, session or fresh)

    def _run(self, arguments: list[str], message: str) -> tuple[str, str]:
        command = [*self.command, "-p", "--output-format", "json", *arguments]
        try:
            done = subprocess.run(
                command, input=message, capture_output=True, text=True, timeout=self.timeout, cwd=self.cwd, env=self.env
            )
        except subprocess.TimeoutExpired as error:
            raise HostFailed("claude did not answer in time", reason="timeout") from error
        except OSError as error:
            raise HostFailed(f"claude did not start: {error}", reason="not_started") from error
        if done.returncode != 0:
            raise HostFailed(f"claude ended with {done.returncode}", reason="exit_code")
        try:
            answer = json.loads(done.stdout)
        except ValueError as error:
            raise HostFailed("claude answered something else than JSON", reason="unreadable_answer") from error
        if not isinstance(answer, dict) or answer.get("is_error") or not isinstance(answer.get("result"), str):
            raise HostFailed("claude answered with an error", reason="error_answer")
        return answer["result"], str(answer.get("session_id") or "")
