"""Message Batches: half the price, an answer within a day, and no request lost or paid twice whatever dies when.

The order is what makes that true. First the intent (custom ids and a hash of the body) is committed. Then the batch is
created. Then its id is committed. An intent without an id, found after a crash, is looked up in the provider's list of
batches since its time: one that nobody knows and that has as many requests is waited for, and is ours if its results
carry our custom ids. Only when there is none are the requests sent again.

Limits and fields follow the provider's published description of the Batches endpoint.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urljoin

import httpx2
from anthropic.types.messages import MessageBatch
from pydantic import ValidationError
from sqlalchemy import Engine
from sqlmodel import Session

from slowwave.errors import ModelDenied, ModelError, ModelRejected, ModelUnavailable
from slowwave.llm.endpoint.answers import from_message
from slowwave.llm.endpoint.client import ModelClient
from slowwave.llm.endpoint.error_mapping import translate, translate_told
from slowwave.llm.endpoint.reported import Answered
from slowwave.llm.roles import endpoint_of
from slowwave.llm.spending.plausible import Bounds
from slowwave.storage import call_log as ledger
from slowwave.storage.engine import writing
from slowwave.storage.failpoints import reach
from slowwave.storage.queries.runs import known_batches
from slowwave.storage.tables import ModelBatch

MOST_REQUESTS = 10_000
MOST_BYTES = 200_000_000
LISTED = 100
CLOCK_SLACK_SECONDS = 600.0
# A create call whose client died may still be on its way into the provider's list.
GRACE_SECONDS = 10.0
YOUNG_SECONDS = 900.0
NO_BOUNDS = Bounds(0, 0)
PATH = "/v1/messages/batches"

Standing = Literal["waiting", "ended", "lost"]


@dataclass(frozen=True, slots=True)
class BatchItem:
    """One session's request. `source_hash` names the content that was read for it."""

    thread_id: str
    source_hash: str
    body: Mapping[str, Any]

    @property
    def size(self) -> int:
        """Bytes of the body."""
        return len(json.dumps(self.body, ensure_ascii=False).encode("utf-8", "replace"))


@dataclass(frozen=True, slots=True)
class Submitted:
    """A session in a batch, as the batch's row keeps it."""

    thread_id: str
    source_hash: str


@dataclass(frozen=True, slots=True)
class BatchAnswer:
    """What came of one session: an answer (usable or not), or the error; `again` means it goes back to the queue."""

    submitted: Submitted
    message: Answered | None = None
    error: ModelError | None = None
    again: bool = False
    bounds: Bounds = NO_BOUNDS


def portions(items: Sequence[BatchItem]) -> list[list[BatchItem]]:
    """Divide items so that each portion makes a batch that the provider accepts."""
    groups: list[list[BatchItem]] = []
    size = 0
    for item in items:
        if not groups or len(groups[-1]) >= MOST_REQUESTS or size + item.size > MOST_BYTES:
            groups.append([])
            size = 0
        groups[-1].append(item)
        size += item.size
    return groups


def plan_in(session: Session, row_id: str, items: Sequence[BatchItem], client: ModelClient, host: str) -> ModelBatch:
    """Commit the intent in the caller's transaction, together with whatever marks the sessions as submitted."""
    requests = _requests(row_id, items)
    sessions = {
        request["custom_id"]: [item.thread_id, item.source_hash] for request, item in zip(requests, items, strict=True)
    }
    worst = [client.worst_case(item.body, batch=True) for item in items]
    detail = {
        "host": host,
        "sessions": sessions,
        "bounds": {name: [a.input_tokens, a.output_tokens] for name, a in zip(sessions, worst, strict=True)},
        "input_tokens": sum(amount.input_tokens for amount in worst),
        "output_tokens": sum(amount.output_tokens for amount in worst),
        "dollars": None if any(a.dollars is None for a in worst) else sum(a.dollars or 0.0 for a in worst),
    }
    row = ModelBatch(
        id=row_id,
        endpoint=client.role.endpoint,
        model=client.role.model,
        body_hash=hashlib.sha256(json.dumps(requests, sort_keys=True).encode()).hexdigest(),
        custom_ids=list(sessions),
        state="intent",
        detail=json.dumps(detail),
    )
    ledger.plan_batch(session, row)
    return row


def sessions_of(row: ModelBatch) -> dict[str, Submitted]:
    """The sessions of a batch by custom id."""
    return {custom_id: Submitted(*pair) for custom_id, pair in json.loads(row.detail)["sessions"].items()}


