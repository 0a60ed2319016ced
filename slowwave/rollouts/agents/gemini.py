"""Gemini CLI's session logs: one JSON document, or (since 0.39) one JSON object a line.

``~/.gemini/tmp/<slug or hash>/chats/session-*.json[l]``. The working folder is not in the file. In the line form a
message is written again and again under its id: the last one counts.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from slowwave.errors import RolloutError
from slowwave.rollouts.agents.gemini_history import GONE, history
from slowwave.rollouts.base import BaseReader, open_log
from slowwave.rollouts.lines import Record
from slowwave.rollouts.model import ItemKind, LogFile
from slowwave.rollouts.passes import LogPass
from slowwave.rollouts.values import (
    blocks_text,
    call_text,
    decode_json,
    dict_in,
    dump,
    list_in,
    optional_text,
    parse_time,
    squeezed,
    strings_in,
    strip_blobs,
    text_in,
)
from slowwave.rollouts.walk import files_below
from slowwave.storage.types import SessionKind
from slowwave.text.authors import Authorship, authorship

_ATTACHED = "\n--- Content from referenced files ---"
_EXIT = re.compile(r"(?:^|\n)Exit Code: (-?\d{1,10})(?:\n|$)")
_PATH = re.compile(r"(?:/[\w.@+-]+){2,}|[A-Za-z]:\\[\w.@+\\-]+")
_MAX_CANDIDATES = 300


class GeminiPass(LogPass):
    """One pass over a Gemini CLI log."""

    def __init__(self, log: LogFile) -> None:
        super().__init__(log, log.path.stem.removeprefix("session-"))
        self.project_hash = ""
        self.candidates: dict[str, None] = {}


class GeminiReader(BaseReader):
    """Reader of Gemini CLI logs."""

    agent = "gemini"

    def discover(self, env: Mapping[str, str], home: Path) -> Iterator[LogFile]:
        """Chats of every project. A document that was continued as lines is the same session: the lines win."""
        configured = env.get("GEMINI_CLI_HOME", "").strip()
        root = (Path(configured) if configured else home) / ".gemini" / "tmp"
        for log in files_below(root, self.agent, (".json", ".jsonl"), depth=3):
            path = log.path
            if "chats" not in path.parent.parts[-2:] or not _is_chat(path):
                continue
            if path.suffix == ".json" and path.with_suffix(".jsonl").exists():
                continue
            yield log

    def recognises(self, head: bytes) -> bool:
        """A session header, or message rows of this agent."""
        head = squeezed(head)
        start = head[:16384]
        return (b'"sessionId"' in start and (b'"startTime"' in start or b'"projectHash"' in start)) or (
            b'"type":"gemini"' in start and b'"content"' in start
        )

    def begin(self, log: LogFile) -> GeminiPass:
        """Start a pass; the folder is resolved from what lies beside the log."""
        state = GeminiPass(log)
        state.cwd = state.facts.cwd = recorded_root(log.path)
        return state

    def records(self, log: LogFile, state: LogPass) -> Iterator[Record]:
        """Messages in the order of their first appearance, each in its last form; rewound ones are marked."""
        with open_log(log.path) as stream:
            yield from history(stream, state.facts)

    def take(self, state: LogPass, record: Record) -> None:
        """Feed the header or one message to the pass."""
        assert isinstance(state, GeminiPass)
        first = state.next_index
        kind = text_in(record, "type")
        time = parse_time(record.get("timestamp"))
        uid = optional_text(record, "id")
        if not kind and ("sessionId" in record or "projectHash" in record or "messages" in record):
            self._header(state, record)
        elif kind == "user":
            state.add_authored(_user_authorship(record.get("content")), time=time, uid=uid)
        elif kind == "gemini":
            self._answer(state, record, time, uid)
        elif kind in ("info", "warning", "error"):
            state.drop(kind)
        else:
            state.unknown(kind)
        if record.get(GONE):
            state.undo(range(first, state.next_index))

    def _header(self, state: GeminiPass, record: Record) -> None:
        facts = state.facts
        facts.session_id = optional_text(record, "sessionId") or facts.session_id
        facts.started = parse_time(record.get("startTime")) or facts.started
        facts.title = optional_text(record, "summary") or facts.title
        state.project_hash = text_in(record, "projectHash") or state.project_hash
        for folder in strings_in(record.get("directories")):
            state.candidates[folder] = None
        if text_in(record, "kind") == "subagent":
            facts.kind = SessionKind.SUBAGENT
            if state.log.path.parent.parent.name == "chats":
                facts.parent_session_id = state.log.path.parent.name

    def _answer(self, state: GeminiPass, record: Record, time: datetime | None, uid: str | None) -> None:
        state.facts.model = optional_text(record, "model") or state.facts.model
        state.add(ItemKind.ASSISTANT_TEXT, blocks_text(record.get("content")), time=time, uid=uid)
        if list_in(record, "thoughts"):
            state.drop("reasoning")
        for call in list_in(record, "toolCalls"):
            name, call_id = text_in(call, "name"), optional_text(call, "id")
            arguments = call.get("args") if isinstance(call, dict) else None
            at = parse_time(call.get("timestamp")) if isinstance(call, dict) else None
            text = call_text(arguments)
            state.add(ItemKind.TOOL_CALL, text, time=at or time, tool=name, call_id=call_id, uid=uid)
            self._result(state, call, name, call_id, at or time, uid)

    def _result(
        self, state: GeminiPass, call: Any, name: str, call_id: str | None, time: datetime | None, uid: str | None
    ) -> None:
        status = text_in(call, "status")
        text = strip_blobs(_result_text(call))
        self._remember_paths(state, text, call)
        found = _EXIT.search(text) if name == "run_shell_command" else None
        exit_status = int(found.group(1)) if found else None
        failed = status in ("error", "cancelled") or bool(exit_status) if status else None
        state.add(
            ItemKind.TOOL_RESULT,
            text,
            time=time,
            tool=name or None,
            call_id=call_id,
            exit_status=exit_status,
            failed=failed,
            uid=uid,
        )

    def _remember_paths(self, state: GeminiPass, text: str, call: Any) -> None:
        """Folders that the session names: the project's hash tells which of them was the working folder."""
        if state.facts.cwd or len(state.candidates) > _MAX_CANDIDATES:
            return
        for source in (text[:2000], dump(dict_in(call, "args"))[:2000]):
            for match in _PATH.findall(source)[:20]:
                state.candidates[match] = None

    def end(self, state: LogPass) -> None:
        """Resolve the folder from the project's hash; without success the project's own folder stands for it."""
        assert isinstance(state, GeminiPass)
        if state.facts.cwd:
            return
        folder = chats_folder(state.log.path).parent
        cwd = folder_with_hash(state.project_hash or folder.name, [*known_roots(folder), *state.candidates])
        state.settle_cwd(cwd or str(folder))


