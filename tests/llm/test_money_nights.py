"""Money over nights: limits that hold whatever is reported, accounts that run dry, models that never finish."""

from __future__ import annotations

import pytest

from slowwave.errors import ConfigError
from slowwave.llm.endpoint.transport import connect
from slowwave.llm.roles import resolve_roles
from slowwave.settings import ModelsSettings
from tests.support.loopback import LoopbackServer, RequestRecord, Step
from tests.support.night import Night
from tests.support.nursery import Nursery


@pytest.mark.parametrize(
    "usage", [None, {"input_tokens": 0, "output_tokens": 0}, {"input_tokens": -9, "output_tokens": 1}]
)
def test_a_limit_on_tokens_holds_without_a_true_report(
    usage: dict[str, int] | None, night: Night, server: LoopbackServer, nursery: Nursery
) -> None:
    night.settings = {"budget": {"perRun": {}, "perDay": {"inputTokens": 12_000}}}
    night.write_settings(stage1Concurrency=1)
    for number in range(12):
        night.write_session(number)
    nothing = dict.fromkeys(("input_tokens", "output_tokens"))
    server.script(Step(usage=usage or nothing), times=None)
    report = night.run(nursery)
    assert "limit per day is reached (input tokens" in report["message"]
    assert 3 <= len(server.messages) <= 8
    assert sum(row["input_tokens"] for row in night.rows("model_calls")) <= 12_000


def test_a_key_whose_budget_is_spent_costs_no_session_an_attempt(
    night: Night, server: LoopbackServer, nursery: Nursery
) -> None:
    threads = [night.write_session(number) for number in range(3)]
    server.script(Step())
    server.script(Step(status=400, message="ExceededBudget: this key is over budget"), times=None)
    for _ in range(4):
        report = night.run(nursery)
    assert "usage limit reached" in report["message"] or report["status"] == "failed"
    waiting = [night.jobs()[thread] for thread in threads if night.jobs()[thread]["state"] != "done"]
    assert [(job["state"], job["attempts"]) for job in waiting] == [("pending", 0)] * 2
    server.clear_script()
    night.run(nursery)
    assert set(night.fates().values()) == {"extracted"}


def test_a_model_that_is_always_cut_is_stopped_and_what_died_comes_back_with_another(
    night: Night, server: LoopbackServer, nursery: Nursery
) -> None:
    night.write_settings(maxAttempts=1)
    threads = [night.write_session(number) for number in range(12)]
    thinks = [{"type": "thinking", "thinking": "Let me see. " * 200, "signature": ""}]
    server.script(Step(content=thinks, stop_reason="max_tokens"), times=None)
    report = night.run(nursery)
    assert len(server.messages) == 6
    assert "could not be used" in report["message"]
    states = [night.jobs()[thread]["state"] for thread in threads]
    assert states.count("dead") == 3 and states.count("pending") == 9
    server.clear_script()
    night.settings = {"default": {"model": "claude-sonnet-5-5"}}
    night.write_settings()
    assert night.run(nursery)["sessions"] == {"extracted": 12}


def test_a_batch_that_the_provider_does_not_know_at_once_is_asked_for_again(
    night: Night, server: LoopbackServer, nursery: Nursery
) -> None:
    night.write_settings(batch=True)
    threads = [night.write_session(number) for number in range(3)]
    polls = {"left": 1}

    def unknown(record: RequestRecord) -> Step:
        polls["left"] -= 1
        return Step(status=404, message="Not found") if polls["left"] >= 0 else Step()

    server.script(unknown, when=lambda record: "/batches/msgbatch" in record.path, times=None)
    night.run(nursery)
    assert {night.fates()[thread] for thread in threads} == {"extracted"}
    created = [record for record in server.asked("/v1/messages/batches") if record.method == "POST"]
    assert len(created) == 1


def test_a_proxy_or_a_certificate_of_the_environment_is_no_matter_on_this_machine(
    night: Night, server: LoopbackServer, nursery: Nursery
) -> None:
    thread = night.write_session(1)
    odd = {"ALL_PROXY": "socks5://127.0.0.1:9", "HTTPS_PROXY": "socks5://127.0.0.1:9", "SSL_CERT_FILE": "/nowhere.pem"}
    night.run(nursery, **odd)
    assert night.fates()[thread] == "extracted"


def test_elsewhere_a_missing_certificate_file_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere/at/all.pem")
    role = resolve_roles(ModelsSettings.model_validate({"provider": "anthropic"}), {}).default
    with pytest.raises(ConfigError) as caught:
        connect(role)
    assert "SSL_CERT_FILE" in caught.value.hint
