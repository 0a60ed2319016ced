"""The files that are installed into agents without hook tables, run by Node with the installed command behind them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from slowwave.agents.install.installer import carry_out, plan_install
from slowwave.agents.install.integrations import INTEGRATIONS, Place, Scope, Way
from tests.support.memory import MemoryHome

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed, so the extension files cannot be run")

OPENCLAW = """
import handler from "./handler.mjs";
const [, , workspaceDir, rules] = process.argv;
const files = rules === "yes" ? [{ name: "AGENTS.md", path: "x", content: "Be kind.", missing: false }] : [];
const event = { type: "agent", action: "bootstrap", context: { workspaceDir, bootstrapFiles: files, sessionId: "s1" } };
await handler(event);
await handler({ type: "command", action: "new", context: {} });
console.log(JSON.stringify(files));
"""
OPENCODE = """
import { SlowwavePlugin } from "./slowwave.mjs";
const plugin = await SlowwavePlugin({ directory: process.argv[2] });
const prompts = [];
for (const sessionID of ["a", "a", "b"]) {
  const output = { system: ["base"] };
  await plugin["experimental.chat.system.transform"]({ sessionID }, output);
  prompts.push(output.system);
}
console.log(JSON.stringify(prompts));
"""


def installed(agent: str, name: str, base: Path) -> tuple[MemoryHome, Path]:
    """Install into a home of its own; returns the memory and the file, renamed so that Node takes it as a module."""
    memory = MemoryHome(base / "home")
    memory.publish(memory.project(base / "shop").id, ["the zeppelin needs FLAG_42"])
    memory.compile()
    place = Place(Scope.USER, base / "user")
    place.folder.mkdir()
    carry_out(memory.home, plan_install(memory.home, INTEGRATIONS[agent], place, Way.HOOKS))
    found = next(place.folder.rglob(name))
    return memory, found.rename(found.with_suffix(".mjs"))


def node(program: str, beside: Path, memory: MemoryHome, *arguments: str) -> list[object]:
    script = beside.with_name("host.mjs")
    script.write_text(program)
    env = {"PATH": os.environ["PATH"], "SLOWWAVE_HOME": str(memory.home), "HOME": str(memory.home.parent)}
    done = subprocess.run(
        [str(NODE), str(script), *arguments], env=env, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    answer: list[object] = json.loads(done.stdout)
    return answer


@pytest.mark.parametrize("rules", ["yes", "no"])
def test_openclaw_gets_the_block_in_its_workspace_context(rules: str, tmp_path: Path) -> None:
    memory, handler = installed("openclaw", "handler.js", tmp_path)
    files = node(OPENCLAW, handler, memory, str(tmp_path / "shop"), rules)
    assert len(files) == 1 and isinstance(files[0], dict)
    assert files[0]["name"] == "AGENTS.md" and "FLAG_42" in files[0]["content"] and files[0]["missing"] is False
    assert files[0]["content"].startswith("Be kind.\n\n<slowwave-memory") is (rules == "yes")
    assert node(OPENCLAW, handler, memory, str(tmp_path), "no") == []


def test_opencode_gets_the_same_block_for_every_request_of_a_session(tmp_path: Path) -> None:
    memory, plugin = installed("opencode", "slowwave.js", tmp_path)
    prompts = node(OPENCODE, plugin, memory, str(tmp_path / "shop"))
    assert [prompt[0] for prompt in prompts if isinstance(prompt, list)] == ["base"] * 3
    assert len({json.dumps(prompt) for prompt in prompts}) == 1 and "FLAG_42" in json.dumps(prompts[0])


def test_a_command_that_is_gone_or_speaks_nonsense_counts_as_silence(tmp_path: Path) -> None:
    memory, plugin = installed("opencode", "slowwave.js", tmp_path)
    text = plugin.read_text()
    command = text.split('const COMMAND = "')[1].split('"')[0]
    for program in ("/gone/slowwave", "/bin/echo"):
        plugin.write_text(text.replace(command, program))
        assert node(OPENCODE, plugin, memory, str(tmp_path / "shop")) == [["base"]] * 3
