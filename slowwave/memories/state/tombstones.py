"""What a person forgot never comes back. Only keyed hashes are stored: the words cannot be read from them."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from slowwave.memories.extraction.candidates import Candidate
from slowwave.memories.text import text_hash
from slowwave.storage.engine import database_now
from slowwave.storage.published.versions import ensure_setting
from slowwave.storage.tables import Setting, Tombstone
from slowwave.storage.types import TombstoneKind
from slowwave.text import canonical, fold_space

REMOVED = "removed from a file by the user"
FORGOTTEN = "forgotten by the user"

KEY_BYTES = 32
_KEY = "tombstone_key"
_READ_KEY = select(Setting.value).where(col(Setting.name) == _KEY)
_READ_HASHES = select(Tombstone.hash).where(col(Tombstone.project_id) == bindparam("project"))


def _made_key(session: Session) -> dict[str, Any]:
    return ensure_setting(session, _KEY, {"key": secrets.token_hex(KEY_BYTES)}).value


def _hash(key: bytes, kind: TombstoneKind, value: str) -> str:
    return hmac.new(key, f"{kind.value}\0{value}".encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def copy_tombstones(source: Session, target: Session, project_id: str) -> None:
    """Take what was forgotten of a project over into another database, with the keys to recognise it."""
    take_tombstones_in(target, project_id, packed_tombstones(source, project_id))


def packed_tombstones(session: Session, project_id: str) -> dict[str, Any]:
    """What was forgotten of a project and the keys to recognise it, as JSON values; empty where nothing was."""
    theirs = session.connection().execute(_READ_KEY).scalar()
    query = select(Tombstone).where(Tombstone.project_id == project_id).order_by(col(Tombstone.hash))
    rows = [[row.hash, row.kind, row.reason] for row in session.exec(query)]
    return {"keys": [theirs["key"], *theirs.get("others", ())], "rows": rows} if theirs is not None and rows else {}


def take_tombstones_in(session: Session, project_id: str, packed: Mapping[str, Any]) -> None:
    """Store what `packed_tombstones` gave, here or in another database.

    Raises `ValueError`, `KeyError` or `TypeError` where it is not of that shape; nothing is stored then.
    """
    if not packed:
        return
    keys = {str(key) for key in packed["keys"] if len(bytes.fromhex(key)) == KEY_BYTES}
    rows = [(str(hashed), TombstoneKind(kind), str(reason)) for hashed, kind, reason in packed["rows"]]
    setting = ensure_setting(session, _KEY, {"key": secrets.token_hex(KEY_BYTES)})
    others = sorted({*setting.value.get("others", ()), *keys} - {setting.value["key"]})
    setting.value = {**setting.value, "others": others}
    session.add(setting)
    now = database_now(session)
    for hashed, kind, reason in rows:
        session.merge(Tombstone(hash=hashed, project_id=project_id, kind=kind, created_at=now, reason=reason))
    session.flush()


@dataclass(frozen=True, slots=True)
class Tombstones:
    """The tombstones of one project and the key of this database's hashes."""

    key: bytes
    hashes: frozenset[str]
    other_keys: tuple[bytes, ...] = ()

    @staticmethod
    def load_in(session: Session, project_id: str) -> Tombstones:
        """Read them; the key is made at the first use."""
        connection = session.connection()
        key = connection.execute(_READ_KEY).scalar() or _made_key(session)
        hashes = connection.execute(_READ_HASHES, {"project": project_id}).scalars()
        others = tuple(bytes.fromhex(str(other)) for other in key.get("others", ()))
        return Tombstones(bytes.fromhex(str(key["key"])), frozenset(hashes), others)

    def hash(self, kind: TombstoneKind, value: str) -> str:
        """Keyed hash of something to forget."""
        return _hash(self.key, kind, value)

    def has(self, kind: TombstoneKind, value: str) -> bool:
        """Whether this was forgotten, here or in the database from which the project came."""
        return any(_hash(key, kind, value) in self.hashes for key in (self.key, *self.other_keys))

    def text(self, text: str) -> str:
        """Hash of a text whatever its case, width and punctuation."""
        return self.hash(TombstoneKind.TEXT, canonical(text))

    def quote(self, quote: str) -> str:
        """Hash of a quote with white space folded."""
        return self.hash(TombstoneKind.QUOTE, fold_space(quote))

    def covers_text(self, text: str) -> bool:
        """Whether this text was forgotten."""
        return self.has(TombstoneKind.TEXT, canonical(text))

    def covers(self, thread_id: str, candidate: Candidate) -> bool:
        """Whether a candidate may not come back: its session, its text, or every one of its quotes was forgotten."""
        if not self.hashes:
            return False
        if self.has(TombstoneKind.SESSION, thread_id) or self.covers_text(candidate.text):
            return True
        return all(
            self.has(TombstoneKind.QUOTE, fold_space(quote.quote))
            or self.has(TombstoneKind.ITEM, f"{thread_id}#{quote.item}")
            for quote in candidate.evidence
        )

    def bury_in(
        self, session: Session, project_id: str, buried: Iterable[tuple[TombstoneKind, str]], reason: str
    ) -> None:
        """Store tombstones for hashes made by `hash`, `text` and `quote`."""
        now = database_now(session)
        for kind, hashed in buried:
            session.merge(Tombstone(hash=hashed, project_id=project_id, kind=kind, created_at=now, reason=reason))

    def forgotten_in(self, session: Session, project_id: str, texts: Iterable[str]) -> frozenset[str]:
        """Hashes (`text_hash`) of those texts that a person forgot by command. What a person only took out of a file
        may come back when they ask for it."""
        query = select(Tombstone.hash).where(Tombstone.project_id == project_id, Tombstone.reason == FORGOTTEN)
        buried = frozenset(session.exec(query))
        return frozenset(text_hash(text) for text in texts if self.text(text) in buried) if buried else frozenset()

    def lift_in(self, session: Session, project_id: str, texts: Iterable[str]) -> None:
        """Take the tombstones of texts away that a person wants back."""
        for text in texts:
            row = session.get(Tombstone, (self.text(text), project_id))
            if row is not None:
                session.delete(row)
        session.flush()
