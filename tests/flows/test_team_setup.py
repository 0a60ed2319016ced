"""The documented set-up of a team: every command of docs/running.md as it stands, and queues that somebody polls."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from slowwave.errors import ConfigError
from slowwave.flows.running import refuse_other_host
from slowwave.scheduling.files import for_host
from tests.support.installation import ROOT
from tests.support.postgres import running_postgres
from tests.support.prefect_server import PrefectServer, running_server
from tests.support.workshop import Workshop

SHIPPED = (ROOT / "deployments" / "prefect.yaml").read_text(encoding="utf-8")


def team_blocks() -> tuple[str, str, str]:
    """The commands of the section about teams: of the server, of a host, by hand."""
    page = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
    section = page.partition("\n## A team\n")[2].partition("\n### ")[0]
    server, host, by_hand = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    return server, host, by_hand


def polled(block: str) -> set[str]:
    return set(re.findall(r'--work-queue "?([^"\s]+)"?', block))


def queues(text: str) -> set[str]:
    data = yaml.safe_load(text)
    return {deployment["work_pool"]["work_queue_name"] for deployment in data["deployments"]}


def test_every_documented_deployment_is_polled_by_a_documented_worker() -> None:
    server, host, by_hand = team_blocks()
    assert queues(SHIPPED) == polled(server) == {"default"}
    assert polled(host) == {"$(hostname)"}
    assert queues(for_host(SHIPPED, "anna")) == {"anna"}
    names = {
        one["name"]
        for text in (SHIPPED, for_host(SHIPPED, "$H".strip("$")))
        for one in yaml.safe_load(text)["deployments"]
    }
    for wanted in re.findall(r'deployment run "?\w+/([\w$()-]+)', by_hand):
        assert wanted.replace("$(hostname)", "H") in names, wanted
    compose = (ROOT / "deployments" / "docker" / "compose.yaml").read_text(encoding="utf-8")
    assert '"--work-queue", "default"' in compose and "SLOWWAVE_STORE: team" in compose
    unit = (ROOT / "deployments" / "systemd" / "slowwave-worker.service").read_text(encoding="utf-8")
    assert "--work-queue %H" in unit


def test_deployments_of_a_host_name_it() -> None:
    data = yaml.safe_load(for_host(SHIPPED, "anna"))
    assert [one["name"] for one in data["deployments"]] == ["nightly-anna", "rebuild-anna", "backfill-anna"]
    assert all(one["parameters"]["host"] == "anna" for one in data["deployments"])
    with pytest.raises(ConfigError):
        for_host(SHIPPED, "no host; at all")


def test_a_worker_elsewhere_refuses_a_host_s_night(monkeypatch: pytest.MonkeyPatch) -> None:
    from slowwave.storage.queue.owner import this_host

    monkeypatch.setenv("SLOWWAVE_HOST_ID", "server")
    this_host.cache_clear()
    refuse_other_host(None)
    refuse_other_host("server")
    with pytest.raises(ConfigError, match="for host anna"):
        refuse_other_host("anna")
    this_host.cache_clear()


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrefectServer]:
    with running_server(tmp_path_factory.mktemp("server")) as running:
        yield running


class Machine:
    """Somebody's machine on which the documented commands are typed one after the other. Workers go on."""

    def __init__(self, shop: Workshop, name: str, url: str, api: dict[str, str]) -> None:
        self.shop, self.url = shop, url
        self.workers: list[subprocess.Popen[bytes]] = []
        tools = shop.folder / "bin"
        tools.mkdir(parents=True)
        (tools / "hostname").write_text(f"#!/bin/sh\necho {name}\n")
        (tools / "hostname").chmod(0o755)
        venv = Path(os.environ.get("VIRTUAL_ENV", Path(os.sys.executable).parent.parent)) / "bin"
        path = f"{tools}:{venv}:{Path(os.sys.executable).parent}:{os.environ['PATH']}"
        self.env = {**api, **shop.site.environment(), "PATH": path, "SLOWWAVE_DATABASE__URL": url}

    def type(self, block: str, cwd: Path) -> str:
        """Run the lines of a block; the variables of this test stand where the page has its examples."""
        told = ""
        for line in block.strip().split("\n"):
            if line.startswith("export "):
                continue
            print(f"$ {line}")
            if " worker start " in line:
                self.workers.append(subprocess.Popen(["bash", "-c", f"exec env {line}"], cwd=cwd, env=self.env))
                continue
            done = subprocess.run(
                ["bash", "-c", line], cwd=cwd, env=self.env, capture_output=True, text=True, timeout=240
            )
            assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
            print(done.stdout + done.stderr)
            told += done.stdout
        return told

    def stop(self) -> None:
        for worker in self.workers:
            worker.send_signal(signal.SIGTERM)
            worker.wait(30)


@pytest.mark.full
@pytest.mark.prefect_server
@pytest.mark.postgres
@pytest.mark.xdist_group("prefect")
def test_the_documented_commands_set_a_team_up(server: PrefectServer, tmp_path: Path) -> None:
    blocks = team_blocks()
    with running_postgres() as postgres:
        url = postgres.database(empty=True)
        central, anna = Workshop(tmp_path / "central"), Workshop(tmp_path / "anna", {"SLOWWAVE_HOST_ID": "anna"})
        root = anna.repository("shop", "git@git.example:crew/shop.git")
        anna.session(root, "Always deploy from the release branch.", days_ago=3)
        machines = [Machine(central, "central", url, server.env), Machine(anna, "anna", url, server.env)]
        try:
            machines[0].type(blocks[0], central.folder)
            machines[1].type(blocks[1], root)
            told = machines[1].type(blocks[2], root)
        finally:
            for machine in machines:
                machine.stop()
        assert told.count("Completed") >= 2, told
        memory = next((anna.site.home / "memory").glob("shop-*/current/MEMORY.md")).read_text()
        assert "release branch" in memory
