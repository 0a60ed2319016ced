"""A model server on loopback that speaks enough of three wire formats for a coding agent to finish one turn.

It answers every request with the same short text and keeps what it was asked, which is all that the tests look at.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

REPLY = "Understood."


class ModelServer:
    """Context manager; `requests` are (path, body) pairs in the order of arrival. `answer` makes the text of an answer
    from the body of a request; where a request offers the tool of an output schema, the text is that tool's input."""

    def __init__(self, answer: Callable[[str], str] = lambda body: REPLY) -> None:
        self.answer = answer
        self.requests: list[tuple[str, str]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """Base URL without a path."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        requests, answer = self.requests, self.answer

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, format: str, *args: object) -> None:
                """Keep quiet."""

            def do_GET(self) -> None:
                self._send(200, "application/json", [b'{"data": [], "models": []}'])

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                requests.append((self.path, body.decode("utf-8", "replace")))
                path = self.path.partition("?")[0]
                text = answer(body.decode("utf-8", "replace"))
                if path.endswith("/messages"):
                    offered = b'"name":"StructuredOutput"' in body and b"tool_result" not in body
                    self._send(200, "text/event-stream", tool_events(text) if offered else anthropic_events(text))
                elif path.endswith("/responses"):
                    self._send(200, "text/event-stream", responses_events(text))
                elif path.endswith("/chat/completions"):
                    self._send(200, "text/event-stream", chat_events())
                elif "GenerateContent" in path or "generateContent" in path:
                    streaming = "stream" in path
                    self._send(200, "text/event-stream" if streaming else "application/json", gemini_events(streaming))
                else:
                    self._send(200, "application/json", [b'{"input_tokens": 1, "totalTokens": 1}'])

            def _send(self, status: int, kind: str, chunks: Any) -> None:
                content = b"".join(chunks)
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

        return Handler


def _event(name: str, data: dict[str, Any]) -> bytes:
    return f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n".encode()


def tool_events(text: str) -> Iterator[bytes]:
    """A Messages stream with one call of the tool that an output schema becomes."""
    usage = {"input_tokens": 900, "output_tokens": 1}
    message: dict[str, Any] = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test", "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": usage,
    }  # fmt: skip
    yield _event("message_start", {"message": message})
    call = {"type": "tool_use", "id": "toolu_1", "name": "StructuredOutput", "input": {}}
    yield _event("content_block_start", {"index": 0, "content_block": call})
    delta = {"type": "input_json_delta", "partial_json": text}
    yield _event("content_block_delta", {"index": 0, "delta": delta})
    yield _event("content_block_stop", {"index": 0})
    ended = {"stop_reason": "tool_use", "stop_sequence": None}
    yield _event("message_delta", {"delta": ended, "usage": {"output_tokens": 50}})
    yield _event("message_stop", {})


def anthropic_events(text: str = REPLY) -> Iterator[bytes]:
    """A Messages stream with one text block."""
    usage = {"input_tokens": 10, "output_tokens": 1}
    message: dict[str, Any] = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test", "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": usage,
    }  # fmt: skip
    yield _event("message_start", {"message": message})
    yield _event("content_block_start", {"index": 0, "content_block": {"type": "text", "text": ""}})
    yield _event("content_block_delta", {"index": 0, "delta": {"type": "text_delta", "text": text}})
    yield _event("content_block_stop", {"index": 0})
    yield _event(
        "message_delta", {"delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": 3}}
    )
    yield _event("message_stop", {})


def responses_events(text: str = REPLY) -> Iterator[bytes]:
    """A Responses stream with one message."""
    item = {
        "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": text, "annotations": []}],
    }  # fmt: skip
    usage = {
        "input_tokens": 10, "output_tokens": 3, "total_tokens": 13,
        "input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0},
    }  # fmt: skip
    yield _event("response.created", {"response": {"id": "resp_1"}})
    yield _event("response.output_item.done", {"output_index": 0, "item": item})
    yield _event("response.completed", {"response": {"id": "resp_1", "usage": usage, "output": [item]}})


def chat_events() -> Iterator[bytes]:
    """A chat completions stream."""
    base = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "test"}
    for choice in (
        {"delta": {"role": "assistant", "content": REPLY}, "finish_reason": None},
        {"delta": {}, "finish_reason": "stop"},
    ):
        yield f"data: {json.dumps({**base, 'choices': [{'index': 0, **choice}]})}\n\n".encode()
    yield b"data: [DONE]\n\n"


def gemini_events(streaming: bool) -> Iterator[bytes]:
    """A generateContent answer, as a stream or whole."""
    answer = {
        "candidates": [{"index": 0, "finishReason": "STOP", "content": {"role": "model", "parts": [{"text": REPLY}]}}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 3, "totalTokenCount": 13},
    }
    yield f"data: {json.dumps(answer)}\n\n".encode() if streaming else json.dumps(answer).encode()
