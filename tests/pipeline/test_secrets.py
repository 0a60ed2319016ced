"""Forty secrets, planted wherever text can enter: no eight characters of one leave the machine or are written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.logs import Assistant, Tool, User
from tests.support.loopback import LoopbackServer
from tests.support.loopback import Step as Reply
from tests.support.planted import Leaks, Planted, planted
from tests.support.site import Site, teaching


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer() as running:
        yield running


@pytest.fixture
def site(tmp_path: Path, server: LoopbackServer) -> Site:
    site = Site(tmp_path)
    site.env = {"SLOWWAVE_MODELS__DEFAULT__BASE_URL": server.base_url, "ANTHROPIC_API_KEY": "test-key"}
    return site


def _plant_in_logs(site: Site, secrets: list[Planted]) -> None:
    """Prompt, answer, tool input, tool output, failing tool, file name, folder and branch."""
    one = iter(secrets)
    for number in range(4):
        # The places of one session take seven secrets; four sessions take all that are left.
        turns = (
            User(f"Always use the staging server. {next(one).line}"),
            Assistant(f"I will. For the record: {next(one).line}"),
            Tool(f"cat notes.txt # {next(one).line}", next(one).line),
            Tool("make deploy", f"Error: denied\n{next(one).line}", exit=2),
            Tool("make deploy STAGE=1", f"ok\n{next(one).line}"),
            User(f"Never deploy on Friday. {next(one).line}"),
            Assistant("Done."),
        )
        site.session("shop", f"s{number}", turns, days_ago=2 + number)


def test_forty_secrets_reach_nothing(site: Site, server: LoopbackServer, tmp_path: Path) -> None:
    secrets = planted()
    assert len(secrets) == 40
    leaks = Leaks(secrets)
    by_kind = {secret.kind: secret for secret in secrets}
    # A name can hold a token, not a line of a configuration file.
    name, folder, branch, slug = (by_kind.pop(kind) for kind in ("huggingface", "linear", "groq", "databricks"))
    said, error, edit, hook, *rest = (by_kind.pop(kind) for kind in list(by_kind)[-8:])
    _plant_in_logs(site, list(by_kind.values()))
    path = site.session("blog", "one", teaching(f"Always lint. {rest[0].line}"), days_ago=1)
    path = site.session("blog", "two", teaching(f"Always write tests. {rest[1].line}"), days_ago=1)
    text = path.read_text()
    assert '"gitBranch":"main"' in text and "npm test" in text
    path.write_text(
        text.replace('"gitBranch":"main"', f'"gitBranch":"fix/{_token(branch)}"').replace(
            "npm test", f"cat /srv/{_token(name)}/key.txt"
        )
    )
    site.session(f"key-{_token(folder)}", "three", teaching("Always pin versions."), days_ago=1)
    bad = {
        "outcome": "success",
        "rollout_slug": f"slug-{_token(slug)}",
        "rollout_summary": f"Talked about {said.line}",
        "memories": [],
    }
    server.script(Reply(text=json.dumps(bad)), when=lambda r: "Always lint" in r.prompt, times=None)
    server.script(
        Reply(status=400, message=f"invalid: {error.line}"), when=lambda r: "Always write tests" in r.prompt, times=None
    )

    first = site.cli("run")
    assert first.returncode in (0, 3), first.stderr
    memory = next((site.home / "memory").glob("shop-*/current/MEMORY.md"))
    memory.write_text(memory.read_text() + f"\n{edit.line}\n")
    site.session("shop", "late", teaching(f"Always ask first. {rest[2].line} {rest[3].line}"), days_ago=1)
    second = site.cli("run")
    payload = {
        "session_id": "h1",
        "transcript_path": str(path),
        "cwd": str(site.folder / "src" / "shop"),
        "hook_event_name": "UserPromptSubmit",
        "prompt": f"Never log tokens. Always use {hook.line} in staging, please, and keep the tests green.",
    }
    spoken = site.cli("hook", "user-prompt-submit", "--agent", "claude", stdin=json.dumps(payload))
    status = site.cli("status", "--json")
    remembered = site.cli("remember", f"The deploy line is: {rest[0].line}", "--project", "shop")

    sent = {str(n): kinds for n, r in enumerate(server.requests) if (kinds := leaks.in_bytes(r.body))}
    assert sent == {}
    printed = {
        place: kinds
        for place, done in {"run": first, "run 2": second, "hook": spoken, "status": status, "told": remembered}.items()
        if (kinds := leaks.in_text(done.stdout + done.stderr))
    }
    assert printed == {}
    assert leaks.in_tree(site.home) == {}
    fates = {row["fate"] for row in json.loads(status.stdout)["sessions"]}
    assert "extracted" in fates and fates & {"failed", "dead", "in_backoff"}


def _token(secret: Planted) -> str:
    """The secret alone, with its prefix."""
    return next(word.strip("`'\"") for word in secret.line.split() if secret.parts[0] in word)
