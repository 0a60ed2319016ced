"""A conversation with an endpoint that answers otherwise than asked: an answer, or an error with a reason."""

from __future__ import annotations

import json
from typing import Any

import pytest

from slowwave.errors import ModelUnavailable
from tests.conversation.conftest import Bench
from tests.support.loopback import Step


def events(text: str) -> bytes:
    usage = {"input_tokens": 12, "output_tokens": 1}
    rows: list[dict[str, Any]] = [
        {"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "model": "m",
                                              "content": [], "usage": usage}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}},
        {"type": "message_stop"},
    ]  # fmt: skip
    return "".join(f"event: {row['type']}\ndata: {json.dumps(row)}\n\n" for row in rows).encode()


def test_a_stream_that_nobody_asked_for_is_an_answer(bench: Bench) -> None:
    bench.replies = [Step(body=events("It stands."), headers={"content-type": "text/event-stream"})]
    assert bench.talk().send("Build page 1.").text == "It stands."


@pytest.mark.parametrize("body", [b"data: nothing\n\n", b"<html>Sign in</html>", b"[]"])
def test_what_is_no_message_is_an_error_with_a_reason(body: bytes, bench: Bench) -> None:
    kind = "text/html" if b"html" in body else "text/event-stream"
    bench.replies = [Step(body=body, headers={"content-type": kind})] * 4
    with pytest.raises(ModelUnavailable) as caught:
        bench.talk().send("Build page 1.")
    assert caught.value.reason == "invalid_response"


def test_an_answer_without_usage_is_an_answer(bench: Bench) -> None:
    message = {"id": "m", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
               "content": [{"type": "text", "text": "It stands."}], "usage": None}  # fmt: skip
    bench.replies = [Step(body=json.dumps(message).encode())]
    assert bench.talk().send("Build page 1.").text == "It stands."
