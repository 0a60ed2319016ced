"""Notes of the day find their project: those of a folder whose project has another id by now, and those of programs
that name their project themselves."""

from __future__ import annotations

import re

from slowwave.app import App
from slowwave.memories.projects.books import begin_in, book_in
from slowwave.paths import session_database_file
from slowwave.rollouts.identity.book import Book, Key
from slowwave.rollouts.identity.places import look
from slowwave.rollouts.identity.projects import named
from slowwave.rollouts.identity.rules import resolve
from slowwave.storage.engine import writing
from slowwave.storage.insession.projects import folder_of_notes, move_notes, noted_projects
from slowwave.storage.insession.store import SessionStore
from slowwave.storage.project_keys import keys_in
from slowwave.storage.types import KeyKind

_ID = re.compile(r"[0-9a-f]{16}")


def adopt_notes(home: App) -> None:
    """Give the day's notes to the projects of the home's own database; a program's own name begins one."""
    path = session_database_file(home.home)
    if not path.exists():
        return
    with SessionStore(path) as store:
        noted = noted_projects(store)
        with writing(home.engine) as session:
            book = book_in(session)
            elsewhere = {row.value: row.project_id for row in keys_in(session) if row.kind is KeyKind.ID}
            given = {row.value: row.project_id for row in keys_in(session) if row.kind is KeyKind.GIVEN}
            early = _early_ids(book)
            for name in noted:
                if name in book.projects or not name.strip():
                    continue
                if not _ID.fullmatch(name):
                    project = given.get(name) or begin_in(
                        session, book, named(f"given:{name}", name, None, None), [Key(KeyKind.GIVEN, name)]
                    )
                    move_notes(store, name, project, with_scope=False)
                elif owner := elsewhere.get(name) or early.get(name) or _by_folder(store, book, name):
                    move_notes(store, name, owner)


def _early_ids(book: Book) -> dict[str, str]:
    """The ids that projects would have had if they had begun with another of their keys: a hook may have used them."""
    found: dict[str, str] = {}
    for known in book.projects.values():
        keys = [f"path:{book.host}:{root}" for root in known.roots] + [f"git:{remote}" for remote in known.remotes]
        for key in keys:
            early = named(key, "", None, None).id
            if early not in book.projects:
                found.setdefault(early, known.id)
    return found


def _by_folder(store: SessionStore, book: Book, name: str) -> str | None:
    folder = folder_of_notes(store, name)
    match = resolve(look(folder), book) if folder else None
    return match.ids[0] if match is not None and match.ids else None
