"""What became of entries after they were published: injected, read, helpful, wrong.

Only reading and reports feed selection. Injection is counted so that the share of injected entries that were ever used
can be seen; alone it counts for nothing, because everything that is rendered is injected every day.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import time
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from sqlalchemy import Engine, update
from sqlmodel import Session, col, select

from slowwave.storage.engine import is_read_only, writing
from slowwave.storage.tables import Entry, Project
from slowwave.text.ids import ids_shown

INJECTED_LOG = "injected.jsonl"
MAX_SHOWN_AS_USE = 20
_REFERENCE = re.compile(r"\A([mu])(\d+)\Z")


class Report(StrEnum):
    """What a reader says about an entry."""

    HELPED = "helped"
    WRONG = "wrong"


def fold_injected(home: Path, engines: Sequence[Engine]) -> int:
    """Add the injections that hooks have noted to the entries' counts and empty the note; return how many sessions.

    The note is moved aside first, so a hook that writes meanwhile starts a new one. A line that cannot be read (a hook
    was killed while writing it) is dropped: the counts inform, nothing depends on them.
    """
    path = home / "hooks" / INJECTED_LOG
    taken = path.with_name(f".{INJECTED_LOG}.{os.getpid()}-{secrets.token_hex(4)}")
    try:
        path.replace(taken)
    except FileNotFoundError:
        return 0
    counts: Counter[tuple[str, int]] = Counter()
    sessions = 0
    for line in taken.read_text(encoding="utf-8", errors="replace").split("\n"):
        try:
            record = json.loads(line)
            project, numbers = record["project"], record["entries"]
        except (ValueError, KeyError, TypeError):
            continue
        if isinstance(project, str):
            counts.update((project, int(number)) for number in numbers)
            sessions += 1
    for engine in engines:
        with writing(engine) as session:
            for (project, number), times in sorted(counts.items()):
                _add(session, project, [number], {"injected": times})
    taken.unlink()
    return sessions


def record_read(engine: Engine, project_id: str, text: str, *, home: Engine, now: float | None = None) -> int:
    """Count the entries that a reader was shown in `text` as used; return how many.

    `engine` is the store of the project, `home` the store that has the user level (the same one without a team). A text
    with more than 20 entries (a whole file) tells nothing about which of them mattered and counts none.
    """
    found = {(short_id[0], int(short_id[1:])) for short_id in ids_shown(text)}
    if is_read_only(engine) or not found or len(found) > MAX_SHOWN_AS_USE:
        return 0
    own = [number for kind, number in sorted(found) if kind == "m"]
    of_user = [number for kind, number in sorted(found) if kind == "u"]
    with writing(engine) as session:
        changed = _add(session, project_id, own, {"used": 1}, now=now)
    with writing(home) as session:
        return changed + _add(session, _user_level(session), of_user, {"used": 1}, now=now)


def record_report(
    engine: Engine, project_id: str, reference: str, report: Report, *, home: Engine, now: float | None = None
) -> bool:
    """Count a report on one entry (`m12`, or `u3` of the user level). False when there is no such entry."""
    match = _REFERENCE.match(reference.strip().strip("[]"))
    if match is None:
        return False
    counts = {report.value: 1, "used": 1}
    with writing(engine if match[1] == "m" else home) as session:
        owner = project_id if match[1] == "m" else _user_level(session)
        return _add(session, owner, [int(match[2])], counts, now=now) > 0


def _user_level(session: Session) -> str | None:
    return session.exec(select(Project.id).where(col(Project.user_level))).first()


def _add(
    session: Session, project_id: str | None, numbers: list[int], counts: dict[str, int], *, now: float | None = None
) -> int:
    """Add to counters in the database itself, so that two processes lose nothing. Returns the rows changed."""
    if project_id is None or not numbers:
        return 0
    values: dict[str, object] = {name: getattr(Entry, name) + by for name, by in counts.items()}
    if "used" in counts:
        values["last_used"] = time.time() if now is None else now
    matching = update(Entry).where(col(Entry.project_id) == project_id, col(Entry.number).in_(numbers)).values(**values)
    return int(session.connection().execute(matching).rowcount)
