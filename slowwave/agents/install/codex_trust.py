"""Ask Codex whether it trusts our hooks: it skips untrusted ones silently, and only Codex itself can tell.

`codex app-server` speaks JSON lines on stdio; `hooks/list` names each hook with its trust. Seen in 0.171.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from slowwave.agents.hook.settings import is_ours

SECONDS = 10.0
_RUNS = ("trusted", "managed")


def untrusted_hooks(binary: str, folder: Path, env: Mapping[str, str]) -> list[str] | None:
    """Names of the events whose hook of ours Codex would skip in a folder; None when Codex does not answer in time."""
    hooks = _listed(binary, folder, env)
    if hooks is None:
        return None
    ours = [hook for hook in hooks if isinstance(hook, dict) and is_ours(hook)]
    return [str(hook.get("eventName", "?")) for hook in ours if hook.get("trustStatus") not in _RUNS]


def _listed(binary: str, folder: Path, env: Mapping[str, str]) -> list[Any] | None:
    try:
        server = subprocess.Popen(
            [binary, "app-server"], cwd=folder, env={**os.environ, **env}, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
    except OSError:
        return None
    timer = threading.Timer(SECONDS, server.kill)
    timer.start()
    try:
        return _ask(server, folder)
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        # Another version speaks otherwise; then nothing can be said.
        return None
    finally:
        timer.cancel()
        server.kill()
        server.communicate()


def _ask(server: subprocess.Popen[str], folder: Path) -> list[Any] | None:
    assert server.stdin is not None and server.stdout is not None
    client = {"name": "slowwave-doctor", "version": "1"}
    for message in (
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"clientInfo": client}},
        {"jsonrpc": "2.0", "method": "initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "hooks/list", "params": {"cwds": [str(folder)]}},
    ):
        server.stdin.write(json.dumps(message) + "\n")
    server.stdin.flush()
    for line in server.stdout:
        answer = json.loads(line)
        if answer.get("id") == 2:
            return [hook for entry in answer["result"]["data"] for hook in entry["hooks"]]
    return None
