"""The one way out: everything a command prints goes through here, so that no stored text reaches a terminal as more
than text, and no line breaks inside a word where a terminal is narrow."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence

import click

from slowwave.text.hygiene import for_json, for_terminal

NARROWEST = 40
UNLIMITED = 4000


def width(*, err: bool = False) -> int:
    """Columns that a line may have: those of the terminal, or as many as it likes where the output goes elsewhere."""
    stream = sys.stderr if err else sys.stdout
    if not stream.isatty():
        return UNLIMITED
    return max(NARROWEST, shutil.get_terminal_size().columns)


def say(text: object = "", *, err: bool = False, style: str = "") -> None:
    """Print text for a person, on stderr with `err`: wrapped at words, in a colour where the terminal has any."""
    columns = width(err=err)
    lines = [_wrapped(line, columns) for line in for_terminal(str(text)).split("\n")]
    printed = "\n".join(lines)
    click.echo(click.style(printed, fg=style) if style else printed, err=err)


def verbatim(text: str) -> None:
    """Print the content of something as it is: lines may be longer than the terminal is wide."""
    click.echo(for_terminal(text), nl=not text.endswith("\n"))


def emit(data: object, *, sort_keys: bool = True) -> None:
    """Print a value as JSON."""
    click.echo(for_json(json.dumps(data, indent=2, ensure_ascii=False, sort_keys=sort_keys, default=str)))


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows in columns. The last column takes the rest of the line and wraps at words, the others never break."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    made = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    for heading in headings:
        made.add_column(heading, no_wrap=heading != headings[-1], overflow="fold")
    for row in rows:
        made.add_row(*(Text(for_terminal(str(cell))) for cell in row))
    console = Console(width=width(), highlight=False, force_terminal=sys.stdout.isatty())
    with console.capture() as printed:
        console.print(made)
    click.echo("\n".join(line.rstrip() for line in printed.get().rstrip().split("\n")))


def _wrapped(line: str, columns: int) -> str:
    if len(line) <= columns:
        return line
    indent = line[: len(line) - len(line.lstrip(" -*"))]
    return textwrap.fill(
        line,
        columns,
        subsequent_indent=" " * (len(indent) + 2),
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=True,
        replace_whitespace=False,
        expand_tabs=False,
    )
