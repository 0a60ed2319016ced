"""Give the sessions of a scan their projects: all folders together and in one order, so that the order in which logs
are found changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Engine
from sqlmodel import Session

from slowwave.memories.projects.books import adopt_in, begin_in, book_in, clean_identity
from slowwave.rollouts.identity import paths
from slowwave.rollouts.identity.book import Book, Key
from slowwave.rollouts.identity.places import Kind, Looked, Place, look, stands_for
from slowwave.rollouts.identity.projects import begun, folders_of, most_turns, named
from slowwave.rollouts.identity.rules import Match, keys_of, resolve
from slowwave.rollouts.model import SessionFacts
from slowwave.storage.engine import reading, writing
from slowwave.storage.project_keys import projects_in, propose_joins
from slowwave.storage.registry import refresh_place
from slowwave.storage.tables import Project
from slowwave.storage.types import KeyKind

Join = Callable[[str, str, str], bool]
"""Joins the second project to the first, for a reason; False when it cannot be done now."""

_ORDER = (Kind.REPOSITORY, Kind.PLAIN, Kind.FOREIGN, Kind.GONE, Kind.NOWHERE)


@dataclass(slots=True)
class _Settled:
    """What a batch of places led to. The others map pairs of projects to reasons:
    `joins` are one project, whichever goes on, `inherited` those whose second is part of the first, `unsure` may be."""

    places: dict[Place, str] = field(default_factory=dict)
    joins: dict[tuple[str, str], str] = field(default_factory=dict)
    inherited: dict[tuple[str, str], str] = field(default_factory=dict)
    unsure: dict[tuple[str, str], str] = field(default_factory=dict)


class Placing:
    """Places the sessions of one scan. `home` is the home's own database, which knows all of its projects."""

    def __init__(self, home: Engine, join: Join) -> None:
        self._home = home
        self._join = join
        self._looked = Looked()
        with reading(home) as session:
            self._book = book_in(session)

    def settle(self, found: Sequence[SessionFacts]) -> dict[str, str]:
        """Return the project of each session by thread id. New projects and keys are stored, certain joins are made,
        doubtful ones proposed."""
        wanted = [(facts, self._places(facts)) for facts in found]
        places = {place for _, several in wanted for place, _ in several}
        with writing(self._home) as session:
            settled = _Settled()
            for place in sorted(places, key=_order):
                settled.places[place] = _place(session, self._book, place, settled)
            _inherit(self._book, settled)
            propose_joins(session, settled.unsure)
        moved = self._unite(settled)
        placed: dict[str, str] = {}
        for facts, several in wanted:
            turns: dict[str, int] = {}
            for place, count in several:
                project = settled.places[place]
                while project in moved:
                    project = moved[project]
                turns[project] = turns.get(project, 0) + count
            placed[facts.thread_id] = most_turns(turns)
        return placed

    def _places(self, facts: SessionFacts) -> list[tuple[Place, int]]:
        turns = folders_of(facts)
        return [(self._looked(cwd or None, facts.remote, facts.commit), count) for cwd, count in turns.items()]

    def _unite(self, settled: _Settled) -> dict[str, str]:
        moved: dict[str, str] = {}
        doubtful: dict[tuple[str, str], str] = {}
        for (one, other), reason in (settled.joins | settled.inherited).items():
            first, second = _last(one, moved), _last(other, moved)
            if first == second or second in self._book.projects[first].apart:
                continue
            ordered = self._book.in_order((first, second))
            keep, gone = (first, second) if (one, other) in settled.inherited else ordered
            if self._join(keep, gone, reason):
                moved[gone] = keep
            else:
                doubtful[keep, gone] = reason
        if moved or doubtful:
            with writing(self._home) as session:
                propose_joins(session, doubtful)
            with reading(self._home) as session:
                self._book = book_in(session)
        return moved


def _last(project_id: str, moved: Mapping[str, str]) -> str:
    while project_id in moved:
        project_id = moved[project_id]
    return project_id


def _order(place: Place) -> tuple[int, str, str, str, str]:
    """What stands comes before what is gone, folders before those in them."""
    return (_ORDER.index(place.kind), place.key, place.folder, place.remote or "", place.commit or "")


def _place(session: Session, book: Book, place: Place, settled: _Settled) -> str:
    match = resolve(place, book)
    if match.ids:
        project = _chosen(match, book, place)
        for other in match.ids:
            if other != project:
                settled.joins[project, other] = f"both are {place.root}"
    else:
        project = begin_in(session, book, begun(place, book), keys_of(stands_for(place), book))
    adopt_in(session, book, project, _mine(match.keys(book), book, project))
    if place.live and match.ids:
        _note_place(session, place, project)
    settled.unsure |= {(project, other): reason for other, reason in match.unsure}
    return project


def _note_place(session: Session, place: Place, project: str) -> None:
    """A project is shown where it lies now, unless it still lies where it was shown before."""
    row = session.get_one(Project, project)
    if row.root is not None and row.root != place.root and _stands(row.root):
        return
    identity = named("", place.remote.rsplit("/", 1)[-1] if place.remote else Path(place.root).name, place.root, None)
    clean = clean_identity(identity)
    if clean.root == place.root and clean.name == identity.name:
        refresh_place(session, project, name=identity.name, root=place.root, remote=place.remote)


def _chosen(match: Match, book: Book, place: Place) -> str:
    """The senior of several, unless a person keeps them apart: then whose folder it is."""
    first = match.ids[0]
    if any(other in book.projects[first].apart for other in match.ids[1:]):
        return book.roots.get(place.key, first)
    return first


def _mine(keys: Iterable[Key], book: Book, project: str) -> list[Key]:
    """Keys that nobody else has: a folder of another project is taken over by a join, never in passing."""
    return [key for key in keys if key.kind is not KeyKind.ROOT or book.roots.get(key.value) in (None, project)]


def _inherit(book: Book, settled: _Settled) -> None:
    """Vanished folders below one that has become known since belong to it, as they would have in one scan."""
    for project, above in _orphans(book):
        settled.inherited.setdefault((above, project), "a folder that is gone lies in the other's")


def _orphans(book: Book) -> Iterator[tuple[str, str]]:
    for known in sorted(book.projects.values(), key=lambda one: one.id):
        if known.remotes or known.marks or known.git_dirs or not known.roots:
            continue
        if any(seen.number for seen in known.roots.values()) or any(map(_stands, known.roots)):
            continue
        owners = {next((above.id for above in book.above(root) if above.id != known.id), None) for root in known.roots}
        if len(owners) == 1 and (above := owners.pop()) is not None:
            yield known.id, above


def _stands(root: str) -> bool:
    return paths.may_touch(root) and paths.is_folder(root)


def refresh_keys(home: Engine) -> None:
    """Look again at the folders where projects lie: a remote that was added or a commit that was made since is a key of
    theirs, also when no session came of it."""
    with writing(home) as session:
        book = book_in(session)
        for project in projects_in(session):
            if project.id not in book.projects or project.root is None or not _stands(project.root):
                continue
            place = look(project.root)
            match = resolve(place, book)
            if match.ids == (project.id,):
                adopt_in(session, book, project.id, _mine(match.keys(book), book, project.id))
                _note_place(session, place, project.id)
