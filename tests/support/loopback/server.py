"""The server itself: threads, keep-alive, one log of everything that was asked."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
import urllib.parse
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.support.loopback.answers import answer_for
from tests.support.loopback.batches import BatchStore, describe, result_lines
from tests.support.loopback.script import (
    ERROR_TYPES,
    Fault,
    Matcher,
    RequestRecord,
    Script,
    Step,
    StepSource,
    prompt_text,
)
from tests.support.loopback.validation import Refusal, check_batch, check_message

CHARS_PER_TOKEN = 3.0
MESSAGES = "/v1/messages"
COUNT = "/v1/messages/count_tokens"
BATCHES = "/v1/messages/batches"
DRIP_SECONDS = 0.05


class LoopbackServer:
    """A Messages endpoint on 127.0.0.1. Use it as a context manager.

    ``latency`` (seconds) is added to every Messages call. ``script`` says how coming requests are answered; what is not
    scripted is answered well (`answers.py`). ``requests`` is everything that came in, in order; ``messages`` only the
    Messages calls. ``features`` holds what the endpoint offers: take one of `structured_output`, `count_tokens`,
    `batches` out to act as a local server. ``context_window`` is in tokens, counted by `count`. ``keys`` are the
    accepted API keys; None accepts any, but one must be sent. ``log`` appends each request to a file as a JSON line.
    """

    def __init__(self, *, latency: float = 0.0, port: int = 0, log: Path | None = None) -> None:
        self.latency = latency
        self.features = {"structured_output", "count_tokens", "batches"}
        self.context_window = 1_000_000
        self.most_bytes = 32_000_000
        self.keys: set[str] | None = None
        self.require_key = True
        self.batch_source: StepSource = Step()
        self.batches = BatchStore()
        self.requests: list[RequestRecord] = []
        self.stopping = threading.Event()
        self._script = Script()
        self._log = log
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", port), _Handler)
        self._server.owner = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    @property
    def base_url(self) -> str:
        """What to configure as `baseUrl`."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def messages(self) -> list[RequestRecord]:
        """The Messages calls so far."""
        with self._lock:
            return [record for record in self.requests if record.path == MESSAGES]

    def asked(self, path: str) -> list[RequestRecord]:
        """The requests to a path so far."""
        with self._lock:
            return [record for record in self.requests if record.path == path]

    def wait_for(self, messages: int, seconds: float = 10.0) -> None:
        """Wait until so many Messages calls have come in; raise `TimeoutError` when they do not."""
        limit = time.monotonic() + seconds
        while len(self.messages) < messages:
            if time.monotonic() > limit:
                raise TimeoutError(f"{len(self.messages)} of {messages} calls came in")
            time.sleep(0.01)

    def script(self, source: StepSource, *, when: Matcher | None = None, times: int | None = 1) -> None:
        """Answer the next `times` Messages requests (those that `when` accepts) by `source`; None means all of them."""
        self._script.add(source, when or (lambda record: record.path == MESSAGES), times)

    def clear_script(self) -> None:
        """Drop what is scripted and not used yet."""
        self._script.clear()

    def count(self, body: dict[str, Any]) -> int:
        """Return the input tokens of a body by this server's measure."""
        return int(len(prompt_text(body)) / CHARS_PER_TOKEN) + 10

    def accept(self, method: str, path: str, headers: dict[str, str], body: bytes) -> tuple[RequestRecord, Step]:
        """Record a request and find its step."""
        try:
            decoded = json.loads(body) if body else None
        except ValueError:
            decoded = None
        with self._lock:
            record = RequestRecord(len(self.requests) + 1, method, path, headers, body, decoded, time.time())
            self.requests.append(record)
        return record, self._script.take(record)

    def finish(self, record: RequestRecord, status: int) -> None:
        """Note what a request was answered with."""
        record.status = status
        if self._log is None:
            return
        row = {"number": record.number, "at": record.at, "path": record.path, "status": status, "json": record.json}
        with self._lock, self._log.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")

    def result(self, params: dict[str, Any]) -> dict[str, Any]:
        """The result of one request of a batch, by `batch_source`."""
        source = self.batch_source
        record = RequestRecord(0, "POST", MESSAGES, {}, json.dumps(params).encode(), params, time.time())
        step = source(record) if callable(source) else source
        if step.status >= 400:
            error = {"type": ERROR_TYPES.get(step.status, "api_error"), "message": step.message}
            return {"type": "errored", "error": {"type": "error", "error": error}}
        if step.body is None:
            return {"type": "succeeded", "message": self.message(params, step)}
        try:
            return {"type": "succeeded", "message": json.loads(step.body)}
        except ValueError:
            return {"type": "succeeded", "message": step.body.decode("utf-8", "replace")}

    def message(self, body: dict[str, Any], step: Step) -> dict[str, Any]:
        """Build the message that answers a body."""
        text = answer_for(body) if step.text is None else step.text
        if step.text is None and "structured_output" not in self.features:
            text = f"Here is the result:\n\n```json\n{text}\n```"
        content = [{"type": "text", "text": text[: step.cut]}] if step.content is None else step.content
        if step.thinking:
            content = [{"type": "thinking", "thinking": "Let me see.", "signature": "c2ln"}, *content]
        default_usage = {"input_tokens": self.count(body), "output_tokens": int(len(text) / CHARS_PER_TOKEN) + 1}
        cache = {"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
        stop_reason = step.stop_reason or ("max_tokens" if step.cut is not None else "end_turn")
        refused = {"type": "refusal", "category": "cyber", "explanation": "Declined."}
        return {
            "id": f"msg_{len(self.requests):06d}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": content,
            "stop_reason": stop_reason,
            "stop_sequence": None,
            "stop_details": refused if stop_reason == "refusal" else None,
            "usage": {**default_usage, **cache, "service_tier": "standard", **(step.usage or {})},
        }


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256
    owner: LoopbackServer


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: object) -> None:
        """Stay quiet: `LoopbackServer.requests` is the log."""

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def do_DELETE(self) -> None:
        self._serve()

    def _serve(self) -> None:
        owner = self.server.owner
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        url = urllib.parse.urlsplit(self.path)
        headers = {name.lower(): value for name, value in self.headers.items()}
        record, step = owner.accept(self.command, url.path, headers, body)
        if url.path == MESSAGES:
            owner.stopping.wait(owner.latency + step.delay)
        elif step.delay:
            owner.stopping.wait(step.delay)
        try:
            if step.fault in ("hang", "reset", "close"):
                self._break(record, step.fault)
            elif step.body is not None:
                self._send(record, step.status, step.body, step)
            elif step.status >= 400:
                self._refuse(record, Refusal(step.status, step.message or "Scripted.", step.error_code), step)
            else:
                self._route(record, url, step)
        except (BrokenPipeError, ConnectionError):
            owner.finish(record, -1)
            self.close_connection = True

    def _route(self, record: RequestRecord, url: urllib.parse.SplitResult, step: Step) -> None:
        refusal = self._check(record)
        if refusal is not None:
            self._refuse(record, refusal, step)
        elif record.path == MESSAGES:
            self._messages(record, step)
        elif record.path == COUNT:
            self._json(record, {"input_tokens": self.server.owner.count(record.json)}, step)
        else:
            self._batches(record, urllib.parse.parse_qs(url.query), step)

    def _check(self, record: RequestRecord) -> Refusal | None:
        owner = self.server.owner
        bearer = record.headers.get("authorization", "").removeprefix("Bearer ").strip()
        key = bearer or record.headers.get("x-api-key", "")
        if owner.require_key and (not key or (owner.keys is not None and key not in owner.keys)):
            return Refusal(401, f"invalid API key: {key}" if key else "API key is required")
        if len(record.body) > owner.most_bytes * (8 if record.path == BATCHES else 1):
            return Refusal(413, "Request exceeds the maximum size")
        if record.method == "POST" and not record.path.endswith("/cancel"):
            if record.json is None:
                return Refusal(400, "The request body is not valid JSON")
            return self._check_body(record)
        return None

    def _check_body(self, record: RequestRecord) -> Refusal | None:
        owner = self.server.owner
        version = record.headers.get("anthropic-version", "")
        if record.path == COUNT and "count_tokens" in owner.features:
            return check_message(record.json, version, counting=True)
        if record.path == BATCHES and "batches" in owner.features:
            return check_batch(record.json, version)
        if record.path != MESSAGES:
            return Refusal(404, "Not found")
        if refusal := check_message(record.json, version):
            return refusal
        tokens = owner.count(record.json)
        if tokens > owner.context_window:
            return Refusal(400, f"prompt is too long: {tokens} tokens > {owner.context_window} maximum")
        return None

    def _messages(self, record: RequestRecord, step: Step) -> None:
        message = self.server.owner.message(record.json, step)
        if record.json.get("stream"):
            self._stream(record, message, step)
        else:
            self._json(record, message, step)

    def _batches(self, record: RequestRecord, query: dict[str, list[str]], step: Step) -> None:
        owner = self.server.owner
        if "batches" not in owner.features or not record.path.startswith(BATCHES):
            self._refuse(record, Refusal(404, "Not found"), step)
        elif record.path == BATCHES and record.method == "POST":
            batch = owner.batches.create(record.json["requests"])
            if step.fault != "none":
                self._break(record, "close" if step.fault == "cut_body" else step.fault)
            else:
                self._json(record, describe(batch, None), step)
        elif record.path == BATCHES:
            for batch in list(owner.batches.batches.values()):
                owner.batches.poll(batch, owner.result)
            before, after = (query.get(name, [None])[0] for name in ("before_id", "after_id"))
            self._json(record, owner.batches.page(before, after, int(query.get("limit", ["20"])[0])), step)
        else:
            self._one_batch(record, step)

    def _one_batch(self, record: RequestRecord, step: Step) -> None:
        owner = self.server.owner
        batch_id, _, action = record.path.removeprefix(BATCHES + "/").partition("/")
        batch = owner.batches.batches.get(batch_id)
        if batch is None:
            self._refuse(record, Refusal(404, f"No batch {batch_id}"), step)
            return
        results_url = f"{owner.batches.results_host or owner.base_url}{BATCHES}/{batch_id}/results"
        if action == "results":
            self._send(record, 200, result_lines(batch), step, content_type="application/x-jsonl")
        elif record.method == "DELETE":
            del owner.batches.batches[batch_id]
            self._json(record, {"id": batch_id, "type": "message_batch_deleted"}, step)
        else:
            batch.cancelled = batch.cancelled or action == "cancel"
            owner.batches.poll(batch, owner.result)
            self._json(record, describe(batch, results_url), step)

    def _refuse(self, record: RequestRecord, refusal: Refusal, step: Step) -> None:
        error: dict[str, Any] = {"type": ERROR_TYPES.get(refusal.status, "api_error"), "message": refusal.message}
        if refusal.error_code:
            error["details"] = {"error_code": refusal.error_code}
        self._json(record, {"type": "error", "error": error, "request_id": _request_id(record)}, step, refusal.status)

    def _json(self, record: RequestRecord, value: object, step: Step, status: int = 200) -> None:
        self._send(record, status, json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"), step)

    def _send(
        self, record: RequestRecord, status: int, body: bytes, step: Step, content_type: str = "application/json"
    ) -> None:
        endless = step.fault == "drip"
        self.send_response(status)
        headers = {"content-type": content_type, "request-id": _request_id(record), **step.headers}
        headers |= {} if endless else {"content-length": str(len(body))}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if endless:
            self._drip(record)
        elif step.fault == "cut_body":
            self.wfile.write(body[: len(body) // 2])
            self._break(record, "close")
        else:
            self.server.owner.finish(record, status)
            self.wfile.write(body)

    def _drip(self, record: RequestRecord) -> None:
        self.close_connection = True
        while not self.server.owner.stopping.wait(DRIP_SECONDS):
            self.wfile.write(b" ")
            self.wfile.flush()
        self.server.owner.finish(record, -1)

    def _break(self, record: RequestRecord, fault: Fault) -> None:
        if fault == "hang":
            self.server.owner.stopping.wait()
        if fault == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.server.owner.finish(record, -1)
        self.close_connection = True
        self.wfile.flush()
        self.connection.close()

    def _stream(self, record: RequestRecord, message: dict[str, Any], step: Step) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("request-id", _request_id(record))
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True

        def emit(event: str, **fields: object) -> None:
            data = json.dumps({"type": event, **fields}, ensure_ascii=False)
            self.wfile.write(f"event: {event}\ndata: {data}\n\n".encode())
            self.wfile.flush()

        usage = {**message["usage"], "output_tokens": 0}
        emit("message_start", message={**message, "content": [], "stop_reason": None, "usage": usage})
        for index, block in enumerate(message["content"]):
            _stream_block(emit, index, block)
            if step.fault == "cut_body":
                self._break(record, "close")
                return
        delta = {"stop_reason": message["stop_reason"], "stop_sequence": None}
        emit("message_delta", delta=delta, usage={"output_tokens": message["usage"]["output_tokens"]})
        emit("message_stop")
        self.server.owner.finish(record, 200)


def _stream_block(emit: Callable[..., None], index: int, block: dict[str, Any]) -> None:
    kind = block["type"]
    field = {"text": "text", "thinking": "thinking", "tool_use": "input"}[kind]
    whole = json.dumps(block["input"]) if kind == "tool_use" else block[field]
    emit("content_block_start", index=index, content_block={**block, field: {} if kind == "tool_use" else ""})
    emit("ping")
    names = {"text": ("text_delta", "text"), "tool_use": ("input_json_delta", "partial_json")}
    delta, key = names.get(kind, ("thinking_delta", "thinking"))
    for start in range(0, len(whole), 40):
        emit("content_block_delta", index=index, delta={"type": delta, key: whole[start : start + 40]})
    emit("content_block_stop", index=index)


def _request_id(record: RequestRecord) -> str:
    return f"req_{record.number:06d}"
