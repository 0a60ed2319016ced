"""A conversation with the in-session layers. Run it with an endpoint of yours:

ANTHROPIC_BASE_URL=http://127.0.0.1:8000 ANTHROPIC_API_KEY=none python docs/examples/conversation.py
"""

from __future__ import annotations

import sys
from pathlib import Path

from anthropic import Anthropic

from slowwave.conversation import Conversation, Tool
from slowwave.session.events import SessionEvent, json_line


def list_files(given: dict[str, object]) -> str:
    """A tool: the names in a folder."""
    return "\n".join(sorted(path.name for path in Path(str(given.get("folder", "."))).iterdir()))


FILES = Tool(
    "list_files",
    "List the names in a folder.",
    {"type": "object", "properties": {"folder": {"type": "string"}}, "required": ["folder"]},
    list_files,
)


def on_event(event: SessionEvent) -> None:
    """Events as JSON lines, apart from the answer."""
    print(json_line(event), file=sys.stderr)


def main() -> None:
    """Two turns, one of them streamed, then what the layers hold."""
    with Conversation(
        Anthropic(),
        model="claude-haiku-5-5",
        session_id="example",
        project_id="example",
        system="You are a careful engineer.",
        tools=[FILES],
        on_event=on_event,
    ) as talk:
        print(talk.send("Build the importer for the price list. Never touch the billing tables.").text)
        for text in talk.stream("Which files are there to start from?"):
            print(text, end="", flush=True)
        print()
        talk.maintain()
        print(talk.memory.state().snapshot)
        print(f"read from the cache: {talk.cache_use.read_share:.0%}")


if __name__ == "__main__":
    main()
