"""Bugs that other systems' users reported about injected memory and recall, each as a test of ours.

The numbers are those of docs/session-known-bugs.md, where the reports are listed.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from slowwave.paths import session_database_file
from slowwave.session import SessionMemory
from slowwave.session.limits import SessionLimits
from slowwave.storage.insession.facts import FactStore
from slowwave.storage.insession.store import Scope, SessionStore
from tests.session.conftest import Host

TASK = "Migrate the React app to Vite, keep the existing tests, and don't touch the auth flow."


def test_41_a_new_fact_or_pin_reprices_no_prefix(tmp_path: Path) -> None:
    with SessionMemory(tmp_path / "session.db", session_id="s", project_id="p") as layers:
        first = layers.before_turn([{"role": "user", "content": TASK}])
        history = [*first.messages, {"role": "assistant", "content": "done"}]
        said = "You must never edit the lock file. We deploy to Cloudflare Workers."
        second = layers.before_turn([*history, {"role": "user", "content": said}])
    assert second.system_tail == first.system_tail
    assert second.messages[: len(history)] == history


def test_42_and_43_blocks_hold_no_time_and_are_the_same_bytes_for_the_same_state(home: Path, tmp_path: Path) -> None:
    texts = []
    for number, folder in enumerate((home, tmp_path / "other")):
        host = Host(folder)
        host._call("on_user_prompt", prompt=TASK + " We deploy to Cloudflare Workers.", now=1000.0 + number * 1e6)
        texts.append(host._call("on_session_start", source="resume", now=5000.0 + number * 1e7))
    assert texts[0] == texts[1] != ""


def test_45_a_long_session_holds_no_copies_within_an_epoch(host: Host, home: Path) -> None:
    Host(home, session_id="s0").says("We deploy to Cloudflare Workers.")
    host.says(TASK)
    for number in range(100):
        host.answers("done")
        host.says(f"how do I deploy preview {number}?")
    lines = Counter(line for text in host.injected for line in text.splitlines() if line[:2] in ("- ", "Co", "Ta"))
    assert max(lines.values()) == 1


def test_47_what_a_host_gets_is_plain_text_that_arrived(host: Host) -> None:
    """Nesting is the host adapter's; here the text is returned, and the store tells that it was."""
    host.says(TASK)
    text = host.compacts()
    assert text.startswith("<task_recap>")
    assert host.why(1)["recap"] == "after_compact"


def test_48_a_prompt_hook_uses_no_network(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*args: object, **kwargs: object) -> None:
        raise AssertionError("a hook opened a socket")

    monkeypatch.setattr(socket, "socket", refused)
    host.says(TASK)
    host.answers("Should I go on?")
    host.compacts()
    host.ends()
    assert host.pinned()


def test_49_recalled_text_is_not_stored_again(host: Host, home: Path) -> None:
    host.says("We deploy to Cloudflare Workers. I prefer vitest, not jest.")
    shown = Host(home, session_id="s2")
    for number in range(50):
        text = shown.says(f"how do I deploy the preview and test it {number}?") or "<key_facts>\n- x\n</key_facts>"
        shown.answers(f"As you said: We deploy to Cloudflare Workers. {text}")
        shown.says(f"{text}\nthanks, now page {number}")
        if number % 10 == 0:
            shown.compacts()
    with SessionStore(session_database_file(home)) as store:
        assert len(FactStore(store).known(Scope("local", "p1", "claude"))) == 2


def test_50_a_deleted_fact_does_not_return_through_replies_or_tool_output(host: Host, home: Path) -> None:
    scope = Scope("local", "p1", "claude")
    host.says("We deploy to Cloudflare Workers.")
    with SessionStore(session_database_file(home)) as store:
        FactStore(store).forget(scope, FactStore(store).active(scope)[0].id, now=1.0)
    later = Host(home, session_id="s2")
    later.answers("The notes say: We deploy to Cloudflare Workers.")
    later.says("this is the output:\nWe deploy to Cloudflare Workers.")
    later.says("We deploy to Cloudflare Workers.")
    with SessionStore(session_database_file(home)) as store:
        assert FactStore(store).active(scope) == []


