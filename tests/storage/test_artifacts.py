from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import psutil
import pytest

from slowwave.errors import LeaseLost, LiveFilesChanged, PublishError, SecretFound, StaleFence
from slowwave.storage.published import switch
from slowwave.storage.published.artifacts import Published, prune, publish, publish_lock, recover
from slowwave.storage.published.live import Manifest, edited_since, list_versions, live_files, live_folder, manifest_of
from tests.support.publisher import files_of, start

STEPS = [
    "publish.scanned",
    "publish.written",
    "publish.built",
    "publish.locked",
    "publish.checked",
    "publish.fenced",
    "publish.placed",
    "publish.linked",
    "publish.switched",
    "publish.committed",
]


def accept(*_: object) -> None:
    """A scanner, a check or a commit that has no objection."""


def never() -> Mapping[str, bytes]:
    raise AssertionError("the bytes were not needed")


def put(
    root: Path,
    files: Mapping[str, bytes],
    number: int,
    *,
    fence: int | None = None,
    expected: Manifest | None = None,
    scan: Callable[[str, bytes], None] = accept,
    check: Callable[[], None] = accept,
    commit: Callable[[Published], None] | None = None,
    store: str = "",
) -> Published:
    return publish(
        root,
        files,
        number=number,
        fence=number if fence is None else fence,
        scan=scan,
        check=check,
        expected=expected,
        commit=commit,
        store=store,
    )


