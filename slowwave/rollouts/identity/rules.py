"""Which known project a place belongs to. Standard library only: hooks use this too.

A project is known by many keys: folders, git folders, remotes, commits. A place belongs to it when one of them fits and
nothing speaks against it; docs/projects.md lists the rules and their reasons. Evidence is a folder that was seen
before, or a history that agrees; a remote alone, which anybody can write into a file, is none.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from slowwave.rollouts.identity import paths
from slowwave.rollouts.identity.book import Book, Key, Known, agrees
from slowwave.rollouts.identity.places import (
    Kind,
    Place,
    Trace,
    find,
    named_tree,
    standing_repository,
    trace,
    work_trees,
)
from slowwave.storage.types import KeyKind

LIKELY_NAMES = 3


@dataclass(frozen=True, slots=True)
class Match:
    """The projects that a place certainly belongs to, the senior first (more than one: they are one project); none
    means a new one. `unsure` are others that it may be, with the reason. `place` is what its keys are read from (None:
    the project is to be known by no more), `extra` a key of another source."""

    ids: tuple[str, ...]
    place: Place | None = None
    unsure: tuple[tuple[str, str], ...] = ()
    extra: tuple[Key, ...] = ()

    def keys(self, book: Book) -> tuple[Key, ...]:
        """What the project is to be known by from now on. Reading them takes a walk through the history of a new one,
        so it is left to whoever stores them."""
        return (*self.extra, *(keys_of(self.place, book, self.ids) if self.place is not None else ()))


def resolve(place: Place, book: Book, *, strict: bool = False) -> Match:
    """Say which known project a place belongs to. `strict` is for hooks: what only logs have claimed does not count."""
    if place.kind is Kind.NOWHERE:
        return Match(())
    if place.kind is Kind.REPOSITORY:
        return _repository(place, book, strict)
    if place.kind is Kind.PLAIN:
        return _plain(place, book)
    return _gone(place, book)


def _repository(place: Place, book: Book, strict: bool) -> Match:
    if (part := book.part(_inside(place), place.key)) is not None:
        return Match((part.id,))
    found = _by_folder(place, book)
    holders = book.holders(place.git_dir)
    found |= {one.id for one in holders if not _replaced(place, place.key, one)}
    claimed = [one for one in book.owners(place.remote) if one.id not in found]
    found |= {one.id for one in claimed if _same_repository(place, one, strict)}
    unsure = {one.id: f"both name the remote {place.remote}" for one in claimed if one.id not in found}
    if not found:
        same, doubtful = _same_history(place, book)
        found |= same
        unsure |= doubtful
    if not found and (moved := _moved(place, book)):
        found |= moved
    if not found:
        inside, doubtful = _became_repository(place, book)
        if inside and doubtful:
            # Several projects lie in what is one repository now: which of them goes on is for a person to say.
            return Match(inside, unsure=_listed(doubtful, inside, book))
        found |= set(inside)
    unsure |= _lookalikes(place, book, found) if not strict and not found else {}
    ids = book.in_order(found)
    return Match(ids, place, _listed(unsure, ids, book))


def _inside(place: Place) -> str:
    """Where a folder lies in the main work tree."""
    real = os.path.realpath(place.folder)
    if place.tree != place.root and real.startswith(place.tree):
        real = place.root + real.removeprefix(place.tree)
    return paths.folder_key(real)


def _plain(place: Place, book: Book) -> Match:
    found = {book.roots[place.key]} if place.key in book.roots else set()
    on_paper, unsure = _on_paper(place, book)
    found |= on_paper
    if not found:
        nearest = next(book.above(place.key), None)
        if nearest is not None and (nearest.marks or nearest.remotes or nearest.parts):
            return Match((nearest.id,))
        found |= _moved(place, book)
    if not found:
        unsure |= _lookalikes(place, book, found)
    ids = book.in_order(found)
    return Match(ids, place, _listed(unsure, ids, book))


def _gone(place: Place, book: Book) -> Match:
    found = {book.roots[place.key]} if place.key in book.roots else set()
    on_paper, unsure = _on_paper(place, book)
    found |= on_paper
    if not found:
        tree = named_tree(place)
        if tree is not None and tree.key != place.key:
            return resolve(tree, book)
        if (above := _above(place, book)) is not None:
            return above
        standing = standing_repository(place)
        if standing is not None:
            return resolve(standing, book)
    ids = book.in_order(found)
    return Match(ids, place, _listed(unsure, ids, book))


def _above(place: Place, book: Book) -> Match | None:
    """The project of the nearest known folder above a vanished one, unless it is known by other remotes."""
    nearest = next(book.above(place.key), None)
    if nearest is None:
        return None
    if place.remote is None or place.remote in nearest.remotes:
        return Match((nearest.id,))
    if not nearest.remotes and not nearest.marks:
        return Match((nearest.id,), extra=(Key(KeyKind.REMOTE, place.remote),))
    return None


def _by_folder(place: Place, book: Book) -> set[str]:
    found = set()
    for folder in {place.key, paths.folder_key(place.tree)}:
        owner = book.roots.get(folder)
        if owner is not None and not _replaced(place, folder, book.projects[owner]):
            found.add(owner)
    return found


def _replaced(place: Place, folder: str, known: Known) -> bool:
    """Whether another repository stands where this project was: its history, its remotes and its files all differ."""
    if place.history is None or not known.marks or agrees(place.history, known) or place.history.head() is None:
        return False
    if set(place.remotes) & known.remotes:
        return False
    before, now = known.roots.get(folder, Trace()), trace(folder)
    return not (before.alike(now) or (before.number == now.number and not before.names and not now.names))


def _same_repository(place: Place, known: Known, strict: bool) -> bool:
    """Whether a repository that names the remote of a project is that project: when a commit of it is there. What only
    logs know, without a commit, cannot be compared; then the remote has to do, but never for a hook."""
    if agrees(place.history, known):
        return True
    return place.history is not None and not known.noted and not known.seen_on_disk and not strict


def _same_history(place: Place, book: Book) -> tuple[set[str], dict[str, str]]:
    """Projects with the same first commit. One that has another remote is a fork of its own, unless its folder is gone:
    then it has moved."""
    if place.history is None:
        return set(), {}
    same, forks = set(), {}
    for known in book.projects.values():
        if not any(place.history.has(commit) for commit in sorted(known.marks)):
            continue
        if not place.remotes or not known.remotes or not _stands(known):
            same.add(known.id)
        else:
            forks[known.id] = "both have the same first commit, but another remote"
    return (same, {}) if len(same) == 1 else (set(), forks | dict.fromkeys(same, "both have the same first commit"))


def _stands(known: Known) -> bool:
    return any(paths.may_touch(root) and paths.is_folder(root) for root in known.roots)


def _moved(place: Place, book: Book) -> set[str]:
    """A folder that kept its number on the disk and its files, and whose old path is gone, was renamed."""
    now = trace(place.root)
    found = {
        known.id
        for known in book.projects.values()
        for root, before in known.roots.items()
        if before.same(now) and root != place.key and not paths.is_folder(root)
    }
    return found if len(found) == 1 else set()


def _lookalikes(place: Place, book: Book, found: set[str]) -> dict[str, str]:
    """Vanished folders with the same files: perhaps copied from another disk."""
    now = trace(place.root)
    if len(now.names) < LIKELY_NAMES:
        return {}
    return {
        known.id: f"{root} is gone and had the same files"
        for known in book.projects.values()
        for root, before in known.roots.items()
        if known.id not in found and before.alike(now) and root != place.key and not paths.is_folder(root)
    }


def _became_repository(place: Place, book: Book) -> tuple[tuple[str, ...], dict[str, str]]:
    """A folder above a known one became the repository: the project goes on as the whole, if it is the only one there.
    Repositories of their own below do not count."""
    below = {root: owner for root, owner in book.below(place.key).items() if _is_part(root, place.root)}
    owners = set(below.values())
    if len(owners) <= 1:
        return book.in_order(owners), {}
    inside = paths.folder_key(os.path.realpath(place.folder))
    nearest = next((below[one] for one in (inside, *paths.parents(inside)) if one in below), None)
    reason = f"both lie in the repository {place.root}"
    return ((nearest,) if nearest else ()), dict.fromkeys(owners, reason)


def _is_part(root: str, repository: str) -> bool:
    if not paths.is_folder(root):
        return True
    found = find(os.path.realpath(root))
    return found is not None and found.root == repository


def _on_paper(place: Place, book: Book) -> tuple[set[str], dict[str, str]]:
    """What a log's remote says about a folder without a repository: its project, unless the commit that the log
    recorded is not in that repository."""
    fitting, unsure = set(), {}
    for known in book.owners(place.remote):
        if place.commit is None or book.history_of(known) is None or _has(book, known, place.commit):
            fitting.add(known.id)
        else:
            unsure[known.id] = f"a log names the remote {place.remote}, with a commit that is not there"
    if place.commit is not None and len(fitting) > 1:
        certain = {one for one in fitting if _has(book, book.projects[one], place.commit)}
        fitting = certain or fitting
    if len(fitting) > 1:
        return set(), unsure | dict.fromkeys(fitting, f"both name the remote {place.remote}")
    return fitting, unsure


def _has(book: Book, known: Known, commit: str) -> bool:
    store = book.history_of(known)
    return commit in known.marks | known.noted or (store is not None and store.has(commit))


def _listed(unsure: Mapping[str, str], ids: tuple[str, ...], book: Book) -> tuple[tuple[str, str], ...]:
    kept_apart = set().union(*(book.projects[one].apart for one in ids)) if ids else set()
    return tuple(sorted((one, reason) for one, reason in unsure.items() if one not in ids and one not in kept_apart))


def keys_of(place: Place, book: Book, ids: tuple[str, ...] = ()) -> tuple[Key, ...]:
    """What a project is known by after it was met at this place."""
    if place.kind is Kind.NOWHERE:
        return ()
    host = book.host
    keys = [_root(place.key, place.root, host)]
    if place.tree and place.tree != place.root:
        keys.append(_root(paths.folder_key(place.tree), place.tree, host))
    spelled = paths.folder_key(place.folder)
    if place.live and not (spelled + "/").startswith((place.key + "/", paths.folder_key(place.tree) + "/")):
        keys.append(Key(KeyKind.ROOT, spelled, host))
    if place.git_dir:
        keys.append(Key(KeyKind.GIT_DIR, place.git_dir, host))
        others = (paths.folder_key(tree) for tree in work_trees(place.git_dir))
        keys += [_root(tree, tree, host) for tree in others if book.roots.get(tree) in (None, *ids)]
    if place.remote:
        keys.append(Key(KeyKind.REMOTE, place.remote))
    if place.commit:
        keys.append(Key(KeyKind.LOGGED, place.commit))
    if place.history is not None and not any(agrees(place.history, book.projects[one]) for one in ids):
        keys += [Key(KeyKind.COMMIT, mark) for mark in place.history.marks()]
    return tuple(keys)


def _root(key: str, folder: str, host: str) -> Key:
    seen = trace(folder) if paths.may_touch(folder) and not paths.is_foreign(folder) else Trace()
    detail: dict[str, Any] = {"path": folder}
    if seen.number:
        detail |= {"number": seen.number, "names": list(seen.names)}
    return Key(KeyKind.ROOT, key, host, detail)
