"""`slowwave read` and `slowwave mcp`: memory by address, for people and for agents."""

from __future__ import annotations

from pathlib import Path

import click

from slowwave.app import open_app
from slowwave.cli.common import project_option
from slowwave.cli.output import emit, say, verbatim
from slowwave.errors import ConfigError


@click.command()
@click.argument("url", default="memory://root")
@project_option
@click.option("--list", "listing", is_flag=True, help="List every address instead.")
@click.option("--helped", metavar="ID", help="Record that entry ID helped.")
@click.option("--wrong", metavar="ID", help="Record that entry ID is wrong or out of date.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def read(url: str, project: str | None, listing: bool, helped: str | None, wrong: str | None, as_json: bool) -> None:
    """Print what a memory:// address names; memory://root is the summary, #L10-L20 a range of lines.

    \b
    Example:
      slowwave read memory://root/MEMORY.md#L1-L40
    """
    from slowwave.memories.reading.library import open_library
    from slowwave.memories.reading.usage import Report

    library = open_library(open_app(), project or str(Path.cwd()))
    for reference, report in ((helped, Report.HELPED), (wrong, Report.WRONG)):
        if reference is not None:
            if not library.report(reference, report):
                raise ConfigError(
                    f"there is no entry {reference}", hint="Ids look like m12; `slowwave search` shows them."
                )
            emit({reference: report}) if as_json else say(f"Recorded: {reference} {report}.")
    if helped or wrong:
        return
    if listing:
        urls = library.urls()
        emit(urls) if as_json else say("\n".join(urls))
        return
    found = library.read(url)
    if as_json:
        fields = {"url": f"memory://root/{found.url.path}", "first": found.first, "last": found.last}
        emit({**fields, "total": found.total, "text": found.text}, sort_keys=False)
    else:
        verbatim(found.text)


@click.command()
@project_option
@click.option("--json", "as_json", is_flag=True, help="Print the entry for an MCP client's settings and exit.")
def mcp(project: str | None, as_json: bool) -> None:
    """Serve a project's memory to an MCP client on stdin and stdout.

    \b
    Example:
      slowwave mcp --project ~/src/shop
    """
    if as_json:
        arguments = ["mcp", *(["--project", project] if project else [])]
        entry = {"mcpServers": {"slowwave": {"command": "slowwave", "args": arguments}}}
        emit(entry, sort_keys=False)
        return
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        raise ConfigError("the MCP server needs an extra that is not installed", hint="Install slowwave[mcp].")
    from slowwave.mcp.server import build_server
    from slowwave.memories.reading.library import folder_library, open_library

    app = open_app()
    build_server(open_library(app, project) if project else folder_library(app, Path.cwd())).run()
