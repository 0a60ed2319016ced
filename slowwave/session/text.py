"""Text the in-session layers share: what a person typed, sentences, tokens, escaping. Pure, standard library only."""

from __future__ import annotations

import re
import unicodedata

from slowwave.session.phrases import ASKS_ABOUT, CODE_STARTS, INTRODUCER, POINTS_BELOW, ROLES

OWN_TAGS = ("task_recap", "key_facts", "slowwave-memory")
QUOTE_LIMIT = 300
TYPED_LIMIT = 16_000
LONGEST_TYPED_LINE = 2_000
SHORT_PROMPT = 400

# Inline flags instead of compiled patterns: `re` compiles and keeps a pattern at its first use, and a hook needs few.
_NAMES = "|".join(OWN_TAGS)
_OWN_TAG = rf"(?i)<(\s*/?\s*(?:{_NAMES})\b)"
_OWN_BLOCK = rf"(?is)<\s*({_NAMES})\b[^>]*>.*?(?:<\s*/\s*\1\s*>|\Z)"
_FENCE = r"(?ms)^[ \t]*(`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)"
_ELEMENT = r"(?s)<([A-Za-z][\w:.-]*)(?:\s[^<>]*)?>.*?</\s*\1\s*>"
_OPEN_ELEMENT = r"(?sm)^\s*<[A-Za-z][\w:.-]*(?:\s[^<>]*)?>.*\Z"
_COMMENT = r"(?s)<!--.*?(?:-->|\Z)"
_TAG = r"</?[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>"
_SENTENCE_END = r"(?<=[.!?])[\"')\]]*(?=\s|$)\s*|(?<=[。！？；;])\s*|\n+"
_INVISIBLE = dict.fromkeys(
    (
        *(0xAD, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F)),
        *(*range(0x2060, 0x2065), *range(0x2066, 0x206A), *range(0xE0000, 0xE0080)),
    )
)


def fold_space(text: str) -> str:
    """Join all runs of white space to one space."""
    return " ".join(text.split())


def escape_tags(text: str) -> str:
    """Make our own wrapper tags harmless in text that is not ours, invisible characters inside them included."""
    return re.sub(_OWN_TAG, r"&lt;\1", _visible(text)) if "<" in text else text


def escape_element(text: str) -> str:
    """Escape every angle bracket and ampersand, for text inside a delimited turn."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def strip_own_blocks(text: str) -> str:
    """Remove blocks that Slowwave injected, so that nothing is learnt from itself."""
    return re.sub(_OWN_BLOCK, " ", text) if "<" in text else text


def _visible(text: str) -> str:
    """Without zero-width and direction marks, which could hide a tag or a word."""
    return text if text.isascii() else text.translate(_INVISIBLE)


def typed_text(prompt: str) -> str:
    """What the person most likely typed: the prompt less injected blocks, fenced code, markup, quoted or pasted text.

    Everything removed is data, never an instruction. When in doubt a passage is removed: a lost pin costs a repetition,
    a pin from a pasted page costs trust.
    """
    text = _visible(prompt[:TYPED_LIMIT].replace("\r\n", "\n"))
    if "<" in text:
        text = re.sub(_OWN_BLOCK, "\n\n", text)
        if stray := re.search(_OWN_TAG, text):
            # Somebody tries to close or to forge our block: nothing from there on can be trusted.
            text = text[: stray.start()]
    if "```" in text or "~~~" in text:
        text = re.sub(_FENCE, "\n\n", text)
    if "<" in text:
        for pattern in (_COMMENT, _ELEMENT, _OPEN_ELEMENT):
            text = re.sub(pattern, "\n\n", text)
        text = re.sub(_TAG, " ", text)
    return _drop_pasted(text)


def _drop_pasted(text: str) -> str:
    kept: list[str] = []
    document = len(text) > SHORT_PROMPT
    for paragraph in re.split(r"\n\s*\n", text):
        lines = [line for line in paragraph.split("\n") if line.strip() and not line.lstrip().startswith((">", "|"))]
        if not lines:
            continue
        stop = next((place for place, line in enumerate(lines) if _spoofs_a_role(line)), None)
        if stop is None and document:
            stop = next((place for place, line in enumerate(lines) if _opens_document(line)), None)
        if stop is not None:
            # A spoofed role, or the first heading of a long prompt: what follows belongs to it, to the end.
            kept.append(_typed_lines(lines[:stop]))
            break
        if len(lines) >= 3 and sum(map(_looks_like_code, lines)) * 2 >= len(lines):
            continue
        introducer = next((place for place, line in enumerate(lines) if _introduces(line)), None)
        if introducer is not None:
            kept.append(_typed_lines(lines[: introducer + 1]))
            break
        kept.append(_typed_lines(lines))
        if _asks_about_what_follows(lines[-1]):
            break
    return "\n\n".join(part for part in kept if part.strip())


def _asks_about_what_follows(line: str) -> bool:
    """`Can you summarise this mail?`: the next paragraphs are the mail."""
    return POINTS_BELOW.found_in(line) and INTRODUCER.found_in(line) and ASKS_ABOUT.found_in(line)


def _opens_document(line: str) -> bool:
    """A line that people do not type into a prompt: a heading, a badge, a link with its text, a rule of dashes."""
    start = line.strip()
    return start.startswith(("# ", "## ", "### ", "#### ", "[![", "![", "---", "===", "***")) or "](http" in start


def _spoofs_a_role(line: str) -> bool:
    """`system: ...`, `[SYSTEM] ...`, `### Assistant ...`: a line that poses as somebody else's."""
    start = line.strip().lower()
    bare = start.lstrip("#*[(<|> ")
    if not bare.startswith(ROLES):
        return False
    name, colon, _ = bare.partition(":") if ":" in bare else bare.partition("：")
    return (bool(colon) and len(name) <= 40) or start[0] in "#[<|*"


