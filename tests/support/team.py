"""A team: homes of several people with one repository each, and one PostgreSQL. Every act is a process of its own."""

from __future__ import annotations

import base64
import json
import re
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import text

from slowwave.storage.engine import connect
from tests.support import nursery
from tests.support.workshop import Workshop, git

REMOTE = "git@git.example:crew/shop.git"


@dataclass
class Member:
    """One person: a workshop of their own and a clone of the team's repository in it."""

    shop: Workshop
    root: Path

    def act(self, name: str, *arguments: str) -> dict[str, Any]:
        """Do something in a process of its own, as the command of that name does, and return what came of it."""
        done = nursery.run("tests.support.team:act", [name, str(self.root), *arguments], self.shop.site.environment())
        assert done.code == 0, f"{name} {arguments}: exit {done.code}\n{done.stdout}\n{done.stderr}"
        found: dict[str, Any] = json.loads(done.stdout.strip().rpartition("\n")[2])
        return found

    def files(self) -> str:
        """All that lies in memory folders and blocks of this home, old versions and the memory kept beside them too."""
        home = self.shop.site.home
        kept = [path for part in ("memory", "hooks") for path in sorted((home / part).rglob("*")) if path.is_file()]
        return "\n".join(opened(path.read_bytes()) for path in kept)

    def databases(self) -> str:
        """All bytes of this home's databases and their backups, deleted rows that can still be read too."""
        home = self.shop.site.home
        kept = sorted(path for path in home.rglob("*.db*") if "prefect" not in path.parts and path.is_file())
        return "\n".join(opened(path.read_bytes()) for path in kept)

    def writers(self) -> set[str]:
        """The stores that published into the folder of the team's project."""
        return {
            str(json.loads(path.read_text())["store"])
            for path in (self.shop.site.home / "memory").glob("shop-*/.fence")
        }


def team(folder: Path, url: str, names: tuple[str, ...], *, remote: bool = True) -> dict[str, Member]:
    """Homes with a clone each of one repository."""
    origin = Workshop(folder / "origin").repository("shop")
    members = {}
    for name in names:
        shop = Workshop(folder / name, {"SLOWWAVE_DATABASE__URL": url, "SLOWWAVE_HOST_ID": name})
        root = folder / name / "src" / "shop"
        root.parent.mkdir(parents=True)
        git(folder, "clone", "-q", f"file://{origin}", str(root))
        git(root, "remote", "set-url", "origin", REMOTE)
        members[name] = Member(shop, root)
    return members


def everything(url: str) -> str:
    """All rows of all tables as one text."""
    engine = connect(url)
    try:
        with engine.connect() as connection:
            names = connection.execute(
                text("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
            ).scalars()
            rows = [row for name in list(names) for row in connection.execute(text(f'SELECT * FROM "{name}"'))]
        return "\n".join(_as_text(cell) for row in rows for cell in row)
    finally:
        engine.dispose()


def _as_text(cell: object) -> str:
    return opened(bytes(cell)) if isinstance(cell, memoryview | bytes) else str(cell)


def opened(data: bytes) -> str:
    """Bytes as text, and whatever they hold that was compressed or written in letters for a file of text."""
    text = data.decode("utf-8", "replace")
    packed = (data, *(base64.b64decode(found) for found in re.findall(rb'"state": "([A-Za-z0-9+/=]+)"', data)))
    for one in packed:
        # 32: by its head, zlib or gzip.
        for start in (found.start() for found in re.finditer(rb"\x78[\x01\x5e\x9c\xda]|\x1f\x8b\x08", one)):
            with suppress(zlib.error):
                inner = zlib.decompressobj(32 + zlib.MAX_WBITS).decompress(one[start:])
                text += "\n" + (opened(inner) if inner.startswith(b"SQLite") else inner.decode("utf-8", "replace"))
    return text


def act(arguments: list[str]) -> int:
    """One act of one member, in this process: a command, or a whole night over all stores."""
    import io
    import os
    from contextlib import redirect_stdout

    name, root, *rest = arguments
    os.chdir(root)
    told = io.StringIO()
    code = 0
    with redirect_stdout(told):
        if name == "night":
            _night()
        else:
            from slowwave.cli.group import run

            code = run([name, *rest])
    print(json.dumps({"code": code, "told": told.getvalue()}), flush=True)
    return 0


def _night() -> None:
    import asyncio

    from slowwave.app import open_app
    from slowwave.cli.common import refresh_hooks
    from slowwave.memories import pipeline
    from slowwave.memories.context import open_run
    from slowwave.memories.discovery.planning import scan

    app = open_app()
    scanned = scan(app)
    for one in app.stores():
        plan = pipeline.plan_run(one, pipeline.RunOptions(), scanned=scanned)
        if plan.empty:
            continue

        async def work(one: Any = one, plan: Any = plan) -> None:
            async with open_run(one, plan.run_id) as context:
                for batch in plan.batches:
                    await pipeline.extract_batch(context, batch)
                for project in pipeline.dirty_projects(context):
                    await pipeline.consolidate_project(context, project)

        asyncio.run(work())
        pipeline.finish_run(one, plan.run_id)
    refresh_hooks(app)
