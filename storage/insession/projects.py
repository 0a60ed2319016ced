"""Notes of the day follow their project when it gets another id, and programs' own project names are found."""

from __future__ import annotations

from slowwave.storage.insession.store import SessionStore


def noted_projects(store: SessionStore) -> list[str]:
    """Return the project ids that the day noted anything for."""
    sql = (
        "SELECT project_id FROM sessions WHERE length(project_id) = 16 UNION SELECT origin_project FROM facts"
        " UNION SELECT project_id FROM shard_lines UNION SELECT project_id FROM events ORDER BY 1"
    )
    return [str(row[0]) for row in store.rows(sql)]


def folder_of_notes(store: SessionStore, project_id: str) -> str | None:
    """The folder in which the newest session of a project runs."""
    rows = store.rows(
        "SELECT cwd FROM sessions WHERE project_id = ? AND cwd != '' ORDER BY last_at DESC LIMIT 1", (project_id,)
    )
    return str(rows[0][0]) if rows else None


def move_notes(
    store: SessionStore, old: str, new: str, sessions: frozenset[str] | None = None, *, with_scope: bool = True
) -> int:
    """Give a project's notes (of some sessions only, where they are given) to another; return how many there were.

    They count as new, so that the next night looks at them under their new project. Without `with_scope` they are found
    under the old id as before while sessions run: a program goes on to use the name that it gave.
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
        if not with_scope:
            return moved
        if sessions is None:
            db.execute("UPDATE facts SET project_id = ? WHERE project_id = ?", (new, old))
            db.execute("UPDATE sessions SET project_id = ? WHERE project_id = ?", (new, old))
            return moved
        for session in sorted(sessions):
            db.execute("UPDATE facts SET project_id = ? WHERE project_id = ? AND session = ?", (new, old, session))
            db.execute("UPDATE sessions SET project_id = ? WHERE project_id = ? AND key = ?", (new, old, session))
    return moved
