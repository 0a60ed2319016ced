"""Amp's threads that lie on this machine: one JSON document each.

``~/.local/share/amp/threads/T-*.json`` (``$AMP_THREADS_DIR``, ``$XDG_DATA_HOME``). Newer versions keep threads on the
vendor's server only. Form as public readers of it describe it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from slowwave.rollouts.base import BaseReader
from slowwave.rollouts.blocks import MessagePass
from slowwave.rollouts.lines import Record
from slowwave.rollouts.model import LogFile
from slowwave.rollouts.passes import LogPass
from slowwave.rollouts.stores.documents import document
from slowwave.rollouts.stores.workspaces import folder_of
from slowwave.rollouts.values import dict_in, list_in, optional_text, parse_time, squeezed, text_in
from slowwave.rollouts.walk import files_below

_MESSAGE = re.compile(r'\{\s*"(?:role|messageId)"\s*:')


class AmpReader(BaseReader):
    """Reader of Amp's threads."""

    agent = "amp"

    def discover(self, env: Mapping[str, str], home: Path) -> Iterator[LogFile]:
        """Every thread."""
        named, base = env.get("AMP_THREADS_DIR", "").strip(), env.get("XDG_DATA_HOME", "").strip()
        data = Path(base) if base else home / ".local" / "share"
        for log in files_below(Path(named) if named else data / "amp" / "threads", self.agent, (".json",), depth=0):
            if log.path.name.startswith("T-"):
                yield log

    def recognises(self, head: bytes) -> bool:
        """A thread's revision and id."""
        head = squeezed(head)
        return head.startswith(b"{") and b'"id":"T-' in head and b'"v":' in head

    def begin(self, log: LogFile) -> MessagePass:
        """Start a pass."""
        return MessagePass(log, log.path.stem)

    def records(self, log: LogFile, state: LogPass) -> Iterator[Record]:
        """The thread's own fields, then its messages."""
        found = document(log.path, state.facts, "messages", _MESSAGE)
        yield {key: value for key, value in found.items() if key != "messages"} | {"v": found.get("v")}
        yield from (message for message in list_in(found, "messages") if isinstance(message, dict))

    def take(self, state: LogPass, record: Record) -> None:
        """Feed the thread's fields or one message to the pass."""
        assert isinstance(state, MessagePass)
        facts = state.facts
        if "v" in record:
            facts.session_id = optional_text(record, "id") or facts.session_id
            facts.title = optional_text(record, "title")
            facts.started = parse_time(record.get("created"))
            for tree in list_in(dict_in(dict_in(record, "env"), "initial"), "trees")[:1]:
                facts.cwd = state.cwd = folder_of(text_in(tree, "uri"))
                facts.branch = text_in(dict_in(tree, "repository"), "ref").removeprefix("refs/heads/") or None
            return
        usage = dict_in(record, "usage")
        facts.model = optional_text(usage, "model") or facts.model
        time = parse_time(dict_in(record, "meta").get("sentAt") or usage.get("timestamp"))
        state.message(text_in(record, "role"), record.get("content"), time=time)
