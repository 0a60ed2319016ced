"""Stage one spread over the processes of a Dask cluster; the queue still decides who works."""

from __future__ import annotations

import json
import signal
import time

import psutil
import pytest

from tests.support.installation import Installation, processes_of, wait_until
from tests.support.loopback import LoopbackServer

pytest.importorskip("prefect_dask", reason="the extra slowwave[dask] is not installed")
pytestmark = [pytest.mark.prefect_server, pytest.mark.xdist_group("prefect")]

DASK = {"SLOWWAVE_MEMORIES__TASK_RUNNER": "dask", "SLOWWAVE_MEMORIES__BATCH_SIZE": "2"}


def owners(installation: Installation) -> set[int]:
    """Processes that hold claims."""
    return {row[0] for row in installation.query("select distinct owner_pid from jobs where state = 'running'")}


@pytest.mark.full
def test_batches_run_in_several_processes_and_each_session_once(
    installation: Installation, slow_model: LoopbackServer
) -> None:
    slow_model.latency = 4.0
    installation.write_sessions(6, projects=2)
    process = installation.start("run", "--json", more=DASK)
    seen: set[int] = set()
    wait_until(lambda: len(seen.__ior__(owners(installation))) >= 2 or process.poll() is not None, 400, "two owners")
    slow_model.latency = 0.0
    out, err = process.communicate(timeout=400)
    assert process.returncode == 0, err
    assert process.pid not in seen
    assert len(seen) >= 2
    assert json.loads(out)["sessions"] == {"extracted": 6}
    assert installation.query("select count(*), max(attempts), max(crashes) from jobs where kind = 'extract'") == [
        (6, 0, 0)
    ]
    wait_until(lambda: not processes_of(str(installation.home)), 20, "cluster and server to end")


@pytest.mark.full
def test_a_lost_worker_process_costs_nothing_but_time(installation: Installation, slow_model: LoopbackServer) -> None:
    """Dask runs the lost task again; its sessions are claimed by a dead process and wait for the next run."""
    installation.write_sessions(4)
    process = installation.start("run", "--json", more=DASK)
    wait_until(lambda: owners(installation), 400, "a claim")
    slow_model.wait_for(messages=1, seconds=200)
    psutil.Process(min(owners(installation))).kill()
    slow_model.latency = 0.0
    process.communicate(timeout=400)
    report = json.loads(installation.run("run", "--json").stdout)
    assert report["status"] in ("completed", "nothing_to_do")
    assert installation.query("select count(*) from stage_one_outputs") == [(4,)]
    assert installation.query("select count(*) from jobs where kind = 'extract' and state = 'done'") == [(4,)]


@pytest.mark.full
def test_sigterm_ends_a_cluster_within_ten_seconds(installation: Installation, slow_model: LoopbackServer) -> None:
    installation.write_sessions(4)
    process = installation.start("run", more=DASK)
    slow_model.wait_for(messages=1, seconds=400)
    told = time.monotonic()
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    took = time.monotonic() - told
    assert took < 10, took
    assert process.returncode == 128 + signal.SIGTERM
    wait_until(lambda: not processes_of(str(installation.home)), 20, "cluster and server to end")
    slow_model.latency = 0.0
    installation.run("run")
    assert installation.query("select count(*) from stage_one_outputs") == [(4,)]
