"""Shell commands of a session, normalised and paired with how they ended."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from slowwave.llm.offline import text as texts
from slowwave.llm.offline.command_lines.programs import SHELLS
from slowwave.llm.offline.command_lines.purposes import program_name
from slowwave.llm.offline.command_lines.shell import Simple, Word, simple_commands
from slowwave.llm.offline.command_lines.vocabulary import (
    EDIT_TOOLS,
    ELSEWHERE,
    MOVES,
    PASSING_GIT,
    SHELL_TOOLS,
    TRIVIAL,
    WRAPPERS,
)
from slowwave.llm.offline.rules import words
from slowwave.rollouts.model import Item, ItemKind

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

_MAX_TEXT = 160
_SHELL_FLAGS = ("-c", "-lc", "-ic", "-command", "/c")
_CMDLET = re.compile(r"^[A-Z][a-z]+-[A-Z]\w+$")
_PERSONAL = re.compile(
    r"(?:^|[\s\"'=:(,])(?:/(?!/|\.\.\.)[\w.]|~(?:/|\w|$)|[A-Za-z]:[\\/]|\\\\\w)|\$HOME|%\w+%|[\w.+-]+@[\w-]+[.:][\w.:-]+|"
    r"\b\w+@\d|\b(?!127\.0\.0\.1\b)(?!0\.0\.0\.0\b)\d{1,3}(?:\.\d{1,3}){3}\b|\w+://(?!localhost\b|127\.0\.0\.1\b)"
)
_SECRET_NAME = re.compile(
    r"(?i)token|secret|passw|passphrase|\bpwd|api_?key|auth|credential|private|session|cookie|dsn|user(?:name)?$"
)


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


def program_of(command: str) -> str:
    """Return the program of a plain command: its first word that sets no variable, without folder and suffix."""
    found = next(iter(_plain_commands(command)), None)
    return program_name(found.words[0].text) if found else ""


def _plain_commands(command: str) -> list[Simple]:
    return [part for part in simple_commands(command) if part.words and program_name(part.words[0].text) not in MOVES]


def is_trivial(command: str) -> bool:
    """Tell whether a command only looks around, moves files, or acts on another machine, a device, a database, a tracker
    or another agent, so that nothing about the project is learnt from its having worked."""
    return all(_is_trivial([word.text for word in part.words]) for part in _plain_commands(command))


def _is_trivial(words: Sequence[str]) -> bool:
    program = program_name(words[0]) if words else ""
    if program in TRIVIAL or program in ELSEWHERE or not re.match(r"^[\w.+@-]+$", program) or _CMDLET.match(program):
        return True
    if program == "git":
        plain = [word for word in words[1:] if not word.startswith("-")]
        return not plain or plain[0] in PASSING_GIT
    if program in ("docker", "podman"):
        return words[1:2] != ["compose"]
    return words[-1] in ("--help", "--version", "-V", "-h", "version", "help")


def _shows_success(result: Item | None) -> bool:
    if result is None or _BAD_OUTPUT.search(result.text, 0, 20_000):
        return False
    return TELLING.search(result.text, 0, 20_000) is not None


def _folder(part: Simple, before: str, root: str) -> str:
    """Where a line goes on after `cd`: a folder of the project, empty for its root, the old one for `cd` alone."""
    target = next((word.text for word in part.words[1:] if not word.text.startswith("-")), before)
    target = _relative(target, root)
    return "" if target in (".", "./") else target.rstrip("/")


def _outside(folder: str) -> bool:
    return folder.startswith(("/", "~", "..", "$")) or texts.is_volatile(folder) or is_personal(folder)


def _relative(word: str, root: str) -> str:
    if len(root) > 1:
        word = word.replace(root.rstrip("/") + "/", "").replace(root.rstrip("/"), ".")
    return word


def is_personal(text: str) -> bool:
    """Tell whether a text names a host, a person, or a place on one machine."""
    return _PERSONAL.search(text) is not None


def _without_wrappers(words: list[Word]) -> list[Word]:
    while words and words[0].text in (*WRAPPERS, "timeout"):
        timed = words[0].text == "timeout"
        rest = words[1:]
        while rest and rest[0].text.startswith("-"):
            rest = rest[1:]
        words = rest[1:] if timed else rest
    return words


def _text_of(part: Simple, root: str) -> str | None:
    """A command as it may stand in a memory: relative, on one line, bounded, without anything personal. None where
    that cannot be said of it."""
    words = _without_wrappers(list(part.words))
    if not words or part.fed or not part.plain:
        return None
    shown = [_relative(word.raw, root) for word in (*part.assignments, *words)]
    text = " ".join(shown)
    secret = any(_SECRET_NAME.search(word.raw.partition("=")[0]) for word in part.assignments)
    return None if secret or len(text) > _MAX_TEXT or "`" in text or is_personal(text) else text


def _unwrapped(parts: Sequence[Simple], depth: int = 0) -> Iterator[Simple]:
    """Commands with `bash -lc "..."` and its like replaced by what they run."""
    for part in parts:
        words = [word.text for word in part.words]
        shell = len(words) == 3 and program_name(words[0]) in SHELLS and words[1].lower() in _SHELL_FLAGS
        inner = simple_commands(words[2]) if shell and part.plain and depth < 3 else []
        if not inner:
            yield part
            continue
        inner[-1] = replace(inner[-1], operator=part.operator, masked=inner[-1].masked or part.masked)
        yield from _unwrapped(inner, depth + 1)


def _state(ok: bool | None, *, last: bool, masked: bool, result: Item | None) -> bool | None:
    """The state of one command of a line whose exit status is `ok`. A status that may be another command's counts as
    success only if the output says so, and never as failure."""
    if ok is False:
        return False if last and not masked else None
    if ok and masked and not _shows_success(result):
        return None
    return ok


def _steps_of(line: str, call: Item, result: Item | None) -> Iterator[Step]:
    root = call.cwd or ""
    ok = exit_state(result)
    folder = ""
    parts = list(_unwrapped(simple_commands(line)))
    for position, part in enumerate(parts):
        if part.words and program_name(part.words[0].text) in MOVES:
            folder = _folder(part, folder, root)
            continue
        words = [word.text for word in _without_wrappers(list(part.words))]
        text = _text_of(part, root)
        if text is None or _is_trivial(words) or _outside(folder):
            continue
        # An earlier command of a line is known to have worked only through `&&`.
        last = position == len(parts) - 1
        chained = all(other.operator == "&&" for other in parts[position:-1])
        masked = part.masked or part.operator == "||" or not chained
        state = _state(ok, last=last, masked=masked, result=result)
        yield Step(f"cd {folder} && {text}" if folder else text, program_name(words[0]), state, call, result)


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
