"""Compile what hooks inject: `hooks/index.json` and one ready block per project, after each publish and configuration.

A hook has neither the time nor the imports for settings, database, templates and secret scan, so all of that happens
here and a hook only reads two small files.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sqlalchemy import Engine
from sqlmodel import Session

from slowwave.agents.hook.index import DAY, HookIndex, LastRun, index_json, read_index
from slowwave.agents.install.markdown import refresh_markdown
from slowwave.agents.install.skills import export_all
from slowwave.errors import AgentIntegrationError, RedactionError, SlowwaveError
from slowwave.llm.prompting.templates import render, templates_hash
from slowwave.memories.consolidation.promotion import hidden_numbers_in, user_lines_in
from slowwave.memories.discovery.exclusion import matches
from slowwave.memories.projects.books import book_in
from slowwave.memories.projects.stores import SHARED
from slowwave.memories.reading.edited import FILES, Published
from slowwave.memories.reading.read_path import render_block
from slowwave.memories.reading.usage import fold_injected
from slowwave.paths import hook_index_file, injection_file, memory_root, published_file
from slowwave.private import make_private_folder, renew_private
from slowwave.redaction.api import redact
from slowwave.rollouts.identity.book import Book
from slowwave.settings import Settings
from slowwave.storage.engine import reading
from slowwave.storage.project_keys import projects_in
from slowwave.storage.published.versions import published_texts
from slowwave.storage.queries.runs import last_finished_run
from slowwave.storage.tables import Project, Setting
from slowwave.text.ids import id_of_line

SUMMARY = "memory_summary.md"
MAX_SUMMARY = 64 * 1024
SEEN_DAYS = 60
TEMPLATE = "read_path.md"


@dataclass(frozen=True, slots=True)
class Compiled:
    """What a compilation did. `blocks` are the ids of the projects that have a block now, `problems` one line for each
    project whose block could not be made (it then has none: an unchecked text is never injected) and for each
    installation that could not be renewed."""

    blocks: tuple[str, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Source:
    """What every block of one compilation is made from."""

    home: Path
    prompt_dir: str | None
    token_limit: int
    user_summary: str

    def root(self, project: Project) -> str:
        """Where the project's live files lie."""
        return str(memory_root(self.home, project.slug, project.id) / "current")


def compile_hooks(
    home: Path, engine: Engine, settings: Settings, *, more: Sequence[Engine] = (), now: float | None = None
) -> Compiled:
    """Write the index and the blocks, drop blocks of projects without memory, count what was injected meanwhile.

    To be called after each publish, each clear and each change of settings. Files are replaced atomically and only when
    their bytes change. `more` are further stores (a team's) whose projects are read here too; `now` is in seconds since
    the epoch.

    Raises:
        TemplateError: read_path.md does not load.
        RedactionError: the user-level summary could not be scanned.
        OSError: the home folder cannot be written.
    """
    now = time.time() if now is None else now
    make_private_folder(home / "hooks")
    with reading(engine) as session:
        book = book_in(session)
        setting = session.get(Setting, SHARED)
        shared = frozenset(setting.value["ids"]) if setting is not None and more else frozenset()
        wide = user_lines_in(session)
    projects: list[Project] = []
    files: dict[str, dict[str, bytes]] = {}
    runs: list[LastRun] = []
    hidden: dict[str, frozenset[int]] = {}
    for store in (engine, *more):
        with reading(store) as session:
            found = [row for row in projects_in(session) if (row.id in shared) == (store is not engine)]
            projects += found
            files |= {project.id: _published_files(session, project) for project in found}
            hidden |= {project.id: hidden_numbers_in(session, project.id, wide) for project in found}
            if (run := _last_run(session)) is not None:
                runs.append(run)
    last_run = max(runs, key=lambda run: run.at, default=None)
    excluded = {project.id for project in projects if is_excluded(project, settings.memories.exclude)}
    user = next((project for project in projects if project.user_level and project.id not in excluded), None)
    source = _Source(
        home=home,
        prompt_dir=settings.memories.prompt_dir,
        token_limit=settings.memories.summary_injection_token_limit,
        user_summary=_clean_summary(user, files[user.id] or _from_disk(home, user)) if user else "",
    )
    blocks: list[str] = []
    problems: list[str] = []
    for project in projects:
        if project.id in excluded:
            continue
        try:
            if project.version and not files[project.id]:
                files[project.id] = _from_disk(home, project)
            user_part = without_lines(source.user_summary, hidden.get(project.id, frozenset()))
            block = _block(replace(source, user_summary=user_part), project, files[project.id])
        except (SlowwaveError, OSError) as error:
            problems.append(f"{project.name}: {error}")
            continue
        if block:
            published = Published(source.root(project), files[project.id], source.token_limit)
            renew_private(published_file(home, project.id), published.to_json())
            renew_private(injection_file(home, project.id), block.encode())
            blocks.append(project.id)
    _drop_other_blocks(home, blocks)
    _write_index(home, settings, projects, book, excluded, shared, user, last_run, now)
    problems += _hand_out(home)
    fold_injected(home, (engine, *more))
    _prune_seen(home, now)
    return Compiled(tuple(blocks), tuple(problems))


