"""A progress bar for a person who watches a run. It reads what the run records, wherever the work is done."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from slowwave.app import App
from slowwave.memories.pipeline import Plan
from slowwave.storage.engine import reading
from slowwave.storage.registry import count_run_sessions, has_begun

POLL_SECONDS = 0.5
STARTING = "starting the scheduler"


@contextmanager
def watched(app: App, plan: Plan, *, visible: bool) -> Iterator[None]:
    """Show how many of a plan's sessions have their fate while the block runs; nothing when nobody watches."""
    if not visible or not plan.sessions:
        yield
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    stop = threading.Event()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    ids = [thread_id for batch in plan.batches for thread_id in batch]
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(STARTING, total=plan.sessions)

        def poll() -> None:
            while not stop.wait(POLL_SECONDS):
                with reading(app.engine) as session:
                    done = count_run_sessions(session, plan.run_id, ids)
                    begun = done > 0 or has_begun(session, plan.run_id)
                label = STARTING if not begun else "extracting" if done < plan.sessions else "consolidating"
                progress.update(task, completed=done, description=label)

        thread = threading.Thread(target=poll, name="slowwave-progress", daemon=True)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()
