"""From the text of an answer to a value of the wanted shape. The text is untrusted: bounded in size, depth and number.

What is larger than any honest answer is cut, row by row and text by text. Lone surrogates and characters that no text
has become a replacement character.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import json_repair
from pydantic import BaseModel, ValidationError

from slowwave.errors import ModelRejected

T = TypeVar("T", bound=BaseModel)

MOST_CHARACTERS = 4_000_000
MOST_REPAIRED = 200_000
DEEPEST = 32
MOST_ROWS = 1000
LONGEST_TEXT = 20_000
MOST_STARTS = 64
LONGEST_COMPLAINT = 600

# Control characters but tab and line ends, and halves of a pair.
_UNFIT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")


def parse(text: str, schema: type[T]) -> T:
    """Find the JSON object in a text (bare, fenced, or amid prose) and validate it.

    Raises:
        ModelRejected: reason `empty_answer` or `invalid_answer`; the message says what is wrong, fit for the model.
    """
    stripped = text[:MOST_CHARACTERS].strip()
    if not stripped:
        raise ModelRejected("the answer is empty", reason="empty_answer")
    if is_too_deep(stripped):
        raise ModelRejected("the answer is nested too deep", reason="invalid_answer")
    complaint = "there is no JSON object in it"
    for value in _objects(stripped):
        try:
            return schema.model_validate(bounded(value))
        except ValidationError as error:
            complaint = _complaint(error)
    raise ModelRejected(f"the answer does not have the wanted shape: {complaint}", reason="invalid_answer")


def is_too_deep(text: str) -> bool:
    """Tell whether brackets outside of strings nest deeper than any answer needs; parsers recurse as deep."""
    depth = 0
    for match in _BRACKET.finditer(_STRING.sub("", text)):
        depth += 1 if match[0] in "[{" else -1 if depth > 0 else 0
        if depth > DEEPEST:
            return True
    return False


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    """JSON objects in a text, the largest first: those that are well formed, or else what a lenient parser makes."""
    whole = _loaded(text)
    if isinstance(whole, dict):
        yield whole
        return
    found = list(_amid(text))
    if not found and "{" in text and len(text) <= MOST_REPAIRED:
        value = _repaired(text[text.find("{") :])
        found = [value] if isinstance(value, dict) else []
    yield from sorted(found, key=len, reverse=True)


def _amid(text: str) -> Iterator[dict[str, Any]]:
    decoder = json.JSONDecoder()
    at = text.find("{")
    for _ in range(MOST_STARTS):
        if at < 0:
            return
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield value
        at = text.find("{", end)


def _loaded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _repaired(text: str) -> object:
    try:
        return json_repair.loads(text)
    except Exception:  # noqa: BLE001 - a library that guesses may fail in any way; then there is no object
        return None


def bounded(value: Any, depth: int = DEEPEST) -> Any:
    """The same value with its texts made well formed; lists and texts within bounds, None where it nests too deep."""
    if isinstance(value, str):
        return _UNFIT.sub("\ufffd", value[:LONGEST_TEXT])
    if isinstance(value, list):
        return [bounded(row, depth - 1) for row in value[:MOST_ROWS]] if depth else None
    if isinstance(value, dict):
        rows = list(value.items())[:MOST_ROWS]
        return {bounded(str(key)): bounded(row, depth - 1) for key, row in rows} if depth else None
    return value


def _complaint(error: ValidationError) -> str:
    found = [f"{'.'.join(str(part) for part in issue['loc']) or 'answer'}: {issue['msg']}" for issue in error.errors()]
    return _UNFIT.sub("\ufffd", "; ".join(found[:5]))[:LONGEST_COMPLAINT]
