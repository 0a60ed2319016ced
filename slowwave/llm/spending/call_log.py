"""The call_log: every call is written down with its tokens, price, latency and outcome, failed ones too."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Engine

from slowwave.errors import ModelError
from slowwave.llm.base import Usage
from slowwave.llm.endpoint.reported import Answered
from slowwave.llm.roles import Role
from slowwave.llm.spending.plausible import Bounds, booked
from slowwave.llm.spending.prices import TokenCounts, cost_of
from slowwave.redaction.api import redact
from slowwave.storage import call_log as ledger
from slowwave.storage.engine import reading, writing
from slowwave.storage.queries.runs import is_booked
from slowwave.storage.tables import ModelCall
from slowwave.text import estimate_tokens

_WITHOUT_RESULT = ("max_tokens", "refusal", "model_context_window_exceeded", "pause_turn")


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a call is for."""

    stage: str
    thread_id: str | None = None
    project_id: str | None = None


def usage_of(model: str, counts: TokenCounts, *, batch: bool = False, cost: float | None = None) -> Usage:
    """One call's usage with its price: by the list, or `cost` where the answer itself names it."""
    return Usage(
        calls=1,
        input_tokens=counts.input,
        output_tokens=counts.output,
        cache_write_tokens=counts.cache_write_5m + counts.cache_write_1h,
        cache_read_tokens=counts.cache_read,
        cost=cost if cost is not None else cost_of(model, counts, batch=batch),
    )


class CallLog:
    """Writes calls into the `model_calls` table on behalf of one run."""

    def __init__(self, engine: Engine, run_id: str | None) -> None:
        self._engine = engine
        self.run_id = run_id

    def answered(
        self,
        role: Role,
        purpose: Purpose,
        answer: Answered,
        bounds: Bounds,
        latency: float | None = None,
        batch_id: str | None = None,
    ) -> Usage:
        """Record a call that brought an answer, usable or not; return its usage."""
        counts = booked(answer.counts, bounds, estimate_tokens(answer.all_text), is_absurd=answer.is_absurd)
        usage = usage_of(role.model, counts, batch=batch_id is not None, cost=0.0 if role.is_agent else answer.cost)
        outcome = answer.stop_reason if answer.stop_reason in _WITHOUT_RESULT else "ok"
        call = self._call(role, purpose, outcome, latency, batch_id)
        call.request_id = answer.request_id
        self._write(call, usage)
        return usage

    def failed(
        self,
        role: Role,
        purpose: Purpose,
        error: ModelError,
        latency: float | None = None,
        batch_id: str | None = None,
        bounds: Bounds | None = None,
    ) -> Usage:
        """Record a call that brought no answer. With `bounds` it may have been worked on, and counts with them."""
        call = self._call(role, purpose, error.reason, latency, batch_id)
        # A provider may quote the key or the prompt in its message.
        call.error = redact(str(error)).text
        usage = Usage()
        if bounds is not None:
            counts = TokenCounts(input=bounds.prompt, output=bounds.output)
            usage = usage_of(role.model, counts, batch=batch_id is not None, cost=0.0 if role.is_agent else None)
        self._write(call, usage if bounds is not None else None)
        return usage

    def has_booked(self, batch_id: str, thread_id: str) -> bool:
        """Tell whether a batch's answer for a session is in the call_log already."""
        with reading(self._engine) as session:
            return is_booked(session, batch_id, thread_id)

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

    def _write(self, call: ModelCall, usage: Usage | None) -> None:
        if usage is not None:
            call.input_tokens = usage.input_tokens
            call.output_tokens = usage.output_tokens
            call.cache_write_tokens = usage.cache_write_tokens
            call.cache_read_tokens = usage.cache_read_tokens
            call.cost = usage.cost
        with writing(self._engine) as session:
            ledger.record_call(session, call)
