"""The SDK's memory tool (`memory_20250818`) over a profile's memory files, so that a model reads and adds to the same
store that a flush writes to.

Reading is free. Writing only ever adds lines: `create` and `insert` append what is not there yet, wherever the model
wanted it. Changing and deleting is for people; those commands are refused with a sentence that says so.
"""

from __future__ import annotations

from anthropic.lib.tools import BetaAbstractMemoryTool, ToolError
from anthropic.types.beta import (
    BetaMemoryTool20250818CreateCommand,
    BetaMemoryTool20250818DeleteCommand,
    BetaMemoryTool20250818InsertCommand,
    BetaMemoryTool20250818RenameCommand,
    BetaMemoryTool20250818StrReplaceCommand,
    BetaMemoryTool20250818ViewCommand,
)

from slowwave.errors import SlowwaveError
from slowwave.session.flushing.shards import Shards

ROOT = "/memories"
REFUSED = "Memory is append-only here: add a line that corrects the old one. A person can edit the file."


class MemoryTool(BetaAbstractMemoryTool):
    """Give it to `client.beta.messages.tool_runner(tools=[MemoryTool(shards)])`."""

    def __init__(self, shards: Shards) -> None:
        super().__init__()
        self.shards = shards

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """List the files, or show one with line numbers."""
        path = _relative(command.path)
        if path in ("", "memory", "memory/topics"):
            found = [name for name in self.shards.files() if name.startswith(path)]
            return "\n".join([f"Files in {ROOT}:", *(f"{ROOT}/{name}" for name in found)])
        text = self.shards.read(path)
        if not text:
            raise ToolError(f"The path {command.path} does not exist.")
        lines = text.splitlines()
        first, last = (command.view_range or [1, -1])[:2]
        end = len(lines) if last < 0 else last
        return "\n".join(f"{n:>6}\t{line}" for n, line in enumerate(lines, 1) if first <= n <= end)

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Append the lines of a text."""
        return self._append(command.path, command.file_text)

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Append the lines of a text; a place in the middle is not kept."""
        return self._append(command.path, command.insert_text)

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Refused."""
        raise ToolError(REFUSED)

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Refused."""
        raise ToolError(REFUSED)

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Refused."""
        raise ToolError(REFUSED)

    def clear_all_memory(self) -> str:
        """Refused."""
        raise ToolError(REFUSED)

    def _append(self, path: str, text: str) -> str:
        try:
            written = self.shards.write(text.splitlines(), path=_relative(path))
        except SlowwaveError as error:
            raise ToolError(f"Nothing was written: {error.reason}.") from error
        place = f" ({written.redirected} is not writable)" if written.redirected else ""
        return f"{len(written.lines)} new lines in {ROOT}/{written.path}{place}."


def _relative(path: str) -> str:
    return path.strip().removeprefix(ROOT).lstrip("/")
