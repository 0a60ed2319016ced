"""Finding readers, and one that another package brings."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from slowwave.errors import ConfigError, RolloutUnreadable, RolloutVanished
from slowwave.rollouts.model import Reader
from slowwave.rollouts.readers import reader_for, readers
from slowwave.rollouts.relatives import RELATIVES
from tests.support.reading import BUILDERS

AGENTS = ["claude", "codex", "generic", "omp", "openclaw", "pi", "copilot", "copilot-history", "gemini", "opencode"]
AGENTS += ["cursor", "vscode", "cline", "roo", "kilocode", "qwen", "goose", "crush", "aider"]
AGENTS += ["amp", "kimi", "droid", "zed", "grok", "kiro", "hermes"]

ROOT = Path(__file__).resolve().parents[2]


def documented_reader() -> str:
    """The reader that docs/readers.md shows."""
    text = (ROOT / "docs" / "readers.md").read_text(encoding="utf-8")
    return text.split("```python\n", 1)[1].split("```", 1)[0]


USE = """
import json, sys
from pathlib import Path
from slowwave.rollouts.readers import reader_for, readers
home = Path(sys.argv[1])
(log,) = readers({})["tiny"].discover({}, home)
reader = reader_for(log.path, {})
facts = reader.scan(log)
print(json.dumps([facts.thread_id, facts.cwd, facts.damaged, [[i.kind, i.text] for i in reader.items(log, facts)]]))
"""


def install(tmp_path: Path, name: str, module: str, entry: str) -> Path:
    """Install a wheel that holds one module and an entry point into a folder of its own."""
    info = f"{name}-1.dist-info"
    files = {
        f"{name}.py": module,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": f"[slowwave.readers]\n{entry}\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{file},,\n" for file in [*files, f"{info}/RECORD"])
    wheel = tmp_path / f"{name}-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for file, text in files.items():
            archive.writestr(file, text)
    target = tmp_path / f"site-{name}"
    uv = shutil.which("uv")
    installer = [uv, "pip", "install", "--offline", "--python", sys.executable] if uv else [sys.executable, "-m", "pip"]
    command = [*installer, *([] if uv else ["install", "--no-index"]), "-q", "--no-deps", "--target", str(target)]
    subprocess.run([*command, str(wheel)], check=True, capture_output=True)
    return target


def run(code: str, *arguments: str, path: Path) -> subprocess.CompletedProcess[str]:
    purelib = sysconfig.get_paths()["purelib"]
    env = {"PYTHONPATH": f"{path}:{ROOT}:{purelib}", "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=env)


def test_every_agent_has_a_reader_that_keeps_the_interface() -> None:
    found = readers({})
    assert list(found) == [*AGENTS, *(relative.agent for relative in RELATIVES)]
    assert all(isinstance(reader, Reader) and reader.agent == agent for agent, reader in found.items())


@pytest.mark.parametrize("agent", BUILDERS)
def test_the_format_is_told_from_the_content_not_from_the_name(tmp_path: Path, agent: str) -> None:
    _, builder = BUILDERS[agent]
    path = builder(tmp_path / "gemini" / "copilot-claude.jsonl")
    assert reader_for(path, {}).agent == agent
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert reader_for(path, {}).agent == agent


@pytest.mark.parametrize("content", [b"", b"hello\n", b"\x89PNG\r\n", b'{"a": 1}\n', b"[]"])
def test_what_no_reader_knows_is_unreadable(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(RolloutUnreadable):
        reader_for(tmp_path / "x", {})


def test_a_missing_file_has_vanished_and_a_folder_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(RolloutVanished):
        reader_for(tmp_path / "none", {})
    with pytest.raises(RolloutUnreadable):
        reader_for(tmp_path, {})


def test_another_packages_reader_is_found_and_used(tmp_path: Path) -> None:
    """The one that the documentation shows, as a person would package it."""
    site = install(tmp_path, "tiny_reader", documented_reader(), "tiny = tiny_reader:TinyReader")
    log = tmp_path / "home" / ".tiny" / "s1.jsonl"
    log.parent.mkdir(parents=True)
    rows = [
        {"tiny": 1, "dir": "/x/y"},
        {"you": "hello", "at": "2026-06-01T09:00:00Z"},
        {"me": "hi"},
        {"you": "<system-reminder>no</system-reminder>"},
    ]
    log.write_text("\n".join(map(json.dumps, rows)) + '\n{"broken')
    done = run(USE, str(tmp_path / "home"), path=site)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == ["tiny:s1", "/x/y", 0, [["user_text", "hello"], ["assistant_text", "hi"]]]


@pytest.mark.parametrize(
    ("module", "words"),
    [
        ("raise RuntimeError('no luck')", "no luck"),
        ("class Half:\n    agent = 'half'\n", "lacks part of the reader interface"),
    ],
)
def test_a_reader_that_does_not_load_is_an_error_that_names_its_package(
    tmp_path: Path, module: str, words: str
) -> None:
    site = install(tmp_path, "badreader", module, "bad = badreader:Half")
    code = (
        "from slowwave.rollouts.readers import readers\nfrom slowwave.errors import ConfigError\n"
        "try:\n    readers({})\nexcept ConfigError as error:\n    print(error)\n"
    )
    done = run(code, path=site)
    assert words in done.stdout and "badreader" in done.stdout, done.stderr
    assert ConfigError.exit_code == 2
