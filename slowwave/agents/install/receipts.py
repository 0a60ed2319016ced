"""What was installed where, so that it can be undone exactly: kept in `$SLOWWAVE_HOME/install`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from slowwave.agents.install.edits import digest
from slowwave.agents.install.integrations import Place, Scope, Way
from slowwave.errors import AgentIntegrationError
from slowwave.private import renew_private


@dataclass(frozen=True, slots=True)
class Touched:
    """One file that was edited or made. `before` names its backup by hash, None when the file did not exist."""

    path: str
    kind: str
    before: str | None
    after: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """One installation: an agent at a place, in one way. `skills` is the folder that gets copies of
    generated skills, `folders` are those that the installation made, `at` is when
    it was first made (seconds since the epoch)."""

    agent: str
    scope: Scope
    folder: str
    way: Way
    skills: str = ""
    at: float = 0.0
    files: tuple[Touched, ...] = ()
    folders: tuple[str, ...] = ()


def _base(home: Path) -> Path:
    return home / "install"


def _file(home: Path, agent: str, place: Place) -> Path:
    where = hashlib.sha256(str(place.folder).encode("utf-8", "surrogateescape")).hexdigest()[:12]
    return _base(home) / f"{agent}-{place.scope}-{where}.json"


def load_receipt(home: Path, agent: str, place: Place) -> Receipt | None:
    """The receipt of an agent at a place; None when nothing is installed there.

    Raises:
        AgentIntegrationError: the receipt is damaged.
    """
    return _load(_file(home, agent, place))


def _load(path: Path) -> Receipt | None:
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        raw["files"] = tuple(Touched(**touched) for touched in raw["files"])
        raw |= {"scope": Scope(raw["scope"]), "way": Way(raw["way"]), "folders": tuple(raw["folders"])}
        return Receipt(**raw)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise AgentIntegrationError(
            f"{path} is damaged: {error}",
            hint="Move it away; `slowwave uninstall` then removes our entries by their form.",
        ) from error


def all_receipts(home: Path) -> Iterator[Receipt]:
    """Every receipt, in a stable order.

    Raises:
        AgentIntegrationError: one is damaged.
    """
    for path in sorted(_base(home).glob("*.json")):
        receipt = _load(path)
        if receipt is not None:
            yield receipt


def save_receipt(home: Path, receipt: Receipt, place: Place) -> None:
    """Write a receipt; one without files is removed."""
    path = _file(home, receipt.agent, place)
    if receipt.files:
        renew_private(path, json.dumps(asdict(receipt), ensure_ascii=False, indent=1).encode() + b"\n")
    else:
        path.unlink(missing_ok=True)


def keep_backup(home: Path, content: bytes | None) -> str | None:
    """Keep a file's bytes before the edit; return the name of the backup."""
    name = digest(content)
    if content is not None and name is not None:
        renew_private(_base(home) / "backups" / name, content)
    return name


def backup(home: Path, name: str) -> bytes:
    """Bytes of a backup.

    Raises:
        AgentIntegrationError: it is gone or was changed.
    """
    try:
        content = (_base(home) / "backups" / name).read_bytes()
    except OSError as error:
        raise AgentIntegrationError(f"the backup {name[:12]} cannot be read: {error}") from error
    if digest(content) != name:
        raise AgentIntegrationError(f"the backup {name[:12]} was changed")
    return content
