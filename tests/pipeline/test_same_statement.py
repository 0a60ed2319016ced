"""The same, another, the opposite: two sessions of one project, one session, two projects, over one night."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from slowwave.app import open_app
from slowwave.memories.state.store import load_state_in
from slowwave.storage.engine import reading
from slowwave.storage.tables import Project
from tests.support.logs import Assistant, User, claude_session
from tests.support.offline import Log
from tests.support.workshop import Workshop

CASES = Path(__file__).resolve().parents[2].parent / "shared" / "cases" / "same-statement.tsv"


@dataclass(frozen=True)
class Case:
    """`right` is same, different or contradicting; `scope` is one project, same session or two projects."""

    id: str
    scope: str
    first: str
    second: str
    right: str


OWN = tuple(
    Case(f"own{number}", *case)
    for number, case in enumerate(
        (
            ("one project", "Never edit the billing schema.", "Never edit the login schema.", "different"),
            ("one project", "Always reply in French.", "Always reply in Italian.", "contradicting"),
            ("one project", "Always lint before you push.", "Always lint before every push.", "same"),
            ("one project", "Always squash before merging.", "Never squash before merging.", "contradicting"),
            ("one project", "Always indent with tabs in Make.", "Always indent with spaces in YAML.", "different"),
            ("two projects", "Always use yarn, never bun.", "Always use bun, never yarn.", "contradicting"),
            ("two projects", "Never touch the mailer unasked.", "Never touch the parser unasked.", "different"),
            ("two projects", "Always keep your replies short.", "Always give brief replies.", "same"),
        )
    )
)  # fmt: skip


def _shared() -> list[Case]:
    with CASES.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [
            Case(row["id"], row["scope"], row["first"], row["second"], row["right"].partition(":")[0])
            for row in rows
            if row["scope"] != "key facts"
        ]


def _night(folder: Path, cases: list[Case]) -> dict[str, list[str]]:
    """The standing texts by the name of the project's folder after one night over the sessions of all cases."""
    folder.mkdir()
    shop = Workshop(folder)
    sessions = [session for case in cases for session in _sessions(case)]
    for number, (name, texts, days) in enumerate(sessions):
        cwd = folder / "src" / name
        cwd.mkdir(parents=True, exist_ok=True)
        turns = [turn for text in texts for turn in (User(text), Assistant("Understood."))]
        start = datetime.now(UTC) - timedelta(days=days) + timedelta(minutes=number)
        session_id = f"{number:08d}-2222-4222-8222-222222222222"
        claude_session(shop.site.logs, tuple(turns), cwd=str(cwd), session_id=session_id, start=start)
    shop.night()
    app = open_app(shop.site.environment())
    with reading(app.engine) as session:
        projects = session.exec(select(Project)).all()
        return {
            "user level" if project.user_level else Path(project.root or project.id).name: [
                entry.text for entry in load_state_in(session, project.id).active
            ]
            for project in projects
        }


def _sessions(case: Case) -> list[tuple[str, list[str], int]]:
    if case.scope == "same session":
        return [(case.id, [case.first, case.second], 3)]
    one, other = (f"{case.id}a", f"{case.id}b") if case.scope == "two projects" else (case.id, case.id)
    return [(one, [case.first], 5), (other, [case.second], 2)]


def _wrong(case: Case, stands: dict[str, list[str]]) -> str:
    """What is not right, or an empty string."""
    if case.scope == "two projects":
        user = [text for text in stands.get("user level", []) if text in (_taken(case.first), _taken(case.second))]
        kept = len(stands[f"{case.id}a"]) == len(stands[f"{case.id}b"]) == 1
        right = kept and len(user) == (1 if case.right == "same" else 0)
        return "" if right else f"{case.id}: user level {user}"
    texts = stands[case.id]
    if case.right == "different":
        right = len(texts) == 2
    elif case.right == "contradicting":
        right = texts == [_taken(case.second)]
    else:
        right = len(texts) == 1
    return "" if right else f"{case.id}: {texts}"


def _taken(text: str) -> str:
    """The sentence as stage one words it; empty when it takes nothing of it."""
    return next(iter(Log().user(text).texts()), "")


@pytest.mark.parametrize("source", ["own", "shared"])
def test_each_pair_ends_as_it_should(source: str, tmp_path: Path) -> None:
    if source == "shared" and not CASES.exists():
        pytest.skip("the shared cases are not here; the project's own pairs still run")
    cases = [case for case in (OWN if source == "own" else _shared()) if _taken(case.first) and _taken(case.second)]
    assert len(cases) >= (len(OWN) if source == "own" else 15)
    # Two homes, so that what one project says twice is not taken for what two projects say.
    together = [case for case in cases if case.scope != "two projects"]
    apart = [case for case in cases if case.scope == "two projects"]
    stands = _night(tmp_path / "together", together) | _night(tmp_path / "apart", apart)
    assert [wrong for case in cases if (wrong := _wrong(case, stands))] == []
