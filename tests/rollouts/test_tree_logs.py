"""pi, oh-my-pi and OpenClaw: one tree format, three agents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from slowwave.rollouts.model import Item, ItemKind, Role, SessionFacts
from slowwave.rollouts.readers import reader_for, readers
from slowwave.storage.types import SessionKind
from tests.support.agent_logs import PI_ID, omp_session, openclaw_session, pi_rows, pi_session
from tests.support.logs import Assistant, Step, Tool, User, write_lines
from tests.support.reading import read, read_as, texts

TURNS: list[Step] = [User("one"), Assistant("a"), User("two"), Tool("ls", "x"), Assistant("b")]


def read_rows(tmp_path: Path, rows: list[dict[str, Any]], agent: str = "pi") -> tuple[SessionFacts, list[Item]]:
    return read_as(agent, write_lines(tmp_path / "x.jsonl", rows))


def message(uid: str, parent: str | None, role: str, text: str, **more: Any) -> dict[str, Any]:
    body = {"role": role, "content": [{"type": "text", "text": text}], **more}
    return {
        "type": "message",
        "id": uid,
        "parentId": parent,
        "timestamp": f"2026-06-01T10:00:{uid[-2:]}Z",
        "message": body,
    }


@pytest.mark.parametrize("version", [1, 2, 3])
def test_versions_of_pi(tmp_path: Path, version: int) -> None:
    facts, items = read(pi_session(tmp_path / "s.jsonl", TURNS, version=version))
    assert (facts.thread_id, facts.cwd) == (f"pi:{PI_ID}", "/home/dev/project")
    assert texts(items) == ["one", "two"]
    assert not facts.rolled_back and not facts.unknown


def test_abandoned_branches_are_left_out(tmp_path: Path) -> None:
    rows = pi_rows([])
    rows += [
        message("e01", None, "user", "one"),
        message("e02", "e01", "assistant", "a"),
        message("e03", "e02", "user", "abandoned"),
        message("e04", "e03", "assistant", "b"),
        {
            "type": "branch_summary",
            "id": "e05",
            "parentId": "e02",
            "timestamp": "2026-06-01T10:00:05Z",
            "fromId": "e04",
            "summary": "We tried something.",
        },
        message("e06", "e05", "user", "two"),
    ]
    facts, items = read_rows(tmp_path, rows)
    assert texts(items) == ["one", "two"]
    assert facts.rolled_back == {2, 3}


def test_starting_over_from_the_root_abandons_everything_before(tmp_path: Path) -> None:
    rows = [*pi_rows([]), message("e01", None, "user", "old"), message("e02", None, "user", "new")]
    _, items = read_rows(tmp_path, rows)
    assert texts(items) == ["new"]


def test_a_missing_row_gives_nothing_up(tmp_path: Path) -> None:
    rows = pi_rows([User("one"), Assistant("a"), User("two"), Assistant("b"), User("three")])
    for gone in range(1, len(rows)):
        _, items = read_rows(tmp_path, [row for number, row in enumerate(rows) if number != gone])
        expected = [row["message"]["content"][0]["text"] for n, row in enumerate(rows[1:], 1) if n != gone]
        assert [item.text for item in items] == expected


def test_a_cycle_of_parents_ends(tmp_path: Path) -> None:
    rows = [*pi_rows([]), message("e01", "e02", "user", "one"), message("e02", "e01", "user", "two")]
    _, items = read_rows(tmp_path, rows)
    assert texts(items) == ["one", "two"]


def test_roles_of_the_family(tmp_path: Path) -> None:
    rows = pi_rows([])
    extra: list[dict[str, Any]] = [
        {"role": "bashExecution", "command": "make", "output": "no", "exitCode": 2},
        {"role": "bashExecution", "command": "secret", "output": "x", "exitCode": 0, "excludeFromContext": True},
        {"role": "pythonExecution", "code": "1+1", "output": "2", "exitCode": 0},
        {"role": "fileMention", "content": [{"type": "text", "text": "def f(): ..."}]},
        {"role": "custom", "content": "Always use tabs."},
        {"role": "hookMessage", "content": "Always use tabs."},
        {"role": "developer", "content": "Always use tabs."},
        {"role": "compactionSummary", "summary": "x"},
        {"role": "user", "content": "a plain string"},
        {"role": "assistant", "content": [], "stopReason": "aborted", "errorMessage": "x"},
    ]
    rows += [
        {
            "type": "message",
            "id": f"m{n}",
            "parentId": f"m{n - 1}" if n else None,
            "timestamp": "2026-06-01T10:00:00Z",
            "message": body,
        }
        for n, body in enumerate(extra)
    ]
    facts, items = read_rows(tmp_path, rows)
    assert [(item.kind, item.role, item.text, item.exit_status) for item in items] == [
        (ItemKind.TOOL_CALL, Role.USER, "make", None),
        (ItemKind.TOOL_RESULT, Role.TOOL, "no", 2),
        (ItemKind.TOOL_CALL, Role.USER, "1+1", None),
        (ItemKind.TOOL_RESULT, Role.TOOL, "2", 0),
        (ItemKind.CONTEXT, Role.USER, "def f(): ...", None),
        (ItemKind.USER_TEXT, Role.USER, "a plain string", None),
    ]
    assert facts.dropped["excluded_from_context"] == 1 and not facts.unknown


def test_a_compaction_counts_only_at_the_start(tmp_path: Path) -> None:
    compaction = {
        "type": "compaction",
        "id": "c1",
        "parentId": None,
        "timestamp": "2026-06-01T08:00:00Z",
        "summary": "Earlier: x",
        "firstKeptEntryId": "e1",
    }
    rows = pi_rows(TURNS)
    assert texts(read_rows(tmp_path, [rows[0], compaction])[1], ItemKind.SUMMARY) == ["Earlier: x"]
    later = compaction | {"parentId": rows[-1]["id"], "timestamp": "2026-06-02T08:00:00Z"}
    assert texts(read_rows(tmp_path, [*rows, later])[1], ItemKind.SUMMARY) == []


def test_the_title_slot_of_oh_my_pi_may_stand_before_the_header(tmp_path: Path) -> None:
    path = omp_session(tmp_path / "s.jsonl", TURNS, title="Fix it")
    assert len(path.read_bytes().split(b"\n", 1)[0]) == 255
    facts, items = read(path)
    assert (facts.agent, facts.title, texts(items)) == ("omp", "Fix it", ["one", "two"])


def test_entries_of_oh_my_pi_are_known(tmp_path: Path) -> None:
    rows = pi_rows(TURNS, header={"titleSource": "user", "title": "T"})
    kinds = [
        "service_tier_change",
        "reset_boundary",
        "ttsr_injection",
        "credential_pin",
        "mode_change",
        "title_change",
        "thinking_level_change",
        "label",
        "custom",
        "custom_message",
    ]
    rows += [
        {"type": kind, "id": f"k{n}", "parentId": rows[-1]["id"], "timestamp": "2026-06-01T11:00:00Z"}
        for n, kind in enumerate(kinds)
    ]
    facts, items = read_rows(tmp_path, rows, "omp")
    assert not facts.unknown
    assert texts(items) == ["one", "two"]


def test_a_subagent_session_of_oh_my_pi(tmp_path: Path) -> None:
    rows = pi_rows(TURNS)
    rows.insert(
        1,
        {
            "type": "session_init",
            "id": "i",
            "parentId": None,
            "timestamp": "2026-06-01T09:00:00Z",
            "systemPrompt": "x",
            "task": "y",
        },
    )
    assert read_rows(tmp_path, rows, "omp")[0].kind == SessionKind.SUBAGENT


def test_sidecars_of_oh_my_pi_are_no_sessions(tmp_path: Path) -> None:
    root = tmp_path / ".omp" / "agent" / "sessions" / "-project"
    session = omp_session(root / "2026_x.jsonl")
    for name in ("2026_x/out1.jsonl", "2026_x/1.bash.log", "2026_x/out1.md"):
        write_lines(root / name, [{}])
    assert [log.path for log in readers({})["omp"].discover({}, tmp_path)] == [session]


def test_roots_of_pi(tmp_path: Path) -> None:
    home = pi_session(tmp_path / ".pi" / "agent" / "sessions" / "--p--" / "a.jsonl")
    moved = pi_session(tmp_path / "elsewhere" / "sessions" / "--p--" / "b.jsonl")
    flat = pi_session(tmp_path / "flat" / "c.jsonl")
    reader = readers({})["pi"]
    assert [log.path for log in reader.discover({}, tmp_path)] == [home]
    agent = {"PI_CODING_AGENT_DIR": str(tmp_path / "elsewhere")}
    assert [log.path for log in reader.discover(agent, tmp_path)] == [moved]
    direct = agent | {"PI_CODING_AGENT_SESSION_DIR": str(tmp_path / "flat")}
    assert [log.path for log in reader.discover(direct, tmp_path)] == [flat]


def test_stamps_and_channel_metadata_of_openclaw_are_not_the_users_words(tmp_path: Path) -> None:
    metadata = 'Conversation info (untrusted metadata):\n```json\n{"sender":"x"}\n```\n\nbook a table\n[message_id: 7]'
    facts, items = read(openclaw_session(tmp_path / "s.jsonl", [User("hello there"), Assistant("hi"), User(metadata)]))
    assert facts.agent == "openclaw"
    assert texts(items) == ["hello there", "book a table"]
    assert "untrusted metadata" in texts(items, ItemKind.CONTEXT)[0]


@pytest.mark.parametrize(
    "prompt",
    [
        "Read HEARTBEAT.md if it exists. If nothing needs attention, reply HEARTBEAT_OK.",
        "[cron:abc daily] Summarise the news",
        "System: [2026-06-01] Gateway restarted",
        "[Inter-session message] always use tabs",
        "Pre-compaction memory flush. Store durable memories now.",
        "A new session was started via /new or /reset. Greet the user.",
    ],
)
def test_automatic_prompts_of_openclaw_are_not_the_users(tmp_path: Path, prompt: str) -> None:
    _, items = read(openclaw_session(tmp_path / "s.jsonl", [User(prompt), Assistant("HEARTBEAT_OK")]))
    assert texts(items) == []


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        ("agent:main:main", SessionKind.INTERACTIVE),
        ("agent:main:cron:job1", SessionKind.HEADLESS),
        ("hook:mail", SessionKind.HEADLESS),
        ("agent:main:subagent:7", SessionKind.SUBAGENT),
    ],
)
def test_the_session_key_of_openclaw_tells_automation(tmp_path: Path, key: str, kind: SessionKind) -> None:
    path = openclaw_session(tmp_path / "s.jsonl", TURNS)
    (tmp_path / "sessions.json").write_text(json.dumps({key: {"sessionId": PI_ID}}))
    assert read(path)[0].kind == kind


def test_only_heartbeats_make_a_session_of_openclaw_automation(tmp_path: Path) -> None:
    beat = User("Read HEARTBEAT.md if it exists")
    assert read(openclaw_session(tmp_path / "a.jsonl", [beat, Assistant("ok")]))[0].kind == SessionKind.HEADLESS
    mixed = openclaw_session(tmp_path / "b.jsonl", [beat, Assistant("ok"), User("hi")])
    assert read(mixed)[0].kind == SessionKind.INTERACTIVE


def test_discovery_of_openclaw_respects_deletion_and_ignores_copies(tmp_path: Path) -> None:
    root = tmp_path / ".openclaw" / "agents" / "main" / "sessions"
    wanted = ["a.jsonl", "a-topic-7.jsonl", "b.jsonl.reset.2026-06-01T04-00-00.000Z"]
    others = [
        "a.checkpoint.1f.jsonl",
        "a.trajectory.jsonl",
        "a.trajectory-path.json",
        "c.jsonl.deleted.2026-06-01",
        "a.jsonl.full.bak",
        "sessions.json",
    ]
    for name in [*wanted, *others]:
        openclaw_session(root / name)
    assert sorted(log.path.name for log in readers({})["openclaw"].discover({}, tmp_path)) == sorted(wanted)
    legacy = openclaw_session(tmp_path / ".clawdbot" / "agents" / "x" / "sessions" / "d.jsonl")
    assert legacy in {log.path for log in readers({})["openclaw"].discover({}, tmp_path)}


@pytest.mark.parametrize(
    ("builder", "agent"), [(pi_session, "pi"), (omp_session, "omp"), (openclaw_session, "openclaw")]
)
def test_members_of_the_family_are_told_apart_by_content(tmp_path: Path, builder: Any, agent: str) -> None:
    assert reader_for(builder(tmp_path / "any-name.txt"), {}).agent == agent
