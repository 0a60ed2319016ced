"""Documents inside a message: what an agent, a reviewer or an editor wrote, told by make-up, length and manner."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from slowwave.text.lazy import lazy
from slowwave.text.shown.lines import Line


class Habit(NamedTuple):
    """How a person usually writes in a session: the length of a typical message in characters (0: not known yet), and
    whether most of them begin in lower case or end without a full stop."""

    length: int = 0
    casual: bool = False


UNKNOWN = Habit()
FEW_MESSAGES = 3

_HEADING = lazy(r"^(?:#{1,6}\s+\S|\*\*[^*]{2,40}\*\*:?(?:\s|$)|[A-Z][A-Z &/]{3,30}:?$)")
_BADGE = lazy(r"^\[?!\[")
_TITLE = lazy(r"^[A-Z][\w &/'-]{2,40}:$")
_SEVERITY = lazy(
    r"(?i)^\W{0,4}(?:critical|high|medium|low|minor|major|nitpick|potential issue)(?: severity| priority)?\W{0,4}$"
)
_ADDRESS = lazy(
    r"(?i)^(?:#+\s*)?you are (?-i:[A-Z][a-z]\w*)\b|^(?:#+\s*)?(?:you are|you're|du bist|sie sind|tu es|vous êtes|eres|você é|ты|вы|bạn là)\s+"
    r"(?:an?|the|now|in charge|responsible|acting|ein\w*|der|die|une?|le|la|un[ao]?|el|um[a]?|một)\b|"
    r"^(?:#+\s*)?(?:act as|your (?:task|role|job|mission) is to|role\s*:)|^(?:你是|您是|你现在是|あなたは|당신은|คุณคือ)"
)
_SIGNS = (
    lazy(r"\*\*[^*\n]{2,80}\*\*"),
    lazy(r"^(?:[-*•]|\d+[.)])\s+(?:\*\*|`)", re.MULTILINE),
    lazy(r"[✅❌⚠🚀📝🔧✨→⇒]|\s[—–]\s"),
    lazy(
        r"(?im)^(?:let me know|i(?:'ve| have) (?:implemented|updated|fixed|added|created|completed)|here(?:'s| is) (?:a|the) summary|"
        r"summary\b|next steps\b|key (?:changes|findings|points)\b|root cause\b|overview\b|acceptance criteria\b|context\b)"
    ),
    lazy(r"^\s*\|.*\|\s*$", re.MULTILINE),
)
_ADVICE = lazy(r"\bconsider (?:either |also )?(?:\w+ing\b|an? |the |whether )", re.IGNORECASE)
_PERSONAL = lazy(
    r"(?i)\b(?:i|i'm|i'd|i've|we|we're|let's|my|our|me|us|please|pls|can you|could you|want|ich|wir|bitte|du|je|nous|"
    r"on|stp|svp|yo|nosotros|quiero|por favor|eu|quero)\b"
)
LONG = 1_500
LONG_AMONG_SHORT = 600
SHORT = 200
ONE_HEADING = 400
ADVICE_LENGTH = 80
FORMAL_LENGTH = 250
FORMAL_RATIO = 4


def habit_of(messages: list[str]) -> Habit:
    """The habit that earlier messages of a person show."""
    if len(messages) < FEW_MESSAGES:
        return UNKNOWN
    lengths = sorted(map(len, messages))
    casual = sum(message[:1].islower() or message[-1:].isalnum() for message in messages if message)
    return Habit(max(1, lengths[len(lengths) // 2]), casual * 2 >= len(messages))


def document_start(view: str, lines: list[Line], habit: Habit) -> int | None:
    """Where a pasted or generated document begins in a message, or None.

    Two headings make one, or one in a message that is long; an address to an agent with headings or great length is a
    hand-off; a grade of severity heads a finding; a long text with an editor's formatting is one the more, the shorter
    the person's other messages are.
    """
    marked = [line for line in lines if line.text[0] in "#*[!" or line.text[:4].isupper()]
    headings = [line.start for line in marked if _HEADING.match(line.text) or _BADGE.match(line.text)]
    headings += [before.start for before, line in pairwise(lines) if line.text[0] == "=" and not line.text.strip("=")]
    length = lines[-1].end - lines[0].start
    points = sum(line.text.startswith(("- ", "* ", "1. ", "1) ")) for line in lines)
    if _ADDRESS.match(lines[0].text) and (headings or points >= 2 or length > ONE_HEADING) and len(lines) > 3:
        return lines[0].start
    if len(headings) >= 2 or (headings and length > ONE_HEADING):
        return min(headings)
    for place, line in enumerate(lines[:4]):
        if len(lines) > 1 and len(line.text) < 40 and _SEVERITY.match(line.text):
            return lines[max(0, place - 1)].start
    titles = [line.start for line in lines if line.text[-1] == ":" and _TITLE.match(line.text)]
    if len(titles) >= 3 and length > LONG_AMONG_SHORT:
        return titles[0]
    limit = LONG_AMONG_SHORT if 0 < habit.length < SHORT else LONG
    if length > limit and sum(sign.search(view) is not None for sign in _SIGNS) >= 2:
        return next((line.start for line in lines if any(sign.search(line.text) for sign in _SIGNS)), lines[0].start)
    return None


def is_report(lines: list[Line], habit: Habit) -> bool:
    """A paragraph in a reviewer's voice: it advises (`consider adding ...`), or it is long and formal, speaks of no
    person, and comes from somebody whose other messages are short and casual."""
    text = " ".join(line.text for line in lines)
    if "onsider" not in text and not (habit.casual and len(text) > FORMAL_LENGTH):
        return False
    if _PERSONAL.search(text):
        return False
    if len(text) >= ADVICE_LENGTH and _ADVICE.search(text):
        return True
    formal = text[:1].isupper() and text.isascii() and text[-1:] in ".)`" and ". " in text
    return habit.casual and formal and len(text) > max(FORMAL_LENGTH, FORMAL_RATIO * habit.length)
