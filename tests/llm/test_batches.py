"""Message Batches in real processes: half the price, nothing lost and nothing asked twice, whatever dies when."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from typing import Any

import pytest

from tests.support.logs import Assistant, User
from tests.support.loopback import LoopbackServer, RequestRecord, Step
from tests.support.night import Night
from tests.support.nursery import Nursery

BATCHES = "/v1/messages/batches"


def created(server: LoopbackServer) -> list[RequestRecord]:
    return [record for record in server.asked(BATCHES) if record.method == "POST"]


def sessions_sent(server: LoopbackServer) -> Counter[str]:
    """How often each session was sent: in batches that the server accepted, or directly."""
    bodies = [request["params"] for batch in server.batches.batches.values() for request in batch.requests]
    bodies += [record.json for record in server.messages if "operations" not in json.dumps(record.json)]
    found: Counter[str] = Counter()
    for body in bodies:
        line = next(line for line in body["messages"][0]["content"].splitlines() if line.startswith('{"session":'))
        found[json.loads(line)["session"]] += 1
    return found


@pytest.fixture
def batch_night(night: Night) -> Night:
    """A night of five sessions that uses batches."""
    night.write_settings(batch=True)
    for number in range(5):
        night.write_session(number)
    return night


def check_all_extracted(night: Night, sessions: int = 5) -> None:
    assert Counter(night.fates().values()) == {"extracted": sessions}
    outputs = night.rows("stage_one_outputs")
    assert len(outputs) == sessions and all(row["memories"] for row in outputs)
    assert all(row["ended_at"] for row in night.rows("model_batches"))


def test_a_batch_costs_half_and_each_session_is_booked_once(
    batch_night: Night, server: LoopbackServer, nursery: Nursery
) -> None:
    report = batch_night.run(nursery)
    assert report["sessions"] == {"extracted": 5}
    assert len(created(server)) == 1
    calls = [row for row in batch_night.rows("model_calls") if row["stage"] == "extract"]
    assert len(calls) == 5 and {row["batch_id"] for row in calls} == {"msgbatch_000001"}
    for row in calls:
        full = (row["input_tokens"] * 0.10 + row["output_tokens"] * 0.50) / 1e6
        assert row["cost"] == pytest.approx(full / 2)
    for request in created(server)[0].json["requests"]:
        assert "stream" not in request["params"]
    assert batch_night.run(nursery)["status"] == "nothing to do"
    check_all_extracted(batch_night)


KILL_POINTS = [
    "batch.created",
    "extract.storing:2",
    *(
        pytest.param(point, marks=pytest.mark.full)
        for point in ("batch.planned", "batch.sent", "batch.read", "batch.booked:3", "extract.stored")
    ),
]


@pytest.mark.parametrize("point", KILL_POINTS)
def test_killed_anywhere_and_run_again_at_once(
    point: str, batch_night: Night, server: LoopbackServer, nursery: Nursery
) -> None:
    done = batch_night.start(nursery, SLOWWAVE_KILL_AT=point).wait()
    assert done.code == -9, done.stderr
    batch_night.run(nursery)
    check_all_extracted(batch_night)
    assert set(sessions_sent(server).values()) == {1}
    extracts = [row for row in batch_night.rows("model_calls") if row["stage"] == "extract"]
    assert len(extracts) == 5


def test_a_lost_answer_to_the_creation_is_found_again(
    batch_night: Night, server: LoopbackServer, nursery: Nursery
) -> None:
    server.script(Step(fault="cut_body"), when=lambda record: record.path == BATCHES and record.method == "POST")
    batch_night.run(nursery)
    check_all_extracted(batch_night)
    assert len(created(server)) == 1
    assert set(sessions_sent(server).values()) == {1}


@pytest.mark.full
def test_a_batch_of_somebody_else_is_not_taken_for_ours(
    batch_night: Night, server: LoopbackServer, nursery: Nursery
) -> None:
    message = {"model": "claude-haiku-5-5", "max_tokens": 5, "messages": [{"role": "user", "content": "hello"}]}
    strange = [{"custom_id": f"strange-{n}", "params": message} for n in range(5)]
    server.batches.create(strange)
    server.script(Step(status=500), when=lambda record: record.path == BATCHES and record.method == "POST")
    assert batch_night.run(nursery)["sessions"] == {"extracted": 5}
    check_all_extracted(batch_night)
    assert set(sessions_sent_without(server, "strange").values()) == {1}


def sessions_sent_without(server: LoopbackServer, prefix: str) -> Counter[str]:
    for batch in list(server.batches.batches.values()):
        if batch.requests[0]["custom_id"].startswith(prefix):
            del server.batches.batches[batch.id]
    return sessions_sent(server)


@pytest.mark.parametrize("kind", ["expired", "canceled", "errored"])
def test_what_a_batch_did_not_answer_goes_back_to_the_queue(
    kind: str, batch_night: Night, server: LoopbackServer, nursery: Nursery
) -> None:
    outcome: dict[str, Any] = {"type": kind}
    if kind == "errored":
        error = {"type": "api_error", "message": "Internal server error"}
        outcome["error"] = {"type": "error", "error": error, "request_id": "req_1"}
    made = server.batches.create

    def create(requests: list[dict[str, Any]]) -> Any:
        if not server.batches.batches:
            server.batches.outcomes = {requests[0]["custom_id"]: outcome, requests[3]["custom_id"]: outcome}
        return made(requests)

    server.batches.create = create  # type: ignore[method-assign]
    report = batch_night.run(nursery)
    assert report["sessions"] == {"extracted": 3, f"batch_{kind}": 2}
    assert Counter(batch_night.fates().values()) == {"extracted": 3, "queued": 2}
    batch_night.run(nursery)
    check_all_extracted(batch_night)
    assert sorted(sessions_sent(server).values()) == [1, 1, 1, 2, 2]


def test_results_on_another_host_are_not_fetched(batch_night: Night, server: LoopbackServer, nursery: Nursery) -> None:
    with LoopbackServer() as foreign:
        server.batches.results_host = foreign.base_url
        report = batch_night.run(nursery)
        assert foreign.requests == []
    assert "another host" in report["message"]
    assert set(batch_night.fates().values()) == {"submitted"}
    server.batches.results_host = None
    batch_night.run(nursery)
    check_all_extracted(batch_night)
    assert set(sessions_sent(server).values()) == {1}


def test_an_endpoint_without_batches_is_asked_directly(
    batch_night: Night, server: LoopbackServer, nursery: Nursery
) -> None:
    server.features.discard("batches")
    batch_night.run(nursery)
    check_all_extracted(batch_night)
    assert created(server) == []
    batch_night.write_session(9)
    asked = len(server.asked(BATCHES))
    batch_night.run(nursery)
    assert len(server.asked(BATCHES)) == asked


def test_a_refused_batch_falls_back_to_single_calls_so_that_one_bad_session_fails_alone(
    batch_night: Night, server: LoopbackServer, nursery: Nursery
) -> None:
    def refuse(record: RequestRecord) -> Step:
        return Step(status=400, message="odd") if "planet 3" in record.body.decode() else Step()

    server.script(refuse, when=lambda record: record.method == "POST", times=None)
    report = batch_night.run(nursery)
    assert report["sessions"] == {"extracted": 4, "bad_request": 1}
    assert Counter(batch_night.fates().values()) == {"extracted": 4, "failed": 1}


def test_a_log_that_grows_while_it_is_away_is_stored_and_queued_again(
    batch_night: Night, server: LoopbackServer, nursery: Nursery
) -> None:
    process = batch_night.start(nursery, SLOWWAVE_KILL_AT="batch.sent")
    assert process.wait().code == -9
    steps = (
        User("Always name module 2 after planet 2, never after a colour."),
        Assistant("I will."),
        User("Prefer tabs over spaces in the makefile, always."),
        Assistant("Done."),
    )
    batch_night.write_session(2, steps)
    batch_night.run(nursery)
    thread = "claude:00000002-1111-4111-8111-111111111111"
    assert (
        batch_night.jobs()[thread]["done_hash"] != batch_night.jobs()[thread]["source_hash"]
        or sessions_sent(server)[thread] == 2
    )
    batch_night.run(nursery)
    assert sessions_sent(server) == Counter(
        {f"claude:0000000{n}-1111-4111-8111-111111111111": 1 for n in range(5)}
    ) + Counter({thread: 1})
    output = next(row for row in batch_night.rows("stage_one_outputs") if row["thread_id"] == thread)
    assert "tabs over spaces" in json.dumps(output["memories"])


@pytest.mark.full
def test_a_batch_is_not_awaited_longer_than_the_run_may_take(
    batch_night: Night, server: LoopbackServer, nursery: Nursery
) -> None:
    server.batches.polls = 10_000
    batch_night.settings = {"budget": {"perRun": {"seconds": 15}}}
    batch_night.write_settings(batch=True)
    report = batch_night.run(nursery, seconds=60)
    assert report["sessions"] == {"submitted": 5}
    assert set(batch_night.fates().values()) == {"submitted"}
    for batch in server.batches.batches.values():
        batch.polls_left = 0
    assert batch_night.run(nursery)["sessions"] == {"extracted": 5}
    check_all_extracted(batch_night)
    assert set(sessions_sent(server).values()) == {1}


@pytest.mark.full
def test_twenty_random_kills_of_a_batch_night(night: Night, server: LoopbackServer, nursery: Nursery) -> None:
    server.latency = 0.05
    night.write_settings(batch=True, batchSize=6)
    for number in range(24):
        night.write_session(number)
    dice = random.Random(20261129)
    killed = 0
    while killed < 20:
        process = night.start(nursery)
        time.sleep(dice.uniform(0.2, 4.0))
        process.kill()
        done = process.wait()
        if done.code == 0:
            for number in range(24 + killed, 27 + killed):
                night.write_session(1000 + number)
        else:
            assert done.code == -9, done.stderr
            killed += 1
    night.run(nursery)
    fates = night.fates()
    assert Counter(fates.values()) == {"extracted": len(fates)}
    assert set(sessions_sent(server).values()) == {1}
    extracts = Counter(row["thread_id"] for row in night.rows("model_calls") if row["stage"] == "extract")
    assert set(extracts.values()) == {1}
