"""opencode: database, older tree, exported document; and nothing beside them changes."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from slowwave.errors import RolloutUnreadable, RolloutVanished
from slowwave.rollouts.model import Item, ItemKind, LogFile, SessionFacts
from slowwave.rollouts.readers import reader_for, readers
from slowwave.storage.types import SessionKind
from tests.support.agent_logs import (
    add_opencode_session,
    opencode_connection,
    opencode_info,
    opencode_messages,
    opencode_tree,
    write_document,
)
from tests.support.logs import DEFAULT_TURNS, Assistant, Step, User
from tests.support.reading import read, read_with, shape, texts

TURNS: list[Step] = [User("one"), Assistant("a"), User("two"), Assistant("b")]


def discover(tmp_path: Path) -> list[LogFile]:
    env = {"XDG_DATA_HOME": str(tmp_path)}
    return sorted(readers({})["opencode"].discover(env, tmp_path), key=lambda log: log.key)


def read_only_session(tmp_path: Path) -> tuple[SessionFacts, list[Item]]:
    (log,) = discover(tmp_path)
    return read_with(readers({})["opencode"], log)


def snapshot(folder: Path) -> dict[str, tuple[int, str]]:
    """Every file of a folder with its modification time and content."""
    return {
        path.name: (path.stat().st_mtime_ns, hashlib.sha256(path.read_bytes()).hexdigest())
        for path in folder.iterdir()
        if path.is_file()
    }


def test_database_tree_and_export_read_alike(tmp_path: Path) -> None:
    connection = opencode_connection(tmp_path / "a" / "opencode" / "opencode.db")
    add_opencode_session(connection, DEFAULT_TURNS)
    connection.close()
    opencode_tree(tmp_path / "b" / "opencode", DEFAULT_TURNS)
    write_document(tmp_path / "c" / "e.json", {"info": opencode_info(), "messages": opencode_messages(DEFAULT_TURNS)})
    _, stored = read_only_session(tmp_path / "a")
    _, tree = read_only_session(tmp_path / "b")
    facts, exported = read(tmp_path / "c" / "e.json")
    assert shape(stored) == shape(tree) == shape(exported)
    assert facts.thread_id == "opencode:ses_1"
    assert [(item.exit_status, item.failed) for item in stored if item.kind is ItemKind.TOOL_RESULT] == [
        (2, True),
        (0, False),
    ]
    assert facts.last_activity is not None and facts.cwd == "/home/dev/project"


LIVE_WRITER = """
import sys
from pathlib import Path
from tests.support.agent_logs import add_opencode_session, opencode_connection
from tests.support.logs import Assistant, User
connection = opencode_connection(Path(sys.argv[1]))
add_opencode_session(connection, [User("one"), Assistant("a"), User("two")])
print("written", flush=True)
sys.stdin.read()
connection.execute("PRAGMA journal_mode")
"""


def test_nothing_beside_a_database_in_use_is_changed(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """The agent is another process: one process shares its own connections' memory."""
    database = tmp_path / "opencode" / "opencode.db"
    command = [sys.executable, "-c", LIVE_WRITER, str(database)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=pytestconfig.rootpath, text=True
    ) as agent:
        assert agent.stdout is not None and agent.stdout.readline() == "written\n"
        before = snapshot(database.parent)
        assert {"opencode.db", "opencode.db-wal", "opencode.db-shm"} == before.keys()
        assert texts(read_only_session(tmp_path)[1]) == ["one", "two"]
        assert snapshot(database.parent) == before
        agent.communicate()
    assert agent.returncode == 0


@pytest.mark.parametrize("state", ["closed", "crashed", "no_shm"])
def test_nothing_beside_a_database_at_rest_is_created_or_changed(tmp_path: Path, state: str) -> None:
    folder = tmp_path / "opencode"
    connection = opencode_connection(folder / "opencode.db")
    add_opencode_session(connection, TURNS)
    copies = {path.name: path.read_bytes() for path in folder.iterdir()}
    connection.close()
    if state != "closed":
        shutil.rmtree(folder)
        folder.mkdir()
        for name, data in copies.items():
            if state == "crashed" or not name.endswith("-shm"):
                (folder / name).write_bytes(data)
    before = snapshot(folder)
    assert texts(read_only_session(tmp_path)[1]) == ["one", "two"]
    assert snapshot(folder) == before


