"""The MCP server, spoken to by a real client over stdio."""

import os
from pathlib import Path

import anyio
import pytest
from mcp import ClientSession, MCPError, StdioServerParameters, stdio_client
from mcp.types import TextContent, TextResourceContents
from sqlmodel import Session, select

from slowwave.storage.tables import Entry
from tests.agents.conftest import COMMAND
from tests.support.memory import MemoryHome


@pytest.fixture
def memory(tmp_path: Path) -> MemoryHome:
    return MemoryHome(tmp_path / "home")


def parameters(memory: MemoryHome, folder: Path) -> StdioServerParameters:
    folder.mkdir(exist_ok=True)
    env = {"SLOWWAVE_HOME": str(memory.home), "PATH": os.environ["PATH"], "HOME": str(memory.home.parent)}
    return StdioServerParameters(command=str(COMMAND), args=["mcp"], env=env, cwd=str(folder))


async def tool(session: ClientSession, name: str, **arguments: object) -> str:
    result = await session.call_tool(name, arguments)
    assert not result.is_error
    part = result.content[0]
    assert isinstance(part, TextContent)
    return part.text


async def resource(session: ClientSession, url: str) -> str:
    part = (await session.read_resource(url)).contents[0]
    assert isinstance(part, TextResourceContents)
    return part.text


def test_a_client_lists_reads_searches_and_reports(memory: MemoryHome, tmp_path: Path) -> None:
    project = memory.project(tmp_path / "shop")
    memory.publish(
        project.id, ["tests run with `bun test`", "部署前必须轮换数据库密钥"], skills={"rotate-keys": "1. stop"}
    )
    other = memory.project(tmp_path / "other")
    memory.publish(other.id, ["bun is forbidden in the other project"])

    async def talk() -> None:
        async with (
            stdio_client(parameters(memory, tmp_path / "shop")) as (read, write),
            ClientSession(read, write) as session,
        ):
            await session.initialize()
            assert {str(found.uri) for found in (await session.list_resources()).resources} == {
                "memory://root", "memory://root/MEMORY.md"
            }  # fmt: skip
            assert {found.name for found in (await session.list_tools()).tools} == {
                "search_memory", "read_memory", "report_memory"
            }  # fmt: skip
            assert "bun test" in await resource(session, "memory://root")
            assert "# Memory of shop" in await resource(session, "memory://root/MEMORY.md")
            assert "1. stop" in await resource(session, "memory://root/skills/rotate-keys/SKILL.md")
            for url in (
                "memory://root/skills/none/SKILL.md",
                "memory://root/%2e%2e/%2e%2e/slowwave.db",
                "memory://root/x",
            ):
                with pytest.raises(MCPError):
                    await resource(session, url)
            found = await tool(session, "search_memory", query="bun")
            assert "[m1] tests run with `bun test`" in found and "MEMORY.md#L5" in found and "forbidden" not in found
            assert "[m2]" in await tool(session, "search_memory", query="密钥")
            assert await tool(session, "search_memory", query="zeppelin") == "Nothing in memory matches."
            assert (await tool(session, "search_memory", query="!")).startswith("Not searched")
            assert (
                await tool(session, "read_memory", url="memory://root/MEMORY.md#L5")
                == "- tests run with `bun test` [m1]\n"
            )
            assert (await tool(session, "read_memory", url="memory://root/../x")).startswith("Not read")
            assert await tool(session, "report_memory", entry="m1", verdict="helped") == "Recorded: m1 helped."
            assert await tool(session, "report_memory", entry="m2", verdict="wrong") == "Recorded: m2 wrong."
            assert await tool(session, "report_memory", entry="m99", verdict="helped") == "There is no entry m99 here."
            assert (await session.call_tool("report_memory", {"entry": "m1", "verdict": "perhaps"})).is_error

    anyio.run(talk)
    with Session(memory.engine) as session:
        entries = {(e.project_id, e.number): e for e in session.exec(select(Entry))}
    assert entries[project.id, 1].helped == 1 and entries[project.id, 1].wrong == 0
    assert entries[project.id, 2].wrong == 1 and entries[project.id, 2].helped == 0
    assert entries[project.id, 1].used >= 2 and entries[project.id, 1].last_used is not None
    assert (entries[other.id, 1].used, entries[other.id, 1].helped) == (0, 0)


def test_a_folder_without_memory_still_has_a_server(memory: MemoryHome, tmp_path: Path) -> None:
    async def talk() -> None:
        async with (
            stdio_client(parameters(memory, tmp_path / "new")) as (read, write),
            ClientSession(read, write) as session,
        ):
            await session.initialize()
            assert await tool(session, "search_memory", query="anything") == "Nothing in memory matches."
            assert (await tool(session, "read_memory")).startswith("Not read")

    anyio.run(talk)
