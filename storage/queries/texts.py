"""Every text of a database, for one who looks for something that must not be in it."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Engine, MetaData, select


def every_text(engine: Engine) -> Iterator[tuple[str, int, bytes]]:
    """Yield each text or byte value with its table and the number of its row, whatever tables there are."""
    metadata = MetaData()
    metadata.reflect(engine)
    with engine.connect() as connection:
        for table in metadata.sorted_tables:
            for number, row in enumerate(connection.execute(select(table)), 1):
                for value in row:
                    if isinstance(value, str | bytes):
                        yield table.name, number, value.encode("utf-8", "replace") if isinstance(value, str) else value
