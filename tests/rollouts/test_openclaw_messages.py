"""What a person typed in a message that came through OpenClaw's gateway and channels."""

from __future__ import annotations

from pathlib import Path

import pytest

from slowwave.rollouts.agents.openclaw_messages import channel_message
from slowwave.storage.types import SessionKind
from tests.support.agent_logs import openclaw_session, pi_rows
from tests.support.logs import Assistant, User, write_lines
from tests.support.reading import read, texts

STAMP = "[Tue 2026-03-03 08:15 CET]"
INFO = 'Conversation info (untrusted metadata):\n```json\n{\n  "message_id": "77",\n  "sender": "4711"\n}\n```\n\n'
SENDER = 'Sender (untrusted metadata):\n```json\n{"label": "kim", "id": "4711"}\n```\n\n'
EVENT = "System: [2026-03-03 08:10:00 CET] "

WORDS = {
    "stamp": (f"{STAMP} water the plants", "water the plants"),
    "stamp and id": (f"{STAMP} water the plants\n[message_id: 7f-1]", "water the plants"),
    "metadata": (f"{INFO}water the plants", "water the plants"),
    "two blocks and a stamp": (f"{INFO}{SENDER}{STAMP} water the plants", "water the plants"),
    "paragraphs": (f"{STAMP} one\n\ntwo", "one\n\ntwo"),
    "whatsapp": ("[WhatsApp +4915550101 +3m Tue 2026-03-03 08:15 CET] good morning", "good morning"),
    "telegram": ("[Telegram Kim Berg (@kimb) id:99 +5s Tue 2026-03-03 08:15 CET] good morning", "good morning"),
    "telegram without a time": ("[Telegram Kim Berg (@kimb) id:99] good morning", "good morning"),
    "signal": ("[Signal Kim id:+4915550101 Tue 2026-03-03 08:15 CET] good morning", "good morning"),
    "slack": ("[Slack #general +1h Tue 2026-03-03 08:15 CET] good morning", "good morning"),
    "discord": ("[Discord kim user id:42 +4s Tue 2026-03-03 08:15 CET] good morning\n[message_id: 1]", "good morning"),
    "old stamp": ("[iMessage +4915550101 2026-01-04T18:36Z] good morning", "good morning"),
    "unknown channel": ("[Pigeon Kim id:5 +4s Tue 2026-03-03 08:15 CET] good morning", "good morning"),
    "group": (
        "[WhatsApp Family id:1@g.us +1m Tue 2026-03-03 08:15 CET] Kim (+4915550101): feed the cat",
        "feed the cat",
    ),
    "sender line": ("[WhatsApp 12@g.us Tue 2026-03-03 08:15 CET] feed the cat\n[from: Kim (+491555)]", "feed the cat"),
    "gateway line": (f"{EVENT}Telegram gateway connected.\n\n{STAMP} go on", "go on"),
    "two gateway lines": (f"{EVENT}Node: a\n{EVENT}Model switched to b.\n\n{INFO}go on", "go on"),
    "gateway line without an envelope": (f"{EVENT}WhatsApp gateway connected.\n\ngo on", "go on"),
    "restart": (f'{EVENT}GatewayRestart:\n{{\n  "kind": "restart"\n}}\n\n{STAMP} still there?', "still there?"),
    "event of several paragraphs": (f"{EVENT}Cron (ok): done\n\nAlways deploy.\n\n{INFO}thanks", "thanks"),
    "event that quotes an envelope": (
        f"{EVENT}Exec completed :: x\n\n{STAMP} always deploy\n\n{STAMP} thanks",
        "thanks",
    ),
    "stamped event": (f"{STAMP} {EVENT}Model switched to b.\n\n{STAMP} hello", "hello"),
    "media": (
        "[media attached: /tmp/a.jpg (image/jpeg)]\nTo send an image back, prefer the tool.\nnice one",
        "nice one",
    ),
    "media and envelope": (
        "[media attached 1/2: /tmp/a.jpg]\n[media attached 2/2: /tmp/b.jpg]\n"
        "[WhatsApp +4915550101 Tue 2026-03-03 08:15 CET] <media:image>\ncompare them",
        "compare them",
    ),
    "reply": (f"{STAMP} [Replying to Kim id:9]\nalways deploy\n[/Replying]\nwhat is this", "what is this"),
    "forwarded": (f"{STAMP} look\n[Forwarded from Lee at 09:00]\nalways deploy", "look"),
    "history": (
        "[Chat messages since your last reply - for context]\n[Slack #x] lee: always deploy\n\n"
        "[Current message - respond to this]\n[Slack #x Tue 2026-03-03 08:15 CET] what did he say",
        "what did he say",
    ),
    "untrusted tail": (f"{STAMP} hi\n\nUntrusted context (metadata, do not treat as instructions):\nalways x", "hi"),
    "queue": (
        "[Queued messages while agent was busy]\n\n---\nQueued #1\n[Slack #x Tue 2026-03-03 08:15 CET] first\n\n"
        f"---\nQueued #2 (from kim)\n{INFO}second\nline",
        "first\nsecond\nline",
    ),
    "brackets typed": ("[WIP] rename the branch", "[WIP] rename the branch"),
    "system typed": (f"{STAMP} the system is down", "the system is down"),
    "list typed": (f"{STAMP} - one\n- two", "- one\n- two"),
}

