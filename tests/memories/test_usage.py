"""What became of published entries: counted without losing anything, and injection alone counts for nothing."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from sqlmodel import Session, select

from slowwave.memories.reading.usage import INJECTED_LOG, Report, fold_injected, record_read, record_report
from slowwave.storage.tables import Entry
from tests.support.memory import USER_PROJECT, MemoryHome


@pytest.fixture
def memory(tmp_path: Path) -> MemoryHome:
    made = MemoryHome(tmp_path / "home")
    made.publish(made.project(tmp_path / "shop").id, [f"entry {number}" for number in range(1, 31)])
    made.publish(made.project(tmp_path / "other").id, ["of the other"])
    made.user_level(["of the user"])
    return made


def counts(memory: MemoryHome, project: str, number: int) -> tuple[int, int, int, int]:
    with Session(memory.engine) as session:
        found = session.exec(select(Entry).where(Entry.project_id == project, Entry.number == number)).one()
        return found.injected, found.used, found.helped, found.wrong


def test_injections_are_folded_once_and_damaged_lines_cost_only_themselves(memory: MemoryHome, tmp_path: Path) -> None:
    shop = memory.project(tmp_path / "shop").id
    log = memory.home / "hooks" / INJECTED_LOG
    log.parent.mkdir(exist_ok=True)
    line = json.dumps({"at": 1, "project": shop, "version": "1-x", "entries": [1, 2]})
    log.write_text(f"{line}\n{line}\nnot json\n[1]\n{json.dumps({'project': None, 'entries': [1]})}\n{line[:20]}")
    assert fold_injected(memory.home, (memory.engine,)) == 2
    assert counts(memory, shop, 1) == (2, 0, 0, 0) and counts(memory, shop, 3) == (0, 0, 0, 0)
    assert fold_injected(memory.home, (memory.engine,)) == 0 and not log.exists()
    assert counts(memory, shop, 1)[0] == 2


def test_reading_a_few_entries_counts_them_and_a_whole_file_counts_nothing(memory: MemoryHome, tmp_path: Path) -> None:
    shop = memory.project(tmp_path / "shop").id
    assert (
        record_read(memory.engine, shop, "- entry 3 [m3]\n- of the user [u1]\n- again [m3]\n", home=memory.engine) == 2
    )
    assert counts(memory, shop, 3)[1] == 1 and counts(memory, USER_PROJECT, 1)[1] == 1
    assert (
        record_read(memory.engine, shop, "".join(f"- x [m{number}]\n" for number in range(1, 31)), home=memory.engine)
        == 0
    )
    assert record_read(memory.engine, shop, "no ids [x1] [m] m4", home=memory.engine) == 0
    assert counts(memory, shop, 4)[1] == 0


@pytest.mark.parametrize("reference", ["m99", "x1", "", "m1; drop", "u9", "m-1"])
def test_a_report_on_nothing_is_refused(reference: str, memory: MemoryHome, tmp_path: Path) -> None:
    assert not record_report(
        memory.engine, memory.project(tmp_path / "shop").id, reference, Report.HELPED, home=memory.engine
    )


def test_reports_reach_the_entry_that_is_meant_and_no_other_project(memory: MemoryHome, tmp_path: Path) -> None:
    shop, other = memory.project(tmp_path / "shop").id, memory.project(tmp_path / "other").id
    assert record_report(memory.engine, shop, "[m1]", Report.HELPED, home=memory.engine)
    assert record_report(memory.engine, shop, "u1", Report.WRONG, home=memory.engine)
    assert counts(memory, shop, 1) == (0, 1, 1, 0)
    assert counts(memory, USER_PROJECT, 1) == (0, 1, 0, 1)
    assert counts(memory, other, 1) == (0, 0, 0, 0)


def test_reports_at_the_same_time_lose_nothing(memory: MemoryHome, tmp_path: Path) -> None:
    shop = memory.project(tmp_path / "shop").id
    threads = [
        threading.Thread(
            target=record_report, args=(memory.engine, shop, "m2", Report.HELPED), kwargs={"home": memory.engine}
        )
        for _ in range(12)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts(memory, shop, 2)[2] == 12
