"""`slowwave clear` and its twin `reset`: remove what is remembered about a project."""

from __future__ import annotations

import click

from slowwave.app import HOME_STORE, App, open_app
from slowwave.cli.common import confirm, json_option, locate, project_option, refresh_hooks, yes_option
from slowwave.cli.output import emit, say
from slowwave.memories.byhand.forgetting import clear_project
from slowwave.memories.projects.stores import placed_projects
from slowwave.memories.publishing.publish import root_of
from slowwave.storage.engine import reading
from slowwave.storage.queries.projects import holdings_of
from slowwave.storage.tables import Project


def _command(name: str) -> click.Command:
    @click.command(name)
    @project_option
    @click.option("--all", "everything", is_flag=True, help="Every project.")
    @click.option("--relearn", is_flag=True, help="Also forget which sessions were processed: they are read again.")
    @yes_option
    @json_option
    def command(project: str | None, everything: bool, relearn: bool, yes: bool, as_json: bool) -> None:
        chosen = _all() if everything else [locate(project)]
        if not as_json:
            for app, one in chosen:
                say(_what_goes(app, one))
        confirm("Remove this for good?", yes)
        for app, one in chosen:
            clear_project(app, one.id, relearn=relearn)
        refresh_hooks(open_app())
        if as_json:
            emit({"cleared": [one.id for _, one in chosen], "relearn": relearn})
        else:
            say("cleared; pins, facts and other projects are untouched")

    command.help = (
        "Remove all memory and generated files of one project.\n\n"
        "Sessions that were processed are not read again unless --relearn is given.\n\n"
        f"\b\nExample:\n  slowwave {name} --project shop"
    )
    return command


def _all() -> list[tuple[App, Project]]:
    """Every project of this user; a team's are cleared one by one."""
    app = open_app()
    return [(one, project) for one, project in placed_projects(app) if one.store == HOME_STORE]


def _what_goes(app: App, project: Project) -> str:
    with reading(app.engine) as session:
        has = holdings_of(session, project.id)
    return (
        f"{project.name} [{project.id[:8]}]: {has.entries} entries, {has.extractions} extractions,"
        f" {has.versions} versions, folder {root_of(app.home, project)}"
    )


clear = _command("clear")
reset = _command("reset")
