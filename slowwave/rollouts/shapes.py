"""What the readers look at in a row, so that everything else in it is skipped without being built.

Half the bytes of a log are nothing that a reader needs: structured twins of tool results, signatures, encrypted
reasoning, token counts. A decoder of one of these shapes gives the same dictionaries as a full parse, but for the keys
that are not listed. A row that does not fit its shape (a string where an object is usual) is refused, and `Records`
parses it in full instead: a shape decides about speed only, never about what is kept.
"""

from __future__ import annotations

from typing import Any, TypedDict

import msgspec


class _Block(TypedDict, total=False):
    type: Any
    text: Any
    name: Any
    id: Any
    input: Any
    arguments: Any
    content: Any
    tool_use_id: Any
    is_error: Any
    tool_name: Any


class _Message(TypedDict, total=False):
    role: Any
    content: list[_Block] | str | None
    parts: Any
    model: Any


class _ToolUseResult(TypedDict, total=False):
    returnCodeInterpretation: Any
    backgroundTaskId: Any
    interrupted: Any
    questions: Any
    answers: Any
    annotations: Any


class _ClaudeRow(TypedDict, total=False):
    type: Any
    uuid: Any
    parentUuid: Any
    timestamp: Any
    message: _Message
    isSidechain: Any
    cwd: Any
    gitBranch: Any
    sessionId: Any
    entrypoint: Any
    sessionKind: Any
    isApiErrorMessage: Any
    isMeta: Any
    isCompactSummary: Any
    isVisibleInTranscriptOnly: Any
    origin: Any
    planContent: Any
    toolUseResult: _ToolUseResult | str | list[Any] | None
    toolDenialKind: Any
    version: Any
    attachment: Any
    operation: Any
    content: Any
    subtype: Any
    summary: Any
    customTitle: Any
    aiTitle: Any
    title: Any


class _Payload(TypedDict, total=False):
    type: Any
    role: Any
    content: list[_Block] | str | None
    name: Any
    arguments: Any
    input: Any
    output: Any
    call_id: Any
    id: Any
    action: Any
    message: Any
    item: Any
    kind: Any
    num_turns: Any
    thread_name: Any
    turn_id: Any
    cwd: Any
    model: Any
    git: Any
    timestamp: Any
    source: Any
    originator: Any
    memory_mode: Any
    thread_source: Any
    parent_thread_id: Any
    forked_from_id: Any
    session_id: Any


class _CodexRow(_Payload, total=False):
    payload: _Payload
    record_type: Any


class _TreeMessage(_Message, total=False):
    stopReason: Any
    toolCallId: Any
    toolName: Any
    isError: Any
    command: Any
    code: Any
    output: Any
    exitCode: Any
    excludeFromContext: Any
    provenance: Any


class _TreeEntry(TypedDict, total=False):
    type: Any
    id: Any
    parentId: Any
    timestamp: Any
    message: _TreeMessage
    cwd: Any
    title: Any
    name: Any
    modelId: Any
    model: Any
    summary: Any
    parentSession: Any


REFUSED = (msgspec.MsgspecError, ValueError, RecursionError)
"""What a decoder raises for a line that is no JSON or does not fit."""

claude_row = msgspec.json.Decoder(_ClaudeRow).decode
codex_row = msgspec.json.Decoder(_CodexRow).decode
tree_entry = msgspec.json.Decoder(_TreeEntry).decode
