"""Edits of JSON with comments touch nothing but the edit."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slowwave.agents.install.jsonc import append_to, find, parse, remove, set_in
from slowwave.errors import AgentIntegrationError

COMMENTED = """\
// my settings, do not lose this
{
    "theme": "dark", // night owl
    /* hooks of mine */
    "hooks": {
        "SessionStart": [
            { "matcher": "startup", "hooks": [ { "type": "command", "command": "mine" } ] }, // first
        ],
    },
    "url": "https://example.org//path", "last": [1, 2, 3]
}
"""


def test_comments_trailing_commas_and_urls_are_understood() -> None:
    value = parse(COMMENTED).value
    assert value["url"] == "https://example.org//path" and value["last"] == [1, 2, 3]
    assert value["hooks"]["SessionStart"][0]["hooks"][0]["command"] == "mine"


def test_an_append_keeps_every_other_line_and_the_trailing_comma_style() -> None:
    text = append_to(COMMENTED, ("hooks", "SessionStart"), {"hooks": ["ours"]})
    assert [line for line in COMMENTED.split("\n") if line not in text.split("\n")] == []
    node = find(text, ("hooks", "SessionStart"))
    assert node is not None and node.value[1] == {"hooks": ["ours"]}
    assert (
        '\n            {\n                "hooks": [\n                    "ours"\n                ]\n            },\n'
        in text
    )
    assert remove(text, ("hooks", "SessionStart", 1)) == COMMENTED


def test_a_new_event_beside_existing_ones_is_removed_without_a_trace() -> None:
    text = append_to(COMMENTED, ("hooks", "Stop"), {"hooks": []})
    assert parse(text).value["hooks"]["Stop"] == [{"hooks": []}]
    assert remove(text, ("hooks", "Stop")) == COMMENTED


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "// only a comment\n",
        "{}",
        "{ }",
        "{\n}\n",
        "{\n  // nothing yet\n}\n",
        "\ufeff{}\n",
        '{"a":{}}',
        "{\r\n}\r\n",
    ],
)
def test_empty_documents_and_objects_take_a_first_member(text: str) -> None:
    edited = append_to(text, ("hooks", "Stop"), 1)
    assert parse(edited).value["hooks"] == {"Stop": [1]}
    assert all(part in edited for part in ("// only a comment", "// nothing yet", "\ufeff") if part in text)
    assert ("\r\n" in text) == ("\r\n" in edited)


def test_a_comment_behind_the_last_member_stays_with_it() -> None:
    text = '{\n\t"a": 1 // why\n}\n'
    edited = set_in(text, ("b",), {"c": 2})
    assert edited == '{\n\t"a": 1, // why\n\t"b": {\n\t\t"c": 2\n\t}\n}\n'
    assert remove(edited, ("b",)) == text


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("a",), '{ "b": [1, 2, 3], "c": 4 }'),
        (("b",), '{ "a": 1, "c": 4 }'),
        (("c",), '{ "a": 1, "b": [1, 2, 3] }'),
        (("b", 0), '{ "a": 1, "b": [2, 3], "c": 4 }'),
        (("b", 1), '{ "a": 1, "b": [1, 3], "c": 4 }'),
        (("b", 2), '{ "a": 1, "b": [1, 2], "c": 4 }'),
        (("z",), '{ "a": 1, "b": [1, 2, 3], "c": 4 }'),
    ],
)
def test_removal_on_one_line(path: tuple[str | int, ...], expected: str) -> None:
    edited = remove('{ "a": 1, "b": [1, 2, 3], "c": 4 }', path)
    assert parse(edited).value == json.loads(expected)
    assert edited.split() == expected.split()


def test_an_equal_value_is_left_as_it_is_written() -> None:
    text = '{"a": [1,\n 2]}'
    assert set_in(text, ("a",), [1, 2]) == text
    assert set_in(text, ("a",), 3) == '{"a": 3}'


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"a": 1,\n"b" 2}', 2),
        ('{"a": tru}', 1),
        ('{"a": "x\n"}', 1),
        ("[1, 2", 1),
        ("{} {}", 1),
        ("{'a': 1}", 1),
        ('{"a":,}', 1),
    ],
)
def test_damage_is_named_by_its_line_and_nothing_is_edited(text: str, line: int) -> None:
    with pytest.raises(AgentIntegrationError, match=f"line {line}"):
        append_to(text, ("hooks",), 1)


def test_a_wrong_shape_is_refused() -> None:
    with pytest.raises(AgentIntegrationError, match="not an array"):
        append_to('{"hooks": {"Stop": {}}}', ("hooks", "Stop"), 1)
    with pytest.raises(AgentIntegrationError, match="hooks is not an object"):
        set_in('{"hooks": 3}', ("hooks", "Stop"), 1)


SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(max_size=5), VALUES, max_size=4)
INDENTS = st.sampled_from([None, 1, 2, 4, "\t"])


@given(document=OBJECTS, indent=INDENTS, key=st.text(max_size=5), value=VALUES, crlf=st.booleans())
def test_a_set_is_what_a_dictionary_would_do_and_its_undo_is_exact(
    document: dict[str, object], indent: int | str | None, key: str, value: object, crlf: bool
) -> None:
    text = json.dumps(document, indent=indent, ensure_ascii=False)
    text = text.replace("\n", "\r\n") if crlf else text
    edited = set_in(text, (key,), value)
    assert parse(edited).value == {**document, key: value}
    removed = remove(edited, (key,))
    assert parse(removed).value == {name: item for name, item in document.items() if name != key}
    if key not in document and (document or indent is None):
        assert removed == text


@given(items=st.lists(VALUES, max_size=4), indent=INDENTS, value=VALUES, where=st.integers(0, 4))
def test_items_of_arrays(items: list[object], indent: int | str | None, value: object, where: int) -> None:
    text = json.dumps({"list": items}, indent=indent, ensure_ascii=False)
    edited = append_to(text, ("list",), value)
    assert parse(edited).value == {"list": [*items, value]}
    assert remove(edited, ("list", len(items))) == text
    without = [item for number, item in enumerate(items) if number != where]
    assert parse(remove(text, ("list", where))).value == {"list": without}
