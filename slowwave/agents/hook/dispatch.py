"""`slowwave hook EVENT --agent AGENT`: answers one hook call of an agent, fast, and never gets in its way.

Reads the agent's JSON on stdin (bounded in size and time), prints one answer in that agent's own schema and returns 0
whatever happens; what went wrong goes to `logs/hooks.log`, never to the agent. Standard library and our light modules
only: this process starts on every turn of a session. What it injects was compiled at publish
(`slowwave.agents.compile`).
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from slowwave.agents import hosts
from slowwave.agents.hook.block import session_block
from slowwave.agents.hook.index import HookIndex, notice, read_index
from slowwave.paths import hook_log_file, slowwave_home
from slowwave.private import append_private, make_private_folder, replace_private

SWITCH_VARIABLE = "SLOWWAVE_HOOKS"
OFF = ("off", "0", "false")
PROBE = "probe"
MAX_INPUT = 8 * 1024 * 1024
MAX_LOG = 1024 * 1024
FOLLOW_SECONDS = 15 * 60
# Shorter than the time-outs that `slowwave install` asks the agents for.
TIME_LIMITS = {hosts.SESSION_START: 5.0, hosts.SESSION_END: 1.2}
TIME_LIMIT = 2.0


class HookTimeout(BaseException):
    """The call took too long. Not an `Exception`, so that no handler on the way keeps it."""


class Call(NamedTuple):
    """One call: which event of which agent, its payload, and where we keep things. A `probe` (`slowwave doctor`) is
    answered like any other and leaves no trace."""

    event: str
    host: hosts.Host
    payload: Mapping[str, Any]
    home: Path
    probe: bool = False

    def text(self, key: str) -> str:
        """A string field of the payload, empty where it is absent or of another type."""
        value = self.payload.get(key)
        return value if isinstance(value, str) else ""


class Answer(NamedTuple):
    """What the agent is told: `context` for the model, `message` for the person."""

    context: str = ""
    message: str = ""


def main(argv: Sequence[str]) -> int:
    """Answer one hook call. Always returns 0."""
    event, agent = _arguments(argv)
    home = slowwave_home()
    host = hosts.HOSTS.get(agent)
    output = host.silence if host else ""
    try:
        if host is None or not host.answers(event):
            raise ValueError(f"no event {event!r} of agent {agent!r}")
        switch = os.environ.get(SWITCH_VARIABLE, "").lower()
        if switch not in OFF:
            with _time_limit(TIME_LIMITS.get(event, TIME_LIMIT)):
                call = Call(event, host, hosts.in_our_words(_payload()), home, probe=switch == PROBE)
                output = _output(call)
    except (Exception, HookTimeout) as error:  # noqa: BLE001 - a hook must never fail its agent; the reason is logged
        log(home, event, agent, f"{type(error).__name__}: {error}")
    _write(output)
    return 0


def _arguments(argv: Sequence[str]) -> tuple[str, str]:
    """Event and agent; `--agent X` and `--agent=X` are both understood."""
    event, agent = "", ""
    rest = list(argv)
    while rest:
        word = rest.pop(0)
        if word == "--agent":
            agent = rest.pop(0) if rest else ""
        elif word.startswith("--agent="):
            agent = word.partition("=")[2]
        elif not word.startswith("-") and not event:
            event = word
    return event, agent


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise `HookTimeout` inside the block after so many seconds; without a timer the agent's own limit holds."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def expire(signum: int, frame: object) -> None:
        raise HookTimeout(f"over {seconds} s")

    previous = signal.signal(signal.SIGALRM, expire)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def _payload() -> Mapping[str, Any]:
    """The agent's JSON object; nothing on stdin counts as an empty one."""
    if sys.stdin is None or sys.stdin.isatty():
        return {}
    raw = sys.stdin.buffer.read(MAX_INPUT + 1)
    if len(raw) > MAX_INPUT:
        raise ValueError(f"more than {MAX_INPUT} bytes on stdin")
    if not raw.strip():
        return {}
    payload = json.loads(raw.decode("utf-8-sig", "replace"))
    if not isinstance(payload, dict):
        raise ValueError("stdin holds no JSON object")
    return payload


def _output(call: Call) -> str:
    """What is printed: the answer in the agent's schema, or the plain text of its status line."""
    if call.event == hosts.STATUS_LINE:
        return _status_line(call)
    return encode(call.host, call.event, answer(call))


def _status_line(call: Call) -> str:
    """What the memory of the session is doing, empty when there is nothing to say."""
    session = call.text("session_id")
    if not session:
        return ""
    from slowwave.session.hosts.status import status_line

    return status_line(call.home, agent=call.host.agent, session_id=session, now=time.time())


def answer(call: Call) -> Answer:
    """Decide what one call is told."""
    index = read_index(call.home)
    project = project_of(call.text("cwd") or _working_folder(), index)
    if project is not None and index.projects.get(project, {}).get("excluded"):
        return Answer()
    if call.event == hosts.SESSION_START:
        return _session_start(call, index, project)
    return Answer(_session_layer(call, index, project))


def _working_folder() -> str:
    try:
        return str(Path.cwd())
    except OSError:
        return ""


def project_of(cwd: str, index: HookIndex) -> str | None:
    """Id of the project that a folder belongs to; worktrees belong to their repository. None without a folder."""
    if not cwd:
        return None
    from slowwave.rollouts.identity.places import look
    from slowwave.rollouts.identity.projects import project_for

    return project_for(look(cwd), index.book(), strict=True).id


