"""The one way out: everything a command prints goes through here, so that no stored text reaches a terminal as more
than text."""

from __future__ import annotations

import json

import click

from slowwave.text.hygiene import for_json, for_terminal


def say(text: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print text for a person, on stderr with `err`."""
    click.echo(for_terminal(str(text)), err=err, nl=nl)


def emit(data: object, *, sort_keys: bool = True) -> None:
    """Print a value as JSON."""
    click.echo(for_json(json.dumps(data, indent=2, ensure_ascii=False, sort_keys=sort_keys, default=str)))
