"""`slowwave doctor --security`: who else could read or change what Slowwave keeps and reads."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from slowwave.agents.doctor.findings import Finding, Level
from slowwave.app import App
from slowwave.errors import RolloutError
from slowwave.paths import config_file
from slowwave.rollouts.readers import readers
from slowwave.storage.published.live import CURRENT, VERSIONS

SHOWN = 3
MOST_FILES = 50_000


@dataclass(slots=True)
class _Seen:
    """What a walk found, by what is wrong with it."""

    open_to_read: list[Path] = field(default_factory=list)
    open_to_write: list[Path] = field(default_factory=list)
    of_others: list[Path] = field(default_factory=list)
    links: list[Path] = field(default_factory=list)
    count: int = 0


def examine_security(app: App) -> Iterator[Finding]:
    """Yield what there is to say about permissions, owners, links and the agents' logs."""
    if os.name != "posix":
        yield Finding("security", "permissions", Level.INFO, "this system has no POSIX permissions to look at")
        return
    if not app.home.is_dir():
        yield Finding("security", "home", Level.INFO, f"{app.home} does not exist yet", "Run `slowwave init`.")
        return
    yield from _home(app.home)
    yield from _logs(app)
    yield _prompts(app)


def _home(home: Path) -> Iterator[Finding]:
    seen = _walk([home])
    yield _about("home", "readable", seen.open_to_read, "others may read", f"Run `chmod -R go= {home}`.", Level.WARNING)
    yield _about("home", "writable", seen.open_to_write, "others may write", f"Run `chmod -R go= {home}`.", Level.FAULT)
    yield _about("home", "owner", seen.of_others, "another user owns", f"Run `chown -R $USER {home}`.", Level.FAULT)
    strange = [link for link in seen.links if not _is_current(home, link)]
    yield _about("home", "links", strange, "a link leads out", "Remove it: no link is followed there.", Level.FAULT)


def _is_current(home: Path, link: Path) -> bool:
    """The one link that Slowwave makes: `memory/<project>/current`, to a version beside it."""
    target = link.readlink()
    is_ours = link.parent.parent == home / "memory" and link.name == CURRENT
    return is_ours and len(target.parts) == 2 and target.parts[0] == VERSIONS and ".." not in target.parts


def _logs(app: App) -> Iterator[Finding]:
    """Whoever may write an agent's log may put words into the mouth of the person."""
    for agent, reader in readers(dict(app.env)).items():
        try:
            logs = [log.path for log, _ in zip(reader.discover(app.env, _user(app)), range(MOST_FILES), strict=False)]
        except (RolloutError, OSError) as error:
            yield Finding("security", f"{agent} logs", Level.INFO, f"cannot be looked at: {error}")
            continue
        if not logs:
            continue
        seen = _Seen()
        for path in {*logs, *(path.parent for path in logs)}:
            _look(path, seen)
        bad = seen.open_to_write + seen.of_others
        todo = "Who can write them can pose as you: run `chmod -R go-w` on their folder, and own it."
        yield _about(f"{agent} logs", "writable", bad, "others may write", todo, Level.FAULT, len(logs))


def _user(app: App) -> Path:
    return Path(app.env.get("HOME") or Path.home())


def _prompts(app: App) -> Finding:
    """Settings and a person's own prompts decide what is sent and what is told to models."""
    folder = app.settings.memories.prompt_dir
    seen = _walk([path for path in (config_file(app.home), Path(folder) if folder else None) if path and path.exists()])
    bad = seen.open_to_write + seen.of_others
    return _about("settings", "writable", bad, "others may write", "Run `chmod go-w` on it.", Level.FAULT, seen.count)


def _walk(roots: Iterable[Path]) -> _Seen:
    seen = _Seen()
    for root in roots:
        _look(root, seen)
        for where, folders, names in os.walk(root, onerror=lambda _error: None):
            for name in (*folders, *names):
                if seen.count >= MOST_FILES:
                    return seen
                _look(Path(where, name), seen)
    return seen


def _look(path: Path, seen: _Seen) -> None:
    try:
        status = path.lstat()
    except OSError:
        return
    seen.count += 1
    if stat.S_ISLNK(status.st_mode):
        seen.links.append(path)
        return
    sticky = stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX
    if status.st_mode & 0o044 and not sticky:
        seen.open_to_read.append(path)
    if status.st_mode & 0o022 and not sticky:
        seen.open_to_write.append(path)
    if status.st_uid not in (os.getuid(), 0):
        seen.of_others.append(path)


def _about(
    subject: str, check: str, bad: list[Path], what: str, todo: str, level: Level, count: int | None = None
) -> Finding:
    if not bad:
        looked = f", {count} looked at" if count is not None else ""
        return Finding("security", f"{subject} {check}", Level.OK, f"nothing that {what}{looked}")
    names = ", ".join(str(path) for path in bad[:SHOWN])
    more = f" and {len(bad) - SHOWN} more" if len(bad) > SHOWN else ""
    return Finding("security", f"{subject} {check}", level, f"{what} {names}{more}", todo)
