"""What a run says before it spends: how far the limits let it come, and how to go on."""

from __future__ import annotations

from click.testing import CliRunner

from slowwave.cli.group import slowwave
from slowwave.llm.spending.budget import Amount
from slowwave.memories.discovery.estimate import _reached
from slowwave.settings import BudgetSettings
from tests.support.loopback import LoopbackServer
from tests.support.night import Night


def test_the_first_limit_that_ends_a_run_is_named() -> None:
    each = [Amount(1, 10_000, 1500, 0.0, 0.01)] * 80
    assert _reached(BudgetSettings(), each) == ("", 80)
    few = BudgetSettings.model_validate({"perRun": {"inputTokens": 95_000}, "perDay": {"calls": 20}})
    assert _reached(few, each) == ("budget.perRun.inputTokens", 9)
    dear = BudgetSettings.model_validate({"perRun": {"dollars": 0.505}, "perDay": {}})
    assert _reached(dear, each) == ("budget.perRun.dollars", 50)


def test_a_first_run_over_many_sessions_says_how_far_it_will_come(night: Night, server: LoopbackServer) -> None:
    for number in range(24):
        night.write_session(number)
    said = CliRunner().invoke(slowwave, ["run", "--dry-run"], env=night.environment)
    assert said.exit_code == 0 and "admits" not in said.output
    night.settings = {"budget": {"perRun": {"calls": 10}, "perDay": {}}}
    night.write_settings()
    said = CliRunner().invoke(slowwave, ["run", "--dry-run"], env=night.environment)
    assert "budget.perRun.calls admits about 10 of the 24 sessions" in said.output
    assert "slowwave config set budget.perRun.calls" in said.output
    assert server.messages == []
