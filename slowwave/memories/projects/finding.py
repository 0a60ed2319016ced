"""Which project somebody means: by id, name, folder, or the folder name that is printed everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from slowwave.app import HOME_STORE, App
from slowwave.errors import ConfigError, NotFound
from slowwave.memories.projects.books import begin_in, book_in, folder_of
from slowwave.memories.projects.stores import placed_projects, store_of
from slowwave.paths import memory_root
from slowwave.rollouts.identity.book import Book
from slowwave.rollouts.identity.places import look
from slowwave.rollouts.identity.projects import begun, host_id, project_for
from slowwave.rollouts.identity.rules import keys_of
from slowwave.storage.engine import reading, writing
from slowwave.storage.project_keys import KeyRow, Usage, keys_in, usage_in
from slowwave.storage.tables import Project
from slowwave.storage.types import KeyKind
from slowwave.text.hygiene import clean_line

SHORTEST_ID = 4


@dataclass(frozen=True, slots=True)
class Listed:
    """One project with the store that holds it, its keys, what there is of it, and where it lies on this host."""

    app: App
    project: Project
    keys: tuple[KeyRow, ...]
    usage: Usage
    folder: str | None

    @property
    def has_memory(self) -> bool:
        """Whether anything is remembered about it."""
        return self.project.version > 0 or self.usage.entries > 0

    @property
    def folder_name(self) -> str:
        """The name of its folder under `memory/`, as it is printed everywhere."""
        return memory_root(self.app.home, self.project.slug, self.project.id).name

    def line(self) -> str:
        """What tells it from others: id, folder, last session, memory."""
        import time

        last = self.usage.last_activity or self.project.last_activity
        age = "no session" if last is None else f"last session {max(0.0, time.time() - last) / 86_400:.0f} d ago"
        memory = f"{self.usage.entries} lines of memory" if self.has_memory else "no memory"
        return f"{self.project.id[:8]}  {self.project.name}  {clean_line(self.folder or '-')}  {age}, {memory}"


def all_projects(app: App) -> list[Listed]:
    """Every project of this home, by name. The user level is not among them."""
    with reading(app.at(HOME_STORE).engine) as session:
        keys: dict[str, list[KeyRow]] = {}
        for row in keys_in(session):
            keys.setdefault(row.project_id, []).append(row)
    usage: dict[str, dict[str, Usage]] = {}
    for store in app.stores():
        with reading(store.engine) as session:
            usage[store.store] = usage_in(session)
    found = [
        Listed(
            store,
            project,
            tuple(keys.get(project.id, ())),
            usage[store.store].get(project.id, Usage()),
            folder_of(project, keys.get(project.id, ())),
        )
        for store, project in placed_projects(app)
        if not project.user_level
    ]
    return sorted(found, key=lambda one: (one.project.name, one.project.id))


def find(app: App, name: str | None) -> tuple[App, Project]:
    """The project somebody means, and the installation with the store that holds it. None: that of the current folder.

    Raises:
        ConfigError: none, or several that are in use; the message lists them.
    """
    projects = all_projects(app)
    if name is not None and (named := _named(projects, name)):
        return _only(named, name)
    folder = _folder(name)
    if name is None or "/" in name or "\\" in name or Path(folder).is_dir():
        here = _at(app, projects, folder)
        if here is not None:
            return here.app, here.project
    raise _unknown(projects, name or clean_line(folder))


def find_in(app: App, name: str) -> Project:
    """The project somebody means, if this store holds it. Raises `ConfigError`."""
    store, project = find(app, name)
    if store.store != app.store:
        raise ConfigError(f"{project.name} is not in the {app.store} store")
    return project


def find_or_begin(app: App, name: str | None) -> tuple[App, Project]:
    """Like `find`; a folder that is new begins as a project. Raises `ConfigError`."""
    try:
        return find(app, name)
    except ConfigError:
        folder = _folder(name)
        if not Path(folder).is_dir():
            raise
    home = app.at(HOME_STORE)
    with writing(home.engine) as session:
        book = book_in(session)
        place = look(folder)
        project_id = begin_in(session, book, begun(place, book), keys_of(place, book))
        return home, session.get_one(Project, project_id)


def book_of(app: App) -> Book:
    """The home's book of projects; an empty one, and no file made, before the first run."""
    url = app.at(HOME_STORE).database_url
    if isinstance(url, Path) and not url.exists():
        return Book(host=host_id())
    with reading(app.at(HOME_STORE).engine) as session:
        return book_in(session)


def _named(projects: Sequence[Listed], name: str) -> list[Listed]:
    wanted = name.strip()
    exact = [one for one in projects if wanted == one.project.id or _has_key(one, (KeyKind.ID,), wanted)]
    if exact:
        return exact
    found = [one for one in projects if wanted in _names(one)]
    if not found and len(wanted) >= SHORTEST_ID:
        found = [one for one in projects if one.project.id.startswith(wanted)]
    folded = wanted.casefold()
    return found or [one for one in projects if folded in {known.casefold() for known in _names(one)}]


def _names(one: Listed) -> set[str]:
    """All names of a project: its own, its folder's under `memory/`, its folders', its remotes', those it was given."""
    names = {one.project.name, one.project.slug, one.folder_name, one.folder or ""}
    for row in one.keys:
        if row.kind in (KeyKind.NAME, KeyKind.GIVEN, KeyKind.REMOTE):
            names.add(row.value)
        if row.kind in (KeyKind.REMOTE, KeyKind.ROOT):
            names.add(row.value.rstrip("/").rsplit("/", 1)[-1])
        if row.kind is KeyKind.ROOT and row.detail.get("path"):
            names.add(str(row.detail["path"]))
    return names - {""}


def _has_key(one: Listed, kinds: Sequence[KeyKind], value: str) -> bool:
    return any(row.kind in kinds and row.value == value for row in one.keys)


def _only(found: Sequence[Listed], name: str) -> tuple[App, Project]:
    """The one that is meant. What has no memory never stands in the way of what has, nor what has no sessions."""
    for used in (
        [one for one in found if one.has_memory],
        [one for one in found if one.usage.sessions],
        list(found),
    ):
        if len(used) == 1:
            return used[0].app, used[0].project
        if used:
            lines = "\n".join(f"    {one.line()}" for one in used)
            raise ConfigError(
                f"{name} may be any of {len(used)} projects:\n{lines}",
                hint="Give the id or the folder; `slowwave projects join` makes one of two.",
            )
    raise NotFound(f"no project {name} is known")


def _folder(name: str | None) -> str:
    return str(Path.cwd() if name is None else Path(name).expanduser().absolute())


def _at(app: App, projects: Sequence[Listed], folder: str) -> Listed | None:
    book = book_of(app)
    identity = project_for(look(folder), book)
    return next((one for one in projects if one.project.id == identity.id), None)


def _unknown(projects: Sequence[Listed], name: str) -> ConfigError:
    known = ", ".join(sorted({one.project.name for one in projects if one.has_memory or one.usage.sessions})[:8])
    hint = f"Known: {known}. `slowwave projects` lists them."
    begin = "None is known yet: `slowwave run` finds them in the logs, `slowwave remember TEXT` begins one here."
    return NotFound(f"no project {name} is known", hint=hint if known else begin)


__all__ = ["Listed", "all_projects", "book_of", "find", "find_in", "find_or_begin", "store_of"]
