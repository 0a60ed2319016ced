"""Whether the memory arrives in an agent: wired, answered in its schema and limits, seen in its newest log."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from slowwave.agents import hosts
from slowwave.agents.doctor.findings import Finding, Level
from slowwave.agents.hook.dispatch import PROBE, SWITCH_VARIABLE
from slowwave.agents.hook.index import read_index
from slowwave.agents.hook.settings import events_with_hooks
from slowwave.agents.install import contracts
from slowwave.agents.install.codex_trust import untrusted_hooks
from slowwave.agents.install.commands import executable, hook_command, program_of
from slowwave.agents.install.editors import is_ours
from slowwave.agents.install.integrations import Integration, Place, Scope, Way
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


@dataclass(frozen=True, slots=True)
class Patient:
    """One agent as the doctor sees it. `folder` is the project folder that the checks play in."""

    integration: Integration
    user: Place
    project: Place
    home: Path
    folder: Path

    @property
    def agent(self) -> str:
        """The agent's id."""
        return self.integration.agent

    def finding(self, check: str, level: Level, text: str, todo: str = "") -> Finding:
        """A finding about this agent."""
        return Finding(self.agent, check, level, text, todo)


def examine(patient: Patient) -> Iterator[Finding]:
    """Yield what there is to say about one agent. One that is neither present nor installed into gives nothing."""
    integration = patient.integration
    receipts = [load_receipt(patient.home, patient.agent, place) for place in (patient.user, patient.project)]
    present = is_present(integration, patient.user)
    if not present and not any(receipts):
        return
    where = binary_of(integration, patient.user)
    if where:
        yield patient.finding("installed", Level.OK, f"{integration.title} is at {where}")
    else:
        text = f"{integration.title} has a settings folder, its command is not on the PATH"
        yield patient.finding("installed", Level.INFO, text)
    wired = list(_wiring(patient, receipts))
    yield from wired
    if any(finding.level is Level.FAULT for finding in wired) or not any(f.level is Level.OK for f in wired):
        return
    yield from _switches(patient)
    if _way(receipts) is Way.HOOKS:
        yield from _replay(patient, _commands(patient, receipts), receipts[0] is not None)
    yield from _last_time(patient, receipts)


def _way(receipts: list[Receipt | None]) -> Way:
    ways = {receipt.way for receipt in receipts if receipt is not None}
    return Way.MARKDOWN if ways == {Way.MARKDOWN} else Way.HOOKS


def _wiring(patient: Patient, receipts: list[Receipt | None]) -> Iterator[Finding]:
    """Is our part there, in full, and does it name a command that exists?"""
    integration = patient.integration
    install = f"slowwave install {patient.agent}"
    if not any(receipts):
        yield patient.finding("wired", Level.INFO, "not installed into", f"Run `{install}` if you use it.")
        return
    for place, receipt in zip((patient.user, patient.project), receipts, strict=True):
        if receipt is None:
            continue
        if receipt.way is Way.MARKDOWN:
            yield _markdown(patient, place)
        elif integration.settings is not None:
            yield _hooks(patient, integration.settings(place), install)
        else:
            yield _files(patient, place, install)


def _markdown(patient: Patient, place: Place) -> Finding:
    path = patient.integration.context(place)
    again = f"Run `slowwave install {patient.agent} --markdown` again if you want it."
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        return patient.finding("wired", Level.FAULT, f"{path} cannot be read: {error}", again)
    if "<slowwave-memory" in text:
        return patient.finding("wired", Level.OK, f"the memory stands in {path}")
    if "slowwave:begin" in text or patient.integration.context_is_ours(place):
        return patient.finding("wired", Level.INFO, f"{path} is wired, there is no memory to show yet")
    return patient.finding("wired", Level.FAULT, f"our block is gone from {path}", again)


