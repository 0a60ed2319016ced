"""The map of rooms is the tree's: docs/architecture.md names each package, and none that is not there."""

from __future__ import annotations

import ast
import re

from tests.conftest import ROOT

ROW = re.compile(r"^\| `([\w/]+)` \|", re.MULTILINE)
MOST_MODULES = 13
ONE_FOR_EACH = {
    "slowwave/rollouts/agents": "one reader for each agent",
    "slowwave/text/languages": "one module for each language",
}


def packages() -> dict[str, int]:
    """Every room with the number of its own modules."""
    found: dict[str, int] = {}
    for top in ("slowwave", "flows", "storage"):
        for init in (ROOT / top).rglob("__init__.py"):
            folder = init.parent.relative_to(ROOT)
            if folder.parts[:2] in (("slowwave", "storage"), ("slowwave", "flows")) or folder.parts == ("slowwave",):
                continue
            found[folder.as_posix()] = sum(path.name != "__init__.py" for path in init.parent.glob("*.py"))
    found.pop("storage/migrations/versions", None)
    return found


def test_every_room_is_on_the_map_and_no_other() -> None:
    named = ROW.findall((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"))
    assert sorted(named) == sorted(packages())


def test_a_room_can_be_read_off_the_tree() -> None:
    crowded = {room: count for room, count in packages().items() if count > MOST_MODULES and room not in ONE_FOR_EACH}
    assert not crowded, "split it into rooms that say what they are, or merge what belongs together"


QUERY_WORDS = {"select", "insert", "update", "delete", "text", "func", "col", "bindparam"}
ASK_STORAGE = ("agents", "cli", "conversation", "llm", "mcp", "orchestration", "session")


def test_commands_and_models_ask_storage_and_write_no_query() -> None:
    found = []
    for room in ASK_STORAGE:
        for file in (ROOT / "slowwave" / room).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module in {"sqlmodel", "sqlalchemy"}:
                    words = QUERY_WORDS & {name.name for name in node.names}
                    found += [f"{file.relative_to(ROOT)}: {word}" for word in sorted(words)]
    assert not found, "storage/queries is the place"
