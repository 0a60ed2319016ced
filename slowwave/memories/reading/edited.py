"""A person's edits of published files in the block that an agent reads, before any run has taken them over.

Standard library only, because `slowwave hook` does this when a session starts: the files' hashes are compared with
those of the compiled block, and only where they differ is the block changed line by line. What may be damage is left to
the next run (`slowwave.memories.publishing.damage`): the block then stays as it was published.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from slowwave.memories.publishing.markdown import Block, blocks, marker_of, plain_text, situation_of
from slowwave.memories.reading.read_path import cut_block
from slowwave.text import canonical, estimate_tokens
from slowwave.text.hygiene import clean_line, harmless_markup
from slowwave.text.ids import escape_ids, harmless_ids, id_of_line

FILES = ("MEMORY.md", "memory_summary.md")
MAX_FILE = 4 * 1024 * 1024
SHARE = 3
VERSION_TOKENS = 10
_FIRST_ENTRY = re.compile(r"^- .*\[[mu]\d+\][ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Published:
    """What the compiled block of a project rests on: its live folder, the published files, the token limit."""

    folder: str
    files: Mapping[str, bytes]
    limit: int

    def to_json(self) -> bytes:
        """The bytes of the file that hooks read."""
        hashes = {path: _hash(data) for path, data in self.files.items()}
        texts = {path: data.decode("utf-8", "replace") for path, data in self.files.items()}
        value = {"folder": self.folder, "hashes": hashes, "limit": self.limit, "texts": texts}
        return json.dumps(value, ensure_ascii=False, sort_keys=True).encode()


@dataclass(slots=True)
class LineEdits:
    """What a person did to the lines of the files: rewritten and removed ids, and lines of their own."""

    rewritten: dict[str, str] = field(default_factory=dict)
    removed: set[str] = field(default_factory=set)
    added: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.rewritten or self.removed or self.added)


def with_edits(block: str, sidecar: bytes, redact: Callable[[str], str], *, prefix: str = "m") -> str:
    """The compiled block with what a person changed in the files since.

    `sidecar` is `Published.to_json`; `redact` replaces secrets in the lines that are taken over; `prefix` is `u` for
    the user level. The same files give the same bytes, and untouched files the block itself.
    """
    known: dict[str, Any] = json.loads(sidecar)
    edits = LineEdits()
    for path, digest in known["hashes"].items():
        live = _read(Path(known["folder"], path))
        if live is not None and _hash(live) != digest:
            _collect(edits, known["texts"][path], live, summary=path == FILES[1])
    return _applied(block, edits, redact, prefix, known["limit"]) if edits else block


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read(path: Path) -> bytes | None:
    try:
        with path.open("rb") as file:
            return file.read(MAX_FILE)
    except OSError:
        # Gone or unreadable: the next run publishes it again.
        return None


def _collect(edits: LineEdits, published: str, live: bytes, *, summary: bool) -> None:
    try:
        text = live.decode("utf-8-sig")
    except UnicodeDecodeError:
        return
    if "\0" in text or not marker_of(text) or marker_of(text) != marker_of(published):
        return
    old = _lines(published, {})
    new = _lines(text, old)
    mine_before, mine_after = _own(published, old), _own(text, new)
    words = {canonical(plain_text(line)) for line in mine_after}
    lost = {short_id for short_id, block in old.items() if short_id not in new and canonical(_text(block)) not in words}
    if len(lost) > max(1, len(old) // SHARE) or "\n<<<<<<< " in f"\n{text}":
        return
    edits.removed |= lost
    for short_id, block in new.items():
        if _said(block, summary) != _said(old[short_id], summary):
            edits.rewritten[short_id] = _said(block, summary)
    kept = {canonical(_text(block)) for block in old.values()}
    fresh = (mine_after - mine_before).elements()
    edits.added += [plain_text(line) for line in fresh if not summary and canonical(plain_text(line)) not in kept]


def _lines(text: str, published: Mapping[str, Block]) -> dict[str, Block]:
    """The block of each id: the published one where it still stands, else the first that ends in a published id."""
    found: dict[str, Block] = {}
    for block in blocks(text):
        if block.shape != "entry" or (published and block.id not in published):
            continue
        if block.id not in found or (block.id in published and block.text == published[block.id].text):
            found[block.id] = block
    return found


def _own(text: str, bearers: Mapping[str, Block]) -> Counter[str]:
    """Lines that are no entry; an ending that only looks like an id belongs to their words."""
    shown = {block.text for block in bearers.values()}
    own = (block for block in blocks(text) if block.shape in ("bullet", "entry") and block.text not in shown)
    return Counter(block.text if block.shape == "bullet" else harmless_ids(block.text) for block in own)


def _text(block: Block) -> str:
    return plain_text(block.text)


def _said(block: Block, summary: bool) -> str:
    """What the block's line says of an entry: MEMORY.md has the situation on a line of its own."""
    situation = "" if summary else situation_of(block.text)
    return _text(block) + (f" (when: {situation})" if situation else "")


def _applied(block: str, edits: LineEdits, redact: Callable[[str], str], prefix: str, limit: int) -> str:
    own = {f"{prefix}{short_id[1:]}": text for short_id, text in edits.rewritten.items()}
    gone = {f"{prefix}{short_id[1:]}" for short_id in edits.removed}
    out: list[str] = []
    dropping = False
    for line in block.split("\n"):
        short_id = id_of_line(line)
        dropping = short_id in gone or (dropping and line.startswith((" ", "\t")))
        if not dropping:
            out.append(f"- {_shown(own[short_id], redact)} [{short_id}]" if short_id in own else line)
    text = "\n".join(out)
    if edits.added and (first := _FIRST_ENTRY.search(text)) is not None:
        added = "".join(f"- {_shown(line, redact)}\n" for line in edits.added)
        text = text[: first.start()] + added + text[first.start() :]
    text = cut_block(text, lambda candidate: estimate_tokens(candidate) + VERSION_TOKENS <= limit)
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    return re.sub(r'(version="[^"+]*)(?:\+[0-9a-f]+)?"', rf'\1+{digest}"', text, count=1)


def _shown(text: str, redact: Callable[[str], str]) -> str:
    return harmless_markup(escape_ids(redact(clean_line(text))))
