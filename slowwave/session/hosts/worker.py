"""`python -m slowwave.session.hosts.worker HOME`: looks at queued turns with the cheap role, then ends.

One worker at a time holds a lock file; a second one has nothing to do. No consent, no budget or no model means that
nothing is sent, and the queue keeps the reason.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from filelock import FileLock, Timeout

from slowwave.errors import SlowwaveError
from slowwave.llm.base import Prompt
from slowwave.llm.commandline.agents import AGENTS
from slowwave.llm.commandline.client import CommandLineClient
from slowwave.llm.endpoint.capabilities import Capabilities
from slowwave.llm.endpoint.client import ModelClient
from slowwave.llm.endpoint.structured import ask
from slowwave.llm.providers import settled
from slowwave.llm.roles import resolve_roles
from slowwave.llm.spending import consent
from slowwave.llm.spending.budget import Budget
from slowwave.llm.spending.call_log import CallLog, Purpose
from slowwave.paths import database_file, hook_log_file, session_database_file
from slowwave.private import append_private, make_private_folder
from slowwave.session.key_facts.model_extraction import Found, process
from slowwave.settings_file import load_settings
from slowwave.storage.engine import open_database
from slowwave.storage.insession.store import SessionStore


async def work(home: Path) -> int:
    """Process the queue; return how many turns were looked at.

    Raises:
        ConsentRequired, ConfigError, StoreError: nothing was sent.
    """
    env = dict(os.environ)
    settings = load_settings(home, env)
    engine = open_database(settings.database.url or database_file(home))
    models = settled(settings.models, engine, env)
    if models.provider == "offline":
        return 0
    role = (roles := resolve_roles(models, env)).smol
    consent.require(engine, roles)
    call_log, budget = CallLog(engine, None), Budget(settings.budget, engine, None)
    with SessionStore(session_database_file(home)) as store:
        if models.provider in AGENTS:
            agent = AGENTS[models.provider].with_arguments(models.agent_arguments)
            plan = CommandLineClient(agent, role, budget, call_log, engine, home, env)

            async def of_agent(system: str, user: str) -> Found:
                return (await plan.ask(Prompt(system, user), Found, Purpose("session"))).value

            return await process(store, of_agent, prompt_dir=settings.memories.prompt_dir)
        client = ModelClient(role, budget, call_log, Capabilities(role, engine))

        async def asked(system: str, user: str) -> Found:
            return (await ask(client, Prompt(system, user), Found, Purpose("session"))).value

        try:
            return await process(store, asked, prompt_dir=settings.memories.prompt_dir)
        finally:
            await client.aclose()


def main(home: Path) -> int:
    """Run one worker and return its exit code."""
    try:
        with FileLock(home / "session-worker.lock", mode=0o600, blocking=False):
            asyncio.run(work(home))
    except Timeout:
        return 0
    except SlowwaveError as error:
        log = hook_log_file(home)
        make_private_folder(log.parent)
        append_private(log, f"session worker {error.reason}: {error}\n".encode())
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
