"""Which project a folder and a session belong to, on real repositories."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from slowwave.rollouts.identity import paths
from slowwave.rollouts.identity import projects as identity
from slowwave.rollouts.identity.book import Book, Known
from slowwave.rollouts.identity.places import Looked, Trace, look
from slowwave.rollouts.identity.projects import identify, project_for, project_of
from slowwave.rollouts.identity.remotes import normalise_remote, remote_in_config, without_credentials
from slowwave.rollouts.model import SessionFacts

REMOTE = "git@github.com:Dev/Project.git"


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.invalid", "-C", str(folder), *arguments],
        check=True,
        capture_output=True,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"},
    )


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    git(root, "commit", "-q", "--allow-empty", "-m", "first")
    return root


def with_remote(repository: Path, url: str = REMOTE) -> Path:
    git(repository, "remote", "add", "origin", url)
    return repository


def facts(turns: dict[str, int], **more: object) -> SessionFacts:
    made = SessionFacts("claude", "s", "interactive", "", **more)  # type: ignore[arg-type]
    made.turns_by_cwd = turns
    return made


def test_a_repository_is_known_by_its_remote(repository: Path) -> None:
    found = identify(str(with_remote(repository)))
    assert found.key == "git:github.com/dev/project"
    assert (found.slug, found.name, found.root) == ("project", "project", str(repository))
    assert len(found.id) == 16 and int(found.id, 16) >= 0


def test_a_subdirectory_belongs_to_its_repository(repository: Path) -> None:
    (repository / "a" / "b").mkdir(parents=True)
    assert identify(str(repository / "a" / "b")) == identify(str(repository))


def test_a_repository_without_remote_is_known_by_its_folder_on_this_host(repository: Path) -> None:
    found = identify(str(repository))
    assert found.key == f"path:{identity.host_id()}:{repository}"
    assert found.remote is None


def test_a_worktree_belongs_to_the_main_repository(repository: Path, tmp_path: Path) -> None:
    git(repository, "worktree", "add", "-q", str(tmp_path / "elsewhere"))
    assert identify(str(tmp_path / "elsewhere")) == identify(str(repository))
    with_remote(repository)
    assert identify(str(tmp_path / "elsewhere")).key == "git:github.com/dev/project"


def test_a_worktree_of_a_bare_repository(repository: Path, tmp_path: Path) -> None:
    bare = tmp_path / "store.git"
    git(repository, "clone", "-q", "--bare", str(repository), str(bare))
    git(bare, "worktree", "add", "-q", str(tmp_path / "w"), "main")
    git(bare, "config", "remote.origin.url", REMOTE)
    assert identify(str(tmp_path / "w")).key == "git:github.com/dev/project"


def test_a_submodule_is_a_project_of_its_own(repository: Path, tmp_path: Path) -> None:
    library = tmp_path / "library"
    library.mkdir()
    git(library, "init", "-q", "-b", "main")
    git(library, "commit", "-q", "--allow-empty", "-m", "first")
    git(repository, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library), "lib")
    assert identify(str(repository / "lib")).root == str(repository / "lib")
    assert identify(str(repository / "lib")).id != identify(str(repository)).id


def test_a_linked_folder_is_the_folder_it_leads_to(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(repository)
    assert identify(str(tmp_path / "alias")) == identify(str(repository))


def test_a_plain_folder_is_its_own_project(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    assert identify(str(tmp_path / "notes")).root == str(tmp_path / "notes")


@pytest.mark.parametrize("inside", [".worktrees/x", ".claude/worktrees/x", ".worktrees/x/src/deep"])
def test_a_vanished_worktree_is_placed_by_its_name(repository: Path, inside: str) -> None:
    assert identify(str(repository / inside)) == identify(str(repository))
    gone = "/nowhere/project"
    assert identify(f"{gone}/{inside}").root == gone


def test_a_vanished_worktree_beside_its_repository(repository: Path) -> None:
    assert identify(f"{repository}.worktrees/fix-it") == identify(str(repository))


def test_worktrees_in_somebodys_home_belong_to_nobody_else() -> None:
    found = identify("/Users/nobody/.worktrees/feature/src")
    assert found.root == "/Users/nobody/.worktrees/feature"


def test_a_vanished_subdirectory_of_a_standing_repository(repository: Path) -> None:
    assert identify(str(repository / "removed" / "long" / "ago")) == identify(str(repository))


def test_a_vanished_folder_belongs_to_the_known_project_above_it() -> None:
    book = Book([Known("a", roots={"/nowhere/project": Trace()})])
    assert project_for(look("/nowhere/project/sub"), book).id == "a"
    assert project_for(look("/nowhere/other"), book).id != "a"


def test_a_vanished_repository_is_known_by_the_remote_that_the_log_recorded(repository: Path) -> None:
    with_remote(repository)
    moved = identify("/nowhere/any/more", remote="https://github.com/dev/project")
    assert moved.id == identify(str(repository)).id


def test_a_moved_repository_keeps_its_identity(repository: Path, tmp_path: Path) -> None:
    before = identify(str(with_remote(repository)))
    repository.rename(tmp_path / "renamed")
    assert identify(str(tmp_path / "renamed")).id == before.id


def test_two_machines_with_the_same_path_are_two_projects(monkeypatch: pytest.MonkeyPatch) -> None:
    here = identify("/nowhere/project")
    monkeypatch.setattr(identity, "host_id", lambda: "another-host")
    assert identify("/nowhere/project").id != here.id
    assert identify("/nowhere/project", remote=REMOTE).key == "git:github.com/dev/project"


def test_a_container_can_be_given_a_lasting_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLOWWAVE_HOST_ID", "build-farm")
    identity.host_id.cache_clear()
    given = identity.host_id()
    monkeypatch.delenv("SLOWWAVE_HOST_ID")
    identity.host_id.cache_clear()
    assert identity.host_id() != given
    assert len(given) == 12


@pytest.mark.skipif(sys.platform == "win32", reason="about foreign paths")
def test_windows_folders_are_one_whatever_their_case_and_are_never_looked_for() -> None:
    one, two = identify(r"c:\Users\Dev\App"), identify(r"C:\users\dev\app\\")
    assert one.id == two.id
    assert (one.name, one.root) == ("App", "C:/Users/Dev/App")
    assert identify(r"C:\Users\Dev\App\.worktrees\x").id == one.id


@pytest.mark.parametrize("cwd", [None, "", "   ", "a\0b"])
def test_no_folder_at_all(cwd: str | None) -> None:
    assert identify(cwd).name == "no-folder"


def test_folders_that_could_mount_something_are_not_looked_at() -> None:
    assert not paths.may_touch("/net/server/share")
    assert not paths.may_touch("//server/share")
    assert paths.may_touch("/home/dev/project")


def test_a_session_belongs_to_the_project_of_most_of_its_turns(repository: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (repository / "src").mkdir()
    turns = {str(other): 2, str(repository): 1, str(repository / "src"): 2}
    assert project_of(facts(turns)) == identify(str(repository))
    assert project_of(facts({str(other): 1, str(repository): 1})) == identify(str(other))
    assert project_of(facts({}, cwd=str(other))) == identify(str(other))
    assert project_of(facts({})).name == "no-folder"


def test_looking_once_keeps_remotes_apart() -> None:
    looked = Looked()
    one = project_of(facts({"/nowhere/p": 1}), looked=looked)
    two = project_of(facts({"/nowhere/p": 1}, remote=REMOTE), looked=looked)
    assert one.id != two.id
    assert looked("/nowhere/p") is looked("/nowhere/p")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("git@github.com:Dev/Project.git", "github.com/dev/project"),
        ("https://github.com/dev/project", "github.com/dev/project"),
        ("https://user:word@github.com/dev/project.git/", "github.com/dev/project"),
        ("ssh://git@github.com:22/dev/project.git", "github.com/dev/project"),
        ("git+ssh://git@example.org:2222/x/Y.git", "example.org:2222/x/Y"),
        ("ssh://git@[2001:db8::1]/x/y", "2001:db8::1/x/y"),
        ("host.example:x/y", "host.example/x/y"),
        ("/srv/git/x.git", None),
        ("../x", None),
        ("file:///srv/git/x.git", None),
        ("C:/repos/x", None),
        ("https://", None),
        ("http://[bad", None),
        ("", None),
    ],
)
def test_forms_of_one_remote_become_equal(url: str, expected: str | None) -> None:
    assert normalise_remote(url) == expected


def test_the_origin_wins_among_remotes(tmp_path: Path) -> None:
    config = tmp_path / "config"
    config.write_text(
        '[core]\n\tbare = false\n[remote "fork"]\n\turl = git@x:a/b\n'
        '[remote "origin"]\n\tfetch = x\n\tURL = "git@x:c/d"\n'
    )
    assert remote_in_config(config) == "git@x:c/d"
    config.write_text('[remote "fork"]\n url = git@x:a/b\n[branch "main"]\n url = no\n')
    assert remote_in_config(config) == "git@x:a/b"
    assert remote_in_config(tmp_path / "none") is None


def test_credentials_do_not_leave_the_log() -> None:
    assert without_credentials("https://user:word@host/x") == "https://host/x"
    assert without_credentials("git@host:x/y") == "git@host:x/y"


def test_identity_needs_the_standard_library_only() -> None:
    code = (
        "import sys, slowwave.rollouts.identity.projects\n"
        "print([m for m in sys.modules if m.split('.')[0] in sys.argv])"
    )
    heavy = ["pydantic", "orjson", "prefect", "sqlmodel", "sqlalchemy", "click", "jinja2", "anthropic", "regex"]
    done = subprocess.run([sys.executable, "-c", code, *heavy], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
