"""Cline's tasks, and those of the agents that came from it (Roo Code, Kilo Code before its own storage).

``.../globalStorage/<extension>/tasks/<id>/api_conversation_history.json`` holds messages in the shape of the Messages
API, `ui_messages.json` beside it what was shown, which tells what the person typed. Cline's command line keeps the same
below ``~/.cline/data/tasks``. Field names as in the extensions' public sources.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

from slowwave.rollouts.base import BaseReader
from slowwave.rollouts.blocks import RESULT, MessagePass, Part, parts_of, result_text
from slowwave.rollouts.lines import Record
from slowwave.rollouts.model import LogFile
from slowwave.rollouts.passes import LogPass
from slowwave.rollouts.stores.documents import beside, document
from slowwave.rollouts.stores.workspaces import editor_folders
from slowwave.rollouts.values import list_in, optional_text, parse_time, squeezed, text_in
from slowwave.rollouts.walk import files_below
from slowwave.text.authors import authorship

_EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")
_LOG = "api_conversation_history.json"
_MESSAGE = re.compile(r'\{\s*"role"\s*:\s*"')
_TAGGED = re.compile(
    r"^<(task|user_message|feedback|answer|new_task)>[ \t]*\n?(.*?)\n?[ \t]*</\1>", re.DOTALL | re.MULTILINE
)
_LEAD = re.compile(
    r"\s*(?:New (?:message|instructions)|The user (?:has )?(?:provided|denied)|\[TASK RESUMPTION\]).{0,1000}\Z",
    re.DOTALL,
)
_ENVIRONMENT = re.compile(r"<environment_details>.*?(?:</environment_details>|\Z)", re.DOTALL)
_FOLDER = re.compile(r"# Current (?:Working|Workspace) Directory \(([^)\n]{1,1000})\)")
_HEADING = re.compile(r"\s*\[([a-z_]{2,40})(?: for .{0,20000}?)?\] Result:[ \t]*(?:\n|\Z)", re.DOTALL)
_ASKING = frozenset(
    {"ask_followup_question", "plan_mode_respond", "act_mode_respond", "attempt_completion", "new_task"}
)
_SAID = frozenset({"task", "text", "user_feedback", "user_feedback_diff"})
_MENTION = re.compile(r"\(see below for [a-z ]{1,40}\)|[@'\"\s]|\./")


class ClinePass(MessagePass):
    """One pass over a task. `said` is what the person typed, as the task's own list of it has it; None without one."""

    def __init__(self, log: LogFile) -> None:
        super().__init__(log, log.path.parent.name if log.path.name == _LOG else log.path.stem)
        shown = beside(log.path.with_name("ui_messages.json"))
        self.said = _said(shown) if isinstance(shown, list) else None
        # What the agent adds to a text before it is sent is short.
        self.longest = 1000 + 2 * max(map(len, self.said or ("",)))
        self.heading = ""

    def heard(self, content: object, time: datetime | None) -> None:
        """Add a user message, whose blocks may be the person's words, results, or the harness's."""
        for part in parts_of(content):
            if part.kind == RESULT:
                name = self.tools.get(part.call_id, "") or part.name
                text = result_text(part.value)
                if words := self._typed(text, _HEADING.sub("", text, count=1), name):
                    self.tools.pop(part.call_id, None)
                    self.add_authored(authorship(words), time=time)
                else:
                    self.result(part, time)
            elif part.kind == "image":
                self.drop("image")
            else:
                self._block(part.text, time)

    def _block(self, text: str, time: datetime | None) -> None:
        """A block of text: results may stand in it, under a heading or in the block behind a heading."""
        if "<environment_details>" in text:
            text = _ENVIRONMENT.sub("", text)
            self.drop("environment")
        found = _HEADING.match(text)
        name, rest = (found[1], text[found.end() :]) if found else ("", text)
        if words := self._typed(text, rest, name):
            self.add_authored(authorship(words), time=time)
        elif found and not rest.strip():
            self.heading = name
            return
        elif found or (self.heading and rest.strip() and not rest.lstrip().startswith("<")):
            self.result(Part(RESULT, name=name or self.heading, value=rest), time)
        elif rest.strip():
            self.drop("harness")
        self.heading = ""

    def _typed(self, whole: str, text: str, tool: str) -> str:
        """The person's words in a text. Marks count where only the harness can have set them (at the start, behind
        its own lead-in, in the result of a tool that asks), and what they hold where the task's list has it."""
        words: list[str] = []
        for found in _TAGGED.finditer(text):
            before = text[: found.start()]
            if words or tool in _ASKING or (not tool and (not before.strip() or _LEAD.match(before))):
                words.append(found[2].strip())
        if self.said is not None:
            words = [word for word in (*words, whole.strip()) if len(word) < self.longest and _bare(word) in self.said]
        return "\n".join(dict.fromkeys(words))


