"""The way without hooks: the memory as a marked block, or a rules file, that is renewed at each publish."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from slowwave.agents.blocks import block_of, with_block
from slowwave.agents.hook.index import read_index
from slowwave.agents.install.edits import Edit, apply_edits, digest, read_bytes
from slowwave.agents.install.integrations import INTEGRATIONS, Place, Scope, Way
from slowwave.agents.install.receipts import Receipt, Touched, all_receipts, save_receipt
from slowwave.errors import AgentIntegrationError
from slowwave.memories.reading.read_path import cut_block
from slowwave.paths import injection_file
from slowwave.rollouts.identity.places import look
from slowwave.rollouts.identity.projects import project_for

# Codex reads 32 KiB of AGENTS.md files in all, and whole files of instructions cost tokens in every session.
LIMIT_BYTES = 6000
NOTHING_YET = "Slowwave has no memory of this project yet."


def project_at(home: Path, place: Place) -> str | None:
    """Id of the project whose memory a place shows: the repository's, or the user level's."""
    if place.scope is Scope.PROJECT:
        return project_for(look(str(place.folder)), read_index(home).book(), strict=True).id
    return read_index(home).user_project


def markdown_block(home: Path, place: Place) -> str:
    """What stands between the marks: the compiled block within 6,000 bytes, or a line that there is none yet."""
    project = project_at(home, place)
    try:
        block = injection_file(home, project).read_text(encoding="utf-8") if project else ""
    except FileNotFoundError:
        block = ""
    shorter = cut_block(block, lambda text: len(text.encode()) <= LIMIT_BYTES) if block else ""
    return shorter or NOTHING_YET


def refresh_markdown(home: Path) -> list[str]:
    """Renew every block and rules file that an installation put somewhere; return one line for each that failed.

    A block that a person took out, or a rules file that they changed or removed, stays as they left it.
    """
    problems: list[str] = []
    for receipt in all_receipts(home):
        if receipt.way is not Way.MARKDOWN:
            continue
        place = Place(receipt.scope, Path(receipt.folder))
        try:
            _refresh(home, receipt, place)
        except (AgentIntegrationError, OSError) as error:
            problems.append(f"{receipt.agent}: {error}")
    return problems


def _refresh(home: Path, receipt: Receipt, place: Place) -> None:
    content = markdown_block(home, place)
    front = INTEGRATIONS[receipt.agent].front if receipt.agent in INTEGRATIONS else ""
    edits: list[Edit] = []
    files: list[Touched] = []
    for touched in receipt.files:
        path = Path(touched.path)
        edit = _edit(path, touched, front + content if touched.kind == "rules" else content)
        files.append(touched)
        if edit is None or not edit.changes:
            continue
        edits.append(edit)
        if digest(edit.before) == touched.after:
            files[-1] = replace(touched, after=str(digest(edit.after)))
    if edits:
        apply_edits(edits)
        save_receipt(home, replace(receipt, files=tuple(files)), place)


def _edit(path: Path, touched: Touched, content: str) -> Edit | None:
    current = read_bytes(path)
    if current is None:
        return None
    if touched.kind == "rules":
        return Edit(path, current, content.encode()) if digest(current) == touched.after else None
    if touched.kind == "block":
        text = current.decode("utf-8", "surrogateescape")
        if block_of(text) is None:
            return None
        return Edit(path, current, with_block(text, content).encode("utf-8", "surrogateescape"))
    return None