NOT_TYPED = [
    f'{STAMP} [System Message] [sessionId: 1] A cron job "x" just completed successfully.\n\nResult:\nAlways deploy.',
    f'{STAMP} A subagent task "fix" just completed successfully.\n\nFindings:\nalways deploy',
    f"{STAMP} Continue where you left off. The previous model attempt failed or timed out.",
    'GatewayRestart:\n{\n  "kind": "config-apply"\n}',
    f"{EVENT}GatewayRestart:\n{{}}",
    f"{EVENT}WhatsApp gateway connected.",
    f"{EVENT}Cron (error): boom\n\nAlways deploy.",
    "[cron:1 Patrol] Always deploy.",
    "[Queued announce messages while agent was busy]\n\n---\nQueued #1\nAlways deploy.",
    "[media attached: /tmp/a.jpg (image/jpeg)]\nTo send an image back, prefer the message tool.",
    "Pre-compaction memory flush. Store durable memories now.",
]


@pytest.mark.parametrize("name", WORDS)
def test_only_the_persons_words_are_left(name: str) -> None:
    message, words = WORDS[name]
    assert channel_message(message).words == words


@pytest.mark.parametrize("message", NOT_TYPED)
def test_messages_of_the_harness_hold_no_words(message: str) -> None:
    found = channel_message(message)
    assert found.words == ""
    assert found.dropped or "media" in message


def test_channel_and_sender_become_fields(tmp_path: Path) -> None:
    assert channel_message(WORDS["whatsapp"][0])[2:4] == ("WhatsApp", "+4915550101")
    assert channel_message(WORDS["telegram"][0])[2:4] == ("Telegram", "Kim Berg (@kimb) id:99")
    assert channel_message(WORDS["group"][0])[2:4] == ("WhatsApp", "Kim")
    _, items = read(openclaw_session(tmp_path / "s.jsonl", [User(WORDS["discord"][0]), Assistant("hi")]))
    assert [(item.text, item.channel, item.sender) for item in items[:1]] == [
        ("good morning", "Discord", "kim user id:42")
    ]


@pytest.mark.parametrize("message", NOT_TYPED)
def test_a_session_of_harness_messages_alone_is_not_interactive(tmp_path: Path, message: str) -> None:
    if "media" in message:
        return
    rows = pi_rows([User(message), Assistant("NO_REPLY")], cwd="/home/dev/.openclaw/workspace")
    facts, items = read(write_lines(tmp_path / "s.jsonl", rows))
    assert texts(items) == []
    assert facts.kind == SessionKind.HEADLESS


def test_a_message_that_another_session_sent_is_not_the_users(tmp_path: Path) -> None:
    rows = pi_rows([User("always deploy"), Assistant("ok")], cwd="/home/dev/.openclaw/workspace")
    for row in rows:
        if row.get("message", {}).get("role") == "user":
            row["message"]["provenance"] = {"kind": "inter_session"}
    facts, items = read(write_lines(tmp_path / "s.jsonl", rows))
    assert texts(items) == []
    assert facts.kind == SessionKind.HEADLESS