def without_lines(summary: str, numbers: frozenset[int]) -> str:
    """A summary without the lines of some entries."""
    if not numbers:
        return summary
    gone = {f"m{number}" for number in numbers}
    return "".join(line for line in summary.splitlines(keepends=True) if id_of_line(line.rstrip("\n")) not in gone)


def is_excluded(project: Project, patterns: tuple[str, ...]) -> bool:
    """Tell whether a project is excluded, by itself or by `memories.exclude`."""
    names = (project.name, project.slug, project.id)
    return project.excluded or matches(patterns, paths=[project.root], names=names) is not None


def _clean_summary(project: Project, files: Mapping[str, bytes]) -> str:
    """The published summary, a secret in it replaced; empty without one.

    Raises:
        RedactionError: the scan failed.
    """
    text = files.get(SUMMARY, b"")[:MAX_SUMMARY].decode("utf-8", "replace")
    if not text:
        return ""
    result = redact(text)
    if result.failed:
        raise RedactionError(f"the summary of {project.name} could not be scanned for secrets")
    return result.text


def _published_files(session: Session, project: Project) -> dict[str, bytes]:
    """What was published of a project, whatever stands in its live files now."""
    if project.version == 0:
        return {}
    return published_texts(session, project.id, project.version, FILES)


def _from_disk(home: Path, project: Project) -> dict[str, bytes]:
    """The live files of a version that the database does not have."""
    folder = memory_root(home, project.slug, project.id) / "current"
    return {path: (folder / path).read_bytes() for path in FILES if (folder / path).exists()}


def _block(source: _Source, project: Project, files: Mapping[str, bytes]) -> str:
    """The ready block of one project. That of the user level serves folders without a memory of their own."""
    own = "" if project.user_level else _clean_summary(project, files)
    if not own and not project.user_level:
        return ""
    root = source.root(project)
    template = templates_hash([TEMPLATE], source.prompt_dir)
    parts = (own, source.user_summary, template, root, str(source.token_limit))
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:8]
    return render_block(
        own,
        render=lambda summary: render(TEMPLATE, source.prompt_dir, memory_summary=summary, memory_root=root),
        version=f"{project.version}-{digest}",
        token_limit=source.token_limit,
        user_summary=source.user_summary,
    )


def _last_run(session: Session) -> LastRun | None:
    """The newest run that is over. One that is under way says nothing yet."""
    run = last_finished_run(session)
    if run is None or run.finished_at is None:
        return None
    return LastRun(str(run.status), round(run.finished_at, 3), run.message)


def _write_index(
    home: Path,
    settings: Settings,
    projects: list[Project],
    book: Book,
    excluded: set[str],
    shared: frozenset[str],
    user: Project | None,
    last_run: LastRun | None,
    now: float,
) -> None:
    try:
        before = read_index(home).enabled_at
    except (OSError, ValueError, KeyError, TypeError):
        # A damaged index is replaced; only the time since when Slowwave is enabled is lost with it.
        before = 0.0
    enabled = settings.memories.enabled
    index = HookIndex(
        enabled=enabled,
        enabled_at=(before or round(now, 3)) if enabled else 0.0,
        user_project=user.id if user else None,
        last_run=last_run,
        projects={
            project.id: {
                "key": project.key,
                "slug": project.slug,
                "name": project.name,
                "root": project.root,
                "version": project.version,
                "excluded": project.id in excluded,
                "shared": project.id in shared,
                "keys": book.projects[project.id].to_json() if project.id in book.projects else {},
            }
            for project in projects
        },
        session={**settings.session.model_dump(mode="json"), "time_zone": settings.memories.time_zone},
    )
    renew_private(hook_index_file(home), index_json(index))


def _hand_out(home: Path) -> list[str]:
    """Renew what installations have put into agents' folders: blocks of the markdown way and copies of skills."""
    try:
        problems = refresh_markdown(home)
        export_all(home)
    except AgentIntegrationError as error:
        return [str(error)]
    return problems


def _drop_other_blocks(home: Path, blocks: list[str]) -> None:
    kept = {file(home, project_id).name for project_id in blocks for file in (injection_file, published_file)}
    for pattern in ("*.md", "*.published.json"):
        for path in (home / "hooks").glob(pattern):
            if path.name not in kept:
                path.unlink(missing_ok=True)


def _prune_seen(home: Path, now: float) -> None:
    """Forget which block a session was given once nobody will resume it."""
    for path in (home / "hooks" / "seen").glob("*"):
        if path.stat().st_mtime < now - SEEN_DAYS * DAY:
            path.unlink(missing_ok=True)
