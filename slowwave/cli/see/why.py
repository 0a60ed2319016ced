"""`slowwave why`: the quotes behind a line, the sessions they are from, and the run that wrote it."""

from __future__ import annotations

from typing import Any

import click
from sqlmodel import Session

from slowwave.app import App, open_app
from slowwave.cli.common import json_option, locate_entry, project_option
from slowwave.cli.output import emit, say
from slowwave.cli.see.proposed import print_proposed, proposed_by
from slowwave.errors import StoreError
from slowwave.memories.byhand.entries import find_entry
from slowwave.memories.publishing.render import day
from slowwave.memories.state.store import load_state_in
from slowwave.memories.state.values import EntryState
from slowwave.storage.engine import reading
from slowwave.storage.proposals import changes_of
from slowwave.storage.queries.projects import entry_numbered
from slowwave.storage.tables import Project, Run, Thread


@click.command()
@click.argument("what")
@project_option
@json_option
def why(what: str, project: str | None, as_json: bool) -> None:
    """Say where WHAT comes from: an entry (m12; u3 of the user level), a line of MEMORY.md, or a turn (`SESSION#3`).
    For a session: what became of each memory that it proposed.

    \b
    Example:
      slowwave why m12
      slowwave why "Use pnpm, never npm"
    """
    if "#" in what:
        app = open_app()
        from slowwave.cli.session import show_turn, why_turn

        turn = why_turn(app, what)
        if turn is not None:
            emit(turn) if as_json else show_turn(turn)
            return
    if (proposed := proposed_by(open_app(), what)) is not None:
        emit(proposed) if as_json else print_proposed(proposed)
        return
    app, chosen, what = locate_entry(what, project)
    with reading(app.engine) as session:
        entry = find_entry(load_state_in(session, chosen.id), what)
        data = explain(app, session, chosen, entry)
    if as_json:
        emit(data)
        return
    _print(data)


def explain(app: App, session: Session, project: Project, entry: EntryState) -> dict[str, Any]:
    """Everything known about an entry, as plain values."""
    row = entry_numbered(session, project.id, entry.number)
    if row is None:
        raise StoreError(f"{entry.id} has no row", hint="Run `slowwave db recover`.")
    threads = {
        piece.thread_id: session.get(Thread, piece.thread_id) for piece in entry.evidence if piece.thread_id is not None
    }
    return {
        "id": entry.id,
        "project": project.name,
        "kind": entry.kind,
        "text": entry.text,
        "situation": entry.situation,
        "standing": entry.standing,
        "status": entry.status,
        "status_reason": entry.status_reason,
        "superseded_by": f"m{entry.superseded_by}" if entry.superseded_by else None,
        "pinned": entry.pinned,
        "hand_edited": entry.hand_edited,
        "confirmations": entry.confirmations,
        "first_seen": day(entry.first_seen),
        "last_confirmed": day(entry.last_confirmed),
        "used": row.used,
        "helped": row.helped,
        "wrong": row.wrong,
        "injected": row.injected,
        "created_by": _run(session, row.created_run),
        "updated_by": _run(session, row.updated_run),
        "changes": [
            {
                "date": day(change.at),
                "operation": change.operation,
                "before": change.before,
                "after": change.after,
                "reason": change.reason,
            }
            for change in changes_of(session, project.id, entry.number)
        ],
        "evidence": [
            {
                "session": piece.session_id or None,
                "agent": piece.agent or None,
                "item": piece.item,
                "from": piece.item_kind or piece.origin,
                "date": day(piece.at),
                "quote": piece.quote,
                "log": thread.path if (thread := threads.get(piece.thread_id or "")) is not None else None,
            }
            for piece in entry.evidence
        ],
    }


def _run(session: Session, run_id: str | None) -> dict[str, Any] | None:
    if run_id is None:
        return None
    run = session.get(Run, run_id)
    if run is None:
        return {"id": run_id}
    return {"id": run.id, "kind": run.kind, "extractor": run.extractor, "date": day(run.started_at)}


def _print(data: dict[str, Any]) -> None:
    lock = ", pinned" if data["pinned"] else ", written by a person" if data["hand_edited"] else ""
    say(f"{data['id']} ({data['kind']}, {data['standing']}, {data['status']}{lock}) in {data['project']}")
    say(f"  {data['text']}")
    if data["situation"]:
        say(f"  when: {data['situation']}")
    if data["status_reason"]:
        say(f"  {data['status']} because: {data['status_reason']}")
    if data["superseded_by"]:
        say(f"  superseded by {data['superseded_by']}")
    say(
        f"  {data['confirmations']} confirmations, first {data['first_seen']}, last {data['last_confirmed']};"
        f" read {data['used']}, helped {data['helped']}, wrong {data['wrong']}, injected {data['injected']}"
    )
    for name in ("created_by", "updated_by"):
        if data[name]:
            run = data[name]
            made = f"{run.get('kind', '')} run of {run.get('date', '')} ({run.get('extractor', '')})"
            say(f"  {name.replace('_', ' ')} {made} {run['id'][:8]}")
    for change in data["changes"]:
        if change["before"]:
            became = f" -> {change['after']}" if change["after"] else " -> ended"
            why_so = f" ({change['reason']})" if change["reason"] else ""
            say(f"  {change['date']} {change['operation']}: {change['before']}{became}{why_so}")
    for piece in data["evidence"]:
        where = f"{piece['agent']} session {piece['session']}, item {piece['item']}" if piece["session"] else "by hand"
        say(f"\n  {piece['date']}, {where} ({piece['from']})")
        for line in piece["quote"].split("\n"):
            say(f"    > {line}")
        if piece["log"]:
            say(f"    {piece['log']}")
