"""The block that an agent reads at start-up: guidance around the summary, cut by whole entries.

`cut_block` is standard library only, because `slowwave hook` applies an agent's own limit with it. Everything here is a
pure function of its arguments, so the block of a version is the same bytes every time.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from slowwave.text import estimate_tokens
from slowwave.text.hygiene import clean, harmless_markup
from slowwave.text.ids import id_of_line, ids_shown, with_renamed_id

WRAPPER = "slowwave-memory"
CLOSE_TAG = f"</{WRAPPER}>"
USER_HEADING = "## Across all projects"
USER_SHARE = 0.2
MORE_LINE = "More entries stand in MEMORY.md."

_ENTRY = re.compile(r"[-*] ")
_HEADING = re.compile(r"#{1,6} ")
_COMMENT_LINE = re.compile(r"^<!--.*-->\s*$\n?", re.MULTILINE)
_LINE_HEADING = re.compile(r"^#(?=#* )", re.MULTILINE)
_TITLE = re.compile(r"\A\s*# [^\n]*\n*")


def cut_block(block: str, fits: Callable[[str], bool]) -> str:
    """Return the block without the entries that do not fit, the most useful (first) ones kept.

    An entry is a bullet with its indented lines, or a paragraph below a heading. Lines before the first heading and
    from the closing tag on always stay; a heading stays with the first entry below it. When not even those fit, the
    answer is the empty string: half an explanation is worse than none.
    """
    if fits(block):
        return block
    head, units, tail = _parts(block)
    kept: list[str] = []
    headings: list[str] = []
    for unit in units:
        if _HEADING.match(unit):
            headings = [*_outer(headings, unit), unit]
            continue
        candidate = [*kept, *headings, unit]
        if fits(_joined(head, candidate, tail)):
            kept, headings = candidate, []
    return _joined(head, kept, tail) if fits(_joined(head, kept, tail)) else ""


def _outer(headings: list[str], new: str) -> list[str]:
    """Headings that are still open above a new one: those of a lower level."""
    level = len(new) - len(new.lstrip("#"))
    return [heading for heading in headings if len(heading) - len(heading.lstrip("#")) < level]


def _joined(head: str, units: list[str], tail: str) -> str:
    return head + "".join(units) + f"\n{MORE_LINE}\n" + tail


def _parts(block: str) -> tuple[str, list[str], str]:
    """Split a block into its fixed head, its units (headings, bullets, paragraphs) and its fixed tail."""
    body, closing, rest = block.rpartition(CLOSE_TAG)
    if not closing:
        body, rest = block, ""
    lines = [f"{line}\n" for line in body.removesuffix("\n").split("\n")] if body else []
    start = next((number for number, line in enumerate(lines) if _HEADING.match(line)), len(lines))
    units: list[str] = []
    joins_previous = False
    for line in lines[start:]:
        if not line.strip():
            if units:
                units[-1] += line
            joins_previous = False
        elif _HEADING.match(line):
            units.append(line)
            joins_previous = False
        elif joins_previous and not _ENTRY.match(line):
            units[-1] += line
        else:
            units.append(line)
            joins_previous = True
    return "".join(lines[:start]), units, closing + rest


def entry_numbers(block: str) -> list[int]:
    """Short ids of the project's entries that a block shows, in order: `[m12]` gives 12."""
    return [int(short_id[1:]) for short_id in ids_shown(block) if short_id.startswith("m")]


def render_block(
    summary: str,
    *,
    render: Callable[[str], str],
    version: str,
    token_limit: int,
    user_summary: str = "",
) -> str:
    """Return the ready block: the template around the summaries, in our wrapper, cut to `token_limit` tokens.

    `render` renders read_path.md with a summary in its place (see `slowwave.agents.compile`).

    `version` names the published version and stands in the wrapper. The user-level part may take a fifth of the limit
    and comes last; its ids read `[u3]`, so that they are not mistaken for the project's. An empty summary and an empty
    user-level part give the empty string.
    """
    project, user = _body_of(summary), _user_part(user_summary, token_limit)
    if not project and not user:
        return ""

    def wrapped(text: str) -> str:
        rendered = render(text).strip("\n")
        return f'<{WRAPPER} version="{version}">\n{rendered}\n{CLOSE_TAG}\n'

    def together(text: str) -> str:
        return "\n\n".join(part for part in (text.strip("\n"), user) if part)

    shown = cut_block(project, lambda text: estimate_tokens(wrapped(together(text))) <= token_limit)
    return wrapped(block) if (block := together(shown)) else ""


def _body_of(summary: str) -> str:
    """A summary without machine-made comment lines, starting with a heading, no agent's markup left in it."""
    text = harmless_markup(clean(_COMMENT_LINE.sub("", summary), len(summary))).strip("\n")
    if not text.strip():
        return ""
    return text if _HEADING.match(text) else f"# Memory of earlier sessions\n\n{text}"


def _user_part(summary: str, token_limit: int) -> str:
    body = _TITLE.sub("", _body_of(summary))
    if not body.strip():
        return ""
    lines = _LINE_HEADING.sub("##", body).split("\n")
    ids = "\n".join(_of_user(line) for line in lines)
    text = f"{USER_HEADING}\n\n{ids}"
    cut = cut_block(text, lambda candidate: estimate_tokens(candidate) <= token_limit * USER_SHARE)
    return cut.strip("\n") if USER_HEADING in cut else ""


def _of_user(line: str) -> str:
    short_id = id_of_line(line)
    return with_renamed_id(line, short_id, f"u{short_id[1:]}") if short_id else line
