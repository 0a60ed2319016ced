"""What is booked for a call: what the endpoint reports, within what the call can have cost."""

from __future__ import annotations

from dataclasses import dataclass

from slowwave.llm.spending.prices import TokenCounts

# An estimate is off by less than these factors; a prompt can grow by what an endpoint adds to it on its own.
TOO_LITTLE = 2
TOO_MUCH = 3
ADDED_TOKENS = 30_000


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is known of a call without asking the endpoint: the estimate of the prompt and the output limit."""

    prompt: int
    output: int


def booked(reported: TokenCounts | None, bounds: Bounds, seen: int, *, is_absurd: bool = False) -> TokenCounts:
    """The tokens to book for an answer of which `seen` (estimated) tokens came.

    Nothing reported: the estimate. Figures that cannot be: the call's bounds. Far too little: the estimate again, since
    a limit that an endpoint can lift by saying 0 is none.
    """
    seen = min(seen, bounds.output)
    if is_absurd:
        return TokenCounts(input=bounds.prompt, output=bounds.output)
    if reported is None:
        return TokenCounts(input=bounds.prompt, output=seen)
    if reported.prompt > TOO_MUCH * bounds.prompt + ADDED_TOKENS or reported.output > TOO_MUCH * bounds.output:
        return TokenCounts(input=bounds.prompt, output=bounds.output)
    counts = reported
    if counts.prompt * TOO_LITTLE < bounds.prompt:
        counts = TokenCounts(input=bounds.prompt, output=counts.output)
    if counts.output * TOO_LITTLE < seen:
        counts = TokenCounts(counts.input, seen, counts.cache_write_5m, counts.cache_write_1h, counts.cache_read)
    return counts
