"""`slowwave pins | facts | recap | flush | replay`: what the in-session layers hold and why they did what they did."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from slowwave.app import App, open_app
from slowwave.cli.common import json_option, project_option
from slowwave.cli.output import emit, say
from slowwave.errors import ConfigError
from slowwave.paths import session_database_file
from slowwave.storage.insession.store import Scope, SessionState, SessionStore

SHOWN = 20


@contextmanager
def _store(app: App) -> Iterator[SessionStore]:
    path = session_database_file(app.home)
    if not path.exists():
        raise ConfigError(
            "no session was seen yet", hint="Run `slowwave install AGENT`; the layers work from the next session on."
        )
    with SessionStore(path) as store:
        yield store


def _project_id(name: str | None) -> str:
    from slowwave.memories.projects.finding import book_of, find
    from slowwave.rollouts.identity.places import look
    from slowwave.rollouts.identity.projects import project_for

    app = open_app()
    try:
        return find(app, name)[1].id
    except ConfigError:
        if name and not Path(name).expanduser().is_dir():
            return name
    return project_for(look(str(Path(name or ".").expanduser().absolute())), book_of(app)).id


def find_session(store: SessionStore, name: str | None) -> SessionState:
    """The session of that id (`agent:id`, the bare id or its start), or the last active one of the current folder.

    Raises:
        ConfigError: there is none, or several.
    """
    if name is None:
        found = store.sessions(_project_id(None), limit=1) or store.sessions(limit=1)
    else:
        known = store.sessions(limit=10_000)
        found = [s for s in known if name in (s.key, s.session_id)] or [
            s for s in known if s.session_id.startswith(name)
        ]
    if len(found) != 1:
        what = "no session" if not found else f"{len(found)} sessions"
        raise ConfigError(f"{what} named {name or 'here'}", hint="`slowwave pins --sessions` lists them.")
    return found[0]


@click.command()
@click.argument("session", required=False)
@click.option("--all", "everything", is_flag=True, help="Closed and replaced pins too.")
@click.option("--drop", type=int, metavar="ID", help="End a pin.")
@click.option("--sessions", "list_sessions", is_flag=True, help="List sessions instead.")
@json_option
def pins(session: str | None, everything: bool, drop: int | None, list_sessions: bool, as_json: bool) -> None:
    """Show what is pinned in SESSION (default: the last active one here).

    Example: slowwave pins --all
    """
    with _store(open_app()) as store:
        if list_sessions:
            _list_sessions(store, as_json)
            return
        state = find_session(store, session)
        if drop is not None:
            if drop not in {pin.id for pin in store.pins(state.key)}:
                raise ConfigError(f"{state.key} has no active pin {drop}")
            store.close_pins([drop], status="dropped", reason="by_user")
        rows = store.pins(state.key, status=None if everything else "active")
        if as_json:
            emit({"session": state.key, "pins": [row._asdict() for row in rows]})
            return
        say(f"{state.key}, turn {state.turn}")
        for row in rows:
            question = f"{row.question} -> " if row.question else ""
            ended = "" if row.status == "active" else f"  ({row.status}: {row.reason})"
            say(f"{row.id:>5}  {row.kind:<13} turn {row.turn:<3} {question}{row.text}{ended}")
        if not rows:
            say("Nothing is pinned.")


def _list_sessions(store: SessionStore, as_json: bool) -> None:
    states = store.sessions(limit=SHOWN)
    if as_json:
        emit([state._asdict() | {"key": state.key} for state in states])
        return
    for state in states:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(state.last_at))
        say(f"{state.key}  {when}  {state.turn} turns  {state.cwd or state.project_id}")


@click.command()
@project_option
@click.option("--forget", "forget_id", type=int, metavar="ID", help="Delete a fact for good.")
@click.option("--everywhere", "wide_id", type=int, metavar="ID", help="Let a fact hold for all your projects.")
@json_option
def facts(project: str | None, forget_id: int | None, wide_id: int | None, as_json: bool) -> None:
    """Show the key facts of a project with how often each was shown, said again and denied.

    Example: slowwave facts --forget 12
    """
    from slowwave.storage.insession.facts import FactStore

    with _store(open_app()) as store:
        fact_store = FactStore(store)
        rows = fact_store.of_project(_project_id(project))
        for wanted in (forget_id, wide_id):
            if wanted is not None and wanted not in {row.id for row in rows}:
                raise ConfigError(f"this project has no fact {wanted}", hint="`slowwave facts` lists them.")
        for row in rows:
            scope = Scope(row.user_id, row.project_id, row.agent)
            if row.id == forget_id:
                fact_store.forget(scope, row.id, now=time.time())
            elif row.id == wide_id:
                fact_store.widen(scope, row.id)
        rows = fact_store.of_project(_project_id(project))
        if as_json:
            emit([row._asdict() | {"said": [said._asdict() for said in fact_store.evidence(row.id)]} for row in rows])
            return
        for row in rows:
            place = "everywhere" if row.project_id == "*" else row.agent
            counts = f"shown {row.injected}, said again {row.confirmed}, denied {row.contradicted}"
            say(f"{row.id:>5}  {row.text}\n       {place}; {counts}")
        if not rows:
            say("No key facts here yet.")


@click.command()
@click.argument("session", required=False)
@json_option
def recap(session: str | None, as_json: bool) -> None:
    """Print the recap that SESSION (default: the last active one here) would get now.

    Example: slowwave recap
    """
    from slowwave.session.limits import SessionLimits
    from slowwave.session.task.stored_pins import Ledger

    app = open_app()
    with _store(app) as store:
        state = find_session(store, session)
        limits = SessionLimits.of(app.settings.session.model_dump())
        made = Ledger(store, state.key).restate(limits)
    if as_json:
        emit({"session": state.key, "text": made.text, "tokens": made.tokens})
    else:
        say(made.text or "Nothing is pinned.")


@click.command()
@click.argument("log", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--turns", is_flag=True, help="Every turn with its reasons.")
@json_option
def replay(log: Path, turns: bool, as_json: bool) -> None:
    """Run a session LOG through the layers: when would each have fired, and at what token cost.

    Example: slowwave replay ~/.claude/projects/-home-me-app/0f3a.jsonl --turns
    """
    from slowwave.rollouts.base import log_file
    from slowwave.rollouts.readers import reader_for
    from slowwave.session.history.cycles import marks
    from slowwave.session.history.cycles import play as play_cycles
    from slowwave.session.limits import SessionLimits
    from slowwave.session.replay import replay as play

    app = open_app()
    reader = reader_for(log)
    source = log_file(reader.agent, log)
    about = reader.scan(source)
    limits = SessionLimits.of(app.settings.session.model_dump())
    found = play(reader.items(source, about), agent=reader.agent, session_id=about.session_id, limits=limits)
    settings = app.settings.session
    cycles = play_cycles(
        marks(log),
        context_window=settings.context_window,
        reserve_tokens=settings.reserve_tokens,
        soft_threshold=settings.memory_flush_soft_tokens,
        compaction_trigger=settings.compaction_trigger,
    )
    if as_json:
        emit(_as_dict(found) | {"compactions": [asdict(cycle) for cycle in cycles]})
        return
    say(f"{about.thread_id}: {len(found.turns)} turns, about {found.log_tokens} tokens in the log")
    say(f"injected: {found.injected_tokens} tokens ({found.share:.2%}), {found.copies} repeated lines")
    for turn in found.turns if turns else []:
        why = ", ".join(f"{layer}: {reason}" for layer, reason in turn.reasons.items())
        say(f"  turn {turn.turn} (item {turn.item}): {turn.injected_tokens} tokens; {why}")
    for pin in found.pins:
        say(f"  pin      turn {pin.turn:<3} {pin.kind}: {pin.text} ({pin.status})")
    for fact in found.facts:
        say(f"  fact     turn {fact.turn:<3} {fact.text}")
    for event in found.events:
        say(f"  {event.type:<8} turn {event.turn:<3} {event.quote}")
    for cycle in cycles:
        size = "unknown size" if cycle.tokens is None else f"{cycle.tokens} tokens"
        saved = f"{cycle.flushes} flush before it" + (f", at {cycle.flushed_at} tokens" if cycle.flushed_at else "")
        say(f"  compaction ({cycle.trigger}) at {size}: {saved} ({cycle.cause})")


def _as_dict(found: Any) -> dict[str, Any]:
    return {
        "turns": [asdict(turn) for turn in found.turns],
        "log_tokens": found.log_tokens,
        "injected_tokens": found.injected_tokens,
        "share": found.share,
        "copies": found.copies,
        "pins": [row._asdict() for row in found.pins],
        "facts": [row._asdict() for row in found.facts],
        "events": [row._asdict() for row in found.events],
    }


@click.command()
@click.argument("session", required=False)
@click.option("--list", "listing", is_flag=True, help="Show the ledger instead.")
@json_option
def flush(session: str | None, listing: bool, as_json: bool) -> None:
    """Save what SESSION (default: the last active one here) noted and did not save yet.

    Example: slowwave flush --list
    """
    from slowwave.session.flushing.digest import flush_digest
    from slowwave.session.limits import SessionLimits
    from slowwave.storage.insession.flushes import FlushLedger

    app = open_app()
    with _store(app) as store:
        state = find_session(store, session)
        saved = 0
        if not listing:
            limits = SessionLimits.of(app.settings.session.model_dump())
            saved = flush_digest(store, state, app.home, limits, cause="manual", now=time.time())
        rows = FlushLedger(store).rows(state.key)
    if as_json:
        emit({"session": state.key, "saved": saved, "ledger": [row._asdict() for row in rows]})
        return
    if not listing:
        say(f"{state.key}: {saved} new lines saved" if saved else f"{state.key}: nothing new to save")
    for row in rows:
        note = f" ({row.reason})" if row.reason else ""
        span = f"epoch {row.epoch}, turns {row.cursor_from} to {row.cursor_to - 1}"
        say(f"  {span}: {row.state}{note}, {row.saved} lines, {row.cause}")


def why_turn(app: App, name: str) -> dict[str, Any] | None:
    """Explain a turn named `SESSION#TURN`: its prompt, what each layer decided and why. None for any other name.

    Raises:
        ConfigError: no such session or turn.
    """
    session, mark, number = name.rpartition("#")
    if not mark or not session or not number.isdigit():
        return None
    with _store(app) as store:
        state = find_session(store, session)
        prompt = store.turn_prompt(state.key, int(number))
        if prompt is None:
            raise ConfigError(f"{state.key} has no turn {number}", hint=f"It has turns 1 to {state.turn}.")
        made = store.decisions(state.key, int(number))
        events = [event for event in store.events(session=state.key) if event.turn == int(number)]
    return {
        "session": state.key,
        "turn": int(number),
        "prompt": prompt,
        "decisions": [row._asdict() for row in made],
        "events": [row._asdict() for row in events],
    }


def show_turn(explained: dict[str, Any]) -> None:
    """Print what `why_turn` found."""
    say(f"{explained['session']} turn {explained['turn']}: {explained['prompt']}")
    for row in explained["decisions"]:
        tokens = f", {row['tokens']} tokens" if row["tokens"] else ""
        detail = f" ({row['detail']})" if row["detail"] else ""
        say(f"  {row['layer']:<11} {row['reason']}{detail}{tokens}")
    for row in explained["events"]:
        say(f"  event       {row['type']}: {row['quote']}")
