"""Exported memory as a file: written from a state, and read back with suspicion.

An archive is judged whole before anything of it is stored: its size and the number of its parts before it is parsed,
then types, names, times and sizes, then every text by the secret scan.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel, TypeAdapter, ValidationError

from slowwave import __version__
from slowwave.errors import ConfigError, SecretFound
from slowwave.memories.consolidation.skills import MAX_BODY, valid_name
from slowwave.memories.context import GuardedScrubber
from slowwave.memories.publishing.edits import MEMORY, SUMMARY
from slowwave.memories.state.gate import LATEST, LONGEST_BLOCK, LONGEST_NOTE, LONGEST_QUOTE, LONGEST_TEXT
from slowwave.memories.state.values import EntryState, MemoryState, SkillState, dump_state
from slowwave.storage.tables import Project

FORMAT = "slowwave-memory-1"
MAX_FILE = 48 * 1024 * 1024
MAX_STATE = 96 * 1024 * 1024
MAX_PARTS = 4_000_000
MAX_ENTRIES = 50_000
MAX_EVIDENCE = 1_000
MAX_SKILLS = 1_000
MAX_NUMBER = 1_000_000_000
SCAN_CHARACTERS = 200_000


class _Archive(BaseModel):
    format: str
    state: str


_STATE = TypeAdapter(MemoryState)


def archive_of(project: Project, state: MemoryState) -> str:
    """The JSON text of an archive."""
    data = {
        "format": FORMAT,
        "version": __version__,
        "project": {"key": project.key, "name": project.name},
        "entries": [{"id": e.id, "kind": e.kind, "text": e.text, "status": e.status} for e in state.entries],
        "state": base64.b64encode(dump_state(state)).decode("ascii"),
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def read_archive(file: Path, scrubber: GuardedScrubber) -> MemoryState:
    """The state in an archive.

    Raises:
        ConfigError: it is no archive, too large, or holds what no state may hold; the message says what.
        SecretFound: it holds a secret; the message says where.
    """
    try:
        with file.open("rb") as opened:
            data = opened.read(MAX_FILE + 1)
        state = parse_state(_packed(data))
    except ValueError as error:
        reason = _first_line(error)
        raise ConfigError(f"{file} is no exported memory: {reason}", hint="`slowwave export` writes one.") from None
    _scan(file.name, state, scrubber)
    return state


def parse_state(packed: bytes) -> MemoryState:
    """A state from the bytes of `dump_state`, bounded and checked. Raises `ValueError` that says what is wrong."""
    unpacker = zlib.decompressobj()
    try:
        raw = unpacker.decompress(packed, MAX_STATE)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if unpacker.unconsumed_tail or not unpacker.eof:
        raise ValueError(f"its state is cut off, or larger than {MAX_STATE // 1024**2} MiB")
    state = _STATE.validate_json(_bounded(raw))
    _check(state)
    return state


def _packed(data: bytes) -> bytes:
    if len(data) > MAX_FILE:
        raise ValueError(f"it is larger than {MAX_FILE // 1024**2} MiB")
    archive = _Archive.model_validate_json(_bounded(data))
    if archive.format != FORMAT:
        raise ValueError(f"format {archive.format[:80]!r}")
    return base64.b64decode(archive.state, validate=True)


def _bounded(data: bytes) -> bytes:
    """Refuse JSON that would grow far beyond its size when it is parsed."""
    if data.count(b",") + data.count(b"[") + data.count(b"{") > MAX_PARTS:
        raise ValueError(f"it has more than {MAX_PARTS} parts")
    return data


def _first_line(error: ValueError) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        return f"{where}: {first['msg']}" if where else str(first["msg"])
    return str(error).split("\n", 1)[0]


def _check(state: MemoryState) -> None:
    if len(state.entries) > MAX_ENTRIES or len(state.skills) > MAX_SKILLS or len(state.notes) > MAX_ENTRIES:
        raise ValueError(f"it has more than {MAX_ENTRIES} entries or notes, or {MAX_SKILLS} skills")
    numbers = {entry.number for entry in state.entries}
    if len(numbers) != len(state.entries):
        raise ValueError("two entries share a number")
    for entry in state.entries:
        _check_entry(entry)
    for skill in state.skills:
        _check_skill(skill)
    if len({skill.name for skill in state.skills}) != len(state.skills):
        raise ValueError("two skills share a name")
    for note in state.notes:
        if note.path not in (MEMORY, SUMMARY) or len(note.text) > LONGEST_NOTE or len(note.anchor) > LONGEST_TEXT:
            raise ValueError(f"a note of {note.path[:80]!r} is too long, or no note of the memory files")


def _check_entry(entry: EntryState) -> None:
    if not 0 < entry.number <= MAX_NUMBER:
        raise ValueError(f"entry number {entry.number}")
    if not entry.text.strip():
        raise ValueError(f"entry {entry.id} says nothing")
    if max(len(entry.text), len(entry.situation)) > LONGEST_TEXT or len(entry.verbatim) > LONGEST_BLOCK:
        raise ValueError(f"entry {entry.id} is too long")
    if len(entry.evidence) > MAX_EVIDENCE or any(len(piece.quote) > LONGEST_QUOTE for piece in entry.evidence):
        raise ValueError(f"the evidence of entry {entry.id} is too long")
    if any(piece.at is not None and not 0 <= piece.at < LATEST for piece in entry.evidence):
        raise ValueError(f"entry {entry.id} has a time that no calendar has")


def _check_skill(skill: SkillState) -> None:
    if not valid_name(skill.name):
        raise ValueError(f"{skill.name[:80]!r} is no name of a skill")
    if len(skill.body) > MAX_BODY or len(skill.verbatim) > LONGEST_NOTE:
        raise ValueError(f"skill {skill.name} is too long")


def _scan(name: str, state: MemoryState, scrubber: GuardedScrubber) -> None:
    """Scan every text, many at a time; where a secret is found, once more one by one to say where."""
    chunk: list[tuple[str, str]] = []
    size = 0
    for where, text in [*texts_of(state), ("", "")]:
        if chunk and (size + len(text) > SCAN_CHARACTERS or not where):
            _scan_chunk(name, chunk, scrubber)
            chunk, size = [], 0
        chunk.append((where, text))
        size += len(text)


def _scan_chunk(name: str, chunk: list[tuple[str, str]], scrubber: GuardedScrubber) -> None:
    try:
        scrubber.assert_clean(name, "\n\n".join(text for _, text in chunk).encode("utf-8", "replace"))
    except SecretFound as found:
        for where, text in chunk:
            scrubber.assert_clean(f"{name}, {where}", text.encode("utf-8", "replace"))
        raise found


def texts_of(state: MemoryState) -> Iterator[tuple[str, str]]:
    """Every text of a state, with where it stands."""
    for entry in state.entries:
        for text in (entry.text, entry.situation, entry.verbatim, entry.status_reason):
            if text:
                yield f"entry {entry.id}", text
        for piece in entry.evidence:
            yield f"a quote of entry {entry.id}", "\n".join(filter(None, (piece.quote, piece.session_id, piece.uid)))
    for skill in state.skills:
        yield f"skill {skill.name}", "\n\n".join((skill.name, skill.description, skill.body, skill.verbatim))
    for note in state.notes:
        yield f"a note in {note.path}", note.text


def without_secrets(state: MemoryState, scrubber: GuardedScrubber) -> MemoryState:
    """The state with every secret in it replaced: for one that was stored before it was scanned."""

    def clean(text: str) -> str:
        return scrubber.propagate(scrubber.redact(text).text) if text else text

    entries = tuple(
        replace(
            entry,
            text=clean(entry.text),
            situation=clean(entry.situation),
            verbatim=clean(entry.verbatim),
            evidence=tuple(replace(piece, quote=clean(piece.quote)) for piece in entry.evidence),
        )
        for entry in state.entries
    )
    skills = tuple(
        replace(s, description=clean(s.description), body=clean(s.body), verbatim=clean(s.verbatim))
        for s in state.skills
    )
    notes = tuple(replace(note, text=clean(note.text)) for note in state.notes)
    return replace(state, entries=entries, skills=skills, notes=notes)
