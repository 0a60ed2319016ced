"""`slowwave sessions`, `slowwave show` and `slowwave ingest`: what the readers find, and what they make of it."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from slowwave.app import App, open_app
from slowwave.cli.common import ago, json_option
from slowwave.cli.output import emit, say, verbatim
from slowwave.errors import ConfigError, NotFound
from slowwave.rollouts.model import Item, ItemKind, LogFile, Reader, SessionFacts

_HEADINGS = {
    ItemKind.USER_TEXT: "user",
    ItemKind.ASSISTANT_TEXT: "agent",
    ItemKind.TOOL_CALL: "call",
    ItemKind.TOOL_RESULT: "result",
    ItemKind.SUMMARY: "summary",
    ItemKind.CONTEXT: "context, not typed by the user",
}


@click.command()
@click.option("--agent", metavar="AGENT", help="Only this agent's sessions.")
@click.option("-p", "--project", metavar="NAME", help="Only this project's sessions (name or id).")
@click.option("--eligible", "only_eligible", is_flag=True, help="Only what the next run may extract.")
@json_option
def sessions(agent: str | None, project: str | None, only_eligible: bool, as_json: bool) -> None:
    """List the sessions on this machine: agent, project, idle time, size, eligible or why not.

    \b
    Example:
      slowwave sessions --agent claude --eligible
    """
    from slowwave.cli.see.session_listing import find_sessions

    rows = [
        found
        for found in find_sessions(open_app())
        if agent in (None, found.agent)
        and project in (None, found.project, found.project_id)
        and (not only_eligible or found.reason == "eligible")
    ]
    rows.sort(key=lambda found: (-(found.last_activity or 0.0), found.path))
    if as_json:
        emit([asdict(found) for found in rows])
        return
    for found in rows:
        idle = ago(0.0, found.idle) if found.idle is not None else "-"
        say(
            f"{found.session or found.path}\n"
            f"  {found.project or '-'}  {idle}  {_size(found.size)}  {found.turns} user texts  "
            f"{found.reason}{f' ({found.detail})' if found.detail else ''}"
        )
    say(f"{len(rows)} sessions, {sum(found.reason == 'eligible' for found in rows)} eligible")


@click.command()
@click.argument("session")
@click.option("--whole", is_flag=True, help="Every item, also those that do not fit into a prompt.")
@json_option
def show(session: str, whole: bool, as_json: bool) -> None:
    """Print SESSION (an id or a log file) as stage one will see it: redacted, gaps and drops marked.

    \b
    Example:
      slowwave show claude:0b1e4f2a-7c1d-4c55-9d0e-3f6a1b2c3d4e
    """
    app = open_app()
    reader, log = find_log(app, session)
    facts = reader.scan(log)
    parts, found = _parts(app, list(reader.items(log, facts)), whole)
    if as_json:
        emit({"facts": _facts(facts, log), "redacted": found, "parts": [_part_data(*part) for part in parts]})
        return
    _print_facts(facts, log, found)
    for number, (items, gaps) in enumerate(parts, 1):
        if len(parts) > 1:
            say(f"\n===== part {number} of {len(parts)} =====")
        _print_items(items, gaps)


@click.command()
@click.argument("file")
@json_option
def ingest(file: str, as_json: bool) -> None:
    """Take in a session log from FILE (or from standard input: -) of an agent that no reader finds by itself.

    The generic form and its schema are described in docs/readers.md; a log of a known agent is converted.

    \b
    Example:
      my-agent export --jsonl | slowwave ingest -
    """
    app = open_app()
    with tempfile.TemporaryDirectory(prefix="slowwave-") as folder:
        source = Path(file)
        if file == "-":
            source = Path(folder) / "stdin.jsonl"
            with source.open("wb") as stream:
                shutil.copyfileobj(sys.stdin.buffer, stream)
        log, facts = _ingest(app, source)
    if as_json:
        emit({"facts": _facts(facts, log)})
        return
    say(f"{facts.thread_id}: {sum(facts.items.values())} items in {log.path}")
    say(f"`slowwave show {facts.thread_id}` prints it; the next run extracts it.")


def _ingest(app: App, source: Path) -> tuple[LogFile, SessionFacts]:
    from slowwave.memories.context import scanner
    from slowwave.rollouts.ingest import ingest as take_in
    from slowwave.rollouts.readers import reader_for

    with scanner(app) as scrubber:
        return take_in(source, reader_for(source, app.env), app.home, lambda text: scrubber.redact(text).text)


def find_log(app: App, wanted: str) -> tuple[Reader, LogFile]:
    """The log of a session that is named by id, thread id, log key or file.

    Raises:
        ConfigError: no log or several logs have that name.
        RolloutUnreadable: the file is in no known format.
    """
    from slowwave.cli.see.session_listing import chosen_readers, user_home
    from slowwave.rollouts.base import log_file
    from slowwave.rollouts.readers import reader_for

    path = Path(wanted)
    if path.is_file():
        reader = reader_for(path, app.env)
        return reader, log_file(reader.agent, path)
    agent, _, rest = wanted.partition(":")
    known = chosen_readers(app)
    session_id = rest if agent in known and rest else wanted
    matching: list[tuple[Reader, LogFile]] = []
    for reader in known.values():
        if agent in known and rest and reader.agent != agent:
            continue
        logs = reader.discover(app.env, user_home(app))
        matching += [(reader, log) for log in logs if log.key == wanted or session_id[:8] in log.key]
    exact = [(reader, log) for reader, log in matching if reader.scan(log).session_id.startswith(session_id)]
    if not exact:
        raise NotFound(f"no session {wanted}", hint="`slowwave sessions` lists them.")
    if len({log.key for _, log in exact}) > 1:
        names = ", ".join(sorted(log.key for _, log in exact)[:5])
        raise ConfigError(f"{wanted} names several sessions: {names}", hint="Give more of the id, or the file.")
    return exact[0]


def _parts(app: App, items: Sequence[Item], whole: bool) -> tuple[list[tuple[Sequence[Item], dict[int, int]]], Any]:
    """The items as stage one divides them, and the number of secrets removed by type."""
    from slowwave.memories.context import scanner
    from slowwave.memories.extraction.fit import fit
    from slowwave.memories.extraction.stage_one import PROMPT_OVERHEAD_TOKENS
    from slowwave.memories.redacting import scrub_items
    from slowwave.text import estimate_tokens

    with scanner(app) as scrubber:
        scrubbed = scrub_items(items, scrubber)
    if whole:
        return [(scrubbed.items, {})], scrubbed.found
    budget = app.settings.models.default.input_tokens - PROMPT_OVERHEAD_TOKENS
    return [(part.items, part.gaps) for part in fit(scrubbed.items, budget, estimate_tokens)], scrubbed.found


def _print_facts(facts: SessionFacts, log: LogFile, redacted: dict[str, int]) -> None:
    for name, value in _facts(facts, log).items():
        if value not in (None, "", {}, 0, False):
            text = ", ".join(f"{key} {count}" for key, count in value.items()) if isinstance(value, dict) else value
            say(f"{name}: {text}")
    if redacted:
        say("redacted: " + ", ".join(f"{kind} {count}" for kind, count in sorted(redacted.items())))


def _print_items(items: Sequence[Item], gaps: dict[int, int]) -> None:
    for item in items:
        if missing := gaps.get(item.index):
            say(f"\n[... {missing} items left out ...]")
        marks = [_HEADINGS[item.kind]]
        if item.tool:
            marks.append(item.tool)
        if item.exit_status is not None:
            marks.append(f"exit {item.exit_status}")
        elif item.failed:
            marks.append("failed")
        if item.final:
            marks.append("final")
        if item.shown:
            marks.append(f"{sum(end - start for start, end in item.shown)} characters pasted or quoted, not said")
        say(f"\n--- {item.index} {' / '.join(marks)}")
        verbatim(item.text)
    if missing := gaps.get(-1):
        say(f"\n[... {missing} items left out ...]")


def _part_data(items: Sequence[Item], gaps: dict[int, int]) -> dict[str, Any]:
    rows = [asdict(item) | {"time": item.time.isoformat() if item.time else None} for item in items]
    return {"items": rows, "gaps": {str(index): missing for index, missing in gaps.items()}}


def _facts(facts: SessionFacts, log: LogFile) -> dict[str, Any]:
    from slowwave.memories.projects.finding import book_of
    from slowwave.redaction.api import redact
    from slowwave.rollouts.identity.projects import project_of

    return {
        "session": facts.thread_id,
        "title": redact(facts.title).text if facts.title else None,
        "log": log.key,
        "project": project_of(facts, book_of(open_app())).name,
        "cwd": facts.cwd,
        "branch": facts.branch,
        "kind": str(facts.kind),
        "model": facts.model,
        "started": facts.started.isoformat() if facts.started else None,
        "last_activity": facts.last_activity.isoformat() if facts.last_activity else None,
        "items": dict(facts.items),
        "dropped": dict(sorted(facts.dropped.items())),
        "unknown": dict(facts.unknown),
        "damaged_lines": facts.damaged,
        "unterminated": facts.unterminated,
    }


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 100_000 else f"{size / 1e3:.0f} kB"
