"""Text, decided in one place: how it is folded, shortened and counted, and when two statements say the same.

Standard library only, and loaded name by name, because hooks import it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from slowwave.text.folding import canonical as canonical
    from slowwave.text.folding import code_spans as code_spans
    from slowwave.text.folding import counted as counted
    from slowwave.text.folding import fold as fold
    from slowwave.text.folding import fold_space as fold_space
    from slowwave.text.folding import shorten as shorten
    from slowwave.text.statements.relation import Relation as Relation
    from slowwave.text.statements.relation import keys as keys
    from slowwave.text.statements.relation import relate as relate
    from slowwave.text.tokens import estimate_tokens as estimate_tokens

_HOMES = {
    "Relation": "statements.relation",
    "canonical": "folding",
    "code_spans": "folding",
    "counted": "folding",
    "estimate_tokens": "tokens",
    "fold": "folding",
    "fold_space": "folding",
    "keys": "statements.relation",
    "relate": "statements.relation",
    "shorten": "folding",
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
