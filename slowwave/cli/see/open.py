"""`slowwave open`: where work stands."""

from __future__ import annotations

import click

from slowwave.cli.common import json_option, locate, project_option
from slowwave.cli.output import emit, say, verbatim
from slowwave.errors import MemoryUrlError
from slowwave.memories.publishing.render import OPEN_WORK


@click.command("open")
@project_option
@json_option
def open_(project: str | None, as_json: bool) -> None:
    """Print what the last sessions of the project left open, and what was said to come next.

    \b
    Example:
      slowwave open
    """
    from slowwave.memories.reading.library import open_library

    app, chosen = locate(project)
    try:
        text = open_library(app, chosen.id).read(f"memory://root/{OPEN_WORK}").text
    except MemoryUrlError:
        # There is no such file while nothing is open.
        text = ""
    if as_json:
        emit({"project": chosen.name, "text": text})
    elif text:
        verbatim(text)
    else:
        say("nothing is known to be open")
