"""`slowwave search`: find entries, session summaries and skills by words."""

from __future__ import annotations

from pathlib import Path

import click

from slowwave.app import open_app
from slowwave.cli.common import project_option
from slowwave.cli.output import emit, say


@click.command()
@click.argument("words", nargs=-1, required=True)
@project_option
@click.option("--all", "everywhere", is_flag=True, help="Search every project.")
@click.option("--limit", type=click.IntRange(1, 200), default=10, show_default=True, help="Results at most.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def search(words: tuple[str, ...], project: str | None, everywhere: bool, limit: int, as_json: bool) -> None:
    """Find what is remembered about WORDS, in any language.

    \b
    Example:
      slowwave search flaky webhook test
    """
    from slowwave.memories.reading.library import Finding, open_library
    from slowwave.memories.reading.search import search as search_texts

    app = open_app()
    query = " ".join(words)
    if everywhere:
        first, *more = [store.engine for store in app.stores()]
        findings = [Finding(hit, "") for hit in search_texts(first, query, project_id=None, limit=limit, more=more)]
    else:
        findings = open_library(app, project or str(Path.cwd())).search(query, limit=limit)
    if as_json:
        rows = [
            {"kind": f.hit.kind, "ref": f.hit.ref, "project": f.hit.project_id, "text": f.hit.text, "url": f.url}
            for f in findings
        ]
        emit(rows, sort_keys=False)
        return
    if not findings:
        say("Nothing in memory matches.")
    for found in findings:
        place = f"  {found.url}" if found.url else f"  project {found.hit.project_id[:8]}" if everywhere else ""
        say(f"[{found.hit.ref}] {found.hit.text}")
        if place:
            say(place)
