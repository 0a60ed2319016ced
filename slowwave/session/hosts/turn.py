"""One user turn: read and decide first, then write everything in one short transaction."""

from __future__ import annotations

from typing import NamedTuple

from slowwave.session import render
from slowwave.session.key_facts import facts
from slowwave.session.limits import SessionLimits
from slowwave.session.task import corrections, pins, recap
from slowwave.session.task.recap import Recap
from slowwave.session.task.stored_pins import Ledger, with_turn
from slowwave.storage.insession.facts import FactRow, FactStore, NewFact
from slowwave.storage.insession.store import Scope, SessionState, SessionStore
from slowwave.text import Relation, estimate_tokens, relate, shorten

KEPT_PROMPT = 4000


class Turn(NamedTuple):
    """What a user message changes and what is put before it (`text`, empty for nothing)."""

    state: SessionState
    prompt: str
    prompt_tokens: int
    change: pins.PinChange
    correction: corrections.Correction | None
    denied: tuple[int, ...]
    stated: tuple[Stated, ...]
    recap: Recap
    retrieved: facts.Retrieved
    text: str

    @property
    def tokens(self) -> int:
        """Estimated tokens of what is injected."""
        return estimate_tokens(self.text) if self.text else 0

    def record(
        self, store: SessionStore, *, cwd: str = "", transcript: str = "", prompt_id: str = "", now: float
    ) -> int | None:
        """Write the turn. Returns its number, or None when this prompt was recorded already."""
        key, scope = self.state.key, self.state.scope
        with store.transaction():
            store.note_session(
                agent=self.state.agent,
                session_id=self.state.session_id,
                project_id=scope.project,
                user_id=scope.user,
                cwd=cwd,
                transcript=transcript,
                now=now,
            )
            turn = store.begin_turn(
                key,
                prompt_id=prompt_id,
                prompt=shorten(self.prompt, KEPT_PROMPT),
                tokens=self.prompt_tokens + self.tokens,
                now=now,
            )
            if turn is None:
                return None
            self._record_pins(store, turn, now)
            outcomes = self._record_facts(store, scope, turn, now)
            shown = " ".join(str(fact.id) for fact in self.retrieved.facts)
            made = [
                ("pins", "+".join(self.change.reasons), "", 0),
                ("recap", self.recap.reason, "", self.recap.tokens),
                ("facts", self.retrieved.reason, shown, self.retrieved.tokens),
                ("facts_said", "+".join(dict.fromkeys(outcomes)) or "none_stated", "", 0),
            ]
            store.decide_all(key, turn, made, now=now)
            if self.correction is not None:
                detail: dict[str, object] = {"kind": self.correction.kind.value, "weight": self.correction.weight}
                store.add_event(
                    key,
                    project_id=scope.project,
                    turn=turn,
                    type="correction",
                    quote=self.correction.quote,
                    detail=detail,
                    now=now,
                )
        return turn

    def _record_pins(self, store: SessionStore, turn: int, now: float) -> None:
        ledger = Ledger(store, self.state.key)
        ledger.apply(with_turn(self.change, turn), now=now)
        if self.recap.text:
            at = self.state.tokens + self.prompt_tokens + self.tokens
            ledger.note_recap(self.state, self.recap, at=at, turn=turn - 1)

    def _record_facts(self, store: SessionStore, scope: Scope, turn: int, now: float) -> list[str]:
        fact_store, key, epoch = FactStore(store), self.state.key, self.state.epoch
        outcomes: list[str] = []
        for fact_id in self.denied:
            fact_store.contradict(scope, fact_id)
        for said in self.stated:
            outcomes.append(keep(fact_store, scope, said, session=key, turn=turn, now=now))
            fact_store.mark_present(said.new.hash, scope, session=key, epoch=epoch, turn=turn)
        if self.retrieved.facts:
            ids = [fact.id for fact in self.retrieved.facts if fact.id is not None]
            fact_store.mark_injected(ids, session=key, epoch=epoch, turn=turn, now=now)
        return outcomes