def test_52_no_model_is_even_loaded_by_a_prompt_hook(tmp_path: Path) -> None:
    code = (
        "import pathlib, sys\nfrom slowwave.session.hosts import hooks\n"
        f"kw = dict(home=pathlib.Path({str(tmp_path)!r}), session_id='s', agent='claude', project_id='p')\n"
        f"hooks.on_user_prompt(**kw, prompt={TASK!r})\n"
        "hooks.on_stop(**kw, last_assistant_message='Should I go on?')\n"
        "hooks.on_pre_compact(**kw)\nhooks.on_session_start(**kw, source='compact')\nhooks.on_session_end(**kw)\n"
        "print(*sorted({name.split('.')[0] for name in sys.modules}))\n"
        "print(*sorted(name for name in sys.modules if name.split('.')[0] == 'slowwave'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    roots, ours = done.stdout.splitlines()
    standard = set(sys.stdlib_module_names) | {"__main__", "slowwave", "sitecustomize", "usercustomize"}
    assert not {name for name in roots.split() if not name.startswith("_")} - standard
    allowed = (
        "slowwave.session",
        "slowwave.text",
        "slowwave.redaction",
        "slowwave.storage.insession",
        "slowwave.storage.types",
    )
    light = {
        "slowwave",
        "slowwave.errors",
        "slowwave.paths",
        "slowwave.text",
        "slowwave.storage",
        "slowwave.private",
    }
    assert not {name for name in ours.split() if not name.startswith(allowed)} - light


@pytest.mark.parametrize(
    "other", [{"project_id": "p2"}, {"agent": "codex"}, {"user_id": "somebody"}], ids=["project", "agent", "user"]
)
def test_53_nothing_leaks_to_another_project_agent_or_user(host: Host, home: Path, other: dict[str, str]) -> None:
    host.says(f"{TASK} We deploy to Cloudflare Workers.")
    stranger = Host(home, session_id="s2", **other)
    assert stranger.says("how do I deploy the React app to Cloudflare Workers?") == ""
    assert "auth flow" not in stranger.start("resume")


def test_54_before_a_compaction_nothing_blocks_and_nothing_is_printed(host: Host) -> None:
    host.says(TASK)
    path = session_database_file(host.home)
    with SessionStore(path) as other, other.transaction():
        assert host._call("on_pre_compact", trigger="auto") == ""
    assert host._call("on_pre_compact", trigger="auto") == ""


def test_55_memory_survives_the_first_compaction_even_when_its_start_event_never_comes(home: Path) -> None:
    host = Host(home, agent="codex")
    host.says(TASK)
    host._call("on_pre_compact", trigger="auto")
    assert "don't touch the auth flow" in host.says("go on with the router")
    assert host.start("compact") == ""
    assert host.says("and the page after that") == ""
    assert host.compacts() != ""


def test_55_a_compaction_that_was_never_announced_restates_the_task_too(host: Host) -> None:
    host.says(TASK)
    assert "don't touch the auth flow" in host.start("compact")
    assert host.says("go on with the router") == ""


def test_the_old_design_pinned_a_greeting_and_never_the_task(host: Host) -> None:
    for greeting in ("hi", "are you there?", "good morning"):
        host.says(greeting)
    host.says(TASK)
    assert host.pinned()[0] == "Migrate the React app to Vite"


def test_the_old_search_matched_only_the_whole_message(host: Host, home: Path) -> None:
    host.says("We deploy to Cloudflare Workers.")
    for number in range(5):
        host.says(f"Our service{number} runs on port {9000 + number}.")
    assert "Cloudflare" in Host(home, session_id="s2").says("what is our deployment target, please?")


def test_the_old_cap_was_in_bytes_and_an_append_could_exceed_it(tmp_path: Path) -> None:
    limits = SessionLimits(pin_characters=200)
    rules = "迁移到新的构建工具。" + "".join(f"不要改动第{number}个页面的登录流程。" for number in range(10, 22))
    with SessionMemory(tmp_path / "session.db", session_id="s", project_id="p", limits=limits) as layers:
        layers.before_turn([{"role": "user", "content": rules}])
        body = layers.state().snapshot.split("\n", 2)[2].rsplit("\n", 1)[0]
    assert 100 < len(body) <= 200


def test_the_old_first_turn_after_a_compaction_overwrote_the_pin(host: Host) -> None:
    host.says(TASK)
    before = host.pinned()
    host.compacts()
    host.says("fix the typo in the footer")
    assert host.pinned() == before
