"""Hand a plan to a flow through a file, so that Prefect stores a path and not thousands of session ids."""

from __future__ import annotations

import os
from pathlib import Path

from slowwave.memories.pipeline import Plan
from slowwave.paths import make_private


def write_plan(home: Path, plan: Plan) -> Path:
    """Write the plan into the home folder, readable by its owner only, and return where it lies."""
    path = make_private(home / "plans") / f"{plan.run_id}.json"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(plan.to_json())
    return path


def take_plan(path: str | Path) -> Plan:
    """Read what `write_plan` wrote and remove the file."""
    plan = Plan.from_json(Path(path).read_text(encoding="utf-8"))
    Path(path).unlink(missing_ok=True)
    return plan
