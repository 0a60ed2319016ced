"""What a person said in a message, apart from what the person merely showed. Standard library only; used by hooks.

A message mixes the person's own words with pasted material: logs, mails, pages, answers of other agents, code. What was
*said* can be a wish or a rule. What was *shown* is data: it may prove a fact, never a wish. The decision is made once,
where items are made, and kept as spans over the message's text. In doubt a passage counts as shown: a lost rule costs a
repetition, a rule from a pasted page costs trust.
"""

from __future__ import annotations

import re

from slowwave.text.shown.enclosed import enclosed_spans, inline_spans
from slowwave.text.shown.leadins import leads_in
from slowwave.text.shown.lines import Line, lines_of, paragraphs_of
from slowwave.text.shown.pasted import (
    breaks_off,
    is_code,
    is_log,
    is_prose,
    is_quotation,
    opens_mail,
    overrides,
    poses_as_another,
    poses_within,
    rules_a_table,
    transcript_start,
)
from slowwave.text.shown.register import UNKNOWN, Habit, document_start, is_report

Span = tuple[int, int]

READ_LIMIT = 40_000
"""Characters of a message that are looked at; what stands behind them was never typed by hand."""


def shown_spans(text: str, habit: Habit = UNKNOWN) -> tuple[Span, ...]:
    """The passages of a message that the person showed and did not say, as sorted, disjoint character spans.

    `habit` is how the person writes otherwise in the session: a long, formatted or formal text in the middle of short
    messages is a paste.
    """
    whole = text[:READ_LIMIT]
    spans = enclosed_spans(whole)
    view = _blanked(whole, spans)
    spans += inline_spans(view)
    spans += _by_lines(_blanked(whole, spans), spans, habit)
    if len(text) > READ_LIMIT:
        spans.append((READ_LIMIT, len(text)))
    return _merged(spans, len(text))


def said_of(text: str, shown: tuple[Span, ...]) -> str:
    """A message without the given spans. Each gap becomes a blank line, so that no sentence runs across one."""
    if not shown:
        return text
    kept: list[str] = []
    position = 0
    for start, end in shown:
        kept.append(text[position:start].strip())
        position = end
    kept.append(text[position:].strip())
    return "\n\n".join(part for part in kept if part)


def said_text(text: str, habit: Habit = UNKNOWN) -> str:
    """What the person said in a message: the message without what was shown."""
    return said_of(text, shown_spans(text, habit))


def carried(shown: tuple[Span, ...], before: str, after: str) -> tuple[Span, ...]:
    """The spans of a text carried over to a changed form of it (redacted, shortened), line by line.

    A changed stretch that touches a shown one counts as shown altogether.
    """
    if not shown or before == after:
        return shown
    from difflib import SequenceMatcher  # only redaction needs it, no hook does

    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    old_at, new_at = _offsets(old), _offsets(new)
    spans: list[Span] = []
    for _, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        same = old[i1:i2] == new[j1:j2]
        start, end, to = old_at[i1], old_at[i2], new_at[j1]
        for first, last in shown:
            low, high = max(first, start), min(last, end)
            if low < high or (start == end and first < start < last):
                spans.append((to + low - start, to + high - start) if same else (to, new_at[j2]))
    return _merged(spans, len(after))


def _offsets(lines: list[str]) -> list[int]:
    at = [0]
    for line in lines:
        at.append(at[-1] + len(line))
    return at


def _blanked(text: str, spans: list[Span]) -> str:
    """The text with the spans' characters turned into blanks; line ends stay, so that lines keep their places."""
    for start, end in spans:
        text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return text


def _merged(spans: list[Span], length: int) -> tuple[Span, ...]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        end = min(end, length)
        if start >= end:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def _by_lines(view: str, enclosed: list[Span], habit: Habit) -> list[Span]:
    """What lines and paragraphs tell by their look and by the line before them."""
    lines = lines_of(view)
    if not lines:
        return []
    spans: list[Span] = []
    end = len(view)
    starts = [start for start in (transcript_start(lines), document_start(view, lines, habit)) if start is not None]
    stop = min(starts, default=end)
    gap: list[Line] = []
    for paragraph in paragraphs_of(lines):
        if paragraph[0].start >= stop:
            break
        rest = _rest(paragraph, view, enclosed, stop)
        stop = stop if rest is None else min(stop, rest)
        found = _in_paragraph([line for line in paragraph if line.start < stop], habit)
        if found and found[0][0] == paragraph[0].start and gap:
            found.append((gap[0].start, gap[-1].end))
        spans += found
        gap = [] if found and found[-1][1] < paragraph[-1].end else gap
        gap = [] if found or any(map(is_prose, paragraph)) else [*gap, *paragraph]
    spans.append((stop, end))
    return spans


def _rest(paragraph: list[Line], view: str, enclosed: list[Span], stop: int) -> int | None:
    """Where in a paragraph something begins that reaches to the message's end: another speaker, a mail, an override,
    or what a question or a colon points at."""
    for line in paragraph:
        if line.start >= stop or is_log(line.raw) or breaks_off(line.raw):
            return None
        if poses_as_another(line.text) or opens_mail(line.text):
            return line.start
        if (at := poses_within(line.text)) is not None:
            return line.start + at
        if (at := overrides(line.text)) is not None:
            return line.start + at
        if (at := leads_in(line.text, _what_follows(line, view, enclosed))) is not None:
            return line.start + at
    return None


def _what_follows(line: Line, view: str, enclosed: list[Span]) -> str:
    """What stands behind a line: "" for nothing, "enclosed" where a fence or an element answers it, else "text"."""
    rest = view[line.end :]
    at = line.end + len(rest) - len(rest.lstrip())
    following = [start for start, _ in enclosed if start >= line.end]
    if following and (not rest.strip() or min(following) <= at):
        return "enclosed"
    reference = rest.lstrip().partition("\n")[0].strip()
    if reference.startswith(("@", "./", "/", "~/")) and " " not in reference:
        return "enclosed"
    return "text" if rest.strip() else ""


def _in_paragraph(lines: list[Line], habit: Habit) -> list[Span]:
    """Quotations and tables line by line; a log line or an error and what follows it; a paragraph of code or of a
    review."""
    if not lines:
        return []
    if is_code(lines) or is_report(lines, habit):
        return [(lines[0].start, lines[-1].end)]
    spans: list[Span] = []
    rows = next((place for place, line in enumerate(lines) if rules_a_table(line.text)), 0)
    for place, line in enumerate(lines):
        if place + 1 == rows:
            spans.append((line.start, lines[-1].end))
            break
        if is_log(line.raw) or breaks_off(line.raw):
            spans.append((line.start, lines[-1].end))
            break
        if is_quotation(line.text):
            spans.append((line.start, line.end))
        elif place + 1 < len(lines) and is_code(lines[place:]):
            spans.append((line.start, lines[-1].end))
            break
    return spans
