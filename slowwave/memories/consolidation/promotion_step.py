"""The promotion step at the end of a run: bring the user level up to date where something asked for it."""

from __future__ import annotations

from sqlmodel import Session

from slowwave.app import HOME_STORE, App
from slowwave.memories.byhand.changes import change_project, user_project_in
from slowwave.memories.consolidation.promotion import (
    USER_ID,
    promote_in,
    promotion_done_in,
    promotion_wanted_in,
)
from slowwave.memories.state.store import load_state_in
from slowwave.memories.state.values import MemoryState
from slowwave.storage.engine import writing
from slowwave.storage.failpoints import reach
from slowwave.storage.tables import Project


def promote_to_user(app: App) -> bool:
    """Answer the open requests for promotion; tell whether the user level changed. A crash leaves them open."""
    if app.store != HOME_STORE:
        return False
    with writing(app.engine) as session:
        wanted = promotion_wanted_in(session)
        if not wanted:
            return False
        before = load_state_in(session, USER_ID) if session.get(Project, USER_ID) is not None else MemoryState()
        changes = promote_in(session, before) != before
        if changes:
            user_project_in(session)
        else:
            promotion_done_in(session, wanted)
    if not changes:
        return False
    reach("promotion.wanted")

    def change(session: Session, state: MemoryState, _now: float) -> MemoryState:
        promotion_done_in(session, wanted)
        return promote_in(session, state)

    change_project(app, USER_ID, change, cause="promote")
    return True
