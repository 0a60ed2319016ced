"""Model roles: `default` extracts, `smol` consolidates and falls back to `default`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from slowwave.errors import ConfigError
from slowwave.llm.spending.prices import ModelFacts, facts_of
from slowwave.settings import CapabilitySettings, Effort, ModelsSettings, RoleSettings

DEFAULT_MODEL = "claude-haiku-5-5"
AGENT_PREFIX = "agent:"
"""Begins the endpoint of an agent, where an address stands for others: consent and the call_log name it so."""
PROVIDER_URL = "https://api.anthropic.com"
BASE_URL_VARIABLE = "ANTHROPIC_BASE_URL"
KEY_VARIABLE = "ANTHROPIC_API_KEY"
TOKEN_VARIABLE = "ANTHROPIC_AUTH_TOKEN"
UNKNOWN_MODEL_INPUT_TOKENS = 24_000
# The estimate of a prompt may be too low by this share; a price cliff or a window is only approached so far.
SAFETY_SHARE = 0.9
_PATH = re.compile(r"/+(?:v1/*)?(?:messages/*)?$")


@dataclass(frozen=True)
class Role:
    """A model role, every default filled in. `key` is None where the endpoint needs none; it is never shown.

    `input_tokens` bounds the whole prompt, `timeout_seconds` one call with its repetitions.
    """

    name: str
    model: str
    effort: Effort
    max_output_tokens: int
    input_tokens: int
    base_url: str
    timeout_seconds: float
    capabilities: CapabilitySettings
    key: str | None = field(default=None, repr=False)

    @property
    def facts(self) -> ModelFacts | None:
        """Limits and prices of the model, None when it is unknown."""
        return facts_of(self.model)

    @property
    def is_agent(self) -> bool:
        """Whether an agent's command line answers, and its plan pays."""
        return self.base_url.startswith(AGENT_PREFIX)

    @property
    def endpoint(self) -> str:
        """Scheme, host and port of the endpoint: what consent and capabilities are kept for."""
        return endpoint_of(self.base_url)


def endpoint_of(url: str) -> str:
    """Return scheme, host and port of a URL, without user, path or query; an agent's name as it is. Raises
    `ConfigError`."""
    if url.startswith(AGENT_PREFIX):
        return url
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
        parts = None
    if parts is None or parts.scheme not in ("http", "https") or not host:
        raise ConfigError("a model's base URL is not an http(s) address", hint="Set models.default.baseUrl.")
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}" + (f":{port}" if port else "")


def without_path(url: str) -> str:
    """A base URL as the Messages path is added to it: many people give it with `/v1`, or with the whole path."""
    return _PATH.sub("", url.strip()).rstrip("/")


@dataclass(frozen=True)
class Roles:
    """Both roles. `smol` equals `default` (but for its name and effort) when nothing else is configured for it."""

    default: Role
    smol: Role


def is_configured(models: ModelsSettings, env: Mapping[str, str]) -> bool:
    """Tell whether a model is to be used: provider `anthropic`, or `auto` with a key or a base URL."""
    if models.provider != "auto":
        return models.provider == "anthropic"
    role = models.default
    names = (role.api_key_env, TOKEN_VARIABLE, BASE_URL_VARIABLE)
    return bool(role.base_url) or any(env.get(name, "").strip() for name in names)


def variables_of(models: ModelsSettings) -> list[str]:
    """The environment variables that may hold a key, a token or an address of the model."""
    named = [models.default.api_key_env, models.smol.api_key_env if models.smol else "", TOKEN_VARIABLE]
    return [name for name in (*named, BASE_URL_VARIABLE) if name]


def resolve_roles(models: ModelsSettings, env: Mapping[str, str]) -> Roles:
    """Fill in every default of both roles.

    A key from the environment goes only where it belongs: with a `baseUrl` in the settings, a key is sent only when the
    same role names the variable (`apiKeyEnv`).
    """
    if models.provider not in ("auto", "offline", "anthropic"):
        return _of_agent(models)
    default = _role("default", models.default, models.default, "low", env)
    if models.smol is None:
        return Roles(default, replace(default, name="smol", effort=models.default.effort or "medium"))
    return Roles(default, _role("smol", models.smol, models.default, "medium", env))


def _of_agent(models: ModelsSettings) -> Roles:
    """The roles of an agent's command line: its own model unless the settings name one, and no key of ours."""
    from slowwave.llm.commandline.agents import AGENTS

    agent, own = AGENTS[models.provider], models.default
    role = Role(
        name="default",
        model=own.model or agent.default_model,
        effort="none",
        max_output_tokens=own.max_output_tokens,
        input_tokens=own.input_tokens,
        base_url=agent.endpoint,
        timeout_seconds=own.timeout_seconds,
        capabilities=own.capabilities,
    )
    return Roles(role, replace(role, name="smol", model=(models.smol and models.smol.model) or role.model))


def at_address(roles: Roles, base_url: str) -> Roles:
    """The same roles at another address and without a key: that of a client which was made elsewhere."""
    address = without_path(base_url)
    return Roles(*(replace(role, base_url=address, key=None) for role in (roles.default, roles.smol)))


def _role(name: str, own: RoleSettings, fallback: RoleSettings, effort: Effort, env: Mapping[str, str]) -> Role:
    source = own if own.base_url or "api_key_env" in own.model_fields_set else fallback
    model = own.model or fallback.model or DEFAULT_MODEL
    facts = facts_of(model)
    wanted = own.input_tokens if facts or "input_tokens" in own.model_fields_set else UNKNOWN_MODEL_INPUT_TOKENS
    most_output = min(own.max_output_tokens, facts.most_output if facts else own.max_output_tokens)
    if facts:
        room = facts.context - most_output
        wanted = min(wanted, int(SAFETY_SHARE * min(room, facts.cliff or room)))
    return Role(
        name=name,
        model=model,
        effort=own.effort or fallback.effort or effort,
        max_output_tokens=most_output,
        input_tokens=wanted,
        base_url=without_path(source.base_url or env.get(BASE_URL_VARIABLE, "").strip() or PROVIDER_URL),
        timeout_seconds=own.timeout_seconds,
        capabilities=source.capabilities if own.capabilities == CapabilitySettings() else own.capabilities,
        key=_key(source, env),
    )


def _key(source: RoleSettings, env: Mapping[str, str]) -> str | None:
    if source.base_url and "api_key_env" not in source.model_fields_set:
        return None
    names = [source.api_key_env] + ([TOKEN_VARIABLE] if source.api_key_env == KEY_VARIABLE else [])
    return next((value for name in names if (value := env.get(name, "").strip())), None)
