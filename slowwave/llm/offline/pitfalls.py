"""Commands that failed, with what made them work."""

from __future__ import annotations

import re
from collections.abc import Sequence

from slowwave.llm.offline import text as texts
from slowwave.llm.offline.command_lines.commands import Edit, Step, quote_of
from slowwave.llm.offline.workflows import is_broad, result_quote
from slowwave.llm.prompting.schemas import ProposedMemory, Quote
from slowwave.storage.types import MemoryKind, Standing

_WINDOW = 8
_MAX_PITFALLS = 6
_ERROR = re.compile(
    r"(?i)\b(?:error|errors|not found|no such|cannot|can't|could not|couldn't|failed|denied"
    r"|unknown|unrecogni[sz]ed|invalid|missing|"
    r"required|requires|unsupported|refused|unable|undefined|unexpected|mismatch"
    r"|not (?:installed|supported|available|defined|a valid))\b|Error:|ERR!"
)
_WEAK_ERROR = re.compile(
    r"(?i)^(?:error|failed|failure|fatal|exit code \d+|.{0,20}\b\d+ (?:errors?"
    r"|failed)\b.{0,30})[:.!]?$|^(?:---|===|FAIL\b|failed in sandbox)"
)
_NAMED = re.compile(r"(?i)\b\w*(?:error|exception)\b(?:\[\w+\])?:|command not found|\bERR!|^fatal:")
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
_ERROR_NAME = re.compile(r"\b(?:[A-Z][A-Za-z]{2,30}(?:Error|Exception)|E[A-Z]{4,12}|TS\d{4}|ERR_[A-Z_]{3,40})\b")
_NAMED_WORD = re.compile(r"['\"`‘“]([\w@./:-]{2,40})['\"`’”]|(?<=: )([\w@./:-]{2,40})$")
_KINDS = tuple(
    (words, re.compile(pattern, re.IGNORECASE))
    for words, pattern in (
        ("a missing module", r"no module named|cannot find (?:module|package)|modulenotfound|err_module_not_found"),
        ("a missing script", r"missing script|script not found|no such script"),
        (
            "an unknown command",
            r"command not found|not recognized|unknown command|unrecognized subcommand|no such command",
        ),
        (
            "an unknown option",
            r"(?:unknown|unrecogni[sz]ed|unexpected|invalid) (?:flag|option|argument)|no such option",
        ),
        ("a missing file", r"no such file|file not found|enoent"),
        ("a missing variable of the environment", r"missing (?:required )?env|environment variable"),
        ("a refused connection", r"connection refused|econnrefused|could not connect"),
        ("denied permission", r"permission denied|eacces|operation not permitted"),
        ("a wrong version", r"unsupported (?:engine|version)|requires \S+ (?:version|[\d.>=]+)|version mismatch"),
        ("something missing", r"not (?:installed|found|available|defined)|missing|does(?:n't| not) exist"),
    )
)
_ENV_PREFIX = re.compile(r"^(?:[A-Za-z_]\w*=\S*\s+)+")


def _error_line(step: Step) -> str | None:
    """The line of a failed step's output that names its error, or else the first that speaks of one."""
    if step.result is None:
        return None
    lines = [texts.fold(raw) for raw in step.result.text[:40_000].split("\n")]
    fit = [line for line in lines if 8 <= len(line) <= 240 and _ERROR.search(line) and _is_fit(line)]
    return next((line for line in fit if _NAMED.search(line)), fit[0] if fit else None)


def _signature(error: str, *commands: str) -> str:
    """What may be told of an error: its kind in words of ours or its bare name, and a word of the two commands that it
    names. The output's own sentences may give advice, and whoever wrote them is nobody to take it from."""
    shown = " ".join(commands).split()
    kind = next((words for words, pattern in _KINDS if pattern.search(error)), "")
    name = _ERROR_NAME.search(error)
    about = next((f"`{word}`" for word in _words_in(error) if word in shown), "")
    head, *more = [part for part in (name[0] if name else "", kind, about) if part] or [""]
    details = f" ({', '.join(more)})" if more else ""
    return f" with {head}{details}" if head and head != about else ""


def _words_in(error: str) -> list[str]:
    return [quoted or last for quoted, last in _NAMED_WORD.findall(error)]


def _is_fit(line: str) -> bool:
    if "\x1b" in line or _WEAK_ERROR.match(line):
        return False
    return not texts.reads_like_instruction(line) and not texts.is_volatile(line)


def _core(command: str) -> str:
    """The command without the folder it runs in and without variables set for it."""
    inner = command.split(" && ", 1)[1] if command.startswith("cd ") and " && " in command else command
    return _ENV_PREFIX.sub("", inner)


def _words(command: str) -> list[str]:
    return _core(command).split()


def _plain(words: Sequence[str]) -> list[str]:
    """The words that are no options: what is run, on what."""
    return [word for word in words if not word.startswith("-")]


def _is_fix(failed: Step, worked: Step, *, edited: bool, error: str) -> bool:
    """Tell whether a later command is the failed one in another form: in another folder or environment, through another
    program, or with other options. Another file, test or subcommand is another task."""
    if failed.text == worked.text or texts.is_volatile(worked.text):
        return False
    old, new = _words(failed.text), _words(worked.text)
    environment = _ENVIRONMENT.search(error) is not None
    if edited and not environment:
        return False
    if old == new:
        return True
    if new[-len(old) :] == old or old[-len(new) :] == new:
        return True
    return _plain(old) == _plain(new) and is_broad(worked.text)


def _memory(text: str, quotes: Sequence[tuple[int, str | None]]) -> ProposedMemory | None:
    evidence = [Quote(item=item, quote=quote) for item, quote in quotes if quote]
    if len(evidence) < 3:
        return None
    return ProposedMemory(
        kind=MemoryKind.PITFALL, text=text, situation="", standing=Standing.VERIFIED, evidence=evidence
    )


def _after(failed: Step, following: Sequence[Step | Edit], error: str) -> ProposedMemory | None:
    """Look for what made a failed command work: the same after an installation, or another form of it."""
    edited = False
    install: Step | None = None
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
        if event.text == failed.text:
            return None if install is None or edited else _needs_install(failed, install, event, error)
        if _INSTALL.match(event.text) and not _INSTALL.match(failed.text) and not texts.is_volatile(event.text):
            install = event
        elif _is_fix(failed, event, edited=edited, error=error):
            return _other_form(failed, event, error)
    return None


def _shown(failed: Step, error: str) -> list[tuple[int, str | None]]:
    result = failed.result.index if failed.result is not None else failed.call.index
    return [(failed.call.index, quote_of(failed)), (result, error)]


def _needs_install(failed: Step, install: Step, worked: Step, error: str) -> ProposedMemory | None:
    return _memory(
        f"`{failed.text}` fails{_signature(error, failed.text, install.text)} until `{install.text}` has been run.",
        [*_shown(failed, error), (install.call.index, quote_of(install)), (worked.call.index, quote_of(worked))],
    )


def _other_form(failed: Step, worked: Step, error: str) -> ProposedMemory | None:
    ended = [(worked.result.index, result_quote(worked))] if worked.result is not None else []
    return _memory(
        f"`{failed.text}` fails{_signature(error, failed.text, worked.text)}; `{worked.text}` works.",
        [*_shown(failed, error), (worked.call.index, quote_of(worked)), *ended],
    )


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
