"""Which line of an edited file is which entry: by its id, checked against what was published, else by its words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from slowwave.memories.publishing.markdown import Block, plain_text
from slowwave.memories.state.values import MemoryState
from slowwave.memories.text import similarity
from slowwave.text import canonical
from slowwave.text.ids import harmless_ids, mentioned, unescape_ids, with_id

SAME_LINE = 0.6
"""How alike a line without an id must be to count as the entry that is missing."""
UNDONE = 0.5


@dataclass(frozen=True, slots=True)
class Matched:
    """The edited file as entries. `lines` gives each entry's block, its id where it belongs; `lost` are ids that no
    line stands for; `own` are lines that are no entry, their ids made harmless."""

    lines: Mapping[str, Block]
    lost: tuple[str, ...]
    own: tuple[Block, ...]


def match_lines(state: MemoryState, old: Sequence[Block], new: Sequence[Block]) -> Matched:
    """Find the entries that were published in the blocks of the edited file.

    An id counts on a line where it is the last token and was published, or belongs to an entry that the line says. Of
    several lines with one id the published one bears it, else the one most like it.
    """
    published = {block.id: block for block in old if block.shape == "entry"}
    bearing: dict[str, list[Block]] = {}
    for block in new:
        if block.shape == "entry":
            bearing.setdefault(block.id, []).append(block)
    lines: dict[str, Block] = {}
    own: list[Block] = []
    for short_id, found in bearing.items():
        best = _bearer(state, short_id, published.get(short_id), found)
        if best is not None:
            lines[short_id] = best
        own += [_own(block) for block in found if block is not best]
    missing = [short_id for short_id in published if short_id not in lines]
    loose = [block for block in new if block.shape == "bullet"]
    kept = Counter(block.text for block in old if block.shape == "bullet")
    fresh = [block for block in [*loose, *own] if _takes(kept, block.text)]
    for short_id in list(missing):
        line = _by_words(published[short_id], short_id, fresh)
        if line is not None:
            fresh.remove(line)
            if line in own:
                own.remove(line)
            else:
                loose.remove(line)
            lines[short_id] = replace(line, shape="entry", id=short_id, text=_bearing(line.text, short_id))
            missing.remove(short_id)
    return Matched(lines, tuple(missing), (*loose, *own))


def _takes(kept: Counter[str], text: str) -> bool:
    """Whether a bullet is new: each published one is used up once."""
    if kept[text] > 0:
        kept[text] -= 1
        return False
    return True


def _bearer(state: MemoryState, short_id: str, published: Block | None, found: Sequence[Block]) -> Block | None:
    if published is not None:
        same = [block for block in found if block.text == published.text]
        if same or len(found) == 1:
            return (same or found)[0]
        words = plain_text(published.text)
        return max(found, key=lambda block: similarity(plain_text(block.text), words))
    entry = state.entry(short_id)
    if entry is None:
        return None
    best = max(found, key=lambda block: similarity(plain_text(block.text), entry.text))
    return best if similarity(plain_text(best.text), entry.text) >= UNDONE else None


def _by_words(published: Block, short_id: str, candidates: Sequence[Block]) -> Block | None:
    """The line that says what an entry said whose id is gone: the same words, an id that no longer ends the line, or
    words much alike."""
    words = plain_text(published.text)
    same = next((b for b in candidates if canonical(plain_text(b.text)) == canonical(words)), None)
    if same is not None:
        return same
    best = max(candidates, key=lambda block: similarity(plain_text(block.text), words), default=None)
    if best is None:
        return None
    needed = SAME_LINE / 2 if short_id in mentioned(unescape_ids(best.text.split("\n")[0])) else SAME_LINE
    return best if similarity(plain_text(best.text), words) >= needed else None


def _own(block: Block) -> Block:
    return replace(block, shape="bullet", id="", text=harmless_ids(block.text))


def _bearing(block: str, short_id: str) -> str:
    first, newline, rest = block.partition("\n")
    plain = unescape_ids(first).replace(f" [{short_id}]", "")
    return f"{with_id(plain, short_id)}{newline}{rest}"
