"""The SDK's memory tool over the same files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from anthropic import Anthropic
from anthropic.lib.tools import ToolError

from slowwave.conversation.memory_tool import MemoryTool
from slowwave.session.flushing.shards import Shards
from tests.support.loopback import LoopbackServer, RequestRecord, Step


@pytest.fixture
def tool(tmp_path: Path) -> MemoryTool:
    return MemoryTool(Shards(tmp_path, zone="UTC"))


def call(tool: MemoryTool, **command: object) -> str:
    return str(tool.call(command))


def test_what_is_created_can_be_viewed(tool: MemoryTool) -> None:
    assert "2 new lines in /memories/memory.md" in call(
        tool, command="create", path="/memories/memory.md", file_text="One thing.\nAnother thing.\n"
    )
    assert call(tool, command="view", path="/memories").splitlines()[1:] == ["/memories/memory.md"]
    assert "     1\t- One thing." in call(tool, command="view", path="/memories/memory.md")
    assert call(tool, command="view", path="/memories/memory.md", view_range=[2, 2]).endswith("- Another thing.")


def test_creating_again_appends_and_other_paths_are_redirected(tool: MemoryTool) -> None:
    call(tool, command="create", path="/memories/memory.md", file_text="One thing.")
    told = call(tool, command="create", path="/memories/memory.md", file_text="One thing.\nNew thing.")
    assert "1 new lines" in told
    told = call(tool, command="insert", path="/memories/../../x.md", insert_line=0, insert_text="Kept.")
    assert "is not writable" in told
    assert "memory.md" in tool.shards.files()


@pytest.mark.parametrize(
    "command",
    [
        {"command": "str_replace", "path": "/memories/memory.md", "old_str": "a", "new_str": "b"},
        {"command": "delete", "path": "/memories/memory.md"},
        {"command": "rename", "old_path": "/memories/memory.md", "new_path": "/memories/x.md"},
    ],
)
def test_nothing_is_changed_or_deleted(tool: MemoryTool, command: dict[str, object]) -> None:
    call(tool, command="create", path="/memories/memory.md", file_text="One thing.")
    with pytest.raises(ToolError, match="append-only"):
        call(tool, **command)
    assert tool.shards.read("memory.md") == "- One thing.\n"


@pytest.mark.parametrize("path", ["/etc/passwd", "/memories/../secret.md", "/memories/none.md"])
def test_nothing_else_can_be_read(tool: MemoryTool, path: str, tmp_path: Path) -> None:
    (tmp_path.parent / "secret.md").write_text("secret")
    with pytest.raises(ToolError):
        call(tool, command="view", path=path)


def test_it_answers_the_calls_of_a_model(tool: MemoryTool) -> None:
    def answer(record: RequestRecord) -> Step:
        if len(record.json["messages"]) > 1:
            return Step(text="Noted.")
        given = {"command": "create", "path": "/memories/memory.md", "file_text": "The user likes tabs."}
        return Step(content=[{"type": "tool_use", "id": "t", "name": "memory", "input": given}], stop_reason="tool_use")

    history: list[dict[str, Any]] = [{"role": "user", "content": "Remember that I like tabs"}]
    with LoopbackServer() as server:
        server.script(answer, times=None)
        client: Any = Anthropic(api_key="k-" + "local", base_url=server.base_url, max_retries=0)
        for _ in range(2):
            reply = client.messages.create(model="m", max_tokens=100, messages=history, tools=[tool.to_dict()])
            results = [
                {"type": "tool_result", "tool_use_id": block.id, "content": tool.call(block.input)}
                for block in reply.content
                if block.type == "tool_use"
            ]
            history += [{"role": "assistant", "content": reply.content}, {"role": "user", "content": results}]
    assert reply.content[0].text == "Noted."
    assert server.messages[0].json["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    assert tool.shards.read("memory.md") == "- The user likes tabs.\n"
