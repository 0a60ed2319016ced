"""What a project is called when it begins, and which one a folder is. Standard library only: hooks use this too."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from slowwave.rollouts.identity import paths
from slowwave.rollouts.identity.book import Book
from slowwave.rollouts.identity.places import Kind, Looked, Place, find, look, stands_for
from slowwave.rollouts.identity.rules import resolve

if TYPE_CHECKING:
    from slowwave.rollouts.model import SessionFacts

NO_FOLDER = "none"


@dataclass(frozen=True, slots=True)
class ProjectIdentity:
    """A project as it begins: `key` names it everywhere, `id` is the first 16 hex digits of its hash, `slug` and `name`
    are for people. `root` is the folder on this host and `remote` the normalised remote, each None where there is
    none."""

    key: str
    id: str
    slug: str
    name: str
    root: str | None
    remote: str | None


def identify(cwd: str | None, *, remote: str | None = None, commit: str | None = None) -> ProjectIdentity:
    """Return the project that begins at a recorded folder where none is known. `remote` and `commit` are what the log
    recorded, used where the repository itself cannot tell."""
    return begun(look(cwd, remote=remote, commit=commit), Book(host=host_id()))


def project_for(place: Place, book: Book, *, strict: bool = False) -> ProjectIdentity:
    """Return the known project of a place, else the one that would begin there. `strict` is for hooks: what only logs
    have claimed does not count."""
    match = resolve(place, book, strict=strict)
    if not match.ids:
        return begun(place, book)
    known = book.projects[match.ids[0]]
    return ProjectIdentity("", known.id, known.slug, known.name, place.root or None, place.remote)


def project_of(facts: SessionFacts, book: Book | None = None, looked: Looked | None = None) -> ProjectIdentity:
    """Return the project where most of a session's user turns happened; the first folder wins a tie.

    A session is one unit of evidence and of forgetting, so it is never split. `looked` saves file system calls over
    many sessions.
    """
    book = Book(host=host_id()) if book is None else book
    looked = Looked() if looked is None else looked
    turns: dict[str, int] = {}
    projects: dict[str, ProjectIdentity] = {}
    for cwd, count in folders_of(facts).items():
        project = project_for(looked(cwd or None, facts.remote, facts.commit), book)
        projects.setdefault(project.id, project)
        turns[project.id] = turns.get(project.id, 0) + count
    return projects[most_turns(turns)]


def folders_of(facts: SessionFacts) -> Mapping[str, int]:
    """The folders of a session with the number of user turns in each; at least one, empty when none was recorded."""
    return facts.turns_by_cwd or {facts.cwd or "": 1}


def most_turns(turns: Mapping[str, int]) -> str:
    """The project with most turns; the first one wins a tie."""
    return max(turns, key=lambda project_id: turns[project_id])


def begun(place: Place, book: Book) -> ProjectIdentity:
    """The project that begins at a place which belongs to none that is known.

    It is named after its remote where nobody else has that one, so that clones on several machines agree; else after
    its folder on this host.
    """
    if place.kind is Kind.NOWHERE:
        return named(f"path:{book.host}:{NO_FOLDER}", "no-folder", None, None)
    place = stands_for(place)
    root, remote = place.root, place.remote
    folder = Path(root)
    # A bare repository in a hidden folder beside its work trees is known by what surrounds them.
    shown = folder.parent.name if folder.name in (".bare", ".git") else folder.name
    name = remote.rsplit("/", 1)[-1] if remote else shown or "root"
    spelled = paths.folder_key(root) if paths.is_windows(root) else root
    key = f"git:{remote}" if remote and not book.owners(remote) else f"path:{book.host}:{spelled}"
    identity = named(key, name, root, remote)
    count = 1
    while identity.id in book.projects and not book.projects[identity.id].keyless:
        count += 1
        identity = named(f"{key}#{count}", name, root, remote)
    return identity


def named(key: str, name: str, root: str | None, remote: str | None) -> ProjectIdentity:
    """An identity of that key. Names are one line of printable text, whatever a folder is called."""
    shown = shown_name(name)
    slug = re.sub(r"[^a-z0-9]+", "-", shown.lower()).strip("-")[:40] or "project"
    digest = hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return ProjectIdentity(key, digest, slug, shown, root, remote)


def shown_name(text: str) -> str:
    """A folder's or remote's name as one printable line of at most 80 characters."""
    plain = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(plain.split())[:80] or "project"


@lru_cache(maxsize=1)
def host_id() -> str:
    """A stable name of this machine: 12 hex digits of its machine id, or of its host name where it has none.

    `$SLOWWAVE_HOST_ID` takes its place: containers get a new host name with every start.
    """
    if given := os.environ.get("SLOWWAVE_HOST_ID", "").strip():
        return _short(f"given:{given}")
    for source in ("/etc/machine-id", "/var/lib/dbus/machine-id"):
        try:
            text = Path(source).read_text(encoding="ascii", errors="replace").strip()
        except OSError:
            continue
        if text:
            return _short(f"machine:{text}")
    import socket

    return _short(f"host:{socket.gethostname()}")


def find_repository(folder: str) -> Path | None:
    """Return the main repository's root above an existing folder, following worktrees; None where there is none."""
    found = find(os.path.realpath(folder)) if paths.is_folder(folder) else None
    return Path(found.root) if found is not None else None


def _short(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:12]
