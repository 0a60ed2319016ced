"""Texts with a secret between « and », by place, and as many harmless ones that look alike. Values: `shapes`.

`templates.tsv` has one a line: its group, its kind and the text, in which ``\\n``, ``\\t`` and ``\\\\`` stand for the
characters.
"""

from __future__ import annotations

import re
from pathlib import Path

_SIGNS = {"n": "\n", "t": "\t", "\\": "\\"}


def _read(wanted: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in Path(__file__).with_suffix(".tsv").read_text("utf-8").splitlines()[1:]:
        group, kind, template = line.split("\t")
        if group == wanted:
            text = re.sub(r"\\(.)", lambda match: _SIGNS[match[1]], template)
            found[kind] = (*found.get(kind, ()), text)
    return found


SURE = _read("sure")
"""Places where whatever stands there is the password."""
UNSURE = _read("unsure")
"""Places where the form of the value decides as well."""
TOKENS = _read("tokens")
"""Places of tokens."""
PAIRS = _read("pairs")["key pairs"]
"""Secrets beside the id that they belong to."""
KEPT = _read("kept")["harmless"]
"""Harmless texts."""
