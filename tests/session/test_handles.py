"""Session handles and the map to the host's own ids."""

from __future__ import annotations

import uuid

from hypothesis import given
from hypothesis import strategies as st

from slowwave.session.hosts.handles import HandleMap, handle, host_uuid
from slowwave.storage.insession.store import SessionStore

parts = st.tuples(st.text(max_size=8), st.text(max_size=8), st.text(max_size=8))


@given(parts, parts)
def test_only_equal_parts_share_a_handle(one: tuple[str, str, str], other: tuple[str, str, str]) -> None:
    assert (handle(*one) == handle(*other)) == (one == other)


def test_parts_are_framed() -> None:
    assert len({handle("ab", "c", ""), handle("a", "bc", ""), handle("abc", "", ""), handle("", "abc", "")}) == 4


def test_a_handle_is_the_same_for_ever() -> None:
    assert handle("claude", "discord", "42") == handle("claude", "discord", "42")
    assert len(handle("claude", "discord", "42")) == 64


def test_hosts_get_a_valid_uuid() -> None:
    made = uuid.UUID(host_uuid(handle("claude", "discord", "42")))
    assert (made.version, made.variant) == (8, uuid.RFC_4122)


def test_the_map_remembers_the_host_session_and_starts_fresh_after_a_drop(store: SessionStore) -> None:
    handles = HandleMap(store)
    name, fresh, known = handles.open("claude", "discord", "42", now=1.0)
    assert known == ""
    handles.confirm(name, fresh)
    assert handles.open("claude", "discord", "42", now=2.0) == (name, fresh, fresh)
    second = handles.drop(name, "exit_code")
    assert second != fresh
    assert handles.open("claude", "discord", "42", now=3.0) == (name, second, "")
