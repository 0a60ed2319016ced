"""What became of each proposed memory, what was held back, and what each operation changed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("entries") as batch:
        batch.add_column(sa.Column("scope", sa.String(), nullable=False, server_default="project"))
    with op.batch_alter_table("evidence") as batch:
        batch.add_column(sa.Column("member", sa.String(), nullable=False, server_default=""))
    with op.batch_alter_table("stage_one_outputs") as batch:
        batch.add_column(sa.Column("open_work", sa.JSON(), nullable=False, server_default="[]"))
    op.create_table(
        "entry_changes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("operation", sa.String(), nullable=False),
        sa.Column("before", sa.String(), nullable=False),
        sa.Column("after", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=True),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_entry_changes_project_id_projects")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entry_changes")),
    )
    op.create_index("ix_entry_changes_entry", "entry_changes", ["project_id", "number"])
    op.create_table(
        "memory_fates",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("stage", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("entry", sa.Integer(), nullable=True),
        sa.Column("offered", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=True),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_memory_fates")),
        sa.UniqueConstraint("thread_id", "hash", name=op.f("uq_memory_fates_thread_id")),
    )
    op.create_index("ix_memory_fates_state", "memory_fates", ["project_id", "state"])
    op.create_table(
        "held_operations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("operation", sa.JSON(), nullable=False),
        sa.Column("sources", sa.JSON(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("offered", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=True),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("decided_at", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_held_operations_project_id_projects")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_held_operations")),
        sa.UniqueConstraint("project_id", "key", name=op.f("uq_held_operations_project_id")),
    )
    op.create_index("ix_held_operations_state", "held_operations", ["project_id", "state"])
