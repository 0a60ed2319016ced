"""The bundled sessions: laid out as agents lay theirs out, recent when written, and worth showing."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from slowwave.llm.base import CandidateView, ConsolidateRequest, ExtractRequest, StandingEntry
from slowwave.llm.offline.consolidate import consolidated
from slowwave.llm.offline.extractor import extract_reply
from slowwave.llm.prompting.schemas import StageOneReply
from slowwave.rollouts.model import SessionFacts
from slowwave.rollouts.readers import readers
from slowwave.samples.samples import write_samples

NOW = datetime(2027, 5, 4, 6, 30, tzinfo=UTC)
Extracted = list[tuple[SessionFacts, StageOneReply]]


@pytest.fixture
def written(tmp_path: Path) -> Path:
    write_samples(tmp_path, NOW)
    return tmp_path


def extracted(root: Path) -> Extracted:
    env = {"CLAUDE_CONFIG_DIR": str(root / "claude"), "CODEX_HOME": str(root / "codex")}
    known = readers(env)
    found: Extracted = []
    for agent in ("claude", "codex"):
        for log in known[agent].discover(env, root):
            facts = known[agent].scan(log)
            items = tuple(known[agent].items(log, facts))
            request = ExtractRequest(facts.thread_id, agent, Path(facts.cwd or "").name, items, cwd=facts.cwd or "")
            found.append((facts, extract_reply(request)))
    return sorted(found, key=lambda pair: (pair[0].last_activity or NOW, pair[0].thread_id))


def texts_of(pairs: Extracted) -> list[str]:
    return [memory.text for _, reply in pairs for memory in reply.memories]


def candidates(pairs: Extracted) -> tuple[CandidateView, ...]:
    return tuple(
        CandidateView(
            f"s{number}.{place}",
            facts.thread_id,
            memory.kind,
            memory.text,
            memory.situation,
            memory.standing,
            tuple(quote.quote for quote in memory.evidence),
            f"{facts.last_activity:%Y-%m-%d}",
        )
        for number, (facts, reply) in enumerate(pairs, 1)
        for place, memory in enumerate(reply.memories, 1)
    )


def test_the_logs_lie_where_the_agents_put_them(written: Path) -> None:
    claude = sorted(path.relative_to(written / "claude") for path in (written / "claude").rglob("*.jsonl"))
    codex = sorted(path.relative_to(written / "codex") for path in (written / "codex").rglob("*.jsonl"))
    assert len(claude) == 5
    assert len(codex) == 3
    assert all(path.parts[0] == "projects" for path in claude)
    for path in codex:
        start = datetime.strptime(path.name[8:27], "%Y-%m-%dT%H-%M-%S")
        assert path.parts[:4] == ("sessions", f"{start:%Y}", f"{start:%m}", f"{start:%d}")


def test_all_times_are_recent_and_idle(written: Path) -> None:
    for facts, _ in extracted(written):
        assert facts.last_activity is not None
        assert NOW - timedelta(days=10) < facts.last_activity < NOW - timedelta(hours=12)
        assert facts.damaged == 0
        assert not facts.unknown


def test_the_modification_time_is_that_of_the_last_record(written: Path) -> None:
    for path in written.rglob("*.jsonl"):
        changed = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        assert f'"timestamp": "{changed:%Y-%m-%dT%H:%M}' in path.read_text(encoding="utf-8")


def test_writing_again_gives_the_same_files(written: Path, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in written.rglob("*.jsonl")}
    write_samples(tmp_path, NOW)
    assert {path: path.read_bytes() for path in written.rglob("*.jsonl")} == before


def test_one_is_a_sub_agent_and_one_has_nothing_to_keep(written: Path) -> None:
    pairs = extracted(written)
    assert [facts.kind for facts, _ in pairs].count("subagent") == 1
    interactive = [reply for facts, reply in pairs if facts.kind == "interactive"]
    assert len(interactive) == 7
    assert [bool(reply.memories) for reply in interactive].count(False) == 1


def test_every_kind_of_memory_is_shown(written: Path) -> None:
    pairs = extracted(written)
    kinds = {memory.kind for _, reply in pairs for memory in reply.memories}
    assert kinds == {"preference", "constraint", "decision", "pitfall", "workflow"}
    assert "画面に出る文字列は必ず翻訳ファイルに追加してください。" in texts_of(pairs)


def test_a_night_makes_a_skill_and_keeps_the_newer_preference(written: Path) -> None:
    projects: defaultdict[str, Extracted] = defaultdict(list)
    for facts, reply in extracted(written):
        if facts.kind == "interactive":
            projects[Path(facts.cwd or "").name].append((facts, reply))
    assert sorted(projects) == ["harbor-api", "harbor-web"]

    api = consolidated(ConsolidateRequest("harbor-api", "p1", (), candidates(projects["harbor-api"]), ()))
    assert [skill.name for skill in api.skills] == ["lint-test-package"]
    assert len(api.skills[0].memories) == 3

    *earlier, latest = projects["harbor-web"]
    first = consolidated(ConsolidateRequest("harbor-web", "p2", (), candidates(earlier), ()))
    assert "Use npm, not yarn, in this repository." in [op.text for op in first.operations]
    day = f"{earlier[-1][0].last_activity:%Y-%m-%d}"
    standing = tuple(
        StandingEntry(f"m{number}", str(op.kind), op.text, op.situation, "user_said", 1, day)
        for number, op in enumerate(first.operations, 1)
    )
    second = consolidated(ConsolidateRequest("harbor-web", "p2", standing, candidates([latest]), ()))
    (change,) = [op for op in second.operations if op.op == "supersede"]
    assert (
        change.text == "Use pnpm instead of npm in this repository, because the lockfile is shared with the mobile app."
    )
    assert standing[int(change.entries[0][1:]) - 1].text == "Use npm, not yarn, in this repository."
