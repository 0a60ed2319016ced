"""`slowwave install` and `slowwave uninstall`: put the memory into an agent, and take it out again."""

from __future__ import annotations

import difflib
import re
from pathlib import Path
from typing import Any

import click

from slowwave.agents.install.installer import Plan, carry_out, plan_install, plan_uninstall, undo
from slowwave.agents.install.integrations import INTEGRATIONS, Place, Scope, Way
from slowwave.app import App, open_app
from slowwave.cli.common import refresh_hooks
from slowwave.cli.output import emit, say
from slowwave.errors import AgentIntegrationError


class _AgentName(click.Choice[str]):
    """Also takes the names that people know an agent by: its title, its command, with or without its maker."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return super().convert(agent_named(value) or value, param, ctx)


def agent_named(name: str) -> str | None:
    """The agent that a name means, whatever its case, hyphens and blanks; None when there is none."""
    wanted = _bare(name)
    for agent, integration in INTEGRATIONS.items():
        # "code" alone could be half of them.
        known = {_bare(one) for one in (agent, integration.title, integration.binary)} - {"code"}
        if wanted in known | {f"{one}{end}" for one in known for end in ("cli", "code", "agent")}:
            return agent
    return None


def _bare(name: str) -> str:
    letters = "".join(letter for letter in name.lower() if letter.isalnum())
    return re.sub(r"^(?:anthropic|openai|google)(?=.)", "", letters)


AGENTS = _AgentName([*INTEGRATIONS, "all"])


def _place(app: App, project: bool) -> Place:
    """The repository around the current folder, or the home folder."""
    if not project:
        return Place(Scope.USER, Path(app.env.get("HOME") or Path.home()), app.env)
    from slowwave.rollouts.identity.projects import find_repository

    return Place(Scope.PROJECT, find_repository(str(Path.cwd())) or Path.cwd(), app.env)


def chosen_agents(app: App, names: tuple[str, ...]) -> list[str]:
    """The agents that were named; `all` stands for those whose folder or command is on this machine."""
    from slowwave.agents.presence import is_present

    if "all" not in names:
        return list(dict.fromkeys(names))
    place = _place(app, project=False)
    found = [agent for agent, integration in INTEGRATIONS.items() if is_present(integration, place)]
    if not found:
        raise AgentIntegrationError("no agent was found on this machine", hint="Name one: slowwave install claude")
    return found


@click.command()
@click.argument("agents", nargs=-1, required=True, type=AGENTS)
@click.option("--user", "scope", flag_value="user", default="user", help="In your own settings of the agent (default).")
@click.option("--project", "scope", flag_value="project", help="In the repository of the current folder.")
@click.option("--markdown", is_flag=True, help="Use a block in the instructions file instead of hooks.")
@click.option("--mcp", is_flag=True, help="Also register the MCP server, where the agent has a file for it.")
@click.option("--dry-run", is_flag=True, help="Show the changes and make none.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def install(agents: tuple[str, ...], scope: str, markdown: bool, mcp: bool, dry_run: bool, as_json: bool) -> None:
    """Let AGENTS read the memory when they start, and offer /slowwave where they have such commands.

    Everything else in the edited files stays as it is; `slowwave uninstall` restores them.

    \b
    Example:
      slowwave install claude --dry-run
    """
    app = open_app()
    place = _place(app, scope == "project")
    if not dry_run:
        refresh_hooks(app)
    from slowwave.agents.install.markdown import markdown_block

    chosen = chosen_agents(app, agents)
    block = (
        markdown_block(app.home, place) if markdown or not all(INTEGRATIONS[one].has_hooks for one in chosen) else ""
    )
    reports = []
    for agent in chosen:
        way = Way.MARKDOWN if markdown or not INTEGRATIONS[agent].has_hooks else Way.HOOKS
        plan = plan_install(app.home, INTEGRATIONS[agent], place, way, block=block, mcp=mcp)
        if not dry_run:
            carry_out(app.home, plan)
        reports.append(_report(plan, dry_run))
        if not as_json:
            _say(plan, "would change" if dry_run else "changed", dry_run)
    if not dry_run:
        _export_skills(app, quiet=as_json)
    if as_json:
        emit(reports, sort_keys=False)


def _export_skills(app: App, *, quiet: bool) -> None:
    from slowwave.agents.install.skills import export_all

    for exported in export_all(app.home):
        for name in exported.kept if not quiet else ():
            say(f"  {exported.folder / name} is your own skill and was left as it is")


@click.command()
@click.argument("agents", nargs=-1, required=True, type=AGENTS)
@click.option("--user", "scope", flag_value="user", default="user", help="In your own settings of the agent (default).")
@click.option("--project", "scope", flag_value="project", help="In the repository of the current folder.")
@click.option("--dry-run", is_flag=True, help="Show the changes and make none.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def uninstall(agents: tuple[str, ...], scope: str, dry_run: bool, as_json: bool) -> None:
    """Undo `slowwave install`: untouched files get their old bytes back, others lose only our part.

    \b
    Example:
      slowwave uninstall claude
    """
    app = open_app()
    place = _place(app, scope == "project")
    reports = []
    for agent in chosen_agents(app, agents):
        plan = plan_uninstall(app.home, INTEGRATIONS[agent], place)
        if not dry_run:
            _remove_skills(app, plan)
            undo(app.home, plan)
        reports.append(_report(plan, dry_run))
        if not as_json:
            _say(plan, "would restore" if dry_run else "restored", dry_run)
    if as_json:
        emit(reports, sort_keys=False)


def _remove_skills(app: App, plan: Plan) -> None:
    """Remove the copies in the agent's skill folder, unless another installation uses the same folder."""
    from slowwave.agents.install.markdown import project_at
    from slowwave.agents.install.receipts import all_receipts
    from slowwave.agents.install.skills import remove_all

    own = (plan.agent, plan.place.scope, str(plan.place.folder))
    others = {r.skills for r in all_receipts(app.home) if (r.agent, r.scope, r.folder) != own}
    project = project_at(app.home, plan.place)
    if plan.receipt.skills not in others and project is not None:
        remove_all(Path(plan.receipt.skills), project)


def _report(plan: Plan, dry_run: bool) -> dict[str, Any]:
    return {
        "agent": plan.agent,
        "scope": plan.place.scope,
        "dry_run": dry_run,
        "files": [str(edit.path) for edit in plan.changes],
        "notes": list(plan.notes),
    }


def _say(plan: Plan, verb: str, with_diff: bool) -> None:
    say(f"{INTEGRATIONS[plan.agent].title} ({plan.place.scope})")
    if not plan.changes:
        say("  nothing to do")
    for edit in plan.changes:
        action = verb if edit.before is not None and edit.after is not None else "new" if edit.after else "removed"
        say(f"  {action}: {edit.path}")
        if with_diff:
            before, after = (_lines(content) for content in (edit.before, edit.after))
            diff = difflib.unified_diff(before, after, str(edit.path), str(edit.path), lineterm="")
            say("\n".join(f"    {line}" for line in diff))
    for note in plan.notes:
        say(f"  {note}")


def _lines(content: bytes | None) -> list[str]:
    return (content or b"").decode("utf-8", "replace").splitlines()
