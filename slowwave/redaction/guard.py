"""The secret scan behind a hard time limit: worker processes that can be killed, canaries first, errors mean stop.

A signal cannot interrupt a regular expression, so the scan runs in processes of its own. Everything that leaves the
machine or is written to disk goes through here.
"""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from slowwave.errors import RedactionError, RedactionTimeout, SecretFound
from slowwave.paths import slowwave_home
from slowwave.redaction import second_opinion
from slowwave.redaction.allowlist import Allowlist
from slowwave.redaction.api import Redactor
from slowwave.redaction.findings import OMITTED, Finding, Redaction, replace
from slowwave.redaction.worker import read_frame, write_frame

DEFAULT_TIMEOUT = 20.0
"""Seconds for one request (one text, or one batch of small ones)."""
START_TIMEOUT = 60.0
BATCH_CHARACTERS = 1_000_000
_ROOT = str(Path(__file__).resolve().parents[2])


class _Worker:
    """One scanning process. Used by one caller at a time."""

    def __init__(self) -> None:
        code = f"import sys; sys.path.insert(0, {_ROOT!r}); from slowwave.redaction.worker import main; main()"
        env = {name: value for name, value in os.environ.items() if name in ("PATH", "SYSTEMROOT", "LANG", "LC_ALL")}
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=env,
        )
        answer = self._exchange(None, START_TIMEOUT)
        if answer != []:
            self.kill()
            raise RedactionError(f"The secret scanner did not start: {answer}", hint="Run `slowwave doctor`.")

    def findings(self, texts: Sequence[str], timeout: float, *, pii: bool, publishing: bool) -> list[list[Finding]]:
        """Scan texts; raise `RedactionError` or `RedactionTimeout`."""
        answer = self._exchange((pii, publishing, list(texts)), timeout)
        if not isinstance(answer, list) or len(answer) != len(texts):
            raise RedactionError(f"The secret scan failed ({answer if isinstance(answer, str) else 'no answer'}).")
        return [[Finding(*one) for one in per_text] for per_text in answer]

    def _exchange(self, request: object | None, timeout: float) -> object:
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        expired = threading.Event()

        def expire() -> None:
            expired.set()
            process.kill()

        timer = threading.Timer(timeout, expire)
        timer.daemon = True
        timer.start()
        try:
            if request is not None:
                write_frame(process.stdin, request)
            answer = read_frame(process.stdout)
        except (OSError, ValueError, EOFError, TypeError):
            # A killed process leaves a torn frame or a broken pipe; both mean that it did not answer.
            answer = None
        finally:
            timer.cancel()
        if expired.is_set():
            raise RedactionTimeout(f"The secret scan of one text took longer than {timeout:g} s and was stopped.")
        if answer is None:
            raise RedactionError("The secret scan's process ended before it answered.")
        return answer

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()


