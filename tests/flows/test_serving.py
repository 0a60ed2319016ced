"""`slowwave serve`: its server schedules, a manual run from another terminal works, SIGTERM ends everything."""

from __future__ import annotations

import signal
import subprocess
import time

import pytest

from tests.support.installation import BIN, Installation, command, processes_of, wait_until

pytestmark = [pytest.mark.prefect_server, pytest.mark.xdist_group("prefect")]


def login(installation: Installation) -> dict[str, str]:
    """What `serve` wrote for other terminals."""
    path = installation.home / "prefect" / "serve.env"
    assert path.stat().st_mode & 0o077 == 0
    return dict(line.split("=", 1) for line in path.read_text(encoding="utf-8").splitlines())


@pytest.mark.full
def test_a_manual_run_against_serve(installation: Installation) -> None:
    installation.extra["SLOWWAVE_MEMORIES__ENABLED"] = "true"
    installation.write_sessions(2)
    output = (installation.folder / "serve.log").open("w", encoding="utf-8")
    process = subprocess.Popen(
        [str(BIN / "slowwave"), "serve"],
        env=installation.env(),
        cwd=installation.folder,
        stdout=output,
        stderr=subprocess.STDOUT,
    )
    try:
        wait_until(lambda: "serving nightly/nightly" in log(installation), 180, "serve to start")
        env = {**installation.env(), **login(installation), "PREFECT_HOME": str(installation.folder / "other")}
        wait_until(lambda: deployed(env, installation), 120, "the deployments")
        answer = command(
            [str(BIN / "prefect"), "--no-prompt", "deployment", "run", "nightly/nightly", "--watch"],
            env,
            installation.folder,
            timeout=400,
        )
        assert "Completed" in answer
        assert installation.query("select count(*) from stage_one_outputs") == [(2,)]
        told = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        assert time.monotonic() - told < 20
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        output.close()
    wait_until(lambda: not processes_of(str(installation.home)), 30, "the server to end")


def log(installation: Installation) -> str:
    """What `serve` printed so far."""
    return (installation.folder / "serve.log").read_text(encoding="utf-8")


def deployed(env: dict[str, str], installation: Installation) -> bool:
    """Whether the deployment can be run already."""
    listed = subprocess.run(
        [str(BIN / "prefect"), "deployment", "ls"], env=env, cwd=installation.folder, capture_output=True, text=True
    )
    return "nightly/nightly" in listed.stdout
