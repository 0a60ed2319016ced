"""JSON documents that hold a whole session, in whatever state they are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from slowwave.errors import RolloutError
from slowwave.rollouts.base import open_log
from slowwave.rollouts.lines import MAX_LINE, Record, parse_leniently
from slowwave.rollouts.model import SessionFacts

_MOST_FAILURES = 200


def objects_in(text: str, start: re.Pattern[str]) -> Iterator[Record]:
    """The objects of a cut or spoilt document that can still be decoded; `start` finds where one may begin."""
    decoder = json.JSONDecoder()
    position = failures = 0
    while match := start.search(text, position):
        try:
            value, position = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            failures += 1
            if failures > _MOST_FAILURES:
                return
            position = match.end()
            continue
        if isinstance(value, dict):
            yield value


def document(path: Path, facts: SessionFacts, key: str, start: re.Pattern[str]) -> Record:
    """A session's document; a bare list stands under `key`. Of a damaged one, what can be decoded stands there.

    Raises `RolloutVanished` or `RolloutUnreadable`.
    """
    with open_log(path) as stream:
        data = stream.read(MAX_LINE + 1)
    return decoded(data, facts, key, start)


def decoded(data: bytes, facts: SessionFacts, key: str, start: re.Pattern[str]) -> Record:
    """The same, from bytes."""
    if len(data) > MAX_LINE:
        facts.dropped["oversized_document"] += 1
    try:
        value: Any = orjson.loads(data.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError:
        whole, lost = parse_leniently(data)
        value = whole[0] if len(whole) == 1 and not lost else None
    if isinstance(value, dict):
        return value
    if isinstance(value, list):
        return {key: value}
    facts.damaged += 1
    return {key: list(objects_in(data.decode("utf-8", "replace"), start))}


def beside(path: Path) -> Any:
    """The value of a small JSON file next to a log, None where there is none that can be read."""
    try:
        with open_log(path) as stream:
            return orjson.loads(stream.read(16 << 20).removeprefix(b"\xef\xbb\xbf"))
    except (RolloutError, orjson.JSONDecodeError):
        return None
