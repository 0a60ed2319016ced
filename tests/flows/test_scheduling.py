"""Schedules: cron expressions against systemd's own reading, unit files against its own check, the crontab."""

from __future__ import annotations

import re
import shutil
import stat
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from slowwave.cli.runs.deployments import deployments
from slowwave.cli.runs.schedule import schedule
from slowwave.cli.secrets import audit
from slowwave.errors import ConfigError
from slowwave.scheduling import crontab, systemd
from slowwave.scheduling.calendar import parse_cron
from slowwave.scheduling.job import ScheduledJob, keep, nightly_job, only_here

EXPRESSIONS = [
    "0 3 * * *",
    "30 2 * * 1-5",
    "*/20 * * * *",
    "5,35 8-18/2 * * *",
    "0 4 1,15 * *",
    "0 0 1 jan,jul *",
    "15 6 * * sun",
    "0 12 * * 5-7",
    "0 5 13 * 5",
    "@daily",
    "@weekly",
]
needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")


def systemd_moments(value: str, base: str, count: int) -> list[datetime]:
    out = subprocess.run(
        ["systemd-analyze", "calendar", f"--iterations={count}", f"--base-time={base}", value],
        capture_output=True,
        text=True,
        check=True,
        env={"TZ": "UTC", "PATH": "/usr/bin:/bin", "LC_ALL": "C"},
    ).stdout
    found = re.findall(r"(?:Next elapse|Iter\. #\d+|Iteration #\d+): \w{3} (\S+ \S+) UTC", out)
    return [datetime.fromisoformat(text).replace(tzinfo=UTC) for text in found]


@needs_systemd
@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo"])
def test_systemd_fires_when_cron_would(expression: str, zone: str) -> None:
    cron = parse_cron(expression)
    base = datetime(2026, 2, 3, 4, 5, tzinfo=UTC)
    expected = [moment.astimezone(UTC) for moment in cron.upcoming(zone, base, 12)]
    merged = {m for value in cron.on_calendar(zone) for m in systemd_moments(value, "2026-02-03 04:05:00 UTC", 12)}
    assert sorted(merged)[:12] == expected


@pytest.mark.parametrize(
    "wrong", ["", "3", "0 3 * *", "61 * * * *", "0 3 * * 8-9", "0 0 L * *", "every night", "5-1 * * * *"]
)
def test_a_wrong_expression_is_named(wrong: str) -> None:
    with pytest.raises(ConfigError, match=r"schedule\.cron"):
        parse_cron(wrong)


def odd_job(folder: Path) -> ScheduledJob:
    return ScheduledJob(
        ("/opt/100% odd $HOME/slowwave", "run", "--scheduled"),
        {"SLOWWAVE_HOME": str(folder / "a b%c")},
        folder / "a b%c" / "environment",
        folder / "logs" / "scheduled.log",
    )


@needs_systemd
def test_units_pass_systemds_own_check(tmp_path: Path) -> None:
    program = tmp_path / "100% odd $HOME" / "slowwave"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    job = ScheduledJob(
        (str(program), "run", "--scheduled"), {"A": 'b "c" %d'}, tmp_path / "environment", tmp_path / "log"
    )
    for name, text in systemd.render_units(job, parse_cron("0 5 13 * 5").on_calendar("Europe/London"), {}).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *(str(tmp_path / name) for name in systemd.names({}).values())],
        capture_output=True,
        text=True,
        check=False,
    )
    complaints = [line for line in done.stderr.splitlines() if str(tmp_path) in line or "slowwave" in line]
    assert complaints == []
    assert done.returncode == 0, done.stderr


