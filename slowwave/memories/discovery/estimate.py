"""What a plan would cost, before anything is spent. Upper bounds from what the registry knows of each session."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic.alias_generators import to_camel
from sqlmodel import col, select

from slowwave.app import App
from slowwave.memories.discovery.eligibility import OFFLINE
from slowwave.memories.pipeline import Plan
from slowwave.settings import BudgetSettings
from slowwave.storage.engine import reading
from slowwave.storage.tables import Thread

if TYPE_CHECKING:
    from slowwave.llm.spending.budget import Amount

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
    first: int = 0
    limit: str = ""
    plan: str = ""

    def lines(self) -> Iterator[str]:
        """The estimate for a person."""
        yield f"would extract {self.sessions} sessions and consolidate up to {self.projects} projects"
        if self.upgrades:
            yield f"{self.upgrades} of them were only seen by the offline extractor; the model reads them once"
        if not self.calls:
            yield "no model call" if self.models or self.plan else "no model call: the offline extractor sends nothing"
            return
        yield (
            f"{self.calls} calls of {', '.join(self.models) or self.plan}, about {self.input_tokens:,} tokens in and"
            f" {self.output_tokens:,} out: {self._money()}"
        )
        yield from self.reach()

    def reach(self) -> Iterator[str]:
        """How far one run will come and how it goes on, where a limit ends it before."""
        if self.limit:
            yield (
                f"{self.limit} admits about {self.first} of the {self.sessions} sessions in one run: the next run goes"
                f" on with the rest, or raise it first (`slowwave config set {self.limit} VALUE`)"
            )

    def _money(self) -> str:
        if self.plan:
            return f"included in your {self.plan} plan"
        if self.dollars is None:
            return f"unknown (no price is known; prices of {self.prices_of})"
        return f"at most about ${self.dollars:.2f} (prices of {self.prices_of})"


def estimate_plan(app: App, plan: Plan) -> Estimate:
    """Estimate from the sizes of the logs: half of a log is conversation, an extraction reads at most a few windows."""
    ids = [thread_id for batch in plan.batches for thread_id in batch]
    with reading(app.engine) as session:
        rows = session.exec(select(Thread.size, Thread.project_id).where(col(Thread.id).in_(ids))).all()
    projects = len({project_id for _, project_id in rows} | set(plan.projects))
    if plan.extractor == OFFLINE:
        return Estimate(len(ids), projects, 0, 0, 0, 0.0, (), "", plan.upgrades)
    from slowwave.llm.commandline.agents import AGENTS
    from slowwave.llm.providers import settled
    from slowwave.llm.roles import resolve_roles
    from slowwave.llm.spending.budget import Amount
    from slowwave.llm.spending.prices import TokenCounts, cost_of, price_date

    models = settled(app.settings.models, app.engine, app.env)
    roles = resolve_roles(models, app.env)
    sizes = [_size_of(size, roles.default.input_tokens) for size, _ in rows]
    # An agent's plan has no price; a model that nobody knows has an unknown one.
    price = (lambda *_: 0.0) if roles.default.is_agent else cost_of
    each = [
        Amount(parts, tokens, parts * ANSWER_TOKENS, 0.0, _times(parts, price(
            roles.default.model, TokenCounts(input=tokens // parts, output=ANSWER_TOKENS))))
        for parts, tokens in sizes
    ]  # fmt: skip
    step = TokenCounts(input=CONSOLIDATION_TOKENS, output=CONSOLIDATION_ANSWER)
    one = Amount(1, CONSOLIDATION_TOKENS, CONSOLIDATION_ANSWER, 0.0, price(roles.smol.model, step))
    total = sum([*each, *([one] * projects)], Amount())
    limit, first = _reached(app.settings.budget, each)
    return Estimate(
        sessions=len(ids),
        projects=projects,
        calls=total.calls,
        input_tokens=total.input_tokens,
        output_tokens=total.output_tokens,
        dollars=total.dollars,
        models=tuple(dict.fromkeys(model for model in (roles.default.model, roles.smol.model) if model)),
        prices_of=price_date(),
        upgrades=plan.upgrades,
        first=first,
        limit=limit,
        plan=AGENTS[models.provider].title if models.provider in AGENTS else "",
    )


def _size_of(size: int, window: int) -> tuple[int, int]:
    """The calls and the prompt tokens that a log of so many bytes takes."""
    need = int(size * CONVERSATION_SHARE / BYTES_PER_TOKEN) + PROMPT_TOKENS
    parts = min(PARTS, -(-need // window))
    return parts, min(need, parts * window)


def _times(parts: int, price: float | None) -> float | None:
    return None if price is None else parts * price


def _reached(budget: BudgetSettings, each: Sequence[Amount]) -> tuple[str, int]:
    """The first limit that these sessions, one after another, would exceed, and how many come before; "" for none."""
    from slowwave.llm.spending.budget import Amount

    total = Amount()
    for count, amount in enumerate(each):
        total += amount
        for name, limits in (("perRun", budget.per_run), ("perDay", budget.per_day)):
            for field in ("calls", "input_tokens", "output_tokens", "dollars"):
                limit, value = getattr(limits, field), getattr(total, field)
                if limit is not None and value is not None and value > limit:
                    return f"budget.{name}.{to_camel(field)}", count
    return "", len(each)
