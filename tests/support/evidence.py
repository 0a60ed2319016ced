"""Check that every line of every MEMORY.md leads to a session and a verbatim quote that stands in that log."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from sqlmodel import select

from slowwave.app import open_app
from slowwave.memories.publishing.markdown import blocks
from slowwave.memories.publishing.publish import root_of
from slowwave.memories.state.store import load_state_in
from slowwave.redaction.api import redact
from slowwave.rollouts.readers import reader_for
from slowwave.storage.engine import reading
from slowwave.storage.tables import Project, Thread
from slowwave.text import fold_space


def problems() -> tuple[int, list[str]]:
    """How many lines were checked, and what is wrong with them."""
    app = open_app()
    wrong: list[str] = []
    checked = 0
    with reading(app.engine) as session:
        for project in session.exec(select(Project)):
            path = root_of(app.home, project) / "current" / "MEMORY.md"
            if not path.is_file():
                continue
            state = load_state_in(session, project.id)
            for block in blocks(path.read_text(encoding="utf-8")):
                if block.shape != "entry":
                    continue
                checked += 1
                entry = state.entry(block.id)
                if entry is None or not entry.evidence:
                    wrong.append(f"{block.id} of {project.name} has no evidence")
                    continue
                for piece in entry.evidence:
                    thread = session.get(Thread, piece.thread_id or "")
                    if thread is None or not _stands_in_log(Path(thread.path), piece.item, piece.quote):
                        wrong.append(f"{block.id} of {project.name}: {piece.quote!r} is not in item {piece.item}")
    return checked, wrong


def _stands_in_log(path: Path, index: int, quote: str) -> bool:
    from slowwave.rollouts.model import LogFile

    reader = reader_for(path)
    stat = path.stat()
    log = LogFile(reader.agent, path, str(path), stat.st_size, stat.st_mtime_ns, stat.st_ino)
    item = next((item for item in reader.items(log) if item.index == index), None)
    if item is None:
        return False
    pieces = [re.escape(piece) for piece in re.split(r"\[REDACTED:[^\]]*\]", quote)]
    original = re.search(".{1,400}?".join(pieces), fold_space(item.text), re.DOTALL)
    return original is not None and quote in fold_space(redact(item.text).text)


if __name__ == "__main__":
    count, found = problems()
    print(f"{count} lines checked, {len(found)} problems")
    print("\n".join(found))
    sys.exit(bool(found))