class Guard:
    """A pool of scanning processes with the face of `slowwave.redaction.api`. May be shared between threads.

    Use as a context manager, or call `close`. Workers start at the first request. `redact` raises when the scan fails;
    `redact_or_omit` answers `OMITTED` instead, flagged as failed. `timeout` is in seconds for one request. Values in `allow`
    stay, and are counted in `allowed` by type; `ask_another` lets a second scanner veto what `assert_clean` passes; `pii` removes e-mail addresses, phone numbers and names of home folders too.
    """

    def __init__(
        self,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        workers: int = 1,
        allow: Allowlist | None = None,
        pii: bool = False,
        ask_another: bool = False,
    ) -> None:
        self._timeout = timeout
        self._allow = allow or Allowlist()
        self._pii = pii
        self._ask_another = ask_another
        self.allowed: Counter[str] = Counter()
        # Last in, first out: a caller alone keeps to one warm process.
        self._slots: queue.LifoQueue[_Worker | None] = queue.LifoQueue()
        for _ in range(max(1, workers)):
            self._slots.put(None)
        self._size = max(1, workers)

    def __enter__(self) -> Guard:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> None:
        """Start one worker and run its canaries now. Raises `RedactionError` when the scanner is not intact."""
        self._ask([""])
        if self._ask_another:
            second_opinion.findings("")

    def close(self) -> None:
        """End the workers. Waits for requests that are under way."""
        for worker in [self._slots.get() for _ in range(self._size)]:
            if worker is not None:
                worker.kill()
            self._slots.put(None)

    def redact(self, text: str, *, publishing: bool = False) -> Redaction:
        """Replace every secret in a text. Raises `RedactionError` or `RedactionTimeout`: then nothing of it may be used.

        With `publishing`, detect-secrets' own scanner looks at it as well.
        """
        (findings,) = self._ask([text], publishing=publishing)
        return Redaction(replace(text, findings), tuple(findings))

    def redact_or_omit(self, text: str, *, publishing: bool = False) -> Redaction:
        """As `redact`, but a failed scan answers `OMITTED` with `failed` set."""
        try:
            return self.redact(text, publishing=publishing)
        except RedactionError:
            return Redaction(OMITTED, failed=True)

    def redact_many(self, texts: Sequence[str], *, publishing: bool = False) -> list[Redaction]:
        """`redact_or_omit` for each text, in order; small texts share a request."""
        out: list[Redaction] = []
        for batch in _batches(texts):
            try:
                found = self._ask(batch, publishing=publishing)
                out += [Redaction(replace(text, one), tuple(one)) for text, one in zip(batch, found, strict=True)]
            except RedactionError:
                out += [self.redact_or_omit(text, publishing=publishing) for text in batch]
        return out

    def redactor(self) -> Redactor:
        """One night's `Redactor` on this pool: value propagation, JSON leaves, counts. A failed leaf is omitted."""
        return Redactor(self.redact_or_omit, self.redact_many)

    def assert_clean(self, content: str | bytes, where: str) -> None:
        """Raise `SecretFound` when a text that should be clean still holds a secret; `where` names the place.

        Both our own scan and detect-secrets' scanner look: this is the gate before anything is published.
        """
        text = content.decode("utf-8", "replace") if isinstance(content, bytes) else content
        (findings,) = self._ask([text], publishing=True)
        raise_if_found(findings, where)
        if self._ask_another:
            second_opinion.assert_agreed(text, where)

    def _ask(self, texts: Sequence[str], *, publishing: bool = False) -> list[list[Finding]]:
        found = self._scan(texts, publishing=publishing)
        kept = [self._allow.without_allowed(text, findings) for text, findings in zip(texts, found, strict=True)]
        for before, after in zip(found, kept, strict=True):
            self.allowed.update(finding.type for finding in set(before) - set(after))
        return kept

    def _scan(self, texts: Sequence[str], *, publishing: bool) -> list[list[Finding]]:
        worker = self._slots.get()
        try:
            if worker is None or not worker.alive:
                worker = _Worker()
            return worker.findings(texts, self._timeout, pii=self._pii, publishing=publishing)
        except BaseException:
            if worker is not None:
                worker.kill()
            worker = None
            raise
        finally:
            self._slots.put(worker)


def raise_if_found(findings: Sequence[Finding], where: str) -> None:
    """Raise `SecretFound` naming types and places, never values."""
    if findings:
        places = ", ".join(f"{f.type} at {f.start}" for f in findings[:5])
        raise SecretFound(
            f"{where} still holds {len(findings)} secret(s): {places}.", hint="Nothing was sent or written."
        )


def _batches(texts: Sequence[str]) -> list[list[str]]:
    batches: list[list[str]] = []
    size = BATCH_CHARACTERS
    for text in texts:
        if size + len(text) > BATCH_CHARACTERS:
            batches.append([])
            size = 0
        batches[-1].append(text)
        size += len(text)
    return batches


_shared: Guard | None = None
"""One pool a process, because each worker costs a start-up."""
_shared_lock = threading.Lock()


def shared() -> Guard:
    """This process's own pool, started at first use and ended with the process."""
    global _shared
    with _shared_lock:
        if _shared is None:
            _shared = Guard(allow=Allowlist.load(slowwave_home()))
        return _shared


def assert_clean(content: str | bytes, where: str) -> None:
    """`Guard.assert_clean` on the shared pool."""
    shared().assert_clean(content, where)


def redact(text: str) -> Redaction:
    """`Guard.redact` on the shared pool."""
    return shared().redact(text)


def redact_many(texts: Sequence[str]) -> list[Redaction]:
    """`Guard.redact_many` on the shared pool."""
    return shared().redact_many(texts)
