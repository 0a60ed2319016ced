"""The shared templates of secrets and harmless texts, each with twenty values of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from slowwave.redaction.scan import engine
from tests.redaction.shapes import Shapes, survives

CASES = Path(__file__).parents[2].parent / "shared" / "cases" / "secrets-kinds.tsv"
VALUES = 20


def rows() -> Iterator[tuple[str, str, str]]:
    if CASES.exists():
        for line in CASES.read_text("utf-8").splitlines()[1:]:
            name, _, template, right, *_ = line.split("\t")
            yield name, template.replace("\\n", "\n").replace("\\t", "\t"), right


@pytest.mark.skipif(not CASES.exists(), reason=f"the shared cases are not at {CASES}")
def test_each_template() -> None:
    wrong = []
    for name, template, right in rows():
        shapes, good = Shapes(name), 0
        for _ in range(VALUES):
            text, secrets = shapes.marked(template)
            out = engine.redact(text).text
            good += not any(survives(secret, out) for secret in secrets) if right == "gone" else out == text
        # One value in twenty may look like a word or a digest by chance.
        if good < (VALUES if right == "kept" else VALUES - 1):
            wrong.append((name, good))
    assert not wrong
