"""A home where every agent has been used: all are found, counted, and belong to the folder that they worked in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from slowwave.rollouts.base import log_file
from slowwave.rollouts.model import ItemKind
from slowwave.rollouts.readers import readers
from slowwave.rollouts.stores.workspaces import folder_of, folder_of_slug, slug_of
from slowwave.rollouts.walk import places_noted
from tests.rollouts.test_relatives import write
from tests.support import agent_logs, editor_logs, logs, more_logs
from tests.support.agent_logs import write_document
from tests.support.logs import Assistant, User, write_lines
from tests.support.reading import read_with, texts

TURNS = [User("never edit the schema")]
CODE = ".config/Code/User"
ONE_EACH = {
    "claude": (logs.claude_session, ".claude/projects/-x/11111111-1111-4111-8111-111111111111.jsonl"),
    "codex": (
        logs.codex_session,
        ".codex/sessions/2026/06/01/rollout-2026-06-01T09-00-00-0197f000-0000-7000-8000-000000000001.jsonl",
    ),
    "pi": (agent_logs.pi_session, ".pi/agent/sessions/--x--/s.jsonl"),
    "omp": (agent_logs.omp_session, ".omp/agent/sessions/--x--/s.jsonl"),
    "openclaw": (agent_logs.openclaw_session, ".openclaw/agents/main/sessions/s.jsonl"),
    "gemini": (agent_logs.gemini_session, ".gemini/tmp/0/chats/session-1.json"),
    "copilot": (agent_logs.copilot_session, ".copilot/session-state/c-1/events.jsonl"),
    "copilot-history": (more_logs.copilot_document, ".copilot/history-session-state/session_h-1_1.json"),
    "cursor": (editor_logs.cursor_session, ".cursor/projects/x/agent-transcripts/c-1/c-1.jsonl"),
    "vscode": (editor_logs.vscode_log, f"{CODE}/workspaceStorage/a1/chatSessions/v-1.jsonl"),
    "cline": (
        editor_logs.cline_task,
        f"{CODE}/globalStorage/saoudrizwan.claude-dev/tasks/1/api_conversation_history.json",
    ),
    "roo": (
        editor_logs.cline_task,
        f"{CODE}/globalStorage/rooveterinaryinc.roo-cline/tasks/1/api_conversation_history.json",
    ),
    "kilocode": (
        editor_logs.cline_task,
        f"{CODE}/globalStorage/kilocode.kilo-code/tasks/1/api_conversation_history.json",
    ),
    "qwen": (editor_logs.qwen_session, ".qwen/projects/-x/chats/q-1.jsonl"),
    "goose": (editor_logs.goose_database, ".local/share/goose/sessions/sessions.db"),
    "crush": (editor_logs.crush_database, "src/shop/.crush/crush.db"),
    "aider": (editor_logs.aider_history, "src/shop/.aider.chat.history.md"),
    "amp": (more_logs.amp_thread, ".local/share/amp/threads/T-1.json"),
    "droid": (more_logs.droid_session, ".factory/sessions/-x/d-1.jsonl"),
    "kimi": (more_logs.kimi_session, ".kimi/sessions/0/k-1/wire.jsonl"),
    "zed": (more_logs.zed_database, ".local/share/zed/threads/threads.db"),
    "grok": (more_logs.grok_session, ".grok/sessions/%2Fx/g-1/chat_history.jsonl"),
    "kiro": (more_logs.kiro_session, ".kiro/sessions/cli/k-1.jsonl"),
    "hermes": (more_logs.hermes_database, ".hermes/state.db"),
}
RELATED = {"openclaude": "claude", "trae": "codex", "qclaw": "openclaw", "prime": "pi", "kilo": "opencode"}
ROOTS = {
    "openclaude": ".openclaude",
    "trae": ".trae/cli",
    "qclaw": ".qclaw",
    "prime": ".prime/agent/sessions",
    "kilo": ".local/share/kilo",
}


def used_by_all(home: Path) -> dict[str, int]:
    """Use every agent once; the Cursor session a second time, in the editor."""
    for build, place in ONE_EACH.values():
        build(home / place, TURNS)  # type: ignore[operator]
    for agent, form in RELATED.items():
        write(form, home / ROOTS[agent])
    agent_logs.opencode_tree(home / ".local" / "share" / "opencode", TURNS)
    editor_logs.cursor_state(home / ".config/Cursor/User/globalStorage/state.vscdb", TURNS, session="c-2")
    editor_logs.cursor_store(home / ".cursor/chats/0/c-3/store.db", TURNS)
    return dict.fromkeys([*ONE_EACH, *RELATED, "opencode"], 1) | {"cursor": 3}


def test_init_finds_every_agent_and_shows_how_many_logs_it_has(tmp_path: Path) -> None:
    wanted = used_by_all(tmp_path)
    env = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "SLOWWAVE_HOME": str(tmp_path / "slowwave")}
    command = [str(Path(sys.executable).with_name("slowwave")), "init", "--no-run", "--no-schedule", "--no-install"]
    done = subprocess.run(
        [*command, "--json"], env=env, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.split("\n}\n")[0] + "\n}")["logs"] == wanted
    assert all(f"  {agent}: {count} session logs" in done.stderr for agent, count in wanted.items())


def test_readers_tell_where_they_look(tmp_path: Path) -> None:
    for agent, reader in readers({}).items():
        with places_noted() as places:
            assert list(reader.discover({"SLOWWAVE_HOME": str(tmp_path / "s")}, tmp_path)) == []
        assert places and all(path.is_relative_to(tmp_path) for path in places), agent


def test_a_session_that_cursor_keeps_twice_is_read_once(tmp_path: Path) -> None:
    editor_logs.cursor_session(tmp_path / ".cursor/projects/x/agent-transcripts/c-1/c-1.jsonl", TURNS)
    editor_logs.cursor_state(tmp_path / ".config/Cursor/User/globalStorage/state.vscdb", TURNS, session="c-1")
    (log,) = readers({})["cursor"].discover({}, tmp_path)
    assert log.key.endswith("state.vscdb#c-1")


@pytest.mark.parametrize("name", ["shop", "my_shop", "my shop", "shop.v2", "größe"])
def test_cursors_slug_is_the_folder_that_the_session_names(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    rows = editor_logs.cursor_rows(TURNS)
    call = {"type": "tool_use", "name": "Read", "input": {"path": f"{folder}/src/a.py"}}
    rows.append({"role": "assistant", "message": {"content": [call]}})
    slug = slug_of(str(folder))
    path = write_lines(tmp_path / ".cursor" / "projects" / slug / "agent-transcripts" / "c" / "c.jsonl", rows)
    facts = readers({})["cursor"].scan(log_file("cursor", path))
    if name == "größe":
        assert facts.cwd in (str(folder), str(path.parents[2]))
    else:
        assert facts.cwd == str(folder) and facts.turns_by_cwd == {str(folder): 1}


def test_a_slug_is_looked_up_on_this_machine_and_never_guessed(tmp_path: Path) -> None:
    (tmp_path / "my_shop" / "api").mkdir(parents=True)
    slug = slug_of(str(tmp_path / "my_shop" / "api"))
    assert folder_of_slug(slug, []) == str(tmp_path / "my_shop" / "api")
    (tmp_path / "your.shop" / "api").mkdir(parents=True)
    (tmp_path / "your-shop" / "api").mkdir(parents=True)
    twice = slug_of(str(tmp_path / "your.shop" / "api"))
    assert folder_of_slug(twice, []) is None
    assert folder_of_slug(twice, [str(tmp_path / "your.shop" / "api" / "a.py")]) == str(tmp_path / "your.shop" / "api")
    assert folder_of_slug("1769488977462", []) is None


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("file:///home/dev/my%20shop", "/home/dev/my shop"),
        ("file:///c%3A/src/shop", "c:/src/shop"),
        ("vscode-remote://ssh-remote%2Bbox/srv/shop", "/srv/shop"),
        ("/home/dev/shop", "/home/dev/shop"),
        ("untitled:Untitled-1", None),
        ("https://example.com/x", None),
        (7, None),
        ("", None),
    ],
)
def test_the_folder_in_an_address(address: object, path: str | None) -> None:
    assert folder_of(address) == path


@pytest.mark.parametrize(
    ("manifest", "cwd"),
    [
        ({"folder": "file:///home/dev/shop"}, "/home/dev/shop"),
        ({"workspace": "file:///home/dev/all/shop.code-workspace"}, "/home/dev/all"),
        ({}, None),
        (None, None),
    ],
)
def test_the_workspace_file_names_the_folder_of_a_chat(tmp_path: Path, manifest: object, cwd: str | None) -> None:
    storage = tmp_path / CODE / "workspaceStorage" / "a1"
    editor_logs.vscode_document(storage / "chatSessions" / "v-1.json", TURNS)
    if manifest is not None:
        write_document(storage / "workspace.json", manifest)
    (log,) = readers({})["vscode"].discover({}, tmp_path)
    assert readers({})["vscode"].scan(log).cwd == cwd


def test_cursors_database_names_the_folder_or_a_workspaces_list_has_the_session(tmp_path: Path) -> None:
    user = tmp_path / ".config" / "Cursor" / "User"
    state = editor_logs.cursor_state(user / "globalStorage" / "state.vscdb", TURNS)
    storage = user / "workspaceStorage" / "a1"
    connection = editor_logs.database(storage / "state.vscdb", editor_logs.CURSOR_TABLES)
    listed = json.dumps({"allComposers": [{"composerId": "c-1"}]})
    connection.execute("INSERT INTO ItemTable VALUES ('composer.composerData', ?)", (listed,))
    connection.close()
    write_document(storage / "workspace.json", {"folder": "file:///home/dev/shop"})
    (log,) = readers({})["cursor"].discover({}, tmp_path)
    assert readers({})["cursor"].scan(log).cwd == "/home/dev/shop"
    state.unlink()
    named = {"workspaceIdentifier": {"id": "x", "uri": {"fsPath": "/srv/api", "scheme": "file"}}}
    editor_logs.cursor_state(state, TURNS, **named)
    (log,) = readers({})["cursor"].discover({}, tmp_path)
    assert readers({})["cursor"].scan(log).cwd == "/srv/api"


def test_repositories_can_be_named(tmp_path: Path) -> None:
    editor_logs.aider_history(tmp_path / "far" / "shop" / ".aider.chat.history.md", TURNS)
    env = {"SLOWWAVE_REPOSITORIES": os.pathsep.join([str(tmp_path / "far"), str(tmp_path / "none")])}
    (log,) = readers({})["aider"].discover(env, tmp_path / "home")
    assert readers({})["aider"].scan(log).cwd == str(tmp_path / "far" / "shop")


@pytest.mark.parametrize("chat", [False, True])
def test_older_sessions_of_cursor_lie_in_the_workspaces_own_database(tmp_path: Path, chat: bool) -> None:
    storage = tmp_path / ".config" / "Cursor" / "User" / "workspaceStorage" / "a1"
    turns = [User("never edit the schema"), Assistant("ok"), User("<system-reminder>x</system-reminder>")]
    editor_logs.cursor_workspace(storage / "state.vscdb", turns, chat=chat)
    write_document(storage / "workspace.json", {"folder": "file:///home/dev/shop"})
    (log,) = readers({})["cursor"].discover({}, tmp_path)
    facts, items = read_with(readers({})["cursor"], log)
    assert (facts.session_id, facts.cwd) == ("c-1", "/home/dev/shop") and facts.last_activity is not None
    assert texts(items) == ["never edit the schema"] and texts(items, ItemKind.ASSISTANT_TEXT) == ["ok"]
