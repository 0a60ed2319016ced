"""`slowwave secrets`: types and places on the screen, never a value, and an exit code for CI."""

from __future__ import annotations

import json
import os
import pty
import select
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
import zstandard

from tests.support.planted import Leaks, planted

ROOT = Path(__file__).parents[2]
SECRETS = planted(31)
BY_KIND = {secret.kind: secret for secret in SECRETS}


def slowwave(home: Path, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "SLOWWAVE_HOME": str(home), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "slowwave.cli.main", "secrets", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, env=env, timeout=120, check=False)


def test_scan_a_tree(tmp_path: Path) -> None:
    home, tree = tmp_path / "home", tmp_path / "tree"
    (tree / ".git").mkdir(parents=True)
    (tree / ".git" / "config").write_text(BY_KIND["gitlab"].line)
    (tree / "notes.md").write_text(f"one\ntwo\n{BY_KIND['github'].line}\n")
    (tree / "bad.bin").write_bytes(b"\xff\xfe\x00" + BY_KIND["npm"].line.encode() + b"\x80")
    (tree / "packed.zst").write_bytes(zstandard.ZstdCompressor().compress(BY_KIND["slack"].line.encode()))
    database = sqlite3.connect(tree / "rows.db")
    database.execute("CREATE TABLE entry (text TEXT)")
    database.execute("INSERT INTO entry VALUES (?)", (BY_KIND["anthropic"].line,))
    database.commit()
    database.close()
    result = slowwave(home, "scan", str(tree), "--json")
    assert result.returncode == 1, result.stderr
    found = json.loads(result.stdout)["found"]
    places = {(Path(place["where"].partition(": ")[0]).name, place["type"], place["line"]) for place in found}
    assert places == {
        ("notes.md", "github-token", 3),
        ("bad.bin", "npm-token", 1),
        ("packed.zst", "slack-token", 1),
        ("rows.db", "anthropic-key", 0),
    }
    assert not Leaks(SECRETS).in_bytes(result.stdout + result.stderr)


def test_scan_standard_input(tmp_path: Path) -> None:
    dirty = slowwave(tmp_path, "scan", "-", stdin=BY_KIND["password"].line.encode())
    assert (dirty.returncode, dirty.stdout) == (1, b"standard input:1: password\n")
    clean = slowwave(tmp_path, "scan", "-", stdin=b"all is well\n")
    assert (clean.returncode, clean.stdout) == (0, b"")


def test_audit_finds_a_secret_in_what_is_kept(tmp_path: Path) -> None:
    (tmp_path / "memory" / "p-1" / "versions").mkdir(parents=True)
    assert slowwave(tmp_path, "audit").returncode == 0
    (tmp_path / "memory" / "p-1" / "versions" / "MEMORY.md").write_text(BY_KIND["stripe"].line)
    result = slowwave(tmp_path, "audit")
    assert result.returncode == 1
    assert b"MEMORY.md:1: stripe-key" in result.stdout
    assert not Leaks(SECRETS).in_bytes(result.stdout + result.stderr)


def test_a_script_cannot_allow(tmp_path: Path) -> None:
    result = slowwave(tmp_path, "allow", stdin=b"password = 'fixture-Pass-42!'\ny\n")
    assert result.returncode == 2
    assert b"only a person" in result.stderr
    assert not list(tmp_path.glob("secrets-allowed*"))


def talk(home: Path, answers: list[bytes]) -> bytes:
    """Run `secrets allow` at a terminal of its own; type each answer when the program has stopped writing."""
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "SLOWWAVE_HOME": str(home), "PYTHONPATH": str(ROOT)}
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(sys.executable, [sys.executable, "-m", "slowwave.cli.main", "secrets", "allow"], env)
    shown = b""
    waiting = list(answers)
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        ready, _, _ = select.select([terminal], [], [], 1.0)
        if ready:
            try:
                chunk = os.read(terminal, 65536)
            except OSError:
                break
            if not chunk:
                break
            shown += chunk
        if waiting and shown.rstrip().endswith((b":", b"]:")) and not ready:
            os.write(terminal, waiting.pop(0) + b"\n")
    os.waitpid(pid, 0)
    os.close(terminal)
    return shown


def test_a_person_allows_a_password_but_no_token(tmp_path: Path) -> None:
    password = BY_KIND["password"]
    shown = talk(tmp_path, [password.line.encode(), b"y"])
    assert b"allowed; recorded" in shown, shown
    assert not Leaks(SECRETS).in_bytes(shown)
    assert slowwave(tmp_path, "scan", "-", stdin=password.line.encode()).returncode == 0
    refused = talk(tmp_path, [BY_KIND["github"].line.encode()])
    assert b"never allowed" in refused
    assert slowwave(tmp_path, "scan", "-", stdin=BY_KIND["github"].line.encode()).returncode == 1
    listed = slowwave(tmp_path, "allow", "--list")
    assert listed.stdout == b"   1  password\n"


@pytest.mark.parametrize("command", ["scan", "audit", "allow"])
def test_help_has_an_example(tmp_path: Path, command: str) -> None:
    assert b"Example:" in slowwave(tmp_path, command, "--help").stdout