def _session_start(call: Call, index: HookIndex, project: str | None) -> Answer:
    source = call.text("source") or "startup"
    block = session_block(call.home, index, project, partial(log, call.home, call.event, call.host.agent))
    # A new session has nothing pinned yet and its first prompt opens its record; the layers would double the time.
    layer = "" if source == "startup" else _session_layer(call, index, project)
    session = call.text("session_id")
    if block and source == "resume" and _seen(call.home, call.host.agent, session) == _version_of(block):
        # The transcript that is resumed holds this very block already.
        block = ""
    context = _with_layer(call.host, block, layer)
    if block and not call.probe:
        try:
            _remember(call, session, project, block)
        except OSError as error:
            log(call.home, call.event, call.host.agent, f"noting the injection: {error}")
    if not call.probe and any(facts.get("shared") for facts in index.projects.values()):
        try:
            _follow_team(call.home, time.time())
        except OSError as error:
            log(call.home, call.event, call.host.agent, f"looking for what the team published: {error}")
    message = notice(index, time.time()) if source == "startup" else None
    return Answer(context, message or "")


def _follow_team(home: Path, now: float) -> None:
    """Let another process look for what the team published, unless one was asked to a short while ago.

    This session is given what lies here; nothing on a hook's way waits for a network.
    """
    asked = home / "hooks" / "followed"
    try:
        if 0 <= now - asked.stat().st_mtime < FOLLOW_SECONDS:
            return
    except FileNotFoundError:
        pass
    from slowwave.session.hosts.detached import start_worker

    replace_private(asked, b"", durable=False)
    start_worker(home, "slowwave.agents.follower")


def _with_layer(host: hosts.Host, block: str, layer: str) -> str:
    """Block and in-session text together within the agent's limit; the block gives way, by whole entries."""
    joined = f"{block}\n{layer}".strip("\n") if block and layer else (block or layer)
    if hosts.fits(joined, host):
        return joined
    from slowwave.memories.reading.read_path import cut_block

    tail = f"\n{layer}" if layer else ""
    shorter = cut_block(block, lambda text: hosts.fits(text + tail, host))
    return (shorter + tail).strip("\n")


def _session_layer(call: Call, index: HookIndex, project: str | None) -> str:
    """What the in-session layers have to say at this event; a failure there is logged and costs nothing else."""
    if call.probe:
        return ""
    try:
        from slowwave.agents.hook.layers import layer_text

        text = layer_text(call, index, project)
        if not hosts.fits(text, call.host):
            raise ValueError(f"{len(text)} characters are over the agent's limit")
    except (Exception, HookTimeout) as error:  # noqa: BLE001 - the memory block arrives even when these fail; logged
        log(call.home, call.event, call.host.agent, f"session layer: {type(error).__name__}: {error}")
        return ""
    return text


def encode(host: hosts.Host, event: str, told: Answer) -> str:
    """Return the answer in the agent's schema; strict agents refuse unknown keys, so nothing else is ever added."""
    context = told.context if event in host.injecting else ""
    if not context and not told.message:
        return host.silence
    fields: dict[str, Any] = {}
    if host.wire == "extension":
        fields |= {"context": context} if context else {}
        fields |= {"notice": told.message} if told.message else {}
    elif host.wire == "flat":
        fields |= {host.context_key: context} if context else {}
    else:
        if context:
            fields["hookSpecificOutput"] = {"hookEventName": host.events[event], "additionalContext": context}
        if told.message:
            fields["systemMessage"] = told.message
    return json.dumps(fields, ensure_ascii=True)


def _write(output: str) -> None:
    try:
        sys.stdout.write(output)
        sys.stdout.flush()
    except OSError:
        # The agent closed the pipe. Python would complain again at exit, so stdout is pointed at nothing.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _version_of(block: str) -> str:
    return block.partition('version="')[2].partition('"')[0]


def _seen_file(home: Path, agent: str, session: str) -> Path:
    import hashlib

    digest = hashlib.sha256(f"{agent}\0{session}".encode("utf-8", "replace")).hexdigest()[:32]
    return home / "hooks" / "seen" / digest


def _seen(home: Path, agent: str, session: str) -> str | None:
    """Version of the block that this session was given last."""
    try:
        return _seen_file(home, agent, session).read_text(encoding="utf-8")
    except OSError:
        return None


def _remember(call: Call, session: str, project: str | None, block: str) -> None:
    """Note what this session was given: for a resume, and for the count of injected entries."""
    from slowwave.memories.reading.read_path import entry_numbers

    version = _version_of(block)
    if session:
        seen = _seen_file(call.home, call.host.agent, session)
        make_private_folder(seen.parent)
        replace_private(seen, version.encode(), durable=False)
    record = {"at": round(time.time(), 3), "project": project, "version": version, "entries": entry_numbers(block)}
    append_private(call.home / "hooks" / "injected.jsonl", f"{json.dumps(record)}\n".encode())


def log(home: Path, event: str, agent: str, reason: str) -> None:
    """Append one line to `logs/hooks.log` (at most 1 MB, one old file kept). It names reasons, never payload text."""
    path = hook_log_file(home)
    record = {"at": round(time.time(), 3), "event": event[:40], "agent": agent[:40], "reason": reason[:500]}
    try:
        make_private_folder(path.parent)
        if path.exists() and path.stat().st_size > MAX_LOG:
            path.replace(path.with_suffix(".log.1"))
        append_private(path, f"{json.dumps(record)}\n".encode())
    except OSError:
        # Nowhere is left to write to; stderr of a hook with exit code 0 is seen only in the agent's debug output.
        print(f"slowwave hook: {reason}", file=sys.stderr)
