"""One project's memory by address and by words, in one store or in two."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlmodel import Session, select

from slowwave.app import App, open_app
from slowwave.errors import ConfigError, MemoryUrlError
from slowwave.memories.reading.library import folder_library, open_library
from slowwave.memories.reading.usage import Report
from slowwave.paths import config_file
from slowwave.redaction.findings import Redaction
from slowwave.storage.engine import open_database
from slowwave.storage.tables import Entry, Project, Setting
from tests.support.memory import USER_PROJECT, MemoryHome


def app_of(memory: MemoryHome) -> App:
    return open_app({"SLOWWAVE_HOME": str(memory.home), "HOME": str(memory.home.parent)})


def test_what_is_read_is_clean_even_when_a_person_typed_a_secret(tmp_path: Path) -> None:
    memory = MemoryHome(tmp_path / "home")
    current = memory.publish(memory.project(tmp_path / "shop").id, ["first"])
    token = "gh" + "p_" + "A1b2C3d4E5f6" * 3
    (current / "MEMORY.md").write_text(f"# Memory\n- token {token} [m1]\n")
    found = open_library(app_of(memory), str(tmp_path / "shop")).read("memory://root/MEMORY.md")
    assert token not in found.text and "[m1]" in found.text


def test_an_unscannable_text_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = MemoryHome(tmp_path / "home")
    memory.publish(memory.project(tmp_path / "shop").id, ["first"])
    library = open_library(app_of(memory), "shop")
    monkeypatch.setattr(
        "slowwave.memories.reading.library.redact", lambda text: Redaction("[omitted]", (), failed=True)
    )
    with pytest.raises(Exception, match="could not be scanned"):
        library.read("memory://root")


def test_an_unknown_project_is_refused_by_name_and_empty_by_folder(tmp_path: Path) -> None:
    memory = MemoryHome(tmp_path / "home")
    with pytest.raises(ConfigError):
        open_library(app_of(memory), "nothing")
    (tmp_path / "new").mkdir()
    empty = folder_library(app_of(memory), tmp_path / "new")
    assert empty.urls() == [] and empty.search("anything") == []
    with pytest.raises(MemoryUrlError):
        empty.read("memory://root")


def test_a_shared_project_lies_in_the_teams_store_and_the_user_level_at_home(tmp_path: Path) -> None:
    team_file = tmp_path / "team.db"
    home = MemoryHome(tmp_path / "home")
    home.user_level(["prefers zeppelins"])
    config_file(home.home).write_text(json.dumps({"database": {"url": f"sqlite:///{team_file}", "share": "explicit"}}))
    shop = home.project(tmp_path / "shop")
    team = MemoryHome(tmp_path / "home")
    team.engine = open_database(team_file)
    team.project(tmp_path / "shop")
    team.publish(shop.id, ["the zeppelin needs FLAG_42"])
    with Session(home.engine) as session:
        session.add(Setting(name="shared_projects", value={"ids": [shop.id]}))
        session.commit()
    library = open_library(app_of(home), str(tmp_path / "shop"))
    assert library.engine.url != library.home.url
    assert sorted(found.hit.ref for found in library.search("zeppelin")) == ["m1", "u1"]
    assert library.search("FLAG_42")[0].url.startswith("memory://root/MEMORY.md#L")
    assert library.report("u1", Report.HELPED) and library.report("m1", Report.WRONG)
    with Session(home.engine) as session:
        assert session.exec(select(Entry.helped).where(Entry.project_id == USER_PROJECT)).one() == 1
    with Session(team.engine) as session:
        assert session.exec(select(Entry.wrong).where(Entry.project_id == shop.id)).one() == 1
        assert session.get(Project, USER_PROJECT) is None