def bounds_of(row: ModelBatch, custom_id: str) -> Bounds:
    """What one request of a batch can have cost."""
    planned = json.loads(row.detail)
    share = [planned["input_tokens"] // len(row.custom_ids), planned["output_tokens"] // len(row.custom_ids)]
    return Bounds(*planned.get("bounds", {}).get(custom_id, share))


def is_of_host(row: ModelBatch, host: str) -> bool:
    """Tell whether a host submitted the batch: only it can read the logs that the answers are checked against."""
    return bool(json.loads(row.detail).get("host") == host)


class BatchClient:
    """Sends, finds again and reads the batches of one role's endpoint."""

    def __init__(self, client: ModelClient, engine: Engine) -> None:
        self.client = client
        self._engine = engine

    async def offered(self) -> bool:
        """Tell whether the endpoint takes batches; asks it once where nobody knows."""
        known = self.client.capabilities.offers("batches")
        if known is not None:
            return known
        if not hasattr(self.client.sdk.messages, "batches"):
            return False
        try:
            await self._get(PATH, limit=1)
        except ModelDenied as error:
            if error.reason != "not_found":
                raise
            await asyncio.to_thread(self.client.capabilities.learn, "batches", False)
            return False
        await asyncio.to_thread(self.client.capabilities.learn, "batches", True)
        return True

    async def send(self, row: ModelBatch, items: Sequence[BatchItem]) -> None:
        """Create the batch of an intent and commit its id.

        Raises:
            ModelRejected, ModelDenied: the provider refused it, so it does not exist.
            ModelUnavailable: it may exist; `settle` finds out.
        """
        reach("batch.planned")
        async with self._translated():
            batch = await self.client.sdk.messages.batches.create(requests=_requests(row.id, items))  # type: ignore[arg-type]
        reach("batch.created")
        batch_id: object = batch.id
        if not isinstance(batch_id, str):
            raise _no_batch()
        await asyncio.to_thread(self._keep_id, row, batch_id)
        reach("batch.sent")

    async def settle(self, row: ModelBatch) -> Standing:
        """Look where a batch stands; find an intent that has no id among the provider's batches.

        Raises:
            ModelUnavailable, ModelDenied: it could not be looked up now.
        """
        if row.batch_id is None:
            return await self._find(row)
        try:
            batch = await self._retrieve(row.batch_id)
        except ModelDenied as error:
            if error.reason != "not_found":
                raise
            # A provider's machines do not learn of a new batch all at once; what is sent again is paid again.
            is_young = time.time() < (row.submitted_at or row.created_at) + YOUNG_SECONDS
            return "waiting" if is_young else "lost"
        return "ended" if batch.processing_status == "ended" else "waiting"

    async def answers(self, row: ModelBatch) -> list[BatchAnswer]:
        """Read the results of an ended batch: one answer for each session, also for those that the file leaves out."""
        results = await self._results(str(row.batch_id))
        return [
            _answer(submitted, results.get(custom_id), bounds_of(row, custom_id))
            for custom_id, submitted in sessions_of(row).items()
        ]

    async def _find(self, row: ModelBatch) -> Standing:
        undecided = False
        for batch in await self._unknown_batches(row):
            if batch.processing_status != "ended":
                undecided = True
            elif set(await self._results(batch.id)) & set(row.custom_ids):
                await asyncio.to_thread(self._keep_id, row, batch.id)
                return "ended"
        if undecided or time.time() < row.created_at + GRACE_SECONDS:
            return "waiting"
        return "lost"

    async def _unknown_batches(self, row: ModelBatch) -> list[MessageBatch]:
        """Batches made since the intent that no row knows and that have as many requests, the oldest first."""
        known = await asyncio.to_thread(self._known_ids)
        found: list[MessageBatch] = []
        after: str | None = None
        while True:
            page = await self._get(PATH, limit=LISTED, **({"after_id": after} if after else {}))
            batches = [_batch(data) for data in page.get("data", [])]
            recent = [b for b in batches if b.created_at.timestamp() >= row.created_at - CLOCK_SLACK_SECONDS]
            found += [b for b in recent if b.id not in known and _size(b) == len(row.custom_ids)]
            after = batches[-1].id if batches else None
            if not page.get("has_more") or len(recent) < len(batches):
                return found[::-1]

    async def _retrieve(self, batch_id: str) -> MessageBatch:
        return _batch(await self._get(f"{PATH}/{batch_id}"))

    async def _results(self, batch_id: str) -> dict[str, dict[str, Any]]:
        batch = await self._retrieve(batch_id)
        base = self.client.role.base_url
        where = urljoin(base + "/", batch.results_url or f"{PATH}/{batch_id}/results".lstrip("/"))
        # The SDK would send the key to whatever address the server names.
        if endpoint_of(where) != self.client.role.endpoint:
            raise ModelDenied("the results of a batch are said to lie on another host", reason="foreign_results")
        async with self._translated():
            response: httpx2.Response = await self.client.sdk.get(where, cast_to=httpx2.Response)
        found: dict[str, dict[str, Any]] = {}
        for line in response.text.split("\n"):
            if line.strip() and (result := _parsed(line)) is not None:
                found[str(result.get("custom_id"))] = result
        return found

    async def _get(self, path: str, **query: object) -> dict[str, Any]:
        async with self._translated():
            response: httpx2.Response = await self.client.sdk.get(
                path, cast_to=httpx2.Response, options={"params": query} if query else {}
            )
            data = response.json()
        if not isinstance(data, dict):
            raise _no_batch()
        return data

    def _translated(self) -> _Translated:
        return _Translated(self.client.role.timeout_seconds)

    def _known_ids(self) -> set[str]:
        with writing(self._engine) as session:
            return known_batches(session)

    def _keep_id(self, row: ModelBatch, batch_id: str) -> None:
        row.batch_id = batch_id
        with writing(self._engine) as session:
            ledger.update_batch(session, row.id, state="sent", batch_id=batch_id, submitted_at=time.time())


class _Translated:
    """Bounds a call in time and turns what goes wrong into our errors."""

    def __init__(self, seconds: float) -> None:
        self._limit = asyncio.timeout(seconds)

    async def __aenter__(self) -> None:
        await self._limit.__aenter__()

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: Any) -> None:
        try:
            await self._limit.__aexit__(kind, error, trace)
        except TimeoutError as late:
            raise translate(late) from error
        if isinstance(error, Exception):
            raise translate(error) from error


