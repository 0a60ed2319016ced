from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import Engine
from sqlalchemy.engine import RowMapping

from slowwave.errors import StoreError
from slowwave.storage.engine import is_sqlite, reading, writing
from slowwave.storage.queue.backlog import Request, enqueue_extract
from slowwave.storage.queue.generations import PROJECTS, bump_generation
from slowwave.storage.registry import (
    OUTPUTS,
    LogStamp,
    SeenThread,
    ThreadChange,
    count_reasons,
    ensure_project,
    known_logs,
    mark_missing,
    recent_threads,
    record_log,
    set_reasons,
    upsert_thread,
)
from slowwave.storage.tables import StageOneOutput, Thread
from slowwave.storage.types import JobKind, Reason, SessionKind
from tests.support.queue import add_projects, job

SEEN = SeenThread(
    id="codex:1",
    agent="codex",
    session_id="1",
    host="here",
    path="/logs/1.jsonl",
    log_key="/logs/1.jsonl",
    kind=SessionKind.INTERACTIVE,
    content_hash="h1",
    project_id="a",
    last_activity=100.0,
    items={"user_text": 3},
)


def upsert(engine: Engine, seen: SeenThread, now: float = 0) -> ThreadChange:
    with writing(engine) as session:
        return upsert_thread(session, seen, now=now)


def thread(engine: Engine, thread_id: str = SEEN.id) -> Thread:
    with reading(engine) as session:
        return session.get_one(Thread, thread_id)


def project(engine: Engine, project_id: str) -> RowMapping:
    with reading(engine) as session:
        return session.connection().execute(PROJECTS.select().where(PROJECTS.c.id == project_id)).mappings().one()


@pytest.fixture(autouse=True)
def projects(engine: Engine) -> None:
    add_projects(engine, "a", "b")


def test_a_project_is_created_once_and_refreshed(engine: Engine) -> None:
    with writing(engine) as session:
        assert ensure_project(session, key="git:x/y", id="c", slug="y", name="y", remote="x/y")
        assert not ensure_project(session, key="git:x/y", id="c", slug="other", name="Y", root="/new/place")
    row = project(engine, "c")
    assert (row["slug"], row["name"], row["root"], row["remote"]) == ("y", "Y", "/new/place", "x/y")


def test_two_projects_never_share_an_id(engine: Engine) -> None:
    with pytest.raises(StoreError, match="share the id"), writing(engine) as session:
        ensure_project(session, key="path:elsewhere", id="a", slug="a", name="a")


def test_a_session_is_stored_and_its_changes_are_told(engine: Engine) -> None:
    assert upsert(engine, SEEN) == ThreadChange(created=True, changed=True)
    assert upsert(engine, SEEN) == ThreadChange()
    assert upsert(engine, replace(SEEN, title="t")) == ThreadChange()
    assert upsert(engine, replace(SEEN, content_hash="h2", last_activity=200.0)) == ThreadChange(changed=True)
    row = thread(engine)
    assert (row.content_hash, row.last_activity, row.items) == ("h2", 200.0, {"user_text": 3})
    assert project(engine, "a")["last_activity"] == 200.0


def test_what_a_person_decided_survives_the_next_scan(engine: Engine) -> None:
    upsert(engine, SEEN)
    with writing(engine) as session:
        row = session.get_one(Thread, SEEN.id)
        row.ignored = row.forgotten = True
        session.add(row)
        set_reasons(session, {SEEN.id: (Reason.FORGOTTEN, "by the user")}, now=5)
    upsert(engine, replace(SEEN, content_hash="h2"))
    row = thread(engine)
    assert row.ignored and row.forgotten and row.reason == Reason.FORGOTTEN


def test_of_two_logs_of_one_session_the_newer_counts_while_it_exists(engine: Engine) -> None:
    upsert(engine, SEEN)
    copy = replace(SEEN, log_key="/backup/1.jsonl", path="/backup/1.jsonl", content_hash="old", last_activity=50.0)
    assert upsert(engine, copy) == ThreadChange(superseded=True)
    assert thread(engine).path == "/logs/1.jsonl"
    resumed = replace(copy, log_key="/logs/2.jsonl", path="/logs/2.jsonl", content_hash="new", last_activity=150.0)
    assert upsert(engine, resumed).changed
    assert thread(engine).path == "/logs/2.jsonl"
    with writing(engine) as session:
        record_log(session, LogStamp("/logs/2.jsonl", "here", "codex", "/logs/2.jsonl", 1, 1))
        assert mark_missing(session, "here", "codex", present=[]) == [SEEN.id]
    assert upsert(engine, copy).changed
    assert not thread(engine).missing


