"""`slowwave secrets`: look for secrets in files and in what Slowwave keeps, and declare values to be none."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

import click

from slowwave.app import App, open_app
from slowwave.cli.common import json_option
from slowwave.cli.output import emit, say
from slowwave.redaction.allowlist import Allowlist, allowlist_file, may_be_allowed
from slowwave.redaction.files import Finder, Place, scan_bytes, scan_path
from slowwave.redaction.findings import Finding
from slowwave.redaction.guard import Guard

FOUND = 1


@click.group()
def secrets() -> None:
    """Find secrets in files and in what Slowwave keeps; declare a value to be none.

    \b
    Example:
      slowwave secrets scan .
    """


@secrets.command()
@click.argument("path", type=click.Path(exists=True, allow_dash=True, path_type=Path))
@click.option("--pii", is_flag=True, help="Look for e-mail addresses, phone numbers and names of home folders too.")
@json_option
def scan(path: Path, pii: bool, as_json: bool) -> int:
    """Scan a file, a folder or standard input (-). Prints types and places, never values.

    Exits with 1 when it finds something or could not scan something, else with 0.

    \b
    Example:
      git diff --cached | slowwave secrets scan -
    """
    app = open_app()
    with _guard(app, pii=pii) as guard:
        find = _finder(guard)
        if str(path) == "-":
            places = list(scan_bytes("standard input", sys.stdin.buffer.read(), find))
        else:
            places = list(scan_path(path, find))
    return _report(places, as_json, "")


@secrets.command()
@json_option
def audit(as_json: bool) -> int:
    """Scan everything that Slowwave keeps: memory files and their history, databases, logs, hook files.

    Exits with 1 when it finds something or could not scan something, else with 0.

    \b
    Example:
      slowwave secrets audit
    """
    app = open_app()
    with _guard(app) as guard:
        places = list(_kept(app, _finder(guard)))
    return _report(places, as_json, "nothing that Slowwave keeps holds a secret")


@secrets.command()
@click.option("--list", "listing", is_flag=True, help="List what is allowed, by type.")
@json_option
def allow(listing: bool, as_json: bool) -> None:
    """Declare values to be no secrets, so they are kept. Asks at the terminal; a script cannot do it.

    The values are stored as keyed hashes. Private keys and tokens whose prefix proves them are never allowed.

    \b
    Example:
      slowwave secrets allow
    """
    app = open_app()
    allowed = Allowlist.load(app.home)
    if listing:
        _list(allowed, as_json)
        return
    if not sys.stdin.isatty():
        raise click.UsageError("only a person at a terminal can allow a value")
    line = click.prompt("Paste the line with the value that was replaced", hide_input=True)
    with Guard() as guard:
        findings = guard.redact(line).findings
    if not findings:
        say("nothing in that line would be replaced")
    for finding in findings:
        _offer(app, allowed, finding, line[finding.start : finding.end])


def _list(allowed: Allowlist, as_json: bool) -> None:
    counts = Counter(allowed.digests.values())
    if as_json:
        emit({"allowed": counts})
    elif not counts:
        say("no value is allowed")
    for kind, number in sorted(counts.items()) if not as_json else ():
        say(f"{number:4d}  {kind}")


def _offer(app: App, allowed: Allowlist, finding: Finding, value: str) -> None:
    if not may_be_allowed(finding.type, value):
        say(f"{finding.type} at column {finding.start + 1}: never allowed, its form proves a credential")
        return
    if click.confirm(f"Keep the {finding.type} at column {finding.start + 1} ({len(value)} characters) from now on?"):
        allowed.add(app.home, finding.type, value)
        say(f"allowed; recorded in {allowlist_file(app.home)}")


def _guard(app: App, *, pii: bool = False) -> Guard:
    settings = app.settings.redaction
    allow_list = Allowlist.load(app.home)
    return Guard(timeout=max(60.0, settings.timeout_seconds), allow=allow_list, pii=pii or settings.pii)


def _finder(guard: Guard) -> Finder:
    def find(text: str) -> tuple[Finding, ...]:
        return guard.redact(text).findings

    return find


def _kept(app: App, find: Finder) -> Iterator[Place]:
    if app.home.exists():
        # The one file that is for keys: those of the nightly run.
        own = str(app.home / "environment")
        yield from (place for place in scan_path(app.home, find) if place.where != own)
    if app.settings.database.url:
        yield from _shared_database(app, find)


def _shared_database(app: App, find: Finder) -> Iterator[Place]:
    """The rows of a database that is no file in the home folder."""
    from slowwave.storage.queries.texts import every_text

    for table, number, raw in every_text(app.engine):
        yield from scan_bytes(f"database: {table}, row {number}", raw, find)


def _report(places: Iterable[Place], as_json: bool, clean: str) -> int:
    found = list(places)
    if as_json:
        emit({"found": [asdict(place) for place in found], "types": Counter(place.type for place in found)})
    else:
        for place in found:
            line = f":{place.line}" if place.line else ""
            say(f"{place.where}{line}: {place.type}")
        if not found and clean:
            say(clean)
    return FOUND if found else 0
