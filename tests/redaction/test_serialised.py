"""A prompt that is redacted as a whole is still made of JSON."""

from __future__ import annotations

import json

import pytest

from slowwave.redaction.findings import Finding
from slowwave.redaction.scan import engine
from slowwave.redaction.serialised import redact_serialised
from tests.redaction import templates
from tests.redaction.shapes import Shapes, survives

PROBES = [
    lambda value: {"item": 1, "text": f"password: {value}"},
    lambda value: {"password": value, "item": 2},
    lambda value: {"item": 3, "text": f'say "token" = "{value}"\nand go'},
    lambda value: [{"text": "the key is"}, {"text": value}],
    lambda value: {"text": json.dumps({"api_key": value, "n": [1, 2]})},
    lambda value: {"text": f"curl -u bob:{value} https://h.example\\n"},
]


@pytest.mark.parametrize(
    "shape", ["{r32}", "{P}", "{S40}", "{b64:60}", 'a"b{r20}', "tab\t{r24}", "\\{r24}\\", "{uuid}"]
)
@pytest.mark.parametrize("probe", range(len(PROBES)))
def test_lines_of_json_stay_json(shape: str, probe: int) -> None:
    shapes = Shapes(f"{shape}{probe}")
    for _ in range(10):
        value = shapes.fill(shape)
        line = json.dumps(PROBES[probe](value), ensure_ascii=False)
        prompt = f"Session 1\n<<< fence\n{line}\n>>> fence\nWrite."
        out = redact_serialised(prompt, engine.redact(prompt).findings).splitlines()
        assert json.loads(out[2]) is not None
        assert [out[0], out[1], *out[3:]] == ["Session 1", "<<< fence", ">>> fence", "Write."]


def test_what_is_found_is_gone() -> None:
    for number, template in enumerate(templates.SURE["json"]):
        text, secrets = Shapes(number).marked(template)
        line = json.dumps({"text": text})
        out = redact_serialised(line, engine.redact(line).findings)
        assert json.loads(out)
        assert not any(survives(secret, out) for secret in secrets), template


def test_a_number_becomes_a_string() -> None:
    line = '{"pin": 482915, "note": "x"}'
    out = redact_serialised(line, [Finding(8, 14, "password")])
    assert json.loads(out) == {"pin": "[REDACTED:password]", "note": "x"}


def test_a_finding_over_several_leaves_takes_each_of_them() -> None:
    line = '["one two", "three"]'
    out = redact_serialised(line, [Finding(6, 15, "key")])
    assert json.loads(out) == ["one [REDACTED:key]", "[REDACTED:key]ree"]