def _introduces(line: str) -> bool:
    """A line that ends in a colon and says that something quoted follows."""
    return line.rstrip().endswith((":", "：")) and INTRODUCER.found_in(line)


def _typed_lines(lines: list[str]) -> str:
    """The lines of a paragraph that look typed, up to one like `the page says: ...`."""
    kept: list[str] = []
    for line in lines:
        said, colon, rest = line.replace("：", ":", 1).partition(":")
        if colon and rest.strip() and len(said) <= 60 and not rest.startswith("//") and INTRODUCER.found_in(said):
            kept.append(line[: len(said)])
            break
        if len(line) <= LONGEST_TYPED_LINE and not _looks_logged(line):
            kept.append(line)
    return "\n".join(kept)


def _looks_logged(line: str) -> bool:
    """A line of a log, a shell or a source file, whatever surrounds it."""
    start = line.strip()
    return start.startswith(("#", "//", "$ ", "/*", "<!", "at ", "[20", "@@")) or bool(
        re.match(r"\d+[.:]\d|\d{4}-\d\d|\[\d\d:", start)
    )


def _looks_like_code(line: str) -> bool:
    start = line.strip().lower()
    return (
        line.startswith(("  ", "\t"))
        or start.endswith((";", "{", "}", "\\", ",", "(", ")", ">"))
        or start.startswith(CODE_STARTS)
        or start[:2].isdigit()
        or (start[:1] == "[" and start[1:3].isdigit())
    )


def sentences(text: str) -> list[str]:
    """Cut into sentences and lines. Each is a verbatim piece of the text, stripped at both ends."""
    return [piece for part in re.split(_SENTENCE_END, text) if (piece := part.strip().lstrip("-*•·").strip())]


def contains_quote(text: str, quote: str) -> bool:
    """Tell whether a quote stands in a text when white space is folded."""
    return bool(quote.strip()) and fold_space(quote) in fold_space(text)


def shorten(text: str, limit: int) -> str:
    """Cut at `limit` characters, at a word where there is one, with an ellipsis. Never inside a combining sequence."""
    if len(text) <= limit:
        return text
    end = limit - 1
    while end > 0 and (unicodedata.combining(text[end]) or text[end] in "\u200d\ufe0f" or text[end - 1] == "\u200d"):
        end -= 1
    cut = text[:end]
    space = cut.rfind(" ")
    return (cut[:space] if space > limit * 0.7 else cut).rstrip() + "…"


def last_question(reply: str) -> str:
    """The question that ends an assistant's reply, or an empty string. A question mark in a URL or in code is none."""
    text = re.sub(r"https?://\S+|`[^`]*`", " ", re.sub(_FENCE, "\n", reply)).rstrip()
    pieces = sentences(text[-1500:])
    if not pieces:
        return ""
    last = pieces[-1].rstrip("\"')]*_ ")
    asks = last.endswith(("?", "？")) or bool(re.search(r"(?:か|吗|呢|ไหม|หรือไม่|까요)[。.]?$", last))
    return shorten(fold_space(last), QUOTE_LIMIT) if asks else ""