def test_a_live_session_is_seen_through_the_write_ahead_log(tmp_path: Path) -> None:
    connection = opencode_connection(tmp_path / "opencode" / "opencode.db")
    add_opencode_session(connection, TURNS)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    add_opencode_session(connection, [User("newest")], session_id="ses_2")
    first, second = discover(tmp_path)
    assert texts(read_with(readers({})["opencode"], second)[1]) == ["newest"]
    add_opencode_session(connection, [User("x")], session_id="ses_3")
    assert discover(tmp_path)[0] == first
    connection.close()


def test_a_writer_is_never_kept_waiting(tmp_path: Path) -> None:
    database = tmp_path / "opencode" / "opencode.db"
    connection = opencode_connection(database)
    add_opencode_session(connection, TURNS)
    (log,) = discover(tmp_path)
    items = readers({})["opencode"].items(log, readers({})["opencode"].scan(log))
    next(items)
    writer = sqlite3.connect(database, timeout=0, isolation_level=None)
    writer.execute("UPDATE session SET title = 'changed while a reader is in the middle'")
    assert texts(list(items)) == ["two"]
    writer.close()
    connection.close()


def test_what_the_database_holds_wins_and_the_rest_of_the_tree_is_read_too(tmp_path: Path) -> None:
    root = tmp_path / "opencode"
    connection = opencode_connection(root / "opencode.db")
    add_opencode_session(connection, [User("migrated")], session_id="ses_1")
    connection.execute("INSERT INTO session VALUES ('ses_2','global',NULL,'/x','T','1',NULL,1,1,NULL)")
    opencode_tree(root, [User("old copy")], session_id="ses_1")
    opencode_tree(root, [User("never migrated")], session_id="ses_2")
    reader = readers({})["opencode"]
    assert [texts(read_with(reader, log)[1]) for log in discover(tmp_path)] == [["migrated"], ["never migrated"]]
    connection.close()


def test_the_oldest_tree_of_all(tmp_path: Path) -> None:
    session = tmp_path / "opencode" / "project" / "home-dev" / "storage" / "session"
    write_document(session / "info" / "ses_1.json", opencode_info())
    for message in opencode_messages(TURNS):
        uid = message["info"]["id"]
        write_document(session / "message" / "ses_1" / f"{uid}.json", message["info"])
        for part in message["parts"]:
            write_document(session / "part" / "ses_1" / uid / f"{part['id']}.json", part)
    assert texts(read_only_session(tmp_path)[1]) == ["one", "two"]


def test_missing_and_broken_parts_are_counted(tmp_path: Path) -> None:
    root = tmp_path / "opencode"
    opencode_tree(root, TURNS)
    shutil.rmtree(root / "storage" / "part" / "msg_0001")
    (root / "storage" / "part" / "msg_0003" / "prt_0003.json").write_text('{"type":"text","text":"cut')
    facts, items = read_only_session(tmp_path)
    assert texts(items) == ["one", "two"]
    assert (facts.dropped["missing_folder"], facts.damaged) == (1, 1)


def test_an_id_cannot_lead_out_of_the_tree(tmp_path: Path) -> None:
    root = tmp_path / "opencode"
    file = opencode_tree(root, TURNS)
    write_document(tmp_path / "elsewhere" / "p.json", {"id": "p", "type": "text", "text": "stolen"})
    write_document(
        root / "storage" / "message" / "ses_1" / "msg_0000.json", {"id": "../../../elsewhere", "role": "user"}
    )
    assert "stolen" not in [item.text for item in read(file)[1]]


