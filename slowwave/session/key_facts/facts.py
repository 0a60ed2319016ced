"""Key facts: durable statements of the user about themselves, the project or their preferences. Pure policy, no I/O.

The rules here find what is said plainly; a model finds more (`slowwave.session.key_facts.model_extraction`). Either
way a fact carries the user's words, and `admit` checks them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import NamedTuple

from slowwave.session.key_facts.words import index_term, index_text, overlap, terms
from slowwave.session.text import QUOTE_LIMIT, contains_quote
from slowwave.text import Relation, estimate_tokens, fold, fold_space, relate, shorten
from slowwave.text.languages import explicit
from slowwave.text.statements.values import family_of, family_words
from slowwave.text.typed import said_text

FACTS_PER_TURN = 4
FACTS_SHOWN = 3
FACT_TOKENS = 150
FACT_LIMIT = 200
FADE_DAYS = 45
FADE_SHOWN = 6


class Fact(NamedTuple):
    """A fact as the policy sees it. `slot` says what it is a value of; facts of one slot are compared."""

    text: str
    quote: str
    slot: str = ""
    id: int | None = None

    @property
    def hash(self) -> str:
        """Hash of the folded words, for exact repeats and for tombstones."""
        folded = re.sub(r"\W+", "", fold(self.text))
        return hashlib.sha256(folded.encode()).hexdigest()[:32]

    @property
    def about(self) -> str:
        """The text and the words for what its values are values of."""
        return " ".join((self.text, *family_words(self.slot)))

    @property
    def index_terms(self) -> str:
        """What the word index holds: the text's terms and the names of the family that its values belong to."""
        return index_text(self.text, family_words(self.slot))


class Retrieved(NamedTuple):
    """What a query found. `tokens` is the estimate for the rendered lines."""

    facts: tuple[Fact, ...]
    reason: str
    tokens: int = 0


_SUBJECT_OF = (
    r"(?i)\b(?:our|my|the) ([\w -]{2,40}?) (?:is|are|lives?|runs?|goes to|is called)\b|"
    r"\bpreferred ([\w -]{2,30}?) is\b|\buse [\w./@+-]+ (?:for|as) (?:the |our |all )?([\w -]{2,40})"
)


def extract(prompt: str) -> list[Fact]:
    """Facts that the user states in a message, four at most, each with the sentence it stands in."""
    found: list[Fact] = []
    for said in explicit(said_text(prompt)):
        fact = make(said.text, said.quote)
        if fact is not None and not any(same(fact, other) for other in found):
            found.append(fact)
        if len(found) == FACTS_PER_TURN:
            break
    return found


def make(text: str, quote: str, slot: str = "") -> Fact | None:
    """Build a fact from words; None when they say too little. The slot is derived unless it is given."""
    text = shorten(fold_space(text), FACT_LIMIT)
    if len(terms(text)) < 1 or len(text) < 6:
        return None
    return Fact(text, quote[:QUOTE_LIMIT], slot or slot_of(text))


def slot_of(text: str) -> str:
    """What a fact is the value of: a tool family (`package manager`), the subject of "our X is Y", or empty."""
    if family := family_of(text):
        return family
    found = re.search(_SUBJECT_OF, text)
    subject = next((group for group in found.groups() if group), "") if found else ""
    return "subject:" + " ".join(sorted(terms(subject))) if terms(subject) else ""


def admit(fact: Fact, prompt: str) -> str:
    """Reason code for a proposed fact: `ok`, or why it is refused. Models propose, this decides."""
    if not contains_quote(prompt, fact.quote):
        return "refused_quote_not_found"
    if not contains_quote(said_text(prompt), fact.quote):
        return "refused_not_typed"
    if overlap(fact.text, fact.quote) < 0.34:
        return "refused_not_supported"
    return "ok"


def same(one: Fact, other: Fact) -> bool:
    """Tell whether two facts say the same, in any language."""
    return one.hash == other.hash or relate(one.text, other.text) is Relation.SAME


def superseded(new: Fact, standing: Sequence[Fact]) -> list[int]:
    """Ids of the facts that the new one takes back: of the same subject, with another value."""
    return [old.id for old in standing if old.id is not None and relate(new.text, old.text) is Relation.CONTRADICTS]


def query_of(prompt: str) -> tuple[list[str], list[str]]:
    """Terms to ask the word index for, and pieces for the trigram index (identifiers and long words)."""
    asked = terms(prompt[:4000])
    pieces = [term for term in asked if len(term) >= 5 and term.isascii()]
    return sorted(index_term(term) for term in asked), sorted(pieces)


def choose(
    prompt: str, candidates: Sequence[Fact], *, shown: set[int], budget: int = FACT_TOKENS, limit: int = FACTS_SHOWN
) -> Retrieved:
    """The best facts for a message: relevant, not in the context already, within the token budget; or nothing."""
    asked = terms(strip_for_query(prompt))
    scored = sorted(
        ((score, fact) for fact in candidates if (score := relevance(asked, fact)) > 0),
        key=lambda pair: (-pair[0], pair[1].id or 0),
    )
    if not scored:
        return Retrieved((), "no_match")
    picked: list[Fact] = []
    used = 0
    best = scored[0][0]
    folded = fold(prompt)
    for score, fact in scored:
        cost = estimate_tokens(fact.text) + 2
        if fact.id in shown or score < best * 0.34 or fold(fact.text) in folded:
            continue
        if len(picked) < limit and used + cost <= budget:
            picked.append(fact)
            used += cost
    return Retrieved(tuple(picked), "injected" if picked else "already_in_context", used)


def strip_for_query(prompt: str) -> str:
    """What a query is made of: the typed text, or the start of the message when nothing of it looks typed."""
    return said_text(prompt)[:4000] or prompt[:1000]


def relevance(asked: set[str], fact: Fact) -> float:
    """Score of a fact for a query's terms; 0 means no match. Rare-looking terms (long, identifiers) weigh more."""
    own = terms(fact.text)
    related = terms(" ".join(family_words(fact.slot)))
    hits = asked & own
    score = sum(_weight(term) for term in hits) + 0.6 * sum(_weight(term) for term in (asked & related) - hits)
    pieces = {term for term in asked - hits if term.isascii() and len(term) >= 5}
    lowered = fact.text.casefold()
    score += sum(0.8 for piece in pieces if piece in lowered)
    return score / (1.0 + 0.02 * len(own))


def _weight(term: str) -> float:
    if not term.isascii():
        return 1.0
    return 1.0 + 0.1 * min(len(term), 10) + (0.8 if re.search(r"[\d_./-]", term) else 0.0)
