"""What a person allows stays; nothing else can allow anything."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from slowwave.errors import ConfigError
from slowwave.redaction.allowlist import Allowlist, allowlist_file, key_file, may_be_allowed
from tests.support.planted import planted

VALUE = "fixture-Pass-42!"


def test_stores_keyed_hashes_only(tmp_path: Path) -> None:
    Allowlist.load(tmp_path).add(tmp_path, "password", VALUE)
    stored = allowlist_file(tmp_path).read_text()
    assert VALUE not in stored
    assert stat.S_IMODE(key_file(tmp_path).stat().st_mode) == 0o600
    assert stat.S_IMODE(allowlist_file(tmp_path).stat().st_mode) == 0o600
    again = Allowlist.load(tmp_path)
    assert again.allows("password", VALUE)
    assert not again.allows("password", VALUE + "x")
    assert not again.allows("key", VALUE)


def test_another_machine_s_list_allows_nothing(tmp_path: Path) -> None:
    Allowlist.load(tmp_path).add(tmp_path, "password", VALUE)
    key_file(tmp_path).write_bytes(b"\0" * 32)
    assert not Allowlist.load(tmp_path).allows("password", VALUE)


@pytest.mark.parametrize("kind", ["private-key", "github-token", "anthropic-key", "stripe-key", "aws-access-key-id"])
def test_proven_credentials_are_never_allowed(tmp_path: Path, kind: str) -> None:
    assert not may_be_allowed(kind, VALUE)
    with pytest.raises(ConfigError):
        Allowlist.load(tmp_path).add(tmp_path, kind, VALUE)
    assert not allowlist_file(tmp_path).exists()


def test_documented_examples_may_be_allowed(tmp_path: Path) -> None:
    example = "AK" + "IAIOSFODNN7EXAMPLE"
    Allowlist.load(tmp_path).add(tmp_path, "aws-access-key-id", example)
    assert Allowlist.load(tmp_path).allows("aws-access-key-id", example)


def test_a_list_edited_by_hand_cannot_allow_a_proven_credential(tmp_path: Path) -> None:
    allow = Allowlist.load(tmp_path)
    allow.add(tmp_path, "password", VALUE)
    secret = next(secret for secret in planted() if secret.kind == "github")
    forged = Allowlist(allow.key, {allow.digest("github-token", secret.parts[0]): "github-token"})
    assert not forged.allows("github-token", secret.parts[0])


@pytest.mark.parametrize("content", ["", "{}", "[]", json.dumps({"allowed": [{"type": "x"}]})])
def test_a_damaged_list_is_an_error_and_allows_nothing(tmp_path: Path, content: str) -> None:
    allowlist_file(tmp_path).write_text(content)
    with pytest.raises(ConfigError):
        Allowlist.load(tmp_path)
