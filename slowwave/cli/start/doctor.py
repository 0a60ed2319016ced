"""`slowwave doctor`: would the memory arrive, did it, and what keeps it from arriving."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from slowwave.agents.doctor.findings import Finding, Level
from slowwave.app import App, open_app
from slowwave.cli.output import emit, say

MARKS = {Level.OK: "ok     ", Level.INFO: "info   ", Level.WARNING: "warning", Level.FAULT: "FAULT  "}


@click.command()
@click.argument("agents", nargs=-1)
@click.option("--folder", type=click.Path(path_type=Path), help="Project folder to play the checks in; default: here.")
@click.option("--security", is_flag=True, help="Look at permissions, owners, links and writable logs instead.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def doctor(agents: tuple[str, ...], folder: Path | None, security: bool, as_json: bool) -> int:
    """Check the installation and, for each of AGENTS (all by default), whether the memory arrives.

    Exit code 3 when something is at fault.

    \b
    Example:
      slowwave doctor claude codex
    """
    app = open_app()
    findings = _security(app) if security else examine_all(app, agents, (folder or Path.cwd()).absolute())
    if as_json:
        emit([asdict(finding) for finding in findings], sort_keys=False)
    else:
        for finding in findings:
            say(f"{MARKS[finding.level]} {finding.subject}: {finding.check}: {finding.text}")
            if finding.todo:
                say(f"          {finding.todo}")
    return 3 if any(finding.level is Level.FAULT for finding in findings) else 0


def _security(app: App) -> list[Finding]:
    from slowwave.agents.doctor.security import examine_security

    return list(examine_security(app))


def examine_all(app: App, agents: tuple[str, ...], folder: Path) -> list[Finding]:
    """Findings about the installation, then about each agent.

    Raises:
        click.UsageError: an agent is not known.
    """
    from slowwave.agents.doctor.checks import examine
    from slowwave.agents.doctor.home import examine_home
    from slowwave.agents.doctor.wiring import ExaminedAgent, user_place
    from slowwave.agents.install.integrations import INTEGRATIONS, Place, Scope
    from slowwave.cli.start.install import agent_named
    from slowwave.rollouts.identity.projects import find_repository

    agents = tuple(agent_named(agent) or agent for agent in agents)
    unknown = [agent for agent in agents if agent not in INTEGRATIONS]
    if unknown:
        raise click.UsageError(f"no agent {unknown[0]} is known; there are {', '.join(INTEGRATIONS)}")
    findings = list(examine_home(app))
    project = Place(Scope.PROJECT, find_repository(str(folder)) or folder, app.env)
    for agent, integration in INTEGRATIONS.items():
        if not agents or agent in agents:
            findings += examine(ExaminedAgent(integration, user_place(app.env), project, app.home, folder))
    return findings
