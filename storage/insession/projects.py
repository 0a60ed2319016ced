"""Notes of the day follow their project when it gets another id, and programs' own project names are found."""

from __future__ import annotations

from slowwave.storage.insession.store import SessionStore


def noted_projects(store: SessionStore) -> list[str]:
    """Return the project ids that the day noted anything for."""
    sql = (
        "SELECT project_id FROM sessions UNION SELECT origin_project FROM facts"
        " UNION SELECT project_id FROM shard_lines UNION SELECT project_id FROM events ORDER BY 1"
    )
    return [str(row[0]) for row in store.rows(sql)]


def move_notes(store: SessionStore, old: str, new: str, sessions: frozenset[str] | None = None) -> int:
    """Give a project's notes (of some sessions only, where they are given) to another; return how many there were.

    They count as new, so that the next night looks at them under their new project.
    """
    moved = 0
    with store.transaction() as db:
        for table, column in (("facts", "origin_project"), ("shard_lines", "project_id"), ("events", "project_id")):
            rows = db.execute(f"SELECT id, session FROM {table} WHERE {column} = ? ORDER BY seq", (old,)).fetchall()
            for number, session in rows:
                if sessions is None or session in sessions:
                    db.execute(
                        f"UPDATE {table} SET {column} = ?, seq = ? WHERE id = ?", (new, store.next_seq(), number)
                    )
                    moved += 1
        if sessions is None:
            db.execute("UPDATE facts SET project_id = ? WHERE project_id = ?", (new, old))
            db.execute("UPDATE sessions SET project_id = ? WHERE project_id = ?", (new, old))
            return moved
        for session in sorted(sessions):
            db.execute("UPDATE facts SET project_id = ? WHERE project_id = ? AND session = ?", (new, old, session))
            db.execute("UPDATE sessions SET project_id = ? WHERE project_id = ? AND key = ?", (new, old, session))
    return moved
