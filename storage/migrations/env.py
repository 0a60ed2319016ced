"""Alembic's entry point. It is only ever run on a connection that `slowwave.storage.schema` holds open."""

from __future__ import annotations

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlmodel.sql.sqltypes import AutoString

from slowwave.storage.schema import VERSION_TABLE
from slowwave.storage.tables import Table


def render_item(kind: str, item: Any, _context: AutogenContext) -> str | Literal[False]:
    """Write a released revision in terms of SQLAlchemy alone, so that it does not depend on SQLModel's own types."""
    return "sa.String()" if kind == "type" and isinstance(item, AutoString) else False


connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=Table.metadata,
    version_table=VERSION_TABLE,
    render_as_batch=connection.dialect.name == "sqlite",
    compare_type=True,
    transactional_ddl=True,
    render_item=render_item,
)
with context.begin_transaction():
    context.run_migrations()
