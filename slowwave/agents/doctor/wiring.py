"""Whether our part still stands in the agents' settings: the cheap half of the doctor, which other commands ask too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from slowwave.agents import hosts
from slowwave.agents.doctor.findings import Finding, Level
from slowwave.agents.hook.settings import events_with_hooks
from slowwave.agents.install.commands import program_of
from slowwave.agents.install.editors import is_ours
from slowwave.agents.install.integrations import INTEGRATIONS, Integration, Place, Scope, Way
from slowwave.agents.install.jsonc import parse
from slowwave.agents.install.receipts import Receipt, all_receipts
from slowwave.agents.presence import is_present
from slowwave.errors import AgentIntegrationError


@dataclass(frozen=True, slots=True)
class ExaminedAgent:
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


def wiring(examined: ExaminedAgent, receipts: list[Receipt | None]) -> Iterator[Finding]:
    """Is our part there, in full, and does it name a command that exists?"""
    if not any(receipts):
        todo = f"Run `slowwave install {examined.agent}` if you use it."
        yield examined.finding("wired", Level.INFO, "not installed into", todo)
        return
    for place, receipt in zip((examined.user, examined.project), receipts, strict=True):
        if receipt is not None:
            yield from _at(examined, place, receipt)


def _at(examined: ExaminedAgent, place: Place, receipt: Receipt) -> Iterator[Finding]:
    integration, install = examined.integration, f"slowwave install {examined.agent}"
    if receipt.way is Way.MARKDOWN:
        yield _markdown(examined, place)
    elif integration.settings is not None:
        yield _hooks(examined, integration.settings(place), install)
    else:
        yield _files(examined, place, install)


def _markdown(examined: ExaminedAgent, place: Place) -> Finding:
    path = examined.integration.context(place)
    again = f"Run `slowwave install {examined.agent} --markdown` again if you want it."
    if path is None:
        return examined.finding("wired", Level.FAULT, f"{examined.integration.title} has no file for this", again)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        return examined.finding("wired", Level.FAULT, f"{path} cannot be read: {error}", again)
    if "<slowwave-memory" in text:
        return examined.finding("wired", Level.OK, f"the memory stands in {path}")
    if "slowwave:begin" in text or examined.integration.context_is_ours(place):
        return examined.finding("wired", Level.INFO, f"{path} is wired, there is no memory to show yet")
    return examined.finding("wired", Level.FAULT, f"our block is gone from {path}", again)


def _hooks(examined: ExaminedAgent, path: Path, install: str) -> Finding:
    try:
        found = events_with_hooks(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, AgentIntegrationError) as error:
        return examined.finding("wired", Level.FAULT, f"{path}: {error}", f"Correct it, then run `{install}`.")
    missing = sorted(set(hosts.HOSTS[examined.agent].events.values()) - set(found))
    if missing:
        text = f"{path} has no entry of ours for {', '.join(missing)}"
        return examined.finding("wired", Level.FAULT, text, f"Run `{install}` again.")
    programs = {program_of(command) for commands in found.values() for command in commands}
    gone = sorted(program for program in programs if not _runs(program, examined.user.env))
    if gone:
        return examined.finding("wired", Level.FAULT, f"{gone[0]} does not exist", f"Run `{install}` again.")
    return examined.finding("wired", Level.OK, f"hooks for {len(found)} events in {path}")


def _runs(program: str, env: Mapping[str, str]) -> bool:
    import shutil

    return shutil.which(program, path=env.get("PATH")) is not None


def _files(examined: ExaminedAgent, place: Place, install: str) -> Finding:
    wanted = examined.integration.own_files(place)
    for path, content in wanted.items():
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return examined.finding("wired", Level.FAULT, f"{path} is missing", f"Run `{install}` again.")
        if text != content:
            level = Level.WARNING if is_ours(text) else Level.FAULT
            return examined.finding(
                "wired", level, f"{path} is not what this version writes", f"Run `{install}` again."
            )
    return examined.finding("wired", Level.OK, f"{len(wanted)} files in {examined.integration.config(place)}")


def switched_off(examined: ExaminedAgent, place: Place) -> Iterator[Finding]:
    """A setting of the agent at a place that keeps every hook from running."""
    path = examined.integration.settings(place) if examined.integration.settings is not None else None
    if path is None or not path.is_file():
        return
    try:
        value = parse(path.read_text(encoding="utf-8")).value
        off = value.get("disableAllHooks") is True or value.get("hooksConfig", {}).get("enabled") is False
    except (OSError, UnicodeDecodeError, AgentIntegrationError, AttributeError):
        return
    if off:
        yield examined.finding("switches", Level.FAULT, f"hooks are switched off in {path}", "Switch them on there.")


def not_arriving(home: Path, env: Mapping[str, str]) -> tuple[str, ...]:
    """One line for each installation of ours that something took out of an agent's settings since.

    An agent that was removed from the machine, or a repository that is gone, is no complaint. Only files are read.
    """
    try:
        return tuple(line for receipt in all_receipts(home) if (line := _complaint(home, env, receipt)))
    except AgentIntegrationError as error:
        return (f"{error}. {error.hint}",)


def _complaint(home: Path, env: Mapping[str, str], receipt: Receipt) -> str:
    integration = INTEGRATIONS.get(receipt.agent)
    place = Place(receipt.scope, Path(receipt.folder), env)
    if integration is None or not place.folder.is_dir() or not is_present(integration, user_place(env)):
        return ""
    if receipt.scope is Scope.USER and place.folder != user_place(env).folder:
        # Installed for another home folder, whose variables this command does not know.
        return ""
    examined = ExaminedAgent(integration, place, place, home, place.folder)
    found = [*_at(examined, place, receipt), *(switched_off(examined, place) if receipt.way is Way.HOOKS else ())]
    fault = next((finding for finding in found if finding.level is Level.FAULT), None)
    if fault is None:
        return ""
    again = f"slowwave install {receipt.agent}"
    again += " --project" * (receipt.scope is Scope.PROJECT) + " --markdown" * (receipt.way is Way.MARKDOWN)
    where = f" in {place.folder}" if receipt.scope is Scope.PROJECT else ""
    todo = fault.todo if fault.check == "switches" else f"`{again}`{where} puts it back"
    return f"{integration.title}: memory does not arrive: {fault.text}; {todo}"


def user_place(env: Mapping[str, str]) -> Place:
    """The home folder of the person who runs the command."""
    return Place(Scope.USER, Path(env.get("HOME") or Path.home()), env)