def _denies(correction: corrections.Correction | None, fact: facts.Fact) -> bool:
    """`No, we don't deploy to Fly.io`: a rejection of what the fact says."""
    return (
        correction is not None
        and correction.kind is corrections.CorrectionKind.REJECTED
        and relate(correction.quote, fact.text) is Relation.CONTRADICTS
    )


class Stated(NamedTuple):
    """A fact about to be kept, compared with what stands: which one it repeats, which ones it replaces."""

    new: NewFact
    repeats: int | None
    replaces: tuple[int, ...]


def fact_of(row: FactRow) -> facts.Fact:
    """A stored fact as the policy sees it."""
    return facts.Fact(row.text, row.quote, row.slot, row.id)


def weigh(fact_store: FactStore, scope: Scope, fact: facts.Fact, source: str = "rule") -> Stated:
    """Compare a fact with the standing ones that it may repeat or replace."""
    words, pieces = facts.query_of(fact.about)
    rows = fact_store.in_slot(scope, fact.slot) + fact_store.matching(scope, words, pieces)
    known = list({row.id: fact_of(row) for row in rows}.values())
    new = NewFact(fact.text, fact.index_terms, fact.hash, fact.quote, fact.slot, source)
    repeats = next((old.id for old in known if facts.same(fact, old)), None)
    return Stated(new, repeats, () if repeats is not None else tuple(facts.superseded(fact, known)))


def keep(fact_store: FactStore, scope: Scope, said: Stated, *, session: str, turn: int, now: float) -> str:
    """Store a weighed fact, and return what happened (see `FactStore.add`)."""
    if said.repeats is not None:
        fact_store.confirm(scope, said.repeats, session=session, turn=turn, quote=said.new.quote, now=now)
        return "confirmed"
    return fact_store.add(scope, said.new, session=session, turn=turn, supersedes=said.replaces, now=now)


def plan_turn(
    store: SessionStore,
    state: SessionState,
    prompt: str,
    limits: SessionLimits,
    *,
    tokens: int,
    every: bool = False,
    restates: bool = False,
) -> Turn:
    """Decide everything about a (redacted) user message without writing.

    `tokens` is the size of the whole message. `every` asks for the recap in each turn, for hosts that drop it again;
    `restates` for the whole task at the first turn of an epoch, for hosts where no system prompt holds it.
    """
    ledger, fact_store = Ledger(store, state.key), FactStore(store)
    turn = state.turn + 1
    standing = ledger.pins()
    change = pins.propose(prompt, standing, turn=turn, question=state.question)
    pinned = ledger.after(change)
    lost = recap.whole(pinned, session=state.key, limit=limits.pin_characters) if restates else None
    due = recap.decide(
        pinned, turn=turn, epoch=state.epoch, seen_tokens=state.tokens + tokens,
        last_hash=state.recap_hash, last_epoch=state.recap_epoch, last_at=state.recap_at,
        last_turn=state.recap_turn,
        every_tokens=limits.recap_every_tokens, budget=limits.recap_tokens,
        lost=lost,
    )  # fmt: skip
    if every and due.reason == "in_context_already":
        due = ledger.repeat(limits)
    words, pieces = facts.query_of(facts.strip_for_query(prompt))
    rows = fact_store.matching(state.scope, words, pieces)
    # What was denied more often than said is kept for the night to judge and not shown.
    candidates = [fact_of(row) for row in rows if row.contradicted <= row.confirmed]
    correction = corrections.find(prompt)
    denied = tuple(fact.id for fact in candidates if fact.id and _denies(correction, fact))
    shown = set() if every else fact_store.injected(state.key, state.epoch)
    found = facts.choose(
        prompt, [fact for fact in candidates if fact.id not in denied], shown=shown, budget=limits.fact_tokens
    )
    stated = tuple(weigh(fact_store, state.scope, fact) for fact in facts.extract(prompt))
    text = render.before_message(render.facts_block(found.facts), due.text)
    return Turn(state, prompt, tokens, change, correction, denied, stated, due, found, text)
