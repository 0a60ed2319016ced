"""A document that is kept as a log of changes to it: the first row is the whole, each other one changes a place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from slowwave.rollouts.lines import Record

_WHOLE, _SET, _APPEND, _DELETE = range(4)


def replayed(rows: Iterable[Record]) -> Record:
    """The document after all changes.

    `{"kind": 0, "v": whole}`, `{"kind": 1, "k": path, "v": value}`, `{"kind": 2, "k": path, "v": values, "i": length}`
    (cut the list to `i` where it is given, then append) and `{"kind": 3, "k": path}`. A change to a place that is not
    there is passed over, so that a lost row costs what it held and no more.
    """
    document: dict[str, Any] = {}
    for row in rows:
        kind, path, value = row.get("kind"), row.get("k"), row.get("v")
        if kind == _WHOLE and isinstance(value, dict):
            document = value
        elif isinstance(path, list) and path:
            _change(document, path, row, kind)
    return document


def _change(document: Record, path: list[Any], row: Record, kind: object) -> None:
    place: Any = document
    for key in path[:-1]:
        place = _at(place, key)
    last, value = path[-1], row.get("v")
    if kind == _APPEND:
        values = _at(place, last)
        if values is None and isinstance(place, dict):
            values = place[last] = []
        if isinstance(values, list):
            if type(row.get("i")) is int and row["i"] >= 0:
                del values[row["i"] :]
            values += value if isinstance(value, list) else []
    elif isinstance(place, dict):
        if kind == _SET and value is not None:
            place[last] = value
        elif kind in (_SET, _DELETE):
            place.pop(last, None)
    elif isinstance(place, list) and type(last) is int and 0 <= last <= len(place) and kind == _SET:
        place[last : last + 1] = [value]


def _at(place: Any, key: Any) -> Any:
    if isinstance(place, dict) and isinstance(key, str):
        return place.get(key)
    if isinstance(place, list) and type(key) is int and 0 <= key < len(place):
        return place[key]
    return None
