"""Sessions of any size are extracted: every prompt under the limit, every gap accounted for."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from slowwave.llm.endpoint.structured import schema_of, shape_instructions
from slowwave.llm.prompting.rendering import MOST_NOTES_TOKENS, STAGE_ONE
from slowwave.llm.prompting.schemas import StageOneReply
from slowwave.llm.prompting.templates import prompts_folder
from slowwave.memories.extraction.stage_one import PROMPT_OVERHEAD_TOKENS
from slowwave.text import estimate_tokens
from tests.support.logs import Assistant, Step, Tool, User
from tests.support.loopback import LoopbackServer, RequestRecord
from tests.support.night import Night
from tests.support.nursery import Nursery

LIMIT = 90_000
LARGE = str(uuid.uuid5(uuid.NAMESPACE_OID, "large"))


def sent_rows(record: RequestRecord) -> list[dict[str, Any]]:
    """The JSON lines of a stage-one prompt."""
    return [json.loads(line) for line in record.json["messages"][0]["content"].splitlines() if line.startswith("{")]


def check_prompts(server: LoopbackServer, session: str) -> list[dict[str, Any]]:
    """Check the prompts of one session; return all items that were shown."""
    records = [record for record in server.messages if f'{{"session":"{session}"' in record.prompt]
    assert records
    shown: list[dict[str, Any]] = []
    for record in records:
        tokens = sum(estimate_tokens(text) for text in record.prompt.split("\n"))
        assert tokens <= LIMIT
        assert server.count(record.json) <= 100_000
        rows = sent_rows(record)
        shown += [row for row in rows if "item" in row]
        gaps = [row["gap"] for row in rows if "gap" in row]
        assert all(gap > 0 for gap in gaps)
        previous = "gap"
        for row in rows:
            kind = "gap" if "gap" in row else "item"
            assert not (kind == previous == "gap" and row is not rows[0]), "two gap markers in a row"
            previous = kind if kind == "gap" or "item" in row else "other"
    numbers = [row["item"] for row in shown]
    assert numbers == sorted(set(numbers)), "no item twice, all in order"
    return shown


def total_of_gaps(server: LoopbackServer, session: str) -> int:
    records = [record for record in server.messages if f'{{"session":"{session}"' in record.prompt]
    return sum(row.get("gap", 0) for record in records for row in sent_rows(record))


def kept_items(night: Night, session: str) -> int:
    """How many items the registry counted in a session."""
    row = next(row for row in night.rows("threads") if row["id"] == session)
    return sum(row["items"].values())


def test_a_session_of_three_thousand_turns(night: Night, server: LoopbackServer, nursery: Nursery) -> None:
    steps: list[Step] = []
    for turn in range(3000):
        steps.append(User(f"Turn {turn}: rename function number {turn}, and always keep its tests."))
        steps.append(Tool(f"sed -i s/a{turn}/b{turn}/ src/file.py", "ok " * 60))
        steps.append(Assistant(f"Renamed function {turn} and its tests."))
    session = night.write_session(7, tuple(steps))
    report = night.run(nursery, seconds=300)
    assert report["sessions"] == {"extracted": 1}
    shown = check_prompts(server, session)
    typed = {row["item"] for row in shown if row["from"] == "user"}
    assert len(typed) == 3000
    assert len(shown) + total_of_gaps(server, session) == kept_items(night, session)
    first, *later = (record for record in server.messages if f'{{"session":"{session}"' in record.prompt)
    assert "notes_of_earlier_parts" not in first.prompt
    assert later and all("notes_of_earlier_parts" in record.prompt for record in later)


def large_log(source: Path, target: Path, size: int) -> str:
    """Repeat a real log, each time with new record ids and later times, until it has `size` bytes."""
    lines = [json.loads(line) for line in source.read_text("utf-8").splitlines() if line.strip()]
    clock = datetime.now(UTC) - timedelta(days=3)
    last: str | None = None
    written = round_ = 0
    with target.open("w", encoding="utf-8") as stream:
        while written < size:
            for row in lines:
                if "uuid" in row:
                    row = row | {"uuid": f"{row['uuid']}-{round_}", "parentUuid": last, "sessionId": LARGE}
                    last = row["uuid"]
                    clock += timedelta(milliseconds=20)
                    row["timestamp"] = clock.isoformat(timespec="milliseconds").replace("+00:00", "Z")
                line = json.dumps(row, ensure_ascii=False)
                stream.write(line + "\n")
                written += len(line) + 1
            round_ += 1
    return f"claude:{LARGE}"


@pytest.mark.full
def test_a_session_of_thirty_megabytes(
    night: Night, server: LoopbackServer, nursery: Nursery, shared_rollouts: Path
) -> None:
    source = max((shared_rollouts / "claude").rglob("*.jsonl"), key=lambda path: path.stat().st_size)
    folder = night.home / ".claude" / "projects" / "-home-dev-large"
    folder.mkdir(parents=True)
    session = large_log(source, folder / f"{LARGE}.jsonl", 30_000_000)
    report = night.run(nursery, seconds=500)
    assert sum(report["sessions"].values()) == 1
    assert set(report["sessions"]) <= {"extracted", "nothing_to_keep"}
    shown = check_prompts(server, session)
    assert len(shown) + total_of_gaps(server, session) == kept_items(night, session)


def test_the_instructions_leave_room_for_the_session() -> None:
    instructions = sum(estimate_tokens((prompts_folder() / name).read_text("utf-8")) for name in STAGE_ONE)
    # An endpoint is told the shape in the request or in words.
    told = (shape_instructions(StageOneReply), json.dumps(schema_of(StageOneReply)))
    shape = max(estimate_tokens(text) for text in told)
    about_the_session = 300
    assert instructions + shape + MOST_NOTES_TOKENS + about_the_session <= PROMPT_OVERHEAD_TOKENS
