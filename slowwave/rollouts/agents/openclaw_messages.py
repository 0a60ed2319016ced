"""What OpenClaw puts around a person's words on their way from a channel into the log.

A user message of this agent may hold, in any mixture: lines of the gateway (`System: [...]`), blocks of metadata, an
envelope with channel, sender and time, a queue of several messages, media with hints on how to answer, quoted and
forwarded messages. None of it was typed. Sender and channel become fields; ids and numbers never stand in the text.
Format as written by builds of 2026-01 to 2026-09.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?(?: [^\]\n]{1,40})?"
_STAMP = re.compile(rf"\[{_DAY}\][ \t]*")
_CHANNELS = (
    "WhatsApp|Telegram|Discord|Slack|Signal|iMessage|BlueBubbles|Google ?Chat|MS ?Teams|Microsoft Teams|Teams|Matrix|LINE|Line|Zalo|"
    "Nostr|WebChat|Mattermost|Feishu|Lark|IRC|Twitch|Nextcloud Talk|Tlon|Email|SMS|QQ|WeChat|WeCom|DingTalk|Webchat|Voice|XMPP|Rocket\\.?Chat"
)
_ENVELOPE = re.compile(
    rf"\[(?:(?P<known>{_CHANNELS})(?: (?P<from>[^\]\n]{{1,200}}))?"
    rf"|(?P<other>[A-Z][\w ]{{1,24}}?) (?P<sender>[^\]\n]{{1,200}}?) (?:\+\d+[smhd] )?(?:{_DAY}|\d{{4}}-\d\d-\d\dT[\d:]+Z?))\][ \t]*"
)
_ENVELOPE_TAIL = re.compile(rf"\s*(?:\+\d+[smhd]\b)?\s*(?:{_DAY}|\d{{4}}-\d\d-\d\dT[\d:.]+Z?)?$")
_METADATA = re.compile(
    r"(?:Conversation info|Sender|Thread starter|Replied message|Forwarded message context|Chat history since last reply|"
    r"Untrusted context|Group|Location|Inbound context)[^\n]{0,200}\((?:untrusted|metadata)[^\n]{0,200}\):?\s*```(?:json)?\n.*?\n```\s*",
    re.DOTALL,
)
_UNTRUSTED_TAIL = re.compile(r"^Untrusted context \(metadata[^\n]*\):.*\Z", re.DOTALL | re.MULTILINE)
_MARKER = re.compile(
    rf"^(?:\[{_DAY}\]|\[(?:{_CHANNELS})\b[^\]\n]*\]|(?:Conversation info|Sender)[^\n]{{0,100}}\(untrusted)",
    re.MULTILINE,
)
_SYSTEM = re.compile(r"System(?: \(untrusted\))?: \[\d{4}-\d\d-\d\d[^\]\n]*\][ \t]*(?P<event>[^\n]*)(?:\n|\Z)")
_ONE_LINE_EVENTS = re.compile(
    r"\w[\w -]{0,40} (?:gateway )?(?:(?:dis)?connected|reconnected|started|stopped|paired)\b|Model (?:switched|reset)|Exec (?:completed|failed|finished|started)|"
    r"Node\b|Reaction |Config\b|Thinking |Verbose |Session\b|Slack message edited|.{0,40}\breact(?:ed|ion)\b"
)
_QUEUE = re.compile(r"\[Queued messages? while agent was busy\]\s*")
_QUEUED = re.compile(r"^(?:---\n)?Queued #\d+[^\n]*\n", re.MULTILINE)
_CURRENT = re.compile(r"^\[Current message - respond to this\]\s*", re.MULTILINE)
_REPLY = re.compile(r"\[Reply(?:ing)? (?:to|chain)[^\]\n]*\]\n?.*?\n?\[/Reply[^\]\n]*\]\s*", re.DOTALL)
_FORWARDED = re.compile(r"^\[Forwarded from[^\]\n]*\].*\Z", re.DOTALL | re.MULTILINE)
_NOISE = re.compile(
    r"^[ \t]*(?:\[message_id: [^\]\n]*\]|\[from: (?P<from>[^\]\n]*)\]|\[media attached[^\]\n]*\]|<media:[\w:-]+>(?: \([^)\n]*\))?|"
    r"\[(?:Image|Audio|Video|Document|Sticker)\]|To send an? (?:image|file|media|audio|video|attachment)s? back, [^\n]*|"
    r"(?:Description|User text|Transcript):[ \t]*)[ \t]*$\n?",
    re.MULTILINE,
)
_SPEAKER = re.compile(r"(?P<name>[^\n:\[\]]{1,40}) \((?:\+\d|@|id:)[^)\n]*\): ")
_HARNESS = (
    ("[System Message]", "system_event"),
    ("System: [", "system_event"),
    ("Read HEARTBEAT.md", "heartbeat"),
    ("HEARTBEAT", "heartbeat"),
    ("NO_REPLY", "heartbeat"),
    ("[cron:", "cron"),
    ("A cron job ", "cron"),
    ("A scheduled ", "cron"),
    ("[Scheduled ", "cron"),
    ("A completed ", "inter_session"),
    ("A subagent task", "inter_session"),
    ("A background task", "inter_session"),
    ("[Inter-session message]", "inter_session"),
    ("[Queued announce messages", "inter_session"),
    ("[Subagent ", "inter_session"),
    ("Agent-to-agent", "inter_session"),
    ("Pre-compaction memory flush", "memory_flush"),
    ("A new session was started via /new or /reset", "boot"),
    ("You are running a boot check", "boot"),
    ("GatewayRestart:", "system_event"),
    ("Continue where you left off", "resumed"),
    ("The previous agent run ", "resumed"),
    ("The previous model attempt ", "resumed"),
    ("[Your previous response ", "resumed"),
    ("[Post-compaction ", "runtime_context"),
    ("OpenClaw runtime context", "runtime_context"),
    ("<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>", "runtime_context"),
)
AUTOMATIC = frozenset({*(reason for _, reason in _HARNESS), "provenance"})
"""Reasons for which a message of the harness is left out."""


class ChannelMessage(NamedTuple):
    """A user message taken apart: the person's words, what stood around them, where it came from, and why text of the
    harness was left out."""

    words: str
    context: str = ""
    channel: str | None = None
    sender: str | None = None
    dropped: tuple[str, ...] = ()


def channel_message(text: str) -> ChannelMessage:
    """Take a user message apart."""
    text = text.replace("\r\n", "\n").strip()
    if (stamp := _STAMP.match(text)) and _SYSTEM.match(text, stamp.end()):
        text = text[stamp.end() :]
    text, events = _without_events(text)
    if queue := _QUEUE.match(text):
        return _queued(text[queue.end() :], events)
    found = _one(text)
    return found._replace(dropped=(*events, *found.dropped))


def _queued(text: str, events: tuple[str, ...]) -> ChannelMessage:
    parts = [_one(part.strip().removesuffix("---").strip()) for part in _QUEUED.split(text) if part.strip(" \n-")]
    return ChannelMessage(
        "\n".join(part.words for part in parts if part.words),
        "\n".join(part.context for part in parts if part.context),
        next((part.channel for part in parts if part.channel), None),
        next((part.sender for part in parts if part.sender), None),
        (*events, *(reason for part in parts for reason in part.dropped)),
    )


def _without_events(text: str) -> tuple[str, tuple[str, ...]]:
    """Take off the gateway's lines in front. Where an envelope or metadata follows, the last one heads the person's
    words, whatever the events quote; without one, only events known to be one line long can have words behind them."""
    if not _SYSTEM.match(text):
        return text, ()
    marks = list(_MARKER.finditer(text))
    if marks:
        return text[_first_of_last_run(text, marks) :], ("system_event",)
    position = 0
    while found := _SYSTEM.match(text, position):
        if not _ONE_LINE_EVENTS.match(found["event"]):
            return "", ("system_event",)
        position = found.end()
    return text[position:].strip(), ("system_event",)


def _first_of_last_run(text: str, marks: list[re.Match[str]]) -> int:
    """Where the last run of adjacent metadata blocks and envelopes begins."""
    start = marks[-1].start()
    for mark in reversed(marks[:-1]):
        block = _METADATA.match(text, mark.start()) or _STAMP.match(text, mark.start())
        if block is None or text[block.end() : start].strip():
            break
        start = mark.start()
    return start


def _one(text: str) -> ChannelMessage:
    context: list[str] = []
    channel = sender = None
    while True:
        if found := _NOISE.match(text):
            sender = found["from"] or sender
        elif found := _METADATA.match(text):
            context.append(found.group().strip())
        elif found := _ENVELOPE.match(text):
            channel = found["known"] or found["other"] or channel
            sender = _ENVELOPE_TAIL.sub("", found["from"] or found["sender"] or "").strip() or sender
        elif found := (_STAMP.match(text) or _REPLY.match(text)):
            pass
        else:
            break
        text = text[found.end() :].lstrip()
    if current := list(_CURRENT.finditer(text)):
        context.append(text[: current[-1].start()].strip())
        inner = _one(text[current[-1].end() :])
        return inner._replace(context="\n".join(filter(None, (*context, inner.context))))
    for pattern in (_UNTRUSTED_TAIL, _FORWARDED):
        if found := pattern.search(text):
            context.append(found.group().strip())
            text = text[: found.start()]
    for note in _NOISE.finditer(text):
        sender = note["from"] or sender
    text = _REPLY.sub("", _NOISE.sub("", text)).strip()
    if channel and (speaker := _SPEAKER.match(text)):
        sender, text = speaker["name"], text[speaker.end() :]
    reason = next((reason for prefix, reason in _HARNESS if text.startswith(prefix)), None)
    if reason:
        return ChannelMessage("", dropped=(reason,))
    return ChannelMessage(text, "\n".join(context), channel, sender)