def test_units_hold_places_and_no_keys(tmp_path: Path) -> None:
    env = {
        "SLOWWAVE_HOME": "/x",
        "CLAUDE_CONFIG_DIR": "/y",
        "ANTHROPIC_API_KEY": "never",
        "SLOWWAVE_DATABASE__URL": "no",
    }
    units = systemd.render_units(nightly_job(tmp_path, env), ["*-*-* 03:00:00"], env)
    service = units[systemd.names(env)["service"]]
    assert 'Environment="CLAUDE_CONFIG_DIR=/y"' in service
    assert f"EnvironmentFile=-{tmp_path}/environment" in service
    assert "--scheduled" in service
    assert "never" not in service
    assert "DATABASE" not in service


@pytest.fixture
def crontab_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `crontab` command that keeps its table in a file: the real one belongs to whoever runs the tests."""
    table, folder = tmp_path / "table", tmp_path / "bin"
    folder.mkdir()
    script = folder / "crontab"
    script.write_text(
        f"#!/bin/sh\nif [ \"$1\" = -l ]; then\n  [ -f '{table}' ] || {{ echo 'no crontab for you' >&2; exit 1; }}\n"
        f"  exec cat '{table}'\nfi\nexec cat > '{table}'\n",
        encoding="utf-8",
    )
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return table


def test_the_crontab_keeps_other_lines_and_ours_once(crontab_file: Path, tmp_path: Path) -> None:
    job = odd_job(tmp_path)
    crontab_file.write_text("MAILTO=me\n5 5 * * * backup\n", encoding="utf-8")
    crontab.install(job, parse_cron("0 3 * * *"), {})
    crontab.install(job, parse_cron("0 4 * * *"), {})
    lines = crontab_file.read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["MAILTO=me", "5 5 * * * backup"]
    assert lines[2] == crontab.MARK
    assert lines[3].startswith("0 4 * * * ")
    assert len(lines) == 4
    assert crontab.remove({}) == lines[3]
    assert crontab_file.read_text(encoding="utf-8") == "MAILTO=me\n5 5 * * * backup\n"
    assert crontab.remove({}) is None


def test_two_homes_have_a_line_and_units_each(crontab_file: Path, tmp_path: Path) -> None:
    job, cron = odd_job(tmp_path), parse_cron("0 3 * * *")
    usual, other = {"HOME": str(tmp_path)}, {"HOME": str(tmp_path), "SLOWWAVE_HOME": str(tmp_path / "other")}
    crontab.install(job, cron, usual)
    crontab.install(job, cron, other)
    assert len(crontab_file.read_text(encoding="utf-8").splitlines()) == 4
    assert crontab.remove(usual) is not None
    assert crontab.installed(other) is not None
    assert crontab.installed(usual) is None
    assert set(systemd.names(usual).values()).isdisjoint(systemd.names(other).values())


def test_the_crontab_line_runs_as_cron_runs_it(tmp_path: Path) -> None:
    """cron hands everything to `sh -c` up to an unescaped `%` and takes the backslash of an escaped one away."""
    home = tmp_path / "a b%c"
    program = tmp_path / "50% off" / "slowwave"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\necho "$SLOWWAVE_HOME|$KEY|$*"\n', encoding="utf-8")
    program.chmod(0o755)
    home.mkdir()
    (home / "environment").write_text("KEY='from the file'\n", encoding="utf-8")
    log = tmp_path / "scheduled.log"
    job = ScheduledJob((str(program), "run", "--scheduled"), {"SLOWWAVE_HOME": str(home)}, home / "environment", log)
    line = crontab.line(job, parse_cron("0 3 * * *"))
    assert re.search(r"(?<!\\)%", line) is None
    subprocess.run(["sh", "-c", line.split(" ", 5)[5].replace("\\%", "%")], check=True, env={"PATH": "/usr/bin:/bin"})
    assert log.read_text(encoding="utf-8") == f"{home}|from the file|run --scheduled\n"


@pytest.fixture
def machine_in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def test_cron_refuses_a_zone_that_is_not_the_machines(machine_in_utc: None) -> None:
    crontab.check_zone("UTC")
    crontab.check_zone(None)
    with pytest.raises(ConfigError, match="Asia/Tokyo"):
        crontab.check_zone("Asia/Tokyo")


def test_install_show_and_remove_with_cron(home: Path, crontab_file: Path) -> None:
    runner = CliRunner()
    installed = runner.invoke(schedule, ["install", "--manager", "cron"], catch_exceptions=False)
    assert installed.exit_code == 0
    assert "memories.enabled is false" in installed.output
    assert f"{crontab.MARK} of {home}" in crontab_file.read_text(encoding="utf-8")
    shown = runner.invoke(schedule, ["show"], catch_exceptions=False)
    assert "run --scheduled" in shown.output
    removed = runner.invoke(schedule, ["remove"], catch_exceptions=False)
    assert removed.output.startswith("removed 0 3 * * *")
    assert "no schedule is installed" in runner.invoke(schedule, ["remove"], catch_exceptions=False).output


def test_print_changes_nothing(home: Path, crontab_file: Path) -> None:
    shown = CliRunner().invoke(schedule, ["install", "--manager", "systemd", "--print"], catch_exceptions=False)
    assert "OnCalendar=*-*-* 03:00:00" in shown.output
    assert not (home / ".config").exists()
    assert not crontab_file.exists()


def test_deployments_init_writes_the_schedule_of_the_settings(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLOWWAVE_SCHEDULE__CRON", "30 2 * * 1-5")
    monkeypatch.setenv("SLOWWAVE_SCHEDULE__TIME_ZONE", "Europe/London")
    target = tmp_path / "ops"
    written = CliRunner().invoke(deployments, ["init", str(target)], catch_exceptions=False)
    assert written.exit_code == 0
    data = yaml.safe_load((target / "prefect.yaml").read_text(encoding="utf-8"))
    (scheduled,) = data["deployments"][0]["schedules"]
    assert (scheduled["cron"], scheduled["timezone"]) == ("30 2 * * 1-5", "Europe/London")
    assert (target / "docker" / "compose.yaml").is_file()
    assert not list(target.rglob("*.j2"))
    (target / "automations.yaml").write_text("mine\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="already"):
        CliRunner().invoke(deployments, ["init", str(target)], catch_exceptions=False)
    assert (target / "automations.yaml").read_text(encoding="utf-8") == "mine\n"


def test_a_key_that_only_this_shell_has_is_said_and_kept_for_the_night(
    home: Path, crontab_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    value = "sk-ant-" + "api03-" + "Q7x" * 30
    monkeypatch.setenv("ANTHROPIC_API_KEY", value)
    env = {"HOME": str(home), "SLOWWAVE_HOME": str(home / "slowwave"), "ANTHROPIC_API_KEY": value}
    said = CliRunner().invoke(schedule, ["install", "--manager", "cron"], catch_exceptions=False).output
    assert "only this shell has ANTHROPIC_API_KEY" in said and value not in said
    job = nightly_job(home / "slowwave", env)
    assert only_here(job, ["ANTHROPIC_API_KEY", "UNSET"], env) == ["ANTHROPIC_API_KEY"]
    keep(job, ["ANTHROPIC_API_KEY"], env)
    assert only_here(job, ["ANTHROPIC_API_KEY"], env) == []
    assert job.environment_file.stat().st_mode & 0o777 == 0o600
    assert CliRunner().invoke(audit, [], catch_exceptions=False, standalone_mode=False).return_value == 0


def test_the_night_finds_the_agent_that_answers_by_hand(tmp_path: Path) -> None:
    folder = tmp_path / "node" / "bin"
    folder.mkdir(parents=True)
    (folder / "claude").write_text("#!/bin/sh\n", encoding="utf-8")
    (folder / "claude").chmod(0o755)
    env = {"HOME": str(tmp_path), "PATH": f"/nowhere:{folder}"}
    assert nightly_job(tmp_path, env).environment["PATH"] == f"{folder}:/usr/local/bin:/usr/bin:/bin"
    assert "PATH" not in nightly_job(tmp_path, env | {"PATH": "/nowhere"}).environment
