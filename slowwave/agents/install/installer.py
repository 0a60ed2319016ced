"""Install into an agent and undo it exactly.

An installation edits a few files; before each edit the old bytes are kept. Undoing gives a file that nobody touched
since its old bytes back, and takes our part out of one that somebody did.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from slowwave.agents.install.editors import (
    Editor,
    HookTable,
    MarkedBlock,
    OwnFile,
    Several,
    StatusLine,
    Version,
    is_ours,
)
from slowwave.agents.install.edits import Edit, apply_edits, digest, read_bytes, remove_empty
from slowwave.agents.install.integrations import Integration, Place, Way
from slowwave.agents.install.mcp_entries import mcp_editor
from slowwave.agents.install.receipts import (
    Receipt,
    Touched,
    all_receipts,
    backup,
    keep_backup,
    load_receipt,
    save_receipt,
)
from slowwave.agents.install.status_settings import has_own_status_line
from slowwave.errors import AgentIntegrationError


@dataclass(frozen=True, slots=True)
class Plan:
    """What a command would do: edits, the receipt that will stand afterwards, and what a person should know.

    `bases` are the bytes that the edited files go back to when the installation is undone.
    """

    agent: str
    place: Place
    edits: tuple[Edit, ...]
    receipt: Receipt
    notes: tuple[str, ...] = ()
    bases: tuple[bytes, ...] = ()

    @property
    def changes(self) -> tuple[Edit, ...]:
        """The edits that change anything."""
        return tuple(edit for edit in self.edits if edit.changes)


def targets(integration: Integration, place: Place, way: Way, *, block: str, mcp: bool) -> dict[Path, Editor]:
    """Files that an installation edits, and how. `block` is what the markdown way puts into the instructions."""
    found: dict[Path, Editor] = {}
    if way is Way.MARKDOWN:
        if (context := integration.context(place)) is not None:
            is_ours_alone = integration.context_is_ours(place)
            found[context] = OwnFile(integration.front + block, "rules") if is_ours_alone else MarkedBlock(block)
        found |= {path: OwnFile(content) for path, content in integration.beside(place).items()}
    elif integration.settings is not None:
        found[integration.settings(place)] = _settings_editor(integration, place)
    for path, content in integration.own_files(place).items():
        if way is Way.HOOKS or _is_command(path):
            found[path] = OwnFile(content)
    entry = mcp_editor(integration.agent, integration.config(place), place) if mcp else None
    if entry is not None:
        path, editor = entry
        found[path] = Several((found[path], editor)) if path in found else editor
    return found


def _settings_editor(integration: Integration, place: Place) -> Editor:
    hooks, line = HookTable(integration.hook_groups(place)), integration.status_line(place)
    if integration.agent == "cursor":
        return Several((Version(), hooks))
    return hooks if line is None else Several((hooks, StatusLine(line)))


def _is_command(path: Path) -> bool:
    """Whether one of our files is the slash command, which the markdown way offers too."""
    return path.suffix in (".md", ".toml") and path.name != "HOOK.md"


def plan_install(
    home: Path, integration: Integration, place: Place, way: Way, *, block: str = "", mcp: bool = False
) -> Plan:
    """Work out an installation without writing anything.

    Raises:
        AgentIntegrationError: a file cannot be edited safely, or the other way is installed already.
    """
    if way is Way.MARKDOWN and integration.context(place) is None:
        raise AgentIntegrationError(
            f"{integration.title} has no file for instructions of yours", hint="Use --project, or install its hooks."
        )
    before = load_receipt(home, integration.agent, place)
    if before is not None and before.way is not way:
        raise AgentIntegrationError(
            f"{integration.title} is installed with {before.way} here already",
            hint=f"Run `slowwave uninstall {integration.agent}` first.",
        )
    known = {touched.path: touched for touched in before.files} if before else {}
    edits: list[Edit] = []
    files: list[Touched] = []
    notes: list[str] = []
    bases: list[bytes] = []
    for path, editor in targets(integration, place, way, block=block, mcp=mcp).items():
        current = read_bytes(path)
        touched = known.get(str(path))
        if isinstance(editor, OwnFile) and _is_a_persons(current, touched):
            notes.append(f"{path} is not ours and was left as it is")
            continue
        base = _base(home, path, current, touched, editor)
        after = _edited(path, base, editor.add)
        edits.append(Edit(path, current, after))
        bases += [base] if base is not None else []
        files.append(Touched(str(path), editor.kind, digest(base), str(digest(after))))
        if way is Way.HOOKS and _keeps_status_line(integration, place, path, after):
            notes.append(f"{path} has a status line of your own, which was left as it is")
    if integration.trust and way is Way.HOOKS:
        notes.append(integration.trust)
    folders = before.folders if before else ()
    receipt = Receipt(
        integration.agent,
        place.scope,
        str(place.folder),
        way,
        skills=str(integration.skills(place)),
        at=before.at if before else round(time.time(), 3),
        files=tuple(files),
        folders=folders,
    )
    return Plan(integration.agent, place, tuple(edits), receipt, tuple(notes), tuple(bases))


def _keeps_status_line(integration: Integration, place: Place, path: Path, settings: bytes) -> bool:
    """Whether ours would stand in this file if the person had none."""
    if integration.settings is None or path != integration.settings(place) or integration.status_line(place) is None:
        return False
    return has_own_status_line(settings.decode())


def _is_a_persons(current: bytes | None, touched: Touched | None) -> bool:
    if current is None or (touched is not None and digest(current) == touched.after):
        return False
    return not is_ours(current.decode("utf-8", "replace"))


def _base(home: Path, path: Path, current: bytes | None, touched: Touched | None, editor: Editor) -> bytes | None:
    """The file as it is without us: its old bytes where nobody touched it since, else our part taken out."""
    if current is None or isinstance(editor, OwnFile):
        return None
    if touched is not None and digest(current) == touched.after:
        return backup(home, touched.before) if touched.before else None
    return _edited(path, current, editor.take_out)


def _edited(path: Path, content: bytes | None, edit: Callable[[str], str]) -> bytes:
    """Apply an editor to a file's bytes; its complaints name the file."""
    try:
        return edit((content or b"").decode("utf-8")).encode()
    except UnicodeDecodeError as error:
        raise AgentIntegrationError(f"{path} is not UTF-8 text", hint="Nothing was changed.") from error
    except AgentIntegrationError as error:
        raise AgentIntegrationError(f"{path}: {error}", hint=error.hint) from error


