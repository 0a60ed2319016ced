"""Deterministic session handles: the same agent, channel and thread are the same session, always."""

from __future__ import annotations

import hashlib
import uuid

from slowwave.storage.insession.store import SessionStore

_DOMAIN = b"slowwave session handle 1"


def handle(agent: str, channel: str, thread: str) -> str:
    """SHA-256 over the three parts, each with its length in front, as 64 hex digits.

    The length keeps `("a", "bc", "")` and `("ab", "c", "")` apart. Parts are taken as they are, in UTF-8.
    """
    digest = hashlib.sha256(_DOMAIN)
    for part in (agent, channel, thread):
        raw = part.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big"))
        digest.update(raw)
    return digest.hexdigest()


def host_uuid(handle_hex: str, generation: int = 0) -> str:
    """A UUID (version 8, RFC 9562) for hosts that take nothing else; `generation` counts fresh starts of a thread."""
    raw = bytearray(hashlib.sha256(f"{handle_hex}:{generation}".encode()).digest()[:16])
    raw[6] = raw[6] & 0x0F | 0x80
    raw[8] = raw[8] & 0x3F | 0x80
    return str(uuid.UUID(bytes=bytes(raw)))


class HandleMap:
    """The map from handles to the host's own session ids, in the in-session store."""

    def __init__(self, store: SessionStore) -> None:
        self.store = store

    def open(self, agent: str, channel: str, thread: str, *, now: float) -> tuple[str, str, str]:
        """Return (handle, UUID for a fresh start, host session id); the last is empty until the host confirmed one."""
        name = handle(agent, channel, thread)
        with self.store.transaction() as db:
            db.execute(
                "INSERT INTO handles (handle, uuid, agent, channel, thread, created_at, used_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (handle) DO UPDATE SET used_at = excluded.used_at",
                (name, host_uuid(name), agent, channel, thread, now, now),
            )
            row = db.execute("SELECT uuid, host_session FROM handles WHERE handle = ?", (name,)).fetchone()
        return name, str(row[0]), str(row[1])

    def confirm(self, name: str, host_session: str) -> None:
        """The host runs this session under this id."""
        with self.store.transaction() as db:
            db.execute(
                "UPDATE handles SET host_session = ?, state = 'live', reason = '', resumes = resumes + 1"
                " WHERE handle = ?",
                (host_session, name),
            )

    def drop(self, name: str, reason: str) -> str:
        """The host no longer knows the session: forget its id and return the UUID of the next fresh start."""
        with self.store.transaction() as db:
            row = db.execute("SELECT uuid FROM handles WHERE handle = ?", (name,)).fetchone()
            generation = 1
            while host_uuid(name, generation - 1) != row[0]:
                generation += 1
            fresh = host_uuid(name, generation)
            db.execute(
                "UPDATE handles SET host_session = '', state = 'dropped', reason = ?, uuid = ? WHERE handle = ?",
                (reason, fresh, name),
            )
        return fresh
