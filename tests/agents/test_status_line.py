"""The status line of Claude Code: installed where there is none, undone, and what it says."""

import fcntl
import json
import os
import time
from pathlib import Path
from threading import Thread

import pytest

from slowwave.agents import hosts
from slowwave.agents.install import contracts
from slowwave.agents.install.integrations import INTEGRATIONS, Scope, Way
from slowwave.agents.install.jsonc import parse
from slowwave.paths import hook_log_file, session_database_file
from slowwave.session.flushing import shards
from slowwave.session.flushing.digest import flush_digest
from slowwave.session.hosts.status import SAVING
from slowwave.session.limits import SessionLimits
from slowwave.storage.insession.store import SessionStore
from tests.agents.conftest import COMMAND, Ran, RunHook
from tests.agents.test_install_ways import run_cli
from tests.support.installing import SETTINGS, do_install, do_uninstall, place_in, prepare, tree
from tests.support.memory import MemoryHome

CLAUDE = INTEGRATIONS["claude"]
OURS = {"type": "command", "command": f"{COMMAND} hook status-line --agent claude"}
THEIRS = {
    "a command": '{"type": "command", "command": "~/bin/line.sh", "padding": 0}',
    "ours among others": '{"type": "command", "command": "date; slowwave hook status-line --agent claude"}',
    "unbalanced quotes": '{"type": "command", "command": "echo \'slowwave hook status-line"}',
    "nothing on purpose": "null",
    "another shape": '["slowwave hook status-line --agent claude"]',
}
GOAL = "Please add a retry policy to the payment client, but never touch the auth code."


@pytest.mark.parametrize("case", list(SETTINGS))
def test_it_is_installed_where_there_is_none_and_undone_to_the_byte(case: str, tmp_path: Path) -> None:
    place, home = place_in(tmp_path / "user"), tmp_path / "home"
    path = prepare(CLAUDE, place, SETTINGS[case])
    before = tree(place.folder)
    plan = do_install(home, CLAUDE, place)
    assert parse(path.read_text(encoding="utf-8")).value["statusLine"] == OURS
    assert plan.notes == ()
    assert do_install(home, CLAUDE, place).changes == ()
    do_uninstall(home, CLAUDE, place)
    assert tree(place.folder) == before


@pytest.mark.parametrize("case", list(SETTINGS))
def test_it_is_taken_out_of_a_file_by_its_form(case: str, tmp_path: Path) -> None:
    place = place_in(tmp_path / "user")
    path = prepare(CLAUDE, place, SETTINGS[case])
    do_install(tmp_path / "home", CLAUDE, place)
    do_uninstall(tmp_path / "another home", CLAUDE, place)
    assert parse(path.read_text(encoding="utf-8")).value == parse(SETTINGS[case] or "{}").value


@pytest.mark.parametrize("case", list(THEIRS))
def test_a_persons_own_one_stays_and_the_report_says_so_in_one_line(case: str, tmp_path: Path) -> None:
    place, home = place_in(tmp_path / "user"), tmp_path / "home"
    path = prepare(CLAUDE, place, f'{{\n  "statusLine": {THEIRS[case]}, // mine\n  "model": "opus"\n}}\n')
    before = tree(place.folder)
    for _ in range(2):
        plan = do_install(home, CLAUDE, place)
        assert f'"statusLine": {THEIRS[case]}, // mine' in path.read_text()
        assert plan.notes == (f"{path} has a status line of your own, which was left as it is",)
    path.write_text(path.read_text().replace("opus", "sonnet"))
    do_uninstall(home, CLAUDE, place)
    path.write_text(path.read_text().replace("sonnet", "opus"))
    assert tree(place.folder) == before


def test_one_that_a_person_sets_after_the_installation_stays(tmp_path: Path) -> None:
    place, home = place_in(tmp_path / "user"), tmp_path / "home"
    path = prepare(CLAUDE, place, None)
    do_install(home, CLAUDE, place)
    own = {"type": "command", "command": "~/bin/line.sh"}
    path.write_text(json.dumps(json.loads(path.read_text()) | {"statusLine": own}))
    assert len(do_install(home, CLAUDE, place).notes) == 1
    assert json.loads(path.read_text())["statusLine"] == own
    do_uninstall(home, CLAUDE, place)
    assert json.loads(path.read_text()) == {"statusLine": own}


def test_one_with_an_old_path_is_renewed_and_an_edited_one_of_ours_still_goes(tmp_path: Path) -> None:
    place, home = place_in(tmp_path / "user"), tmp_path / "home"
    old = OURS | {"command": "'/old place/bin/slowwave' hook status-line --agent claude"}
    path = prepare(CLAUDE, place, json.dumps({"statusLine": old}))
    assert do_install(home, CLAUDE, place).notes == ()
    settings = json.loads(path.read_text())
    assert settings["statusLine"] == OURS
    path.write_text(json.dumps(settings | {"statusLine": OURS | {"padding": 2}}))
    do_uninstall(home, CLAUDE, place)
    assert not path.exists() or json.loads(path.read_text()) == {}


def test_no_project_no_other_agent_and_no_markdown_way_gets_one(tmp_path: Path) -> None:
    for number, (agent, scope, way) in enumerate(
        [("claude", Scope.PROJECT, Way.HOOKS), ("claude", Scope.USER, Way.MARKDOWN), ("gemini", Scope.USER, Way.HOOKS)]
    ):
        integration, place = INTEGRATIONS[agent], place_in(tmp_path / str(number), scope)
        own = prepare(integration, place, '{"statusLine": {"type": "command", "command": "x"}}')
        other = place_in(tmp_path / f"{number} without", scope)
        assert do_install(tmp_path / "home", integration, place, way, block="memory").notes == ()
        do_install(tmp_path / "home", integration, other, way, block="memory")
        assert parse(own.read_text()).value["statusLine"]["command"] == "x"
        assert not any(b"status-line" in (content or b"") for content in tree(other.folder).values())