def carry_out(home: Path, plan: Plan) -> None:
    """Keep backups, write the edits, then the receipt.

    Raises:
        AgentIntegrationError: nothing was changed, and why.
    """
    for base in plan.bases:
        keep_backup(home, base)
    made = apply_edits(plan.edits)
    folders = tuple(dict.fromkeys([*plan.receipt.folders, *map(str, made)]))
    save_receipt(home, replace(plan.receipt, folders=folders), plan.place)


def plan_uninstall(home: Path, integration: Integration, place: Place) -> Plan:
    """Work out how to undo an installation; without a receipt our parts are found by their form.

    Raises:
        AgentIntegrationError: a file cannot be edited safely.
    """
    receipt = load_receipt(home, integration.agent, place)
    edits: list[Edit] = []
    notes: list[str] = []
    editors = _known_editors(integration, place)
    if receipt is None:
        files = tuple(Touched(str(path), editor.kind, None, "") for path, editor in editors.items())
    else:
        files = tuple(reversed(receipt.files))
    shared = _paths_of_others(home, integration.agent, place)
    for touched in files:
        path = Path(touched.path)
        current = read_bytes(path)
        if current is None or touched.path in shared:
            continue
        after, note = _undone(home, path, current, touched, editors.get(path))
        edits.append(Edit(path, current, after))
        notes += [note] if note else []
    empty = Receipt(
        integration.agent,
        place.scope,
        str(place.folder),
        receipt.way if receipt else Way.HOOKS,
        skills=receipt.skills if receipt else str(integration.skills(place)),
        folders=receipt.folders if receipt else (),
    )
    return Plan(integration.agent, place, tuple(edits), empty, tuple(notes))


def _known_editors(integration: Integration, place: Place) -> dict[Path, Editor]:
    """Every file that any way of installation may have edited, with how to take our part out."""
    block = targets(integration, place, Way.MARKDOWN, block="", mcp=True)
    return block | (targets(integration, place, Way.HOOKS, block="", mcp=True) if integration.has_hooks else {})


def _paths_of_others(home: Path, agent: str, place: Place) -> set[str]:
    """Files that another agent's installation needs too, such as one AGENTS.md for several agents."""
    return {
        touched.path
        for receipt in all_receipts(home)
        if (receipt.agent, receipt.scope, receipt.folder) != (agent, place.scope, str(place.folder))
        for touched in receipt.files
    }


def _undone(
    home: Path, path: Path, current: bytes, touched: Touched, editor: Editor | None
) -> tuple[bytes | None, str]:
    """A file as it was before us, and a note where that is not exactly possible."""
    if digest(current) == touched.after:
        return (backup(home, touched.before) if touched.before else None), ""
    if touched.kind in ("own", "rules"):
        if touched.after == "" and is_ours(current.decode("utf-8", "replace")):
            return None, ""
        return current, "" if touched.after == "" else f"{path} was changed by somebody and was left"
    if editor is None:
        return current, f"{path} was changed by somebody and was left"
    after = _edited(path, current, editor.take_out)
    if touched.after and touched.before is None and after.decode().strip() in ("", "{}"):
        return None, ""
    return after, ""


def undo(home: Path, plan: Plan) -> None:
    """Carry out a plan to uninstall: write the edits, remove folders that we made and the receipt.

    Raises:
        AgentIntegrationError: nothing was changed, and why.
    """
    apply_edits(plan.edits)
    remove_empty([Path(folder) for folder in plan.receipt.folders])
    save_receipt(home, replace(plan.receipt, files=()), plan.place)
    _hand_on(home, [folder for folder in plan.receipt.folders if Path(folder).is_dir()])


def _hand_on(home: Path, folders: list[str]) -> None:
    """Folders that we made and that another installation still needs go with that one."""
    for receipt in all_receipts(home):
        theirs = [folder for folder in folders if any(Path(one.path).is_relative_to(folder) for one in receipt.files)]
        if theirs:
            place = Place(receipt.scope, Path(receipt.folder))
            save_receipt(home, replace(receipt, folders=tuple(dict.fromkeys([*theirs, *receipt.folders]))), place)
