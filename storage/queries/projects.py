"""Projects by what they have: versions, entries, exclusions."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session, col, func, select

from slowwave.storage.tables import Entry, MemoryFate, Project, StageOneOutput, Version
from slowwave.storage.types import EntryStatus


@dataclass(frozen=True, slots=True)
class Holdings:
    """How many rows a project has of each sort."""

    entries: int
    extractions: int
    versions: int


def published_projects(session: Session) -> list[Project]:
    """The projects that were published at least once, by id."""
    return list(session.exec(select(Project).where(col(Project.version) > 0).order_by(col(Project.id))))


def all_projects(session: Session) -> list[Project]:
    """Every project, also those that were joined to another, by id."""
    return list(session.exec(select(Project).order_by(col(Project.id))))


def excluded_names(session: Session) -> list[str]:
    """Names of the projects that a person told us to leave alone."""
    excluded = select(Project.name).where(col(Project.excluded).is_(True))
    return list(session.exec(excluded.order_by(col(Project.name))))


def holdings_of(session: Session, project_id: str) -> Holdings:
    """Count what would go with a project."""
    entries, extractions, versions = (
        session.exec(select(func.count()).select_from(table).where(table.project_id == project_id)).one()
        for table in (Entry, StageOneOutput, Version)
    )
    return Holdings(entries, extractions, versions)


def active_kinds(session: Session, project_id: str) -> list[str]:
    """The kind of each entry that stands."""
    standing = select(Entry.kind).where(Entry.project_id == project_id, Entry.status == EntryStatus.ACTIVE)
    return list(session.exec(standing))


def entry_numbered(session: Session, project_id: str, number: int) -> Entry | None:
    """One entry, standing or not."""
    return session.exec(select(Entry).where(Entry.project_id == project_id, Entry.number == number)).one_or_none()


def entry_of_fate(session: Session, fate: MemoryFate) -> Entry | None:
    """The entry that a proposed memory went into."""
    return None if fate.entry is None else entry_numbered(session, fate.project_id, fate.entry)


def version_numbered(session: Session, project_id: str, number: int) -> Version | None:
    """One published version, whether its files are kept or not."""
    wanted = select(Version).where(Version.project_id == project_id, Version.number == number)
    return session.exec(wanted).one_or_none()
