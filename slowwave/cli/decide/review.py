"""`slowwave review`: decide what runs held back."""

from __future__ import annotations

from collections.abc import Sequence

import click

from slowwave.app import open_app
from slowwave.cli.common import json_option, locate, project_option, refresh_hooks
from slowwave.cli.output import emit, say
from slowwave.errors import ConfigError
from slowwave.memories.byhand.reviewing import Waiting, apply_waiting, decline_waiting, waiting

REASONS = {
    "too_many_losses": "a run may not lose so many lines at once",
    "written_by_person": "it would end or rewrite a line that you wrote, pinned or remembered",
    "needs_evidence": "nothing newer says that this line has ended",
    "speaks_of_something_else": "its evidence is about something else",
    "reads_as_instruction": "it reads like an instruction, and you are not known to have given it",
    "instruction_nobody_gave": "it reads like an instruction, and you are not known to have given it",
    "instruction_from_tool_output": "it comes from a tool's output and reads like an instruction",
    "instruction_in_situation": "its situation reads like an instruction that you did not give",
    "harmful_unless_said": "it would run somebody else's code, give something away or hide something",
}


@click.group(invoke_without_command=True)
@project_option
@json_option
@click.pass_context
def review(context: click.Context, project: str | None, as_json: bool) -> None:
    """Show and decide what runs held back: changes to your own lines, too many losses at once, doubtful rules.

    \b
    Example:
      slowwave review
      slowwave review apply 3
      slowwave review decline --all
    """
    context.obj = (project, as_json)
    if context.invoked_subcommand is None:
        _list(_waiting(project), as_json)


@review.command("list")
@click.pass_obj
def list_(given: tuple[str | None, bool]) -> None:
    """List what waits."""
    project, as_json = given
    _list(_waiting(project), as_json)


@review.command()
@click.argument("number", type=int)
@click.pass_obj
def show(given: tuple[str | None, bool], number: int) -> None:
    """Show one of them with the words that it rests on."""
    project, as_json = given
    (one,) = _chosen(_waiting(project), (number,), everything=False)
    _list([one], as_json, whole=True)


@review.command()
@click.argument("numbers", type=int, nargs=-1)
@click.option("--all", "everything", is_flag=True, help="All that wait (of the project, with --project).")
@click.pass_obj
def apply(given: tuple[str | None, bool], numbers: tuple[int, ...], everything: bool) -> None:
    """Do what was held back."""
    project, as_json = given
    rows: list[dict[str, object]] = []
    for one in _chosen(_waiting(project), numbers, everything=everything):
        result, fits = apply_waiting(one)
        rows.append({"id": one.id, "done": "applied" if fits else "obsolete", "version": result.version})
        refresh_hooks(one.app)
    _tell(rows, as_json)


@review.command()
@click.argument("numbers", type=int, nargs=-1)
@click.option("--all", "everything", is_flag=True, help="All that wait (of the project, with --project).")
@click.pass_obj
def decline(given: tuple[str | None, bool], numbers: tuple[int, ...], everything: bool) -> None:
    """Leave everything as it is; the same proposal does not come again."""
    project, as_json = given
    rows: list[dict[str, object]] = []
    for one in _chosen(_waiting(project), numbers, everything=everything):
        decline_waiting(one)
        rows.append({"id": one.id, "done": "declined", "version": None})
    _tell(rows, as_json)


def _waiting(project: str | None) -> list[Waiting]:
    return waiting(open_app(), locate(project)[1].id if project else None)


def _chosen(found: Sequence[Waiting], numbers: Sequence[int], *, everything: bool) -> list[Waiting]:
    if everything:
        return list(found)
    if not numbers:
        raise click.UsageError("name what you mean by its number, or give --all")
    chosen = [one for one in found if one.id in numbers]
    if missing := sorted(set(numbers) - {one.id for one in chosen}):
        raise ConfigError(f"{missing[0]} does not wait", hint="`slowwave review` lists what does.")
    return chosen


def _list(found: Sequence[Waiting], as_json: bool, *, whole: bool = False) -> None:
    if as_json:
        emit([_plain(one) for one in found])
        return
    for one in found:
        say(f"{one.id:>4}  {one.project}: {one.lines[0]}")
        for line in one.lines[1:]:
            if whole or not line.startswith("  >"):
                say(f"        {line}")
        say(f"        waits because {REASONS.get(one.reason, one.reason.replace('_', ' '))}")
    if found:
        say("`slowwave review apply ID` does it, `slowwave review decline ID` leaves things as they are")
    else:
        say("nothing waits for you")


def _plain(one: Waiting) -> dict[str, object]:
    return {
        "id": one.id,
        "project": one.project,
        "project_id": one.project_id,
        "operation": one.operation,
        "reason": one.reason,
        "lines": list(one.lines),
        "held_at": one.at,
        "offered": one.offered,
    }


def _tell(rows: Sequence[dict[str, object]], as_json: bool) -> None:
    if as_json:
        emit(rows)
        return
    for row in rows:
        version = f" (version {row['version']})" if row["version"] else ""
        say(f"{row['id']} {row['done']}{version}")
    if not rows:
        say("nothing waits for you")
