"""Text as both databases can store it."""

from __future__ import annotations

from sqlalchemy import Dialect, MetaData, String
from sqlalchemy.types import TypeDecorator
from sqlmodel.sql.sqltypes import AutoString


def storable(text: str) -> str:
    """Return the text without what a database refuses: NUL (PostgreSQL) and lone surrogates (UTF-8 has none)."""
    if text.isascii() and "\0" not in text:
        return text
    return (
        text.replace("\0", "\N{REPLACEMENT CHARACTER}")
        .encode("utf-16-le", "surrogatepass")
        .decode("utf-16-le", "replace")
    )


def storable_or_none(text: str | None) -> str | None:
    """`storable` for a column that may be empty."""
    return None if text is None else storable(text)


class Storable(TypeDecorator[str]):
    """A text column that takes any text of Python's: what the database would refuse is replaced on the way in."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """The value as it is stored."""
        return storable(value) if isinstance(value, str) else value


def guard_text(metadata: MetaData) -> None:
    """Give every text column the guard, so that no way in can forget it."""
    for table in metadata.tables.values():
        for column in table.columns:
            if isinstance(column.type, AutoString):
                column.type = Storable()