def test_a_session_that_moves_takes_its_output_along_and_both_projects_become_dirty(engine: Engine) -> None:
    upsert(engine, SEEN)
    with writing(engine) as session:
        enqueue_extract(session, Request(SEEN.id, "h1", "offline", 1, "a", None))
        session.add(
            StageOneOutput(
                thread_id=SEEN.id,
                project_id="a",
                source_hash="h1",
                extractor="offline",
                extractor_version=1,
                outcome="success",
                slug="s",
                rollout_summary="",
                raw_memory="",
                pending=False,
            )
        )
    assert upsert(engine, replace(SEEN, project_id="b")).moved_from == "a"
    with reading(engine) as session:
        output = session.connection().execute(OUTPUTS.select()).mappings().one()
    assert (output["project_id"], output["pending"]) == ("b", True)
    assert job(engine, JobKind.EXTRACT, SEEN.id)["project_id"] == "b"
    assert [project(engine, each)["input_generation"] for each in "ab"] == [1, 1]


def test_a_session_without_an_output_moves_silently(engine: Engine) -> None:
    upsert(engine, SEEN)
    assert upsert(engine, replace(SEEN, project_id="b")).moved_from == "a"
    assert upsert(engine, replace(SEEN, project_id=None)).moved_from == "b"
    assert [project(engine, each)["input_generation"] for each in "ab"] == [0, 0]


def test_logs_are_remembered_for_each_host_and_agent(engine: Engine) -> None:
    stamps = [
        LogStamp("/x", "here", "codex", "/x", 2**40, 2**60, "123", 2, SEEN.id),
        LogStamp("/y", "here", "claude", "/y", 1, 1, error="unreadable"),
        LogStamp("/x", "there", "codex", "/x", 5, 5),
    ]
    with writing(engine) as session:
        for stamp in stamps:
            record_log(session, stamp)
        record_log(session, replace(stamps[1], size=7, error=None))
    with reading(engine) as session:
        assert known_logs(session, "here") == {"/x": stamps[0], "/y": replace(stamps[1], size=7, error=None)}
        assert known_logs(session, "here", agent="codex") == {"/x": stamps[0]}
    with writing(engine) as session:
        mark_missing(session, "here", "codex", present=[])
        assert sorted(known_logs(session, "here")) == ["/y"]
        assert sorted(known_logs(session, "there")) == ["/x"]


def test_the_newest_sessions_come_first_and_those_without_a_time_last(engine: Engine) -> None:
    for number, moment in enumerate([10.0, 30.0, None, 20.0]):
        upsert(engine, replace(SEEN, id=f"codex:{number}", log_key=str(number), last_activity=moment))
    upsert(engine, replace(SEEN, id="codex:far", log_key="far", host="there"))

    def ids(**options: object) -> list[str]:
        with reading(engine) as session:
            return [row.id[-1] for row in recent_threads(session, "here", **options)]  # type: ignore[arg-type]

    assert ids() == ["1", "3", "0", "2"]
    assert ids(limit=2) == ["1", "3"]
    assert ids(since=20.0) == ["1", "3", "2"]
    assert ids(project_id="b") == []


def test_reasons_are_kept_with_the_time_of_their_last_change(engine: Engine) -> None:
    for number in range(3):
        upsert(engine, replace(SEEN, id=f"codex:{number}", log_key=str(number)))
    fate = {f"codex:{number}": (Reason.NOT_IDLE, "") for number in range(3)}
    with writing(engine) as session:
        set_reasons(session, fate, now=1)
        set_reasons(session, {**fate, "codex:0": (Reason.EXTRACTED, "3 memories")}, now=2)
        assert count_reasons(session) == {"extracted": 1, "not_idle": 2}
        assert count_reasons(session, host="there") == {}
    rows = [thread(engine, f"codex:{number}") for number in range(2)]
    assert [(row.reason_at, row.reason_detail) for row in rows] == [(2, "3 memories"), (1, "")]


def test_odd_text_in_a_log_is_stored_anyway(engine: Engine) -> None:
    odd = "a\0b\ud800c"
    seen = replace(SEEN, title=odd, cwd=odd, items={odd: 1}, log_key="/x\udcff")
    assert upsert(engine, seen).created
    assert upsert(engine, seen) == ThreadChange()
    assert thread(engine).title == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c"


def test_a_scan_does_not_wait_for_a_worker_that_holds_the_project(engine: Engine) -> None:
    if is_sqlite(engine):
        pytest.skip("SQLite has one writer at a time, there is nothing to wait in a circle for")
    upsert(engine, SEEN)
    with writing(engine) as worker:
        bump_generation(worker, "a")
        upsert(engine, replace(SEEN, last_activity=999.0, content_hash="h2"))
        with writing(engine) as session:
            ensure_project(session, key="path:a", id="a", slug="a", name="renamed meanwhile")
    assert thread(engine).content_hash == "h2"
    assert project(engine, "a")["input_generation"] == 1
    upsert(engine, replace(SEEN, last_activity=1000.0))
    assert project(engine, "a")["last_activity"] == 1000.0
