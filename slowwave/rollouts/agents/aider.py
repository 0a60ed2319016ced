"""Aider's chat history: Markdown in the repository that it worked in.

``<repository>/.aider.chat.history.md``: `# aider chat started at ...` begins a session, `#### ` is what the person
typed, `> ` what the program said, the rest is the answer. One file holds all sessions of a repository. Output of a
command is in it only where the person added it to the chat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

from slowwave.errors import RolloutError
from slowwave.rollouts.agents.aider_history import NOTICE, PROMPT, START, name_of, runs, sessions, time_of
from slowwave.rollouts.base import BaseReader, log_file, open_log
from slowwave.rollouts.lines import Record
from slowwave.rollouts.model import ASSISTANT_TEXT, TOOL_CALL, TOOL_RESULT, LogFile, Role
from slowwave.rollouts.passes import LogPass
from slowwave.rollouts.stores.databases import session_in
from slowwave.rollouts.stores.workspaces import repositories
from slowwave.rollouts.walk import note_place
from slowwave.storage.types import SessionKind
from slowwave.text.authors import authorship

NAME = ".aider.chat.history.md"
_MOST_BYTES = 64 << 20
_COMMAND = re.compile(r"/(run|test|git|lint|web)\b ?(.*)|!(.*)", re.DOTALL)
_ASKED = re.compile(r"/(?:ask|code|architect) (.+)", re.DOTALL)
_LONG = 40
_HELP = "# Question: "
_HEADLESS = re.compile(r"\baider(?:\.exe)?\b.* (?:--message|-m|--message-file|-f)\b")
_MODEL = re.compile(r"^(?:Main model|Model): ([^\s,]+)", re.MULTILINE)


class AiderPass(LogPass):
    """One pass over a session. `answered` is what was answered since the last prompt: a plan that one model hands to
    another stands in the history as a prompt too."""

    def __init__(self, log: LogFile) -> None:
        super().__init__(log, session_in(log))
        self.answered: list[str] = []
        self.asked = ""

    def is_handed_on(self, text: str) -> bool:
        """Whether a prompt repeats what was just answered, or asked by a command, or is the one that /help writes."""
        words = " ".join(text.split())
        if words == self.asked or text.startswith(_HELP):
            return True
        return len(words) > _LONG and words in " ".join(" ".join(self.answered).split())


class AiderReader(BaseReader):
    """Reader of Aider's chat histories."""

    agent = "aider"

    def discover(self, env: Mapping[str, str], home: Path) -> Iterator[LogFile]:
        """Every session of every history. One that another follows never changes again."""
        for folder in repositories(env, home):
            if note_place(folder / NAME).is_file():
                try:
                    yield from self._logs(log_file(self.agent, folder / NAME))
                except RolloutError:
                    yield LogFile(self.agent, folder / NAME, str(folder / NAME), 0, 0)

    def _logs(self, log: LogFile) -> Iterator[LogFile]:
        with open_log(log.path) as stream:
            data = stream.read(_MOST_BYTES)
        for found, end in sessions(data):
            started = time_of(found[1])
            at = log.mtime_ns if end == len(data) or started is None else int(started.timestamp() * 1e9)
            size = end - found.start()
            yield LogFile(self.agent, log.path, f"{log.path}#{name_of(found[1])}", size, at, log.inode)

    def recognises(self, head: bytes) -> bool:
        """The heading that begins a session."""
        return START.search(head) is not None

    def begin(self, log: LogFile) -> AiderPass:
        """Start a pass; the folder of the history is the repository."""
        state = AiderPass(log)
        state.cwd = state.facts.cwd = str(log.path.parent)
        return state

    def records(self, log: LogFile, state: LogPass) -> Iterator[Record]:
        """Runs of lines of the same kind: `kind` is the mark in front of them, "" for an answer."""
        with open_log(log.path) as stream:
            data = stream.read(_MOST_BYTES)
        wanted = log.key.rsplit("#", 1)[1] if "#" in log.key else None
        for found, end in sessions(data):
            if wanted in (None, name_of(found[1])):
                yield {"started": found[1].decode()}
                yield from runs(data[found.end() : end].decode("utf-8", "replace"))

    def take(self, state: LogPass, record: Record) -> None:
        """Feed a heading or a run of lines to the pass."""
        assert isinstance(state, AiderPass)
        if "started" in record:
            state.facts.started = state.facts.started or time_of(record["started"].encode())
            return
        kind, text, time = record["kind"], record["text"], state.facts.started
        if kind == PROMPT and state.is_handed_on(text):
            state.drop("handed_on")
        elif kind == PROMPT:
            state.answered.clear()
            asked = _ASKED.match(text)
            state.asked = " ".join(asked[1].split()) if asked else ""
            self._prompt(state, text, time)
        elif not state.next_index:
            # What the program says about itself at its start, its own command line among it.
            if _HEADLESS.search(text):
                state.facts.kind = SessionKind.HEADLESS
            if model := _MODEL.search(text):
                state.facts.model = model[1]
            state.drop("banner")
        elif kind == NOTICE:
            state.add(TOOL_RESULT, text, time=time, tool="aider")
        else:
            state.answered.append(text)
            state.add(ASSISTANT_TEXT, text, time=time)

    def _prompt(self, state: LogPass, text: str, time: datetime | None) -> None:
        if command := _COMMAND.match(text):
            words = command[3] if command[3] is not None else command[2]
            state.add(TOOL_CALL, words.strip(), role=Role.USER, time=time, tool=command[1] or "run")
        elif asked := _ASKED.match(text):
            state.add_authored(authorship(asked[1]), time=time)
        elif text.startswith("/") or text == "<blank>":
            state.drop("command")
        else:
            state.add_authored(authorship(text), time=time)
