"""What people say that should last, language by language: one module a language, one grammar for all.

`statements` reads a message. A language's module is imported, and its patterns are compiled, when a text first needs
them: a hook process starts on every user turn. Standard library only.
"""

from __future__ import annotations

from slowwave.text.languages.grammar import Language, Statement
from slowwave.text.languages.reading import explicit, languages_of, statements

__all__ = ["Language", "Statement", "explicit", "languages_of", "statements"]
