r"""An id is read only where the product writes it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from slowwave.text.ids import escape_ids, id_of_line, ids_shown, split_tail, unescape_ids, with_id, with_renamed_id

ANYTHING = st.text(alphabet=st.sampled_from(list("[]()\\mu0123456789 -*`xyz")), max_size=40) | st.text(
    st.characters(exclude_categories=("Cs", "Cc")), max_size=60
)


@given(ANYTHING, st.integers(1, 999), st.booleans())
def test_a_text_and_its_id_come_back_whatever_the_text_is(text: str, number: int, supported: bool) -> None:
    text = " ".join(text.split()) or "x"
    line = f"- {escape_ids(text)} [m{number}]" + (" (2 sessions, last 2026-05-01)" if supported else "")
    assert id_of_line(line) == f"m{number}"
    words, short_id = split_tail(line)
    assert short_id == f"m{number}"
    assert unescape_ids(words.removeprefix("- ")) == text


@given(ANYTHING)
def test_an_escaped_text_shows_no_id(text: str) -> None:
    assert ids_shown(f"- {escape_ids(text)}") == []


@given(ANYTHING, st.integers(1, 99), st.integers(100, 199))
def test_renaming_touches_the_tail_only(text: str, old: int, new: int) -> None:
    text = escape_ids(" ".join(text.split()) or "x")
    block = f"- {text} [m{old}] (1 session, last 2026-05-01)\n  When: [m{old}]"
    renamed = with_renamed_id(block, f"m{old}", f"m{new}")
    assert renamed == f"- {text} [m{new}] (1 session, last 2026-05-01)\n  When: [m{old}]"
    assert with_renamed_id(block, f"m{new}", "m7") == block
    assert id_of_line(with_id(block, "m5").split("\n")[0]) == "m5"
