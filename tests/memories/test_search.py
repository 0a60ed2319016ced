"""Search finds by words and by pieces, in every script, in scope only, and says nothing when nothing matches."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine, text
from sqlmodel import Session

from slowwave.errors import ConfigError
from slowwave.memories.reading.search import Document, Hit, HitKind, has_trigrams, rank, search, snippet, terms_of
from slowwave.storage.engine import open_database
from slowwave.storage.tables import Entry, Project, Skill, StageOneOutput, Thread
from slowwave.storage.types import EntryStatus, MemoryKind, Outcome, SessionKind, Standing
from tests.support.postgres import Postgres

TEXTS = {
    1: "Tests run with `bun test`, never with npm",
    2: "部署前必须轮换数据库密钥",
    3: "テストは毎回ステージング環境で実行する",
    4: "ต้องรันการทดสอบก่อนส่งงานทุกครั้ง",
    5: "parseConfig() in src/config_loader.py swallows E4012",
    6: "Die Größenänderung der Übersicht braucht einen Neustart",
    7: "CI uses go 1.23 on arm64",
    8: "100%_done means the export finished",
}


def fill(engine: Engine) -> None:
    with Session(engine) as session:
        session.add(Project(id="a", key="a", slug="a", name="a"))
        session.add(Project(id="b", key="b", slug="b", name="b"))
        session.add(Project(id="u", key="user", slug="user", name="user", user_level=True))
        session.commit()
        for number, words in TEXTS.items():
            session.add(entry("a", number, words))
        session.add(entry("a", 9, "an obsolete zeppelin", EntryStatus.RETIRED))
        session.add(entry("b", 1, "the zeppelin of project b"))
        session.add(entry("u", 1, "prefers a zeppelin everywhere"))
        session.add(
            Skill(project_id="a", name="rotate-keys", description="Rotate the keys.", body="1. stop\n2. rotate")
        )
        sessions = {"claude:1": False, "claude:2": True}
        session.add_all(thread(name, forgotten) for name, forgotten in sessions.items())
        session.commit()
        session.add_all(summary(name) for name in sessions)
        session.commit()


def thread(name: str, forgotten: bool) -> Thread:
    return Thread(
        id=name,
        agent="claude",
        session_id=name[-1],
        host="h",
        path="/x",
        log_key="/x",
        project_id="a",
        kind=SessionKind.INTERACTIVE,
        forgotten=forgotten,
    )


def summary(name: str) -> StageOneOutput:
    return StageOneOutput(
        thread_id=name,
        project_id="a",
        source_hash="x",
        extractor="offline",
        extractor_version=1,
        outcome=Outcome.SUCCESS,
        slug="x",
        raw_memory="",
        rollout_summary="Fixed the flaky payment webhook",
    )


def entry(project: str, number: int, words: str, status: EntryStatus = EntryStatus.ACTIVE) -> Entry:
    return Entry(
        project_id=project, number=number, kind=MemoryKind.FACT, text=words, standing=Standing.VERIFIED, status=status
    )


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    if request.param == "sqlite":
        opened = open_database(tmp_path_factory.mktemp("db") / "slowwave.db")
        fill(opened)
        yield opened
        opened.dispose()
        return
    server: Postgres = request.getfixturevalue("postgres")
    opened = open_database(server.database())
    fill(opened)
    yield opened
    opened.dispose()


def refs(engine: Engine, query: str, project: str | None = "a", limit: int = 10) -> list[str]:
    return [hit.ref for hit in search(engine, query, project_id=project, limit=limit)]


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("bun", 1), ("BUN TEST", 1), ("密钥", 2), ("轮换", 2), ("数据库密钥轮换", 2), ("库", 2), ("ステージング", 3),
        ("環境で実行", 3), ("การทดสอบ", 4), ("ทดสอบก่อน", 4), ("parseConfig", 5), ("config_loader", 5), ("E4012", 5),
        ("arseConf", 5), ("größenänderung", 6), ("übersicht", 6), ("arm64", 7), ("go", 7),
        ("100%_done", 8),
    ],
)  # fmt: skip
def test_words_pieces_and_every_script_are_found(engine: Engine, query: str, number: int) -> None:
    assert refs(engine, query)[0] == f"m{number}"


@pytest.mark.parametrize("query", ["xylophone", "完全無關", "q", "E9999", "%", "_x_", "zz*", "NEAR(qq zz)"])
def test_nothing_is_said_when_nothing_matches(engine: Engine, query: str) -> None:
    if not terms_of(query).words:
        with pytest.raises(ConfigError):
            refs(engine, query)
        return
    assert refs(engine, query) == []


def test_summaries_and_skills_are_found_and_what_is_forgotten_or_retired_is_not(engine: Engine) -> None:
    assert refs(engine, "payment webhook") == ["claude:1"]
    assert refs(engine, "rotate") == ["rotate-keys"]
    assert refs(engine, "obsolete") == []


def test_another_project_is_never_searched_and_the_user_level_always(engine: Engine) -> None:
    assert refs(engine, "zeppelin") == ["u1"]
    assert sorted(refs(engine, "zeppelin", "b")) == ["m1", "u1"]
    assert sorted(refs(engine, "zeppelin", None)) == ["m1", "u1"]


@pytest.mark.parametrize("query", ["", "  ", "!?", "x" * 501])
def test_an_unusable_query_is_refused(engine: Engine, query: str) -> None:
    with pytest.raises(ConfigError):
        refs(engine, query)


def test_the_limit_holds(engine: Engine) -> None:
    assert len(refs(engine, "test the a before config", limit=2)) == 2
    assert refs(engine, "bun", limit=0) == []


@pytest.mark.postgres
def test_a_role_that_may_not_create_the_extension_searches_without_it(postgres: Postgres) -> None:
    url = postgres.database()
    owner = open_database(url)
    fill(owner)
    with owner.begin() as connection:
        connection.execute(text("CREATE ROLE plain LOGIN"))
        connection.execute(text("GRANT SELECT ON ALL TABLES IN SCHEMA public TO plain"))
    with owner.connect() as connection:
        connection.execute(text("SET ROLE plain"))
        connection.rollback()
    owner.dispose()
    plain = open_database(url.replace("//postgres", "//plain"))
    try:
        assert has_trigrams(plain) is False
        assert refs(plain, "bun test")[0] == "m1"
    finally:
        plain.dispose()


def test_a_thousand_entries_are_searched_quickly(tmp_path: Path) -> None:
    documents = [
        Document(HitKind.ENTRY, f"m{n}", "a", f"entry {n} about service{n % 50} and flaky thing{n}")
        for n in range(1000)
    ]
    started = time.perf_counter()
    best = rank(documents, terms_of("thing777 service27"))[0][0]
    assert documents[best].ref == "m777"
    assert time.perf_counter() - started < 2


@given(query=st.text(max_size=60), words=st.lists(st.text(max_size=40), max_size=5))
def test_no_query_breaks_the_index(query: str, words: list[str]) -> None:
    documents = [Document(HitKind.ENTRY, f"m{number}", "a", text) for number, text in enumerate(words)]
    positions = [position for position, _ in rank(documents, terms_of(query))]
    assert len(set(positions)) == len(positions) and set(positions) <= set(range(len(documents)))


@given(words=st.text(max_size=2000), query=st.text(max_size=20))
def test_a_snippet_is_one_short_line(words: str, query: str) -> None:
    line = snippet(words, terms_of(query))
    assert "\n" not in line and len(line) <= 242


def test_a_hit_shows_the_part_that_matched(engine: Engine) -> None:
    hit: Hit = search(engine, "E4012", project_id="a")[0]
    assert "E4012" in hit.text and hit.kind is HitKind.ENTRY and hit.project_id == "a"
