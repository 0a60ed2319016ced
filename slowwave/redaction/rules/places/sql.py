"""Values of telling columns in an SQL insert. Standard library only."""

from __future__ import annotations

from dataclasses import dataclass

from slowwave.redaction.findings import Finding
from slowwave.redaction.rules.rule import NOTHING, Outcome
from slowwave.redaction.scan.names import Kind, classify
from slowwave.redaction.scan.values import Certainty, is_secret
from slowwave.text.lazy import lazy

_INSERT = lazy(
    r"(?i:insert|replace)[ ](?i:into)[ ][\w.\"`\[\]]{1,80}[ ]?\((?P<columns>[^()\n]{1,600})\)\s{1,20}(?i:values)\s{0,20}"
)
_ROW = lazy(r"\((?P<values>(?:[^()']|'(?:[^'\n]|'')*'|\([^()]*\)){1,4000})\)[,\s]{0,20}")
_VALUE = lazy(r"[ \n]*(?:'(?P<text>(?:[^'\n]|'')*)'|[^,']*)[ ]*(?:,|\Z)")
ROWS = 60
"""Rows of one insert that are looked at."""


@dataclass(frozen=True)
class InsertRule:
    """Values under a password's or token's column in ``INSERT INTO t (a, password) VALUES (...)``."""

    type: str = "password"
    anchors: tuple[str, ...] = ("insert into", "replace into")
    fold: bool = True
    strong: bool = False
    always: bool = False

    def find(self, text: str, at: int, anchor: str) -> Outcome:
        """The telling values of the statement at the anchor."""
        head = _INSERT.match(text, at, at + 800)
        if head is None:
            return NOTHING, 0
        kinds = [classify(column.strip(' "`[]')) for column in head["columns"].split(",")]
        if not any(kind in (Kind.PASSWORD, Kind.TOKEN) for kind in kinds):
            return NOTHING, 0
        found: list[Finding] = []
        begin = head.end()
        for _ in range(ROWS):
            row = _ROW.match(text, begin, begin + 4100)
            if row is None:
                break
            found += _telling(text, *row.span("values"), kinds)
            begin = row.end()
        return tuple(found), 0


def _telling(text: str, at: int, end: int, kinds: list[Kind]) -> list[Finding]:
    found = []
    for kind in kinds:
        value = _VALUE.match(text, at, end)
        if value is None:
            break
        if value["text"] and kind in (Kind.PASSWORD, Kind.TOKEN) and is_secret(value["text"], kind, Certainty.SURE):
            found.append(Finding(*value.span("text"), "password" if kind is Kind.PASSWORD else "token"))
        at = value.end()
    return found
