"""A database of today's schema with a row in every table, as SQL text: what a later version must be able to upgrade.

``python -m tests.support.schema_dump > tests/storage/data/revision_0001.sql``, once, when a schema is released.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from pathlib import Path

from sqlalchemy import JSON, Boolean, Engine, Float, Integer, LargeBinary, Table

from slowwave.storage.engine import open_database
from slowwave.storage.tables import Table as Base

NUMBERS = (1, 2)


def example_row(table: Table, number: int) -> dict[str, object]:
    """A row whose values tell their column; text keys are the same in every table, so that references hold."""
    row: dict[str, object] = {}
    for column in table.columns:
        if isinstance(column.type, JSON):
            row[column.name] = {"n": number}
        elif isinstance(column.type, LargeBinary):
            row[column.name] = bytes([0, 255, number])
        elif isinstance(column.type, Boolean):
            row[column.name] = number == 1
        elif isinstance(column.type, Integer):
            row[column.name] = number
        elif isinstance(column.type, Float):
            row[column.name] = number + 0.5
        elif column.primary_key or column.foreign_keys:
            row[column.name] = f"key-{number}"
        else:
            row[column.name] = f"{table.name}.{column.name} é {number}"
    return row


def fill(engine: Engine) -> None:
    """Write two rows into every table."""
    with engine.begin() as connection:
        for table in Base.metadata.sorted_tables:
            connection.execute(table.insert(), [example_row(table, number) for number in NUMBERS])


def main() -> None:
    """Print the dump."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "slowwave.db"
        engine = open_database(path)
        fill(engine)
        engine.dispose()
        with sqlite3.connect(path) as connection:
            sys.stdout.write("\n".join(connection.iterdump()) + "\n")
        connection.close()


if __name__ == "__main__":
    main()
