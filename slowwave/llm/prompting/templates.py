"""Templates: every word a model is told and every file that is rendered comes from `prompts/memories/`.

A user's own folder (`memories.promptDir`) overrides single files. Wrong templates are reported with file and line
before any work starts: see `check_templates`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateSyntaxError, UndefinedError, meta
from jinja2 import TemplateError as JinjaError
from jinja2.exceptions import TemplateNotFound

from slowwave.errors import TemplateError

VARIABLES: dict[str, frozenset[str]] = {
    "MEMORY.md.j2": frozenset({"title", "marker", "preamble", "sections", "trailer"}),
    "memory_summary.md.j2": frozenset(
        {"title", "marker", "preamble", "entries", "open_work", "open_since", "trailer", "more", "skills"}
    ),
    "open_work.md.j2": frozenset({"name", "sessions"}),
    "SKILL.md.j2": frozenset({"name", "description", "body", "entries"}),
    "rollout_summary.md.j2": frozenset(
        {"title", "session_id", "agent", "date", "outcome", "branch", "entries", "summary"}
    ),
    "raw_memory.md.j2": frozenset({"thread_id", "outcome", "date", "memories"}),
    "read_path.md": frozenset({"memory_summary", "memory_root"}),
    "memory_flush_system.md": frozenset(),
    "memory_flush.md": frozenset({"today", "fence", "transcript"}),
    "compression_system.md": frozenset(),
    "compression.md": frozenset({"summary", "fence", "transcript"}),
    "session_extract_system.md": frozenset(),
    "session_extract.md": frozenset({"fence", "turn_json"}),
    "answer_shape.md": frozenset({"shape"}),
    "answer_repair.md": frozenset({"complaint", "shape"}),
    "stage_one_system.md": frozenset(),
    "stage_one_input.md": frozenset(
        {"thread_id", "part", "parts", "fence", "session_json", "notes_json", "response_items_json"}
    ),
    "consolidation_system.md": frozenset(),
    "consolidation.md": frozenset(
        {
            "step",
            "steps",
            "fence",
            "project_json",
            "standing_entries",
            "user_edits",
            "key_facts",
            "skills",
            "rollout_summaries",
            "raw_memories",
        }
    ),
}
"""What each template is given. A template may use less, never more."""


def prompts_folder() -> Path:
    """The shipped templates: package data in an installed wheel, the repository's folder in a checkout."""
    package = Path(__file__).resolve().parent.parent.parent
    shipped = package / "_data" / "prompts" / "memories"
    return shipped if shipped.is_dir() else package.parent / "prompts" / "memories"


@lru_cache(maxsize=8)
def environment(prompt_dir: str | None = None) -> Environment:
    """The Jinja environment: the user's folder first, then the shipped one; an unknown variable is an error."""
    folders = [prompts_folder()] if prompt_dir is None else [Path(prompt_dir).expanduser(), prompts_folder()]
    return Environment(
        loader=FileSystemLoader(folders),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def render(name: str, prompt_dir: str | None = None, /, **variables: object) -> str:
    """Render a template.

    Raises:
        TemplateError: with the file and line.
    """
    try:
        return environment(prompt_dir).get_template(name).render(**variables)
    except JinjaError as error:
        raise _explained(name, prompt_dir, error) from error


def check_templates(prompt_dir: str | None = None) -> None:
    """Parse every template and compare its variables with those that it will be given.

    Raises:
        TemplateError: with the file, the line and what is available.
    """
    if prompt_dir is not None and not Path(prompt_dir).expanduser().is_dir():
        raise TemplateError(f"memories.promptDir: {prompt_dir} is no folder", hint="Create it or remove the setting.")
    jinja = environment(prompt_dir)
    loader = jinja.loader
    for name, given in sorted(VARIABLES.items()):
        try:
            source = loader.get_source(jinja, name)[0] if loader is not None else ""
            parsed = jinja.parse(source, name)
            for included in meta.find_referenced_templates(parsed):
                if included is not None:
                    jinja.get_template(included)
            unknown = sorted(meta.find_undeclared_variables(parsed) - given)
        except JinjaError as error:
            raise _explained(name, prompt_dir, error) from error
        if unknown:
            line = _first_line(source, unknown[0])
            raise TemplateError(
                f"{_path(name, prompt_dir)}:{line}: unknown variable {unknown[0]}",
                hint=f"{name} is given: {', '.join(sorted(given)) or 'nothing'}.",
            )


def templates_hash(names: Iterable[str], prompt_dir: str | None = None) -> str:
    """Hash of the sources of some templates: a changed prompt is a changed selection."""
    jinja = environment(prompt_dir)
    digest = hashlib.sha256()
    for name in sorted(names):
        source = jinja.loader.get_source(jinja, name)[0] if jinja.loader is not None else ""
        digest.update(name.encode() + b"\0" + source.encode() + b"\0")
    return digest.hexdigest()


def _first_line(source: str, variable: str) -> int:
    return next((number for number, line in enumerate(source.split("\n"), 1) if variable in line), 1)


def _path(name: str, prompt_dir: str | None) -> Path:
    if prompt_dir is not None and (own := Path(prompt_dir).expanduser() / name).is_file():
        return own
    return prompts_folder() / name


def _explained(name: str, prompt_dir: str | None, error: JinjaError) -> TemplateError:
    path = _path(name, prompt_dir)
    if isinstance(error, TemplateNotFound):
        return TemplateError(f"{path}: there is no template {error.name}", hint="Reinstall, or correct the include.")
    if isinstance(error, TemplateSyntaxError):
        return TemplateError(f"{path}:{error.lineno}: {error.message}", hint="Correct the template's syntax.")
    if isinstance(error, UndefinedError):
        return TemplateError(f"{path}: {error.message}", hint="Use only the variables that the template is given.")
    return TemplateError(f"{path}: {error}", hint="Correct the template.")
