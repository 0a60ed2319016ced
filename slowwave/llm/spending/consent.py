"""Nothing is sent to another machine before somebody agreed to it, once, knowing what goes where."""

from __future__ import annotations

import ipaddress
import time
from urllib.parse import urlsplit

from sqlalchemy import Engine

from slowwave.errors import ConsentRequired
from slowwave.llm.roles import AGENT_PREFIX, Roles, endpoint_of
from slowwave.storage.engine import reading, writing
from slowwave.storage.published.versions import ensure_setting
from slowwave.storage.tables import Setting

SETTING = "consent"
WHAT_IS_SENT = (
    "redacted text of eligible sessions: what you typed, the agent's answers, tool calls and parts of tool output",
    "the project's name, the session's working folder, branch and dates",
    "memories that stand already, for consolidation",
)


def is_loopback(url: str) -> bool:
    """Tell whether a URL names this machine by a loopback address or as `localhost`. No name is looked up."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def endpoints_to_accept(roles: Roles) -> list[str]:
    """The endpoints of the roles that are not on this machine, sorted."""
    return sorted({role.endpoint for role in (roles.default, roles.smol) if not is_loopback(role.base_url)})


def is_accepted(engine: Engine, endpoint: str) -> bool:
    """Tell whether sending to an endpoint needs no consent or has it."""
    if is_loopback(endpoint):
        return True
    with reading(engine) as session:
        row = session.get(Setting, SETTING)
        return row is not None and endpoint in row.value.get("endpoints", {})


def accept(engine: Engine, endpoints: list[str]) -> None:
    """Record the consent to send session text to these endpoints, with the time it was given."""
    now = time.time()
    with writing(engine) as session:
        row = ensure_setting(session, SETTING, {})
        known = dict(row.value.get("endpoints", {}))
        row.value = {"endpoints": known | {endpoint_of(endpoint): now for endpoint in endpoints}}
        row.updated_at = now
        session.add(row)


def withdraw(engine: Engine) -> None:
    """Take every consent back."""
    with writing(engine) as session:
        row = session.get(Setting, SETTING)
        if row is not None:
            session.delete(row)


def require(engine: Engine, roles: Roles) -> None:
    """Raise `ConsentRequired`, naming what would be sent where, unless every endpoint needs none or has it."""
    missing = [endpoint for endpoint in endpoints_to_accept(roles) if not is_accepted(engine, endpoint)]
    if missing:
        raise ConsentRequired(describe(missing), hint="Accept it once with `slowwave config accept`.")


def _named(endpoint: str) -> str:
    if not endpoint.startswith(AGENT_PREFIX):
        return endpoint
    name = endpoint.removeprefix(AGENT_PREFIX)
    return f"the provider of {name}, through the command line that you are logged in to (it counts against your plan)"


def describe(endpoints: list[str]) -> str:
    """Say what would be sent where, for a person to decide on."""
    lines = "".join(f"\n  - {what}" for what in WHAT_IS_SENT)
    where = ", ".join(_named(endpoint) for endpoint in endpoints)
    return f"A run would send to {where}:{lines}\nSecrets are removed on this machine before anything is sent."
