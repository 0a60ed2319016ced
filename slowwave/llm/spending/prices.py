"""What is known about models: limits and prices, as data with an as-of date (`prices.json`).

Source: the provider's published model and price pages, read on the date in the file. Cache prices that are not
published for a model follow the published rule: a write costs 1.25 times the input price (2 times for one hour), a read
a tenth. A model that is not in the file has no price: its cost is unknown, never zero.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

MILLION = 1_000_000
_DECORATION = re.compile(r"^(?:[a-z]{2,6}\.)?(?:anthropic[./])|[-@]\d{8}(?=$|-v)|-v\d+(?::\d+)?$|-latest$")


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """Limits (tokens) and prices (US dollars per million tokens) of a model.

    `cliff` is the prompt size above which the whole request costs `input_above` and `output_above`. `cache_from` is the
    shortest prefix that the provider caches.
    """

    context: int
    most_output: int
    cache_from: int
    input: float
    output: float
    cache_write_5m: float
    cache_write_1h: float
    cache_read: float
    cliff: int | None = None
    input_above: float | None = None
    output_above: float | None = None


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """Tokens of one call by price class. `input` is what was neither written to a cache nor read from one."""

    input: int = 0
    output: int = 0
    cache_write_5m: int = 0
    cache_write_1h: int = 0
    cache_read: int = 0

    @property
    def prompt(self) -> int:
        """The size of the whole prompt, which decides about the price cliff."""
        return self.input + self.cache_write_5m + self.cache_write_1h + self.cache_read


def price_date() -> str:
    """The date on which the prices were read."""
    return str(_data()["as_of"])


def facts_of(model: str) -> ModelFacts | None:
    """What is known about a model, None if nothing is. Dates and decorations of cloud platforms are ignored."""
    models: dict[str, Any] = _data()["models"]
    known = models.get(model) or models.get(_DECORATION.sub("", _DECORATION.sub("", model)))
    return None if known is None else ModelFacts(**known)


def cost_of(model: str, tokens: TokenCounts, *, batch: bool = False) -> float | None:
    """The price of a call in US dollars; None when the model's price is unknown."""
    facts = facts_of(model)
    if facts is None:
        return None
    above = facts.cliff is not None and tokens.prompt > facts.cliff
    price_in = facts.input_above if above and facts.input_above is not None else facts.input
    price_out = facts.output_above if above and facts.output_above is not None else facts.output
    # Cache prices are multiples of the input price, so they rise with it above the cliff.
    scale = price_in / facts.input
    total = (
        tokens.input * price_in
        + tokens.output * price_out
        + tokens.cache_write_5m * facts.cache_write_5m * scale
        + tokens.cache_write_1h * facts.cache_write_1h * scale
        + tokens.cache_read * facts.cache_read * scale
    )
    return total / MILLION * (float(_data()["batch_share"]) if batch else 1.0)


@cache
def _data() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((files("slowwave.llm.spending") / "prices.json").read_text("utf-8"))
    return loaded
