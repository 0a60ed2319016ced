"""What the quotes of a memory can prove, by where they stand in their session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from slowwave.memories.extraction.candidates import CheckedQuote
from slowwave.memories.guardrails import Piece, Terms, covered, terms_of
from slowwave.memories.guardrails.speech import (
    is_approval,
    is_request,
    own_proposals,
    points_back,
    says_of_others,
    sentences,
    tells_what_a_document_says,
    without_questions,
)
from slowwave.rollouts.model import Item, ItemKind
from slowwave.storage.types import MemoryKind, Standing
from slowwave.text import fold_space

LOOK_BACK = 4
ITEM_CHARACTERS = 4_000


def _short_names(text: str) -> frozenset[str]:
    found = terms_of(text[:ITEM_CHARACTERS])
    return found.names | found.numbers


@dataclass(frozen=True)
class Surroundings:
    """The items of one session, looked at from its quotes."""

    items: Sequence[Item]
    _position: Mapping[int, int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_position", {item.index: at for at, item in enumerate(self.items)})

    @cached_property
    def typed_names(self) -> frozenset[str]:
        """Names and numbers that the person typed anywhere in the session."""
        users = [item.said for item in self.items if item.kind is ItemKind.USER_TEXT]
        return frozenset[str]().union(*(_short_names(text) for text in users))

    @cached_property
    def tool_names(self) -> frozenset[str]:
        """Names and numbers in what tools were asked and what they answered."""
        tools = [item.text for item in self.items if item.kind in (ItemKind.TOOL_CALL, ItemKind.TOOL_RESULT)]
        return frozenset[str]().union(*(_short_names(text) for text in tools))

    @cached_property
    def all_names(self) -> frozenset[str]:
        """Names and numbers anywhere in the session."""
        agents = [item.text for item in self.items if item.kind is ItemKind.ASSISTANT_TEXT]
        return frozenset(self.typed_names | self.tool_names).union(*(_short_names(text) for text in agents))

    def pieces(self, quotes: Sequence[CheckedQuote]) -> list[Piece]:
        """What the quotes prove, and what an approval or a pronoun among them refers to."""
        approved = {quote.item for quote in quotes if quote.from_user and is_approval(self._typed(quote.item))}
        found: list[Piece] = []
        for quote in quotes:
            if quote.from_user:
                found += self._typed_pieces(quote, quote.item in approved)
            elif quote.item_kind == ItemKind.ASSISTANT_TEXT:
                found.append(self._agents_piece(quote, approved))
            elif quote.item_kind == ItemKind.TOOL_CALL:
                worked = not self._failed(quote.item)
                found.append(Piece(quote.quote, Standing.VERIFIED, self.tool_names, acts=worked))
            elif quote.item_kind == ItemKind.TOOL_RESULT:
                found.append(Piece(quote.quote, Standing.VERIFIED, self.tool_names, untrusted=True))
            else:
                found.append(Piece(quote.quote, Standing.INFERRED, untrusted=True))
        if any(quote.item_kind == ItemKind.TOOL_RESULT for quote in quotes):
            found += [self._call_of(quote) for quote in quotes if quote.item_kind == ItemKind.TOOL_RESULT]
        # What a name in a situation or in a conclusion means may stand anywhere in the session.
        return [*found, Piece("", Standing.INFERRED, self.all_names)]

    def _typed_pieces(self, quote: CheckedQuote, approves: bool) -> list[Piece]:
        item = self._typed(quote.item)
        if approves:
            before = self._before(quote.item, ItemKind.ASSISTANT_TEXT)
            return [Piece(own_proposals(asked.text), Standing.AGREED, acts=True) for asked in before[:1]]
        said = without_questions(item if len(item) <= ITEM_CHARACTERS else quote.quote)
        if not said:
            return []
        told = [sentence for sentence in sentences(said) if tells_what_a_document_says(sentence)]
        own = " ".join(sentence for sentence in sentences(said) if sentence not in told)
        pieces = [Piece(own, Standing.USER_SAID, self.typed_names, acts=True)] if own else []
        if told:
            pieces.append(Piece(" ".join(told), Standing.VERIFIED, self.typed_names, untrusted=True))
        if points_back(quote.quote):
            for earlier in self._before(quote.item, ItemKind.ASSISTANT_TEXT, ItemKind.TOOL_CALL)[:LOOK_BACK]:
                own = "\n".join(part for part in sentences(earlier.text[:ITEM_CHARACTERS]) if not says_of_others(part))
                pieces.append(Piece(own, Standing.AGREED, acts=earlier.kind is ItemKind.TOOL_CALL))
        return pieces

    def _agents_piece(self, quote: CheckedQuote, approved: set[int]) -> Piece:
        answer = self._next_typed(quote.item)
        if answer is not None and answer.index in approved:
            whole = own_proposals(self.items[self._position[quote.item]].text)
            copied = fold_space(quote.quote)
            own = [part for part in sentences(whole) if _overlap(fold_space(part), copied)]
            if own:
                return Piece("\n".join(own), Standing.AGREED, acts=True)
        return Piece(quote.quote, Standing.INFERRED)

    def _typed(self, index: int) -> str:
        return self.items[self._position[index]].said

    def _before(self, index: int, *kinds: ItemKind) -> list[Item]:
        """Items of some kinds between an item and the typed one before it, the nearest first."""
        found = []
        for item in reversed(self.items[: self._position[index]]):
            if item.kind is ItemKind.USER_TEXT:
                break
            if item.kind in kinds:
                found.append(item)
        return found

    def _next_typed(self, index: int) -> Item | None:
        after = self.items[self._position[index] + 1 :]
        return next((item for item in after if item.kind is ItemKind.USER_TEXT), None)

    def _result_of(self, index: int) -> Item | None:
        call = self.items[self._position[index]]
        after = self.items[self._position[index] + 1 :]
        if call.call_id is not None:
            return next((i for i in after if i.kind is ItemKind.TOOL_RESULT and i.call_id == call.call_id), None)
        return after[0] if after and after[0].kind is ItemKind.TOOL_RESULT else None

    def _failed(self, index: int) -> bool:
        result = self._result_of(index)
        return result is None or bool(result.failed) or result.exit_status not in (None, 0)

    def _call_of(self, quote: CheckedQuote) -> Piece:
        """The call that a quoted result answers."""
        result = self.items[self._position[quote.item]]
        for item in reversed(self.items[: self._position[quote.item]]):
            if item.kind is ItemKind.TOOL_CALL and (result.call_id is None or item.call_id == result.call_id):
                return Piece(item.text[:ITEM_CHARACTERS], Standing.VERIFIED, acts=not self._failed(item.index))
        return Piece("", Standing.VERIFIED)

    def delivered(self, kind: MemoryKind, text: str, quotes: Sequence[CheckedQuote]) -> bool:
        """False where a claim says how things are and rests on a wish that was met by something else.

        A wish for a fact has to be seen in what the agent did or reported afterwards. A choice counts by itself, unless
        the user accepted work in which nothing of it is left.
        """
        said = [quote for quote in quotes if quote.from_user and not is_approval(self._typed(quote.item))]
        asked = [quote for quote in said if is_request(quote.quote)]
        if kind not in (MemoryKind.FACT, MemoryKind.DECISION) or not asked or len(asked) < len(said):
            return True
        after = self.items[self._position[max(quote.item for quote in asked)] + 1 :]
        work = [i for i in after if i.kind in (ItemKind.ASSISTANT_TEXT, ItemKind.TOOL_CALL, ItemKind.TOOL_RESULT)]
        if kind is MemoryKind.DECISION and not any(
            item.kind is ItemKind.USER_TEXT and is_approval(self._typed(item.index)) for item in after
        ):
            return True
        if not work:
            return kind is MemoryKind.DECISION
        done = terms_of("\n".join(item.text[:ITEM_CHARACTERS] for item in work))
        inside = done.content | done.tokens
        return all(term in inside for term in _telling(text, terms_of(text))) and _mostly(text, done)


def _telling(text: str, wanted: Terms) -> frozenset[str]:
    """The names of a claim, those among them that are only told by a capital letter."""
    capitals = {word for word in text.split()[1:] if word[:1].isupper() and word[:1].isascii()}
    return wanted.names | frozenset[str]().union(*(terms_of(word).words for word in capitals))


def _mostly(text: str, done: Terms) -> bool:
    wanted = terms_of(text).words
    return 2 * len(covered(wanted, done.content)) >= len(wanted)


def _overlap(one: str, other: str) -> bool:
    return one in other or other in one
