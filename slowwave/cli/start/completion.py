"""`slowwave completion`: what a shell needs to complete commands, options and names of projects."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from slowwave.cli.output import verbatim

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print what SHELL needs to complete commands, options and projects.

    \b
    Example:
      eval "$(slowwave completion bash)"      # in ~/.bashrc
      slowwave completion fish > ~/.config/fish/completions/slowwave.fish
    """
    from slowwave.cli.group import slowwave

    made = get_completion_class(shell)
    if made is None:
        raise click.UsageError(f"{shell} is not known")
    verbatim(made(slowwave, {}, "slowwave", "_SLOWWAVE_COMPLETE").source())
