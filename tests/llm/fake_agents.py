"""Stand-ins for agents' command lines: small scripts on the PATH that print what the real ones print.

Each writes down how it was called (arguments, standard input, environment, folder) and then does what `mode` says.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

SCRIPT = """#!{python}
import json, os, sys, time
name, mode, log = {name!r}, {mode!r}, {log!r}
prompt = sys.stdin.read()
names = sys.argv
files = {{}}
for at, word in enumerate(names):
    if word in ("--system-prompt-file", "--output-schema"):
        files[word] = open(names[at + 1]).read()
    if word.startswith("model_instructions_file="):
        files["--system-prompt-file"] = open(json.loads(word.partition("=")[2])).read()
with open(log, "a") as stream:
    stream.write(json.dumps({{"arguments": names[1:], "prompt": prompt, "env": dict(os.environ), "files": files,
                             "folder": os.getcwd(), "inside": os.listdir("."), "pid": os.getpid(),
                             "settings": os.listdir(os.environ.get("CODEX_HOME", "/nowhere"))
                             if os.path.isdir(os.environ.get("CODEX_HOME", "/nowhere")) else []}}) + "\\n")
if mode == "renews":
    place = os.path.join(os.environ["CODEX_HOME"], "auth.json")
    open(place + ".new", "w").write("the new one")
    os.replace(place + ".new", place)
sys.path.insert(0, {root!r})
from tests.support.loopback.answers import stage_one, stage_two
shape = " ".join(names) + str(files) + prompt
answer = stage_two(prompt) if '"operations"' in shape else stage_one(prompt)
if '"facts"' in shape and '"operations"' not in shape:
    answer = {{"facts": [{{"text": "Ops is in Lisbon", "quote": "Ops is in Lisbon."}}], "pins": []}}
text = json.dumps(answer)
if mode == "hang":
    if os.fork() == 0:
        time.sleep(600)
    time.sleep(600)
if mode == "crash":
    print("Segmentation fault", file=sys.stderr); sys.exit(139)
if mode == "endless":
    while True:
        sys.stdout.write("x" * 1000000)
if mode == "garbage":
    text = "I would rather talk about the weather."
trouble = {trouble!r}
if name == "claude":
    usage = {{"input_tokens": 1500, "output_tokens": 80, "cache_read_input_tokens": 0}}
    out = {{"type": "result", "is_error": bool(trouble), "result": trouble or text, "usage": usage,
           "total_cost_usd": 0.02, "stop_reason": "end_turn", "api_error_status": None}}
    if not trouble and mode == "ok":
        out["structured_output"] = answer
    print(json.dumps(out)); sys.exit(1 if trouble else 0)
if name == "codex":
    print(json.dumps({{"type": "thread.started", "thread_id": "t"}}))
    if trouble:
        print(json.dumps({{"type": "error", "message": trouble}}))
        print(json.dumps({{"type": "turn.failed", "error": {{"message": trouble}}}})); sys.exit(1)
    open(names[names.index("-o") + 1], "w").write(text)
    print(json.dumps({{"type": "turn.completed", "usage": {{"input_tokens": 1800, "cached_input_tokens": 300,
                      "output_tokens": 70}}}}))
    sys.exit(0)
if trouble:
    print(json.dumps({{"error": {{"type": "Error", "message": trouble, "code": 1}}}})); sys.exit(1)
tokens = {{"prompt": 1400, "candidates": 60, "cached": 100, "thoughts": 5, "total": 1465}}
print("Loaded cached credentials.")
print(json.dumps({{"response": text, "stats": {{"models": {{"gemini-x": {{"tokens": tokens}}}}}}}}))
"""

BINARIES = {"claude-code": "claude", "codex": "codex", "gemini": "gemini"}


class FakeAgent:
    """One script. `calls` are its runs so far, the oldest first."""

    def __init__(self, folder: Path, agent: str, *, mode: str = "ok", trouble: str = "") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / BINARIES[agent]
        self._log = folder / f"{agent}.log"
        root = str(Path(__file__).resolve().parents[2])
        script = SCRIPT.format(
            python=sys.executable, name=BINARIES[agent], mode=mode, log=str(self._log), root=root, trouble=trouble
        )
        self.path.write_text(script, encoding="utf-8")
        self.path.chmod(0o755)

    @property
    def calls(self) -> list[dict[str, Any]]:
        """The runs so far."""
        lines = self._log.read_text("utf-8").splitlines() if self._log.is_file() else []
        return [json.loads(line) for line in lines]
