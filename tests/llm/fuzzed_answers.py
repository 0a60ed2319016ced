"""Answers that a broken or hostile endpoint may give, made from a good one by changes that know its structure."""

from __future__ import annotations

import json
import random
from typing import Any

LONE = "\ud800"
ODD_NUMBERS: tuple[Any, ...] = (
    -1,
    0,
    1e30,
    -1e30,
    2**70,
    "12",
    "many",
    None,
    True,
    1.5,
    float("nan"),
    float("inf"),
    [],
    {},
)
ODD_TEXTS: tuple[str, ...] = (LONE, "a\x00b", "\u202eabc", "x" * 25_000, "", " ", "\U000e0041", "\x1b]0;t\x07", "ok")


def good_answer(number: int) -> dict[str, Any]:
    """An answer to a session of one rule."""
    quote = f"Always name module {number} after planet {number}, never after a colour."
    memory = {"kind": "preference", "text": quote, "situation": "", "standing": "user_said",
              "evidence": [{"item": 0, "quote": quote}]}  # fmt: skip
    return {"outcome": "success", "rollout_slug": "a-b", "rollout_summary": "One rule.", "memories": [memory]}


def fuzzed_message(rng: random.Random, number: int = 1) -> bytes:
    """The body of an answer: a message, changed in its envelope, its figures, its JSON or its bytes."""
    answer: Any = good_answer(number)
    for _ in range(rng.randint(0, 3)):
        answer = _changed(rng, answer)
    text = _text(rng, answer)
    message: dict[str, Any] = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
        "content": [{"type": rng.choice(("text", "text", "text", "thinking", "tool_use", "strange")), "text": text,
                     "thinking": text, "input": answer}],
        "usage": {"input_tokens": 900, "output_tokens": 90},
    }  # fmt: skip
    for _ in range(rng.randint(0, 2)):
        key = rng.choice([*message, "error"])
        message[key] = rng.choice(
            [
                _number(rng),
                rng.choice(ODD_TEXTS),
                [],
                {},
                {"input_tokens": _number(rng)},
                None,
                {"message": rng.choice(ODD_TEXTS), "code": _number(rng)},
                _nested({}, 700),
            ]
        )
    raw = json.dumps(message).encode("utf-8", "surrogatepass")
    return _bytes(rng, raw) if rng.random() < 0.15 else raw


def _changed(rng: random.Random, value: Any) -> Any:
    """One change somewhere in a value."""
    if isinstance(value, dict) and value and rng.random() < 0.8:
        key = rng.choice(list(value))
        if rng.random() < 0.15:
            return {name: row for name, row in value.items() if name != key}
        return value | {key: _changed(rng, value[key])}
    if isinstance(value, list) and value and rng.random() < 0.6:
        at = rng.randrange(len(value))
        return [*value[:at], _changed(rng, value[at]), *value[at + 1 :]]
    return rng.choice(
        [
            _number(rng),
            rng.choice(ODD_TEXTS),
            [value] * rng.choice((0, 2, 1500)),
            _nested(value, rng.choice((3, 60, 200))),
            {"more": value},
            None,
        ]
    )


def _nested(value: Any, depth: int) -> Any:
    for _ in range(depth):
        value = [value]
    return value


def _number(rng: random.Random) -> Any:
    return rng.choice(ODD_NUMBERS)


def _text(rng: random.Random, answer: Any) -> str:
    text = json.dumps(answer, ensure_ascii=rng.random() < 0.5)
    return rng.choice(
        [
            text,
            text,
            f"```json\n{text}\n```",
            text[: rng.randint(0, len(text))],
            text.replace('"', "'"),
            "[" * rng.choice((10, 400, 100_000)) + text,
            '{"a":' * rng.choice((5, 900)) + text,
            "{" * 5000 + text,
            text + text,
            '" ' + '{"a":' * 700 + text + "}" * 700,
            f"<think>{text}</think>",
        ]
    )


def _bytes(rng: random.Random, raw: bytes) -> bytes:
    at = rng.randrange(len(raw) + 1)
    return rng.choice(
        [raw[:at], raw[:at] + b"\xff\x00\xed\xa0\x80" + raw[at:], b"<html>" + raw, b"", b"data: " + raw, b"null"]
    )
