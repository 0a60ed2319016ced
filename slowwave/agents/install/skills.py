"""Copies of generated skills where the agents look for skills, marked as ours and never over a person's own.

A copy lies in a folder of its own with a mark beside it that holds the hashes of what we wrote. A copy that a person
changed is theirs from then on: the mark goes, the files stay.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from slowwave.agents.hook.index import HookIndex, read_index
from slowwave.agents.install.edits import remove_empty
from slowwave.agents.install.integrations import Place
from slowwave.agents.install.markdown import project_at
from slowwave.agents.install.receipts import all_receipts
from slowwave.errors import AgentIntegrationError, MemoryUrlError
from slowwave.memories.reading.url import list_urls, parse_url, read_url
from slowwave.paths import memory_root

MARK = ".slowwave.json"


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export did in one folder, by skill name; `kept` names a person's own skills that stand in the way."""

    folder: Path
    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


def export_all(home: Path) -> list[Exported]:
    """Bring the copies of every installation up to date.

    Raises:
        AgentIntegrationError: a receipt is damaged, or a folder cannot be written.
    """
    index = read_index(home)
    wanted: dict[Path, tuple[str | None, dict[str, dict[str, bytes]]]] = {}
    for receipt in all_receipts(home):
        place = Place(receipt.scope, Path(receipt.folder))
        project = project_at(home, place)
        wanted[Path(receipt.skills)] = (project, published_skills(home, index, project))
    return [export(folder, project or "", skills) for folder, (project, skills) in sorted(wanted.items())]


def published_skills(home: Path, index: HookIndex, project: str | None) -> dict[str, dict[str, bytes]]:
    """Files of each published skill of a project, by name and path below the skill's folder."""
    facts = index.projects.get(project or "")
    if facts is None or project is None or facts["excluded"]:
        return {}
    root = memory_root(home, facts["slug"], project) / "current"
    skills: dict[str, dict[str, bytes]] = {}
    for url in list_urls(root):
        segments = parse_url(url).segments
        if segments[0] == "skills" and len(segments) > 2:
            try:
                text = read_url(url, root).text
            except MemoryUrlError:
                # Only text is copied; a publish that is under way may also take a file away between list and read.
                continue
            skills.setdefault(segments[1], {})["/".join(segments[2:])] = text.encode()
    return {name: files for name, files in skills.items() if "SKILL.md" in files}


def export(folder: Path, project: str, skills: Mapping[str, Mapping[str, bytes]]) -> Exported:
    """Make the copies in one folder equal to a project's skills, and remove those of it that are gone; a folder that
    this leaves empty goes too.

    Raises:
        AgentIntegrationError: the folder cannot be written.
    """
    written: list[str] = []
    removed: list[str] = []
    kept: list[str] = []
    try:
        for name, files in sorted(skills.items()):
            if _is_persons(folder / name):
                kept.append(name)
            elif _write(folder / name, project, files):
                written.append(name)
        for name in [name for name, owner in marked(folder) if owner == project and name not in skills]:
            if _is_persons(folder / name):
                kept.append(name)
            else:
                shutil.rmtree(folder / name)
                removed.append(name)
        if removed:
            remove_empty([folder, folder.parent])
    except OSError as error:
        raise AgentIntegrationError(f"{folder}: skills cannot be written: {error.strerror or error}") from error
    return Exported(folder, tuple(written), tuple(removed), tuple(kept))


def remove_all(folder: Path, project: str) -> Exported:
    """Remove every copy of a project's skills from a folder."""
    return export(folder, project, {})


def marked(folder: Path) -> Iterator[tuple[str, str]]:
    """Names of our copies in a folder, with the project that each is of."""
    for mark in sorted(folder.glob(f"*/{MARK}")):
        yield mark.parent.name, str(_read_mark(mark).get("project", ""))


def _read_mark(mark: Path) -> dict[str, object]:
    try:
        content = json.loads(mark.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def _is_persons(folder: Path) -> bool:
    """Whether a skill's folder is a person's: without our mark, or changed since we wrote it (then the mark goes)."""
    if not folder.exists() and not folder.is_symlink():
        return False
    mark = folder / MARK
    if folder.is_symlink() or not mark.is_file():
        return True
    if _read_mark(mark).get("files") == _hashes(folder):
        return False
    mark.unlink()
    return True


def _hashes(folder: Path) -> dict[str, str]:
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name != MARK)
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(paths)
    }


def _write(folder: Path, project: str, files: Mapping[str, bytes]) -> bool:
    """Write one skill beside its place and switch it in; returns whether anything changed."""
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(files.items())}
    if folder.exists() and _hashes(folder) == hashes:
        return False
    fresh = folder.with_name(f".{folder.name}.slowwave-new")
    shutil.rmtree(fresh, ignore_errors=True)
    for name, content in files.items():
        path = fresh / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (fresh / MARK).write_text(json.dumps({"project": project, "files": hashes}, indent=1) + "\n", encoding="utf-8")
    if folder.exists():
        shutil.rmtree(folder)
    fresh.rename(folder)
    return True
