"""Write the reference of all commands: `python -m slowwave.cli.reference > docs/commands.md`. A test compares."""

from __future__ import annotations

from collections.abc import Iterator

import click

from slowwave.cli.group import slowwave

WIDTH = 100


def reference() -> str:
    """The whole reference as markdown."""
    lines = [
        "# Commands",
        "",
        "Every command and its `--help`, as the program prints it. `slowwave hook` is for agents and is described in",
        "[agents.md](agents.md). Exit codes: 0 done (a reached budget is no failure), 1 something failed and the",
        "message says what, 2 wrong usage or settings, 3 some of the work failed (`slowwave status` says what, and",
        "what is tried again), 4 the model provider refuses the key, 5 consent is missing, 6 nothing has the name",
        "that was given, 130 interrupted.",
        "",
    ]
    root = click.Context(slowwave, info_name="slowwave", terminal_width=WIDTH, max_content_width=WIDTH)
    for name in slowwave.list_commands(root):
        command = slowwave.get_command(root, name)
        if command is not None:
            lines += _section(command, name, root, 2)
    return "\n".join(lines).rstrip() + "\n"


def _section(command: click.Command, name: str, parent: click.Context, depth: int) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent, terminal_width=WIDTH, max_content_width=WIDTH)
    yield f"{'#' * depth} {context.command_path}"
    yield ""
    yield "```text"
    yield from (line.rstrip() for line in command.get_help(context).split("\n"))
    yield "```"
    yield ""
    if isinstance(command, click.Group):
        for sub in command.list_commands(context):
            inner = command.get_command(context, sub)
            if inner is not None:
                yield from _section(inner, sub, context, depth + 1)


if __name__ == "__main__":
    click.echo(reference(), nl=False)
