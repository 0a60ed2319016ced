"""What a command is for, by its program, its subcommand and the project's own script names, never by a word inside an
argument, a path, a query or a quoted program."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from slowwave.llm.offline.command_lines import programs as known

_MAX_DEPTH = 6
_NAME_PARTS = re.compile(r"[:._/\-+]+")
_ASSIGNMENT = re.compile(r"^[A-Za-z_]\w*=")
_SUFFIX = re.compile(r"\.(?:exe|cmd|bat|ps1)$", re.IGNORECASE)
_SCRIPT_FILE = re.compile(r"\.(?:sh|bash|zsh|py|js|mjs|cjs|ts|rb|pl|ps1|cmd|bat)$")
_ONE_THING = re.compile(r"::|[*/]|\.\w{1,5}$")
_ADDING = frozenset({"npm", "pnpm", "yarn", "bun", "pip", "pip3"})


class Reading(NamedTuple):
    """What a command is for, None where it cannot be told, and the arguments behind what tells it."""

    purpose: str | None
    rest: tuple[str, ...] = ()


NOTHING = Reading(None)


def program_name(word: str) -> str:
    """A program's name without its folder and the suffixes of Windows."""
    return _SUFFIX.sub("", PurePosixPath(word.replace("\\", "/")).name)


def read(words: Sequence[str], depth: int = 0) -> Reading:
    """Read the words of one simple command."""
    words = list(words)
    while words and _ASSIGNMENT.match(words[0]):
        words.pop(0)
    if not words or depth > _MAX_DEPTH or any(word.lower() in known.LOOKING for word in words):
        return NOTHING
    program, rest = program_name(words[0]), words[1:]
    if any(word in known.LOOKING_SHORT.get(program, ()) for word in rest):
        return NOTHING
    if program in known.INTERPRETERS and (inner := _interpreted(words)) is not None:
        return read(inner, depth + 1) if inner[0] != words[0] else _script(inner[1], inner[2:])
    if program in ("docker", "podman", "docker-compose"):
        return read(inner, depth + 1) if (inner := _in_service(words)) else NOTHING
    if (inner := _carried(program, rest)) and program not in known.INTERPRETERS:
        found = read(inner, depth + 1)
        return found if found.purpose or program not in known.SCRIPT_RUNNERS else _target(program, rest)
    if program in ("gradlew", "mvnw"):
        program = program[:-1]
    if program in _ADDING and (installs := _installing(program, rest)) is not None:
        return installs
    if (found := _program(program, rest)).purpose:
        return found
    if (found := _target(program, rest)).purpose:
        return found
    return _script(words[0], rest) if "/" in words[0] or _SCRIPT_FILE.search(words[0]) else NOTHING


def _interpreted(words: list[str]) -> list[str] | None:
    """What an interpreter runs: a module, a file (then the list begins with the interpreter), or None."""
    program, rest = program_name(words[0]), words[1:]
    while rest and rest[0].startswith("-") and rest[0] not in ("-m", "-c", "-e", "--eval", "-ne", "-pe", "-lc"):
        rest = rest[1:]
    if not rest or (program in ("deno", "node") and rest[0] in ("test", "task", "lint", "fmt", "check")):
        return None
    if rest[0] == "-m" and len(rest) > 1:
        return ["pip" if rest[1] == "pip" else rest[1], *rest[2:]]
    if rest[0].startswith("-"):
        return None
    name = program_name(rest[0])
    return rest if name in known.SUBCOMMANDS else [words[0], *rest]


def _in_service(words: list[str]) -> list[str]:
    """What runs in a service of the project's own compose file; containers named otherwise are of the moment."""
    rest = words[1:]
    if program_name(words[0]) != "docker-compose":
        if not rest or rest[0] != "compose":
            return []
        rest = rest[1:]
    rest = _without_flags(rest)
    if not rest or rest[0] not in ("run", "exec"):
        return []
    return _without_flags(rest[1:])[1:]


def _without_flags(words: list[str]) -> list[str]:
    while words and words[0].startswith("-"):
        takes = words[0] in known.VALUE_FLAGS and "=" not in words[0]
        words = words[2 if takes else 1 :]
    return words


def _carried(program: str, rest: list[str]) -> list[str]:
    """The command that a program only runs, empty where it does more."""
    for between in known.CARRIERS.get(program, ()):
        if between and (not rest or rest[0] != between):
            continue
        inner = rest[1:] if between else rest
        if program == "nix":
            marks = [place for place, word in enumerate(inner) if word in ("-c", "--command")]
            inner = inner[marks[0] + 1 :] if marks else []
        else:
            inner = _without_flags(inner)
        if program == "timeout" or (program == "direnv" and inner):
            inner = inner[1:]
        if inner[:1] in (["run"], ["--"]) and program in ("uv", "doppler", "op", "mise"):
            inner = inner[1:]
        return inner
    return []


