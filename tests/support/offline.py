"""Builders of normalised items for the offline extractor's tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from slowwave.llm.base import CandidateView, ExtractRequest
from slowwave.llm.offline.extractor import extract_reply
from slowwave.llm.offline.settled import is_settled
from slowwave.llm.prompting.schemas import ProposedMemory, StageOneReply
from slowwave.rollouts.model import Item, ItemKind, Role
from slowwave.storage.types import MemoryKind


@dataclass
class Log:
    """A session under construction: each method appends items and returns the log."""

    cwd: str = "/srv/app"
    items: list[Item] = field(default_factory=list)

    def _add(self, role: Role, kind: ItemKind, text: str, **more: object) -> Log:
        self.items.append(Item(len(self.items), role, kind, text, cwd=self.cwd, **more))  # type: ignore[arg-type]
        return self

    def user(self, text: str) -> Log:
        return self._add(Role.USER, ItemKind.USER_TEXT, text)

    def context(self, text: str) -> Log:
        return self._add(Role.USER, ItemKind.CONTEXT, text)

    def agent(self, text: str) -> Log:
        return self._add(Role.ASSISTANT, ItemKind.ASSISTANT_TEXT, text)

    def run(self, command: str, output: str = "", exit: int | None = 0, tool: str = "Bash") -> Log:
        call_id = f"call-{len(self.items)}"
        self._add(Role.ASSISTANT, ItemKind.TOOL_CALL, command, tool=tool, call_id=call_id)
        failed = None if exit is None else exit != 0
        return self._add(
            Role.TOOL, ItemKind.TOOL_RESULT, output, tool=tool, call_id=call_id, exit_status=exit, failed=failed
        )

    def edit(self, path: str = "src/app.py") -> Log:
        return self.run(f'{{"file_path": "{path}"}}', "updated", tool="Edit")

    def reply(self) -> StageOneReply:
        return extract_reply(request(self.items))

    def published(self) -> list[ProposedMemory]:
        """What stands after one night, without another session that says the same: all but what waits."""
        return [memory for memory in self.reply().memories if not waits(memory)]

    def texts(self) -> list[str]:
        return [memory.text for memory in self.published()]


def waits(memory: ProposedMemory) -> bool:
    view = CandidateView(
        "s1.1",
        "agent:1",
        memory.kind,
        memory.text,
        memory.situation,
        memory.standing,
        tuple(quote.quote for quote in memory.evidence),
        "2026-03-10",
    )
    return memory.kind is not MemoryKind.WORKFLOW and not is_settled([view])


def request(items: Sequence[Item]) -> ExtractRequest:
    return ExtractRequest("agent:1", "agent", "app", tuple(items))
