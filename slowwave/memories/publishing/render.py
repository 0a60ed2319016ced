"""From a project's state to the files that agents read. The same state gives the same bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from slowwave.memories.consolidation.skills import valid_name
from slowwave.memories.publishing.edits import MEMORY, SUMMARY
from slowwave.memories.publishing.markdown import MARKER_PREFIX, SECTION_TITLES, TOP
from slowwave.memories.state.ranking import newest_evidence, ranked
from slowwave.memories.state.values import EntryState, MemoryState, NoteState, SkillState, by_kind
from slowwave.memories.text import slugify
from slowwave.storage.proposals import OpenSession
from slowwave.storage.types import EntryStatus
from slowwave.text import estimate_tokens, shorten
from slowwave.text.hygiene import clean, clean_line
from slowwave.text.ids import escape_ids

SUMMARY_CHARACTERS = 8000
SUMMARY_LINES = 200
INDEX_SHARE = 0.25
TOPIC_CHARACTERS = 60
ARCHIVE = "archive.md"
OPEN_WORK = "open_work.md"
OPEN_TOKENS = 150

FIRST_TIME, LAST_TIME = -62_135_596_800.0, 253_402_300_800.0
"""The years 1 to 9999, in seconds since the epoch."""

Render = Callable[..., str]


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """What `rollout_summaries/` says of a kept session. `date` is its last activity, seconds since the epoch."""

    thread_id: str
    session_id: str
    agent: str
    slug: str
    outcome: str
    summary: str
    branch: str = ""
    date: float | None = None


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """Limits that settings give."""

    max_entries_per_section: int = 60
    max_session_summaries: int = 256
    open_work_days: float = 14.0


def render_files(
    name: str,
    state: MemoryState,
    sessions: Sequence[SessionSummary],
    carried: Mapping[str, bytes],
    render: Render,
    options: RenderOptions | None = None,
    open_work: Sequence[OpenSession] = (),
) -> dict[str, bytes]:
    """Return every file of a version by its path below the memory root. `render(template, **variables)` is the
    template loader; `open_work` is what the last session of each branch left open, newest first."""
    options = options or RenderOptions()
    kept, archived = _capped(state, options.max_entries_per_section)
    files = {
        MEMORY: _with_marker(_memory(name, state, kept, render), state),
        SUMMARY: _with_marker(_summary(name, state, kept, render, open_work), state),
    }
    if archived:
        entries = [_entry_view(entry, {}) for entry in archived]
        text = render(
            "MEMORY.md.j2",
            title=_named(f"# Older memory of {name}"),
            marker=_PLACEHOLDER,
            preamble=[],
            sections=[{"title": "Archive", "entries": entries, "notes": []}],
            trailer=[],
        )
        files[ARCHIVE] = _with_marker(text, state)
    for skill in state.skills:
        if skill.status is EntryStatus.ACTIVE:
            files[f"skills/{skill.name}/SKILL.md"] = _skill(skill, state, render)
    if open_work:
        files[OPEN_WORK] = _tidy(_open_work(name, open_work, render)).encode()
    files.update(_session_files(sessions, state, render))
    files.update(carried)
    return dict(sorted(files.items()))


_PLACEHOLDER = f"{MARKER_PREFIX}-->"


def _with_marker(text: str, state: MemoryState) -> bytes:
    """Put the marker in: a hash of everything else and the date of the newest evidence."""
    text = _tidy(text)
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    newest = newest_evidence(state)
    dated = f"; newest evidence {day(newest)}" if newest is not None else ""
    return text.replace(_PLACEHOLDER, f"{MARKER_PREFIX}version {digest}{dated} -->", 1).encode()


def _tidy(text: str) -> str:
    """Templates may leave runs of blank lines; a file has none outside code fences and ends with one newline."""
    lines: list[str] = []
    fenced = False
    for line in text.split("\n"):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        if fenced:
            lines.append(line)
        elif line.strip() or (lines and lines[-1].strip()):
            lines.append(line.rstrip())
    while lines and not lines[-1].strip():
        lines.pop()
    return "\n".join(lines) + "\n"


def day(at: float | None) -> str:
    """A time as a date in UTC, `unknown date` when there is none, or none that a calendar has."""
    if at is None or not FIRST_TIME <= at < LAST_TIME:
        return "unknown date"
    return datetime.fromtimestamp(at, UTC).date().isoformat()


def _line(text: str) -> str:
    """A text within a line of a file: it can neither start another line nor pose as an id."""
    return escape_ids(clean_line(text))


def _named(title: str) -> str:
    """A title, which stands above the marker and cannot pose as it."""
    return _line(title).replace("<!--", "<! --")


def _support(entry: EntryState) -> str:
    times = entry.confirmations
    return f"{times} session{'s' if times != 1 else ''}, last {day(entry.last_confirmed)}"


def _capped(state: MemoryState, limit: int) -> tuple[frozenset[int], tuple[EntryState, ...]]:
    kept: set[int] = set()
    archived: list[EntryState] = []
    order = ranked(state)
    for _, entries in by_kind(state):
        numbers = {entry.number for entry in entries}
        best = [entry for entry in order if entry.number in numbers]
        kept.update(entry.number for entry in best[:limit])
        archived.extend(entry for entry in best[limit:] if not entry.locked)
        kept.update(entry.number for entry in best[limit:] if entry.locked)
    return frozenset(kept), tuple(sorted(archived, key=lambda entry: entry.number))


def _entry_view(entry: EntryState, notes: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    return {
        "id": entry.id,
        "text": _line(entry.text),
        "situation": _line(entry.situation),
        "support": _support(entry),
        "verbatim": entry.verbatim,
        "notes": list(notes.get(entry.id, ())),
    }


def _notes_by_anchor(
    notes: Iterable[NoteState], path: str, anchors: set[str]
) -> tuple[dict[str, list[str]], list[str]]:
    placed: dict[str, list[str]] = {}
    homeless: list[str] = []
    for note in sorted((note for note in notes if note.path == path), key=lambda note: note.position):
        if note.anchor in anchors:
            placed.setdefault(note.anchor, []).append(note.text)
        else:
            homeless.append(note.text)
    return placed, homeless


def _memory(name: str, state: MemoryState, kept: frozenset[int], render: Render) -> str:
    sections = [(kind, [e for e in entries if e.number in kept]) for kind, entries in by_kind(state)]
    anchors = {TOP} | {e.id for _, entries in sections for e in entries}
    anchors |= {f"## {SECTION_TITLES[kind]}" for kind, _ in sections}
    notes, homeless = _notes_by_anchor(state.notes, MEMORY, anchors)
    return render(
        "MEMORY.md.j2",
        title=_named(f"# Memory of {name}"),
        marker=_PLACEHOLDER,
        preamble=_spaced(notes.get(TOP, [])),
        sections=[
            {
                "title": SECTION_TITLES[kind],
                "entries": [_entry_view(entry, notes) for entry in entries],
                "notes": _spaced(notes.get(f"## {SECTION_TITLES[kind]}", [])),
            }
            for kind, entries in sections
        ],
        trailer=homeless,
    )


def _spaced(texts: Sequence[str]) -> list[str]:
    return ["\n" + text + "\n" for text in texts]


def _open_work(name: str, sessions: Sequence[OpenSession], render: Render) -> str:
    views = [
        {
            "date": day(session.at),
            "branch": _line(session.branch),
            "agent": _line(session.agent),
            "session_id": _line(session.session_id),
            "points": [
                {"text": _line(str(point["text"])), "quote": _line(str(point["evidence"][0]["quote"]))}
                for point in session.points
            ],
        }
        for session in sessions
    ]
    return render("open_work.md.j2", name=_named(name), sessions=views)


def _stands(sessions: Sequence[OpenSession]) -> list[str]:
    """What the summary says of the newest session, as far as its tokens reach."""
    lines: list[str] = []
    for point in sessions[0].points if sessions else ():
        line = _line(str(point["text"]))
        if estimate_tokens(" ".join((*lines, line))) > OPEN_TOKENS:
            break
        lines.append(line)
    return lines


def _summary(
    name: str, state: MemoryState, kept: frozenset[int], render: Render, open_work: Sequence[OpenSession]
) -> str:
    """Fill the summary with the most useful entries; what does not fit is named in the index."""
    candidates = [entry for entry in ranked(state) if entry.number in kept and not entry.summary_hidden]
    skills = [skill for skill in state.skills if skill.status is EntryStatus.ACTIVE]
    anchors = {TOP} | {entry.id for entry in candidates}
    notes, homeless = _notes_by_anchor(state.notes, SUMMARY, anchors)

    def text_of(count: int, topics: int) -> str:
        shown = candidates[:count]
        return render(
            "memory_summary.md.j2",
            title=_named(f"# What is remembered about {name}"),
            marker=_PLACEHOLDER,
            preamble=_spaced(notes.get(TOP, [])),
            entries=[_entry_view(entry, notes) for entry in shown],
            open_work=_stands(open_work),
            open_since=day(open_work[0].at) if open_work else "",
            trailer=homeless + [text for entry in candidates[count:] for text in notes.get(entry.id, [])],
            more=_index(state, {entry.number for entry in shown}, topics),
            skills=[{"name": s.name, "description": _line(shorten(s.description, 160))} for s in skills[:topics]],
        )

    for topics in (12, 6, 3, 1, 0):
        low, high = 0, len(candidates)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if _fits(text_of(middle, topics)) else (low, middle - 1)
        text = text_of(low, topics)
        if _fits(text) and (low == len(candidates) or len(text) > SUMMARY_CHARACTERS * (1 - INDEX_SHARE) or not topics):
            return text
    return text_of(0, 0)


def _fits(text: str) -> bool:
    tidy = _tidy(text)
    return len(tidy) + 80 <= SUMMARY_CHARACTERS and tidy.count("\n") <= SUMMARY_LINES


def _index(state: MemoryState, shown: set[int], topics: int) -> list[dict[str, Any]]:
    rest = []
    for kind, entries in by_kind(state):
        hidden = [entry for entry in entries if entry.number not in shown]
        if hidden and topics:
            names = [_line(shorten(entry.situation or entry.text, TOPIC_CHARACTERS)) for entry in hidden[:topics]]
            rest.append({"title": SECTION_TITLES[kind], "topics": list(dict.fromkeys(names))})
    return rest


def _skill(skill: SkillState, state: MemoryState, render: Render) -> bytes:
    if skill.verbatim:
        return skill.verbatim.encode()
    if not valid_name(skill.name):
        raise ValueError(f"skill name {skill.name!r} is not valid")
    entries = [f"m{number}" for number in skill.entries if (e := state.entry(f"m{number}")) is not None and e.active]
    text = render(
        "SKILL.md.j2",
        name=skill.name,
        description=json.dumps(skill.description, ensure_ascii=False),
        body=skill.body.strip(),
        entries=entries,
    )
    return _tidy(text).encode()


def _session_files(sessions: Sequence[SessionSummary], state: MemoryState, render: Render) -> dict[str, bytes]:
    supports: dict[str, set[str]] = {}
    for entry in state.active:
        for piece in entry.evidence:
            if piece.thread_id is not None:
                supports.setdefault(piece.thread_id, set()).add(entry.id)
    files: dict[str, bytes] = {}
    for session in sorted(sessions, key=lambda session: (session.date or 0.0, session.thread_id)):
        slug = slugify(session.slug) or hashlib.sha256(session.thread_id.encode()).hexdigest()[:8]
        stem = f"rollout_summaries/{day(session.date).replace(' ', '-')}-{slug}"
        path, copy = f"{stem}.md", 2
        while path in files:
            path, copy = f"{stem}-{copy}.md", copy + 1
        title, _, rest = session.summary.strip().partition("\n")
        text = render(
            "rollout_summary.md.j2",
            title=_line(title.lstrip("# ")),
            session_id=_line(session.session_id),
            agent=_line(session.agent),
            date=day(session.date),
            outcome=_line(session.outcome),
            branch=_line(session.branch),
            entries=sorted(supports.get(session.thread_id, ()), key=lambda short_id: int(short_id[1:])),
            summary=clean(rest).strip(),
        )
        files[path] = _tidy(text).encode()
    return files
