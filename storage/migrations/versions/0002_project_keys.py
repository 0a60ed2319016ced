"""Projects are known by many keys."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "project_keys",
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.Column("seen_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "value", "host", "project_id", name=op.f("pk_project_keys")),
    )
    op.create_index("ix_project_keys_project_id", "project_keys", ["project_id"], unique=False)
    op.create_table(
        "project_changes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("other_id", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("ended_at", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_project_changes")),
    )
    op.create_index("ix_project_changes_pair", "project_changes", ["project_id", "other_id"], unique=False)
    with op.batch_alter_table("projects", schema=None) as batch_op:
        batch_op.add_column(sa.Column("named", sa.Boolean(), nullable=False, server_default=sa.false()))
        batch_op.add_column(sa.Column("joined_to", sa.String(), nullable=True))
        batch_op.create_index("ix_projects_joined_to", ["joined_to"], unique=False)
    with op.batch_alter_table("projects", schema=None) as batch_op:
        batch_op.alter_column("named", server_default=None)