class ClineReader(BaseReader):
    """Reader of one extension's tasks."""

    agent = "cline"
    extension = "saoudrizwan.claude-dev"

    def discover(self, env: Mapping[str, str], home: Path) -> Iterator[LogFile]:
        """Tasks of the extension in every editor, and those of its command line."""
        named = env.get(f"SLOWWAVE_{self.agent.upper()}_ROOT", "").strip()
        places = [user / "globalStorage" / self.extension for user in editor_folders(env, home, _EDITORS)]
        for root in [Path(named)] if named else [*places, home / f".{self.agent}" / "data"]:
            for log in files_below(root / "tasks", self.agent, (_LOG,), depth=1):
                if log.path.name == _LOG:
                    yield log

    def recognises(self, head: bytes) -> bool:
        """A list of messages; only Cline's begin with a task."""
        head = squeezed(head)
        return re.match(rb'\[\s*\{\s*"role":"user"', head) is not None and b"<environment_details>" in head

    def begin(self, log: LogFile) -> ClinePass:
        """Start a pass; the task's own record names the folder where there is one."""
        state = ClinePass(log)
        item = beside(log.path.with_name("history_item.json"))
        if not isinstance(item, dict):
            state_file = beside(log.path.parent.parent.parent / "state" / "taskHistory.json") if state.said else None
            known = state_file if isinstance(state_file, list) else []
            item = next((task for task in known if text_in(task, "id") == state.facts.session_id), {})
        facts = state.facts
        facts.title = (optional_text(item, "task") or "")[:200] or None
        facts.parent_session_id = optional_text(item, "parentTaskId")
        facts.cwd = state.cwd = optional_text(item, "workspace") or optional_text(item, "cwdOnTaskInitialization")
        facts.started = parse_time(int(name) if (name := facts.session_id).isdecimal() and len(name) < 16 else None)
        return state

    def records(self, log: LogFile, state: LogPass) -> Iterator[Record]:
        """The messages of the task."""
        found = document(log.path, state.facts, "messages", _MESSAGE)
        yield from (message for message in list_in(found, "messages") if isinstance(message, dict))

    def take(self, state: LogPass, record: Record) -> None:
        """Feed one message to the pass."""
        assert isinstance(state, ClinePass)
        content = record.get("content")
        if not state.cwd and (found := _FOLDER.search(str(content)[:200_000])):
            state.cwd = state.facts.cwd = found[1]
        state.facts.model = optional_text(record.get("modelInfo"), "modelId") or state.facts.model
        time = parse_time(record.get("ts"))
        role = text_in(record, "role")
        if role == "user":
            state.heard(content, time)
        else:
            state.message(role, content, time=time)


class RooReader(ClineReader):
    """Reader of Roo Code's tasks."""

    agent = "roo"
    extension = "rooveterinaryinc.roo-cline"

    def recognises(self, head: bytes) -> bool:
        """By its content alone a file is Cline's."""
        return False


class KiloCodeReader(RooReader):
    """Reader of Kilo Code's older tasks."""

    agent = "kilocode"
    extension = "kilocode.kilo-code"


def _said(shown: list[object]) -> frozenset[str]:
    """What a task's list shows as typed: its first text, and feedback."""
    texts = [
        text_in(row, "text")
        for number, row in enumerate(shown)
        if text_in(row, "say") in _SAID and (text_in(row, "say") != "text" or not number)
    ]
    return frozenset(_bare(text) for text in texts if text.strip())


def _bare(text: str) -> str:
    """A text without what the agent changes in it before it is sent: white space, and how files are mentioned."""
    return _MENTION.sub("", text)
