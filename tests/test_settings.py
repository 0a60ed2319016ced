"""Settings: where each comes from, and what is said about a wrong one."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import platformdirs
import pytest

from slowwave.errors import ConfigError
from slowwave.paths import config_file, slowwave_home
from slowwave.settings import Settings
from slowwave.settings_file import leaves, load_settings, load_with_sources, set_value, unset_value


def write(home: Path, text: str) -> Path:
    path = home / "config.yml"
    path.write_text(text)
    return path


def test_defaults_are_those_of_the_reference(tmp_path: Path) -> None:
    memories = load_settings(tmp_path, {}).memories
    assert (memories.enabled, memories.max_rollout_age_days, memories.min_rollout_idle_hours) == (False, 30, 12)
    assert (memories.max_rollouts_per_startup, memories.summary_injection_token_limit) == (64, 5000)


def test_the_environment_wins_over_the_file_and_both_are_named(tmp_path: Path) -> None:
    path = write(tmp_path, "memories:\n  # nightly\n  enabled: true\n  maxRolloutAgeDays: 7\n")
    env = {"SLOWWAVE_MEMORIES__MAX_ROLLOUT_AGE_DAYS": "9", "SLOWWAVE_MEMORIES__EXCLUDE": "a, b"}
    settings, effective = load_with_sources(tmp_path, env)
    sources = {one.key: one.source for one in effective}
    assert settings.memories.max_rollout_age_days == 9
    assert settings.memories.exclude == ("a", "b")
    assert sources["memories.enabled"] == f"{path}:3"
    assert sources["memories.maxRolloutAgeDays"] == "SLOWWAVE_MEMORIES__MAX_ROLLOUT_AGE_DAYS"
    assert sources["memories.batch"] == "default"


@pytest.mark.parametrize(
    ("text", "where", "said", "hint"),
    [
        ("memories:\n  enabeld: true\n", ":2", "unknown key memories.enabeld", "memories.enabled"),
        ("memories:\n  max_rollout_age: 3\n", ":2", "unknown key", "memories.maxRolloutAgeDays"),
        ("memorys:\n  enabled: true\n", ":1", "unknown key memorys", ""),
        ("memories:\n  enabled: perhaps\n", ":2", "valid boolean", "Default: False"),
        ("memories:\n  maxRolloutAgeDays: -1\n", ":2", "greater than 0", "Default"),
        ("memories:\n  taskRunner: spark\n", ":2", "'threads' or 'dask'", ""),
        ("memories: [\n", ":2", "", "Correct"),
        ("- a\n", ":1", "must hold keys", ""),
        ("schedule:\n  timeZone: Mars/Olympus\n", ":2", "not a time zone", ""),
        ("session:\n  compactionTrigger: 1000\n", ":1", "could never fire", ""),
    ],
)
def test_a_wrong_key_is_named_with_its_line_and_the_nearest(
    tmp_path: Path, text: str, where: str, said: str, hint: str
) -> None:
    path = write(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        load_settings(tmp_path, {})
    assert f"{path}{where}" in str(caught.value)
    assert said in str(caught.value)
    assert hint in caught.value.hint
    assert caught.value.exit_code == 2


def test_an_unknown_variable_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load_settings(tmp_path, {"SLOWWAVE_MEMORIES__ENABELD": "1"})
    assert "SLOWWAVE_MEMORIES__ENABLED" in caught.value.hint


def test_every_key_has_a_variable_that_sets_it(tmp_path: Path) -> None:
    for leaf in leaves():
        if leaf.default is None or isinstance(leaf.default, tuple):
            continue
        settings, effective = load_with_sources(tmp_path, {leaf.variable: str(leaf.default)})
        assert settings is not None
        assert next(one for one in effective if one.key == leaf.key).source == leaf.variable


def test_every_key_is_described() -> None:
    assert [leaf.key for leaf in leaves() if not leaf.description] == []


def test_setting_a_key_keeps_comments_and_refuses_nonsense(tmp_path: Path) -> None:
    path = write(tmp_path, "# mine\nmemories:\n  enabled: false  # later\n")
    set_value(tmp_path, "memories.enabled", "true")
    set_value(tmp_path, "models.smol.model", "claude-x")
    text = path.read_text()
    assert "# mine" in text and "enabled: true" in text and "# later" in text and "model: claude-x" in text
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(ConfigError):
        set_value(tmp_path, "memories.maxRolloutAgeDays", "-4")
    assert path.read_text() == text


def test_the_default_home_is_the_platforms_user_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    if sys.platform != "win32":
        assert slowwave_home({}) == Path(platformdirs.user_data_dir("slowwave"))


AWKWARD = (
    "@here",
    "%x",
    "`tick`",
    "[1",
    "{a",
    "'q",
    '"q',
    "# x",
    "a: b",
    "- a",
    "*star",
    "&and",
    "!tag",
    "|",
    ">",
    "é 日本",
)


@pytest.mark.parametrize("text", AWKWARD)
def test_any_text_is_a_value(tmp_path: Path, text: str) -> None:
    assert set_value(tmp_path, "models.default.model", text) == text
    assert load_settings(tmp_path, {}).models.default.model == text


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("schedule.cron", "*/20 3 * * *", "*/20 3 * * *"),
        ("schedule.cron", "@daily", "@daily"),
        ("memories.enabled", "true", True),
        ("memories.minRolloutIdleHours", "6", 6.0),
        ("budget.perDay.dollars", "null", None),
        ("memories.exclude", "~/a/*, *b", ("~/a/*", "*b")),
        ("models.smol.baseUrl", "http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1"),
    ],
)
def test_a_value_is_read_as_its_key_wants_it(tmp_path: Path, key: str, text: str, value: object) -> None:
    assert set_value(tmp_path, key, text) == value
    load_settings(tmp_path, {})


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("schedule.cron", "every night"),
        ("schedule.cron", "0 25 * * *"),
        ("models.default.baseUrl", "localhost:11434"),
        ("models.default.baseUrl", "ftp://models.example"),
        ("prefect.apiUrl", "here"),
        ("budget.perRun.dollars", "-3"),
        ("budget.perRun.calls", "many"),
        ("schedule.timeZone", "Mars/Olympus"),
    ],
)
def test_a_wrong_value_is_refused_and_nothing_is_written(tmp_path: Path, key: str, text: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(key)):
        set_value(tmp_path, key, text)
    assert not config_file(tmp_path).exists()


def test_a_key_is_taken_out_again_with_the_groups_that_it_leaves_empty(tmp_path: Path) -> None:
    config_file(tmp_path).write_text("# mine\nschedule:\n  cron: 0 5 * * *\nmemories:\n  enabled: true # yes\n")
    assert unset_value(tmp_path, "schedule.cron")
    assert config_file(tmp_path).read_text() == "# mine\nmemories:\n  enabled: true # yes\n"
    assert not unset_value(tmp_path, "schedule.cron")


def test_the_page_of_settings_shows_the_defaults_in_force() -> None:
    in_force = {leaf.key: leaf.default for leaf in leaves()}
    assert in_force["budget.perRun.dollars"] == Settings().budget.per_run.dollars is not None
