"""What stage one keeps of a session: memories whose evidence code has checked."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from slowwave.memories.text import quote_hash, text_hash
from slowwave.rollouts.model import ItemKind
from slowwave.storage.types import MemoryKind, Scope, Standing

MAX_MEMBER = 120
MOST_MEMBERS = 100


@dataclass(frozen=True, slots=True)
class CheckedQuote:
    """Words that stand in an item of the session, redacted and verbatim. `at` is seconds since the epoch."""

    item: int
    quote: str
    item_kind: str
    uid: str | None = None
    at: float | None = None

    @property
    def hash(self) -> str:
        """Identity of the words."""
        return quote_hash(self.quote)

    @property
    def from_user(self) -> bool:
        """Whether the person typed the words."""
        return self.item_kind == ItemKind.USER_TEXT


@dataclass(frozen=True, slots=True)
class Candidate:
    """A checked memory of one session. `members` are those of a list, of which `text` is the name."""

    kind: MemoryKind
    text: str
    situation: str
    standing: Standing
    evidence: tuple[CheckedQuote, ...]
    scope: Scope = Scope.PROJECT
    members: tuple[str, ...] = ()

    @property
    def hash(self) -> str:
        """Identity of the text, whatever its case, width and punctuation."""
        return text_hash(self.text)

    def as_json(self) -> dict[str, Any]:
        """The form that is stored."""
        return asdict(self)

    @staticmethod
    def from_json(data: dict[str, Any]) -> Candidate:
        """The inverse of `as_json`."""
        return Candidate(
            kind=MemoryKind(data["kind"]),
            text=str(data["text"]),
            situation=str(data["situation"]),
            standing=Standing(data["standing"]),
            evidence=tuple(CheckedQuote(**quote) for quote in data["evidence"]),
            scope=Scope(data.get("scope", Scope.PROJECT)),
            members=tuple(data.get("members", ())),
        )


@dataclass(frozen=True, slots=True)
class Declined:
    """A proposed memory that the checks refused, and by which of them."""

    kind: MemoryKind
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class OpenWork:
    """Something that a session left open, in words that its evidence carries."""

    text: str
    evidence: tuple[CheckedQuote, ...]

    def as_json(self) -> dict[str, Any]:
        """The form that is stored."""
        return asdict(self)