def _is_chat(path: Path) -> bool:
    return path.name.startswith("session-") or path.parent.parent.name == "chats"


def chats_folder(path: Path) -> Path:
    """The `chats` folder above a log, or the log's own folder."""
    return next((parent for parent in path.parents[:2] if parent.name == "chats"), path.parent)


def recorded_root(path: Path) -> str | None:
    """The working folder that the agent noted beside its chats, or None."""
    return _small_file(chats_folder(path).parent / ".project_root").strip() or None


def known_roots(project_folder: Path) -> list[str]:
    """Working folders that the agent's project list knows, those under the folder's own name first."""
    projects = dict_in(decode_json(_small_file(project_folder.parent.parent / "projects.json")), "projects")
    return sorted(projects, key=lambda root: projects[root] != project_folder.name)


def folder_with_hash(wanted: str, paths: list[str]) -> str | None:
    """The folder among `paths` and the folders above them whose SHA-256 is `wanted`."""
    tried: set[str] = set()
    for path in paths:
        while len(path) > 1 and path not in tried:
            tried.add(path)
            if hashlib.sha256(path.encode("utf-8", "replace")).hexdigest() == wanted:
                return path
            cut = max(path.rfind("/"), path.rfind("\\"))
            path = path[: max(cut, 0)]
    return None


def _small_file(path: Path) -> str:
    try:
        with open_log(path) as stream:
            return stream.read(1 << 20).decode("utf-8", "replace")
    except RolloutError:
        return ""


def _user_authorship(content: object) -> Authorship:
    """The person's words end where the agent appended the content of mentioned files."""
    text = blocks_text(content)
    words, separator, attached = text.partition(_ATTACHED)
    parts = authorship(words)
    if not separator:
        return parts
    context = "\n".join(filter(None, (parts.context, (separator + attached).strip())))
    return Authorship(parts.typed, context, parts.dropped)


def _result_text(call: Any) -> str:
    texts: list[str] = []
    for part in list_in(call, "result"):
        response = dict_in(dict_in(part, "functionResponse"), "response")
        text = text_in(response, "output") or text_in(response, "error") or text_in(part, "text")
        if not text and response:
            text = dump(response)
        texts += [text] if text else []
    if texts:
        return "\n".join(texts)
    display = call.get("resultDisplay") if isinstance(call, dict) else None
    return display if isinstance(display, str) else ""
