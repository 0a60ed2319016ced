"""A program that names its project itself: nights consolidate it, and commands find it by that name."""

from __future__ import annotations

import json
from pathlib import Path

from slowwave.paths import session_database_file
from slowwave.session.memory import SessionMemory
from tests.support.workshop import Workshop

FACT = "Our warehouse database runs on PostgreSQL 17."


def day(shop: Workshop, project: str, text: str = FACT) -> None:
    """A conversation of the library in which a person says something about the project."""
    shop.site.home.mkdir(parents=True, exist_ok=True)
    with SessionMemory(session_database_file(shop.site.home), session_id=f"talk-{project}", project_id=project) as talk:
        for said in (text, "Please add the report of the week."):
            prepared = talk.before_turn([{"role": "user", "content": said}])
            assert not prepared.failed
            talk.after_turn("Done.")


def test_a_programs_own_project_reaches_its_nights(tmp_path: Path) -> None:
    shop = Workshop(tmp_path)
    day(shop, "shop")
    day(shop, "customer/42 & co", "Our billing service is written in Rust.")
    shop.night()
    listed = {row["name"]: row for row in json.loads(shop.cli("projects", "--all", "--json").stdout)["projects"]}
    assert set(listed) == {"shop", "customer/42 & co"}
    viewed = shop.cli("view", "-p", "shop")
    assert viewed.returncode == 0, viewed.stderr
    assert "PostgreSQL 17" in viewed.stdout and "Rust" not in viewed.stdout
    assert "Rust" in shop.cli("view", "-p", "customer/42 & co").stdout

    with SessionMemory(session_database_file(shop.site.home), session_id="next", project_id="shop") as talk:
        asked = talk.before_turn([{"role": "user", "content": "Which PostgreSQL does the warehouse database run on?"}])
    assert "PostgreSQL 17" in asked.injected, "the program goes on to find its facts under its own name"
    day(shop, "shop", "Our frontend is built with Vite.")
    shop.night()
    assert "Vite" in shop.cli("view", "-p", "shop").stdout
