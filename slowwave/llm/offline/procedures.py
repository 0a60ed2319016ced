"""Procedures of one session: sequences of commands that recur, or that the user asked to keep."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from slowwave.llm.offline import text as texts
from slowwave.llm.offline.command_lines.commands import Edit, Step, program_of
from slowwave.llm.offline.command_lines.programs import SCRIPT_RUNNERS
from slowwave.llm.offline.rules import words
from slowwave.llm.offline.workflows import evidence_of, is_broad, purpose_of, result_quote
from slowwave.llm.prompting.schemas import ProposedMemory, Quote
from slowwave.rollouts.model import Item, ItemKind
from slowwave.storage.types import MemoryKind, Standing

RECURRING = "Recurring procedure: "
KEPT = "Procedure to keep: "
_SHORTEST = 3
_LONGEST = 5
_LONGEST_KEPT = 8
_MAX_STEP = 100
_MAX_PROCEDURES = 2
_KEEP = words(
    r"\b(?:save|keep|remember|record|turn|store) (?:this|these|that|those|it|them)(?: \w+){0,3} (?:as|into) (?:an? )?"
    r"(?:\w+ ){0,2}(?:procedure|skill|workflow|runbook|checklist|playbook)\b",
    r"\bremember (?:this|these) (?:steps|commands|procedure|workflow)\b",
    r"(?:把|将|將)?[这這](?:些|个|個)?(?:步[骤驟]|流程|命令).{0,6}(?:[记記]|保存|存)",
    r"(?:この|これらの)(?:手順|コマンド|流れ)を?.{0,8}(?:覚え|保存|記録|スキル)",
    r"(?:จำ|บันทึก|เก็บ)(?:ขั้นตอน|คำสั่ง).{0,8}(?:นี้|เหล่านี้)",
)


@dataclass(frozen=True, slots=True)
class _Labelled:
    label: str
    step: Step


def label_of(step: Step) -> str | None:
    """Return a step's text as it stands in a procedure, None for steps that depend on the one time it ran."""
    if re.match(r"^git\s+commit\b", step.text):
        return "git commit"
    if re.match(r"^git\s+push\b", step.text):
        return "git push"
    if re.match(r"^git\s+add\b", step.text) or len(step.text) > _MAX_STEP:
        return None
    return None if texts.is_volatile(step.text) or not is_broad(step.text) else step.text


def _runs(events: Sequence[Step | Edit]) -> list[list[_Labelled]]:
    """The successful steps that may belong to a procedure, a step repeated at once counted once. An edit ends a run:
    what comes after it starts over."""
    runs: list[list[_Labelled]] = [[]]
    for event in events:
        if isinstance(event, Edit):
            runs.append([])
        elif event.ok:
            label = label_of(event)
            if label is not None and (not runs[-1] or runs[-1][-1].label != label):
                runs[-1].append(_Labelled(label, event))
    return [run for run in runs if run]


def _worth(labels: Sequence[str]) -> bool:
    """A procedure has three different steps or more and begins with one of the project's own. Two of those at least are
    known to do different jobs, and all are jobs or targets of the project: two commands one after the other say no more
    than the two commands, and workers, files and ids of one day are no procedure."""
    if len(labels) < _SHORTEST or len(set(labels)) != len(labels) or labels[0].startswith("git "):
        return False
    own = [label for label in labels if not label.startswith("git ")]
    jobs = [job for label in own if (job := purpose_of(label))]
    targets = all(purpose_of(label) or program_of(label) in SCRIPT_RUNNERS for label in own)
    return targets and len(jobs) >= 2 and len(set(jobs)) == len(jobs)


def _occurrences(runs: Sequence[Sequence[_Labelled]]) -> dict[tuple[str, ...], list[Sequence[_Labelled]]]:
    """Every sequence of three to five steps with its occurrences, overlapping ones counted once."""
    found: dict[tuple[str, ...], list[Sequence[_Labelled]]] = {}
    for run in runs:
        ends: dict[tuple[str, ...], int] = {}
        for start in range(len(run)):
            for size in range(_SHORTEST, min(_LONGEST, len(run) - start) + 1):
                steps = run[start : start + size]
                labels = tuple(step.label for step in steps)
                if start >= ends.get(labels, 0):
                    ends[labels] = start + size
                    found.setdefault(labels, []).append(steps)
    return found


def _memory(steps: Sequence[_Labelled], prefix: str, standing: Standing, said: list[Quote]) -> ProposedMemory | None:
    evidence = [quote for labelled in steps for quote in evidence_of(labelled.step, with_result=False)]
    if len(evidence) != len(steps):
        return None
    shown = ", then ".join(f"`{labelled.label}`" for labelled in steps)
    return ProposedMemory(
        kind=MemoryKind.WORKFLOW,
        text=f"{prefix}{shown}.",
        situation="",
        standing=standing,
        evidence=[*said, *_shown_result(steps), *evidence],
    )


def _shown_result(steps: Sequence[_Labelled]) -> list[Quote]:
    """The latest result that can be quoted: one is enough to show that the procedure worked."""
    for labelled in reversed(steps):
        result = labelled.step.result
        shown = result_quote(labelled.step)
        if shown is not None and result is not None:
            return [Quote(item=result.index, quote=shown)]
    return []


def recurring_procedures(events: Sequence[Step | Edit]) -> list[ProposedMemory]:
    """Return the sequences of successful commands that the session went through at least twice: those that cover most
    of it, two at most, without a step in common."""
    found = _occurrences(_runs(events))
    ranked = sorted(
        (labels for labels, times in found.items() if len(times) >= 2 and _worth(labels)),
        key=lambda labels: (-len(found[labels]) * (len(labels) - 1), -len(labels), labels),
    )
    memories: list[ProposedMemory] = []
    covered: set[str] = set()
    for labels in ranked:
        if covered.isdisjoint(labels) and len(memories) < _MAX_PROCEDURES:
            memory = _memory(found[labels][-1], RECURRING, Standing.VERIFIED, [])
            if memory is not None:
                covered.update(labels)
                memories.append(memory)
    return memories


def kept_procedures(items: Sequence[Item], events: Sequence[Step | Edit]) -> list[ProposedMemory]:
    """Return the commands that a user asked to keep as a procedure: those that worked before the user said so, since
    the last time that the user did."""
    memories: list[ProposedMemory] = []
    since = -1
    for item in items:
        found = _KEEP.search(texts.fold(item.said)) if item.kind is ItemKind.USER_TEXT else None
        if found is None:
            continue
        before = [event for event in events if since < event.call.index < item.index]
        steps = list({step.label: step for run in _runs(before) for step in run}.values())[-_LONGEST_KEPT:]
        since = item.index
        if len(steps) >= 2:
            said = [Quote(item=item.index, quote=found[0])]
            memory = _memory(steps, KEPT, Standing.USER_SAID, said)
            memories += [memory] if memory is not None else []
    return memories
