"""Authorship of a whole user message: its blocks may come from different hands, so each is judged alone."""

from __future__ import annotations

from slowwave.rollouts.values import IMAGE, block_text
from slowwave.text.authors import Authorship, authorship


def message_authorship(content: object, *, injected: bool = False) -> Authorship:
    """Tell the person's words in a message's content (a text, a block or a list of blocks) from everything else.

    With `injected` the log itself says that nobody typed it. An image leaves a marker behind the words it came with.
    """
    blocks = content if isinstance(content, list) else [content]
    if len(blocks) == 1 and not injected and (text := block_text(blocks[0])) != IMAGE:
        return authorship(text)
    typed: list[str] = []
    context: list[str] = []
    dropped: list[str] = []
    for block in blocks:
        text = block_text(block)
        if text == IMAGE:
            dropped.append("image")
            continue
        parts = Authorship("", text) if injected else authorship(text)
        if parts.typed:
            typed.append(parts.typed)
        if parts.context:
            context.append(parts.context)
        dropped += parts.dropped
    if "image" in dropped and typed:
        typed.append(IMAGE)
    return Authorship("\n".join(typed), "\n".join(context), tuple(dropped))
