"""The settings model: `config.yml` in `$SLOWWAVE_HOME` plus environment variables.

Keys are camelCase in the file (`memories.maxRolloutAgeDays`) and upper snake case in the environment, with two
underscores between levels (`SLOWWAVE_MEMORIES__MAX_ROLLOUT_AGE_DAYS`). The environment wins over the file.
`slowwave.settings_file` loads, explains and edits.
"""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator
from pydantic.alias_generators import to_camel

from slowwave.errors import ConfigError
from slowwave.scheduling.calendar import parse_cron

Effort = Literal["none", "low", "medium", "high", "xhigh", "max"]
Share = Annotated[float, Field(gt=0, le=1)]


class Group(BaseModel):
    """Base of all groups: camelCase keys, unknown ones refused."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, alias_generator=to_camel, populate_by_name=True, validate_default=True
    )


def _known_zone(name: str | None) -> str | None:
    if name is not None:
        try:
            ZoneInfo(name)
        except (KeyError, ValueError, OSError) as error:
            raise ValueError(f"{name!r} is not a time zone; use a name such as Europe/London") from error
    return name


def _web_address(url: str | None) -> str | None:
    if url is not None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url!r} is not a web address; use one such as http://localhost:11434")
    return url


def _cron_expression(text: str) -> str:
    try:
        parse_cron(text)
    except ConfigError as error:
        raise ValueError(str(error)) from error
    return text


class MemoriesSettings(Group):
    """The nightly pipeline."""

    enabled: bool = Field(False, description="Master switch of scheduled runs; `slowwave run` by hand works without.")
    max_rollout_age_days: float = Field(30, gt=0, le=3650, description="Older sessions are not extracted.")
    min_rollout_idle_hours: float = Field(12, ge=0, le=720, description="More recently active sessions wait.")
    max_rollouts_per_startup: int = Field(64, ge=1, le=100_000, description="Sessions extracted in one run at most.")
    summary_injection_token_limit: int = Field(5000, ge=100, le=50_000, description="Tokens of summary given at start.")
    thread_scan_limit: int = Field(5000, ge=1, description="Sessions considered in one run, newest first.")
    stage1_concurrency: int = Field(8, ge=1, le=256, description="Model calls of stage one at the same time.")
    max_running_extractions: int = Field(64, ge=1, description="Live extraction claims on all hosts together.")
    stage2_concurrency: int = Field(4, ge=1, le=64, description="Projects consolidated at the same time.")
    stage1_lease_seconds: float = Field(600, ge=5, le=86_400, description="Lease of an extraction claim.")
    stage2_lease_seconds: float = Field(600, ge=5, le=86_400, description="Lease of a project's consolidation.")
    heartbeat_share: float = Field(0.25, gt=0, le=0.25, description="Heartbeat interval as a share of the lease.")
    max_attempts: int = Field(4, ge=1, le=100, description="Failures until a job is dead.")
    max_crashes: int = Field(8, ge=1, le=100, description="Crashes of the owner until a job is dead.")
    retry_base_seconds: float = Field(120, ge=0, description="First delay after a failure; it doubles each time.")
    retry_max_seconds: float = Field(86_400, ge=1, description="Longest delay after a failure.")
    exclude: tuple[str, ...] = Field((), description="Globs of paths, project names or session ids never read.")
    readers: tuple[str, ...] | None = Field(None, description="Agents whose logs are read; null means all.")
    batch: bool = Field(False, description="Send extractions as Message Batches: half the price, up to a day.")
    batch_size: int | None = Field(
        None, ge=1, le=1000, description="Sessions in one Prefect task; by default 64, with Dask 8 to 64."
    )
    task_runner: Literal["threads", "dask"] = Field("threads", description="How the extract flow spreads its tasks.")
    dask_address: str | None = Field(None, description="Scheduler of an existing Dask cluster.")
    max_raw_memories_for_consolidation: int = Field(
        256, ge=1, le=4096, description="Newest sessions in rollout_summaries/."
    )
    open_work_days: float = Field(14.0, gt=0, description="Days that what a session left open is shown.")
    consolidation_token_limit: int = Field(40_000, ge=2000, description="Prompt tokens of one step of stage two.")
    max_unconfirmed_days: float | None = Field(None, gt=0, description="Retire entries not confirmed for so long.")
    max_entry_loss_share: Share = Field(0.25, description="Share of standing entries one run may lose.")
    max_entries_per_section: int = Field(60, ge=1, le=1000, description="Entries of a section in MEMORY.md.")
    max_skills: int = Field(20, ge=0, le=200, description="Generated skills of a project.")
    keep_versions: int = Field(50, ge=1, le=10_000, description="Published versions kept on disk and in the database.")
    prompt_dir: str | None = Field(None, description="Folder whose templates override those of prompts/memories.")
    time_zone: str | None = Field(None, description="Zone of dates in files; null means the machine's.")

    _zone = field_validator("time_zone")(_known_zone)


class CapabilitySettings(Group):
    """What an endpoint can do; null means: probe it."""

    structured_output: bool | None = Field(None, description="The endpoint enforces a JSON schema.")
    count_tokens: bool | None = Field(None, description="The endpoint counts tokens.")
    batches: bool | None = Field(None, description="The endpoint takes Message Batches.")
    caching: bool | None = Field(None, description="The endpoint caches prompts.")
    effort: bool | None = Field(None, description="The endpoint takes a reasoning effort.")
    thinking: bool | None = Field(None, description="The endpoint lets thinking be switched off.")
    system_list: bool | None = Field(None, description="The endpoint takes the system text as a list of blocks.")
    bearer: bool | None = Field(None, description="The key goes as a bearer token; false: as x-api-key.")


class RoleSettings(Group):
    """A model role."""

    model: str | None = Field(None, description="Model id; null means the built-in default of the role.")
    effort: Effort | None = Field(None, description="Reasoning effort; none: the endpoint is not told of any.")
    max_output_tokens: int = Field(8000, ge=256, le=128_000, description="Output limit of one call.")
    input_tokens: int = Field(90_000, ge=2000, le=1_000_000, description="Prompt limit of one call.")
    base_url: str | None = Field(None, description="Endpoint that speaks the Anthropic Messages API.")
    api_key_env: str = Field("ANTHROPIC_API_KEY", description="Environment variable that holds the key.")
    timeout_seconds: float = Field(300, gt=0, le=3600, description="Deadline of one call, retries included.")
    capabilities: CapabilitySettings = Field(default_factory=CapabilitySettings)

    _address = field_validator("base_url")(_web_address)


class ModelsSettings(Group):
    """Model roles: `default` extracts, `smol` consolidates and falls back to `default`."""

    provider: Literal["auto", "offline", "anthropic", "claude-code", "codex", "gemini"] = Field(
        "auto",
        description="auto: a key, else a base URL, else an agent whose use was accepted, else the offline extractor."
        " claude-code, codex, gemini: the agent that you are logged in to answers, included in its plan.",
    )
    agent_arguments: tuple[str, ...] = Field((), description="Further arguments for that agent's command line.")
    default: RoleSettings = Field(default_factory=RoleSettings)
    smol: RoleSettings | None = None


class Limits(Group):
    """Upper bounds; null means none."""

    calls: int | None = Field(None, ge=0, description="Model calls.")
    input_tokens: int | None = Field(None, ge=0, description="Prompt tokens.")
    output_tokens: int | None = Field(None, ge=0, description="Answer tokens.")
    seconds: float | None = Field(None, ge=0, description="Wall time in seconds.")
    dollars: float | None = Field(None, ge=0, description="Money in US dollars.")


class BudgetSettings(Group):
    """What a run and a day may cost."""

    per_run: Limits = Field(
        default_factory=lambda: Limits(calls=500, input_tokens=20_000_000, seconds=4 * 3600, dollars=2.0)
    )
    per_day: Limits = Field(default_factory=lambda: Limits(calls=2000, input_tokens=60_000_000, dollars=5.0))


class DatabaseSettings(Group):
    """Where the pipeline's tables lie."""

    url: str | None = Field(None, description="postgresql://... for a team; null means SQLite in $SLOWWAVE_HOME.")
    share: Literal["explicit", "all"] = Field(
        "explicit", description="With a URL: share projects one by one (`slowwave share`), or keep everything there."
    )
    backup_days: float = Field(7, ge=0, le=365, description="A run backs the SQLite file up when so old; 0: never.")