def _hooks(patient: Patient, path: Path, install: str) -> Finding:
    try:
        found = events_with_hooks(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, AgentIntegrationError) as error:
        return patient.finding("wired", Level.FAULT, f"{path}: {error}", f"Correct it, then run `{install}`.")
    missing = sorted(set(hosts.HOSTS[patient.agent].events.values()) - set(found))
    if missing:
        text = f"{path} has no entry of ours for {', '.join(missing)}"
        return patient.finding("wired", Level.FAULT, text, f"Run `{install}` again.")
    programs = {program_of(command) for commands in found.values() for command in commands}
    gone = sorted(program for program in programs if not _runs(program, patient.user.env))
    if gone:
        return patient.finding("wired", Level.FAULT, f"{gone[0]} does not exist", f"Run `{install}` again.")
    return patient.finding("wired", Level.OK, f"hooks for {len(found)} events in {path}")


def _runs(program: str, env: Mapping[str, str]) -> bool:
    import shutil

    return shutil.which(program, path=env.get("PATH")) is not None


def _files(patient: Patient, place: Place, install: str) -> Finding:
    wanted = patient.integration.own_files(place)
    for path, content in wanted.items():
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return patient.finding("wired", Level.FAULT, f"{path} is missing", f"Run `{install}` again.")
        if text != content:
            level = Level.WARNING if is_ours(text) else Level.FAULT
            return patient.finding("wired", level, f"{path} is not what this version writes", f"Run `{install}` again.")
    return patient.finding("wired", Level.OK, f"{len(wanted)} files in {patient.integration.config(place)}")


def _switches(patient: Patient) -> Iterator[Finding]:
    """Settings of the agent that keep hooks from running."""
    integration = patient.integration
    for place in (patient.user, patient.project):
        path = integration.settings(place) if integration.settings is not None else None
        if path is None or not path.is_file():
            continue
        try:
            value = parse(path.read_text(encoding="utf-8")).value
        except (OSError, UnicodeDecodeError, AgentIntegrationError):
            continue
        off = value.get("disableAllHooks") is True or value.get("hooksConfig", {}).get("enabled") is False
        if off:
            yield patient.finding("switches", Level.FAULT, f"hooks are switched off in {path}", "Switch them on there.")
    if patient.agent == "claude":
        yield from _managed_only()
    if patient.agent == "codex":
        yield from _codex_trust(patient)


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


def _codex_trust(patient: Patient) -> Iterator[Finding]:
    binary = binary_of(patient.integration, patient.user)
    if binary is None:
        return
    untrusted = untrusted_hooks(binary, patient.folder, patient.user.env)
    if untrusted is None:
        text = "Codex did not say whether it trusts our hooks; it skips untrusted ones without a word"
        yield patient.finding("trust", Level.WARNING, text, "Look under /hooks in Codex.")
    elif untrusted:
        text = f"Codex skips {len(untrusted)} of our hooks because nobody trusted them yet: {', '.join(untrusted)}"
        yield patient.finding("trust", Level.FAULT, text, "Open Codex, type /hooks and trust them.")
    else:
        yield patient.finding("trust", Level.OK, "Codex trusts our hooks")


def _commands(patient: Patient, receipts: list[Receipt | None]) -> dict[str, str]:
    """What the agent would run for each of our events: the command in its settings where it has a hook table."""
    host = hosts.HOSTS[patient.agent]
    commands = {event: hook_command(executable(), event, patient.agent, patient.user.home) for event in host.events}
    settings = patient.integration.settings
    for place, receipt in zip((patient.user, patient.project), receipts, strict=True):
        if receipt is not None and settings is not None:
            found = events_with_hooks(settings(place).read_text(encoding="utf-8"))
            commands |= {event: found[name][0] for event, name in host.events.items() if name in found}
    return commands


