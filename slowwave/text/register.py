"""Documents inside a message: what an agent or an editor wrote, told by its make-up and its length."""

from __future__ import annotations

import itertools
import re

from slowwave.text.lines import Line

_HEADING = re.compile(r"^#{1,6}\s+\S")
_RULE = re.compile(r"^(?:={3,}|-{3,}|\*{3,}|_{3,})$")
_BADGE = re.compile(r"^\[?!\[")
_ADDRESS = re.compile(
    r"(?i)^(?:#+\s*)?(?:you are|you're|act as|your (?:task|role|job|mission) is to|role\s*:|du bist|sie sind|"
    r"tu es|vous êtes|eres|você é|ты\b|вы\b|bạn là)\s*(?:an?\b|the\b|now\b|in charge|responsible|acting|"
    r"ein\w*\b|der\b|die\b|une?\b|le\b|la\b|un[ao]?\b|el\b|um[a]?\b|\S+)|^(?:你是|您是|你现在是|あなたは|당신은|คุณคือ)"
)
_SIGNS = (
    re.compile(r"\*\*[^*\n]{2,80}\*\*"),
    re.compile(r"^(?:[-*•]|\d+[.)])\s+(?:\*\*|`)", re.MULTILINE),
    re.compile(r"[✅❌⚠️🚀📝🔧✨→⇒]|\s[—–]\s"),
    re.compile(
        r"(?im)^(?:let me know|i(?:'ve| have) (?:implemented|updated|fixed|added|created|completed)|here(?:'s|is) (?:a|the) summary|"
        r"summary\b|next steps\b|key (?:changes|findings|points)\b|root cause\b|overview\b|acceptance criteria\b|"
        r"context\b)"
    ),
    re.compile(r"^\s*\|.*\|\s*$", re.MULTILINE),
)
LONG = 1_500
LONG_AMONG_SHORT = 600
SHORT = 200
ONE_HEADING = 400


def document_start(view: str, lines: list[Line], usual: int) -> int | None:
    """Where a pasted or generated document begins in a message, or None.

    Two headings make one, or one in a message that is long; an address to an agent with headings or great length is a
    hand-off; a long text with an editor's formatting is one the more, the shorter the person's other messages are.
    """
    headings = [line.start for line in lines if _HEADING.match(line.text) or _BADGE.match(line.text)]
    underlined = [
        before.start for before, line in itertools.pairwise(lines) if _RULE.match(line.text) and line.text[0] == "="
    ]
    headings = sorted(headings + underlined)
    length = lines[-1].end - lines[0].start
    if _ADDRESS.match(lines[0].text) and (headings or length > ONE_HEADING) and len(lines) > 3:
        return lines[0].start
    if len(headings) >= 2 or (headings and length > ONE_HEADING):
        return headings[0]
    limit = LONG_AMONG_SHORT if 0 < usual < SHORT else LONG
    if length > limit and sum(sign.search(view) is not None for sign in _SIGNS) >= 2:
        return next((line.start for line in lines if any(sign.search(line.text) for sign in _SIGNS)), lines[0].start)
    return None
