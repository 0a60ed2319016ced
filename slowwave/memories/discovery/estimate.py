"""What a plan would cost, before anything is spent. Upper bounds from what the registry knows of each session."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlmodel import col, select

from slowwave.app import App
from slowwave.memories.discovery.eligibility import OFFLINE
from slowwave.memories.pipeline import Plan
from slowwave.storage.engine import reading
from slowwave.storage.tables import Thread

BYTES_PER_TOKEN = 3.0
CONVERSATION_SHARE = 0.5
PARTS = 4
PROMPT_TOKENS = 2500
ANSWER_TOKENS = 1500
CONSOLIDATION_TOKENS = 12_000
CONSOLIDATION_ANSWER = 3000


@dataclass(frozen=True, slots=True)
class Estimate:
    """Calls, tokens and US dollars of a plan; dollars are None where a price is unknown."""

    sessions: int
    projects: int
    calls: int
    input_tokens: int
    output_tokens: int
    dollars: float | None
    models: tuple[str, ...]
    prices_of: str
    upgrades: int

    def lines(self) -> Iterator[str]:
        """The estimate for a person."""
        yield f"would extract {self.sessions} sessions and consolidate up to {self.projects} projects"
        if self.upgrades:
            yield f"{self.upgrades} of them were only seen by the offline extractor; the model reads them once"
        if not self.calls:
            yield "no model call: the offline extractor costs nothing and sends nothing"
            return
        money = "unknown (no price is known)" if self.dollars is None else f"at most about ${self.dollars:.2f}"
        yield (
            f"{self.calls} calls of {', '.join(self.models)}, about {self.input_tokens:,} tokens in and"
            f" {self.output_tokens:,} out: {money} (prices of {self.prices_of})"
        )


def estimate_plan(app: App, plan: Plan) -> Estimate:
    """Estimate from the sizes of the logs: half of a log is conversation, an extraction reads at most a few windows."""
    ids = [thread_id for batch in plan.batches for thread_id in batch]
    with reading(app.engine) as session:
        rows = session.exec(select(Thread.size, Thread.project_id).where(col(Thread.id).in_(ids))).all()
    projects = len({project_id for _, project_id in rows} | set(plan.projects))
    if plan.extractor == OFFLINE:
        return Estimate(len(ids), projects, 0, 0, 0, 0.0, (), "", plan.upgrades)
    from slowwave.llm.providers import settled
    from slowwave.llm.roles import resolve_roles
    from slowwave.llm.spending.prices import TokenCounts, cost_of, price_date

    roles = resolve_roles(settled(app.settings.models, app.engine, app.env), app.env)
    window = roles.default.input_tokens
    calls = tokens = 0
    dollars: float | None = 0.0
    for size, _ in rows:
        need = int(size * CONVERSATION_SHARE / BYTES_PER_TOKEN) + PROMPT_TOKENS
        parts = min(PARTS, -(-need // window))
        spent = min(need, parts * window)
        calls += parts
        tokens += spent
        price = cost_of(roles.default.model, TokenCounts(input=spent // parts, output=ANSWER_TOKENS))
        dollars = None if dollars is None or price is None else dollars + parts * price
    price = cost_of(roles.smol.model, TokenCounts(input=CONSOLIDATION_TOKENS, output=CONSOLIDATION_ANSWER))
    dollars = None if dollars is None or price is None else dollars + projects * price
    return Estimate(
        sessions=len(ids),
        projects=projects,
        calls=calls + projects,
        input_tokens=tokens + projects * CONSOLIDATION_TOKENS,
        output_tokens=calls * ANSWER_TOKENS + projects * CONSOLIDATION_ANSWER,
        dollars=dollars,
        models=tuple(dict.fromkeys((roles.default.model, roles.smol.model))),
        prices_of=price_date(),
        upgrades=plan.upgrades,
    )
