"""Shell commands of a session, normalised and paired with how they ended."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from slowwave.llm.offline import text as texts
from slowwave.llm.offline.rules import words
from slowwave.llm.offline.vocabulary import EDIT_TOOLS, PASSING_GIT, SHELL_TOOLS, TRIVIAL, WRAPPERS
from slowwave.rollouts.model import Item, ItemKind

_OPERATORS = re.compile(r"\s*(&&|\|\||;|\n)\s*")
_PIPE = re.compile(r"\s\|&?\s")
_REDIRECT = re.compile(r"\s*(?:\d?>{1,2}\s*(?:&\d|/dev/null|\S+)|&>\s*\S+|2>&1|<\s*/dev/null)")
_ASSIGNMENT = re.compile(r"^[A-Za-z_]\w*=(?:\"[^\"]*\"|'[^']*'|\S*)$")
_CODEX_CALL = re.compile(r"\bcmd\s*:\s*(\"(?:[^\"\\]|\\.)*\"|`[^`]*`)")
_EXIT = re.compile(r"^(?:Error:\s*)?(?:Exit code:?|Process exited with code|exit status)\s*(\d+)", re.I | re.M)
_SANDBOXED = re.compile(r"^failed in sandbox [^\n]{0,120}exit code: (\d+), stdout:")
"""How Codex words any failure under its sandbox: the command ran, and this is its exit status."""
_DECLINED = words(
    r"doesn't want to proceed|tool use was rejected|request interrupted|permission to use",
    r"user (?:denied|rejected|cancelled)|requires approval|sandbox(?:ed)? (?:denied|error)|aborted by user|was blocked",
    r"operation not permitted by|timed out after|command timed out",
)
_BAD_OUTPUT = re.compile(
    r"(?m)^(?:FAIL|FAILED|ERROR|E  |error(?:\[\w+\])?:|fatal:|npm ERR!|Traceback|panic:|--- FAIL|✗|make: \*\*\*|"
    r".*\bcommand not found\b|.*: No such file or directory|.*\b[1-9]\d* (?:failed|failures|errors?)\b|.*Error: )"
)
TELLING = words(
    r"\b(?:pass(?:ed)?|ok|success\w*|done|built|compiled|finished|up[- ]to[- ]date|all checks)\b",
    r"\b(?:no (?:issues|errors|problems|fixes)|0 (?:errors|issues|failed|failures|fail|problems|warnings))\b",
)
"""What a program prints when it succeeded."""

_MAX_LINE = 2_000


@dataclass(frozen=True, slots=True)
class Step:
    """One simple command that ran. `text` is normalised (no `cd` to the project, no pipes into pagers, relative paths);
    `program` is its first word without folder; `ok` is True or False where the log tells, None otherwise. `call` is the
    tool call's item, `result` the tool result's."""

    text: str
    program: str
    ok: bool | None
    call: Item
    result: Item | None


@dataclass(frozen=True, slots=True)
class Edit:
    """A change to files between commands, made through an editing tool or a patch."""

    call: Item


def _arguments(item: Item) -> dict[str, object] | None:
    stripped = item.text.lstrip()
    if not stripped.startswith("{"):
        return None
    try:
        loaded = json.loads(stripped)
    except ValueError:
        return None
    return loaded if isinstance(loaded, dict) else None


def command_line(item: Item) -> str | None:
    """Return the shell command of a tool call, None if the call is no shell command.

    Both ways readers hand a call over are understood: the arguments as JSON (`command`, `cmd`, `script`; text or an
    argument vector) and the bare command.
    """
    tool = (item.tool or "").lower()
    arguments = _arguments(item)
    if arguments is not None:
        value = arguments.get("command", arguments.get("cmd", arguments.get("script")))
        if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
            if len(value) == 3 and value[1] in ("-c", "-lc", "-ic", "/c", "-Command"):
                return str(value[2])
            return shlex.join(value)
        return value if isinstance(value, str) and tool in SHELL_TOOLS else None
    if tool == "exec":
        found = _CODEX_CALL.search(item.text)
        if found:
            quoted = found[1]
            try:
                return str(json.loads(quoted)) if quoted.startswith('"') else quoted[1:-1]
            except ValueError:
                return None
        return None
    return item.text if tool in SHELL_TOOLS else None


def is_edit(item: Item) -> bool:
    """Tell whether a tool call changes files through an editing tool or a patch."""
    if (item.tool or "").lower() in EDIT_TOOLS:
        return True
    return "*** Begin Patch" in item.text


def exit_state(result: Item | None) -> bool | None:
    """Tell whether a tool result is a success (True), a failure (False) or not known (None). A call that the user
    declined or that ran into a time limit is neither."""
    if result is None:
        return None
    sandboxed = _SANDBOXED.match(result.text)
    if sandboxed is not None:
        return int(sandboxed[1]) == 0
    if _DECLINED.search(result.text, 0, 2_000):
        return None
    if result.exit_status is not None:
        return result.exit_status == 0
    if result.failed is not None:
        return not result.failed
    found = _EXIT.search(result.text, 0, 400)
    return int(found[1]) == 0 if found else None


def _relative(command: str, root: str) -> str:
    if len(root) > 1:
        command = command.replace(root.rstrip("/") + "/", "").replace(root.rstrip("/"), ".")
    return command


def _drop_wrappers(command: str) -> str:
    command = re.sub(r"^timeout\s+(?:-\S+\s+)*\d+[smh]?\s+", "", command)
    head, _, rest = command.partition(" ")
    return rest.lstrip() if head in WRAPPERS and rest and not rest.lstrip().startswith("-") else command


def program_of(command: str) -> str:
    """Return a command's program: its first word that is no variable assignment, without its folder."""
    for word in command.split():
        if not _ASSIGNMENT.match(word):
            return PurePosixPath(word.strip("\"'")).name
    return ""


