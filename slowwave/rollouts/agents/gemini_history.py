"""The messages of a Gemini CLI log in their last form. Only places are kept in memory, not messages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, BinaryIO

import orjson

from slowwave.rollouts.lines import MAX_LINE, Record, Records
from slowwave.rollouts.model import SessionFacts
from slowwave.rollouts.stores.documents import objects_in
from slowwave.rollouts.values import list_in, optional_text, text_in

GONE = "\0gone"
"""Key that marks a message which the user rewound."""

_MESSAGE_START = re.compile(r'\{\s*"id"\s*:\s*"')


class _Place:
    """Where the last form of a message lies: its line, and its position in that line's list of messages."""

    __slots__ = ("gone", "length", "offset", "uid", "within")

    def __init__(self, offset: int, length: int, uid: str | None, within: int | None) -> None:
        self.offset = offset
        self.length = length
        self.uid = uid
        self.within = within
        self.gone = False


class _Fetch:
    """Reads messages at their places; the line read last is kept, since one line can hold many messages."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._offset = -1
        self._line: list[Record] = []

    def __call__(self, place: _Place) -> Record | None:
        if place.offset != self._offset:
            self._stream.seek(place.offset)
            self._offset, self._line = place.offset, list(Records(self._stream, limit=place.length))
        for record in reversed(self._line):
            if place.within is None:
                if isinstance(record.get("type"), str) and optional_text(record, "id") == place.uid:
                    return dict(record)
                continue
            holder = record.get("$set") if isinstance(record.get("$set"), dict) else record
            messages = list_in(holder, "messages")
            if place.within < len(messages) and isinstance(messages[place.within], dict):
                return dict(messages[place.within])
        return None


def history(stream: BinaryIO, facts: SessionFacts) -> Iterator[Record]:
    """Yield the header and the messages of a log in either form. Damage is counted in `facts`."""
    head = stream.read(4096).lstrip(b"\xef\xbb\xbf \r\n\t")
    stream.seek(0)
    if head.startswith(b"{") and (b"\n" in head[:3] or head[1:2].isspace()):
        yield from _document(stream.read(MAX_LINE + 1), facts)
    else:
        yield from _lines(stream, facts)


def _document(data: bytes, facts: SessionFacts) -> Iterator[Record]:
    try:
        document = orjson.loads(data.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError:
        yield from _damaged_document(data.decode("utf-8", "replace"), facts)
        return
    if not isinstance(document, dict):
        facts.damaged += 1
        return
    messages = list_in(document, "messages")
    yield {key: value for key, value in document.items() if key != "messages"} | {"messages": None}
    yield from (message for message in messages if isinstance(message, dict))


def _damaged_document(text: str, facts: SessionFacts) -> Iterator[Record]:
    """Whatever messages of a cut or spoilt document can still be decoded."""
    facts.damaged += 1
    if found := re.search(r'"sessionId"\s*:\s*"([^"\\]+)"', text):
        yield {"sessionId": found.group(1)}
    yield from (value for value in objects_in(text, _MESSAGE_START) if text_in(value, "type"))


def _lines(stream: BinaryIO, facts: SessionFacts) -> Iterator[Record]:
    records = Records(stream)
    places: list[_Place] = []
    current: dict[str, int] = {}
    header: Record = {}
    for record in records:
        _note(record, records.offset, records.length, places, current, header)
    facts.damaged += records.damaged
    facts.unterminated = records.unterminated
    if records.oversized:
        facts.dropped["oversized_line"] += records.oversized
    yield header | {"messages": None}
    fetch = _Fetch(stream)
    for place in places:
        if message := fetch(place):
            if place.gone:
                message[GONE] = True
            yield message


def _note(
    record: Record, offset: int, length: int, places: list[_Place], current: dict[str, int], header: Record
) -> None:
    changes = record.get("$set")
    rewind = record.get("$rewindTo")
    if isinstance(changes, dict):
        if isinstance(changes.get("messages"), list):
            _replace(changes["messages"], offset, length, places, current)
        header.update((key, value) for key, value in changes.items() if key != "messages")
    elif rewind is not None:
        _rewind(rewind, places, current)
    elif isinstance(record.get("type"), str):
        _put(_Place(offset, length, optional_text(record, "id"), None), places, current)
    else:
        if isinstance(record.get("messages"), list):
            _replace(record["messages"], offset, length, places, current)
        header.update((key, value) for key, value in record.items() if key != "messages")


def _put(place: _Place, places: list[_Place], current: dict[str, int]) -> None:
    uid = place.uid
    if uid is not None and uid in current:
        places[current[uid]] = place
        return
    if uid is not None:
        current[uid] = len(places)
    places.append(place)


def _replace(messages: list[Any], offset: int, length: int, places: list[_Place], current: dict[str, int]) -> None:
    """A whole list takes the place of what was there: messages that it does not hold are gone."""
    kept = {uid for message in messages if (uid := optional_text(message, "id"))}
    for uid in [uid for uid in current if uid not in kept]:
        places[current.pop(uid)].gone = True
    for within, message in enumerate(messages):
        if isinstance(message, dict):
            _put(_Place(offset, length, optional_text(message, "id"), within), places, current)


def _rewind(target: object, places: list[_Place], current: dict[str, int]) -> None:
    """A message and all after it are undone; an id that is not there undoes everything."""
    start = current.get(target, 0) if isinstance(target, str) else 0
    for uid in [uid for uid, index in current.items() if index >= start]:
        places[current.pop(uid)].gone = True
