"""Before a run starts: is the model's address reachable and is the key accepted? Nothing of a session is sent."""

from __future__ import annotations

import asyncio

import anthropic
from sqlalchemy import Engine

from slowwave.errors import BudgetReached, ModelDenied, ModelError, ModelUnavailable
from slowwave.llm.endpoint.capabilities import Capabilities
from slowwave.llm.endpoint.client import ModelClient
from slowwave.llm.endpoint.transport import connect
from slowwave.llm.roles import Role, Roles
from slowwave.llm.spending.budget import Budget
from slowwave.llm.spending.call_log import CallLog, Purpose

SECONDS = 10.0
# A server that is being restarted, or a network that comes up after sleep, gets a moment.
PAUSES = (0.0, 1.0, 3.0)
_SMALLEST = {"max_tokens": 1, "messages": [{"role": "user", "content": "."}]}


def check_reach(roles: Roles, budget: Budget, engine: Engine, run_id: str) -> None:
    """Ask each endpoint for its list of models, which costs nothing; ask it for a word where it refuses the key for
    that. Whoever calls this has the consent for the endpoints. Whatever else is wrong is left to the run.

    Raises:
        ModelUnavailable: nothing listens there, or its name or certificate is wrong; the address is in the message.
        ModelDenied: the key is refused.
        ConfigError: the environment's proxy or certificates allow no connection.
    """
    asyncio.run(_check(roles, budget, CallLog(engine, run_id), engine))


async def _check(roles: Roles, budget: Budget, call_log: CallLog, engine: Engine) -> None:
    asked: set[tuple[str, str | None]] = set()
    for role in (roles.default, roles.smol):
        if role.is_agent or (role.base_url, role.key) in asked:
            continue
        asked.add((role.base_url, role.key))
        if await _reached(role) in (401, 403):
            await _confirm(role, budget, call_log, engine)


async def _reached(role: Role) -> int:
    """The status of the answer; 200 for one that is slow or strange: the run finds out by itself."""
    failure: Exception | None = None
    for pause in PAUSES:
        await asyncio.sleep(pause)
        try:
            async with connect(role) as client:
                await client.models.with_raw_response.list(limit=1, timeout=SECONDS)
            return 200
        except anthropic.APIStatusError as error:
            return error.status_code
        except anthropic.APITimeoutError:
            return 200
        except anthropic.APIConnectionError as error:
            failure = error.__cause__ if isinstance(error.__cause__, Exception) else error
        except anthropic.APIError:
            return 200
    raise ModelUnavailable(
        f"the model's address {role.endpoint} cannot be reached: {failure}",
        hint="Start the server or correct models.default.baseUrl; no session lost an attempt.",
        reason="connection",
    )


async def _confirm(role: Role, budget: Budget, call_log: CallLog, engine: Engine) -> None:
    """A key may be good for messages and not for lists: only a refused message counts."""
    client = ModelClient(role, budget, call_log, Capabilities(role, engine))
    try:
        await client.create({"model": role.model, **_SMALLEST}, Purpose("check"))
    except ModelDenied as error:
        raise ModelDenied(f"{role.endpoint}: {error}", hint=error.hint, reason=error.reason) from error
    except (ModelError, BudgetReached):
        # Not the key: the run meets it with its own means.
        return
    finally:
        await client.aclose()
