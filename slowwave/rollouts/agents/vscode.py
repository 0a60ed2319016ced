"""VS Code's chat (GitHub Copilot Chat): a JSON document a session, or since 1.109 a log of changes to one.

``.../Code/User/workspaceStorage/<hash>/chatSessions/`` and ``globalStorage/emptyWindowChatSessions/``; the
`workspace.json` beside them names the folder. Types: `IExportableChatData`, `ISerializableChatRequestData` and
`objectMutationLog.ts` of the editor's public source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from slowwave.rollouts.base import BaseReader, open_log
from slowwave.rollouts.blocks import RESULT, MessagePass, Part, result_text
from slowwave.rollouts.lines import Record
from slowwave.rollouts.model import ASSISTANT_TEXT, LogFile
from slowwave.rollouts.passes import LogPass
from slowwave.rollouts.stores.changes import replayed
from slowwave.rollouts.stores.documents import document
from slowwave.rollouts.stores.workspaces import editor_folders, workspace_folder
from slowwave.rollouts.values import dict_in, list_in, optional_text, parse_time, squeezed, text_in
from slowwave.rollouts.walk import files_below
from slowwave.text.authors import authorship

_NAMES = ("Code", "Code - Insiders", "VSCodium")
_REQUEST = re.compile(r'\{\s*"(?:requestId|message)"\s*:')
_BOOKKEEPING = frozenset({"sessionId", "creationDate", "customTitle", "version"})


class VSCodeReader(BaseReader):
    """Reader of VS Code's chat sessions."""

    agent = "vscode"

    def discover(self, env: Mapping[str, str], home: Path) -> Iterator[LogFile]:
        """Sessions of every workspace and of windows without one. A document that was continued as a log is the same
        session: the log wins."""
        for user in editor_folders(env, home, _NAMES):
            places = [*sorted((user / "workspaceStorage").glob("*/chatSessions"))]
            for folder in (*places, user / "globalStorage" / "emptyWindowChatSessions"):
                for log in files_below(folder, self.agent, (".json", ".jsonl"), depth=0):
                    if log.path.suffix == ".jsonl" or not log.path.with_suffix(".jsonl").exists():
                        yield log

    def recognises(self, head: bytes) -> bool:
        """A document with a responder and requests, or a log that begins with one."""
        head = squeezed(head)
        marks = (b'"requests":', b'"responderUsername"', b'"requesterUsername"', b'"initialLocation"')
        return (head.startswith(b'{"kind":0,"v":{') and sum(mark in head for mark in marks) > 0) or (
            head.startswith(b"{") and sum(mark in head for mark in marks) > 1
        )

    def begin(self, log: LogFile) -> MessagePass:
        """Start a pass; the workspace's own file names the folder."""
        state = MessagePass(log, log.path.stem, lambda content: authorship(result_text(content)))
        if log.path.parent.name == "chatSessions":
            state.cwd = state.facts.cwd = workspace_folder(log.path.parent.parent)
        return state

    def records(self, log: LogFile, state: LogPass) -> Iterator[Record]:
        """The session's own fields, then its requests."""
        with open_log(log.path) as stream:
            is_log = squeezed(stream.read(64)).startswith(b'{"kind":')
            stream.seek(0)
            found = replayed(self.lines(stream, state, limit=log.size or None)) if is_log else None
        if found is None:
            found = document(log.path, state.facts, "requests", _REQUEST)
        yield {"session": {key: value for key, value in found.items() if key in _BOOKKEEPING}}
        yield from (request for request in list_in(found, "requests") if isinstance(request, dict))

    def take(self, state: LogPass, record: Record) -> None:
        """Feed the session's fields or one request with its answer to the pass."""
        assert isinstance(state, MessagePass)
        facts = state.facts
        if isinstance(session := record.get("session"), dict):
            facts.session_id = optional_text(session, "sessionId") or facts.session_id
            facts.title = optional_text(session, "customTitle")
            facts.started = parse_time(session.get("creationDate"))
            return
        if "message" not in record and "response" not in record:
            state.unknown("request")
            return
        uid = optional_text(record, "requestId")
        if state.is_repeat(uid):
            return
        first, time = state.next_index, parse_time(record.get("timestamp"))
        message = record.get("message")
        facts.model = optional_text(record, "modelId") or facts.model
        words = message if isinstance(message, str) else text_in(message, "text")
        state.message("user", words, time=time, uid=uid)
        self._answer(state, record, uid)
        if record.get("shouldBeRemovedOnSend"):
            state.undo(range(first, state.next_index))

    def _answer(self, state: MessagePass, record: Record, uid: str | None) -> None:
        """The rounds that the model was asked in, where they were kept; else what was shown."""
        time = parse_time(record.get("timestamp"))
        metadata = dict_in(dict_in(record, "result"), "metadata")
        results = dict_in(metadata, "toolCallResults")
        rounds = list_in(metadata, "toolCallRounds")
        shown = list_in(record, "response")
        for asked in rounds:
            state.add(ASSISTANT_TEXT, text_in(asked, "response"), time=time, uid=uid)
            for call in list_in(asked, "toolCalls"):
                call_id = text_in(call, "id")
                arguments = call.get("arguments") if isinstance(call, dict) else None
                state.call(text_in(call, "name"), arguments, call_id, time=time, uid=uid)
                if call_id in results:
                    state.result(Part(RESULT, call_id=call_id, value=_words(results[call_id])), time, uid)
        if any(text_in(asked, "response").strip() for asked in rounds):
            return
        state.add(ASSISTANT_TEXT, "".join(_shown(part) for part in shown), time=time, uid=uid)
        if not rounds:
            for part in _invocations(shown):
                self._invocation(state, part, uid)

    def _invocation(self, state: MessagePass, part: dict[str, Any], uid: str | None) -> None:
        data, details = dict_in(part, "toolSpecificData"), dict_in(part, "resultDetails")
        line = dict_in(data, "commandLine")
        command = text_in(line, "userEdited") or text_in(line, "original") or text_in(data, "command")
        said = part.get("invocationMessage")
        arguments = {"command": command} if command else details.get("input") or data.get("rawInput") or said
        call_id = text_in(part, "toolCallId")
        state.call(text_in(part, "toolId") or text_in(part, "toolName"), arguments, call_id, uid=uid)
        status = dict_in(data, "terminalCommandState").get("exitCode")
        status = status if type(status) is int else None
        failed = bool(status) if status is not None else None
        output = details.get("output") or text_in(dict_in(data, "terminalCommandOutput"), "text")
        if isinstance(details.get("isError"), bool):
            failed = details["isError"]
        if output or failed is not None:
            state.result(Part(RESULT, "", "", call_id, output, failed, status), uid=uid)


