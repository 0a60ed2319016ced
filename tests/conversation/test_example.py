"""The example in the documentation runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.conversation.conftest import Bench
from tests.support.loopback import Step

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "conversation.py"


def test_the_example_runs_against_the_loopback_server(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "prices.csv").write_text("1")
    call = {"type": "tool_use", "id": "t", "name": "list_files", "input": {"folder": str(tmp_path)}}
    bench.replies = [
        Step(text="I will."),
        Step(content=[call], stop_reason="tool_use"),
        Step(text="prices.csv is there."),
    ]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ANTHROPIC_")}
    env = {
        **kept,
        "ANTHROPIC_BASE_URL": bench.server.base_url,
        "ANTHROPIC_API_KEY": "k-" + "local",
        "SLOWWAVE_HOME": str(tmp_path / "home"),
    }
    done = subprocess.run([sys.executable, str(EXAMPLE)], env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "prices.csv is there." in done.stdout
    assert "Constraint: Never touch the billing tables." in done.stdout
    assert "read from the cache" in done.stdout
    assert [json.loads(line)["type"] for line in done.stderr.splitlines()] == ["memory_flush_start", "memory_flush_end"]
    assert "prices.csv" in json.dumps(bench.sent()[-1]["messages"])