class RedactionSettings(Group):
    """The secret scan."""

    pii: bool = Field(False, description="Also remove e-mail addresses, phone numbers and names of home folders.")
    timeout_seconds: float = Field(20, gt=0, le=600, description="Hard limit for the scan of one text.")
    workers: int | None = Field(None, ge=1, le=64, description="Scanner processes; null means one per two cores.")
    second_opinion: bool = Field(False, description="Stop a publish when kingfisher finds what we did not.")


class SessionSettings(Group):
    """The in-session layers."""

    enable_memory_flush: bool = Field(True, description="Save memories before a compaction.")
    memory_flush_soft_tokens: int = Field(4000, ge=0, description="How long before the compaction point.")
    context_window: int = Field(200_000, ge=1000, description="The host's context window in tokens.")
    reserve_tokens: int = Field(20_000, ge=0, description="Tokens the host keeps free for its answer.")
    compaction_trigger: int | None = Field(None, ge=1, description="Where the host compacts; null: window - reserve.")
    compression_tokens: int = Field(50_000, ge=1000, description="History size at which it is compressed.")
    trim_characters: int = Field(800, ge=100, description="History turns longer than this are trimmed.")
    pin_characters: int = Field(1000, ge=100, le=10_000, description="Characters of the task after a compaction.")
    fact_tokens: int = Field(150, ge=20, le=2000, description="Tokens of key facts in one turn.")
    recap_every_tokens: int = Field(8000, ge=0, description="Repeat a recap after so many tokens.")
    extract_with_model: bool = Field(False, description="Let the cheap role extract pins and facts in the background.")

    @model_validator(mode="after")
    def _flush_can_fire(self) -> SessionSettings:
        if not self.enable_memory_flush:
            return self
        compaction = self.compaction_trigger or self.context_window - self.reserve_tokens
        flush = self.context_window - self.reserve_tokens - self.memory_flush_soft_tokens
        if flush <= 0:
            raise ValueError(
                f"the memory flush would fire at {flush} tokens: contextWindow ({self.context_window}) must exceed"
                f" reserveTokens ({self.reserve_tokens}) + memoryFlushSoftTokens ({self.memory_flush_soft_tokens})"
            )
        if flush >= compaction:
            raise ValueError(
                f"the memory flush (at {flush} tokens) could never fire before the compaction (at {compaction}):"
                " raise memoryFlushSoftTokens or correct compactionTrigger"
            )
        return self


class ScheduleSettings(Group):
    """When nightly runs start."""

    cron: str = Field("0 3 * * *", description="Cron expression of the nightly run.")

    _cron = field_validator("cron")(_cron_expression)
    time_zone: str | None = Field(None, description="Zone of the schedule; null means the machine's.")

    _zone = field_validator("time_zone")(_known_zone)


class PrefectSettings(Group):
    """The Prefect server."""

    api_url: str | None = Field(None, description="A server of your own; null means the embedded one.")

    _address = field_validator("api_url")(_web_address)


class Settings(Group):
    """All settings. Build it with `slowwave.settings_file.load_settings`, which names wrong keys and their lines."""

    memories: MemoriesSettings = Field(default_factory=MemoriesSettings)
    models: ModelsSettings = Field(default_factory=ModelsSettings)
    budget: BudgetSettings = Field(default_factory=BudgetSettings)
    database: DatabaseSettings = Field(default_factory=DatabaseSettings)
    redaction: RedactionSettings = Field(default_factory=RedactionSettings)
    session: SessionSettings = Field(default_factory=SessionSettings)
    schedule: ScheduleSettings = Field(default_factory=ScheduleSettings)
    prefect: PrefectSettings = Field(default_factory=PrefectSettings)
