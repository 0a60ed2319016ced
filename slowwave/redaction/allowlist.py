"""Values that a person has declared to be no secrets.

The file holds keyed hashes only, so it gives nothing away; the key stands beside it with mode 0600 and never leaves the
machine. Nothing but `slowwave secrets allow`, called by a person, adds to it; a comment inside a text never counts.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from slowwave.errors import ConfigError
from slowwave.private import create_private, make_private_folder, replace_private
from slowwave.redaction.findings import Finding
from slowwave.redaction.scan.core import standard_rules

KEY_BYTES = 32


def allowlist_file(home: Path) -> Path:
    """Where the hashes are kept."""
    return home / "secrets-allowed.json"


def key_file(home: Path) -> Path:
    """Where this machine's key is kept, mode 0600."""
    return home / "secrets-allowed.key"


def may_be_allowed(kind: str, value: str) -> bool:
    """Whether a person may allow this value: not a private key, and no token whose prefix alone proves it.

    A vendor's documented example (it says EXAMPLE) may be allowed whatever its type.
    """
    if "EXAMPLE" in value and kind != "private-key":
        return True
    return not any(rule.type == kind and rule.strong for rule in standard_rules())


@dataclass
class Allowlist:
    """The allowed values of one installation."""

    key: bytes = b""
    digests: dict[str, str] = field(default_factory=dict)

    @classmethod
    def load(cls, home: Path) -> Allowlist:
        """Read the allowlist of an installation; an absent one is empty. Raises `ConfigError` for a damaged one."""
        if not allowlist_file(home).exists():
            return cls()
        try:
            entries = json.loads(allowlist_file(home).read_text("utf-8"))["allowed"]
            digests = {str(entry["hmac"]): str(entry["type"]) for entry in entries}
            key = key_file(home).read_bytes()
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ConfigError(
                f"The list of allowed values is damaged ({type(error).__name__}).",
                hint=f"Remove {allowlist_file(home)} and allow the values again.",
            ) from error
        return cls(key, digests)

    def digest(self, kind: str, value: str) -> str:
        """The keyed hash of a value of a type."""
        return hmac.new(self.key, f"{kind}\0{value}".encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()

    def allows(self, kind: str, value: str) -> bool:
        """Whether a person has allowed this value."""
        return bool(self.digests) and may_be_allowed(kind, value) and self.digest(kind, value) in self.digests

    def without_allowed(self, text: str, findings: Iterable[Finding]) -> list[Finding]:
        """The findings that nobody has allowed."""
        if not self.digests:
            return list(findings)
        return [finding for finding in findings if not self.allows(finding.type, text[finding.start : finding.end])]

    def add(self, home: Path, kind: str, value: str) -> None:
        """Allow a value from now on. Raises `ConfigError` for one that never may be."""
        if not may_be_allowed(kind, value):
            raise ConfigError(
                f"A value of type {kind} is never allowed: its form alone proves that it is a credential.",
                hint="Revoke it and remove it from the text.",
            )
        make_private_folder(home)
        if not self.key:
            self.key = _machine_key(key_file(home))
        self.digests[self.digest(kind, value)] = kind
        entries = [{"type": kind, "hmac": digest} for digest, kind in sorted(self.digests.items())]
        replace_private(allowlist_file(home), (json.dumps({"allowed": entries}, indent=1) + "\n").encode())


def _machine_key(path: Path) -> bytes:
    key = secrets.token_bytes(KEY_BYTES)
    try:
        create_private(path, key)
    except FileExistsError:
        return path.read_bytes()
    return key
