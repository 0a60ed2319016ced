"""What people say that should last, language by language: one module a language, one grammar for all.

`statements` reads a message. A language's module is imported, and its patterns are compiled, when a text first needs
them: a hook process starts on every user turn. Standard library only.
"""

from __future__ import annotations

from slowwave.text.languages.detect import languages_of
from slowwave.text.languages.grammar import Day, Language, Statement
from slowwave.text.languages.reading import days_of, explicit, read, statements

__all__ = ["Day", "Language", "Statement", "days_of", "explicit", "languages_of", "read", "statements"]
