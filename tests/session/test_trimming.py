"""Trimming of long turns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slowwave.errors import ConfigError
from slowwave.session.history.trimming import graphemes, trim, trim_history

FAMILY = "👨‍👩‍👧‍👦"


def test_the_marker_tells_how_many_characters_are_gone() -> None:
    text = "a" * 300 + "b" * 350 + "c" * 200
    assert trim(text) == "a" * 300 + " ... [trimmed 350 chars] ... " + "c" * 200


def test_800_is_kept_and_801_is_trimmed() -> None:
    assert trim("x" * 800) == "x" * 800
    assert "[trimmed 301 chars]" in trim("x" * 801)


@pytest.mark.parametrize("cluster", [FAMILY, "🇹🇭", "กำ", "e\u0301", "한", "नि", "漢"])
def test_clusters_stay_whole(cluster: str) -> None:
    text = cluster * 1000
    size = len(graphemes(text))
    trimmed = trim(text)
    head, _, rest = trimmed.partition(" ... [trimmed ")
    count, _, tail = rest.partition(" chars] ... ")
    assert int(count) == size - 500
    assert head == "".join(graphemes(text)[:300])
    assert tail == "".join(graphemes(text)[-200:])


def test_many_code_points_in_few_characters_are_not_trimmed() -> None:
    text = FAMILY * 200
    assert len(text) > 800
    assert trim(text) == text


@given(st.text(min_size=700, max_size=1500) | st.text(alphabet="ก่ำe\u0301👨‍👩‍👧🇹🇭\r\n", min_size=700, max_size=3000))
def test_trimming_twice_changes_nothing(text: str) -> None:
    once = trim(text)
    assert trim(once) == once
    assert len(graphemes(once)) <= max(800, 0) or once == text


def test_limits_that_would_lengthen_are_refused() -> None:
    with pytest.raises(ConfigError):
        trim("x", over=500, head=300, tail=200)


def test_only_the_history_is_trimmed_and_tool_pairs_are_left_alone() -> None:
    long = "x" * 2000
    call = [{"type": "tool_use", "id": "t1", "name": "read", "input": {"text": long}}]
    result = [{"type": "tool_result", "tool_use_id": "t1", "content": long}]
    messages = [
        {"role": "user", "content": long},
        {"role": "assistant", "content": [{"type": "text", "text": long}, *call]},
        {"role": "user", "content": result},
        {"role": "assistant", "content": long},
        {"role": "user", "content": long},
    ]
    sent = trim_history(messages)
    assert "[trimmed 1500 chars]" in sent[0]["content"]
    assert "[trimmed" in sent[1]["content"][0]["text"]
    assert sent[1]["content"][1:] == call
    assert sent[2]["content"] == result
    assert "[trimmed" in sent[3]["content"]
    assert sent[4]["content"] == long
    assert messages[0]["content"] == long


def test_the_current_message_stays_whole_while_its_tools_run() -> None:
    long = "x" * 2000
    messages = [
        {"role": "user", "content": long},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "ls", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}]},
    ]
    assert trim_history(messages)[0]["content"] == long
