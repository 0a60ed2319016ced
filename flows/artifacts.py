"""What Prefect shows of a run: a progress bar, two tables, a page of markdown and events. Counts, ids and codes only.

Projects appear by id: their names say what a person works on, and a team's Prefect server is read by all of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from prefect.artifacts import (
    acreate_markdown_artifact,
    acreate_progress_artifact,
    acreate_table_artifact,
    aupdate_progress_artifact,
)
from prefect.events import emit_event

from slowwave.flows.tasks import StageFailed
from slowwave.memories.pipeline import Plan, RunReport
from slowwave.storage.call_log import Spent
from slowwave.storage.types import Reason, RunStatus

EVENT_CONSOLIDATED = "slowwave.consolidated"
EVENT_FAILED = "slowwave.failed"
EVENT_BUDGET = "slowwave.budget-reached"


@dataclass
class Progress:
    """A progress artifact over the sessions of a run. Written only when it changes: each update is a request."""

    artifact: UUID
    total: int
    shown: int = 0

    @classmethod
    async def start(cls, total: int) -> Progress:
        """Create the artifact."""
        text = _progress(0, total)
        return cls(await acreate_progress_artifact(0.0, key="slowwave-extraction", description=text), total)

    async def show(self, settled: int, *, ended: bool = False) -> None:
        """Say that so many sessions are settled. With `ended` nothing more comes, whoever has the rest."""
        if settled == self.shown and not ended:
            return
        self.shown = settled
        percent = 100.0 if ended else min(100.0 * settled / max(self.total, 1), 99.0)
        await aupdate_progress_artifact(self.artifact, percent, _progress(settled, self.total))


def _progress(settled: int, total: int) -> str:
    return f"{settled} of {total} sessions"


async def publish(report: RunReport, spent: Spent, failures: Sequence[StageFailed]) -> None:
    """Write the run's artifacts and emit its events."""
    await acreate_table_artifact(outcome_rows(report), key="slowwave-outcomes", description="What became of what")
    await acreate_table_artifact(cost_rows(spent), key="slowwave-cost", description="Model calls of this run")
    await acreate_markdown_artifact(markdown(report, spent, failures), key="slowwave-run", description=report.status)
    emit_events(report, failures)


async def publish_plan(plan: Plan) -> None:
    """Write what a dry run found."""
    rows = [{"what": "session", "reason": reason, "number": count} for reason, count in sorted(plan.reasons.items())]
    rows += [{"what": "project", "reason": "dirty", "number": len(plan.projects)}]
    await acreate_table_artifact(rows, key="slowwave-plan", description="What a run would do")


def outcome_rows(report: RunReport) -> list[dict[str, Any]]:
    """One row for each reason of sessions and one for each project."""
    rows = [
        {"what": "sessions", "id": "", "outcome": reason, "reason": "", "version": None, "number": count}
        for reason, count in sorted(report.sessions.items())
    ]
    rows += [
        {
            "what": "project",
            "id": str(project["project_id"])[:8],
            "outcome": project["outcome"],
            "reason": project["reason"],
            "version": project["version"],
            "number": sum(project["operations"].values()),
        }
        for project in report.projects
    ]
    return rows


def cost_rows(spent: Spent) -> list[dict[str, Any]]:
    """What the model calls of the run added up to; an unknown price is not a zero."""
    return [
        {
            "calls": spent.calls,
            "input_tokens": spent.input_tokens,
            "output_tokens": spent.output_tokens,
            "model_seconds": round(spent.seconds, 1),
            "dollars": round(spent.dollars, 4),
            "calls_without_a_known_price": spent.unpriced,
        }
    ]


def markdown(report: RunReport, spent: Spent, failures: Sequence[StageFailed]) -> str:
    """The run on one page."""
    lines = [
        f"# {report.kind} run: {report.status}",
        "",
        f"- run `{report.run_id}`, extractor `{report.extractor}`, {report.seconds:.0f} s",
        f"- sessions: {_counts(report.sessions)}",
        f"- projects: {_counts(_outcomes(report))}",
        f"- secrets replaced: {_counts(report.redactions)}",
        f"- model calls: {spent.calls}, tokens in {spent.input_tokens}, out {spent.output_tokens}",
    ]
    if failures:
        lines.append(f"- failed as a whole: {', '.join(sorted(str(failure) for failure in failures))}")
    lines += [
        "",
        f"`slowwave status` and `slowwave log` on the host show every session's fate and run `{report.run_id}`.",
    ]
    return "\n".join(lines)


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items())) or "none"


def _outcomes(report: RunReport) -> dict[str, int]:
    outcomes: dict[str, int] = {}
    for project in report.projects:
        outcomes[project["outcome"]] = outcomes.get(project["outcome"], 0) + 1
    return outcomes


def emit_events(report: RunReport, failures: Sequence[StageFailed]) -> None:
    """Tell automations what happened; deployments/automations.yaml has one that notifies."""
    run = {"prefect.resource.id": f"slowwave.run.{report.run_id}", "prefect.resource.name": f"{report.kind} run"}
    for project in report.projects:
        if project["outcome"] == "published":
            resource = {"prefect.resource.id": f"slowwave.project.{project['project_id']}"}
            emit_event(EVENT_CONSOLIDATED, resource, payload={"version": project["version"], "run": report.run_id})
    if report.status in (RunStatus.FAILED, RunStatus.PARTIAL) or failures:
        reasons = {"status": report.status, "sessions": report.sessions, "stages": [str(f) for f in failures]}
        emit_event(EVENT_FAILED, run, payload=reasons)
    if Reason.BUDGET in report.sessions or any(project["reason"] == Reason.BUDGET for project in report.projects):
        emit_event(EVENT_BUDGET, run, payload={"run": report.run_id})
