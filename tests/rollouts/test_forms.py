"""Every form of every agent's log: who said what, strictly apart, and nothing changed beside it."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from slowwave.errors import RolloutError
from slowwave.rollouts.model import Item, ItemKind, LogFile, SessionFacts
from slowwave.rollouts.readers import reader_for, readers
from tests.support.logs import START, STEP, Assistant, Step, Tool, User
from tests.support.reading import LINES, WHOLE, log_file_of, read_with, texts, whole_log

READERS = readers({})
WITHOUT_RESULTS = ("cursor",)
WITHOUT_FOLDER = ("cursor", "cursor/text", "cursor/state", "vscode/document", "vscode/log", "kimi")
UNTIMED = ("cursor", "cursor/text", "aider", "zed", "zed/older", "grok")
TURNS: tuple[Step, ...] = (
    User("Never edit the schema by hand.\n\nUse `make schema`."),
    Assistant("Understood."),
    Tool("make schema", "wrote 3 tables", exit=0),
    Assistant("Three tables were written."),
    User("Grand. And the docs?"),
    Tool("make docs", "error: no such target", exit=2),
    Assistant("There is no such target."),
)
FORMS = (*LINES, *WHOLE)


def log_of(form: str, folder: Path, turns: tuple[Step, ...] = TURNS) -> LogFile:
    if form in WHOLE:
        return whole_log(form, folder, turns)
    name, build = LINES[form]
    return log_file_of(build(folder / name, turns))


def read(form: str, folder: Path, turns: tuple[Step, ...] = TURNS) -> tuple[SessionFacts, list[Item]]:
    log = log_of(form, folder, turns)
    return read_with(READERS[log.agent], log)


@pytest.mark.parametrize("form", FORMS)
def test_each_word_is_its_speakers(tmp_path: Path, form: str) -> None:
    facts, items = read(form, tmp_path)
    assert [text.replace("\n\n", "\n") for text in texts(items)] == [
        "Never edit the schema by hand.\nUse `make schema`.",
        "Grand. And the docs?",
    ]
    said = " ".join(texts(items, ItemKind.ASSISTANT_TEXT))
    assert all(words in said for words in ("Understood.", "Three tables were written.", "There is no such target."))
    calls = [item for item in items if item.kind is ItemKind.TOOL_CALL]
    assert ["make schema" in item.text for item in calls] == [True, False]
    if form not in WITHOUT_RESULTS:
        results = [item for item in items if item.kind is ItemKind.TOOL_RESULT]
        assert any("wrote 3 tables" in item.text for item in results)
        assert any("no such target" in item.text and item.failed is not False for item in results)
    assert not texts(items, ItemKind.CONTEXT)
    assert facts.damaged == 0 and not facts.unknown and facts.kind == "interactive"


@pytest.mark.parametrize("form", FORMS)
def test_folder_and_times_are_the_sessions(tmp_path: Path, form: str) -> None:
    facts, items = read(form, tmp_path)
    if form not in WITHOUT_FOLDER:
        assert facts.cwd and facts.cwd.endswith("project"), facts.cwd
    if form not in UNTIMED:
        assert items[0].time == START + STEP


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "text",
    [
        "<system-reminder>always use tabs</system-reminder>",
        "<task-notification>done</task-notification>",
        "<slowwave-memory>never use tabs</slowwave-memory>",
    ],
)
def test_what_a_harness_puts_into_a_prompt_is_nobodys(tmp_path: Path, form: str, text: str) -> None:
    _, items = read(form, tmp_path, (User(text), Assistant("ok")))
    assert texts(items) == []


@pytest.mark.parametrize("form", WHOLE)
def test_a_form_is_told_from_its_content(tmp_path: Path, form: str) -> None:
    log = log_of(form, tmp_path)
    moved = log.path.rename(log.path.with_name("something.log"))
    assert reader_for(moved, {}).agent == log.agent


@pytest.mark.parametrize(
    "form", [form for form in WHOLE if any(end in WHOLE[form][1] for end in (".vscdb", ".db", ".sqlite3"))]
)
def test_a_live_database_is_left_as_it_is(tmp_path: Path, form: str) -> None:
    log = log_of(form, tmp_path)
    writer = sqlite3.connect(log.path, isolation_level=None)
    writer.execute("CREATE TABLE more (x)")
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("INSERT INTO more VALUES (1)")
    before = {path: path.read_bytes() for path in log.path.parent.iterdir() if not path.name.endswith("-shm")}
    facts, items = read_with(READERS[log.agent], log)
    assert len(texts(items)) == 2 and facts.damaged == 0
    after = {path: path.read_bytes() for path in log.path.parent.iterdir() if not path.name.endswith("-shm")}
    assert after == before
    writer.execute("COMMIT")
    writer.close()


def test_real_files_are_read_without_loss_where_there_are_some() -> None:
    """`REAL_LOGS` names a folder with one folder an agent (cursor/, vscode/, cline/, aider/, ...)."""
    folder = os.environ.get("REAL_LOGS", "")
    if not folder:
        pytest.skip("REAL_LOGS names no folder with real logs")
    for path in sorted(Path(folder).rglob("*")):
        agent = path.relative_to(folder).parts[0]
        if not path.is_file() or agent not in READERS:
            continue
        try:
            log = log_file_of(path)
        except RolloutError as error:
            print(f"{path}: {error}")
            continue
        facts, items = read_with(READERS[log.agent], log)
        counts = dict(facts.items)
        print(f"{path.name}: {log.agent} {counts} dropped {dict(facts.dropped)} unknown {dict(facts.unknown)}")
        assert len(items) == sum(facts.items.values()) and not any("<user_query>" in text for text in texts(items))
