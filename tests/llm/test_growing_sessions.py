"""A session that is resumed night after night is read on from where it was left, with its memories as notes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.support.logs import Assistant, Step, Tool, User, claude_rows, write_lines
from tests.support.loopback import LoopbackServer
from tests.support.night import Night
from tests.support.nursery import Nursery

NIGHTS = 4


def turns(night: int) -> tuple[Step, ...]:
    """What is said on one day: a rule of its own and much around it."""
    talk = "".join(f"Step {number} of day {night} went through without a remark. " for number in range(60))
    work = [part for n in range(8) for part in (Tool(f"make part-{night}-{n}", "ok"), Assistant(f"{talk} {n}"))]
    return (User(f"Always name module {night} after planet {night}, never after a colour."), *work)


def write(home: Night, days: int) -> str:
    session_id = "00000000-1111-4111-8111-111111111111"
    steps = [step for day in range(1, days + 1) for step in turns(day)]
    start = datetime.now(UTC) - timedelta(days=2)
    rows = claude_rows(steps, cwd="/home/dev/project", session_id=session_id, start=start)
    write_lines(home.home / ".claude" / "projects" / "-home-dev-project" / f"{session_id}.jsonl", rows)
    return f"claude:{session_id}"


def test_what_was_read_is_not_paid_for_again(night: Night, server: LoopbackServer, nursery: Nursery) -> None:
    sizes = []
    for day in range(1, NIGHTS + 1):
        thread = write(night, day)
        before = len(server.messages)
        assert night.run(nursery)["sessions"] == {"extracted": 1}
        asked = [record for record in server.messages[before:] if '"item"' in record.prompt]
        sizes.append(sum(len(record.prompt) for record in asked))
        assert ("notes_of_earlier_parts" in asked[0].prompt) is (day > 1)
        assert f"planet {day}," in asked[0].prompt
    whole = sizes[0]
    assert all(size < 1.6 * whole for size in sizes)
    (output,) = night.rows("stage_one_outputs")
    assert output["thread_id"] == thread
    texts = " ".join(memory["text"] for memory in output["memories"])
    assert all(f"planet {day}," in texts for day in range(1, NIGHTS + 1))


def test_a_beginning_that_changed_is_read_again(night: Night, server: LoopbackServer, nursery: Nursery) -> None:
    write(night, 1)
    night.run(nursery)
    path = next((night.home / ".claude" / "projects").rglob("*.jsonl"))
    write(night, 2)
    path.write_text(path.read_text().replace("planet 1", "planet 9"))
    before = len(server.messages)
    night.run(nursery)
    assert "notes_of_earlier_parts" not in server.messages[before].prompt
    assert "planet 9" in server.messages[before].prompt
