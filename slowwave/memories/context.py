"""What a run works with in one process, passed along from its start to its end: nothing is found through globals."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import partial

import msgspec
from sqlalchemy import Engine

from slowwave.app import App
from slowwave.errors import RedactionError
from slowwave.llm.base import Extractor
from slowwave.llm.prompting.templates import render
from slowwave.memories.discovery.eligibility import MODEL, OFFLINE
from slowwave.memories.publishing.render import Render, RenderOptions
from slowwave.redaction.allowlist import Allowlist
from slowwave.redaction.findings import Redaction as Scanned
from slowwave.redaction.guard import Guard, raise_if_found
from slowwave.redaction.serialised import redact_serialised
from slowwave.settings import MemoriesSettings
from slowwave.storage.queue.leases import RetryPolicy
from slowwave.storage.queue.owner import Owner, current_owner


class GuardedScrubber:
    """The scanner of one run: worker processes with a hard time limit, and every value found removed everywhere."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._redactor = guard.redactor()

    @property
    def allowed(self) -> Counter[str]:
        """Values that stayed because a person allowed them, by type."""
        return self._guard.allowed

    def redact(self, text: str) -> Scanned:
        """Scan one text. Raises `RedactionError`."""
        return _vouched(self._redactor.redact(text))

    def redact_many(self, texts: Sequence[str], *, publishing: bool = False) -> Sequence[Scanned]:
        """Scan texts in few requests and remember what sure places held. Raises `RedactionError`.

        `publishing`: the texts go into files, so detect-secrets' own scanner looks at them as well.
        """
        results = [_vouched(result) for result in self._guard.redact_many(texts, publishing=publishing)]
        for text, result in zip(texts, results, strict=True):
            for finding in result.findings:
                if finding.learn:
                    self._redactor.learn(text[finding.start : finding.end], finding.type)
            self._redactor.counts.update(finding.type for finding in result.findings)
        return results

    def propagate(self, text: str) -> str:
        """Remove values that were found in any text of this run."""
        return self._redactor.propagate(text).text

    def shield(self, prompt: str) -> str:
        """The exact text of a prompt as it may be sent: its lines of JSON stay JSON. Raises `RedactionError`."""
        clean = redact_serialised(prompt, self.redact(prompt).findings)
        return redact_serialised(clean, self._redactor.propagate(clean).findings)

    def assert_clean(self, path: str, content: bytes) -> None:
        """Refuse bytes, or the name of a file or a folder, that hold a secret or a value known to be one.

        Raises `SecretFound`.
        """
        self._guard.assert_clean(content, path)
        raise_if_found(self._redactor.propagate(path).findings, "the name of a file")
        raise_if_found(self._redactor.propagate(content.decode("utf-8", "replace")).findings, path)


def _vouched(result: Scanned) -> Scanned:
    if result.failed:
        raise RedactionError("the secret scan of a text failed", hint="It is tried again in a later run.")
    return result


class RunContext(msgspec.Struct, frozen=True, eq=False):
    """Everything a unit of work needs. A run's sessions and projects share one, so that one scanner remembers all
    values and one set of connections serves them all. It belongs to the event loop that opened it.

    No dataclass: Prefect walks through the fields of those when a task is given one.
    """

    app: App
    run_id: str
    extractor: Extractor
    scrubber: GuardedScrubber
    owner: Owner
    policy: RetryPolicy

    @property
    def engine(self) -> Engine:
        """The pipeline's database."""
        return self.app.engine

    @property
    def memories(self) -> MemoriesSettings:
        """The settings of the nightly pipeline."""
        return self.app.settings.memories

    @property
    def family(self) -> str:
        """Whether a model or the offline extractor answers."""
        return OFFLINE if self.extractor.name == OFFLINE else MODEL

    @property
    def render(self) -> Render:
        """The template loader with the user's own folder."""
        return partial(render_named, self.memories.prompt_dir)


def render_named(prompt_dir: str | None, name: str, /, **variables: object) -> str:
    """`render` with the folder first, so that it can be bound."""
    return render(name, prompt_dir, **variables)


def render_options(memories: MemoriesSettings) -> RenderOptions:
    """The limits of the files as the settings have them."""
    return RenderOptions(
        memories.max_entries_per_section, memories.max_raw_memories_for_consolidation, memories.open_work_days
    )


def retry_policy(memories: MemoriesSettings) -> RetryPolicy:
    """The queue's limits as the settings have them."""
    return RetryPolicy(
        max_attempts=memories.max_attempts,
        max_crashes=memories.max_crashes,
        base_seconds=memories.retry_base_seconds,
        max_seconds=memories.retry_max_seconds,
    )


@asynccontextmanager
async def open_run(app: App, run_id: str, extractor: Extractor | None = None) -> AsyncIterator[RunContext]:
    """Open what a run works with; the scanner's processes and the connections to model and database end with it.

    `extractor` is one of the caller's own, such as one over an SDK client for another cloud.

    Raises:
        RedactionError: the scanner's canaries were not all found, so nothing may run.
        ConfigError: the settings do not allow to make the extractor.
    """
    with scanner(app) as scrubber:
        if extractor is None:
            from slowwave.llm.factory import make_extractor

            extractor = make_extractor(app.settings, app.engine, run_id, app.env, shield=scrubber.shield)
        try:
            yield RunContext(app, run_id, extractor, scrubber, current_owner(), retry_policy(app.settings.memories))
        finally:
            await extractor.aclose()
            app.engine.dispose()


@contextmanager
def scanner(app: App) -> Iterator[GuardedScrubber]:
    """A scanner that passed its canaries."""
    settings = app.settings.redaction
    allow = Allowlist.load(app.home)
    workers = settings.workers or max(1, (os.cpu_count() or 2) // 2)
    with Guard(
        timeout=settings.timeout_seconds,
        workers=workers,
        allow=allow,
        pii=settings.pii,
        ask_another=settings.second_opinion,
    ) as guard:
        guard.start()
        yield GuardedScrubber(guard)
