"""`slowwave share` and `unshare`: which projects a team sees."""

from __future__ import annotations

import click

from slowwave.app import TEAM_STORE, open_app
from slowwave.cli.common import confirm, json_option, locate, project_option, refresh_hooks, tell, yes_option
from slowwave.cli.output import emit, say
from slowwave.memories.byhand.sharing import private_lines, share_project, unshare_project
from slowwave.memories.projects.finding import find_or_begin


@click.command()
@project_option
@yes_option
@json_option
def share(project: str | None, yes: bool, as_json: bool) -> None:
    """Move a project into the team's database (database.url): its memory and quotes are then seen by the team.

    Every other project stays in this home's own database.

    \b
    Example:
      slowwave share --project shop
    """
    app, chosen = find_or_begin(open_app(), project)
    if app.store == TEAM_STORE:
        result = share_project(app, chosen.id)
        tell(app, result, f"{chosen.name} is shared already", as_json, project=chosen.id)
        return
    written = private_lines(app, chosen.id)
    if not as_json:
        say(f"{chosen.name} [{chosen.id[:8]}]: entries, quotes and summaries move into the team's database.")
        if written:
            say("Written by a person, and seen by the team from then on:")
        for line in written:
            say(f"  {line}")
    confirm("Share it?", yes)
    result = share_project(app, chosen.id)
    tell(app, result, f"{chosen.name} is shared", as_json, project=chosen.id, written=written)


@click.command()
@project_option
@yes_option
@json_option
def unshare(project: str | None, yes: bool, as_json: bool) -> None:
    """Keep a project to this host again. What the team has by now stays with the team (see `forget`).

    \b
    Example:
      slowwave unshare --project shop
    """
    app, chosen = locate(project)
    if app.store != TEAM_STORE:
        if as_json:
            emit({"unshared": None, "message": f"{chosen.name} is not shared"})
        else:
            say(f"{chosen.name} is not shared")
        return
    confirm(f"Stop sharing {chosen.name} from this host? What was taught and written here comes back to you.", yes)
    unshare_project(app, chosen.id)
    refresh_hooks(open_app())
    if as_json:
        emit({"unshared": chosen.id})
    else:
        say(f"{chosen.name} is no longer shared from here; what the team has stays with the team")
