"""Hand a plan to a flow through a file, so that Prefect stores a path and not thousands of session ids."""

from __future__ import annotations

from pathlib import Path

from slowwave.memories.pipeline import Plan
from slowwave.private import make_private_folder, replace_private


def write_plan(home: Path, plan: Plan) -> Path:
    """Write the plan into the home folder, readable by its owner only, and return where it lies."""
    path = make_private_folder(home / "plans") / f"{plan.run_id}.json"
    replace_private(path, plan.to_json().encode())
    return path


def take_plan(path: str | Path) -> Plan:
    """Read what `write_plan` wrote and remove the file."""
    plan = Plan.from_json(Path(path).read_text(encoding="utf-8"))
    Path(path).unlink(missing_ok=True)
    return plan
