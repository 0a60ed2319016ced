"""What a failing provider does to a night, in a real process: each session's final state, and the run's."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from tests.support.loopback import LoopbackServer, RequestRecord, Step
from tests.support.night import Night, last_report
from tests.support.nursery import Nursery

# Session by session: what the endpoint does to its calls, how often, and where its job ends.
ONE_BY_ONE: list[tuple[Step, int | None, str, str | None]] = [
    (Step(), 0, "done", None),
    (Step(status=400, message="messages: odd"), None, "backoff", "bad_request"),
    (Step(stop_reason="refusal", content=[]), None, "dead", "refusal"),
    (Step(cut=30), None, "backoff", "answer_cut"),
    (Step(content=[]), None, "backoff", "empty_answer"),
    (Step(text="I will not answer in JSON."), None, "backoff", "invalid_answer"),
    (Step(fault="drip"), None, "backoff", "timeout"),
    (Step(fault="hang"), None, "backoff", "timeout"),
    (Step(status=500, message="boom"), None, "backoff", "server_error"),
    (Step(fault="reset"), None, "backoff", "connection"),
    (Step(body=b"<html>gateway</html>"), None, "backoff", "invalid_response"),
    (Step(status=413, message="too large"), None, "dead", "prompt_too_long"),
    (Step(stop_reason="model_context_window_exceeded"), None, "dead", "prompt_too_long"),
    (Step(status=529, message="Overloaded"), 1, "done", None),
    (Step(status=503, message="down"), 1, "done", None),
    (Step(status=429), 1, "done", None),
    (Step(fault="cut_body"), 1, "done", None),
    (Step(body=b'{"id": "msg'), 1, "done", None),
    (Step(text='{"outcome": 3}'), 1, "done", None),
    (Step(thinking=True), None, "done", None),
]


def about(number: int, record: RequestRecord) -> bool:
    return f"planet {number}," in record.prompt and "operations" not in json.dumps(record.json)


def test_each_session_ends_in_the_state_that_its_failure_deserves(
    night: Night, server: LoopbackServer, nursery: Nursery
) -> None:
    night.settings = {"default": {"timeoutSeconds": 4}}
    night.write_settings(stage1Concurrency=6)
    threads = [night.write_session(number) for number in range(len(ONE_BY_ONE))]
    for number, (step, times, _, _) in enumerate(ONE_BY_ONE):
        if times != 0:
            server.script(step, when=lambda record, number=number: about(number, record), times=times)  # type: ignore[misc]
    report = night.run(nursery)
    jobs = night.jobs()
    found = [(jobs[thread]["state"], jobs[thread]["reason"]) for thread in threads]
    assert found == [(state, reason) for _, _, state, reason in ONE_BY_ONE]
    assert report["status"] == "partial"
    good = sum(state == "done" for _, _, state, _ in ONE_BY_ONE)
    assert report["sessions"]["extracted"] == good
    waiting = sum(state == "backoff" for _, _, state, _ in ONE_BY_ONE)
    hopeless = sum(state == "dead" for _, _, state, _ in ONE_BY_ONE)
    assert Counter(night.fates().values()) == {"extracted": good, "failed": waiting, "dead": hopeless}
    assert all(row["reason_detail"] for row in night.rows("threads") if row["reason"] != "extracted")
    assert len(night.rows("model_calls")) == len(server.messages)
    assert [row["outcome"] for row in report["projects"]] == ["published"]


DENIED = [
    (Step(status=401, message="invalid API key"), "wrong_key", "The provider refuses the API key"),
    (Step(status=429, error_code="enforced_spend_limit_reached"), "spend_limit", "spend limit reached"),
    (Step(status=402, message="pay"), "no_credit", "wants to be paid"),
    (Step(status=403, message="no"), "no_permission", "may not use this model"),
    (Step(status=404, message="model"), "not_found", "knows no such model"),
    (Step(status=400, message="You have reached your specified API usage limits."), "usage_limit", "usage limit"),
]


@pytest.mark.parametrize(
    ("step", "reason", "said"),
    [row if n < 2 else pytest.param(*row, marks=pytest.mark.full) for n, row in enumerate(DENIED)],
)
def test_what_every_call_would_meet_stops_the_run_at_the_first(
    step: Step, reason: str, said: str, night: Night, server: LoopbackServer, nursery: Nursery
) -> None:
    threads = [night.write_session(number) for number in range(6)]
    server.script(step, times=None)
    report = night.run(nursery)
    assert len(server.messages) == 1
    assert said in report["message"]
    assert report["status"] in ("failed", "partial")
    jobs = night.jobs()
    assert {(jobs[thread]["state"], jobs[thread]["attempts"]) for thread in threads} == {("pending", 0)}
    assert set(night.fates().values()) == {"queued"}
    assert [row["outcome"] for row in night.rows("model_calls")] == [reason]
    server.clear_script()
    assert night.run(nursery)["sessions"] == {"extracted": 6}


def test_a_budget_ends_a_run_cleanly_and_publishes_what_is_complete(
    night: Night, server: LoopbackServer, nursery: Nursery
) -> None:
    night.settings = {"budget": {"perRun": {"calls": 4}, "perDay": {}}}
    night.write_settings(stage1Concurrency=2)
    for number in range(6):
        night.write_session(number)
    report = night.run(nursery)
    assert report["status"] == "completed"
    assert report["sessions"]["extracted"] == 4
    assert "limit per run is reached (calls" in report["message"]
    assert len(server.messages) == 4
    fates = Counter(night.fates().values())
    assert fates["extracted"] == 4 and fates["budget"] >= 1
    night.settings = {}
    night.write_settings()
    report = night.run(nursery)
    assert [row["outcome"] for row in report["projects"]] == ["published"]
    assert set(night.fates().values()) == {"extracted"}


def test_a_night_without_consent_sends_nothing_and_says_so(
    night: Night, server: LoopbackServer, nursery: Nursery
) -> None:
    night.base_url = "http://192.0.2.1:8080"
    night.write_settings()
    thread = night.write_session(1)
    done = night.start(nursery).wait()
    report = last_report(done.stdout)
    assert (done.code, report["reason"]) == (5, "consent_required")
    assert "http://192.0.2.1:8080" in report["message"]
    assert thread not in night.jobs()


def test_a_huge_retry_after_is_kept_in_the_queue(night: Night, server: LoopbackServer, nursery: Nursery) -> None:
    thread = night.write_session(1)
    server.script(Step(status=429, headers={"retry-after": "7200"}), times=None)
    night.run(nursery)
    job = night.jobs()[thread]
    assert (job["state"], job["reason"]) == ("backoff", "rate_limited")
    assert job["retry_at"] - job["finished_at"] >= 7200
    assert len(server.messages) == 1
