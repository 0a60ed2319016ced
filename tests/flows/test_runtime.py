"""Runs through the embedded server: real processes, a real server, real signals."""

from __future__ import annotations

import json
import signal
import sqlite3
import time

import psutil
import pytest

from slowwave.errors import OrchestrationError
from slowwave.orchestration.embedded import embedded_server
from tests.support.installation import SECRET_SENTENCE, Installation, processes_of, wait_until
from tests.support.loopback import LoopbackServer

pytestmark = [pytest.mark.prefect_server, pytest.mark.xdist_group("prefect")]


def running_claims(installation: Installation) -> int:
    rows = installation.query("select count(*) from jobs where state = 'running'")
    return int(rows[0][0]) if rows else 0


def test_a_run_extracts_consolidates_and_leaves_no_process(installation: Installation) -> None:
    installation.write_sessions(5, projects=2)
    report = json.loads(installation.run("run", "--json").stdout)
    assert report["status"] == "completed"
    assert sum(report["sessions"].values()) == 5
    published = {project["name"] for project in report["projects"] if project["outcome"] == "published"}
    assert {"project0", "project1"} <= published
    assert any(SECRET_SENTENCE in text for text in installation.memory().values())
    assert processes_of(str(installation.home)) == []
    assert list((installation.home / "plans").iterdir()) == []


def test_nothing_to_do_starts_no_server(installation: Installation) -> None:
    installation.write_sessions(2)
    installation.run("run")
    before = installation.memory()
    log = installation.home / "prefect" / "server.log"
    log.unlink()
    answer = json.loads(installation.run("run", "--json").stdout)
    assert answer["status"] == "nothing_to_do"
    assert not log.exists(), "a server was started"
    assert installation.memory() == before


def test_prefect_holds_no_word_of_a_session(installation: Installation) -> None:
    installation.write_sessions(3)
    report = json.loads(installation.run("run", "--json").stdout)
    database = sqlite3.connect(installation.home / "prefect" / "prefect.db")
    names = [row[0] for row in database.execute("select name from task_run")]
    flow_runs = database.execute("select name, state_type, tags from flow_run").fetchall()
    artifacts = dict(database.execute("select key, data from artifact").fetchall())
    events = {row[0] for row in database.execute("select event from events")}
    dump = "\n".join(database.iterdump())
    database.close()
    ((name, state, tags),) = flow_runs
    assert (name, state) == (f"nightly-{report['run_id']}", "COMPLETED")
    assert json.loads(tags) == ["nightly", f"run-{report['run_id']}", "slowwave"]
    assert any(name.startswith("extract-1-of-1") for name in names)
    assert any(name.startswith("consolidate-") for name in names)
    assert {"slowwave-extraction", "slowwave-outcomes", "slowwave-cost", "slowwave-run"} <= artifacts.keys()
    assert report["run_id"] in artifacts["slowwave-run"]
    assert "slowwave.consolidated" in events
    for words in (SECRET_SENTENCE, "blue lighthouse", "make check", "project0", "area0", str(installation.logs)):
        assert words not in dump, f"{words!r} stands in Prefect's database"


def test_sigterm_ends_within_ten_seconds_and_gives_every_claim_back(
    installation: Installation, slow_model: LoopbackServer
) -> None:
    installation.write_sessions(6)
    process = installation.start("run")
    slow_model.wait_for(messages=1, seconds=90)
    assert running_claims(installation) > 0
    told = time.monotonic()
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    took = time.monotonic() - told
    assert took < 10, took
    assert process.returncode == 128 + signal.SIGTERM
    assert running_claims(installation) == 0
    assert installation.query("select max(attempts), max(crashes) from jobs") == [(0, 0)]
    assert installation.query("select status from runs") == [("cancelled",)]
    wait_until(lambda: not processes_of(str(installation.home)), 10, "the server to end")

    slow_model.latency = 0.0
    report = json.loads(installation.run("run", "--json").stdout)
    assert report["sessions"] == {"extracted": 6}


def test_kill_takes_the_server_along_and_costs_nothing(installation: Installation, slow_model: LoopbackServer) -> None:
    installation.write_sessions(4)
    process = installation.start("run")
    slow_model.wait_for(messages=1, seconds=90)
    process.kill()
    process.communicate(timeout=30)
    wait_until(lambda: not processes_of(str(installation.home)), 20, "server and scanner to end")

    slow_model.latency = 0.0
    report = json.loads(installation.run("run", "--json").stdout)
    assert report["status"] == "completed"
    assert report["sessions"] == {"extracted": 4}
    assert installation.query("select status from runs order by started_at") == [("crashed",), ("completed",)]


@pytest.mark.full
def test_two_first_runs_at_once_share_the_work(empty_installation: Installation) -> None:
    empty_installation.write_sessions(6, projects=2)
    processes = [empty_installation.start("run", "--json") for _ in range(2)]
    answers = [process.communicate(timeout=300) for process in processes]
    assert [process.returncode for process in processes] == [0, 0], answers
    sessions: dict[str, int] = {}
    for out, _ in answers:
        for reason, count in json.loads(out).get("sessions", {}).items():
            sessions[reason] = sessions.get(reason, 0) + count
    assert sessions["extracted"] == 6
    assert empty_installation.query("select count(*) from stage_one_outputs") == [(6,)]
    assert empty_installation.query("select max(number) from versions") == [(1,)]


def test_an_unreachable_server_is_named(installation: Installation) -> None:
    installation.write_sessions(1)
    answer = installation.run("run", more={"SLOWWAVE_PREFECT__API_URL": "http://127.0.0.1:9/api"}, code=1)
    assert "http://127.0.0.1:9/api cannot be reached" in answer.stderr
    assert "prefect.apiUrl" in answer.stderr
    assert running_claims(installation) == 0


def test_a_server_that_cannot_start_is_reported_with_its_log(installation: Installation) -> None:
    (installation.home / "prefect" / "prefect.db").write_bytes(b"this is no database" * 100)
    with embedded_server(installation.home, installation.env()) as server, pytest.raises(OrchestrationError) as caught:
        server.wait()
    assert str(server.log) in caught.value.hint
    assert server.log.read_text(encoding="utf-8").strip()
    assert not psutil.pid_exists(server.process.pid)
