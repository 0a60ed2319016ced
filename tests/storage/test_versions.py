from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Engine

from slowwave.errors import LeaseLost, StoreError
from slowwave.storage.engine import reading, writing
from slowwave.storage.published.artifacts import Published, publish, recover
from slowwave.storage.published.live import live_files, manifest_of
from slowwave.storage.published.versions import (
    history,
    prune_versions_in,
    record_version_in,
    store_id,
    version_files,
    version_manifest,
)
from slowwave.storage.queue.generations import bump_generation, check_held, claim_project, finish_project_in
from slowwave.storage.queue.jobs import reap_expired
from slowwave.storage.queue.leases import Claim
from slowwave.storage.queue.owner import Owner
from tests.support.publisher import files_of
from tests.support.queue import POLICY, add_projects


def record(engine: Engine, number: int, project_id: str = "a") -> None:
    files = files_of(str(number))
    with writing(engine) as session:
        manifest = manifest_of(files, number=number, fence=number, generation=number)
        record_version_in(session, project_id, manifest, files, run_id="r", cause="consolidate", now=number)


def test_a_recorded_version_comes_back_byte_for_byte(engine: Engine) -> None:
    add_projects(engine, "a", "b")
    odd = {"MEMORY.md": "é\r\n\u2028".encode(), "x.bin": bytes(range(256)), "empty.md": b""}
    manifest = manifest_of(odd, number=1, fence=3, generation=5)
    with writing(engine) as session:
        record_version_in(session, "a", manifest, odd)
    record(engine, 1, "b")
    with reading(engine) as session:
        assert version_files(session, "a", 1) == odd
        assert version_manifest(session, "a", 1) == manifest
        assert version_manifest(session, "a", 2) is None
        with pytest.raises(StoreError, match="not kept"):
            version_files(session, "a", 2)


def test_old_bytes_go_and_the_log_stays(engine: Engine) -> None:
    add_projects(engine, "a")
    for number in range(1, 6):
        record(engine, number)
    with writing(engine) as session:
        assert prune_versions_in(session, "a", keep=2) == [5, 4]
        assert prune_versions_in(session, "a", keep=2) == [5, 4]
    with reading(engine) as session:
        assert [(row.number, row.pruned) for row in history(session, "a")] == [
            (5, False),
            (4, False),
            (3, True),
            (2, True),
            (1, True),
        ]
        assert version_files(session, "a", 4) == files_of("4")
        assert version_manifest(session, "a", 3) is None
    with writing(engine) as session:
        assert prune_versions_in(session, "a", keep=0) == [5]


def test_a_database_has_one_id_for_good(engine: Engine) -> None:
    with writing(engine) as session:
        first = store_id(session)
    with writing(engine) as session:
        assert store_id(session) == first != ""


class Consolidation:
    """Publishing under a claim, as a run does it: the commit ends the job while the lock is held."""

    def __init__(self, engine: Engine, owner: Owner, root: Path) -> None:
        self.engine, self.owner, self.root = engine, owner, root

    def claim(self) -> Claim:
        with writing(self.engine) as session:
            bump_generation(session, "a")
            claim = claim_project(session, "a", self.owner, lease=60, policy=POLICY)
        assert claim is not None
        return claim

    def publish(self, claim: Claim, text: str, number: int) -> Published:
        files = files_of(text)

        def check() -> None:
            with writing(self.engine) as session:
                check_held(session, claim)

        def commit(published: Published) -> None:
            with writing(self.engine) as session:
                finish_project_in(session, claim, version=number)
                record_version_in(session, "a", published.manifest, files)

        with reading(self.engine) as session:
            expected = version_manifest(session, "a", number - 1)
        return publish(
            self.root,
            files,
            number=number,
            fence=claim.fence,
            scan=lambda path, content: None,
            check=check,
            expected=expected,
            commit=commit,
        )


def test_the_folder_and_the_database_change_together(engine: Engine, owner: Owner, tmp_path: Path) -> None:
    add_projects(engine, "a")
    work = Consolidation(engine, owner, tmp_path / "root")
    work.publish(work.claim(), "one", 1)
    late = work.claim()
    with writing(engine) as session:
        reap_expired(session, POLICY, now=late.lease_until + 1)
    with pytest.raises(LeaseLost):
        work.publish(late, "late", 2)
    assert live_files(work.root) == files_of("one")
    with reading(engine) as session:
        assert [row.number for row in history(session, "a")] == [1]
    work.publish(work.claim(), "two", 2)
    with reading(engine) as session:
        truth = version_manifest(session, "a", 2)
        stored = version_files(session, "a", 2)
    assert live_files(work.root) == stored == files_of("two")
    assert not recover(work.root, truth, dict).relinked


def test_another_machine_gets_the_files_from_the_database(engine: Engine, owner: Owner, tmp_path: Path) -> None:
    add_projects(engine, "a")
    here, there = Consolidation(engine, owner, tmp_path / "here"), Consolidation(engine, owner, tmp_path / "there")
    here.publish(here.claim(), "one", 1)
    for machine, text, number in ((there, "two", 2), (here, "three", 3)):
        with reading(engine) as session:
            truth = version_manifest(session, "a", number - 1)
            recover(machine.root, truth, lambda: version_files(session, "a", number - 1))  # noqa: B023
        assert live_files(machine.root) == files_of({2: "one", 3: "two"}[number])
        machine.publish(machine.claim(), text, number)
    assert live_files(here.root) == files_of("three")
