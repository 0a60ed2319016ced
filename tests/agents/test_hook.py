"""`slowwave hook`, run as the agents run it: the installed command, their payloads, their schemas and limits."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from sqlmodel import Session

from slowwave.agents import hosts
from slowwave.agents.hook.index import STALE_HOURS
from slowwave.agents.install import contracts
from slowwave.memories.reading.read_path import CLOSE_TAG, entry_numbers
from slowwave.paths import hook_index_file, hook_log_file, injection_file
from slowwave.settings import MemoriesSettings
from slowwave.storage.tables import Run
from tests.agents.conftest import COMMAND, SCHEMAS, Ran, RunHook
from tests.support.memory import MemoryHome

# Hosts of hooks that share another's wire are tried where they differ: at the start, which alone carries something.
AT_START_ONLY = ("droid", "cursor", "copilot")
CASES = [
    (agent, event)
    for agent, host in hosts.HOSTS.items()
    for event in host.events
    if agent not in AT_START_ONLY or event == hosts.SESSION_START or (agent, event) == ("cursor", hosts.USER_PROMPT)
]


def schema_of(agent: str, event: str) -> Draft202012Validator:
    name = {"droid": "claude"}.get(agent, agent if hosts.HOSTS[agent].wire in ("hook", "flat") else "extension")
    return Draft202012Validator(json.loads((SCHEMAS / f"{name}.{event}.json").read_text()))


def shop(memory_home: MemoryHome, tmp_path: Path, entries: list[str] | None = None) -> Path:
    """A project with published, compiled memory; returns its folder."""
    folder = tmp_path / "shop"
    project = memory_home.project(folder)
    memory_home.publish(project.id, entries or ["tests run with `bun test`", "the staging database resets at noon"])
    assert memory_home.compile().problems == ()
    return folder


@pytest.mark.parametrize(("agent", "event"), CASES)
def test_every_event_is_answered_in_the_agents_schema(
    agent: str, event: str, memory_home: MemoryHome, run_hook: RunHook, tmp_path: Path
) -> None:
    folder = shop(memory_home, tmp_path)
    ran = run_hook(event, agent, contracts.payload(agent, event, folder))
    assert ran.code == 0 and ran.err == ""
    assert not hook_log_file(memory_home.home).exists()
    if ran.out:
        assert list(schema_of(agent, event).iter_errors(json.loads(ran.out))) == []
    assert contracts.problems(agent, event, ran.out) == []
    if event == hosts.SESSION_START:
        assert "tests run with `bun test` [m1]" in ran.context and ran.context.endswith(f"{CLOSE_TAG}\n")
        assert contracts.context_of(ran.out) == ran.context
    if event not in host_of(agent).injecting:
        assert ran.context == ""


def host_of(agent: str) -> hosts.Host:
    return hosts.HOSTS[agent]


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact", "fork"])
@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_the_memory_arrives_whatever_started_the_session(
    agent: str, source: str, memory_home: MemoryHome, run_hook: RunHook, tmp_path: Path
) -> None:
    payload = contracts.payload(agent, hosts.SESSION_START, shop(memory_home, tmp_path), source=source)
    ran = run_hook(hosts.SESSION_START, agent, payload)
    assert "[m1]" in ran.context
    assert list(schema_of(agent, hosts.SESSION_START).iter_errors(ran.answer)) == []


def test_a_resumed_session_is_not_given_the_same_block_twice_but_is_given_a_new_one(
    memory_home: MemoryHome, run_hook: RunHook, tmp_path: Path
) -> None:
    folder = shop(memory_home, tmp_path)

    def start(source: str) -> Ran:
        return run_hook("session-start", "claude", contracts.payload("claude", "session-start", folder, source=source))

    assert "[m1]" in start("startup").context
    assert start("resume").context == ""
    assert "[m1]" in start("compact").context and "[m1]" in start("clear").context
    memory_home.publish(memory_home.project(folder).id, ["a third thing"])
    memory_home.compile()
    assert "a third thing" in start("resume").context
    assert start("resume").context == ""


FILLER = {"ascii": "x", "two bytes": "é", "astral": "🐈"}


def block_of(size: int, unit: str, filler: str) -> str:
    """A block whose text measures exactly `size` in the agent's unit, with a last entry to spare."""
    frame = (
        '<slowwave-memory version="1-x">\nguidance\n\n# Memory\n\n- first [m1]\n- second {} [m2]\n</slowwave-memory>\n'
    )
    room = size - hosts.size_of(frame.format(""), unit)
    step = hosts.size_of(filler, unit)
    return frame.format(filler * (room // step) + "." * (room % step))


@pytest.mark.parametrize("filler", list(FILLER))
@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_sizes_one_under_at_and_one_over_the_agents_limit(
    agent: str, filler: str, memory_home: MemoryHome, run_hook: RunHook, tmp_path: Path
) -> None:
    folder = shop(memory_home, tmp_path)
    host = hosts.HOSTS[agent]
    assert host.limit is not None
    for size, whole in ((host.limit - 1, True), (host.limit, True), (host.limit + 1, False)):
        text = block_of(size, host.unit, FILLER[filler])
        assert hosts.size_of(text, host.unit) == size
        injection_file(memory_home.home, memory_home.project(folder).id).write_text(text)
        ran = run_hook("session-start", agent, contracts.payload(agent, "session-start", folder, session=f"s{size}"))
        assert (ran.context == text) is whole
        assert entry_numbers(ran.context) == ([1, 2] if whole else [1])
        assert hosts.size_of(ran.context, host.unit) <= host.limit
        assert list(schema_of(agent, "session-start").iter_errors(ran.answer)) == []


def test_the_unit_of_size_is_the_agents() -> None:
    assert hosts.size_of("aé🐈", "utf16") == 4
    assert hosts.size_of("aé🐈", "bytes") == 7


def test_agents_without_a_limit_get_the_block_whole(memory_home: MemoryHome, run_hook: RunHook, tmp_path: Path) -> None:
    folder = shop(memory_home, tmp_path)
    text = block_of(14_000, "utf16", "x")
    injection_file(memory_home.home, memory_home.project(folder).id).write_text(text)
    assert run_hook("session-start", "gemini", contracts.payload("gemini", "session-start", folder)).context == text


BAD_INPUT = {
    "nothing": b"",
    "blank": b" \n",
    "no json": b"{not json",
    "no object": b"[1, 2]",
    "binary": bytes(range(256)),
    "wrong types": json.dumps({"cwd": 7, "session_id": None, "source": ["x"]}).encode(),
    "lone surrogate": b'{"cwd": "/tmp/\\ud800", "session_id": "\\udfff"}',
    "nul in path": b'{"cwd": "/tmp/a\\u0000b"}',
    "too much": b'{"prompt": "' + b"x" * (9 * 1024 * 1024) + b'"}',
    "deep": b"[" * 100_000,
}


@pytest.mark.parametrize("agent", ["claude", "codex"])
@pytest.mark.parametrize("case", list(BAD_INPUT))
def test_no_input_makes_a_hook_fail_or_speak_out_of_turn(
    agent: str, case: str, memory_home: MemoryHome, run_hook: RunHook
) -> None:
    for event in ("session-start", "user-prompt"):
        ran = run_hook(event, agent, BAD_INPUT[case])
        assert ran.code == 0 and ran.err == ""
        assert ran.out == hosts.HOSTS[agent].silence


@pytest.mark.parametrize(
    "arguments", [[], ["session-start"], ["nope", "--agent", "claude"], ["stop", "--agent", "x"], ["--agent"]]
)
def test_wrong_arguments_are_logged_and_cost_nothing(arguments: list[str], memory_home: MemoryHome) -> None:
    done = subprocess.run(
        [str(COMMAND), "hook", *arguments], input=b"{}", capture_output=True, timeout=60, check=False,
        env={"PATH": os.environ["PATH"], "SLOWWAVE_HOME": str(memory_home.home)},
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert "no event" in hook_log_file(memory_home.home).read_text()


def test_a_damaged_index_is_logged_with_its_reason_and_silent(
    memory_home: MemoryHome, run_hook: RunHook, tmp_path: Path
) -> None:
    folder = shop(memory_home, tmp_path)
    hook_index_file(memory_home.home).write_text('{"format": 99}')
    ran = run_hook("session-start", "codex", contracts.payload("codex", "session-start", folder))
    assert (ran.code, ran.out) == (0, "{}")
    record = json.loads(hook_log_file(memory_home.home).read_text())
    assert record["agent"] == "codex" and "another format" in record["reason"]
    memory_home.compile()
    assert run_hook("session-start", "codex", contracts.payload("codex", "session-start", folder)).context


def test_a_read_only_home_does_not_keep_the_memory_away(
    memory_home: MemoryHome, run_hook: RunHook, tmp_path: Path
) -> None:
    folder = shop(memory_home, tmp_path)
    (memory_home.home / "hooks" / "seen").write_text("a file where a folder should be")
    ran = run_hook("session-start", "claude", contracts.payload("claude", "session-start", folder))
    assert ran.code == 0 and "[m1]" in ran.context
    assert "noting the injection" in hook_log_file(memory_home.home).read_text()


def test_a_stdin_that_never_ends_is_given_up_in_time(memory_home: MemoryHome) -> None:
    read, write = os.pipe()
    try:
        started = time.monotonic()
        process = subprocess.Popen(
            [str(COMMAND), "hook", "user-prompt", "--agent", "codex"], stdin=read, stdout=subprocess.PIPE,
            env={"PATH": os.environ["PATH"], "SLOWWAVE_HOME": str(memory_home.home)},
        )  # fmt: skip
        out, _ = process.communicate(timeout=30)
    finally:
        os.close(read)
        os.close(write)
    assert process.returncode == 0 and out == b"{}"
    assert time.monotonic() - started < 8
    assert "HookTimeout" in hook_log_file(memory_home.home).read_text()


def test_a_closed_stdout_is_no_failure(memory_home: MemoryHome, tmp_path: Path) -> None:
    folder = shop(memory_home, tmp_path)
    process = subprocess.Popen(
        [str(COMMAND), "hook", "session-start", "--agent", "claude"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env={"PATH": os.environ["PATH"], "SLOWWAVE_HOME": str(memory_home.home)},
    )  # fmt: skip
    assert process.stdout is not None and process.stdin is not None and process.stderr is not None
    process.stdout.close()
    process.stdin.write(json.dumps(contracts.payload("claude", "session-start", folder)).encode())
    process.stdin.close()
    error = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=30) == 0 and error == b""


def test_hooks_can_be_switched_off(memory_home: MemoryHome, run_hook: RunHook, tmp_path: Path) -> None:
    payload = contracts.payload("claude", "session-start", shop(memory_home, tmp_path))
    assert run_hook("session-start", "claude", payload, env={"SLOWWAVE_HOOKS": "off"}).out == ""


def test_a_probe_is_answered_and_leaves_no_trace(memory_home: MemoryHome, run_hook: RunHook, tmp_path: Path) -> None:
    folder = shop(memory_home, tmp_path)
    before = sorted(memory_home.home.rglob("*"))
    for event in hosts.EVENTS:
        ran = run_hook(event, "claude", contracts.payload("claude", event, folder), env={"SLOWWAVE_HOOKS": "probe"})
        assert ("[m1]" in ran.context) is (event == hosts.SESSION_START)
    assert sorted(memory_home.home.rglob("*")) == before


def test_a_hook_imports_the_standard_library_and_our_light_modules_only(
    memory_home: MemoryHome, tmp_path: Path
) -> None:
    folder = shop(memory_home, tmp_path)
    program = (
        "import json, sys\nfrom slowwave.cli.main import main\n"
        "code = main(['hook', sys.argv[1], '--agent', 'claude'])\n"
        "names = {name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)\n"
        "print('\\n' + json.dumps([code, sorted(names), sorted(sys.modules)]))\n"
    )
    # The status line comes last, so that it has the store to read that the events before it made.
    for event in [*hosts.HOSTS["claude"].events, hosts.STATUS_LINE]:
        payload = (
            contracts.payload("claude", event, folder)
            if event != hosts.STATUS_LINE
            else {"session_id": contracts.SESSION}
        )
        done = subprocess.run(
            [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{program}", event],
            input=json.dumps(payload).encode(), capture_output=True, timeout=60,
            env={"SLOWWAVE_HOME": str(memory_home.home)}, check=True,
        )  # fmt: skip
        code, names, modules = json.loads(done.stdout.splitlines()[-1])
        assert code == 0
        assert set(names) <= {"__main__", "slowwave", "_distutils_hack"}
        assert not {"slowwave.settings", "slowwave.app", "slowwave.cli.group", "slowwave.storage.tables"} & set(modules)
    # No folder is identified and no policy of the layers is read for it: it runs far more often than any hook.
    assert "slowwave.storage.insession.store" in modules and "slowwave.session.hosts.status" in modules
    assert not {
        "slowwave.rollouts.identity.projects",
        "slowwave.session.hosts.hooks",
        "slowwave.agents.hook.layers",
    } & set(modules)


def test_worktrees_share_memory_and_other_projects_never_see_it(
    memory_home: MemoryHome, run_hook: RunHook, tmp_path: Path
) -> None:
    main = tmp_path / "shop"
    main.mkdir()
    git = ["git", "-C", str(main), "-c", "user.email=a@example.org", "-c", "user.name=a"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "start"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(tmp_path / "elsewhere")], check=True, stderr=subprocess.DEVNULL)
    shop(memory_home, tmp_path)
    other = memory_home.project(tmp_path / "other")
    memory_home.publish(other.id, ["something of the other project"])
    memory_home.compile()
    deeper = main / "src"
    deeper.mkdir()

    def context(folder: Path) -> str:
        return run_hook("session-start", "claude", contracts.payload("claude", "session-start", folder)).context

    assert "bun test" in context(main) and context(tmp_path / "elsewhere") == context(main) == context(deeper)
    assert "other project" not in context(main)
    assert "bun test" not in context(tmp_path / "other") and "other project" in context(tmp_path / "other")
    (tmp_path / "unknown").mkdir()
    assert context(tmp_path / "unknown") == ""


def test_the_user_level_reaches_every_project_and_folders_without_memory(
    memory_home: MemoryHome, run_hook: RunHook, tmp_path: Path
) -> None:
    memory_home.user_level(["prefers short answers"])
    folder = shop(memory_home, tmp_path)
    (tmp_path / "unknown").mkdir()
    known = run_hook("session-start", "claude", contracts.payload("claude", "session-start", folder)).context
    unknown = run_hook(
        "session-start", "claude", contracts.payload("claude", "session-start", tmp_path / "unknown")
    ).context
    assert "[m1]" in known and "prefers short answers [u1]" in known
    assert "prefers short answers [u1]" in unknown and "bun test" not in unknown


def test_an_excluded_project_is_given_nothing(memory_home: MemoryHome, run_hook: RunHook, tmp_path: Path) -> None:
    memory_home.user_level(["prefers short answers"])
    folder = shop(memory_home, tmp_path)
    memory_home.memories = MemoriesSettings(exclude=(f"{tmp_path}/sh*",))
    memory_home.compile()
    assert run_hook("session-start", "claude", contracts.payload("claude", "session-start", folder)).out == ""


def test_a_failed_or_stale_night_is_told_to_the_person_in_one_line_and_not_to_the_model(
    memory_home: MemoryHome, run_hook: RunHook, tmp_path: Path
) -> None:
    folder = shop(memory_home, tmp_path)
    memory_home.memories = MemoriesSettings(enabled=True)
    now = time.time()

    def message(status: str, at: float, agent: str = "claude", source: str = "startup") -> str:
        with Session(memory_home.engine) as session:
            session.merge(
                Run(
                    id="r1",
                    kind="nightly",
                    status=status,
                    host="h",
                    pid=1,
                    started_at=at,
                    finished_at=at,
                    message="no key\nx",
                )
            )
            session.commit()
        memory_home.compile()
        ran = run_hook("session-start", agent, contracts.payload(agent, "session-start", folder, source=source))
        assert "Slowwave: the last run" not in ran.context and "[m1]" in ran.context
        assert list(schema_of(agent, "session-start").iter_errors(ran.answer)) == []
        return str(ran.answer.get("systemMessage", ran.answer.get("notice", "")))

    assert message("completed", now) == "" and message("partial", now) == ""
    failed = message("failed", now)
    assert failed.startswith("Slowwave: the last run failed (no key x).") and "\n" not in failed
    assert message("failed", now, agent="codex") == message("failed", now, agent="pi") == failed
    assert message("failed", now, source="compact") == ""
    stale = message("completed", now - (STALE_HOURS + 30) * 3600)
    assert re.match(r"Slowwave: the last run was 3 days ago, memory may be stale\.", stale)
    memory_home.memories = MemoriesSettings(enabled=False)
    assert message("failed", now) == ""


def test_enabled_without_any_run_says_so_after_two_nights(
    memory_home: MemoryHome, run_hook: RunHook, tmp_path: Path
) -> None:
    folder = shop(memory_home, tmp_path)
    memory_home.memories = MemoriesSettings(enabled=True)
    memory_home.compile(now=time.time() - 10)
    payload = contracts.payload("claude", "session-start", folder)
    assert "systemMessage" not in run_hook("session-start", "claude", payload).answer
    memory_home.memories = MemoriesSettings(enabled=False)
    memory_home.compile()
    memory_home.memories = MemoriesSettings(enabled=True)
    memory_home.compile(now=time.time() - (STALE_HOURS + 1) * 3600)
    assert "has not run yet" in run_hook("session-start", "claude", payload).answer["systemMessage"]


def test_the_log_is_bounded_private_and_without_the_prompt(
    memory_home: MemoryHome, run_hook: RunHook, tmp_path: Path
) -> None:
    log = hook_log_file(memory_home.home)
    log.parent.mkdir(parents=True)
    log.write_text("x" * (1024 * 1024 + 1))
    run_hook("user-prompt", "claude", b'{"prompt": "a very private thing", ')
    assert log.stat().st_size < 1000 and log.with_suffix(".log.1").stat().st_size > 1024 * 1024
    assert "private thing" not in log.read_text()
    assert log.stat().st_mode & 0o077 == 0
