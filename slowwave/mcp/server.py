"""The MCP server: a project's memory as resources, and three small tools. Needs the extra `slowwave[mcp]`.

No client loads a resource at start-up by itself, so this never replaces the hooks: it is how an agent looks something
up and says whether it helped.
"""

from __future__ import annotations

from typing import Annotated, Literal

from mcp.server import MCPServer
from pydantic import Field

from slowwave import __version__
from slowwave.errors import SlowwaveError
from slowwave.memories.reading.library import Library
from slowwave.memories.reading.usage import Report

INSTRUCTIONS = (
    "Memory of earlier coding sessions in this project. It is heuristic context: the repository and the user win. "
    "search finds entries, read opens memory:// addresses, report says that an entry helped or was wrong."
)
SEARCH_LIMIT = 20


def build_server(library: Library) -> MCPServer:
    """Return a server over one project's memory; `run()` serves it on stdio."""
    server = MCPServer("slowwave", instructions=INSTRUCTIONS, version=__version__)
    _add_resources(server, library)
    _add_tools(server, library)
    return server


def _add_resources(server: MCPServer, library: Library) -> None:
    @server.resource(
        "memory://root",
        name="memory_summary",
        description="The most useful entries, most useful first.",
        mime_type="text/markdown",
    )
    def summary() -> str:
        return library.read("memory://root").text

    @server.resource(
        "memory://root/MEMORY.md", name="MEMORY.md", description="Every entry with its id.", mime_type="text/markdown"
    )
    def handbook() -> str:
        return library.read("memory://root/MEMORY.md").text

    @server.resource(
        "memory://root/{+path}",
        name="memory",
        description="A file of the memory: skills/<name>/SKILL.md, rollout_summaries/<file>.",
        mime_type="text/markdown",
    )
    def file(path: str) -> str:
        return library.read(f"memory://root/{path}").text


def _add_tools(server: MCPServer, library: Library) -> None:
    @server.tool(
        description="Search the project's memory (entries, session summaries, skills). Returns ids and addresses."
    )
    def search_memory(
        query: Annotated[str, Field(description="a few words, in any language")],
        limit: Annotated[int, Field(description="how many results", ge=1, le=SEARCH_LIMIT)] = 8,
    ) -> str:
        try:
            findings = library.search(query, limit=limit)
        except SlowwaveError as error:
            return f"Not searched: {error}"
        if not findings:
            return "Nothing in memory matches."
        return "\n".join(
            f"- [{found.hit.ref}] {found.hit.text}" + (f" ({found.url})" if found.url else "") for found in findings
        )

    @server.tool(description="Read a memory:// address; #L10-L20 at its end reads those lines only.")
    def read_memory(url: Annotated[str, Field(description="such as memory://root/MEMORY.md")] = "memory://root") -> str:
        try:
            return library.read(url).text
        except SlowwaveError as error:
            return f"Not read: {error}. {error.hint}".strip()

    @server.tool(description="Say that a memory entry helped, or that it turned out wrong or out of date.")
    def report_memory(
        entry: Annotated[str, Field(description="the entry's id, such as m12")],
        verdict: Annotated[Literal["helped", "wrong"], Field(description="what it turned out to be")],
    ) -> str:
        try:
            known = library.report(entry, Report(verdict))
        except SlowwaveError as error:
            return f"Not recorded: {error}"
        return f"Recorded: {entry} {verdict}." if known else f"There is no entry {entry} here."
