"""Whether evidence carries a claim, and how strongly the claim is known by it. Pure; the same for every way in.

The strength of a claim is that of the weakest piece of evidence that it needs: pieces are taken in order of their
strength until names, numbers, deeds and enough of the words of the claim stand in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from slowwave.memories.guardrails.instructions import is_harmful, is_order, reads_as_instruction
from slowwave.memories.guardrails.standing import ORDER, STRENGTH, weakest
from slowwave.memories.guardrails.words import Terms, covered, holds, opposed, stem, terms_of
from slowwave.storage.types import MemoryKind, Standing

WISHES = frozenset({MemoryKind.PREFERENCE, MemoryKind.CONSTRAINT})
CHOICES = WISHES | {MemoryKind.DECISION}

WORDS_NEEDED = 0.5
WORDS_NEEDED_BESIDE_NAMES = 0.3

_DEEDS = frozenset(
    stem(verb)
    for verb in (
        *("push", "deploy", "delete", "send", "upload", "skip", "disable", "merge", "install", "download", "execute"),
        *("publish", "expose", "leak", "reset", "wipe", "destroy", "overwrite", "approve", "bypass", "trust", "export"),
        *("paste", "mail", "curl", "wget", "sudo", "eval", "squash", "rebase", "drop", "erase", "grant", "disclose"),
        *("migrate", "encrypt", "commit", "release", "ship", "sync", "copy", "remove", "truncate"),
    )
)
"""What changes something outside the text. A claim that demands it needs a quote that names it."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What somebody proposes to remember."""

    kind: MemoryKind
    text: str
    situation: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """Words that may support a claim, and the most that they can prove.

    `around` holds the names and numbers that stand near the words: what a pronoun or a short name in them means. `acts`
    tells that a command in the words was typed, agreed to or seen to run. `untrusted` marks text that anybody may have
    written: a tool's output, a page, a paste.
    """

    text: str
    standing: Standing
    around: frozenset[str] = frozenset()
    acts: bool = False
    untrusted: bool = False


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of a claim. `standing` is None when it is refused, and `reason` says why. A quarantined one waits for
    a person. `kind` may be another one than was claimed: a wish that nobody uttered, but that was seen to work."""

    standing: Standing | None
    kind: MemoryKind
    reason: str = ""
    quarantined: bool = False
    needed: tuple[int, ...] = field(default_factory=tuple)

    @property
    def kept(self) -> bool:
        """Whether the claim may stand."""
        return self.standing is not None and not self.quarantined


def judge(claim: Claim, pieces: Sequence[Piece]) -> Judgement:
    """Judge a claim by its evidence."""
    wanted = terms_of(claim.text)
    level, reason = _level(wanted, pieces)
    if level is None:
        reason = "not_said_by_user" if claim.kind in WISHES and not _has_person(pieces) else reason
        return Judgement(None, claim.kind, reason)
    needed = tuple(at for at, piece in enumerate(pieces) if STRENGTH[piece.standing] >= STRENGTH[level])
    if reason := _steers(claim, level, pieces):
        return Judgement(level, claim.kind, reason, quarantined=True, needed=needed)
    if reason := _situation_refused(claim, pieces):
        return Judgement(None, claim.kind, reason)
    kind, reason = _kind(claim, level, pieces)
    if reason:
        return Judgement(None, claim.kind, reason)
    return Judgement(level, kind, needed=needed)


def _has_person(pieces: Sequence[Piece]) -> bool:
    return any(STRENGTH[piece.standing] >= STRENGTH[Standing.AGREED] for piece in pieces)


def _level(wanted: Terms, pieces: Sequence[Piece]) -> tuple[Standing | None, str]:
    """The strongest standing at which the pieces carry the terms, or why they never do."""
    said = [piece for piece in pieces if piece.standing is Standing.USER_SAID]
    if said and opposed(wanted, terms_of("\n".join(piece.text for piece in said))):
        return None, "against_its_quote"
    for standing in ORDER:
        usable = [piece for piece in pieces if STRENGTH[piece.standing] >= STRENGTH[standing]]
        if not any(piece.standing is standing for piece in usable):
            continue
        text = "\n".join(piece.text for piece in usable)
        around = frozenset().union(*(piece.around for piece in usable))
        given = terms_of(text)
        if carries(wanted, given, around):
            if STRENGTH[standing] >= STRENGTH[Standing.AGREED] and opposed(wanted, given):
                return None, "against_its_quote"
            return _with_borrowed(wanted, given, standing, pieces), ""
    return None, "not_in_its_quotes"


def _with_borrowed(wanted: Terms, given: Terms, standing: Standing, pieces: Sequence[Piece]) -> Standing:
    """The standing, or that of a weaker quote of a text that anybody may have written, when words of the claim stand
    nowhere else: then the claim needs that quote."""
    missing = wanted.words - covered(wanted.words, given.content)
    weaker = [
        piece
        for piece in pieces
        if piece.untrusted
        and STRENGTH[piece.standing] < STRENGTH[standing]
        and covered(missing, terms_of(piece.text).content)
    ]
    return weakest([standing, *(piece.standing for piece in weaker)])


def carries(wanted: Terms, given: Terms, around: frozenset[str] = frozenset()) -> bool:
    """Whether what a claim is about stands in given words: all its names, numbers and deeds, enough of its words."""
    inside = given.content
    near = inside | given.tokens | around
    deeds = wanted.words & _DEEDS
    if any(not holds(term, near) for term in wanted.names | wanted.numbers):
        return False
    if any(not holds(term, inside) for term in deeds):
        return False
    found = len(covered(wanted.words, inside))
    named = len(covered(wanted.names | wanted.numbers, inside | given.tokens))
    if not found and not named:
        return False
    if not wanted.words:
        return True
    enough = WORDS_NEEDED_BESIDE_NAMES if named else WORDS_NEEDED
    return found >= enough * len(wanted.words) or (named > 0 and 2 * (found + named) >= len(wanted.content))


def _steers(claim: Claim, level: Standing, pieces: Sequence[Piece]) -> str:
    """Why a claim has to wait for a person: it would steer agents, and nobody is known to want it."""
    fields = (claim.text, claim.situation)
    said = [piece for piece in pieces if piece.standing is Standing.USER_SAID]
    if any(map(is_harmful, fields)) and not (level is Standing.USER_SAID and _said(claim, said)):
        return "harmful_unless_said"
    if STRENGTH[level] >= STRENGTH[Standing.AGREED]:
        person = [piece for piece in pieces if STRENGTH[piece.standing] >= STRENGTH[Standing.AGREED]]
        if claim.situation and reads_as_instruction(claim.situation) and not _carried(claim.situation, person):
            return "instruction_in_situation"
        return ""
    if any(map(reads_as_instruction, fields)):
        return "instruction_nobody_gave"
    if pieces and all(piece.untrusted for piece in pieces) and any(reads_as_instruction(p.text) for p in pieces):
        return "instruction_from_tool_output"
    return ""


def _said(claim: Claim, said: Sequence[Piece]) -> bool:
    return not claim.situation or not is_harmful(claim.situation) or _carried(claim.situation, said)


def _carried(text: str, pieces: Sequence[Piece]) -> bool:
    return carries(terms_of(text), terms_of("\n".join(piece.text for piece in pieces)))


def _situation_refused(claim: Claim, pieces: Sequence[Piece]) -> str:
    """A situation may say nothing new: its names and numbers stand in the evidence or near it."""
    if not claim.situation:
        return ""
    wanted = terms_of(claim.situation)
    given = terms_of("\n".join(piece.text for piece in pieces))
    near = frozenset(given.content | given.tokens).union(*(piece.around for piece in pieces))
    near |= terms_of(claim.text).content
    if any(not holds(term, near) for term in wanted.names | wanted.numbers):
        return "situation_not_in_its_quotes"
    if is_order(claim.situation) and not covered(wanted.words, near):
        return "situation_not_in_its_quotes"
    return ""


def _kind(claim: Claim, level: Standing, pieces: Sequence[Piece]) -> tuple[MemoryKind, str]:
    """The kind under which a claim may be kept, and why it may not be."""
    kind = claim.kind
    if STRENGTH[level] >= STRENGTH[Standing.AGREED]:
        return kind, ""
    acts = [piece for piece in pieces if piece.acts]
    wanted = terms_of(claim.text)
    ran = terms_of("\n".join(piece.text for piece in acts))
    runs = bool(wanted.names) and all(holds(name, ran.content | ran.tokens) for name in wanted.names)
    if kind in WISHES:
        # The wish was typed and the command in it was seen to run: a way of working, not the user's own words.
        asked = _has_person(pieces) and level is Standing.VERIFIED
        return MemoryKind.WORKFLOW, "" if asked and runs else "not_said_by_user"
    if kind is MemoryKind.DECISION:
        proven = level is Standing.VERIFIED and not is_order(claim.text)
        return MemoryKind.FACT, "" if proven else "agent_alone"
    if kind is MemoryKind.WORKFLOW and not (runs and level is Standing.VERIFIED):
        return kind, "agent_alone" if level is Standing.INFERRED else "command_not_seen_to_work"
    if kind is MemoryKind.FACT and is_order(claim.text):
        return kind, "order_nobody_gave"
    return kind, ""
