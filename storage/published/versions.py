"""The database's side of published versions: their bytes, kept outside the live folder."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import delete, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session

from slowwave.errors import StoreError
from slowwave.storage.engine import database_now
from slowwave.storage.published.live import Manifest
from slowwave.storage.tables import Setting, Table, Version
from slowwave.storage.types import Origin

VERSION_ROWS = Table.metadata.tables["versions"]
ARTIFACTS = Table.metadata.tables["artifacts"]
SETTINGS = Table.metadata.tables["settings"]

_STORE_ID = "store_id"


def record_version_in(
    session: Session,
    project_id: str,
    manifest: Manifest,
    files: Mapping[str, bytes],
    *,
    run_id: str | None = None,
    cause: str = "consolidate",
    note: str = "",
    now: float | None = None,
) -> int:
    """Store a version and its bytes in the transaction that makes it count; return the row's id."""
    version = Version(
        project_id=project_id,
        number=manifest.number,
        digest=manifest.digest,
        fence=manifest.fence,
        generation=manifest.generation,
        run_id=run_id,
        cause=cause,
        note=note,
        published_at=database_now(session) if now is None else now,
    )
    session.add(version)
    session.flush()
    if version.id is None:
        raise StoreError("the database gave the version no id")
    same = {"version_id": version.id, "origin": Origin.SESSION}
    rows = [
        same | {"path": path, "sha256": manifest.files[path], "content": data} for path, data in sorted(files.items())
    ]
    if rows:
        # One statement for all files: an object for each would be inserted one by one to learn its id.
        session.connection().execute(ARTIFACTS.insert(), rows)
    return version.id


def version_manifest(session: Session, project_id: str, number: int) -> Manifest | None:
    """Return the manifest of a recorded version, or None when there is none or its bytes were pruned."""
    row = session.scalars(
        select(Version).where(VERSION_ROWS.c.project_id == project_id, VERSION_ROWS.c.number == number)
    ).first()
    if row is None or row.pruned:
        return None
    rows = session.connection().execute(
        select(ARTIFACTS.c.path, ARTIFACTS.c.sha256).where(ARTIFACTS.c.version_id == row.id)
    )
    files = {row[0]: row[1] for row in rows}
    return Manifest(number=row.number, fence=row.fence, generation=row.generation, files=files)


def version_files(session: Session, project_id: str, number: int) -> dict[str, bytes]:
    """Return a recorded version's bytes by path. Raises `StoreError` when they are not kept (any more)."""
    rows = session.connection().execute(
        select(ARTIFACTS.c.path, ARTIFACTS.c.content)
        .join(VERSION_ROWS, VERSION_ROWS.c.id == ARTIFACTS.c.version_id)
        .where(VERSION_ROWS.c.project_id == project_id, VERSION_ROWS.c.number == number)
    )
    files = {row[0]: bytes(row[1]) for row in rows}
    if not files:
        raise StoreError(f"version {number} is not kept", hint="`slowwave log` shows which are.")
    return files


def published_texts(session: Session, project_id: str, number: int, paths: Sequence[str]) -> dict[str, bytes]:
    """The bytes of some files of a recorded version, empty when they are not kept."""
    rows = session.connection().execute(
        select(ARTIFACTS.c.path, ARTIFACTS.c.content)
        .join(VERSION_ROWS, VERSION_ROWS.c.id == ARTIFACTS.c.version_id)
        .where(VERSION_ROWS.c.project_id == project_id, VERSION_ROWS.c.number == number, ARTIFACTS.c.path.in_(paths))
    )
    return {row[0]: bytes(row[1]) for row in rows}


def history(session: Session, project_id: str) -> list[Version]:
    """Return a project's versions, newest first."""
    query = select(Version).where(VERSION_ROWS.c.project_id == project_id).order_by(VERSION_ROWS.c.number.desc())
    return list(session.scalars(query))


def prune_versions_in(session: Session, project_id: str, keep: int) -> list[int]:
    """Drop the bytes of all but the newest `keep` versions; their rows stay in the log. Return the numbers kept."""
    versions = [version for version in history(session, project_id) if not version.pruned]
    old = [version.id for version in versions[max(keep, 1) :]]
    if old:
        session.connection().execute(delete(ARTIFACTS).where(ARTIFACTS.c.version_id.in_(old)))
        session.connection().execute(update(VERSION_ROWS).where(VERSION_ROWS.c.id.in_(old)).values(pruned=True))
    return [version.number for version in versions[: max(keep, 1)]]


def store_id(session: Session) -> str:
    """Return this database's own id, made at first use. Fences are comparable within one database only.

    Two projects may be the first at the same time: one's id stands, and both read it.
    """
    found = ensure_setting(session, _STORE_ID, {"id": uuid.uuid4().hex})
    return str(found.value["id"])


def ensure_setting(session: Session, name: str, value: dict[str, Any]) -> Setting:
    """Return the row of that name, made with `value` if there is none; of several who make it, one's stands."""
    found = session.get(Setting, name)
    if found is None:
        postgres = session.get_bind().dialect.name == "postgresql"
        insert = postgresql.insert(SETTINGS) if postgres else sqlite.insert(SETTINGS)
        row = {"name": name, "value": value, "updated_at": database_now(session)}
        session.connection().execute(insert.values(row).on_conflict_do_nothing())
        found = session.get_one(Setting, name)
    return found
