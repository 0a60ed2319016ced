"""`slowwave secrets audit` on a home that has run: silent on its own ids and names, and loud on every planted value."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from tests.redaction.shapes import Shapes
from tests.support.site import Site, teaching


def test_a_used_home_is_clean_and_a_planted_value_is_found(tmp_path: Path) -> None:
    site = Site(tmp_path)
    for number in range(3):
        site.session(
            "shop", f"s{number}", teaching(f"Always run make lint{number} before a commit."), days_ago=2 + number
        )
    run = site.cli("run")
    assert run.returncode == 0, run.stderr
    clean = site.cli("secrets", "audit")
    assert (clean.returncode, clean.stdout) == (0, "nothing that Slowwave keeps holds a secret\n")

    text, _ = Shapes(5).marked("export DEPLOY_TOKEN=«{r40}»")
    password, _ = Shapes(6).marked("db password: «{word}{4d}»")
    (site.home / "notes.md").write_text(text)
    (site.home / "hooks").mkdir(exist_ok=True)
    (site.home / "hooks" / "left.json").write_text(json.dumps({"seen": password}))
    database = sqlite3.connect(site.home / "left.db")
    database.execute("CREATE TABLE row (value TEXT)")
    database.execute("INSERT INTO row VALUES (?)", (text,))
    database.commit()
    database.close()
    found = site.cli("secrets", "audit", "--json")
    assert found.returncode == 1
    places = {Path(place["where"].partition(": ")[0]).name for place in json.loads(found.stdout)["found"]}
    assert places == {"notes.md", "left.json", "left.db"}
