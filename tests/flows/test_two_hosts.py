"""A team of two hosts: each worker polls its host's queue and extracts the logs that lie there, into one PostgreSQL."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from sqlalchemy import text

from slowwave.storage.engine import connect
from tests.support.installation import ROOT, Installation, wait_until
from tests.support.postgres import running_postgres
from tests.support.prefect_server import PrefectServer, running_server

pytestmark = [
    pytest.mark.full,
    pytest.mark.prefect_server,
    pytest.mark.postgres,
    pytest.mark.xdist_group("prefect"),
]
HOSTS = ("anna", "boris")


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrefectServer]:
    with running_server(tmp_path_factory.mktemp("server")) as running:
        yield running


def deployments(target: Path) -> Path:
    """The shipped prefect.yaml with a nightly run for each host, as docs/running.md describes it."""
    yaml = YAML()
    data = yaml.load((ROOT / "deployments" / "prefect.yaml").read_text(encoding="utf-8"))
    nightly = data["deployments"][0]
    data["deployments"] = []
    for host in HOSTS:
        own = copy.deepcopy(nightly)
        own["name"] = f"nightly-{host}"
        own["work_pool"] = {**nightly["work_pool"], "work_queue_name": host}
        data["deployments"].append(own)
    path = target / "prefect.yaml"
    with path.open("w", encoding="utf-8") as stream:
        yaml.dump(data, stream)
    return path


def rows(url: str, sql: str) -> list[tuple[object, ...]]:
    engine = connect(url)
    with engine.connect() as connection:
        found = [tuple(row) for row in connection.execute(text(sql))]
    engine.dispose()
    return found


def test_each_host_extracts_its_own_logs_and_the_projects_are_consolidated(
    server: PrefectServer, tmp_path: Path
) -> None:
    with running_postgres() as postgres, ExitStack() as stack:
        url = postgres.database(empty=True)
        installations = {}
        for number, host in enumerate(HOSTS, 1):
            shared = {"SLOWWAVE_DATABASE__URL": url, "SLOWWAVE_DATABASE__SHARE": "all"}
            own = {"SLOWWAVE_HOST_ID": host, "SLOWWAVE_MEMORIES__ENABLED": "true"}
            installation = Installation(tmp_path / host, {**shared, **own})
            installation.folder.mkdir()
            installation.write_sessions(2 * number, projects=number, first=10 * number)
            installations[host] = installation
        installations[HOSTS[0]].run("db", "upgrade")
        server.cli("work-pool", "create", "slowwave", "--type", "process")
        server.cli("deploy", "--all", "--prefect-file", str(deployments(tmp_path)))
        for host, installation in installations.items():
            stack.enter_context(server.worker(host, installation.env(), "--work-queue", host))
        runs = [server.create_run(f"nightly/nightly-{host}") for host in HOSTS]
        wait_until(lambda: all(server.state(run) in ("COMPLETED", "FAILED") for run in runs), 240, "both runs")

        assert [server.state(run) for run in runs] == ["COMPLETED", "COMPLETED"]
        ids = {one for (one,) in rows(url, "select id from runs")}
        named = [server.ask(f"/flow_runs/{run}") for run in runs]
        assert {one["name"].removeprefix("nightly-") for one in named} == ids, "a deployed run has its name, too"
        assert all(f"run-{one['name'].removeprefix('nightly-')}" in one["tags"] for one in named)
        assert rows(url, "select host, reason, count(*) from threads group by host, reason order by host") == [
            ("anna", "extracted", 2),
            ("boris", "extracted", 4),
        ]
        assert rows(url, "select count(*), count(distinct thread_id) from stage_one_outputs") == [(6, 6)]
        assert rows(url, "select count(*) from projects where input_generation > consolidated_generation") == [(0,)]
        assert rows(url, "select max(attempts), max(crashes) from jobs") == [(0, 0)]
        published = {name for installation in installations.values() for name in installation.memory()}
        assert len({name.split("/")[0] for name in published}) >= 3
