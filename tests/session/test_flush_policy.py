"""`should_flush`: every edge, every window, and no value that makes it raise."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slowwave.session import should_flush

WINDOWS = [8_000, 16_000, 32_000, 64_000, 100_000, 128_000, 200_000, 400_000, 1_000_000]


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("reserve", [0, 1_000, 2_000])
@pytest.mark.parametrize("soft", [0, 1, 4_000])
def test_the_edge_is_exact_in_every_window(window: int, reserve: int, soft: int) -> None:
    edge = window - reserve - soft
    for tokens, expected in ((edge - 1, False), (edge, True), (edge + 1, True), (window * 2, True), (0, False)):
        found = should_flush(
            current_tokens=tokens, context_window=window, reserve_tokens=reserve, soft_threshold=soft, cycle=0
        )
        assert (bool(found), found.threshold) == (expected, edge)


@pytest.mark.parametrize("window", WINDOWS)
def test_the_real_compactor_s_trigger_decides(window: int) -> None:
    trigger = window * 4 // 5
    common = {"context_window": window, "reserve_tokens": 1_024, "soft_threshold": 1_000, "cycle": 3}
    assert should_flush(current_tokens=trigger - 1_000, compaction_trigger=trigger, **common)
    assert not should_flush(current_tokens=trigger - 1_001, compaction_trigger=trigger, **common)
    assert not should_flush(current_tokens=trigger - 1_000, **common)


@pytest.mark.parametrize(
    ("last", "cycle", "expected"),
    [(None, 0, True), (0, 0, False), (0, 1, True), (None, 7, True), (7, 7, False), (6, 7, True)],
)
def test_once_a_cycle_and_never_is_not_zero(last: int | None, cycle: int, expected: bool) -> None:
    found = should_flush(
        current_tokens=190_000, context_window=200_000, reserve_tokens=20_000, last_flush_cycle=last, cycle=cycle
    )
    assert bool(found) is expected
    assert found.reason == ("threshold_reached" if expected else "already_flushed")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"current_tokens": None}, "tokens_unknown"),
        ({"current_tokens": -5}, "tokens_unknown"),
        ({"context_window": None}, "window_unknown"),
        ({"context_window": 0}, "window_unknown"),
        ({"reserve_tokens": 200_000}, "threshold_not_positive"),
        ({"soft_threshold": 180_000}, "threshold_not_positive"),
        ({"compaction_trigger": 4_000}, "threshold_not_positive"),
        ({"current_tokens": 10}, "below_threshold"),
    ],
)
def test_every_no_has_its_reason(change: dict[str, int | None], reason: str) -> None:
    given_: dict[str, int | None] = {"current_tokens": 190_000, "context_window": 200_000, "reserve_tokens": 20_000}
    found = should_flush(**{**given_, **change}, cycle=0)  # type: ignore[arg-type]
    assert (bool(found), found.reason) == (False, reason)


anything = st.one_of(
    st.none(), st.integers(), st.floats(), st.booleans(), st.text(max_size=3), st.just(10**400), st.just(object())
)


@given(anything, anything, anything, anything, anything, anything, anything)
def test_it_is_total(tokens, window, reserve, soft, last, cycle, trigger) -> None:  # type: ignore[no-untyped-def]
    found = should_flush(
        current_tokens=tokens,
        context_window=window,
        reserve_tokens=reserve,
        soft_threshold=soft,
        last_flush_cycle=last,
        cycle=cycle,
        compaction_trigger=trigger,
    )
    assert bool(found) in (True, False)
    assert found.reason


@given(st.integers(0, 2_000_000), st.integers(1, 2_000_000), st.integers(0, 2_000_000), st.integers(0, 100_000))
def test_it_is_the_formula(tokens: int, window: int, reserve: int, soft: int) -> None:
    found = should_flush(
        current_tokens=tokens, context_window=window, reserve_tokens=reserve, soft_threshold=soft, cycle=1
    )
    edge = window - reserve - soft
    assert bool(found) == (edge > 0 and tokens >= edge)