def tree(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*"))


@pytest.fixture(params=["symlinks", "copies"])
def root(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A memory root, once on this file system and once as if it had no symbolic links."""
    if request.param == "copies":
        monkeypatch.setattr(switch, "supports_symlinks", lambda _: False)
    return tmp_path / "memory" / "project-0123abcd"


def test_a_version_is_published_privately_and_whole(root: Path) -> None:
    old = os.umask(0)
    try:
        published = put(root, files_of("one"), 1)
    finally:
        os.umask(old)
    assert live_files(root) == files_of("one")
    assert published.path.parent == root / "versions"
    for path in [root.parent, root, *root.rglob("*")]:
        if not path.is_symlink():
            assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    assert list_versions(root) == [published.manifest]
    assert (root / "current" / "MEMORY.md").read_bytes() == files_of("one")["MEMORY.md"]


def test_the_same_files_have_the_same_digest_and_others_another(tmp_path: Path) -> None:
    first = manifest_of({"a": b"1", "b": b"2"}, number=1, fence=1, generation=1)
    same = manifest_of({"b": b"2", "a": b"1"}, number=9, fence=8, generation=7)
    swapped = manifest_of({"a": b"2", "b": b"1"}, number=1, fence=1, generation=1)
    assert first.digest == same.digest != swapped.digest


def test_a_later_version_replaces_and_the_older_one_stays_in_history(root: Path) -> None:
    first = put(root, files_of("one"), 1)
    second = put(root, {"MEMORY.md": b"two\n"}, 2, expected=first.manifest)
    assert live_files(root) == {"MEMORY.md": b"two\n"}
    assert list_versions(root) == [first.manifest, second.manifest]
    assert prune(root, keep=set()) == [1]
    assert live_files(root) == {"MEMORY.md": b"two\n"}
    assert list_versions(root) == [second.manifest]


def test_the_scanner_sees_every_byte_and_every_name_before_anything_is_written(root: Path) -> None:
    seen: dict[str, bytes] = {}

    def refuse_last(path: str, content: bytes) -> None:
        assert not root.exists()
        seen[path] = content
        if path.startswith("the names"):
            raise SecretFound("a secret in a file name")

    with pytest.raises(SecretFound):
        put(root, files_of("one"), 1, scan=refuse_last)
    assert {path: content for path, content in seen.items() if path in files_of("one")} == files_of("one")
    assert all(path.encode() in seen["the names of the files"] for path in files_of("one"))
    assert not root.exists()


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/etc/x",
        "../x",
        "a/../../x",
        "a//b",
        "./a",
        "a/",
        "a\\b",
        "C:x",
        ".hidden",
        "a/.git/x",
        "manifest.json",
        "a\0",
    ],
)
def test_a_path_that_leaves_the_folder_or_is_reserved_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(PublishError):
        put(tmp_path / "root", {path: b"x"}, 1)
    assert not (tmp_path / "root").exists()


def test_paths_that_only_some_file_systems_tell_apart_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PublishError, match="case"):
        put(tmp_path / "root", {"a.md": b"x", "A.md": b"y"}, 1)


def test_a_lower_fence_never_publishes(root: Path) -> None:
    first = put(root, files_of("one"), 1, fence=5)
    before = tree(root)
    with pytest.raises(StaleFence):
        put(root, files_of("stale"), 2, fence=4, expected=first.manifest)
    assert tree(root) == before
    assert live_files(root) == files_of("one")
    put(root, files_of("two"), 2, fence=5, expected=first.manifest)
    assert live_files(root) == files_of("two")


def test_fences_of_a_database_that_is_gone_do_not_count(root: Path) -> None:
    first = put(root, files_of("one"), 1, fence=90, store="old")
    with pytest.raises(StaleFence):
        put(root, files_of("two"), 2, fence=1, store="old", expected=first.manifest)
    put(root, files_of("two"), 2, fence=1, store="new", expected=first.manifest)
    assert live_files(root) == files_of("two")


@pytest.mark.parametrize("lost_at", [1, 2])
def test_a_lost_claim_publishes_nothing(root: Path, lost_at: int) -> None:
    first = put(root, files_of("one"), 1)
    before = tree(root)
    calls = []

    def check() -> None:
        calls.append(len(calls))
        if len(calls) == lost_at:
            raise LeaseLost("taken over")

    with pytest.raises(LeaseLost):
        put(root, files_of("two"), 2, expected=first.manifest, check=check)
    assert live_files(root) == files_of("one")
    assert tree(root) == before


def test_a_commit_that_fails_puts_the_old_version_back(root: Path) -> None:
    first = put(root, files_of("one"), 1)
    seen = []

    def commit(published: Published) -> None:
        seen.append(live_files(root) == files_of("two"))
        raise LeaseLost("the database says no")

    with pytest.raises(LeaseLost):
        put(root, files_of("two"), 2, expected=first.manifest, commit=commit)
    assert seen == [True]
    assert live_files(root) == files_of("one")
    assert list_versions(root) == [first.manifest]


def test_a_failed_first_publish_leaves_nothing_live(root: Path) -> None:
    def commit(_: Published) -> None:
        raise LeaseLost("no")

    with pytest.raises(LeaseLost):
        put(root, files_of("one"), 1, commit=commit)
    assert live_files(root) == {}
    assert live_folder(root) is None


def edit(root: Path, name: str, text: str) -> None:
    folder = live_folder(root)
    assert folder is not None
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)


def test_a_persons_edits_are_seen(root: Path) -> None:
    manifest = put(root, files_of("one"), 1).manifest
    assert not edited_since(root, manifest)
    edit(root, "MEMORY.md", "my words\n")
    edit(root, "skills/mine/SKILL.md", "my skill\n")
    edit(root, ".MEMORY.md.swp", "an editor's own file")
    edit(root, "MEMORY.md~", "an editor's backup")
    (live_folder(root) or root).joinpath("memory_summary.md").unlink()
    edits = edited_since(root, manifest)
    assert edits.changed == {"MEMORY.md": b"my words\n"}
    assert edits.added == {"skills/mine/SKILL.md": b"my skill\n"}
    assert edits.removed == {"memory_summary.md"}
    assert edits.paths == ["MEMORY.md", "memory_summary.md", "skills/mine/SKILL.md"]


def test_a_link_that_leads_out_of_the_folder_is_not_followed(root: Path, tmp_path: Path) -> None:
    manifest = put(root, files_of("one"), 1).manifest
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "key").write_text("do not read")
    folder = live_folder(root)
    assert folder is not None
    (folder / "out").symlink_to(tmp_path / "private")
    (folder / "key").symlink_to(tmp_path / "private" / "key")
    assert not edited_since(root, manifest)


def test_an_edit_before_or_during_the_run_wins(root: Path) -> None:
    manifest = put(root, files_of("one"), 1).manifest
    edit(root, "MEMORY.md", "mine\n")
    with pytest.raises(LiveFilesChanged, match=r"MEMORY\.md"):
        put(root, files_of("two"), 2, expected=manifest)
    assert live_files(root)["MEMORY.md"] == b"mine\n"
    merged = put(root, {**files_of("two"), "MEMORY.md": b"mine\n"}, 2, expected=take_over(root))
    assert live_files(root)["MEMORY.md"] == b"mine\n"

    # The scan is the last step before the files are built and compared once more under the lock.
    def edits_meanwhile(path: str, _: bytes) -> None:
        edit(root, "MEMORY.md", "mine, second thought\n")

    with pytest.raises(LiveFilesChanged):
        put(root, files_of("three"), 3, expected=merged.manifest, scan=edits_meanwhile)
    assert live_files(root)["MEMORY.md"] == b"mine, second thought\n"


def take_over(root: Path) -> Manifest:
    """The manifest of the live files as they are: what a merge that took the edits over was based on."""
    return manifest_of(live_files(root), number=1, fence=1, generation=0)


def test_an_edit_at_the_very_last_moment_is_reported(tmp_path: Path) -> None:
    root = tmp_path / "root"
    manifest = put(root, files_of("one"), 1).manifest

    def edit_after_the_comparison() -> None:
        if live_files(root) == files_of("one"):
            edit(root, "MEMORY.md", "typed just now\n")

    published = put(root, files_of("two"), 2, expected=manifest, check=edit_after_the_comparison)
    assert published.late_edits.changed == {"MEMORY.md": b"typed just now\n"}
    assert live_files(root) == files_of("two")


def test_recovery_of_a_healthy_root_changes_nothing(root: Path) -> None:
    assert recover(root, None, never).removed == ()
    manifest = put(root, files_of("one"), 1).manifest
    before = tree(root)
    recovery = recover(root, manifest, never)
    assert (recovery.removed, recovery.relinked, recovery.restored, recovery.kept) == ((), False, False, None)
    assert tree(root) == before


def test_recovery_rebuilds_what_the_database_has_and_the_disk_has_not(root: Path) -> None:
    manifest = manifest_of(files_of("one"), number=1, fence=3, generation=2)
    recovery = recover(root, manifest, lambda: files_of("one"))
    assert recovery.restored
    assert live_files(root) == files_of("one")
    with pytest.raises(StaleFence):
        put(root, files_of("stale"), 2, fence=2, expected=manifest)


def test_recovery_keeps_a_persons_edits_in_a_version_that_was_never_committed(root: Path) -> None:
    first = put(root, files_of("one"), 1).manifest
    put(root, files_of("two"), 2, expected=first)
    edit(root, "MEMORY.md", "typed into the version that does not count\n")
    recovery = recover(root, first, never)
    assert live_files(root) == files_of("one")
    assert recovery.edits.changed == {"MEMORY.md": b"typed into the version that does not count\n"}
    assert recovery.kept is not None
    assert (recovery.kept / "MEMORY.md").read_text() == "typed into the version that does not count\n"


def test_recovery_leaves_edits_of_the_live_version_alone(root: Path) -> None:
    manifest = put(root, files_of("one"), 1).manifest
    edit(root, "MEMORY.md", "mine\n")
    assert not recover(root, manifest, never).relinked
    assert live_files(root)["MEMORY.md"] == b"mine\n"


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("copy", [False, True], ids=["symlinks", "copies"])
def test_killed_at_any_step_and_run_again_it_is_as_if_nothing_had_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, copy: bool
) -> None:
    if copy:
        monkeypatch.setattr(switch, "supports_symlinks", lambda _: False)
    calm, root = tmp_path / "calm", tmp_path / "root"
    for folder in (calm, root):
        put(folder, files_of("one"), 1)
    first = list_versions(root)[0]
    put(calm, files_of("two"), 2, fence=3, expected=first)

    killed = start(root, 2, 2, "two", copy=copy, SLOWWAVE_KILL_AT=step)
    out, err = killed.communicate(timeout=60)
    assert killed.returncode == -signal.SIGKILL, err
    assert live_files(root) in (files_of("one"), files_of("two"))
    committed = "committed 2" in out
    assert committed is (step == "publish.committed")

    truth = manifest_of(files_of("two"), number=2, fence=2, generation=0) if committed else first
    recover(root, truth, never)
    assert live_files(root) == (files_of("two") if committed else files_of("one"))
    if not committed:
        put(root, files_of("two"), 2, fence=3, expected=first)
    assert live_files(root) == live_files(calm)
    assert tree(root) == tree(calm)


@pytest.fixture
def quick_root(root: Path) -> Iterator[Path]:
    """A memory root of the same kind where waiting for the disk costs nothing, if there is such a place."""
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK):
        yield root
        return
    folder = Path(tempfile.mkdtemp(prefix="slowwave-", dir=memory))
    yield folder / "root"
    shutil.rmtree(folder)


def test_readers_never_see_a_mix_during_500_publishes(quick_root: Path) -> None:
    root = quick_root
    manifest = put(root, files_of("0"), 1).manifest
    stop = threading.Event()
    mixes: list[dict[str, bytes]] = []
    versions_seen: list[str] = []

    def read() -> None:
        while not stop.is_set():
            seen = live_files(root)
            text = seen["MEMORY.md"].splitlines()[0].split(b": ")[1].decode()
            if seen != files_of(text):
                mixes.append(seen)
            versions_seen.append(text)
            time.sleep(0.001)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for number in range(2, 502):
        manifest = put(root, files_of(str(number)), number, expected=manifest).manifest
        if number % 10 == 0:
            prune(root, keep=set(range(number - 5, number + 1)))
    stop.set()
    for reader in readers:
        reader.join()
    assert mixes == []
    assert len(set(versions_seen)) > 10


def wait_until_stopped(process: subprocess.Popen[str]) -> None:
    for _ in range(600):
        if psutil.Process(process.pid).status() == psutil.STATUS_STOPPED:
            return
        time.sleep(0.05)
    raise AssertionError("the process did not stop itself")


@pytest.mark.parametrize("step", ["publish.scanned", "publish.written", "publish.built"])
def test_a_stopped_worker_that_wakes_up_late_publishes_nothing(tmp_path: Path, step: str) -> None:
    root = tmp_path / "root"
    first = put(root, files_of("one"), 1).manifest
    stale = start(root, 2, 2, "stale", SLOWWAVE_STOP_AT=step)
    try:
        wait_until_stopped(stale)
        put(root, files_of("two"), 2, fence=3, expected=first)
        stale.send_signal(signal.SIGCONT)
        out, err = stale.communicate(timeout=60)
    finally:
        stale.kill()
    assert "StaleFence" in err and "committed" not in out
    assert live_files(root) == files_of("two")
    assert [manifest.number for manifest in list_versions(root)] == [1, 2]


def test_a_worker_stopped_inside_the_lock_makes_the_next_one_wait_and_say_so(tmp_path: Path) -> None:
    root = tmp_path / "root"
    put(root, files_of("one"), 1)
    stopped = start(root, 2, 2, "two", SLOWWAVE_STOP_AT="publish.placed")
    wait_until_stopped(stopped)
    waiter = start(root, 3, 3, "three")
    try:
        assert waiter.stdout is not None and waiter.stdout.readline() == "waiting\n"
        assert live_files(root) == files_of("one")
        stopped.send_signal(signal.SIGCONT)
        assert "committed 2" in stopped.communicate(timeout=60)[0]
        # What it built on is not live any more, so the waiting one starts over instead of overwriting.
        _, err = waiter.communicate(timeout=60)
        assert "LiveFilesChanged" in err
        assert live_files(root) == files_of("two")
    finally:
        stopped.kill()
        waiter.kill()


def test_a_full_disk_leaves_the_old_version_intact_and_says_so(small_disk: Path) -> None:
    root = small_disk / "root"
    first = put(root, files_of("one"), 1).manifest
    before = tree(root)
    with pytest.raises(PublishError) as caught:
        put(root, {"MEMORY.md": b"x" * 400_000}, 2, expected=first)
    assert caught.value.reason == "disk_full"
    assert live_files(root) == files_of("one")
    assert tree(root) == before
    put(root, files_of("two"), 2, fence=3, expected=first)
    assert live_files(root) == files_of("two")


def test_a_read_only_root_leaves_the_old_version_intact_and_says_so(small_disk: Path) -> None:
    root = small_disk / "root"
    first = put(root, files_of("one"), 1).manifest
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    with pytest.raises(PublishError) as caught:
        put(root, files_of("two"), 2, expected=first)
    assert caught.value.reason == "read_only"
    assert live_files(root) == files_of("one")


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A folder of a user whom permissions bind; the test's process is that user as long as it lasts."""
    folder = Path(tempfile.mkdtemp(prefix="slowwave-"))
    effective = os.geteuid()
    if effective == 0:
        os.chown(folder, 65_534, 65_534)
        os.seteuid(65_534)
    try:
        yield folder
    finally:
        os.seteuid(effective)
        shutil.rmtree(folder)


def test_a_lost_permission_leaves_the_old_version_intact_and_says_so(unprivileged: Path) -> None:
    root = unprivileged / "root"
    first = put(root, files_of("one"), 1).manifest
    (root / "versions").chmod(0o500)
    with pytest.raises(PublishError) as caught:
        put(root, files_of("two"), 2, expected=first)
    assert caught.value.reason == "permission"
    assert live_files(root) == files_of("one")
    (root / "versions").chmod(0o700)
    put(root, files_of("two"), 2, fence=3, expected=first)
    assert live_files(root) == files_of("two")


def test_the_lock_is_let_go_when_its_holder_dies(tmp_path: Path) -> None:
    root = tmp_path / "root"
    put(root, files_of("one"), 1)
    killed = start(root, 2, 2, "two", SLOWWAVE_KILL_AT="publish.locked")
    killed.communicate(timeout=60)
    waited: list[bool] = []
    with publish_lock(root, lambda: waited.append(True)):
        assert waited == []