def _installing(program: str, rest: list[str]) -> Reading | None:
    """Whether a package manager installs what the project names; adding a package is a step of the moment."""
    plain = [word for word in rest if not word.startswith("-")]
    if program in ("pip", "pip3"):
        files = any(word in ("-r", "--requirement", "-e", "--editable") for word in rest)
        return Reading(known.INSTALL) if plain[:1] == ["install"] and files else NOTHING
    if plain[:1] in (["install"], ["i"], ["ci"]):
        return Reading(known.INSTALL) if len(plain) == 1 else NOTHING
    if program == "yarn" and not plain:
        return Reading(known.INSTALL)
    if plain[:1] and plain[0] in (
        "add",
        "remove",
        "uninstall",
        "update",
        "upgrade",
        "up",
        "link",
        "init",
        "create",
        "audit",
    ):
        return NOTHING
    if program == "npm" and plain[:1] in (["test"], ["t"]):
        return Reading(known.TESTS, tuple(rest[1:]))
    return None


def _program(program: str, rest: list[str]) -> Reading:
    plain = _without_flags(rest)
    table = known.SUBCOMMANDS.get(program)
    if table is not None:
        tasks = [word for word in plain if word in table] if program in ("gradle", "mvn", "sbt") else plain[:1]
        name = tasks[-1].removeprefix(":") if tasks else ""
        if name in table:
            after = tuple(word for word in plain if word not in tasks and word != "clean")
            return _refined(program, table[name], after, rest)
        return NOTHING
    if program == "tsc":
        return Reading(known.TYPES if "--noEmit" in rest else known.BUILD, tuple(rest))
    if program == "cmake":
        return Reading(known.BUILD, ()) if "--build" in rest else NOTHING
    if program in known.PRINTS_BY_DEFAULT:
        if any(word in known.CHECKING for word in rest):
            return Reading(known.FORMAT_CHECK, tuple(rest))
        written = tuple(word for word in rest if word not in known.WRITING)
        return Reading(known.FORMAT, written) if len(written) < len(rest) else NOTHING
    purpose = known.PROGRAMS.get(program)
    if purpose is None or plain[:1] in (["list"], ["init"], ["show"], ["help"], ["watch"], ["open"], ["autoupdate"]):
        return NOTHING
    if program in ("vitest", "golangci-lint", "pre-commit", "lefthook", "prek", "phpstan") and plain[:1] in (
        ["run"],
        ["analyse"],
        ["analyze"],
    ):
        rest = [word for word in rest if word != plain[0]]
    return _refined(program, purpose, tuple(rest), rest)


def _refined(program: str, purpose: str, rest: tuple[str, ...], flags: Sequence[str]) -> Reading:
    if purpose == known.FORMAT and any(word in known.CHECKING for word in flags):
        return Reading(known.FORMAT_CHECK, rest)
    if purpose == known.LINT and any(word in known.FIXING for word in flags):
        return Reading(known.FIX, rest)
    if purpose == known.DOCS and "serve" in flags:
        return NOTHING
    return Reading(purpose, rest)


def _target(program: str, rest: list[str]) -> Reading:
    """What a script or target of the project is for, by its name."""
    for before in known.SCRIPT_RUNNERS.get(program, ()):
        plain = _without_flags(rest)
        if before and plain[:1] != [before]:
            continue
        plain = _without_flags(plain[1:] if before else plain)
        if program in ("nx", "turbo", "lerna") and (
            marks := [p for p, word in enumerate(rest) if word in ("-t", "--target")]
        ):
            plain = rest[marks[0] + 1 :]
        if plain:
            return Reading(name_purpose(plain[0]), tuple(plain[1:]))
    return NOTHING


def _script(path: str, rest: Sequence[str]) -> Reading:
    """What a script file of the project is for, by its own name alone; its arguments would say more than a name can."""
    if any(not word.startswith("-") for word in rest):
        return NOTHING
    return Reading(name_purpose(_SCRIPT_FILE.sub("", PurePosixPath(path.replace("\\", "/")).name)), tuple(rest))


def name_purpose(name: str) -> str | None:
    """The purpose that a script's name states: its first or last word says it, and no word says something else."""
    parts = [
        part for part in _NAME_PARTS.split(name.lower()) if part and part not in ("run", "all", "sh", "full", "quick")
    ]
    if not parts or len(parts) > 4 or any(part in known.OTHER_JOBS for part in parts):
        return None
    if "check" in parts[1:] or "check" in parts[:-1]:
        others = [part for part in parts if part != "check"]
        if known.SCRIPT_WORDS.get(others[0]) == known.FORMAT:
            return known.FORMAT_CHECK
        if others[0] in ("type", "types"):
            return known.TYPES
        parts = others
    found = [known.SCRIPT_WORDS.get(part) for part in parts]
    if "fix" in parts or "write" in parts:
        return known.FIX if known.LINT in found else (known.FORMAT if known.FORMAT in found else None)
    for special in (known.E2E, known.INTEGRATION, known.DOCS):
        if special in found:
            return special
    if known.CHECKS in (found[0], found[-1]):
        # The weakest word: what is checked says more.
        return next((purpose for purpose in (found[0], found[-1]) if purpose not in (None, known.CHECKS)), known.CHECKS)
    return found[0] or found[-1]


def is_whole(rest: Sequence[str]) -> bool:
    """Whether arguments leave a command about the project as a whole, today and later."""
    before = ""
    for place, word in enumerate(rest):
        low = word.lower()
        if low.partition("=")[0] in known.NARROWING or word.startswith("@"):
            return False
        if word == "--" and place + 1 < len(rest) and not rest[place + 1].startswith("-"):
            return False
        names_one = _ONE_THING.search(word) is not None or not before.startswith("-")
        if names_one and not word.startswith("-") and low not in known.WHOLE:
            return False
        before = word
    return True
