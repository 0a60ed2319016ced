"""A repository goes through twenty changes of identity, a session and a night after each: one project, one memory."""

from __future__ import annotations

import os
import shutil
import unicodedata
from collections.abc import Callable
from pathlib import Path

from tests.support.workshop import Workshop, git

STEPS = 20 if os.environ.get("SLOWWAVE_FULL") == "1" else 5
THINGS = [
    "apples",
    "anvils",
    "boats",
    "bells",
    "candles",
    "clocks",
    "drums",
    "desks",
    "eggs",
    "engines",
    "flags",
    "forks",
    "gloves",
    "gears",
    "hats",
    "hooks",
    "inks",
    "irons",
    "jars",
    "jackets",
]
Change = Callable[[Workshop, Path], Path]


def _git(*arguments: str) -> Change:
    def change(_: Workshop, root: Path) -> Path:
        git(root, *arguments)
        return root

    return change


def _move(name: str) -> Change:
    return lambda shop, root: Path(shutil.move(root, shop.folder / name))


def _commit(_: Workshop, root: Path) -> Path:
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", "more")
    return root


def _work_tree(shop: Workshop, root: Path) -> Path:
    tree = shop.folder / "hotfix"
    git(root, "worktree", "add", "-q", str(tree))
    return tree


def _back_from_tree(shop: Workshop, tree: Path) -> Path:
    root = Path(git(tree, "rev-parse", "--git-common-dir")).parent
    git(root, "worktree", "remove", "--force", str(tree))
    return root


def _clone(shop: Workshop, root: Path) -> Path:
    url = git(root, "remote", "get-url", "origin")
    clone = shop.folder / "second clone"
    git(shop.folder, "clone", "-q", f"file://{root}", str(clone))
    git(clone, "remote", "set-url", "origin", url)
    shutil.rmtree(root)
    return clone


def _no_repository(_: Workshop, root: Path) -> Path:
    shutil.rmtree(root / ".git")
    return root


def _parent_repository(_: Workshop, root: Path) -> Path:
    git(root.parent, "init", "-q", "-b", "main")
    git(root.parent, "commit", "-q", "--allow-empty", "-m", "the whole")
    return root


def _into_folder(shop: Workshop, root: Path) -> Path:
    (shop.folder / "group").mkdir()
    return Path(shutil.move(root, shop.folder / "group" / "ledger"))


def _decomposed(_: Workshop, root: Path) -> Path:
    return Path(unicodedata.normalize("NFD", str(root)))


def _amend(_: Workshop, root: Path) -> Path:
    git(root, "commit", "-q", "--amend", "--allow-empty", "-m", "the beginning, told otherwise")
    git(root, "reflog", "expire", "--expire=now", "--all")
    git(root, "gc", "-q", "--prune=now")
    return root


CHANGES: tuple[tuple[str, Change], ...] = (
    ("a remote is added", _git("remote", "add", "origin", "git@git.example:crew/ledger.git")),
    ("the folder moves", _move("moved")),
    ("the remote gets another address", _git("remote", "set-url", "origin", "https://forge.example/crew/ledger")),
    ("a work tree", _work_tree),
    ("the work tree is removed", _back_from_tree),
    ("a fork becomes origin", _git("remote", "set-url", "origin", "git@git.example:me/ledger.git")),
    ("the old one is upstream", _git("remote", "add", "upstream", "git@git.example:crew/ledger.git")),
    ("commits", _commit),
    ("objects are packed", _git("gc", "-q")),
    ("a second clone, the first is deleted", _clone),
    ("the remote is removed", _git("remote", "remove", "origin")),
    ("moved without a remote", _move("Gr\u00f6\u00dfe")),
    ("spelt with decomposed letters", _decomposed),
    ("the branch is renamed", lambda shop, root: _git("branch", "-m", "trunk")(shop, shop.folder / "Gr\u00f6\u00dfe")),
    ("the last commit is rewritten and the old one is gone", _amend),
    ("the git folder is deleted", _no_repository),
    ("git init and another remote", lambda shop, root: _commit(shop, _git("init", "-q", "-b", "main")(shop, root))),
    ("a remote again", _git("remote", "add", "origin", "ssh://git@git.example:22/crew/ledger2.git")),
    ("without repository, into a folder", lambda shop, root: _into_folder(shop, _no_repository(shop, root))),
    ("the folder above becomes the repository", _parent_repository),
)  # fmt: skip


def test_twenty_changes_in_sequence(tmp_path: Path) -> None:
    assert len(CHANGES) == len(THINGS) == 20
    shop = Workshop(tmp_path)
    root = shop.repository("ledger", files=("README", "setup", "main", "notes"))
    shop.session(root, "Always sort the nails by size.", days_ago=4)
    shop.night()
    (project,) = shop.projects()
    rules = ["Always sort the nails by size."]
    for (what, change), thing in list(zip(CHANGES, THINGS, strict=True))[:STEPS]:
        root = change(shop, root)
        told = shop.hook(root)
        assert rules[-1] in told, f"the hook serves before any scan: {what}"
        rules.append(f"Always put the {thing} on the shelf.")
        shop.session(root, rules[-1])
        shop.night()
        assert set(shop.projects()) == {project}, what
        assert rules[-1] in shop.hook(root), what
        print(f"{what}: one project, and the hook gives what was taught after it")
    memory = (Path(shop.projects()[project]["memory"]) / "MEMORY.md").read_text()
    assert [rule for rule in rules if rule not in memory] == []
    assert not any(row["name"] == "user" and row["entries"] for row in shop.last["projects"]), "nothing is promoted"
