"""What is looked at between the plan and the start of a run, because it would fail every session alike."""

from __future__ import annotations

from slowwave.app import App
from slowwave.errors import ModelError
from slowwave.memories.discovery.eligibility import OFFLINE
from slowwave.memories.pipeline import DENIED, Plan
from slowwave.storage.call_log import finish_run
from slowwave.storage.engine import writing
from slowwave.storage.types import RunStatus


def check_model(app: App, plan: Plan) -> None:
    """Make sure that the model of a plan answers; the plan was made, so the consent is there. A failure is the run's.

    Raises:
        ModelError: address or key are wrong; the run's record says so and no session lost an attempt.
        ConfigError: the environment allows no connection.
    """
    if plan.extractor == OFFLINE or not (plan.sessions or plan.projects):
        return
    from zoneinfo import ZoneInfo

    from slowwave.llm.providers import settled
    from slowwave.llm.reach import check_reach
    from slowwave.llm.roles import resolve_roles
    from slowwave.llm.spending.budget import Budget

    settings = app.settings
    roles = resolve_roles(settled(settings.models, app.engine, app.env), app.env)
    zone = ZoneInfo(settings.memories.time_zone) if settings.memories.time_zone else None
    try:
        check_reach(roles, Budget(settings.budget, app.engine, plan.run_id, zone), app.engine, plan.run_id)
    except ModelError as error:
        denied = {DENIED: 1} if error.reason != "connection" else {}
        with writing(app.engine) as session:
            finish_run(session, plan.run_id, RunStatus.FAILED, counts=denied, message=str(error))
        raise
