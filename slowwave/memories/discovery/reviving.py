"""Sessions that failed because of the account, the endpoint or the model come back when that changes."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping

from sqlmodel import Session

from slowwave.settings import ModelsSettings
from slowwave.storage.published.versions import ensure_setting
from slowwave.storage.queue.backlog import retry
from slowwave.storage.types import JobKind

SETTING = "models:asked"
OF_THE_ACCOUNT = frozenset(
    {"no_credit", "usage_limit", "spend_limit", "wrong_key", "no_permission", "not_found", "redirected", "plan_limit",
     "not_logged_in", "endpoint_down", "endpoint_rejects", "answers_useless"}
)  # fmt: skip
"""What every session would have met: nobody is given up for it."""
OF_THE_MODEL = OF_THE_ACCOUNT | frozenset(
    {"bad_request", "output_limit", "answer_cut", "empty_answer", "invalid_answer", "unexpected_stop", "refusal",
     "prompt_too_long", "context_window", "request_too_large", "timeout", "connection", "invalid_response",
     "server_error", "overloaded", "rate_limited"}
)  # fmt: skip
"""What another model, account or endpoint may answer otherwise."""


def revive(session: Session, models: ModelsSettings, env: Mapping[str, str]) -> list[str]:
    """Queue again what failed of an account's trouble, and with a new model, account or endpoint whatever a model
    failed at; return the sessions."""
    now = _mark(models, env)
    row = ensure_setting(session, SETTING, {})
    has_changed = row.value.get("mark") != now
    if has_changed:
        row.value, row.updated_at = {"mark": now}, time.time()
        session.add(row)
        session.flush()
    return retry(session, JobKind.EXTRACT, reasons=OF_THE_MODEL if has_changed else OF_THE_ACCOUNT)


def _mark(models: ModelsSettings, env: Mapping[str, str]) -> str:
    """A hash of who is asked with which key and in which way; no part of a key can be read from it."""
    from slowwave.llm.roles import resolve_roles

    roles = resolve_roles(models, env)
    parts = [
        f"{role.base_url}|{role.model}|{role.effort}|{role.max_output_tokens}|{role.key or ''}"
        for role in (roles.default, roles.smol)
    ]
    return hashlib.sha256("\n".join([models.provider, *parts]).encode()).hexdigest()[:16]
