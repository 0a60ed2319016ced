"""The books: every call is written down with its tokens, price, latency and outcome, failed ones too."""

from __future__ import annotations

from dataclasses import dataclass

from anthropic.types import Message
from anthropic.types import Usage as MessageUsage
from sqlalchemy import Engine, select

from slowwave.errors import ModelError
from slowwave.llm.base import Usage
from slowwave.llm.roles import Role
from slowwave.llm.spending.prices import TokenCounts, cost_of
from slowwave.redaction.api import redact
from slowwave.storage import call_log as ledger
from slowwave.storage.engine import reading, writing
from slowwave.storage.tables import ModelCall


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a call is for."""

    stage: str
    thread_id: str | None = None
    project_id: str | None = None


def counts_of(message: Message) -> TokenCounts:
    """The tokens of an answer by price class. An endpoint that reports none gives zeros."""
    # A foreign server may leave the field out, and the SDK builds its message without checking that.
    usage: MessageUsage | None = message.usage
    if usage is None:
        return TokenCounts()
    written = usage.cache_creation_input_tokens or 0
    detail = usage.cache_creation
    hour = min(detail.ephemeral_1h_input_tokens or 0, written) if detail is not None else 0
    return TokenCounts(
        input=usage.input_tokens or 0,
        output=usage.output_tokens or 0,
        cache_write_5m=written - hour,
        cache_write_1h=hour,
        cache_read=usage.cache_read_input_tokens or 0,
    )


def usage_of(model: str, counts: TokenCounts, *, batch: bool = False) -> Usage:
    """One call's usage with its price."""
    return Usage(
        calls=1,
        input_tokens=counts.input,
        output_tokens=counts.output,
        cache_write_tokens=counts.cache_write_5m + counts.cache_write_1h,
        cache_read_tokens=counts.cache_read,
        cost=cost_of(model, counts, batch=batch),
    )


class Books:
    """Writes calls into the `model_calls` table on behalf of one run."""

    def __init__(self, engine: Engine, run_id: str | None) -> None:
        self._engine = engine
        self.run_id = run_id

    def answered(
        self, role: Role, purpose: Purpose, message: Message, latency: float | None, batch_id: str | None = None
    ) -> Usage:
        """Record a call that brought an answer, usable or not; return its usage."""
        usage = usage_of(role.model, counts_of(message), batch=batch_id is not None)
        outcome = "ok" if message.stop_reason in ("end_turn", "stop_sequence", "tool_use") else str(message.stop_reason)
        call = self._call(role, purpose, outcome, latency, batch_id)
        call.input_tokens = usage.input_tokens
        call.output_tokens = usage.output_tokens
        call.cache_write_tokens = usage.cache_write_tokens
        call.cache_read_tokens = usage.cache_read_tokens
        call.cost = usage.cost
        call.request_id = getattr(message, "_request_id", None)
        self._write(call)
        return usage

    def failed(
        self, role: Role, purpose: Purpose, error: ModelError, latency: float | None, batch_id: str | None = None
    ) -> None:
        """Record a call that brought no answer. What it cost is unknown, and so is its price."""
        call = self._call(role, purpose, error.reason, latency, batch_id)
        # A provider may quote the key or the prompt in its message.
        call.error = redact(str(error)).text
        self._write(call)

    def has_booked(self, batch_id: str, thread_id: str) -> bool:
        """Tell whether a batch's answer for a session is in the books already."""
        where = (ledger.CALLS.c.batch_id == batch_id, ledger.CALLS.c.thread_id == thread_id)
        with reading(self._engine) as session:
            return session.connection().execute(select(ledger.CALLS.c.id).where(*where).limit(1)).first() is not None

    def _call(
        self, role: Role, purpose: Purpose, outcome: str, latency: float | None, batch_id: str | None
    ) -> ModelCall:
        return ModelCall(
            run_id=self.run_id,
            role=role.name,
            model=role.model,
            endpoint=role.endpoint,
            stage=purpose.stage,
            thread_id=purpose.thread_id,
            project_id=purpose.project_id,
            outcome=outcome,
            latency_s=latency,
            batch_id=batch_id,
        )

    def _write(self, call: ModelCall) -> None:
        with writing(self._engine) as session:
            ledger.record_call(session, call)
