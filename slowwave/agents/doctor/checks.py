"""Whether the memory arrives in an agent: wired, answered in its schema and limits, seen in its newest log."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from slowwave.agents import hosts
from slowwave.agents.doctor.findings import Finding, Level
from slowwave.agents.doctor.wiring import ExaminedAgent, switched_off, wiring
from slowwave.agents.hook.dispatch import PROBE, SWITCH_VARIABLE
from slowwave.agents.hook.index import read_index
from slowwave.agents.hook.settings import events_with_hooks
from slowwave.agents.install import contracts
from slowwave.agents.install.codex_trust import untrusted_hooks
from slowwave.agents.install.commands import executable, hook_command
from slowwave.agents.install.integrations import Way
from slowwave.agents.install.jsonc import parse
from slowwave.agents.install.receipts import Receipt, load_receipt
from slowwave.agents.presence import binary_of, is_present
from slowwave.errors import AgentIntegrationError, RolloutError
from slowwave.paths import HOME_VARIABLE, injection_file
from slowwave.rollouts.identity.places import look
from slowwave.rollouts.identity.projects import project_for
from slowwave.rollouts.readers import readers

SLOW_SHARE = 0.5
LOG_TAIL = 64 * 1024 * 1024
# These agents write what hooks gave them into their session logs; the others keep it in a prompt that is not logged.
LOGS_SHOW_MEMORY = ("claude", "codex", "gemini")
MANAGED_SETTINGS = (
    Path("/etc/claude-code/managed-settings.json"),
    Path("/Library/Application Support/ClaudeCode/managed-settings.json"),
)


def examine(examined: ExaminedAgent) -> Iterator[Finding]:
    """Yield what there is to say about one agent. One that is neither present nor installed into gives nothing."""
    integration = examined.integration
    receipts = [load_receipt(examined.home, examined.agent, place) for place in (examined.user, examined.project)]
    present = is_present(integration, examined.user)
    if not present and not any(receipts):
        return
    where = binary_of(integration, examined.user)
    if where:
        yield examined.finding("installed", Level.OK, f"{integration.title} is at {where}")
    else:
        text = f"{integration.title} has a settings folder, its command is not on the PATH"
        yield examined.finding("installed", Level.INFO, text)
    wired = list(wiring(examined, receipts))
    yield from wired
    if any(finding.level is Level.FAULT for finding in wired) or not any(f.level is Level.OK for f in wired):
        return
    yield from _switches(examined)
    if _way(receipts) is Way.HOOKS:
        yield from _replay(examined, _commands(examined, receipts), receipts[0] is not None)
    yield from _last_time(examined, receipts)


def _way(receipts: list[Receipt | None]) -> Way:
    ways = {receipt.way for receipt in receipts if receipt is not None}
    return Way.MARKDOWN if ways == {Way.MARKDOWN} else Way.HOOKS


def _switches(examined: ExaminedAgent) -> Iterator[Finding]:
    """Settings of the agent that keep hooks from running."""
    for place in (examined.user, examined.project):
        yield from switched_off(examined, place)
    if examined.agent == "claude":
        yield from _managed_only()
    if examined.agent == "codex":
        yield from _codex_trust(examined)


def _managed_only() -> Iterator[Finding]:
    """Claude Code's administrators may allow their own hooks only."""
    for path in MANAGED_SETTINGS:
        try:
            only = parse(path.read_text(encoding="utf-8")).value.get("allowManagedHooksOnly") is True
        except (OSError, UnicodeDecodeError, AgentIntegrationError, AttributeError):
            continue
        if only:
            text = f"{path} allows an administrator's hooks only, so ours do not run"
            todo = "Run `slowwave uninstall claude` and `slowwave install claude --markdown`."
            yield Finding("claude", "switches", Level.FAULT, text, todo)


def _codex_trust(examined: ExaminedAgent) -> Iterator[Finding]:
    binary = binary_of(examined.integration, examined.user)
    if binary is None:
        return
    untrusted = untrusted_hooks(binary, examined.folder, examined.user.env)
    if untrusted is None:
        text = "Codex did not say whether it trusts our hooks; it skips untrusted ones without a word"
        yield examined.finding("trust", Level.WARNING, text, "Look under /hooks in Codex.")
    elif untrusted:
        text = f"Codex skips {len(untrusted)} of our hooks because nobody trusted them yet: {', '.join(untrusted)}"
        yield examined.finding("trust", Level.FAULT, text, "Open Codex, type /hooks and trust them.")
    else:
        yield examined.finding("trust", Level.OK, "Codex trusts our hooks")


def _commands(examined: ExaminedAgent, receipts: list[Receipt | None]) -> dict[str, str]:
    """What the agent would run for each of our events: the command in its settings where it has a hook table."""
    host = hosts.HOSTS[examined.agent]
    commands = {event: hook_command(executable(), event, examined.agent, examined.user.home) for event in host.events}
    settings = examined.integration.settings
    for place, receipt in zip((examined.user, examined.project), receipts, strict=True):
        if receipt is not None and settings is not None:
            found = events_with_hooks(settings(place).read_text(encoding="utf-8"))
            commands |= {event: found[name][0] for event, name in host.events.items() if name in found}
    return commands