def _replay(patient: Patient, commands: Mapping[str, str], wired_for_user: bool) -> Iterator[Finding]:
    """Play the agent's own payloads through the installed commands and look at the answers as the agent would."""
    host = hosts.HOSTS[patient.agent]
    env = {**os.environ, **patient.user.env, SWITCH_VARIABLE: PROBE}
    if wired_for_user:
        # The agent may start without the variable of this shell: the line has to name the home itself.
        env.pop(HOME_VARIABLE, None)
    slowest, complaints, context = 0.0, [], ""
    for event, command in commands.items():
        payload = contracts.payload(patient.agent, event, patient.folder)
        started = time.monotonic()
        output = run_hook(command, payload, env)
        slowest = max(slowest, time.monotonic() - started)
        if output is None:
            complaints.append(f"{event}: no answer")
            continue
        complaints += [f"{event}: {problem}" for problem in contracts.problems(patient.agent, event, output)]
        if event == hosts.SESSION_START and not complaints:
            context = contracts.context_of(output)
    if complaints:
        todo = "The reason stands in logs/hooks.log; run `slowwave install` again, or report it."
        yield patient.finding("answers", Level.FAULT, "; ".join(complaints), todo)
        return
    level = Level.OK if slowest < SLOW_SHARE * 5 else Level.WARNING
    todo = "" if level is Level.OK else "The machine is busy or the disk slow: agents give up after five seconds."
    yield patient.finding("answers", level, f"{len(host.events)} events answered, {slowest:.2f} s at most", todo)
    yield _arrival(patient, host, context)


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


def _arrival(patient: Patient, host: hosts.Host, context: str) -> Finding:
    """Would the text arrive, and whole?"""
    project = project_for(look(str(patient.folder)), read_index(patient.home).book(), strict=True)
    block = injection_file(patient.home, project.id)
    full = block.read_text(encoding="utf-8") if block.is_file() else ""
    if not context:
        if full:
            text = "there is memory of this project, but the answer carries none"
            return patient.finding("arrives", Level.FAULT, text, "Look into logs/hooks.log.")
        text = f"no memory of {patient.folder} yet, so nothing is injected here"
        return patient.finding("arrives", Level.INFO, text, "Run `slowwave run`, or try another folder.")
    size = hosts.size_of(context, host.unit)
    limit = f" of {host.limit}" if host.limit else ""
    if full and context.strip() != full.strip():
        text = f"{size}{limit} {host.unit} arrive; the rest of the summary is cut because {host.agent} takes no more"
        return patient.finding("arrives", Level.WARNING, text, "Lower memories.summaryInjectionTokenLimit.")
    return patient.finding("arrives", Level.OK, f"the memory would arrive whole: {size}{limit} {host.unit}")


def _last_time(patient: Patient, receipts: list[Receipt | None]) -> Iterator[Finding]:
    """Did it arrive in the newest session that is younger than the installation?"""
    if patient.agent not in LOGS_SHOW_MEMORY:
        text = f"{patient.integration.title} does not log its prompt, so its logs cannot tell"
        yield patient.finding("arrived", Level.INFO, text)
        return
    since = min(receipt.at for receipt in receipts if receipt is not None)
    env = dict(patient.user.env)
    try:
        logs = list(readers(env)[patient.agent].discover(env, patient.user.folder))
    except (RolloutError, OSError, KeyError) as error:
        yield patient.finding("arrived", Level.INFO, f"no session log can be read: {error}")
        return
    newest = max(logs, key=lambda log: log.mtime_ns, default=None)
    if newest is None or newest.mtime_ns / 1e9 < since:
        yield patient.finding("arrived", Level.INFO, "no session since the installation yet")
        return
    if _holds_memory(newest.path):
        yield patient.finding("arrived", Level.OK, f"the memory stands in the newest session, {newest.path}")
        return
    text = f"the newest session, {newest.path}, shows no memory"
    yield patient.finding(
        "arrived", Level.WARNING, text, "Normal in a project without memory; else see the checks above."
    )


def _holds_memory(path: Path) -> bool:
    try:
        with path.open("rb") as log:
            return b"slowwave-memory" in log.read(LOG_TAIL)
    except OSError:
        return False


def user_place(env: Mapping[str, str]) -> Place:
    """The home folder of the person who runs the command."""
    return Place(Scope.USER, Path(env.get("HOME") or Path.home()), env)