def _requests(row_id: str, items: Sequence[BatchItem]) -> list[dict[str, Any]]:
    return [{"custom_id": f"{row_id[:24]}-{n}", "params": dict(item.body)} for n, item in enumerate(items)]


def _batch(data: object) -> MessageBatch:
    try:
        return MessageBatch.model_validate(data)
    except ValidationError as error:
        raise _no_batch() from error


def _no_batch() -> ModelUnavailable:
    return ModelUnavailable("the endpoint answered with no batch", reason="invalid_response")


def _size(batch: MessageBatch) -> int:
    counts = batch.request_counts
    return counts.processing + counts.succeeded + counts.errored + counts.canceled + counts.expired


def _parsed(line: str) -> dict[str, Any] | None:
    try:
        result = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return result if isinstance(result, dict) and isinstance(result.get("result"), dict) else None


def _answer(submitted: Submitted, line: Mapping[str, Any] | None, bounds: Bounds) -> BatchAnswer:
    result: Mapping[str, Any] = line["result"] if line is not None else {"type": "missing"}
    kind = str(result.get("type"))
    if kind == "succeeded":
        message = result.get("message")
        if (answered := from_message(message)) is not None:
            return BatchAnswer(submitted, message=answered, bounds=bounds)
        if isinstance(message, dict) and isinstance(message.get("error"), dict):
            return _errored(submitted, message["error"], bounds)
        no_message = ModelRejected("a batch result holds no message", reason="invalid_answer")
        return BatchAnswer(submitted, error=no_message, bounds=bounds)
    if kind == "errored" and isinstance(result.get("error"), dict):
        return _errored(submitted, result["error"], bounds)
    if kind == "missing":
        missing = ModelUnavailable("the results do not mention it", reason="batch_incomplete")
        return BatchAnswer(submitted, error=missing, again=True, bounds=bounds)
    reason = f"batch_{kind}" if kind in ("canceled", "expired") else "batch_errored"
    gone = ModelUnavailable(f"the batch {kind[:60]} before it was answered", reason=reason)
    return BatchAnswer(submitted, error=gone, again=True, bounds=bounds)


def _errored(submitted: Submitted, told: Mapping[str, Any], bounds: Bounds) -> BatchAnswer:
    inner = told.get("error")
    error = translate_told(inner if isinstance(inner, dict) else told)
    if isinstance(error, ModelUnavailable):
        failed = ModelUnavailable(f"failed in a batch: {error}", reason="batch_errored")
        return BatchAnswer(submitted, error=failed, again=True, bounds=bounds)
    return BatchAnswer(submitted, error=error, bounds=bounds)
