"""The kinds of change that an installation makes to a file, each with its undo by form.

The undo by form is for files that a person changed after the installation; an untouched file gets its old bytes back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import tomlkit
from tomlkit.exceptions import TOMLKitError

from slowwave.agents.blocks import with_block, without_block
from slowwave.agents.hook.settings import with_hooks, without_hooks
from slowwave.agents.install.jsonc import find, remove, set_in
from slowwave.agents.install.status_settings import with_status_line, without_status_line
from slowwave.errors import AgentIntegrationError

OWN_MARKS = ("Written by `slowwave install`", "Run `slowwave` with the arguments")


class Editor(Protocol):
    """One kind of change. Both methods raise `AgentIntegrationError` for a text that they cannot edit safely."""

    @property
    def kind(self) -> str:
        """What the receipt calls it."""
        ...

    def add(self, text: str) -> str:
        """The text with our part, given one without it."""
        ...

    def take_out(self, text: str) -> str:
        """The text without our part."""
        ...


@dataclass(frozen=True, slots=True)
class HookTable:
    """Our groups in a hook table."""

    groups: Mapping[str, dict[str, Any]]
    kind: str = "hooks"

    def add(self, text: str) -> str:
        """Append one group for each event."""
        return with_hooks(text, self.groups)

    def take_out(self, text: str) -> str:
        """Remove our handlers and what only held them."""
        return without_hooks(text)


@dataclass(frozen=True, slots=True)
class StatusLine:
    """Our status line, where the person has none."""

    value: Mapping[str, str]
    kind: str = "status"

    def add(self, text: str) -> str:
        """Set it, unless there is one."""
        return with_status_line(text, self.value)

    def take_out(self, text: str) -> str:
        """Remove ours."""
        return without_status_line(text)


@dataclass(frozen=True, slots=True)
class MarkedBlock:
    """A block between our marks in a person's markdown file."""

    content: str = ""
    kind: str = "block"

    def add(self, text: str) -> str:
        """Put the block at the end, or renew it where it stands."""
        return with_block(text, self.content)

    def take_out(self, text: str) -> str:
        """Remove the block."""
        return without_block(text)


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A file that is wholly ours."""

    content: str = ""
    kind: str = "own"

    def add(self, text: str) -> str:
        """Replace everything."""
        return self.content

    def take_out(self, text: str) -> str:
        """Nothing of it is anybody else's."""
        return ""


@dataclass(frozen=True, slots=True)
class JsonMember:
    """One member of a settings object, such as the entry of the MCP server."""

    path: tuple[str, ...]
    value: Any
    kind: str = "json"

    def add(self, text: str) -> str:
        """Set the member."""
        return set_in(text, self.path, self.value)

    def take_out(self, text: str) -> str:
        """Remove the member, and the object around it when nothing else is in it."""
        text = remove(text, self.path)
        parent = find(text, self.path[:-1])
        return text if parent is None or parent.items or len(self.path) < 2 else remove(text, self.path[:-1])


@dataclass(frozen=True, slots=True)
class Version:
    """The version that a hook table has to name. It stays where a person's own hooks need it too."""

    value: int = 1
    kind: str = "version"

    def add(self, text: str) -> str:
        """Set it where there is none."""
        return text if find(text, ("version",)) is not None else set_in(text, ("version",), self.value)

    def take_out(self, text: str) -> str:
        """Remove it where nothing else is left."""
        found = find(text, ())
        return remove(text, ("version",)) if found is not None and len(found.items) == 1 else text


@dataclass(frozen=True, slots=True)
class TomlTable:
    """One table of a TOML file."""

    path: tuple[str, str]
    value: Mapping[str, Any]
    kind: str = "toml"

    def add(self, text: str) -> str:
        """Set the table; comments and order stay."""
        document = _toml(text)
        group = document.setdefault(self.path[0], tomlkit.table(is_super_table=True))
        table = tomlkit.table()
        table.update(self.value)
        group[self.path[1]] = table
        return tomlkit.dumps(document)

    def take_out(self, text: str) -> str:
        """Remove the table, and its group when nothing else is in it."""
        document = _toml(text)
        group = document.get(self.path[0])
        if group is None or self.path[1] not in group:
            return text
        del group[self.path[1]]
        if not group:
            del document[self.path[0]]
        return tomlkit.dumps(document)


@dataclass(frozen=True, slots=True)
class Several:
    """Several changes to one file."""

    editors: tuple[Editor, ...]
    kind: str = "settings"

    def add(self, text: str) -> str:
        """Make all of them, in order."""
        for editor in self.editors:
            text = editor.add(text)
        return text

    def take_out(self, text: str) -> str:
        """Undo all of them, the last one first."""
        for editor in reversed(self.editors):
            text = editor.take_out(text)
        return text


def _toml(text: str) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(text)
    except TOMLKitError as error:
        raise AgentIntegrationError(f"not TOML: {error}", hint="Correct the file by hand first.") from error


def is_ours(text: str) -> bool:
    """Tell whether a whole file is one of ours by what it says."""
    return any(mark in text for mark in OWN_MARKS)
