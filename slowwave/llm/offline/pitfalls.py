"""Commands that failed, with what made them work."""

from __future__ import annotations

import re
from collections.abc import Sequence

from slowwave.llm.offline import text as texts
from slowwave.llm.offline.commands import Edit, Step, program_of, quote_of
from slowwave.llm.offline.vocabulary import RUNNERS
from slowwave.llm.offline.workflows import result_quote
from slowwave.llm.schemas import ProposedMemory, Quote
from storage.types import MemoryKind, Standing

_WINDOW = 8
_MAX_PITFALLS = 6
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_ERROR = re.compile(
    r"(?i)\b(?:error|errors|not found|no such|cannot|can't|could not|couldn't|failed|denied"
    r"|unknown|unrecogni[sz]ed|invalid|missing|"
    r"required|requires|unsupported|refused|unable|undefined|unexpected|mismatch"
    r"|not (?:installed|supported|available|defined|a valid))\b|Error:|ERR!"
)
_WEAK_ERROR = re.compile(
    r"(?i)^(?:error|failed|failure|fatal|exit code \d+|.{0,20}\b\d+ (?:errors?"
    r"|failed)\b.{0,30})[:.!]?$|^(?:---|===|FAIL\b)"
)
_ENVIRONMENT = re.compile(
    r"(?i)modulenotfounderror|no module named|importerror|command not found|\bnot found\b|is not recognized"
    r"|cannot find (?:module|package)|no such (?:file|command|option)|not installed|does(?:n't| not) exist"
    r"|unknown (?:flag|option|command|argument)|unrecognized|permission denied|eacces|econnrefused|connection refused"
    r"|missing (?:script|dependency|module|package|command|environment|env|key|binary)"
    r"|requires\s+\S+\s+(?:version|[\d.>=]+)|unsupported (?:engine|version|platform)"
)
_INSTALL = re.compile(
    r"^(?:sudo\s+)?(?:(?:npm|pnpm|yarn|bun)\s+(?:i|install|ci|add)\b"
    r"|(?:uv\s+)?pip3?\s+install\b|uv\s+(?:sync|add|venv)\b|poetry\s+(?:install|add)\b|"
    r"(?:brew|apt|apt-get|dnf|apk)\s+(?:-\S+\s+)*(?:install|add)\b|go\s+(?:mod\s+(?:tidy"
    r"|download|vendor)|get|install|generate)\b|cargo\s+install\b|"
    r"bundle\s+install\b|composer\s+install\b|playwright\s+install\b"
    r"|npx\s+playwright\s+install\b|make\s+(?:deps|setup|install|generate|proto)\b|"
    r"mise\s+(?:install|trust)\b|(?:docker|podman)\s+compose\s+up\b|docker\s+start\b"
    r"|\S*prisma\s+generate\b|rustup\b|corepack\s+enable\b|nvm\s+use\b"
    r"|git\s+submodule\s+update\b|python3?\s+-m\s+(?:venv|pip)\b)"
)
_ENV_PREFIX = re.compile(r"^(?:[A-Za-z_]\w*=\S*\s+)+")


def _error_line(step: Step) -> tuple[str, str] | None:
    """Return (line as quoted, line for the text) of the first telling error line of a failed step."""
    if step.result is None:
        return None
    for raw in step.result.text[:40_000].split("\n"):
        line = texts.fold(raw)
        if not 8 <= len(line) <= 240 or "\x1b" in line or not _ERROR.search(line) or _WEAK_ERROR.match(line):
            continue
        if texts.reads_like_instruction(line) or texts.is_volatile(line):
            continue
        return line, texts.clip(re.sub(r"^E\s+|^(?:bash|sh|zsh|/bin/\w+):\s*(?:line\s+)?(?:\d+:\s*)?", "", line), 140)
    return None


def _core(command: str) -> str:
    """The command without the folder it runs in and without variables set for it."""
    inner = command.split(" && ", 1)[1] if command.startswith("cd ") and " && " in command else command
    return _ENV_PREFIX.sub("", inner)


