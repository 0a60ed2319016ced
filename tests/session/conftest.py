"""Fixtures of the in-session layers: a home of its own, an open store, and a driver that plays a host of hooks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from slowwave.paths import session_database_file
from slowwave.session.hosts import hooks
from slowwave.session.limits import SessionLimits
from slowwave.storage.insession.store import DecisionRow, PinRow, SessionStore


@dataclass
class Host:
    """Plays an agent that calls the hooks. What was injected is kept in `injected`."""

    home: Path
    session_id: str = "s1"
    agent: str = "claude"
    project_id: str = "p1"
    user_id: str = "local"
    limits: SessionLimits = field(default_factory=SessionLimits)
    injected: list[str] = field(default_factory=list)

    @property
    def key(self) -> str:
        return f"{self.agent}:{self.session_id}"

    def _call(self, name: str, **more: Any) -> str:
        scope = {"session_id": self.session_id, "agent": self.agent, "project_id": self.project_id}
        text = getattr(hooks, name)(home=self.home, user_id=self.user_id, limits=self.limits, **scope, **more) or ""
        if text:
            self.injected.append(text)
        return text

    def start(self, source: str = "startup") -> str:
        return self._call("on_session_start", source=source)

    def says(self, prompt: str, **more: Any) -> str:
        return self._call("on_user_prompt", prompt=prompt, **more)

    def answers(self, reply: str, **more: Any) -> str:
        return self._call("on_stop", last_assistant_message=reply, **more)

    def compacts(self, trigger: str = "auto") -> str:
        before = self._call("on_pre_compact", trigger=trigger)
        assert before == ""
        return self.start("compact")

    def ends(self, reason: str = "other") -> str:
        return self._call("on_session_end", reason=reason)

    def pins(self, status: str | None = "active") -> list[PinRow]:
        with SessionStore(session_database_file(self.home)) as store:
            return store.pins(self.key, status=status)

    def pinned(self) -> list[str]:
        return [pin.text for pin in self.pins()]

    def why(self, turn: int | None = None) -> dict[str, str]:
        with SessionStore(session_database_file(self.home)) as store:
            rows: list[DecisionRow] = store.decisions(self.key, turn)
        return {row.layer: row.reason for row in rows}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def host(home: Path) -> Host:
    return Host(home)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SessionStore]:
    with SessionStore(tmp_path / "session.db") as opened:
        yield opened
