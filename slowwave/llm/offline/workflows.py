"""Commands that are known to work in one session."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from slowwave.llm.offline import text as texts
from slowwave.llm.offline.command_lines.commands import TELLING, Edit, Step, quote_of
from slowwave.llm.offline.command_lines.programs import FIX, FORMAT, FORMAT_CHECK, LINT
from slowwave.llm.offline.command_lines.purposes import NOTHING, Reading, is_whole, program_name, read
from slowwave.llm.offline.command_lines.shell import simple_commands
from slowwave.llm.offline.command_lines.vocabulary import DEFAULT_COMMANDS, MOVES
from slowwave.llm.prompting.schemas import ProposedMemory, Quote
from slowwave.storage.types import MemoryKind, Standing

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
    "install": "Install the dependencies with",
    "lint fixes": "Fix lint findings with",
    "generated code": "Generate code with",
}
_MAX_WORKS = 5
_PLAIN = re.compile(r"^\w[\w-]*$")


@dataclass(frozen=True, slots=True)
class _Used:
    step: Step
    times: int


@lru_cache(maxsize=4_096)
def _reading(command: str) -> Reading:
    found = [part for part in simple_commands(command) if part.words and program_name(part.words[0].text) not in MOVES]
    return read([word.text for word in found[-1].words]) if found else NOTHING


def purpose_of(command: str) -> str | None:
    """Name what a command is for (`tests`, `linter`, `build`, ...), None if that cannot be told."""
    return _reading(command).purpose


def is_broad(command: str) -> bool:
    """Tell whether a command is about the project as a whole, today and later."""
    reading = _reading(command)
    rest = reading.rest if reading.purpose else _arguments(command)
    return is_whole(rest) and not texts.is_volatile(command)


def _arguments(command: str) -> tuple[str, ...]:
    """The arguments of a command of no known purpose, without its subcommands."""
    found = simple_commands(command)
    words = [word.text for word in found[-1].words] if found else []
    return tuple(word for word in words[1:] if not _PLAIN.match(word))


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
        if (
            purpose is None
            or command.rpartition(" && ")[2] in DEFAULT_COMMANDS
            or not is_broad(command)
            or not last_state[command]
        ):
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


_REPAIRS = {LINT: (FIX, FORMAT), FORMAT_CHECK: (FORMAT,)}
_NEAR = 4


def repairing_commands(events: Sequence[Step | Edit]) -> list[ProposedMemory]:
    """Return a memory for each check that failed and was followed at once by the command that repairs its findings:
    `lint`, then `lint:fix`."""
    steps = [event for event in events if isinstance(event, Step)]
    memories: dict[str, ProposedMemory] = {}
    for place, failed in enumerate(steps):
        wanted = _REPAIRS.get(purpose_of(failed.text) or "", ()) if failed.ok is False and is_broad(failed.text) else ()
        for repair in steps[place + 1 : place + 1 + _NEAR] if wanted else ():
            if repair.ok and purpose_of(repair.text) in wanted and is_broad(repair.text):
                text = f"When `{failed.text}` fails, `{repair.text}` repairs what can be repaired by a program."
                evidence = [*evidence_of(failed, with_result=False), *evidence_of(repair)]
                memories.setdefault(
                    text,
                    ProposedMemory(
                        kind=MemoryKind.WORKFLOW, text=text, situation="", standing=Standing.VERIFIED, evidence=evidence
                    ),
                )
                break
    return list(memories.values())[:2]
