"""What is whole in an answer that was cut off at the output limit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ValidationError

from slowwave.llm.prompting.schemas import Operation, ProposedSkill, StageTwoReply


def whole_operations(text: str) -> StageTwoReply:
    """The operations and skills of a cut stage-two answer that are complete; none is a possible answer."""
    return StageTwoReply(
        operations=_valid(Operation, text, "operations"),
        skills=_valid(ProposedSkill, text, "skills"),
    )


def _valid(model: type[Any], text: str, key: str) -> list[Any]:
    found: list[BaseModel] = []
    for value in _objects(text, key):
        try:
            found.append(model.model_validate(value))
        except ValidationError:
            continue
    return found


def _objects(text: str, key: str) -> Iterator[object]:
    """The complete objects of a list in a text that ends anywhere."""
    at = text.find(f'"{key}"')
    at = text.find("[", at) if at >= 0 else -1
    decoder = json.JSONDecoder()
    while at >= 0:
        at += 1
        while at < len(text) and text[at] in " \t\r\n,":
            at += 1
        if at >= len(text) or text[at] != "{":
            return
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        yield value
        at -= 1
