"""Sessions by name, by project and by what became of them."""

from __future__ import annotations

from collections.abc import Collection

from sqlmodel import Session, col, select

from slowwave.storage.tables import LogRecord, StageOneOutput, Thread


def threads_named(session: Session, names: Collection[str]) -> list[Thread]:
    """The sessions with one of these ids, their own or the agent's, by id."""
    wanted = (col(Thread.id).in_(names)) | (col(Thread.session_id).in_(names))
    return list(session.exec(select(Thread).where(wanted).order_by(col(Thread.id))))


def threads_like(session: Session, name: str) -> list[Thread]:
    """The sessions that a person may mean: by whole id, or by the beginning of the agent's id."""
    meant = (col(Thread.id) == name) | col(Thread.session_id).startswith(name, autoescape=True)
    return list(session.exec(select(Thread).where(meant).order_by(col(Thread.id))))


def threads_of(session: Session, project_id: str) -> list[Thread]:
    """A project's sessions, by id."""
    return list(session.exec(select(Thread).where(Thread.project_id == project_id).order_by(col(Thread.id))))


def all_threads(session: Session) -> list[Thread]:
    """Every session, the newest activity first."""
    return list(session.exec(select(Thread).order_by(col(Thread.last_activity).desc(), col(Thread.id))))


def ignored_threads(session: Session) -> list[str]:
    """Ids of the sessions that a person told us to leave alone."""
    return list(session.exec(select(Thread.id).where(col(Thread.ignored).is_(True)).order_by(col(Thread.id))))


def unreadable_logs(session: Session) -> list[LogRecord]:
    """Log files that could not be read at the last scan, by path; `error` says why."""
    failed = col(LogRecord.error).is_not(None)
    return list(session.exec(select(LogRecord).where(failed).order_by(col(LogRecord.path))))


def redacted(session: Session) -> list[dict[str, int]]:
    """What was redacted in each extracted session: a number for each type."""
    return [dict(row) for row in session.exec(select(StageOneOutput.redactions))]