def is_trivial(command: str) -> bool:
    """Tell whether a command only looks around or moves files, so that nothing is learnt from its having worked."""
    program = program_of(command)
    if program in TRIVIAL or not program or not re.match(r"^[\w.+@/-]+$", program):
        return True
    words = [word for word in command.split() if not _ASSIGNMENT.match(word)]
    if program == "git":
        plain = [word for word in words[1:] if not word.startswith("-")]
        return not plain or plain[0] in PASSING_GIT
    if program == "gh":
        return True
    return bool(re.search(r"(?:^|\s)(?:--help|--version|-V|-h|version|help)$", command))


def _quoted_safely(command: str) -> bool:
    if command.count('"') % 2 or command.count("'") % 2 or command.count("`") % 2:
        return False
    return "<<" not in command and "$(" not in command and "\n" not in command and len(command) <= 160


def _split(line: str) -> list[tuple[str, str]]:
    """Split a command line into (simple command, operator after it), leaving quoted text alone."""
    parts: list[tuple[str, str]] = []
    start = depth = 0
    quote = ""
    index = 0
    while index < len(line):
        char = line[index]
        if quote:
            if char == "\\" and quote == '"':
                index += 1
            elif char == quote:
                quote = ""
        elif char in "\"'`":
            quote = char
        elif char in "({":
            depth += 1
        elif char in ")}":
            depth = max(0, depth - 1)
        elif depth == 0:
            found = _OPERATORS.match(line, index)
            if found and found.end() > index and found[1]:
                parts.append((line[start:index].strip(), found[1]))
                index = start = found.end()
                continue
        index += 1
    parts.append((line[start:].strip(), ""))
    return [(command, operator) for command, operator in parts if command]


def _shows_success(result: Item | None) -> bool:
    if result is None or _BAD_OUTPUT.search(result.text, 0, 20_000):
        return False
    return TELLING.search(result.text, 0, 20_000) is not None


def _folder(command: str, before: str) -> str:
    """Where a line goes on after `cd`: a folder of the project, empty for its root, the old one for `cd` alone."""
    target = command.split(maxsplit=1)[1].strip("\"'") if " " in command else before
    return "" if target in (".", "./") else target.rstrip("/")


def _outside(folder: str) -> bool:
    return folder.startswith(("/", "~", "..", "$")) or texts.is_volatile(folder)


def _state(ok: bool | None, *, last: bool, masked: bool, result: Item | None) -> bool | None:
    """The state of one command of a line whose exit status is `ok`. A status that may be another command's counts as
    success only if the output says so, and never as failure."""
    if ok is False:
        return False if last and not masked else None
    if ok and masked and not _shows_success(result):
        return None
    return ok


def _steps_of(line: str, call: Item, result: Item | None) -> Iterator[Step]:
    if "<<" in line or len(line) > _MAX_LINE:
        return
    ok = exit_state(result)
    folder = ""
    parts = _split(line)
    for position, (raw, operator) in enumerate(parts):
        command = _relative(raw.lstrip("({ "), call.cwd or "")
        if program_of(command) == "cd":
            folder = _folder(command, folder)
            continue
        pieces = _PIPE.split(command)
        command = _drop_wrappers(texts.fold(_REDIRECT.sub("", pieces[0])))
        if not command or not _quoted_safely(command) or is_trivial(command) or _outside(folder):
            continue
        # An earlier command of a line is known to have worked only through `&&`.
        last = position == len(parts) - 1
        chained = all(op == "&&" for _, op in parts[position:-1])
        masked = len(pieces) > 1 or operator == "||" or not chained
        state = _state(ok, last=last, masked=masked, result=result)
        yield Step(f"cd {folder} && {command}" if folder else command, program_of(command), state, call, result)


def timeline(items: Sequence[Item]) -> list[Step | Edit]:
    """Return a session's non-trivial commands and file edits in order."""
    results = {item.call_id: item for item in items if item.kind is ItemKind.TOOL_RESULT and item.call_id}
    events: list[Step | Edit] = []
    for position, item in enumerate(items):
        if item.kind is not ItemKind.TOOL_CALL:
            continue
        result = results.get(item.call_id) if item.call_id else None
        if result is None and item.call_id is None and position + 1 < len(items):
            following = items[position + 1]
            result = following if following.kind is ItemKind.TOOL_RESULT else None
        if is_edit(item):
            events.append(Edit(item))
            continue
        line = command_line(item)
        if line is not None:
            events.extend(_steps_of(line.strip(), item, result))
    return events


def quote_of(step: Step) -> str | None:
    """Return words of the tool call that show the command, verbatim as they stand in the item, None if none do."""
    folded = texts.fold(step.call.text)
    core = step.text.split(" && ", 1)[1] if step.text.startswith("cd ") and " && " in step.text else step.text
    for candidate in (core, json.dumps(core, ensure_ascii=False)[1:-1], json.dumps(core)[1:-1]):
        if candidate in folded and len(candidate) <= texts.MAX_QUOTE:
            return candidate
    first = core.split(" ", 1)[0]
    found = re.search(re.escape(first) + r"[^\"\n]{0,120}", folded)
    return found[0].strip() if found and len(found[0].split()) >= min(2, len(core.split())) else None
