"""Installed, `slowwave` is the only importable name: it works from a folder whose own names would get in the way."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT

HOSTILE = ("storage.py", "types.py", "flows/__init__.py", "tests/__init__.py", "prompts/__init__.py", "queue.py")
RAISES = "raise ImportError('a module of the working folder was taken')\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with the built wheel; its dependencies are those of the test environment."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = folder.glob("*.whl")
    names = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {name for name in names if not name.endswith(".dist-info")} == {"slowwave"}
    environment = folder / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(environment)}))
    # The path alone: the .pth file of an editable installation in there is not read, so only the wheel is found.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    install = [sys.executable, "-m", "pip", "--python", str(environment / "bin" / "python"), "install"]
    subprocess.run([*install, "--no-deps", "--no-index", "-q", str(wheel)], check=True, capture_output=True)
    return environment


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A working folder with modules named like ours and like the standard library's."""
    folder = tmp_path / "work"
    for name in HOSTILE:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(RAISES)
    return folder


def run_in(folder: Path, home: Path, command: list[str | Path]) -> str:
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "SLOWWAVE_HOME": str(home / "slowwave")}
    done = subprocess.run([str(part) for part in command], cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.prefect_server
def test_the_command_line_runs_a_night_in_a_folder_with_hostile_names(
    site: Path, hostile: Path, tmp_path: Path
) -> None:
    program = site / "bin" / "slowwave"
    run_in(hostile, tmp_path, [program, "--version"])
    assert "published" in run_in(hostile, tmp_path, [program, "run", "--sample"])
    assert "harbor-api" in run_in(hostile, tmp_path, [program, "status"])
    assert "m1" in run_in(hostile, tmp_path, [program, "view", "-p", "harbor-api"])
    run_in(hostile, tmp_path, [program, "deployments", "init", "ops"])


def test_the_deployments_entry_points_load_in_a_folder_with_hostile_names(
    site: Path, hostile: Path, tmp_path: Path
) -> None:
    code = (
        "from prefect.flows import load_flow_from_entrypoint as load\n"
        "print([load(f'slowwave.flows.{name}.{name}').name for name in ('nightly', 'rebuild', 'backfill')])"
    )
    # As the shipped deployments set it for workers.
    printed = run_in(hostile, tmp_path, [site / "bin" / "python", "-P", "-c", code])
    assert printed.strip().endswith("['nightly', 'rebuild', 'backfill']")


def test_a_program_with_a_storage_module_of_its_own_uses_the_library(site: Path, tmp_path: Path) -> None:
    folder = tmp_path / "program"
    (folder / "flows").mkdir(parents=True)
    (folder / "storage.py").write_text("MINE = 1\n")
    (folder / "flows" / "__init__.py").write_text("MINE = 2\n")
    (folder / "app.py").write_text(
        "import pathlib, storage, flows\n"
        "from slowwave.session import SessionMemory\n"
        "with SessionMemory(pathlib.Path('session.db'), session_id='s', project_id='shop') as memory:\n"
        "    told = memory.before_turn([{'role': 'user', 'content': 'Migrate the shop, and never push to main.'}])\n"
        "print(storage.MINE + flows.MINE, 'never push to main' in told.system_tail)\n"
    )
    assert run_in(folder, tmp_path, [site / "bin" / "python", "app.py"]).strip() == "3 True"