def _replay(examined: ExaminedAgent, commands: Mapping[str, str], wired_for_user: bool) -> Iterator[Finding]:
    """Play the agent's own payloads through the installed commands and look at the answers as the agent would."""
    host = hosts.HOSTS[examined.agent]
    env = {**os.environ, **examined.user.env, SWITCH_VARIABLE: PROBE}
    if wired_for_user:
        # The agent may start without the variable of this shell: the line has to name the home itself.
        env.pop(HOME_VARIABLE, None)
    slowest, complaints, context = 0.0, [], ""
    for event, command in commands.items():
        payload = contracts.payload(examined.agent, event, examined.folder)
        started = time.monotonic()
        output = run_hook(command, payload, env)
        slowest = max(slowest, time.monotonic() - started)
        if output is None:
            complaints.append(f"{event}: no answer")
            continue
        complaints += [f"{event}: {problem}" for problem in contracts.problems(examined.agent, event, output)]
        if event == hosts.SESSION_START and not complaints:
            context = contracts.context_of(output)
    if complaints:
        todo = "The reason stands in logs/hooks.log; run `slowwave install` again, or report it."
        yield examined.finding("answers", Level.FAULT, "; ".join(complaints), todo)
        return
    level = Level.OK if slowest < SLOW_SHARE * 5 else Level.WARNING
    todo = "" if level is Level.OK else "The machine is busy or the disk slow: agents give up after five seconds."
    yield examined.finding("answers", level, f"{len(host.events)} events answered, {slowest:.2f} s at most", todo)
    yield _arrival(examined, host, context)


def run_hook(command: str, payload: Mapping[str, object], env: Mapping[str, str]) -> str | None:
    """Run a hook command as an agent does; its output, None when it failed or took over ten seconds."""
    import json

    try:
        done = subprocess.run(
            command, shell=True, input=json.dumps(payload).encode(), capture_output=True, timeout=10, env=env,
            check=False,
        )  # fmt: skip
    except (subprocess.TimeoutExpired, OSError):
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None


def _arrival(examined: ExaminedAgent, host: hosts.Host, context: str) -> Finding:
    """Would the text arrive, and whole?"""
    project = project_for(look(str(examined.folder)), read_index(examined.home).book(), strict=True)
    block = injection_file(examined.home, project.id)
    full = block.read_text(encoding="utf-8") if block.is_file() else ""
    if not context:
        if full:
            text = "there is memory of this project, but the answer carries none"
            return examined.finding("arrives", Level.FAULT, text, "Look into logs/hooks.log.")
        text = f"no memory of {examined.folder} yet, so nothing is injected here"
        return examined.finding("arrives", Level.INFO, text, "Run `slowwave run`, or try another folder.")
    size = hosts.size_of(context, host.unit)
    limit = f" of {host.limit}" if host.limit else ""
    if full and context.strip() != full.strip():
        text = f"{size}{limit} {host.unit} arrive; the rest of the summary is cut because {host.agent} takes no more"
        return examined.finding("arrives", Level.WARNING, text, "Lower memories.summaryInjectionTokenLimit.")
    return examined.finding("arrives", Level.OK, f"the memory would arrive whole: {size}{limit} {host.unit}")


def _last_time(examined: ExaminedAgent, receipts: list[Receipt | None]) -> Iterator[Finding]:
    """Did it arrive in the newest session that is younger than the installation?"""
    if examined.agent not in LOGS_SHOW_MEMORY:
        text = f"{examined.integration.title} does not log its prompt, so its logs cannot tell"
        yield examined.finding("arrived", Level.INFO, text)
        return
    since = min(receipt.at for receipt in receipts if receipt is not None)
    env = dict(examined.user.env)
    try:
        logs = list(readers(env)[examined.agent].discover(env, examined.user.folder))
    except (RolloutError, OSError, KeyError) as error:
        yield examined.finding("arrived", Level.INFO, f"no session log can be read: {error}")
        return
    newest = max(logs, key=lambda log: log.mtime_ns, default=None)
    if newest is None or newest.mtime_ns / 1e9 < since:
        yield examined.finding("arrived", Level.INFO, "no session since the installation yet")
        return
    if _holds_memory(newest.path):
        yield examined.finding("arrived", Level.OK, f"the memory stands in the newest session, {newest.path}")
        return
    text = f"the newest session, {newest.path}, shows no memory"
    yield examined.finding(
        "arrived", Level.WARNING, text, "Normal in a project without memory; else see the checks above."
    )


def _holds_memory(path: Path) -> bool:
    try:
        with path.open("rb") as log:
            return b"slowwave-memory" in log.read(LOG_TAIL)
    except OSError:
        return False
