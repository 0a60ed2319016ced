"""What the loopback server is told to do, and what it saw."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Fault = Literal["none", "hang", "reset", "close", "cut_body", "drip"]

ERROR_TYPES: Mapping[int, str] = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    409: "conflict_error",
    422: "invalid_request_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    503: "api_error",
    504: "timeout_error",
    529: "overloaded_error",
}


@dataclass(frozen=True)
class Step:
    """How one request is answered.

    With the defaults the smart answerer answers. `text` or `content` replace what it says; `stop_reason` and `usage`
    replace those of the message; `cut` keeps only the first so many characters of the text. A `status` over 399
    answers with an API error of `message` and `error_code`; `body` replaces the whole body, whatever it is. `delay` is
    in seconds, on top of the server's latency. `fault`: `hang` never answers, `reset` and `close` end the connection
    before an answer, `cut_body` in the middle of it, `drip` sends white space for ever.
    """

    status: int = 200
    message: str = ""
    error_code: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    text: str | None = None
    content: list[dict[str, Any]] | None = None
    stop_reason: str | None = None
    cut: int | None = None
    thinking: bool = False
    usage: Mapping[str, Any] | None = None
    body: bytes | None = None
    fault: Fault = "none"


@dataclass
class RequestRecord:
    """One request as it came in. `json` is the decoded body, None when it is not JSON. `status` is what was answered,
    0 while it is under way and -1 when the connection was ended by a fault."""

    number: int
    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    json: Any
    at: float
    status: int = 0

    @property
    def prompt(self) -> str:
        """All text that a Messages request sends: system, then the messages."""
        return prompt_text(self.json) if isinstance(self.json, dict) else ""


StepSource = Step | Callable[[RequestRecord], Step]
Matcher = Callable[[RequestRecord], bool]


def prompt_text(body: Mapping[str, Any]) -> str:
    """Return the text of `system` and of every message of a Messages body, joined by newlines."""
    pieces = [*_texts(body.get("system"))]
    for message in body.get("messages") or []:
        pieces.extend(_texts(message.get("content")))
    return "\n".join(pieces)


def _texts(content: Any) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [block.get("text", "") for block in content or [] if isinstance(block, dict) and block.get("type") == "text"]


@dataclass
class _Rule:
    source: StepSource
    matches: Matcher
    left: int | None


class Script:
    """The steps that wait for requests. The first one that matches a request is used, and used up."""

    def __init__(self) -> None:
        self._rules: list[_Rule] = []
        self._lock = threading.Lock()

    def add(self, source: StepSource, matches: Matcher, times: int | None) -> None:
        """Queue a step for the next `times` requests that match; None means for all of them."""
        with self._lock:
            self._rules.append(_Rule(source, matches, times))

    def clear(self) -> None:
        """Forget every step."""
        with self._lock:
            self._rules.clear()

    def take(self, record: RequestRecord) -> Step:
        """Return the step for a request; the default step when none matches."""
        with self._lock:
            for rule in self._rules:
                if rule.matches(record):
                    if rule.left is not None:
                        rule.left -= 1
                        if rule.left <= 0:
                            self._rules.remove(rule)
                    source = rule.source
                    break
            else:
                return Step()
        return source(record) if callable(source) else source
