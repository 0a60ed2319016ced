"""A model that spells secrets again in every way it can: nothing of it is written, printed or sent."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import ahocorasick
import pytest

from tests.redaction.shapes import Shapes
from tests.redaction.spellings import RANDOM, SPELLINGS, chunks
from tests.support.logs import Assistant, Tool, User
from tests.support.loopback import LoopbackServer, RequestRecord, answers
from tests.support.loopback import Step as Reply
from tests.support.planted import Leaks
from tests.support.site import Site

LINES = (
    "export DEPLOY_TOKEN='{v}'", 'password = "{v}"', "db:\n  password: '{v}'", "API_KEY='{v}' make deploy",
    '{{"client_secret": "{v}"}}', "mysqldump --password='{v}' shop", "Authorization: Bearer {v}",
)  # fmt: skip
PREFIXES = ("sk-", "gh", "np")
WINDOW = 12


def squeezed(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


class Respelt(Leaks):
    """Finds values as they were spelt, and twelve letters and digits of one in a row, either way round."""

    def __init__(self, values: list[str]) -> None:
        self._exact, self._plain = ahocorasick.Automaton(), ahocorasick.Automaton()
        for value in values:
            for name, spell in SPELLINGS.items():
                self._exact.add_word(spell(value), (value, name))
            for plain in (squeezed(value), squeezed(value)[::-1], value.encode().hex()):
                for at in range(len(plain) - WINDOW + 1):
                    self._plain.add_word(plain[at : at + WINDOW], (value, "letters and digits"))
        self._exact.make_automaton()
        self._plain.make_automaton()

    def in_bytes(self, raw: bytes) -> set[str]:
        text = raw.decode("utf-8", "replace")
        found = [*self._exact.iter(text), *self._plain.iter(squeezed(text))]
        return {f"{name}: {value[:3]}" for _, (value, name) in found}


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer() as running:
        yield running


@pytest.fixture
def site(tmp_path: Path, server: LoopbackServer) -> Site:
    site = Site(tmp_path)
    site.env = {"SLOWWAVE_MODELS__DEFAULT__BASE_URL": server.base_url, "ANTHROPIC_API_KEY": "test-key"}
    return site


def secrets(count: int) -> list[str]:
    """Values of twelve kinds, without the sign that masks them."""
    shapes = Shapes("respelt")
    return [
        shapes.fill(RANDOM[(number + 5) % len(RANDOM)]).replace("*", "%").replace("#", "%") for number in range(count)
    ]


def plant(site: Site, values: list[str]) -> None:
    """Each value in what was said, called, printed and answered, in a file's, a branch's and some projects' names."""
    for number, value in enumerate(values):
        line = LINES[number % len(LINES)].format(v=value)
        name = re.sub(r"[^A-Za-z0-9_-]", "", value)
        turns = (
            User(f"Always deploy module {number} from staging. {line}"),
            Tool(f"cat /srv/{name}/notes.txt # {line}", line),
            Tool("make deploy", f"Error: denied\n{line}", exit=2),
            Assistant(f"I will. For the record: {line}"),
        )
        # Projects and branches are named before a session is read: there a value is told by its own form alone.
        told = name.startswith(PREFIXES)
        path = site.session(f"shop-{name}" if told else "shop", f"s{number}", turns)
        if not told:
            continue
        path.write_text(path.read_text().replace('"gitBranch":"main"', f'"gitBranch":"fix/{name}"'))


def spelt(values: list[str], kinds: list[str]) -> str:
    return "; ".join(SPELLINGS[kind](value) for value in values for kind in kinds)


def scripted(server: LoopbackServer, values: list[str]) -> None:
    """A model that knows the values and repeats them wherever an answer has room for text."""
    kinds = list(SPELLINGS)

    def first(record: RequestRecord) -> Reply:
        reply: dict[str, Any] = answers.stage_one(record.prompt)
        mine = [v for n, v in enumerate(values) if f"module {n} from" in record.prompt]
        reply["rollout_slug"] = "deploy-" + "-".join(chunks(v.lower(), 5, "-") for v in mine[:1])
        reply["rollout_summary"] = f"Deployed. {spelt(mine, kinds)}"
        for number, memory in enumerate(reply["memories"]):
            memory["text"] += f" ({spelt(mine, kinds[number::4])})"
            memory["situation"] = f"when {spelt(mine, kinds[number::5])}"
        return Reply(text=json.dumps(reply))

    def second(record: RequestRecord) -> Reply:
        reply: dict[str, Any] = answers.stage_two(record.prompt)
        for number, operation in enumerate(reply["operations"]):
            operation["text"] = operation["text"] and f"{operation['text']} {spelt(values[:3], kinds[number::6])}"
            operation["reason"] = spelt(values, kinds[number::9])
        ids = [row["id"] for row in answers.json_lines(record.prompt, "id") if row["id"].startswith("s")]
        reply["skills"] = [
            {
                "name": re.sub(r"[^a-z0-9-]", "", f"deploy-{chunks(value.lower(), 6, '-')}")[:60].strip("-"),
                "description": f"Deploys with {spelt([value], kinds[::3])}",
                "body": f"# Deploy\n\n1. Run it with {spelt([value], kinds)}",
                "entries": [],
                "memories": ids[:2],
            }
            for value in values[:4]
        ]
        return Reply(text=json.dumps(reply))

    server.script(first, when=lambda record: "memories" in _asked(record), times=None)
    server.script(second, when=lambda record: "operations" in _asked(record), times=None)


def _asked(record: RequestRecord) -> set[str]:
    body: Mapping[str, Any] = record.json or {}
    return answers._asked_for(body)


@pytest.mark.parametrize("count", [4, pytest.param(40, marks=pytest.mark.full)])
def test_a_model_that_spells_secrets_again(site: Site, server: LoopbackServer, count: int) -> None:
    values = secrets(count)
    leaks = Respelt(values)
    plant(site, values)
    scripted(server, values)
    site.drive()
    said = [site.cli("status", "--json"), *([site.cli("secrets", "audit")] if count > 4 else [])]
    assert len(server.messages) > 2
    assert {str(r.number): found for r in server.requests if (found := leaks.in_bytes(r.body))} == {}
    assert [found for done in said if (found := leaks.in_text(done.stdout + done.stderr))] == []
    assert leaks.in_tree(site.home) == {}
