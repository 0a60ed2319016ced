"""What `slowwave doctor` reports."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How bad a finding is. `INFO` needs no action; a `FAULT` keeps the memory from arriving or a run from working."""

    OK = "ok"
    INFO = "info"
    WARNING = "warning"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """One observation about one subject (an agent, or a part of the installation), with what to do about it."""

    subject: str
    check: str
    level: Level
    text: str
    todo: str = ""
