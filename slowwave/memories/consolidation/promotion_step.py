"""The promotion step at the end of a run: read all projects, change the user level if they agree on something new."""

from __future__ import annotations

from sqlmodel import Session

from slowwave.app import HOME_STORE, App
from slowwave.memories.byhand.changes import USER_ID, change_project, user_project_in
from slowwave.memories.consolidation.promotion import project_states_in, promote
from slowwave.memories.consolidation.state import MemoryState
from slowwave.memories.consolidation.state_store import load_state_in
from slowwave.memories.consolidation.tombstones import Tombstones
from slowwave.storage.engine import reading, writing
from slowwave.storage.tables import Project, Run


def promote_to_user(app: App, run_id: str) -> bool:
    """Update the user level after a run that published something; tell whether it changed."""
    if app.store != HOME_STORE:
        # What colleagues want is no preference of this user.
        return False
    with reading(app.engine) as session:
        run = session.get(Run, run_id)
        rows = run.projects if run is not None else []
        if not any(row["outcome"] == "published" for row in rows):
            return False
        asked = frozenset((row["project_id"], entry) for row in rows for entry in row.get("promote", ()))
        before = load_state_in(session, USER_ID) if session.get(Project, USER_ID) is not None else MemoryState()
        states = project_states_in(session)
    if len(states) < 2 and not before.active:
        return False
    with writing(app.engine) as session:
        tombstones = Tombstones.load_in(session, USER_ID)
    if promote(before, states, asked, tombstones) == before:
        return False
    with writing(app.engine) as session:
        user_project_in(session)

    def change(session: Session, state: MemoryState, _now: float) -> MemoryState:
        return promote(state, project_states_in(session), asked, Tombstones.load_in(session, USER_ID))

    change_project(app, USER_ID, change, cause="promote")
    return True
