"""The click group behind `slowwave`: loads commands lazily and turns errors into messages and exit codes."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

import click

from slowwave import __version__
from slowwave.cli.main import COMMANDS, EXIT_INTERRUPTED
from slowwave.cli.output import say
from slowwave.errors import SlowwaveError

LONGEST_NAME = 300


class LazyGroup(click.Group):
    """A group that imports a command's module only when that command is called or its help is shown."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the table, which is the order a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one command."""
        target = COMMANDS.get(cmd_name)
        if target is None:
            return None
        module, _, attribute = target.partition(":")
        command = getattr(import_module(module), attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{target} is not a click command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Like click's, with the nearest command in the message."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean `slowwave {near[0]}`?" if near else " `slowwave --help` lists the commands."
            raise click.UsageError(f"no such command: {args[0]}.{hint}", ctx=ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="slowwave")
def slowwave() -> None:
    """Consolidate coding-agent sessions into a small, trustworthy memory.

    Start with `slowwave init`, or try `slowwave run --sample` in a folder of its own.
    """


def run(arguments: Sequence[str]) -> int:
    """Run the group and map every outcome to an exit code (see `slowwave.cli.main`)."""
    _stop_like_an_interrupt()
    try:
        result = slowwave.main(args=list(arguments), prog_name="slowwave", standalone_mode=False)
    except SlowwaveError as error:
        message(error)
        return error.exit_code
    except click.exceptions.NoArgsIsHelpError as asked:
        say(asked.format_message())
        return 0
    except click.ClickException as error:
        if isinstance(error, click.UsageError) and error.ctx is not None:
            say(error.ctx.get_usage(), err=True)
        say(f"Error: {error.format_message()}", err=True)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        again = f"`slowwave {arguments[0]}`" if arguments else "`slowwave`"
        say(f"interrupted; everything finished so far is kept, {again} goes on from there", err=True)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, sys.stdout.fileno())
        return 0
    except OSError as error:
        return _refused(error)
    return result if isinstance(result, int) else 0


def message(error: SlowwaveError) -> None:
    """Print an error and what to do next, on stderr."""
    say(f"slowwave: {error}", err=True, style="red")
    if error.hint:
        say(f"  {error.hint}", err=True)


def _refused(error: OSError) -> int:
    """Say in one line what the system refuses. What is still to be written out would be refused again at the exit."""
    where = f"{str(error.filename)[:LONGEST_NAME]}: " if error.filename is not None else ""
    # Where not even the message can be written, the exit code tells.
    with suppress(OSError):
        say(f"slowwave: {where}{error.strerror or error}", err=True)
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
    return 1


def _stop_like_an_interrupt() -> None:
    """A closed terminal or a stop from outside ends a command as Ctrl-C does: what it claimed is given back."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            with suppress(ValueError):
                signal.signal(number, signal.default_int_handler)
