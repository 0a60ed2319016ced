"""The process that scans. It reads framed requests on stdin and answers on stdout, until stdin closes.

A frame is a 4-byte big-endian length and a marshalled value. A request is (whether to look for personal details, whether
the texts are to be published, texts); an answer is a list of findings per text as (start, end, type, learn), or a string that says what went wrong (never a piece of the text).
"""

from __future__ import annotations

import marshal
import os
import sys
from typing import IO, Any

Answer = list[list[tuple[int, int, str, bool]]]


def read_frame(stream: IO[bytes]) -> object | None:
    """The next value, or None at the end of the stream."""
    head = stream.read(4)
    if len(head) < 4:
        return None
    size = int.from_bytes(head, "big")
    body = stream.read(size)
    return marshal.loads(body) if len(body) == size else None


def write_frame(stream: IO[bytes], value: Any) -> None:
    """Send one value."""
    body = marshal.dumps(value)
    stream.write(len(body).to_bytes(4, "big") + body)
    stream.flush()


def main() -> None:
    """Load the rules, prove them on the canaries, then serve."""
    answers = os.fdopen(os.dup(1), "wb")
    # Whatever a library prints must not mix with the frames.
    os.dup2(2, 1)
    from slowwave.redaction import canaries
    from slowwave.redaction.scan import engine

    try:
        canaries.self_test(engine.redact)
    except Exception as error:  # noqa: BLE001 - reported to the parent, which stops
        write_frame(answers, f"self-test: {type(error).__name__}: {error}")
        return
    write_frame(answers, [])
    while (request := read_frame(sys.stdin.buffer)) is not None:
        try:
            write_frame(answers, _answer(request))
        except Exception as error:  # noqa: BLE001 - the parent treats it as a failed scan; the message holds no text
            write_frame(answers, f"scan: {type(error).__name__}")


def _answer(request: object) -> Answer:
    from slowwave.redaction import published
    from slowwave.redaction.findings import merged
    from slowwave.redaction.scan import engine, pii

    if not isinstance(request, tuple):
        raise TypeError("not a request")
    personal, publishing, texts = request
    scan = published.redact if publishing else engine.redact
    answer: Answer = []
    for text in texts:
        findings = scan(text).findings
        if personal:
            findings = merged((*findings, *pii.scan(text)))
        answer.append([(finding.start, finding.end, finding.type, finding.learn) for finding in findings])
    return answer
