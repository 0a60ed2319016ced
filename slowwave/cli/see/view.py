"""`slowwave view`: exactly what an agent is given at start-up."""

from __future__ import annotations

from functools import partial

import click

from slowwave.agents.hook.block import session_block
from slowwave.agents.hook.index import read_index
from slowwave.cli.common import json_option, locate, project_option, refresh_hooks
from slowwave.cli.output import emit, say, verbatim
from slowwave.paths import injection_file
from slowwave.text import estimate_tokens


@click.command()
@project_option
@json_option
def view(project: str | None, as_json: bool) -> None:
    """Print the memory payload that is injected at session start, byte for byte.

    \b
    Example:
      slowwave view --project ~/src/shop
    """
    app, chosen = locate(project)
    refresh_hooks(app)
    text = ""
    if injection_file(app.home, chosen.id).is_file():
        text = session_block(app.home, read_index(app.home), chosen.id, partial(say, err=True))
    if as_json:
        emit(
            {
                "project": chosen.name,
                "project_id": chosen.id,
                "version": chosen.version,
                "characters": len(text),
                "tokens_estimated": estimate_tokens(text),
                "limit": app.settings.memories.summary_injection_token_limit,
                "payload": text,
            }
        )
    elif text:
        verbatim(text)
    else:
        say(f"nothing is injected for {chosen.name}: it has no memory yet", err=True)
