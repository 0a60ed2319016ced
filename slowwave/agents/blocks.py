"""A marked block in somebody's markdown file: put in, renewed and taken out without touching a byte around it."""

from __future__ import annotations

import re

BEGIN = "<!-- slowwave:begin (kept up to date by `slowwave`; `slowwave uninstall` removes it) -->"
END = "<!-- slowwave:end -->"
_BLOCK = re.compile(
    r"(?P<gap>\n\n|\n|)<!-- slowwave:begin[^\n]*-->\r?\n.*?<!-- slowwave:end -->(?P<tail>\r?\n|\Z)", re.DOTALL
)


def without_block(text: str) -> str:
    """The text as it was before a block was put in."""
    match = _BLOCK.search(text)
    if match is None:
        return text
    before, after = text[: match.start()], text[match.end() :]
    if after:
        # A person wrote below the block; the blank line above it stays between the two parts.
        return before + (match["gap"] or "") + after if before else after
    return before + ("\n" if match["gap"] == "\n\n" else "")


def with_block(text: str, content: str) -> str:
    """The text with exactly one block, where it stands now or at the end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    block = newline.join([BEGIN, *content.strip("\n").split("\n"), END]) + newline
    match = _BLOCK.search(text)
    if match is not None:
        return text[: match.start()] + (match["gap"] or "") + block + text[match.end() :]
    if not text:
        return block
    return text + ("\n" if text.endswith("\n") else "\n\n") + block


def block_of(text: str) -> str | None:
    """What the block holds, None when there is none."""
    match = _BLOCK.search(text)
    if match is None:
        return None
    lines = match[0].strip("\n").split("\n")
    return "\n".join(line.rstrip("\r") for line in lines[1:-1])
