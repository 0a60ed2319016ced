"""The pins of one stored session, as the policy sees them."""

from __future__ import annotations

from collections.abc import Iterable

from slowwave.session.limits import SessionLimits
from slowwave.session.task.pins import Pin, PinChange, PinKind
from slowwave.session.task.recap import Recap, block, ledger_hash, whole
from slowwave.storage.insession.store import PinRow, SessionState, SessionStore
from slowwave.text import estimate_tokens


def pins_of(rows: Iterable[PinRow]) -> list[Pin]:
    """Stored rows as pins."""
    return [Pin(PinKind(row.kind), row.text, row.quote, row.turn, row.task, row.question, row.id) for row in rows]


class Ledger:
    """Reads and changes a session's pins."""

    def __init__(self, store: SessionStore, key: str) -> None:
        self.store = store
        self.key = key

    def pins(self) -> list[Pin]:
        """The pins that stand."""
        return pins_of(self.store.pins(self.key))

    def apply(self, change: PinChange, *, now: float) -> None:
        """Store what a message changes, in one transaction."""
        with self.store.transaction():
            if change.close:
                reason = "task_switch" if "task_switch" in change.reasons else "lifted"
                self.store.close_pins(change.close, status="closed", reason=reason)
            for pin in change.add:
                self._add(pin, None, now)
            for old, pin in change.supersede:
                self._add(pin, old, now)

    def _add(self, pin: Pin, supersedes: int | None, now: float) -> None:
        self.store.add_pin(
            self.key, kind=pin.kind.value, text=pin.text, quote=pin.quote, question=pin.question, turn=pin.turn,
            task=pin.task, supersedes=supersedes, now=now,
        )  # fmt: skip

    def after(self, change: PinChange) -> list[Pin]:
        """The ledger as it will be once a change is applied."""
        gone = {*change.close, *(old for old, _ in change.supersede)}
        return [pin for pin in self.pins() if pin.id not in gone] + [*change.add, *(pin for _, pin in change.supersede)]

    def restate(self, limits: SessionLimits) -> Recap:
        """The whole task for a context that lost it, whatever was emitted before."""
        pins = self.pins()
        return _recap(pins, whole(pins, session=self.key, limit=limits.pin_characters))

    def repeat(self, limits: SessionLimits) -> Recap:
        """The recap of an ordinary turn, whatever was emitted before."""
        pins = self.pins()
        return _recap(pins, block(pins, tokens=limits.recap_tokens))

    def note_recap(self, state: SessionState, recap: Recap, *, at: int, turn: int) -> None:
        """Remember that this recap, of pins up to `turn`, stands in the context now, `at` tokens into the session."""
        self.store.update_session(
            state.key, recap_hash=recap.hash, recap_epoch=state.epoch, recap_at=at, recap_turn=turn
        )


def _recap(pins: list[Pin], text: str) -> Recap:
    return Recap(text, "restated", estimate_tokens(text), ledger_hash(pins))


def with_turn(change: PinChange, turn: int) -> PinChange:
    """The same change made by another turn."""
    return change._replace(
        add=tuple(pin._replace(turn=turn) for pin in change.add),
        supersede=tuple((old, pin._replace(turn=turn)) for old, pin in change.supersede),
    )
