"""All that projects are known by, and who owns which of it. Standard library only: hooks use this too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from slowwave.rollouts.identity import paths
from slowwave.rollouts.identity.git_history import History
from slowwave.rollouts.identity.places import Trace, history_at
from slowwave.storage.types import KeyKind


@dataclass(frozen=True, slots=True)
class Key:
    """Something that a project is known by. `host` is empty for what means the same on every machine."""

    kind: KeyKind
    value: str
    host: str = ""
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Known:
    """What is known about one project. `roots` are its folders on this host, `parts` those that a person
    made a project of their own inside a repository, `elsewhere` those on other hosts; `marks` are
    commits that were seen in its store, `noted` those that logs recorded; `apart` are projects that a person keeps
    apart from it. `rank` orders projects, the senior one first."""

    id: str
    name: str = ""
    slug: str = ""
    rank: tuple[Any, ...] = ()
    roots: dict[str, Trace] = field(default_factory=dict)
    parts: set[str] = field(default_factory=set)
    elsewhere: set[str] = field(default_factory=set)
    git_dirs: set[str] = field(default_factory=set)
    remotes: set[str] = field(default_factory=set)
    marks: set[str] = field(default_factory=set)
    noted: set[str] = field(default_factory=set)
    apart: set[str] = field(default_factory=set)

    def add(self, key: Key, host: str) -> None:
        """Take a key up; roots of other hosts are kept apart."""
        if key.kind is KeyKind.ROOT:
            if key.host == host:
                names = tuple(str(name) for name in key.detail.get("names", ()))
                self.roots[key.value] = Trace(str(key.detail.get("number", "")), names)
                if key.detail.get("part"):
                    self.parts.add(key.value)
            else:
                self.elsewhere.add(key.value)
        elif key.kind is KeyKind.GIT_DIR:
            if key.host == host:
                self.git_dirs.add(key.value)
        else:
            groups = {KeyKind.REMOTE: self.remotes, KeyKind.COMMIT: self.marks, KeyKind.LOGGED: self.noted}
            groups.get(key.kind, set()).add(key.value)

    def to_json(self) -> dict[str, Any]:
        """The keys that mean something on this host, as a hook needs them."""
        return {
            "roots": {root: [seen.number, *seen.names] for root, seen in sorted(self.roots.items())},
            "parts": sorted(self.parts),
            "git_dirs": sorted(self.git_dirs),
            "remotes": sorted(self.remotes),
            "marks": sorted(self.marks),
            "apart": sorted(self.apart),
        }

    @staticmethod
    def from_json(project_id: str, facts: Mapping[str, Any]) -> Known:
        """The inverse, from a project's facts in the hooks' index; an older index has only root and remote."""
        keys = facts.get("keys") or {}
        roots = keys.get("roots", {facts["root"]: []} if facts.get("root") else {})
        remotes = keys.get("remotes", [facts["remote"]] if facts.get("remote") else [])
        return Known(
            project_id,
            str(facts.get("name", "")),
            str(facts.get("slug", "")),
            (not facts.get("version"),),
            roots={root: Trace(seen[0] if seen else "", tuple(seen[1:])) for root, seen in roots.items()},
            parts=set(keys.get("parts", ())),
            git_dirs=set(keys.get("git_dirs", ())),
            remotes=set(remotes),
            marks=set(keys.get("marks", ())),
            apart=set(keys.get("apart", ())),
        )

    @property
    def keyless(self) -> bool:
        """Whether it can only be told by its id: nothing was recorded, or it held a secret."""
        return not (self.roots or self.elsewhere or self.remotes or self.marks)

    @property
    def seen_on_disk(self) -> bool:
        """Whether it was ever there to be looked at; otherwise only logs tell of it."""
        return bool(self.marks) or any(seen.number for seen in self.roots.values())


class Book:
    """All known projects, to be asked by their keys."""

    def __init__(self, known: Iterable[Known] = (), *, host: str = "") -> None:
        self.host = host
        self.projects: dict[str, Known] = {}
        self.roots: dict[str, str] = {}
        self._histories: dict[str, History | None] = {}
        self._remotes: dict[str, set[str]] = {}
        self._git_dirs: dict[str, set[str]] = {}
        for one in known:
            self.put(one)

    def put(self, known: Known) -> None:
        """Add a project or take its new keys up. A folder belongs to one project: the last one that was put."""
        self.projects[known.id] = known
        for index, values in ((self._remotes, known.remotes), (self._git_dirs, known.git_dirs)):
            for value in values:
                index.setdefault(value, set()).add(known.id)
        for root in known.roots:
            owner = self.roots.get(root)
            if owner is not None and owner != known.id:
                self.projects[owner].roots.pop(root, None)
            self.roots[root] = known.id

    def drop(self, project_id: str) -> None:
        """Forget a project, because it was joined to another."""
        gone = self.projects.pop(project_id)
        for root in gone.roots:
            self.roots.pop(root, None)
        for index, values in ((self._remotes, gone.remotes), (self._git_dirs, gone.git_dirs)):
            for value in values:
                index[value].discard(project_id)

    def owners(self, remote: str | None) -> list[Known]:
        """The projects that are known by a remote."""
        return [self.projects[one] for one in sorted(self._remotes.get(remote or "", ()))]

    def holders(self, git_dir: str) -> list[Known]:
        """The projects that are known by a git folder."""
        return [self.projects[one] for one in sorted(self._git_dirs.get(git_dir, ()))]

    def above(self, key: str) -> Iterator[Known]:
        """The projects that have a folder above, nearest first; folders that many share own nothing below them."""
        for parent in paths.parents(key):
            if parent in self.roots and not paths.is_shared(parent):
                yield self.projects[self.roots[parent]]

    def part(self, key: str, top: str) -> Known | None:
        """The project that a person made of a part of a repository, for a folder inside that part."""
        for folder in (key, *paths.parents(key)):
            if not (folder + "/").startswith(top.rstrip("/") + "/"):
                return None
            owner = self.projects.get(self.roots.get(folder, ""))
            if owner is not None and folder in owner.parts:
                return owner
        return None

    def below(self, key: str) -> dict[str, str]:
        """The known folders below one, with their projects."""
        return {root: owner for root, owner in self.roots.items() if root.startswith(key.rstrip("/") + "/")}

    def in_order(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Ids once each, the senior project first."""
        return tuple(sorted(set(ids), key=lambda one: (self.projects[one].rank, one)))

    def history_of(self, known: Known) -> History | None:
        """The object store of a project on this host, if one of its folders still is its repository."""
        for root in sorted(known.roots):
            if root not in self._histories:
                self._histories[root] = history_at(root)
            history = self._histories[root]
            if history is not None and (not known.marks or agrees(history, known)):
                return history
        return None


def agrees(history: History | None, known: Known) -> bool:
    """Whether a commit of the project is in this history."""
    return history is not None and any(history.has(commit) for commit in sorted(known.marks | known.noted))
