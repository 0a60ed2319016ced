"""`slowwave doctor --security` finds what others could read or change."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from slowwave.agents.doctor.findings import Level
from slowwave.agents.doctor.security import examine_security
from slowwave.app import App, open_app
from slowwave.cli.group import slowwave
from slowwave.errors import PublishError
from slowwave.storage.types import MemoryKind
from tests.support.logs import Assistant, User, claude_rows, write_lines
from tests.support.remembered import Remembered

pytestmark = pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Remembered]:
    one = Remembered(tmp_path, {"CLAUDE_CONFIG_DIR": str(tmp_path / "claude")})
    one.add()
    rows = claude_rows((User("hello"), Assistant("hi")), cwd="/src/shop", session_id="1")
    write_lines(tmp_path / "claude" / "projects" / "-src-shop" / "1.jsonl", rows)
    for path in (tmp_path / "claude").rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
    yield one
    one.close()


def faults(app: App) -> dict[str, Level]:
    return {found.check: found.level for found in examine_security(app) if found.level not in (Level.OK, Level.INFO)}


def test_a_home_as_slowwave_makes_it_has_no_fault(shop: Remembered) -> None:
    assert faults(shop.app) == {}


def test_what_others_may_read_or_write_is_named(shop: Remembered) -> None:
    shop.memory.resolve().chmod(0o644)
    assert faults(shop.app) == {"home readable": Level.WARNING}
    shop.memory.resolve().chmod(0o666)
    assert faults(shop.app)["home writable"] is Level.FAULT


def test_logs_that_others_may_write_are_named(shop: Remembered) -> None:
    log = next((shop.folder / "claude").rglob("*.jsonl"))
    log.chmod(0o666)
    assert faults(shop.app) == {"claude logs writable": Level.FAULT}
    log.chmod(0o600)
    log.parent.chmod(0o777)
    assert faults(shop.app) == {"claude logs writable": Level.FAULT}


def test_a_link_that_leads_out_is_named_and_refused(shop: Remembered, tmp_path: Path) -> None:
    target, root = tmp_path / "target", shop.root
    root.rename(target)
    root.symlink_to(target)
    before = sorted(path.name for path in target.rglob("*"))
    assert faults(shop.app) == {"home links": Level.FAULT}
    with pytest.raises(PublishError, match="symbolic link"):
        shop.add({"One more.": MemoryKind.FACT})
    assert sorted(path.name for path in target.rglob("*")) == before, "nothing was made or removed there"


def test_the_command_says_it(shop: Remembered) -> None:
    env = {**dict.fromkeys(os.environ), **shop.env}
    done = CliRunner().invoke(slowwave, ["doctor", "--security", "--json"], env=env, standalone_mode=False)
    rows = json.loads(done.output)
    assert {row["subject"] for row in rows} == {"security"} and done.return_value == 0
    assert open_app(shop.env).home == shop.app.home