def _words(command: str) -> list[str]:
    return [word for word in re.split(r"[\s=]+", _core(command)) if word]


def _task(words: Sequence[str]) -> str:
    """What is run, behind `npm run`, `uv run`, `make` and the like."""
    return next((word for word in words if word not in RUNNERS and not word.startswith("-")), "")


def _differs_only_in_target(failed: str, worked: str) -> bool:
    """Tell whether two commands differ only in which files or tests they name: that is another task, not a fix."""
    different = set(_words(failed)) ^ set(_words(worked))
    return all(
        re.search(r"[/\\]|\.\w{1,5}$|^[A-Z]\w+$|\d", word) or "|" in word or word.startswith(('"', "'"))
        for word in different
    )


def _is_fix(failed: Step, worked: Step, *, edited: bool, error: str) -> bool:
    if failed.text == worked.text or texts.is_volatile(worked.text):
        return False
    old, new = _words(failed.text), _words(worked.text)
    environment = _ENVIRONMENT.search(error) is not None
    if old == new:
        return not edited or environment
    if edited and not environment:
        return False
    wrapped = len(new) != len(old) and (new[-len(old) :] == old or old[-len(new) :] == new)
    if wrapped and min(len(old), len(new)) >= 1:
        return True
    if program_of(_core(failed.text)) != program_of(_core(worked.text)) or _task(old) != _task(new):
        return False
    if _differs_only_in_target(failed.text, worked.text):
        return False
    return len(set(old) & set(new)) / len(set(old) | set(new)) >= 0.5


def _memory(text: str, situation: str, quotes: Sequence[tuple[int, str | None]]) -> ProposedMemory | None:
    evidence = [Quote(item=item, quote=quote) for item, quote in quotes if quote]
    if len(evidence) < 3:
        return None
    return ProposedMemory(
        kind=MemoryKind.PITFALL, text=text, situation=situation, standing=Standing.VERIFIED, evidence=evidence
    )


def _after(failed: Step, following: Sequence[Step | Edit], error: tuple[str, str]) -> ProposedMemory | None:
    edited = False
    install: Step | None = None
    quoted, shown = error
    seen = 0
    for event in following:
        if isinstance(event, Edit):
            edited = True
            continue
        seen += 1
        if seen > _WINDOW:
            return None
        if not event.ok:
            continue
        if _INSTALL.match(event.text) and not texts.is_volatile(event.text):
            install = event
            continue
        assert failed.result is not None
        base = [(failed.call.index, quote_of(failed)), (failed.result.index, quoted)]
        if event.text == failed.text:
            if install is None or edited:
                return None
            text = f"`{failed.text}` fails with “{shown}” until `{install.text}` has been run."
            return _memory(
                text, "", [*base, (install.call.index, quote_of(install)), (event.call.index, quote_of(event))]
            )
        if _is_fix(failed, event, edited=edited, error=quoted):
            text = f"`{failed.text}` fails with “{shown}”; `{event.text}` works."
            ended = [(event.result.index, result_quote(event))] if event.result is not None else []
            return _memory(text, "", [*base, (event.call.index, quote_of(event)), *ended])
    return None


def pitfalls(events: Sequence[Step | Edit]) -> list[ProposedMemory]:
    """Return a memory for each command that failed with a telling error and later worked in another form, or in the
    same form after an installation. A failure that a change of code repaired teaches nothing and is left out."""
    memories: list[ProposedMemory] = []
    seen: set[str] = set()
    for position, event in enumerate(events):
        if not isinstance(event, Step) or event.ok is not False or event.text in seen or texts.is_volatile(event.text):
            continue
        error = _error_line(event)
        memory = _after(event, events[position + 1 :], error) if error else None
        if memory is not None and memory.text not in seen:
            seen |= {event.text, memory.text}
            memories.append(memory)
    return memories[:_MAX_PITFALLS]
