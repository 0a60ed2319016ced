"""The home's book of projects: built from its database, kept current by what a scan or a command meets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlmodel import Session

from slowwave.redaction.api import redact
from slowwave.rollouts.identity.book import Book, Key, Known
from slowwave.rollouts.identity.paths import folder_key, is_foreign
from slowwave.rollouts.identity.projects import ProjectIdentity, host_id
from slowwave.storage.project_keys import KeyRow, add_keys, changes_in, keys_in, projects_in, usage_in
from slowwave.storage.registry import ensure_project
from slowwave.storage.tables import Project
from slowwave.storage.types import ChangeKind, ChangeState, KeyKind


def book_in(session: Session) -> Book:
    """All projects of a database with their keys. Those of the time before keys were kept have their folder and remote.

    Call it on the home's own database: where a project's rows lie, its keys are there.
    """
    host = host_id()
    usage = usage_in(session)
    known: dict[str, Known] = {}
    projects = {project.id: project for project in projects_in(session) if not project.user_level}
    for project in projects.values():
        used = usage.get(project.id)
        has_memory = project.version > 0 or (used is not None and used.entries > 0)
        rank = (not has_memory, used is None or not used.sessions, project.created_at)
        known[project.id] = Known(project.id, project.name, project.slug, rank)
    with_keys = set()
    for row in keys_in(session):
        if row.project_id in known:
            with_keys.add((row.project_id, row.kind))
            known[row.project_id].add(Key(row.kind, row.value, row.host, row.detail), host)
    for project_id, project in projects.items():
        for key in _early_keys(project, host):
            if (project_id, key.kind) not in with_keys:
                known[project_id].add(key, host)
    for change in changes_in(session, states=(ChangeState.DECLINED,), kind=ChangeKind.JOIN):
        for one, other in ((change.project_id, change.other_id), (change.other_id, change.project_id)):
            if one in known:
                known[one].apart.add(other)
    return Book(sorted(known.values(), key=lambda one: (one.rank, one.id), reverse=True), host=host)


def _early_keys(project: Project, host: str) -> list[Key]:
    keys = []
    if project.root is not None:
        origin = project.key.split(":")[1] if project.key.startswith("path:") else host
        keys.append(Key(KeyKind.ROOT, folder_key(project.root), origin))
    if project.remote is not None:
        keys.append(Key(KeyKind.REMOTE, project.remote))
    return keys


def adopt_in(session: Session, book: Book, project_id: str, keys: Sequence[Key]) -> None:
    """Let a project be known by more. What holds a secret is not stored."""
    known = book.projects[project_id]
    fresh = [key for key in keys if not _is_known(known, key, book.host) and not _holds_secret(key)]
    for key in keys:
        known.add(key, book.host)
    book.put(known)
    if fresh:
        add_keys(session, [KeyRow(project_id, key.kind, key.value, key.host, key.detail) for key in fresh])


def _is_known(known: Known, key: Key, host: str) -> bool:
    probe = Known(known.id)
    probe.add(key, host)
    return (
        probe.remotes <= known.remotes
        and probe.marks <= known.marks
        and probe.noted <= known.noted
        and probe.git_dirs <= known.git_dirs
        and probe.elsewhere <= known.elsewhere
        and all(known.roots.get(root) == seen for root, seen in probe.roots.items())
    )


def _holds_secret(key: Key) -> bool:
    # The name of a commit looks like a secret and is none.
    if key.kind in (KeyKind.COMMIT, KeyKind.LOGGED):
        return False
    return redact(key.value).text != key.value


def begin_in(session: Session, book: Book, identity: ProjectIdentity, keys: Iterable[Key] = ()) -> str:
    """Store a project that begins, with its keys, and return its id."""
    clean = clean_identity(identity)
    ensure_project(
        session, key=clean.key, id=clean.id, slug=clean.slug, name=clean.name, root=clean.root, remote=clean.remote
    )
    if clean.id not in book.projects:
        book.put(Known(clean.id, clean.name, clean.slug, (True, True, float("inf"))))
    adopt_in(session, book, clean.id, list(keys))
    return clean.id


def clean_identity(project: ProjectIdentity) -> ProjectIdentity:
    """A project whose folder or remote holds a secret keeps its id and loses the words."""
    key, root, remote, name = _clean(project.key), _clean(project.root), _clean(project.remote), _clean(project.name)
    if key == project.key and name == project.name:
        return ProjectIdentity(project.key, project.id, project.slug, project.name, root, remote)
    return ProjectIdentity(f"hidden:{project.id}", project.id, "project", name or "project", root, remote)


def _clean(text: str | None) -> str | None:
    return redact(text).text if text else text


def folder_of(project: Project, keys: Iterable[KeyRow]) -> str | None:
    """The folder to show for a project: where it lies on this host, as it is spelled; else where it was."""
    host = host_id()
    roots = [row for row in keys if row.kind is KeyKind.ROOT and row.host == host]
    spelled = [str(row.detail.get("path") or row.value) for row in roots]
    if project.root is None or (project.root not in spelled and spelled):
        return next(iter(spelled), project.root)
    return project.root


__all__ = ["adopt_in", "begin_in", "book_in", "clean_identity", "folder_of", "is_foreign"]
