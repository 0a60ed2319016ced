"""Ordinary changes of a repository: one project, one memory, and the agent that starts there is given it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.workshop import Workshop, git

FIRST, SECOND = "Always run the linter before you push.", "Never edit the generated tables by hand."
Change = Callable[[Workshop, Path], Path]


def add_remote(_: Workshop, root: Path) -> Path:
    git(root, "remote", "add", "origin", "git@git.example:crew/ledger.git")
    return root


def set_url(_: Workshop, root: Path) -> Path:
    git(root, "remote", "set-url", "origin", "https://other.example/new/place.git")
    return root


def remove_remote(_: Workshop, root: Path) -> Path:
    git(root, "remote", "remove", "origin")
    return root


def fork(_: Workshop, root: Path) -> Path:
    git(root, "remote", "rename", "origin", "upstream")
    git(root, "remote", "add", "origin", "git@git.example:me/ledger.git")
    return root


def move(_: Workshop, root: Path) -> Path:
    return Path(shutil.move(root, root.with_name("elsewhere")))


def begin_repository(_: Workshop, root: Path) -> Path:
    git(root, "init", "-q", "-b", "main")
    git(root, "remote", "add", "origin", "git@git.example:crew/plain.git")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "begin")
    return root


def parent_becomes_repository(_: Workshop, root: Path) -> Path:
    git(root.parent, "init", "-q", "-b", "main")
    git(root.parent, "commit", "-q", "--allow-empty", "-m", "begin")
    return root


def drop_history(_: Workshop, root: Path) -> Path:
    shutil.rmtree(root / ".git")
    return root


def plain(shop: Workshop) -> Path:
    root = shop.folder / "group" / "plain"
    root.mkdir(parents=True)
    (root / "notes.txt").write_text("x")
    (root / "plan.txt").write_text("y")
    return root


def local(shop: Workshop) -> Path:
    return shop.repository("ledger")


def known(shop: Workshop) -> Path:
    return shop.repository("ledger", "git@git.example:crew/ledger.git")


@pytest.mark.parametrize(
    ("begin", "change"),
    [
        pytest.param(local, add_remote, id="remote-added"),
        pytest.param(known, set_url, id="remote-changed"),
        pytest.param(known, remove_remote, id="remote-removed"),
        pytest.param(known, fork, id="fork-becomes-origin"),
        pytest.param(local, move, id="moved-without-remote"),
        pytest.param(known, move, id="moved-with-remote"),
        pytest.param(plain, move, id="plain-folder-moved"),
        pytest.param(plain, begin_repository, id="git-init-with-remote"),
        pytest.param(plain, parent_becomes_repository, id="parent-becomes-the-repository"),
        pytest.param(known, drop_history, id="git-folder-removed"),
    ],
)
def test_a_change_keeps_one_project_and_one_memory(
    tmp_path: Path, begin: Callable[[Workshop], Path], change: Change
) -> None:
    shop = Workshop(tmp_path)
    root = begin(shop)
    shop.session(root, FIRST, days_ago=4)
    shop.night()
    assert FIRST in shop.hook(root)
    before = set(shop.projects())

    root = change(shop, root)
    assert FIRST in shop.hook(root), "the first session after the change is served before any scan"
    shop.session(root, SECOND)
    shop.night()

    assert set(shop.projects()) == before and len(before) == 1
    told = shop.hook(root)
    assert FIRST in told and SECOND in told
    assert SECOND in shop.cli("view", cwd=root).stdout