def _invocations(shown: list[Any]) -> list[dict[str, Any]]:
    """The calls of an answer, each in its last form: the editor writes one again when it knows more."""
    last: dict[str, dict[str, Any]] = {}
    for number, part in enumerate(shown):
        if text_in(part, "kind") in ("toolInvocationSerialized", "toolInvocation"):
            last[text_in(part, "toolCallId") or str(number)] = part
    return list(last.values())


def _shown(part: object) -> str:
    """Markdown of an answer; a reference within it by its name."""
    if isinstance(part, dict) and part.get("kind") == "inlineReference":
        place = dict_in(part, "inlineReference")
        return text_in(part, "name") or text_in(place, "path").rsplit("/", 1)[-1] or text_in(place, "name")
    if isinstance(part, dict) and part.get("kind") not in (None, "markdownContent", "markdownVuln"):
        return ""
    value = part.get("value", part.get("content")) if isinstance(part, dict) else part
    return value if isinstance(value, str) else text_in(value, "value")


def _words(value: Any, depth: int = 60) -> str:
    """The texts of a result, which may be a tree that was rendered for the model."""
    if depth == 0 or value is None or isinstance(value, int | float):
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(filter(None, (_words(part, depth - 1) for part in value)))
    if isinstance(value.get("node"), dict):
        return _words(value["node"], depth - 1)
    if "children" in value or "lineBreakBefore" in value:
        lines = "\n" if value.get("lineBreakBefore") else ""
        inner = "".join(_words(child, depth - 1) for child in list_in(value, "children"))
        return lines + text_in(value, "text") + inner
    return _words(value.get("content") or value.get("value") or value.get("text"), depth - 1)
