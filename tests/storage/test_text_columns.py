"""Every text column takes any text, on both engines."""

from __future__ import annotations

from sqlalchemy import Engine

from slowwave.storage.engine import reading, writing
from slowwave.storage.tables import Project, Setting, Table
from slowwave.storage.text import Storable

ODD = "a\0b\ud800c"


def test_a_nul_in_any_text_blocks_nothing(engine: Engine) -> None:
    with writing(engine) as session:
        session.add(Project(id="p", key=ODD, slug="s", name="n"))
        session.merge(Setting(name="odd", value={"uid": ODD}))
    with reading(engine) as session:
        assert session.get_one(Project, "p").key == "a\ufffdb\ufffdc"


def test_no_text_column_lacks_the_guard() -> None:
    plain = [
        f"{table.name}.{column.name}"
        for table in Table.metadata.tables.values()
        for column in table.columns
        if column.type.python_type is str and not isinstance(column.type, Storable)
    ]
    assert plain == []
