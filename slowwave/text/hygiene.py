"""What text may hold: one gate for everything that is stored, and escapes for the places where it is shown.

Standard library only: hooks use this. Everything is a pure function, and cleaning clean text changes nothing.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right

MAX_LINE = 4_000
MAX_TEXT = 64_000
MOST_MARKS = 8
"""Combining marks on one letter; no script needs more, stacked ones cover the lines around them."""

# Terminal sequences go as a whole: OSC, DCS, APC, PM and SOS strings to their end, CSI, and two-character escapes.
_SEQUENCE = re.compile(
    r"(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|\x1b[ -/]*[0-~]?"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_BREAK = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_SPACE = re.compile(r"\s+")
# Directional overrides, embeddings and isolates reorder what stands around them; the rest of these shows nothing.
_NEVER = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0080-\U000e00ff\U000e01f0-\U000e0fff]"
)
_DIRECTION_MARK = re.compile("[\u061c\u200e\u200f]")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]")
# England, Scotland and Wales are the flags that are spelt with tag characters.
_FLAG = re.compile(
    "\U0001f3f4\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074"
    "|\U000e0077\U000e006c\U000e0073)\U000e007f"
)
_TAGS = re.compile("[\U000e0000-\U000e007f]+")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]+")
_JOINERS = re.compile("[\u200c\u200d]+")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_NONCHARACTER = re.compile("[\ufdd0-\ufdef\ufffe\uffff]")
_SAFE_ASCII = re.compile(r"[\t\n\x20-\x7e]*\Z")

# Scripts whose letters change shape at a joiner: Arabic and its kin, Mongolian, the Indic family to Khmer.
_JOINING = (
    (0x0600, 0x08FF), (0x0900, 0x0DFF), (0x0F00, 0x109F), (0x1780, 0x17FF), (0x1800, 0x18AF), (0x1900, 0x1CFF),
    (0xA800, 0xAAFF), (0xABC0, 0xABFF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFE), (0x11000, 0x11FFF),
)  # fmt: skip
_EMOJI = (
    (0x00A9, 0x00AE), (0x203C, 0x203C), (0x2049, 0x2049), (0x2122, 0x2199), (0x21A9, 0x21AA), (0x231A, 0x23FF),
    (0x25AA, 0x27BF), (0x2934, 0x2B55), (0x3030, 0x303D), (0x3297, 0x3299), (0x1F000, 0x1FAFF),
)  # fmt: skip
_IDEOGRAPHS = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFD))


def clean(text: str, limit: int = MAX_TEXT) -> str:
    """Text of several lines as it may be stored: well-formed, in NFC, with nothing that hides, reorders or controls.

    Tabs and line ends stay, joiners where a script or an emoji needs them. At most `limit` characters.
    """
    if _SAFE_ASCII.match(text):
        return cut(text, limit)
    text = _BREAK.sub("\n", _LONE_SURROGATE.sub("\ufffd", text[: 4 * limit]))
    text = _CONTROL.sub("", _SEQUENCE.sub("", text))
    if not text.isascii():
        text = _without_invisible(unicodedata.normalize("NFC", text))
    return cut(text, limit)


def clean_line(text: str, limit: int = MAX_LINE) -> str:
    """Text of one line as it may be stored: `clean`, every run of white space one blank, none at the ends."""
    return cut(_SPACE.sub(" ", clean(text, 4 * limit)).strip(), limit)


def cut(text: str, limit: int) -> str:
    """At most `limit` characters, with an ellipsis where something is missing, never inside a combining sequence."""
    if len(text) <= limit:
        return text
    end = limit - 1
    while end > 0 and (unicodedata.combining(text[end]) or text[end] in "\u200d\ufe0f" or text[end - 1] == "\u200d"):
        end -= 1
    return text[:end].rstrip() + "…"


def _without_invisible(text: str) -> str:
    text = _NONCHARACTER.sub("\ufffd", _NEVER.sub("", text))
    if not _RIGHT_TO_LEFT.search(text):
        text = _DIRECTION_MARK.sub("", text)
    if _TAGS.search(text):
        text = _without_tags(text)
    text = _SELECTORS.sub(_selector, text)
    text = _JOINERS.sub(_joiner, text)
    return unicodedata.normalize("NFC", _without_stacks(text))


def _without_tags(text: str) -> str:
    kept, at = [], 0
    for flag in _FLAG.finditer(text):
        kept += [_TAGS.sub("", text[at : flag.start()]), flag[0]]
        at = flag.end()
    return "".join([*kept, _TAGS.sub("", text[at:])])


def _selector(match: re.Match[str]) -> str:
    """One variation selector after a character that has variants; a run of them can carry hidden bytes."""
    first = match[0][0]
    before = match.string[match.start() - 1] if match.start() else ""
    if first in "\ufe0e\ufe0f":
        return first if before and (_within(before, _EMOJI) or before in "0123456789#*") else ""
    return first if before and _within(before, _IDEOGRAPHS) else ""


def _joiner(match: re.Match[str]) -> str:
    before, after = match.string[: match.start()][-1:], match.string[match.end() :][:1]
    if not before or not after:
        return ""
    mark = match[0][0]
    if _within(before, _JOINING) and _within(after, _JOINING):
        return mark
    emoji = _within(after, _EMOJI) and (_within(before, _EMOJI) or before in "\ufe0f\U000e007f")
    return mark if mark == "\u200d" and emoji else ""


def _without_stacks(text: str) -> str:
    kept: list[str] = []
    marks = 0
    for character in text:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks <= MOST_MARKS:
            kept.append(character)
    return "".join(kept)


def _within(character: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    code = ord(character)
    at = bisect_right(ranges, (code, 0x110000)) - 1
    return at >= 0 and code <= ranges[at][1]


# What goes to a terminal.


def for_terminal(text: str) -> str:
    """Text as it may be printed: whatever would move the cursor, set a title or reorder a line is gone."""
    if _SAFE_ASCII.match(text):
        return text
    text = _BREAK.sub("\n", _LONE_SURROGATE.sub("\ufffd", text))
    text = _CONTROL.sub("", _SEQUENCE.sub("", text))
    return text if text.isascii() else _without_invisible(text)


def for_json(text: str) -> str:
    r"""Encoded JSON as it may be printed: the same value, with characters that are not plain text as ``\uXXXX``."""
    if _SAFE_ASCII.match(text):
        return text
    return "".join(_escaped(character) for character in text)


def _escaped(character: str) -> str:
    if character.isprintable() or character in "\n\t ":
        return character
    encoded = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{encoded[at : at + 4]}" for at in range(0, len(encoded), 4))


# What is injected into an agent.

# Words that agents' own markup is made of, compared with everything but letters left out.
_MARKUP_WORDS = (
    "system", "reminder", "instruct", "taskrecap", "keyfact", "slowwave", "memory", "assistant", "human", "developer",
    "important", "hook", "antml", "toolresult", "tooluse", "toolcall", "functioncall", "functionresult", "invoke",
    "userprompt", "usermessage", "userinstruction", "userquery", "userrequest", "usercontext", "environmentcontext",
    "localcommand", "commandname", "commandmessage", "commandargs", "bashinput", "bashstdout", "bashstderr",
    "persistedoutput", "ideselection", "ideopened", "availableskills", "turnaborted", "permissions", "persona",
    "policy", "override", "admin", "thinking", "scratchpad", "startofturn", "endofturn", "imstart", "imend", "inst",
    "agentsmd", "subagent", "contextwindow", "sessioncontext", "extensioncontext", "priority", "notice", "warning",
)  # fmt: skip
_EXACT = frozenset(
    (
        "system", "systemreminder", "systemmessage", "systemprompt", "assistant", "human", "developer", "instructions",
        "taskrecap", "keyfacts", "slowwavememory", "important", "notice", "warning", "memory", "toolresult", "tooluse",
        "functioncalls", "hook", "admin", "policy",
    )
)  # fmt: skip
_OPENER = r"(?:<|＜|﹤|‹|&(?:lt|#0*60|#x0*3c);?|\\u003c|\\x3c|%3c)"
_TAGLIKE = re.compile(rf"(?i){_OPENER}(?P<close>\s*[/|!?]*\s*)(?P<name>[^\s<>＜＞&/|\\%=\"']{{1,80}})")
_BRACKETED = re.compile(
    r"(?i)\[(?=\s*/?\s*(?:system|inst|developer|assistant|human|user(?=[\]:|])|admin|important|instructions?|sys)\b)"
)
_ROLE_LINE = re.compile(r"(?im)^(\s*(?:[-*>#]+\s*)?)(human|assistant|system|developer)\s*[:：]")
_LETTERS = re.compile(r"[\W\d_]+")
_CAMEL = re.compile(r"[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)*")
_LOOK_ALIKES = str.maketrans(
    {
        **dict(zip("авеѕкмнорстухіјԁһӏ", "abeskmhopctyxijdhl", strict=True)),
        **dict(zip("οανειικρτυχγ", "oaveiikptuxy", strict=True)),
        **dict(zip("ɡոս013457@$", "gnuoieast" + "as", strict=True)),
    }
)


def harmless_markup(text: str) -> str:
    """Text as it may stand in a block that an agent reads: no tag that some agent takes for its own.

    Any case, spelling, width and entity counts. Tags that agents do not use (``Array<string>``, ``<Suspense>``) stay.
    """
    text = text if text.isascii() else _without_invisible(text)
    text = _TAGLIKE.sub(_disarmed, text)
    text = _BRACKETED.sub("(", text)
    return _ROLE_LINE.sub(r"\1\2 -", text)


def _disarmed(match: re.Match[str]) -> str:
    close, name = match["close"], match["name"]
    if "|" not in close and not _is_markup(name):
        return match[0]
    return f"({close}{name}"


def _is_markup(name: str) -> bool:
    word = _LETTERS.sub("", _plain(name))
    if _CAMEL.fullmatch(name):
        return word in _EXACT
    return any(known in word for known in _MARKUP_WORDS)


def _plain(text: str) -> str:
    """The letters a reader takes it for: width and accents folded, look-alikes of other alphabets as the Latin ones."""
    folded = unicodedata.normalize("NFKD", text).casefold().translate(_LOOK_ALIKES)
    return "".join(character for character in folded if not unicodedata.combining(character))
