"""Skills from procedures that recur across sessions or that the user asked to keep."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from slowwave.llm.offline import text as texts
from slowwave.llm.offline.command_lines.commands import program_of
from slowwave.llm.offline.command_lines.vocabulary import RUNNERS
from slowwave.llm.offline.workflows import purpose_of
from slowwave.llm.prompting.schemas import ProposedSkill

MIN_SESSIONS = 3
"""Sessions in which a procedure must have been seen before it becomes a skill."""

_VERBS = {
    "format check": "format",
    "formatter": "format",
    "type check": "typecheck",
    "linter": "lint",
    "end-to-end tests": "e2e",
    "integration tests": "test",
    "tests": "test",
    "build": "build",
    "checks": "check",
    "migrations": "migrate",
    "docs": "docs",
}
_MAX_NAME = 64


@dataclass(frozen=True, slots=True)
class Procedure:
    """Steps in order, how many sessions they were seen in, whether the user asked to keep them, and the support."""

    steps: tuple[str, ...]
    sessions: int
    asked: bool
    entry: str | None
    memories: tuple[str, ...]


def verb_of(step: str) -> str:
    """Name a step in one lower-case word, fit for a skill's name."""
    purpose = purpose_of(step)
    if purpose is not None:
        return _VERBS[purpose]
    words = texts.ascii_words(re.sub(r"\.(?:sh|py|js|ts)\b", "", " ".join(step.split()[:4]).replace("/", " ")))
    if program_of(step) == "git" and len(words) > 1:
        return words[1]
    return next((word for word in words if word not in RUNNERS and not word.isdigit()), "run")


def _listed(verbs: Sequence[str]) -> str:
    return verbs[0] if len(verbs) == 1 else ", ".join(verbs[:-1]) + " and " + verbs[-1]


def _related(steps: Sequence[str], pitfalls: Sequence[str]) -> list[str]:
    return [pitfall for pitfall in pitfalls if any(f"`{step}`" in pitfall or step in pitfall for step in steps)]


def _skill(procedure: Procedure, pitfalls: Sequence[str]) -> ProposedSkill:
    verbs = list(dict.fromkeys(verb_of(step) for step in procedure.steps))
    listed = _listed(verbs)
    related = _related(procedure.steps, pitfalls)
    lines = [
        "## When to use",
        "",
        f"To {listed} in this project, in the order that has worked before.",
        "",
        "## Steps",
        "",
    ]
    lines += [f"{number}. `{step}`" for number, step in enumerate(procedure.steps, 1)]
    if related:
        lines += ["", "## Pitfalls", "", *(f"- {pitfall}" for pitfall in related)]
    lines += [
        "",
        "## How to verify",
        "",
        "Every command ends with exit status 0. Stop at the first one that does not.",
        "",
    ]
    return ProposedSkill(
        name="-".join(verbs)[:_MAX_NAME].strip("-"),
        description=(
            f"Commands to {listed} in this project, in order. "
            f"Use when asked to {listed}, or before handing in a change."
        ),
        body="\n".join(lines),
        entries=[procedure.entry] if procedure.entry else [],
        memories=list(procedure.memories),
    )


def skills_from(procedures: Sequence[Procedure], pitfalls: Sequence[str], known: frozenset[str]) -> list[ProposedSkill]:
    """Return a skill for each procedure that was seen in enough sessions or that the user asked to keep. A skill that
    exists is proposed again only when something new supports it. Of two with one name the better supported stays."""
    earned = [procedure for procedure in procedures if procedure.asked or procedure.sessions >= MIN_SESSIONS]
    skills: dict[str, ProposedSkill] = {}
    for procedure in sorted(earned, key=lambda procedure: (-procedure.sessions, procedure.steps)):
        skill = _skill(procedure, pitfalls)
        if skill.name not in skills and (procedure.memories or skill.name not in known):
            skills[skill.name] = skill
    return [skills[name] for name in sorted(skills)]
