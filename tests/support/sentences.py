"""The sentences of `tests/text/sentences`: what people write, in fourteen languages, and what may come of each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from slowwave.session.key_facts import facts
from slowwave.session.task import corrections, pins
from slowwave.session.task.pins import PinKind
from slowwave.text.languages import explicit

FOLDER = Path(__file__).resolve().parent.parent / "text" / "sentences"


class Sentence(NamedTuple):
    """One message. `layer` is rule (the night), fact, pin or correction (the day); `keep` tells what is right."""

    language: str
    layer: str
    keep: bool
    kind: str
    text: str


def read(folder: Path = FOLDER) -> Iterator[Sentence]:
    """All sentences of a folder, file by file. A line in brackets heads those that follow it."""
    for path in sorted(folder.glob("*.txt")):
        head = ("", "", "")
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("["):
                layer, right, kind = line.strip("[]").split()
                head = layer, right, kind
            elif line.strip() and not line.startswith("#"):
                yield Sentence(path.stem.removesuffix("-kinds"), head[0], head[1] == "keep", head[2], line)


def found(sentence: Sentence) -> bool:
    """Whether the layer makes something of the message."""
    if sentence.layer == "rule":
        return bool(explicit(sentence.text))
    if sentence.layer == "fact":
        return bool(facts.extract(sentence.text))
    if sentence.layer == "correction":
        return corrections.find(sentence.text) is not None
    return any(pin.kind is not PinKind.GOAL for pin in pins.propose(sentence.text, [], turn=1).add)
