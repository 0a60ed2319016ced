"""Fitting: nothing is ever too large, what matters stays, and what is left out can be seen."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.memories.extraction.fit import Part, Tier, fit, rank, shorten
from slowwave.rollouts.model import Item, ItemKind, Role
from slowwave.text import estimate_tokens

ROLES = {
    ItemKind.USER_TEXT: Role.USER,
    ItemKind.CONTEXT: Role.USER,
    ItemKind.SUMMARY: Role.USER,
    ItemKind.ASSISTANT_TEXT: Role.ASSISTANT,
    ItemKind.TOOL_CALL: Role.ASSISTANT,
    ItemKind.TOOL_RESULT: Role.TOOL,
}


def item(index: int, kind: ItemKind, text: str, **fields: object) -> Item:
    return Item(index, ROLES[kind], kind, text, **fields)  # type: ignore[arg-type]


def check_parts(items: list[Item], parts: list[Part], budget: int) -> None:
    """What holds for every fit: order, size, and gaps that account for each item left out."""
    shown = [entry.index for part in parts for entry in part.items]
    assert shown == sorted(set(shown))
    assert set(shown) <= {entry.index for entry in items}
    left_out = sum(count for part in parts for count in part.gaps.values())
    assert left_out + len(shown) == len(items)
    for part in parts:
        lines = "\n".join(json.dumps({"text": entry.text}, ensure_ascii=False) for entry in part.items)
        assert estimate_tokens(lines) <= budget
        assert part.tokens <= budget
        assert set(part.gaps) <= {entry.index for entry in part.items} | {-1}


def test_a_small_session_is_one_part_without_gaps() -> None:
    items = [item(3, ItemKind.USER_TEXT, "Fix the login"), item(5, ItemKind.ASSISTANT_TEXT, "Done")]
    assert [(part.items, part.gaps) for part in fit(items, 5000, estimate_tokens)] == [(tuple(items), {})]


def test_an_empty_session_gives_no_part() -> None:
    assert fit([], 5000, estimate_tokens) == []


def test_long_tool_output_keeps_head_and_tail_around_a_marker() -> None:
    output = "FIRST line\n" + "noise words again\n" * 5000 + "LAST line"
    items = [item(0, ItemKind.USER_TEXT, "run it"), item(1, ItemKind.TOOL_RESULT, output)]
    (part,) = fit(items, 20_000, estimate_tokens)
    text = part.items[1].text
    assert text.startswith("FIRST line") and text.endswith("LAST line")
    assert "characters left out" in text
    assert part.items[0] is items[0]


def test_the_marker_tells_the_true_number_of_characters() -> None:
    text = "word " * 10_000
    short = shorten(text, 200, estimate_tokens)
    head, _, rest = short.partition("\n[... ")
    count, _, tail = rest.partition(" characters left out ...]\n")
    assert len(head) + int(count.replace(",", "")) + len(tail) == len(text)
    assert text.startswith(head) and text.endswith(tail)


def test_a_cut_keeps_combining_marks_and_joined_emoji_whole() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    for unit in ("ที่", "e\u0301", family):
        short = shorten(unit * 4000, 300, estimate_tokens)
        head, _, rest = short.partition("\n[... ")
        tail = rest.partition("...]\n")[2]
        assert head and tail
        assert len(head) % len(unit) == 0 and head == unit * (len(head) // len(unit))
        assert tail == unit * (len(tail) // len(unit))


def test_a_two_megabyte_paste_is_shortened_and_never_an_error() -> None:
    paste = "パスワードは使わないで。 " * 100_000
    (part,) = fit([item(0, ItemKind.USER_TEXT, paste)], 10_000, estimate_tokens)
    check_parts([item(0, ItemKind.USER_TEXT, paste)], [part], 10_000)
    assert part.items[0].text.startswith("パスワード")


def test_what_the_user_typed_outlives_tool_output() -> None:
    items: list[Item] = []
    for turn in range(400):
        items.append(item(len(items), ItemKind.USER_TEXT, f"request number {turn}"))
        items += [item(len(items) + n, ItemKind.TOOL_RESULT, f"output {turn} " * 200) for n in range(5)]
        items.append(item(len(items), ItemKind.ASSISTANT_TEXT, f"answer number {turn}"))
    parts = fit(items, 8000, estimate_tokens)
    check_parts(items, parts, 8000)
    shown = {entry.index for part in parts for entry in part.items}
    for entry in items:
        if entry.kind is not ItemKind.TOOL_RESULT:
            assert entry.index in shown


def test_a_failure_that_was_fixed_ranks_above_other_output() -> None:
    items = [
        item(0, ItemKind.USER_TEXT, "test it"),
        item(1, ItemKind.TOOL_CALL, "pytest -q", tool="Bash", call_id="a"),
        item(2, ItemKind.TOOL_RESULT, "no module named x", tool="Bash", call_id="a", failed=True),
        item(3, ItemKind.TOOL_CALL, "ls", tool="Bash", call_id="b"),
        item(4, ItemKind.TOOL_RESULT, "a b c", tool="Bash", call_id="b", failed=False),
        item(5, ItemKind.TOOL_CALL, "pytest -q --import-mode=importlib", tool="Bash", call_id="c"),
        item(6, ItemKind.TOOL_RESULT, "3 passed", tool="Bash", call_id="c", exit_status=0),
        item(7, ItemKind.TOOL_CALL, "make docs", tool="Bash", call_id="d"),
        item(8, ItemKind.TOOL_RESULT, "boom", tool="Bash", call_id="d", exit_status=2),
    ]
    tiers = rank(items)
    assert [tiers[n] for n in (1, 2, 5, 6)] == [Tier.FIXED] * 4
    assert [tiers[n] for n in (3, 4)] == [Tier.CALL, Tier.OUTPUT]
    assert [tiers[n] for n in (7, 8)] == [Tier.FAILED] * 2


def test_a_signal_counts_as_the_users_own_words() -> None:
    items = [item(0, ItemKind.USER_TEXT, "x"), item(1, ItemKind.TOOL_RESULT, "y")]
    assert rank(items, frozenset({1}))[1] is Tier.USER


def test_parts_begin_at_turns_and_calls_stay_with_their_results() -> None:
    items: list[Item] = []
    for turn in range(30):
        items.append(item(len(items), ItemKind.USER_TEXT, f"turn {turn} " + "please do the thing " * 20))
        items.append(item(len(items), ItemKind.ASSISTANT_TEXT, "reply " * 150))
    parts = fit(items, 4000, estimate_tokens)
    assert len(parts) > 1
    check_parts(items, parts, 4000)
    assert all(part.items[0].kind is ItemKind.USER_TEXT for part in parts)

    one_turn = [item(0, ItemKind.USER_TEXT, "go")]
    for n in range(60):
        one_turn.append(item(2 * n + 1, ItemKind.TOOL_CALL, f"cat file{n}", call_id=str(n)))
        one_turn.append(item(2 * n + 2, ItemKind.TOOL_RESULT, f"content {n} " * 20, call_id=str(n)))
    parts = fit(one_turn, 3000, estimate_tokens)
    assert len(parts) > 1
    check_parts(one_turn, parts, 3000)
    for part in parts:
        assert part.items[0].kind is not ItemKind.TOOL_RESULT
        assert part.items[-1].kind is not ItemKind.TOOL_CALL


KINDS = st.sampled_from(list(ItemKind))
TEXTS = st.one_of(
    st.text(max_size=300),
    st.builds(lambda text, times: text * times, st.text(min_size=1, max_size=20), st.integers(1, 3000)),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(KINDS, TEXTS, st.booleans()), max_size=60), st.sampled_from([1000, 3000, 20_000]))
def test_any_session_fits(rows: list[tuple[ItemKind, str, bool]], budget: int) -> None:
    items = [item(n * 2, kind, text, failed=failed) for n, (kind, text, failed) in enumerate(rows)]
    check_parts(items, fit(items, budget, estimate_tokens), budget)


def test_three_thousand_turns() -> None:
    items: list[Item] = []
    for turn in range(3000):
        items.append(item(len(items), ItemKind.USER_TEXT, f"Turn {turn}: change the colour of button {turn}"))
        items.append(item(len(items), ItemKind.TOOL_CALL, f"sed -i s/a/b/ file{turn}", call_id=str(turn)))
        items.append(item(len(items), ItemKind.TOOL_RESULT, "ok " * 300, call_id=str(turn)))
        items.append(item(len(items), ItemKind.ASSISTANT_TEXT, f"Changed button {turn} " * 10))
    parts = fit(items, 80_000, estimate_tokens)
    check_parts(items, parts, 80_000)
    assert 2 <= len(parts) <= 12
    shown = {entry.index for part in parts for entry in part.items}
    assert all(entry.index in shown for entry in items if entry.kind is ItemKind.USER_TEXT)
