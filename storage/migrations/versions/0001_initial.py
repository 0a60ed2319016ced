"""The first schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:

    op.create_table(
        "checkpoints",
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.Column("updated_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("project_id", name=op.f("pk_checkpoints")),
    )
    op.create_table(
        "jobs",
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=True),
        sa.Column("host", sa.String(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("token", sa.String(), nullable=True),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("owner_host", sa.String(), nullable=True),
        sa.Column("owner_boot", sa.String(), nullable=True),
        sa.Column("owner_pid", sa.Integer(), nullable=True),
        sa.Column("owner_started", sa.Float(), nullable=True),
        sa.Column("lease_until", sa.Float(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("crashes", sa.Integer(), nullable=False),
        sa.Column("retry_at", sa.Float(), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("error", sa.String(), nullable=True),
        sa.Column("source_hash", sa.String(), nullable=True),
        sa.Column("done_hash", sa.String(), nullable=True),
        sa.Column("extractor", sa.String(), nullable=True),
        sa.Column("extractor_version", sa.Integer(), nullable=False),
        sa.Column("done_extractor", sa.String(), nullable=True),
        sa.Column("done_extractor_version", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("batch_id", sa.String(), nullable=True),
        sa.Column("run_id", sa.String(), nullable=True),
        sa.Column("priority", sa.Float(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("started_at", sa.Float(), nullable=True),
        sa.Column("finished_at", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("kind", "key", name=op.f("pk_jobs")),
    )
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.create_index("ix_jobs_kind_state", ["kind", "state", "retry_at"], unique=False)
        batch_op.create_index("ix_jobs_project", ["project_id"], unique=False)

    op.create_table(
        "log_files",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("agent", sa.String(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=True),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("mtime_ns", sa.BigInteger(), nullable=False),
        sa.Column("inode", sa.String(), nullable=False),
        sa.Column("reader_version", sa.Integer(), nullable=False),
        sa.Column("error", sa.String(), nullable=True),
        sa.Column("scanned_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("key", "host", name=op.f("pk_log_files")),
    )
    with op.batch_alter_table("log_files", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_log_files_thread_id"), ["thread_id"], unique=False)

    op.create_table(
        "model_batches",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("batch_id", sa.String(), nullable=True),
        sa.Column("endpoint", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("body_hash", sa.String(), nullable=False),
        sa.Column("custom_ids", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("submitted_at", sa.Float(), nullable=True),
        sa.Column("ended_at", sa.Float(), nullable=True),
        sa.Column("detail", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_model_batches")),
    )
    with op.batch_alter_table("model_batches", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_model_batches_batch_id"), ["batch_id"], unique=False)

    op.create_table(
        "model_calls",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=True),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("endpoint", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=True),
        sa.Column("project_id", sa.String(), nullable=True),
        sa.Column("stage", sa.String(), nullable=False),
        sa.Column("input_tokens", sa.Integer(), nullable=True),
        sa.Column("output_tokens", sa.Integer(), nullable=True),
        sa.Column("cache_write_tokens", sa.Integer(), nullable=True),
        sa.Column("cache_read_tokens", sa.Integer(), nullable=True),
        sa.Column("cost", sa.Float(), nullable=True),
        sa.Column("latency_s", sa.Float(), nullable=True),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("error", sa.String(), nullable=True),
        sa.Column("request_id", sa.String(), nullable=True),
        sa.Column("batch_id", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_model_calls")),
    )
    with op.batch_alter_table("model_calls", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_model_calls_at"), ["at"], unique=False)
        batch_op.create_index(batch_op.f("ix_model_calls_run_id"), ["run_id"], unique=False)

    op.create_table(
        "projects",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("root", sa.String(), nullable=True),
        sa.Column("remote", sa.String(), nullable=True),
        sa.Column("user_level", sa.Boolean(), nullable=False),
        sa.Column("visibility", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("excluded", sa.Boolean(), nullable=False),
        sa.Column("input_generation", sa.Integer(), nullable=False),
        sa.Column("consolidated_generation", sa.Integer(), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("next_entry", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("last_activity", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_projects")),
        sa.UniqueConstraint("key", name=op.f("uq_projects_key")),
    )
    op.create_table(
        "runs",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("owner_boot", sa.String(), nullable=False),
        sa.Column("owner_started", sa.Float(), nullable=False),
        sa.Column("extractor", sa.String(), nullable=False),
        sa.Column("flow_run_id", sa.String(), nullable=True),
        sa.Column("started_at", sa.Float(), nullable=False),
        sa.Column("finished_at", sa.Float(), nullable=True),
        sa.Column("counts", sa.JSON(), nullable=False),
        sa.Column("reasons", sa.JSON(), nullable=False),
        sa.Column("redactions", sa.JSON(), nullable=False),
        sa.Column("projects", sa.JSON(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_runs")),
    )
    op.create_table(
        "settings",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.Column("updated_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_settings")),
    )
    op.create_table(
        "tombstones",
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("hash", "project_id", name=op.f("pk_tombstones")),
    )
    op.create_table(
        "entries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("situation", sa.String(), nullable=False),
        sa.Column("standing", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("status_reason", sa.String(), nullable=False),
        sa.Column("status_at", sa.Float(), nullable=True),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("pinned", sa.Boolean(), nullable=False),
        sa.Column("hand_edited", sa.Boolean(), nullable=False),
        sa.Column("verbatim", sa.String(), nullable=False),
        sa.Column("summary_hidden", sa.Boolean(), nullable=False),
        sa.Column("confirmations", sa.Integer(), nullable=False),
        sa.Column("first_seen", sa.Float(), nullable=True),
        sa.Column("last_confirmed", sa.Float(), nullable=True),
        sa.Column("superseded_by", sa.Integer(), nullable=True),
        sa.Column("promoted_from", sa.String(), nullable=True),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.Column("helped", sa.Integer(), nullable=False),
        sa.Column("wrong", sa.Integer(), nullable=False),
        sa.Column("injected", sa.Integer(), nullable=False),
        sa.Column("last_used", sa.Float(), nullable=True),
        sa.Column("created_run", sa.String(), nullable=True),
        sa.Column("updated_run", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_entries_project_id_projects")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entries")),
        sa.UniqueConstraint("project_id", "number", name=op.f("uq_entries_project_id")),
    )
    with op.batch_alter_table("entries", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_entries_project_id"), ["project_id"], unique=False)

    op.create_table(
        "notes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("anchor", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_notes_project_id_projects")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notes")),
    )
    with op.batch_alter_table("notes", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_notes_project_id"), ["project_id"], unique=False)

    op.create_table(
        "skills",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("body", sa.String(), nullable=False),
        sa.Column("entries", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("hand_edited", sa.Boolean(), nullable=False),
        sa.Column("verbatim", sa.String(), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.Column("created_run", sa.String(), nullable=True),
        sa.Column("updated_run", sa.String(), nullable=True),
        sa.Column("updated_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_skills_project_id_projects")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_skills")),
        sa.UniqueConstraint("project_id", "name", name=op.f("uq_skills_project_id")),
    )
    with op.batch_alter_table("skills", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_skills_project_id"), ["project_id"], unique=False)

    op.create_table(
        "threads",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("agent", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("log_key", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=True),
        sa.Column("parent_session_id", sa.String(), nullable=True),
        sa.Column("cwd", sa.String(), nullable=True),
        sa.Column("branch", sa.String(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=True),
        sa.Column("model", sa.String(), nullable=True),
        sa.Column("started_at", sa.Float(), nullable=True),
        sa.Column("last_activity", sa.Float(), nullable=True),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.Column("items", sa.JSON(), nullable=False),
        sa.Column("dropped", sa.JSON(), nullable=False),
        sa.Column("unknown", sa.JSON(), nullable=False),
        sa.Column("turns_by_cwd", sa.JSON(), nullable=False),
        sa.Column("damaged", sa.Integer(), nullable=False),
        sa.Column("ignored", sa.Boolean(), nullable=False),
        sa.Column("forgotten", sa.Boolean(), nullable=False),
        sa.Column("missing", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("reason_detail", sa.String(), nullable=False),
        sa.Column("reason_at", sa.Float(), nullable=True),
        sa.Column("scanned_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_threads_project_id_projects")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_threads")),
    )
    with op.batch_alter_table("threads", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_threads_agent"), ["agent"], unique=False)
        batch_op.create_index(batch_op.f("ix_threads_last_activity"), ["last_activity"], unique=False)
        batch_op.create_index(batch_op.f("ix_threads_project_id"), ["project_id"], unique=False)

    op.create_table(
        "versions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=True),
        sa.Column("cause", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("published_at", sa.Float(), nullable=False),
        sa.Column("pruned", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_versions_project_id_projects")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_versions")),
        sa.UniqueConstraint("project_id", "number", name=op.f("uq_versions_project_id")),
    )
    with op.batch_alter_table("versions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_versions_project_id"), ["project_id"], unique=False)

    op.create_table(
        "artifacts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_artifacts_version_id_versions")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_artifacts")),
        sa.UniqueConstraint("version_id", "path", name=op.f("uq_artifacts_version_id")),
    )
    with op.batch_alter_table("artifacts", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_artifacts_version_id"), ["version_id"], unique=False)

    op.create_table(
        "evidence",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=True),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("agent", sa.String(), nullable=False),
        sa.Column("item", sa.Integer(), nullable=False),
        sa.Column("uid", sa.String(), nullable=True),
        sa.Column("item_kind", sa.String(), nullable=False),
        sa.Column("quote", sa.String(), nullable=False),
        sa.Column("quote_hash", sa.String(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("observed_at", sa.Float(), nullable=True),
        sa.Column("run_id", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["entry_id"], ["entries.id"], name=op.f("fk_evidence_entry_id_entries")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evidence")),
        sa.UniqueConstraint("entry_id", "thread_id", "item", "quote_hash", name=op.f("uq_evidence_entry_id")),
    )
    with op.batch_alter_table("evidence", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_evidence_entry_id"), ["entry_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_evidence_project_id"), ["project_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_evidence_thread_id"), ["thread_id"], unique=False)

    op.create_table(
        "stage_one_outputs",
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("source_hash", sa.String(), nullable=False),
        sa.Column("extractor", sa.String(), nullable=False),
        sa.Column("extractor_version", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("rollout_summary", sa.String(), nullable=False),
        sa.Column("raw_memory", sa.String(), nullable=False),
        sa.Column("memories", sa.JSON(), nullable=False),
        sa.Column("quarantined", sa.JSON(), nullable=False),
        sa.Column("rejected", sa.JSON(), nullable=False),
        sa.Column("redactions", sa.JSON(), nullable=False),
        sa.Column("session_started", sa.Float(), nullable=True),
        sa.Column("session_last_activity", sa.Float(), nullable=True),
        sa.Column("generated_at", sa.Float(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=True),
        sa.Column("pending", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_stage_one_outputs_project_id_projects")),
        sa.ForeignKeyConstraint(["thread_id"], ["threads.id"], name=op.f("fk_stage_one_outputs_thread_id_threads")),
        sa.PrimaryKeyConstraint("thread_id", name=op.f("pk_stage_one_outputs")),
    )
    with op.batch_alter_table("stage_one_outputs", schema=None) as batch_op:
        batch_op.create_index("ix_stage_one_outputs_newest", ["project_id", "session_last_activity"], unique=False)
        batch_op.create_index("ix_stage_one_outputs_pending", ["project_id", "pending"], unique=False)