def test_the_command_installs_reports_and_undoes_it(tmp_path: Path) -> None:
    memory = MemoryHome(tmp_path / "home")
    path = tmp_path / "user" / ".claude" / "settings.json"
    path.parent.mkdir(parents=True)
    assert "status line" not in run_cli("install", "claude", memory=memory, cwd=tmp_path)
    assert json.loads(path.read_text())["statusLine"] == OURS
    run_cli("uninstall", "claude", memory=memory, cwd=tmp_path)
    assert not path.exists()
    path.write_text('{"statusLine": {"type": "command", "command": "x"}}')
    said = run_cli("install", "claude", memory=memory, cwd=tmp_path).splitlines()
    assert [line.strip() for line in said if "status line" in line] == [
        f"{path} has a status line of your own, which was left as it is"
    ]
    run_cli("uninstall", "claude", memory=memory, cwd=tmp_path)
    assert path.read_text() == '{"statusLine": {"type": "command", "command": "x"}}'


class Terminal:
    """A session of Claude Code in a project, and what its status line shows."""

    def __init__(self, memory: MemoryHome, run: RunHook, folder: Path) -> None:
        self.home, self.run, self.folder = memory.home, run, folder
        self.project = memory.project(folder)

    def hook(self, event: str, **fields: str) -> Ran:
        payload = contracts.payload("claude", event, self.folder, session="s1") | fields
        ran = self.run(event, "claude", payload)
        assert ran.code == 0
        return ran

    def line(self, session: str = "s1") -> str:
        folder = str(self.folder)
        payload = {
            "session_id": session,
            "transcript_path": f"{folder}/t.jsonl",
            "cwd": folder,
            "model": {"id": "m", "display_name": "M"},
            "workspace": {"current_dir": folder, "project_dir": folder},
            "version": "2.1.0",
        }
        ran = self.run("status-line", "claude", payload)
        assert (ran.code, ran.err) == (0, "")
        assert not hook_log_file(self.home).exists()
        return ran.out

    def flush(self) -> None:
        with SessionStore(session_database_file(self.home)) as store:
            state = store.session("claude:s1")
            assert state is not None
            flush_digest(store, state, self.home, SessionLimits(), cause="manual", now=time.time())

    def flush_began(self) -> bool:
        with SessionStore(session_database_file(self.home)) as store:
            return bool(store.events(session="claude:s1", types=("memory_flush_start",)))


@pytest.fixture
def terminal(memory_home: MemoryHome, run_hook: RunHook, tmp_path: Path) -> Terminal:
    return Terminal(memory_home, run_hook, tmp_path / "shop")


def test_it_shows_that_a_flush_runs_and_then_what_it_saved(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    assert terminal.line() == ""
    assert not session_database_file(terminal.home).exists()
    terminal.hook(hosts.USER_PROMPT, prompt=GOAL)
    assert terminal.line() == ""
    # Somebody else holds the profile's lock, so the flush is under way until it is given back.
    monkeypatch.setattr(shards, "LOCK_SECONDS", 60.0)
    profile = shards.profile_root(terminal.home, shards.profile_of("claude", terminal.project.id))
    profile.mkdir(parents=True, exist_ok=True)
    lock = os.open(profile / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
    flush = Thread(target=terminal.flush)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        flush.start()
        until = time.monotonic() + 30
        while not terminal.flush_began() and time.monotonic() < until:
            time.sleep(0.02)
        assert terminal.line() == SAVING
        assert terminal.line("another session") == ""
    finally:
        os.close(lock)
        if flush.ident:
            flush.join(timeout=60)
    assert terminal.line() == "2 memories saved"
    assert terminal.line("another session") == ""


def test_the_flush_of_a_compaction_shows_too(terminal: Terminal) -> None:
    terminal.hook(hosts.USER_PROMPT, prompt=GOAL)
    terminal.hook(hosts.PRE_COMPACT)
    assert terminal.line() == "2 memories saved"


BAD_INPUT = {
    "nothing": b"",
    "no session": b"{}",
    "wrong type": b'{"session_id": 7}',
    "not json": b"{",
    "lone surrogate": b'{"session_id": "\\udfff"}',
}


@pytest.mark.parametrize("case", list(BAD_INPUT))
@pytest.mark.parametrize("broken", [False, True])
def test_no_input_and_no_broken_store_makes_it_fail_or_speak(
    case: str, broken: bool, terminal: Terminal, run_hook: RunHook
) -> None:
    if broken:
        session_database_file(terminal.home).write_bytes(b"no database at all" * 100)
        assert terminal.line() == ""
    else:
        terminal.hook(hosts.USER_PROMPT, prompt=GOAL)
        terminal.hook(hosts.PRE_COMPACT)
    ran = run_hook("status-line", "claude", BAD_INPUT[case])
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_it_is_silent_when_hooks_are_off_and_for_agents_without_one(terminal: Terminal, run_hook: RunHook) -> None:
    terminal.hook(hosts.USER_PROMPT, prompt=GOAL)
    terminal.hook(hosts.PRE_COMPACT)
    assert run_hook("status-line", "claude", {"session_id": "s1"}).out == "2 memories saved"
    assert run_hook("status-line", "claude", {"session_id": "s1"}, env={"SLOWWAVE_HOOKS": "off"}).out == ""
    assert run_hook("status-line", "codex", {"session_id": "s1"}).out == "{}"
    assert "no event 'status-line' of agent 'codex'" in hook_log_file(terminal.home).read_text()
