"""`run` and `status` say in one line each what keeps memory from arriving or growing, and which command mends it."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from slowwave.agents.doctor.wiring import not_arriving
from slowwave.agents.install.integrations import INTEGRATIONS, Scope, Way
from slowwave.scheduling import systemd
from slowwave.scheduling.nights import mark, missed
from tests.support.installation import Installation
from tests.support.installing import do_install, do_uninstall, place_in

WITH_TABLE = [agent for agent, integration in INTEGRATIONS.items() if integration.settings is not None]
ANYWHERE = place_in(Path())
WITH_FILES = [agent for agent, one in INTEGRATIONS.items() if one.settings is None and one.own_files(ANYWHERE)]
RULES_ONLY = [agent for agent, one in INTEGRATIONS.items() if one.settings is None and not one.own_files(ANYWHERE)]

Strip = Callable[[Path], None]


def rewritten(path: Path) -> None:
    """Another program writes the settings that it knows of."""
    path.write_text('{"theme": "dark"}\n')


def emptied(path: Path) -> None:
    path.write_text("")


def deleted(path: Path) -> None:
    path.unlink()


def without_start(path: Path) -> None:
    value = json.loads(path.read_text())
    del value["hooks"][next(event for event in value["hooks"] if event.lower() == "sessionstart")]
    path.write_text(json.dumps(value))


def replaced_by_others(path: Path) -> None:
    value = json.loads(path.read_text())
    for groups in value["hooks"].values():
        groups[:] = [{"hooks": [{"type": "command", "command": "other-memory hook"}]}]
    path.write_text(json.dumps(value))


def damaged(path: Path) -> None:
    path.write_text('{"hooks": {')


def switched_off(path: Path) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | {"disableAllHooks": True}))


@pytest.mark.parametrize("agent", WITH_TABLE)
@pytest.mark.parametrize(
    "strip", [rewritten, emptied, deleted, without_start, replaced_by_others, damaged, switched_off]
)
@pytest.mark.parametrize("scope", list(Scope))
def test_hooks_that_were_taken_out_are_said(agent: str, strip: Strip, scope: Scope, tmp_path: Path) -> None:
    home, user = tmp_path / "home", place_in(tmp_path / "user")
    place = user if scope is Scope.USER else place_in(tmp_path / "repo", scope)
    integration, env = INTEGRATIONS[agent], {"HOME": str(user.folder), "PATH": os.environ["PATH"]}
    integration.config(user).mkdir(parents=True, exist_ok=True)
    do_install(home, integration, place)
    assert integration.settings is not None
    if scope is Scope.USER:
        assert not_arriving(home, env) == ()
    strip(integration.settings(place))
    (line,) = not_arriving(home, env)
    assert line.startswith(f"{integration.title}: memory does not arrive: ") and "\n" not in line
    wanted = f"slowwave install {agent}" + " --project" * (scope is Scope.PROJECT)
    assert wanted in line or strip is switched_off


@pytest.mark.parametrize("agent", WITH_FILES)
@pytest.mark.parametrize("strip", [deleted, emptied])
def test_extensions_that_were_taken_out_are_said(agent: str, strip: Strip, tmp_path: Path) -> None:
    home, user = tmp_path / "home", place_in(tmp_path / "user")
    integration, env = INTEGRATIONS[agent], {"HOME": str(user.folder), "PATH": os.environ["PATH"]}
    do_install(home, integration, user)
    assert not_arriving(home, env) == ()
    strip(next(iter(integration.own_files(user))))
    (line,) = not_arriving(home, env)
    assert f"slowwave install {agent}" in line


@pytest.mark.parametrize("agent", ["codex", *RULES_ONLY])
def test_a_block_that_was_taken_out_is_said(agent: str, tmp_path: Path) -> None:
    home, integration = tmp_path / "home", INTEGRATIONS[agent]
    user = place_in(tmp_path / "user")
    integration.config(user).mkdir(parents=True, exist_ok=True)
    place = user if integration.context(user) is not None else place_in(tmp_path / "repo", Scope.PROJECT)
    do_install(home, integration, place, Way.MARKDOWN, block="<!-- slowwave:begin -->\n<!-- slowwave:end -->")
    env = {"HOME": str(user.folder)}
    assert not_arriving(home, env) == ()
    path = integration.context(place)
    assert path is not None
    path.unlink()
    (line,) = not_arriving(home, env)
    assert f"slowwave install {agent} --markdown" in line


def test_what_is_gone_on_purpose_is_no_complaint(tmp_path: Path) -> None:
    """An uninstalled hook, a deleted repository, an agent that is no longer on the machine."""
    home, user = tmp_path / "home", place_in(tmp_path / "user")
    repo = place_in(tmp_path / "repo", Scope.PROJECT)
    env = {"HOME": str(user.folder), "PATH": str(tmp_path / "nothing")}
    do_install(home, INTEGRATIONS["claude"], user)
    do_install(home, INTEGRATIONS["gemini"], repo)
    do_uninstall(home, INTEGRATIONS["claude"], user)
    assert not_arriving(home, env) == ()
    (user.folder / ".gemini").mkdir()
    (repo.folder / ".gemini").rename(tmp_path / "elsewhere")
    assert len(not_arriving(home, env)) == 1
    repo.folder.rmdir()
    assert not_arriving(home, env) == ()


@pytest.mark.parametrize(
    ("cron", "days", "said"),
    [
        ("0 3 * * *", 0.5, False),
        ("0 3 * * *", 1.3, False),
        ("0 3 * * *", 2.5, True),
        ("@daily", 9, True),
        ("0 3 * * 0", 6, False),
        ("0 3 * * 0", 15, True),
        ("0 3 1 * *", 27, False),
        ("0 */6 * * *", 1, True),
    ],
)
def test_nights_are_counted_by_the_schedule(cron: str, days: float, said: bool, tmp_path: Path) -> None:
    env = {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    units = tmp_path / "config" / "systemd" / "user"
    now = datetime(2026, 11, 29, 12, tzinfo=UTC)
    home = tmp_path / "home"
    assert missed(home, env, cron, None, now) is None
    mark(home)
    then = (now - timedelta(days=days)).timestamp()
    os.utime(home / "logs" / "last-run", (then, then))
    assert missed(home, env, cron, None, now) is None, "nothing is installed"
    units.mkdir(parents=True)
    (units / systemd.names(env)["timer"]).write_text("[Timer]\n")
    last = missed(home, env, cron, None, now)
    assert (last is not None) == said
    assert last is None or abs(last.timestamp() - then) < 1


def test_run_and_status_tell_a_person(tmp_path: Path) -> None:
    machine = Installation(tmp_path)
    machine.write_sessions(2)
    machine.home.mkdir()
    (machine.home / "config.yml").write_text("memories:\n  enabled: true\n")
    machine.run("install", "claude")
    rewritten(machine.logs / "settings.json")
    done = machine.run("run")
    assert [line for line in done.stdout.splitlines() if "`slowwave install claude`" in line], done.stdout
    with closing(sqlite3.connect(machine.home / "slowwave.db")) as database, database:
        database.execute("UPDATE threads SET reason = 'dead' WHERE id = (SELECT min(id) FROM threads)")
    units = tmp_path / ".config" / "systemd" / "user"
    units.mkdir(parents=True)
    (units / systemd.names(machine.env())["timer"]).write_text("[Timer]\n")
    past = time.time() - 4 * 86_400
    os.utime(machine.home / "logs" / "last-run", (past, past))
    shown = machine.run("status").stdout.splitlines()
    told = [line for line in shown if line.startswith("! ")]
    assert [word for word in ("install claude`", "two nights", "`slowwave retry`") if word in " ".join(told)] == [
        "install claude`",
        "two nights",
        "`slowwave retry`",
    ], told
