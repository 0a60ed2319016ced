"""Commands that are known to work in one session."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from slowwave.llm.offline import text as texts
from slowwave.llm.offline.commands import TELLING, Edit, Step, quote_of
from slowwave.llm.offline.rules import words
from slowwave.llm.offline.vocabulary import DEFAULT_COMMANDS, names
from slowwave.llm.prompting.schemas import ProposedMemory, Quote
from slowwave.storage.types import MemoryKind, Standing

_PURPOSES = {
    "format check": words(
        r"\b(?:fmt|format|prettier|gofmt|black|ruff format)\b.*(?:check|--diff|-l\b)", r"\bfmt:check\b"
    ),
    "formatter": words(r"\b(?:fmt|prettier|gofmt|black|ruff format|format)\b"),
    "type check": words(r"\b(?:mypy|pyright|tsc|typecheck|type-check|check-types|pytype)\b"),
    "linter": words(
        r"\b(?:lint|eslint|ruff(?: check)?|golangci-lint|clippy|flake8|pylint|biome|shellcheck|rubocop|ktlint|vet)\b"
    ),
    "end-to-end tests": words(r"\b(?:e2e|playwright test|cypress)\b"),
    "integration tests": words(r"\btest[:_-]integration\b|\bintegration[:_-]test|\btest:int\b"),
    "tests": words(
        r"\b(?:pytest|unittest|jest|vitest|mocha|rspec|shellspec|phpunit|tox|nox|ctest|gotestsum|nextest|bats)\b",
        r"\btests?\b",
    ),
    "build": words(r"\b(?:build|compile|assemble|bundle)\b", r"^(?:make|cmake|ninja)(?: all)?$"),
    "checks": words(r"\b(?:check|verify|validate|ci|pre-commit)\b"),
    "migrations": words(r"\b(?:migrate|alembic upgrade)\b"),
    "docs": words(r"\b(?:mkdocs|sphinx-build|docs|typedoc)\b"),
}
_NO_PURPOSE = words(r"^(?:git|gh|docker (?:ps|logs|exec)|npm (?:i|install|ci)|pip|uv pip|nix eval|rtk|npx create)\b")
_SENTENCES = {
    "format check": "Check formatting with",
    "formatter": "Format with",
    "type check": "Check types with",
    "linter": "Lint with",
    "end-to-end tests": "Run the end-to-end tests with",
    "integration tests": "Run the integration tests with",
    "tests": "Run the tests with",
    "build": "Build with",
    "checks": "Run the checks with",
    "migrations": "Run the migrations with",
    "docs": "Build the docs with",
}
_NARROW = re.compile(
    r"(?:^|\s)(?:-run|-k|-t|-m|-w|-p|--grep|--filter|--testNamePattern|--test-name-pattern|--only|--workspace|--package)"
    r"(?:[=\s]|$)|(?:^|\s)--\s+\S|::|\.(?:py|ts|tsx|js|jsx|go|rs|rb|nix|sh|md|json|java|c|cpp|swift|kt)(?:\s|$|:)"
)
_FOLDER = re.compile(r"(?:^|\s)(?:\./)?(?:[\w.-]+/)+[\w.-]*(?:\s|$)")
_INTERPRETERS = names("bash sh zsh python python3 node ruby perl")
_MAX_WORKS = 5


@dataclass(frozen=True, slots=True)
class _Used:
    step: Step
    times: int


def purpose_of(command: str) -> str | None:
    """Name what a command is for (`tests`, `linter`, `build`, ...), None if it is none of the known purposes."""
    core = command.split(" && ", 1)[1] if command.startswith("cd ") and " && " in command else command
    if _NO_PURPOSE.match(core):
        return None
    core = re.sub(r"\s--no-\S+", "", core)
    return next((name for name, pattern in _PURPOSES.items() if pattern.search(core)), None)


def _arguments(command: str) -> str:
    """A command without its program; a script that an interpreter runs belongs to the program."""
    words = command.split(" && ", 1)[-1].split()
    taken = 2 if words[0] in _INTERPRETERS and len(words) > 1 and not words[1].startswith("-") else 1
    return " ".join(words[taken:])


def names_target(command: str) -> bool:
    """Tell whether a command is about one file, one test or one package."""
    return _NARROW.search(_arguments(command)) is not None


def is_broad(command: str) -> bool:
    """Tell whether a command is about the project as a whole, today and later."""
    return not names_target(command) and not _FOLDER.search(_arguments(command)) and not texts.is_volatile(command)


def result_quote(step: Step) -> str | None:
    """Return a line of the result that shows how a successful command ended, None if the output is empty or unfit."""
    if step.result is None:
        return None
    lines = [texts.fold(line) for line in step.result.text[:40_000].split("\n")]
    shown = [line for line in lines if 2 < len(line) <= 200 and not texts.reads_like_instruction(line)]
    telling = [line for line in shown if TELLING.search(line)]
    chosen = telling or shown
    return chosen[-1] if chosen else None


def evidence_of(step: Step, *, with_result: bool = True) -> list[Quote]:
    """Quotes that show a step, and that it worked; empty where the call cannot be quoted."""
    quote = quote_of(step)
    if quote is None:
        return []
    found = [Quote(item=step.call.index, quote=quote)]
    shown = result_quote(step) if with_result else None
    if shown is not None and step.result is not None:
        found.append(Quote(item=step.result.index, quote=shown))
    return found


def working_commands(events: Sequence[Step | Edit]) -> list[ProposedMemory]:
    """Return a memory for each purpose (tests, linter, build, ...) whose project-wide command was seen to succeed.

    A command that everybody would try first earns no line. The most used command of a purpose wins, then the latest.
    One that failed after its last success is left out.
    """
    last_state: dict[str, bool] = {}
    successes: dict[str, list[Step]] = {}
    for event in events:
        if not isinstance(event, Step) or event.ok is None:
            continue
        last_state[event.text] = event.ok
        if event.ok:
            successes.setdefault(event.text, []).append(event)
    best: dict[str, _Used] = {}
    for command, steps in successes.items():
        purpose = purpose_of(command)
        if purpose is None or command in DEFAULT_COMMANDS or not is_broad(command) or not last_state[command]:
            continue
        used = _Used(steps[-1], len(steps))
        held = best.get(purpose)
        if held is None or (used.times, used.step.call.index) > (held.times, held.step.call.index):
            best[purpose] = used
    memories = []
    for purpose, used in sorted(best.items(), key=lambda pair: pair[1].step.call.index):
        evidence = evidence_of(used.step)
        if evidence:
            memories.append(
                ProposedMemory(
                    kind=MemoryKind.WORKFLOW,
                    text=f"{_SENTENCES[purpose]} `{used.step.text}`.",
                    situation="",
                    standing=Standing.VERIFIED,
                    evidence=evidence,
                )
            )
    return memories[:_MAX_WORKS]
