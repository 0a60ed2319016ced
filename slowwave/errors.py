"""Every exception that Slowwave raises on purpose.

::

    SlowwaveError                      something a person can act on; carries `hint` and `exit_code`
    ├── ConfigError                    a setting is wrong, unknown or contradictory (exit 2)
    │   ├── NotFound                   no project, session, entry or version has that name (exit 6)
    │   └── TemplateError              a prompt or output template does not load (exit 2)
    ├── ConsentRequired                text would leave this machine and nobody agreed yet (exit 5)
    ├── BudgetReached                  a limit on calls, tokens, time or money stops the run (not a failure: exit 0)
    ├── RolloutError                   a session log cannot be read as a whole
    │   ├── RolloutVanished            deleted or replaced between the scan and the read
    │   └── RolloutUnreadable          no permission, a directory, not a known format
    ├── RedactionError                 the secret scan failed: nothing may be sent or written
    │   ├── RedactionTimeout           the scan of one text exceeded its hard time limit
    │   └── SecretFound                a text that was already redacted still holds a secret
    ├── StoreError                     the database refuses or cannot be reached
    │   ├── SchemaTooNew               the database was written by a newer Slowwave
    │   └── SchemaTooOld               the database must be upgraded first (shared databases only)
    ├── LeaseLost                      the claim now belongs to somebody else; the work is void
    ├── PublishError                   a version could not be published; the old one stands
    │   ├── StaleFence                 a newer owner has published already
    │   └── LiveFilesChanged           a person edited the live files during the run
    ├── MemoryUrlError                 a memory:// address is malformed, escapes the root or names nothing
    ├── ModelError                     a model call failed; `reason` says how
    │   ├── ModelUnavailable           may work later: rate limit, overload, time-out, reset
    │   ├── ModelRejected              will not work as it is: bad request, refusal, unusable answer
    │   │   └── PromptTooLong          the prompt must shrink
    │   └── ModelDenied                wrong key, no credit, no permission: stops the run
    ├── OrchestrationError             Prefect's server cannot be started or reached
    ├── ScheduleError                  the system's scheduler cannot be asked or changed
    ├── InternalError                  a fault of ours in the work on one session or project; the others go on
    ├── HostFailed                     an agent's command line gave no usable answer; `reason` says how
    └── AgentIntegrationError          an agent's settings file cannot be edited safely
"""

from __future__ import annotations

import traceback


class SlowwaveError(Exception):
    """Base of all errors that are meant for a person.

    `hint` is one sentence on what to do next, `exit_code` what the command line returns and `reason` a short, stable
    code (kept in the database and shown by ``slowwave status``).
    """

    exit_code: int = 1
    reason: str = "error"

    def __init__(self, message: str, *, hint: str = "", reason: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint
        if reason is not None:
            self.reason = reason


class ConfigError(SlowwaveError):
    """A setting is wrong, unknown or contradictory."""

    exit_code = 2
    reason = "bad_config"


class NotFound(ConfigError):
    """No project, session, entry or version has the name that was given."""

    exit_code = 6
    reason = "not_found"


class TemplateError(ConfigError):
    """A prompt or output template does not load or asks for a variable that nobody provides."""

    reason = "bad_template"


class ConsentRequired(SlowwaveError):
    """Text would leave this machine and nobody agreed to it yet."""

    exit_code = 5
    reason = "consent_required"


class BudgetReached(SlowwaveError):
    """A limit on calls, tokens, time or money was reached. What is complete is kept."""

    exit_code = 0
    reason = "budget_reached"


class RolloutError(SlowwaveError):
    """A session log cannot be read as a whole. Damage inside a log is counted, never raised."""

    reason = "unreadable"


class RolloutVanished(RolloutError):
    """The log was deleted or replaced between the scan and the read."""

    reason = "vanished"


class RolloutUnreadable(RolloutError):
    """No permission, a directory, or not a format that any reader knows."""

    reason = "unreadable"


class RedactionError(SlowwaveError):
    """The secret scan failed. Nothing of the text may be sent or written."""

    reason = "redaction_failed"


class RedactionTimeout(RedactionError):
    """The scan of one text exceeded its hard time limit."""

    reason = "redaction_timeout"


class SecretFound(RedactionError):
    """A text that was already redacted still holds a secret. The message names types and places, never values."""

    reason = "secret_found"


class StoreError(SlowwaveError):
    """The database refuses or cannot be reached."""

    reason = "store"


class ConnectionLost(StoreError):
    """The connection to the database was cut: what the transaction did is undone, and it may be tried again."""

    reason = "store_lost"


class SchemaTooNew(StoreError):
    """The database was written by a newer Slowwave; this one must not touch it."""

    reason = "schema_too_new"


class SchemaTooOld(StoreError):
    """A shared database must be upgraded on purpose before this version may use it."""

    reason = "schema_too_old"


class LeaseLost(SlowwaveError):
    """The claim now belongs to somebody else. Whatever was computed under it is void."""

    reason = "lease_lost"


class PublishError(SlowwaveError):
    """A version could not be published. The old version is intact."""

    reason = "publish_failed"


class StaleFence(PublishError):
    """A newer owner has published already; this one writes nothing."""

    reason = "stale_fence"


class LiveFilesChanged(PublishError):
    """A person edited the live files while the run was under way; the edit wins and the run starts over."""

    reason = "live_files_changed"


class MemoryUrlError(SlowwaveError):
    """A memory:// address is malformed, escapes the root or names nothing."""

    exit_code = 2
    reason = "bad_memory_url"


class ModelError(SlowwaveError):
    """A model call failed."""

    reason = "model_error"


class ModelUnavailable(ModelError):
    """The call may work later. `retry_after` is in seconds where the provider named one."""

    reason = "model_unavailable"

    def __init__(
        self, message: str, *, hint: str = "", reason: str | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(message, hint=hint, reason=reason)
        self.retry_after = retry_after


class ModelRejected(ModelError):
    """The call will not work as it is: bad request, refusal, or an answer that cannot be used."""

    reason = "model_rejected"


class PromptTooLong(ModelRejected):
    """The provider says the prompt is too long; it must shrink."""

    reason = "prompt_too_long"


class ModelDenied(ModelError):
    """Wrong key, no credit or no permission. Every further call would fail alike, so the run stops."""

    exit_code = 4
    reason = "model_denied"


class OrchestrationError(SlowwaveError):
    """Prefect's server cannot be started or reached, or a flow ended without a result."""

    reason = "orchestration"


class InternalError(SlowwaveError):
    """A fault of ours in the work on one session or project. It is theirs alone; `__cause__` is what happened."""

    reason = "internal"

    @staticmethod
    def of(error: Exception) -> SlowwaveError:
        """An error as the queue records it: one of ours as it is, another with where in our code it came up."""
        if isinstance(error, SlowwaveError):
            return error
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "slowwave" in frame.filename]
        where = f" in {frames[-1].name}, line {frames[-1].lineno}" if frames else ""
        made = InternalError(
            f"{type(error).__name__}: {str(error)[:200]}{where}",
            hint="This is a fault of Slowwave; `slowwave retry` tries again after an update.",
        )
        made.__cause__ = error
        return made


class HostFailed(SlowwaveError):
    """An agent's command line gave no usable answer: it did not start, timed out, or answered an error."""

    reason = "host_failed"


class ScheduleError(SlowwaveError):
    """systemd or cron cannot be asked or changed."""

    reason = "schedule"


class AgentIntegrationError(SlowwaveError):
    """An agent's settings file cannot be edited without losing something in it."""

    reason = "agent_integration"
