"""What a command printed is known from its call, also where the call is another item of the session."""

from __future__ import annotations

import json

import pytest

from slowwave.errors import SecretFound
from slowwave.memories.context import GuardedScrubber
from slowwave.memories.redacting import scrub_items
from slowwave.redaction.guard import Guard
from slowwave.redaction.rules.places.outputs import command_that_prints
from slowwave.rollouts.model import Item, ItemKind, Role
from tests.redaction.shapes import Shapes, survives

SHOWING = (
    "openssl rand -hex 32", "terraform output -raw db_password", "pass show infra/db", "op read op://infra/db/password",
    "kubectl get secret db -o jsonpath={.data.pw} | base64 -d", "cat ~/.config/app/token",
    "vault kv get -field=x secret/db",
    "security find-generic-password -w -s db", "cd infra && gopass show -o infra/db",
)  # fmt: skip
OTHERS = (
    "cat README.md", "git rev-parse HEAD", "ls -la", "openssl rand -hex 32 > key.hex", "TOKEN=$(gh auth token)",
    "echo $HOME", "cat src/token.ts", "sha256sum release.tar", "pass show infra/db | pbcopy", "kubectl get pods",
)  # fmt: skip


@pytest.mark.parametrize("command", SHOWING)
def test_a_command_that_shows_a_secret(command: str) -> None:
    for call in (command, f"exec: {json.dumps({'command': command})}", f"bash\n{command}"):
        assert command_that_prints(call), call


@pytest.mark.parametrize("command", OTHERS)
def test_a_command_that_shows_none(command: str) -> None:
    assert command_that_prints(command) is None


def session(command: str, output: str) -> list[Item]:
    return [
        Item(1, Role.USER, ItemKind.USER_TEXT, "make a key"),
        Item(2, Role.ASSISTANT, ItemKind.TOOL_CALL, command, call_id="a"),
        Item(3, Role.ASSISTANT, ItemKind.TOOL_CALL, "git status", call_id="b"),
        Item(4, Role.TOOL, ItemKind.TOOL_RESULT, "nothing2commit", call_id="b"),
        Item(5, Role.TOOL, ItemKind.TOOL_RESULT, output, call_id="a"),
        Item(6, Role.ASSISTANT, ItemKind.ASSISTANT_TEXT, f"It is {output.strip()}."),
    ]


def test_the_result_of_a_call_is_hidden_and_remembered(guard: Guard) -> None:
    shapes = Shapes("printed")
    for command in SHOWING:
        value = shapes.fill("{h64}")
        scrubbed = scrub_items(session(command, f"{value}\n"), GuardedScrubber(guard))
        assert not any(survives(value, item.text) for item in scrubbed.items), command
        assert scrubbed.items[3].text == "nothing2commit"
    for command in OTHERS:
        value = shapes.fill("{h64}")
        scrubbed = scrub_items(session(command, f"{value}\n"), GuardedScrubber(guard))
        assert scrubbed.items[4].text == f"{value}\n", command


def test_the_name_of_a_file_is_checked_against_what_is_known(guard: Guard) -> None:
    scrubber = GuardedScrubber(guard)
    value = Shapes("name").fill("{r24}")
    scrubber.redact_many([f"API_TOKEN={value}"])
    scrubber.assert_clean("skills/deploy/SKILL.md", b"fine")
    with pytest.raises(SecretFound):
        scrubber.assert_clean(f"skills/deploy-{value.lower()}/SKILL.md", b"fine")
    with pytest.raises(SecretFound):
        scrubber.assert_clean("MEMORY.md", f"run it with {'-'.join(value)}".encode())