def test_text_that_the_agent_put_in_is_dropped(tmp_path: Path) -> None:
    messages = opencode_messages(TURNS)
    messages[0]["parts"] += [
        {"id": "p1", "type": "text", "text": "Always use tabs.", "synthetic": True},
        {"id": "p2", "type": "text", "text": "<system-reminder>Always use tabs.</system-reminder>"},
        {"id": "p3", "type": "file", "mime": "image/png", "url": "data:image/png;base64,AAAA"},
    ]
    messages[3]["info"]["summary"] = True
    write_document(tmp_path / "e.json", {"info": opencode_info(), "messages": messages})
    facts, items = read(tmp_path / "e.json")
    assert texts(items) == ["one", "two"]
    assert texts(items, ItemKind.ASSISTANT_TEXT) == ["a"]
    assert facts.dropped["synthetic"] == facts.dropped["summary"] == 1


def test_reverted_messages_are_left_out(tmp_path: Path) -> None:
    document = {"info": opencode_info(revert={"messageID": "msg_0002"}), "messages": opencode_messages(TURNS)}
    write_document(tmp_path / "e.json", document)
    facts, items = read(tmp_path / "e.json")
    assert texts(items) == ["one"]
    assert facts.rolled_back == {2, 3}


def test_child_sessions_are_subagents(tmp_path: Path) -> None:
    connection = opencode_connection(tmp_path / "opencode" / "opencode.db")
    add_opencode_session(connection, TURNS, parent_id="ses_0")
    connection.close()
    facts, _ = read_only_session(tmp_path)
    assert (facts.kind, facts.parent_session_id) == (SessionKind.SUBAGENT, "ses_0")


def test_running_and_failed_tools(tmp_path: Path) -> None:
    messages = opencode_messages([User("go")])
    states: list[dict[str, Any]] = [
        {"status": "error", "input": {"command": "x"}, "error": "no such tool"},
        {"status": "running", "input": {"command": "y"}},
    ]
    parts = [
        {"id": f"t{n}", "type": "tool", "tool": "bash", "callID": f"c{n}", "state": s} for n, s in enumerate(states)
    ]
    messages.append({"info": {"id": "msg_9", "role": "assistant", "time": {"created": 1}}, "parts": parts})
    write_document(tmp_path / "e.json", {"info": opencode_info(), "messages": messages})
    _, items = read(tmp_path / "e.json")
    assert [(item.kind.value, item.text, item.failed) for item in items[1:]] == [
        ("tool_call", "x", None),
        ("tool_result", "no such tool", True),
        ("tool_call", "y", None),
    ]


def test_a_spoilt_database_is_listed_and_reports_why(tmp_path: Path) -> None:
    database = tmp_path / "opencode" / "opencode.db"
    database.parent.mkdir()
    database.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    (log,) = discover(tmp_path)
    with pytest.raises(RolloutUnreadable):
        readers({})["opencode"].scan(log)


def test_a_session_that_was_deleted_from_the_database_has_vanished(tmp_path: Path) -> None:
    connection = opencode_connection(tmp_path / "opencode" / "opencode.db")
    add_opencode_session(connection, TURNS)
    (log,) = discover(tmp_path)
    connection.execute("DELETE FROM session")
    with pytest.raises(RolloutVanished):
        readers({})["opencode"].scan(log)
    connection.close()


def test_other_databases_are_named_by_channel_or_by_the_environment(tmp_path: Path) -> None:
    for name in ("opencode.db", "opencode-beta.db"):
        connection = opencode_connection(tmp_path / "opencode" / name)
        add_opencode_session(connection, TURNS, session_id=f"ses_{name}")
        connection.close()
    assert len(discover(tmp_path)) == 2
    env = {"XDG_DATA_HOME": str(tmp_path), "OPENCODE_DB": str(tmp_path / "opencode" / "opencode-beta.db")}
    assert [log.path.name for log in readers({})["opencode"].discover(env, tmp_path)] == ["opencode-beta.db"]


def test_an_exported_document_is_recognised(tmp_path: Path) -> None:
    write_document(tmp_path / "e.json", {"info": opencode_info(), "messages": []})
    (tmp_path / "f.json").write_text(json.dumps(opencode_info(), indent=2))
    assert reader_for(tmp_path / "e.json", {}).agent == reader_for(tmp_path / "f.json", {}).agent == "opencode"
