"""Where a project's rows are: decided here, by this home's own sharing setting, for commands, runs, hooks and MCP."""

from __future__ import annotations

from collections.abc import Iterator

from slowwave.app import HOME_STORE, TEAM_STORE, App
from slowwave.errors import ConfigError
from slowwave.storage.engine import reading
from slowwave.storage.project_keys import projects_in
from slowwave.storage.tables import Project, Setting

SHARED = "shared_projects"


def shared_projects(app: App) -> frozenset[str]:
    """Ids of the projects that this home shares; empty where there is no team's store."""
    if not app.has_team:
        return frozenset()
    with reading(app.at(HOME_STORE).engine) as session:
        setting = session.get(Setting, SHARED)
        return frozenset(setting.value["ids"]) if setting is not None else frozenset()


def store_of(app: App, project_id: str) -> App:
    """The installation with the store that holds a project."""
    if not app.has_team:
        return app.at(HOME_STORE)
    return app.at(TEAM_STORE if project_id in shared_projects(app) else HOME_STORE)


def is_for(app: App, project_id: str) -> bool:
    """Whether this store may work at a project here. A worker that only consolidates works at whatever the team has,
    but never at what its own home keeps to itself: both would write into one folder."""
    if not app.has_team:
        return True
    shared = project_id in shared_projects(app)
    if app.store == HOME_STORE:
        return not shared
    return shared or (app.is_worker and not _is_private(app, project_id))


def _is_private(app: App, project_id: str) -> bool:
    with reading(app.at(HOME_STORE).engine) as session:
        return session.get(Project, project_id) is not None


def placed_projects(app: App) -> Iterator[tuple[App, Project]]:
    """Every project of this home with the store that holds it; for a worker, those of the team."""
    shared = shared_projects(app)
    for one in app.stores():
        with reading(one.engine) as session:
            rows = projects_in(session)
        for project in rows:
            if one.store == HOME_STORE:
                if project.id not in shared:
                    yield one, project
            elif project.id in shared or (app.is_worker and not _is_private(app, project.id)):
                yield one, project


def refuse_shared(app: App, *project_ids: str) -> None:
    """Raise `ConfigError` when one of these is shared: what is one project for a team is not for one of them to say."""
    shared = shared_projects(app)
    if any(project_id in shared for project_id in project_ids):
        raise ConfigError(
            "a shared project is joined and split by nobody alone", hint="`slowwave unshare` it, then share it again."
        )
