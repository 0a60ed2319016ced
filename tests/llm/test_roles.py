"""Roles, keys and endpoints: what goes where, and what never goes there."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Engine

from slowwave.errors import ConfigError, ConsentRequired
from slowwave.llm.factory import make_extractor
from slowwave.llm.model_extractor import ModelExtractor
from slowwave.llm.roles import endpoint_of, is_configured, resolve_roles
from slowwave.llm.spending import consent
from slowwave.settings import ModelsSettings, Settings

KEY = {"ANTHROPIC_API_KEY": "k1"}


def models(**groups: Any) -> ModelsSettings:
    return ModelsSettings.model_validate(groups)


def test_defaults_are_the_cheapest_current_model_at_low_effort() -> None:
    roles = resolve_roles(models(), KEY)
    assert (roles.default.model, roles.default.effort) == ("claude-haiku-5-5", "low")
    assert (roles.smol.model, roles.smol.effort) == ("claude-haiku-5-5", "medium")
    assert roles.default.base_url == "https://api.anthropic.com"
    assert roles.default.key == "k1"


def test_a_prompt_stays_under_the_price_cliff_and_inside_the_window() -> None:
    assert resolve_roles(models(default={"input_tokens": 500_000}), KEY).default.input_tokens == 90_000
    wide = resolve_roles(models(default={"model": "claude-sonnet-5-5", "input_tokens": 400_000}), KEY).default
    assert wide.input_tokens == 400_000
    small = resolve_roles(models(default={"model": "claude-haiku-4-5", "input_tokens": 900_000}), KEY).default
    assert small.input_tokens == pytest.approx(0.9 * (200_000 - 8000))
    assert resolve_roles(models(default={"model": "llama"}), KEY).default.input_tokens == 24_000


@pytest.mark.parametrize(
    ("settings", "env", "configured"),
    [
        ({}, {}, False),
        ({}, KEY, True),
        ({}, {"ANTHROPIC_AUTH_TOKEN": "t"}, True),
        ({}, {"ANTHROPIC_BASE_URL": "http://localhost:1"}, True),
        ({"default": {"base_url": "http://localhost:11434"}}, {}, True),
        ({"default": {"api_key_env": "MINE"}}, {"MINE": "x"}, True),
        ({"provider": "offline"}, KEY, False),
        ({"provider": "anthropic"}, {}, True),
    ],
)
def test_when_a_model_is_used(settings: dict[str, Any], env: dict[str, str], configured: bool) -> None:
    assert is_configured(models(**settings), env) is configured


def test_the_providers_key_does_not_go_to_a_base_url_from_the_settings() -> None:
    role = resolve_roles(models(default={"base_url": "https://proxy.example"}), KEY).default
    assert role.key is None
    named = {"base_url": "https://proxy.example", "api_key_env": "PROXY_KEY"}
    assert resolve_roles(models(default=named), KEY | {"PROXY_KEY": "p"}).default.key == "p"


def test_key_and_base_url_of_the_environment_belong_together() -> None:
    role = resolve_roles(models(), KEY | {"ANTHROPIC_BASE_URL": "https://proxy.example/"}).default
    assert (role.base_url, role.key) == ("https://proxy.example", "k1")


def test_the_key_is_not_in_what_a_role_prints() -> None:
    assert "k1" not in repr(resolve_roles(models(), KEY))


def test_a_smol_role_of_its_own_inherits_the_endpoint() -> None:
    settings = models(default={"base_url": "http://localhost:1"}, smol={"model": "tiny"})
    roles = resolve_roles(settings, {})
    assert (roles.smol.model, roles.smol.base_url) == ("tiny", "http://localhost:1")


@pytest.mark.parametrize("url", ["ftp://x", "localhost:1", "http://", "http://[::1", "https:///v1"])
def test_a_base_url_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ConfigError):
        endpoint_of(url)


def test_an_endpoint_is_named_without_user_and_path() -> None:
    assert endpoint_of("https://me:pass@host.example:8443/v1?x=1") == "https://host.example:8443"


@pytest.mark.parametrize(
    ("url", "here"),
    [
        ("http://127.0.0.1:80", True),
        ("http://127.9.9.9", True),
        ("http://[::1]:8080", True),
        ("http://localhost:11434", True),
        ("http://api.localhost", True),
        ("http://0.0.0.0", False),
        ("http://192.168.1.5", False),
        ("http://localhost.example.com", False),
        ("https://127.0.0.1.nip.io", False),
    ],
)
def test_what_counts_as_this_machine(url: str, here: bool) -> None:
    assert consent.is_loopback(url) is here


def test_nothing_is_sent_to_another_machine_before_somebody_agreed(engine: Engine) -> None:
    settings = Settings.model_validate({})
    with pytest.raises(ConsentRequired) as caught:
        make_extractor(settings, engine, None, KEY)
    assert "api.anthropic.com" in str(caught.value)
    assert "slowwave config accept" in caught.value.hint
    assert caught.value.exit_code == 5
    consent.accept(engine, ["https://api.anthropic.com"])
    assert isinstance(make_extractor(settings, engine, None, KEY), ModelExtractor)
    other = Settings.model_validate({"models": {"default": {"base_url": "https://proxy.example"}}})
    with pytest.raises(ConsentRequired, match=r"proxy\.example"):
        make_extractor(other, engine, None, KEY)
    consent.withdraw(engine)
    with pytest.raises(ConsentRequired):
        make_extractor(settings, engine, None, KEY)


def test_without_key_and_base_url_the_offline_extractor_answers(engine: Engine) -> None:
    assert make_extractor(Settings.model_validate({}), engine, None, {}).name == "offline"


def test_an_injected_client_is_used_as_it_is(engine: Engine) -> None:
    from anthropic import AsyncAnthropic

    client = AsyncAnthropic(api_key="x", base_url="https://cloud.example")
    extractor = make_extractor(Settings.model_validate({}), engine, None, {}, client)
    assert isinstance(extractor, ModelExtractor)
    assert extractor.default.sdk is client
    assert extractor.default.role.endpoint == "https://cloud.example"
    assert extractor.default.capabilities.offers("batches") is None
