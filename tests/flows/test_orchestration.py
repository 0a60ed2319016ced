"""A real Prefect server and real workers: deploy, run by schedule and by hand, cancel and kill. States are asserted."""

from __future__ import annotations

import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from ruamel.yaml import YAML

from tests.support.full_postgres import full_postgres
from tests.support.installation import ROOT, Installation, wait_until
from tests.support.loopback import LoopbackServer
from tests.support.prefect_server import PrefectServer, running_server

pytestmark = [pytest.mark.prefect_server, pytest.mark.xdist_group("prefect")]


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgres", marks=[pytest.mark.full, pytest.mark.postgres])]
)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrefectServer]:
    folder = tmp_path_factory.mktemp("server")
    if request.param == "sqlite":
        with running_server(folder) as running:
            yield running
        return
    with full_postgres() as url, running_server(folder, url) as running:
        yield running


def every_minute(target: Path) -> Path:
    """A copy of the shipped prefect.yaml whose nightly run comes every minute."""
    yaml = YAML()
    data = yaml.load((ROOT / "deployments" / "prefect.yaml").read_text(encoding="utf-8"))
    data["definitions"]["schedules"]["nightly"]["cron"] = "* * * * *"
    path = target / "prefect.yaml"
    with path.open("w", encoding="utf-8") as stream:
        yaml.dump(data, stream)
    return path


def claims(installation: Installation) -> int:
    rows = installation.query("select count(*) from jobs where state = 'running'")
    return int(rows[0][0]) if rows else 0


def outcomes(installation: Installation) -> dict[str, int]:
    return dict(installation.query("select reason, count(*) from threads group by reason"))


def test_a_team_of_two_workers_from_deployment_to_zombie(server: PrefectServer, tmp_path: Path) -> None:
    installation = Installation(tmp_path)
    installation.extra["SLOWWAVE_MEMORIES__ENABLED"] = "true"
    installation.write_sessions(4, projects=2)
    server.cli("work-pool", "create", "slowwave", "--type", "process")
    config = every_minute(tmp_path)
    assert "successfully created" in server.cli("deploy", "--all", "--prefect-file", str(config))

    with LoopbackServer() as model:
        installation.extra |= {"SLOWWAVE_MODELS__DEFAULT__BASE_URL": model.base_url, "ANTHROPIC_API_KEY": "any"}
        env = installation.env()
        with server.worker("w1", env) as first, server.worker("w2", env):
            # by schedule
            wait_until(lambda: "COMPLETED" in server.states("nightly"), 240, "the scheduled run")
            assert outcomes(installation) == {"extracted": 4}
            folders = {name.split("-")[0] for name in installation.memory()}
            assert {"project0", "project1"} <= folders
            server.cli("deployment", "schedule", "ls", "nightly/nightly")
            pause(server)

            # by hand, watched
            before = installation.query("select count(*) from versions")[0][0]
            answer = server.cli("deployment", "run", "rebuild/rebuild", "--param", "project=project0", "--watch")
            assert "Completed" in answer
            assert installation.query("select count(*) from runs where kind = 'rebuild'") == [(1,)]
            assert installation.query("select count(*) from versions")[0][0] >= before

            # cancelled half-way
            model.latency = 20.0
            installation.write_sessions(8, projects=2, days_ago=1.0)
            seen = len(model.messages)
            run = server.create_run("nightly/nightly")
            wait_until(lambda: len(model.messages) > seen, 120, "the run to ask the model")
            assert claims(installation) > 0
            server.ask(f"/flow_runs/{run}/set_state", {"state": {"type": "CANCELLING"}})
            wait_until(lambda: server.state(run) == "CANCELLED", 60, "the cancelled run to end")
            wait_until(lambda: claims(installation) == 0, 10, "the claims to come back")
            assert installation.query("select max(attempts), max(crashes) from jobs") == [(0, 0)]

            # its worker and its process killed half-way
            seen = len(model.messages)
            run = server.create_run("nightly/nightly")
            wait_until(lambda: len(model.messages) > seen, 120, "the run to ask the model")
            owner = installation.query("select owner_pid from jobs where state = 'running' limit 1")[0][0]
            victims = [psutil.Process(owner), *psutil.Process(owner).children(recursive=True)]
            ours = first if first.pid in {parent.pid for parent in victims[0].parents()} else None
            if ours is not None:
                ours.kill()
            for victim in victims:
                victim.send_signal(signal.SIGKILL)
            assert claims(installation) > 0

            # the next run takes the dead owner's claims back and finishes
            model.latency = 0.0
            server.ask(f"/flow_runs/{run}/set_state", {"state": {"type": "CRASHED"}, "force": True})
            again = server.create_run("nightly/nightly")
            wait_until(lambda: server.state(again) == "COMPLETED", 180, "the run after the crash")
    assert claims(installation) == 0
    assert outcomes(installation) == {"extracted": 8}
    assert installation.query("select count(*) from stage_one_outputs") == [(8,)]
    shutil.rmtree(tmp_path / "slowwave")


def pause(server: PrefectServer) -> None:
    """Stop the one-minute schedule and wait for what it had started."""
    deployment = server.ask("/deployments/name/nightly/nightly")
    server.ask(f"/deployments/{deployment['id']}/pause_deployment", {})
    wait_until(lambda: "RUNNING" not in server.states("nightly"), 120, "scheduled runs to end")
    time.sleep(1)
