"""How the patterns of the offline extractor are written."""

from __future__ import annotations

import re


def words(*alternatives: str) -> re.Pattern[str]:
    """Compile alternatives into one pattern. Case is ignored; a blank stands for white space of any length."""
    return re.compile("|".join(alternatives).replace(" ", r"\s+"), re.IGNORECASE)
