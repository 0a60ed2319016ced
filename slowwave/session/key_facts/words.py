"""Words for matching text in any script, without a model: terms and stems. Pure, standard library only.

Scripts without spaces (Chinese, Japanese, Thai and neighbours) are cut into overlapping pieces, identifiers into their
parts, English words to a rough stem. The same function cuts what is stored and what is asked.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import groupby

_WORD = r"[A-Za-z0-9]+(?:[_.\-/@:+#][A-Za-z0-9]+)*[+#]*"
_CAMEL = r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+"
_SUFFIXES = ("ments", "ment", "ings", "ions", "ing", "ion", "ers", "ies", "ied", "ed", "er", "es", "ly", "s")


def _set(block: str) -> frozenset[str]:
    return frozenset(block.split())


STOP_WORDS = _set(
    """a an the this that these those it its i me my we our us you your he she they them their what which who whom whose
    when where why how is are was were be been being am do does did done doing have has had having can could will would
    shall should may might must not no nor and or but if then else than so as at by for from in into of off on onto out
    over to up with about after again all also any because before below between both each few here just let like more
    most much now only other own please same some such there through too under until very via want need get got make
    made use used using uses user go going goes yes ok okay thanks thank hi hello hey one two three new old good better
    best thing things way ways work works working try tell say show give help know think see look find add change fix
    write create update file files code something anything everything really maybe still already every always never
    ever don doesn didn isn aren won cannot im ive id
    http https www org com net html lets whats thats dont doesnt cant der die das und oder ist nicht
    ein eine le la les et ou est un une el los las y que de en con para por"""
)
_HAN_STOP = frozenset(
    "的了是在我你他她它们們这這那哪什么麼怎吗嗎呢吧请請把和与與或个個一不有就也都很要会會能可以及其于於对對为為被从從到上下里裡中来來去说說看做用使"
)
_THAI_STOP = _set(
    """ที่ การ ของ และ เป็น ให้ ได้ ไม่ ใช้ อะไร ครับ ค่ะ คะ ว่า จะ มี ใน กับ หรือ นี้ นั้น ไหม ยัง แล้ว ก็ อยู่ ต้อง เรา ผม ฉัน
    คุณ ช่วย หน่อย อย่างไร ยังไง ไหน เขียน ทำ สร้าง เพิ่ม แก้ เปิด ดู อยาก เกี่ยวกับ ด้วย ไป"""
)


@lru_cache(maxsize=2048)
def stem(word: str) -> str:
    """A rough English stem: `migrations`, `migrate` and `migrating` meet. Other words come back unchanged."""
    if len(word) < 5 or not word.isascii() or not word.isalpha():
        return (
            word[:-1] if len(word) == 4 and word.endswith("s") and not word.endswith("ss") and word.isalpha() else word
        )
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 4 and not word.endswith("ss"):
            word = word[: -len(suffix)]
            break
    if word.endswith(("e", "y", "i")):
        word = word[:-1]
    return word[:-1] if len(word) > 4 and word[-1] == word[-2] else word


def terms(text: str) -> set[str]:
    """The informative terms of a text: stems, identifier parts, Han pairs, Katakana words, Thai and Hangul pieces."""
    if text.isascii():
        return set().union(*map(_word, re.findall(_WORD, text)))
    found: set[str] = set()
    for script, run in groupby(map(_unaccented, unicodedata.normalize("NFKC", text)), _script):
        piece = "".join(run)
        if script == "ascii":
            found.update(*map(_word, re.findall(_WORD, piece)))
        elif script in _CUTTERS:
            found |= _CUTTERS[script](piece)
    return found


def _unaccented(character: str) -> str:
    return unicodedata.normalize("NFD", character)[0] if "\u00c0" <= character < "\u0250" else character


def _script(character: str) -> str:
    """The group of characters that are cut alike."""
    code = ord(character)
    if code < 0x80:
        return "ascii"
    for first, last, name in _SCRIPTS:
        if first <= code <= last:
            return name
    return "letters" if character.isalnum() or unicodedata.combining(character) else "other"


_SCRIPTS = (
    (0x0E01, 0x0E3A, "thai"), (0x0E40, 0x0E4E, "thai"), (0x0E81, 0x0EDF, "thai"), (0x1000, 0x109F, "thai"),
    (0x1780, 0x17D3, "thai"), (0x3041, 0x309F, "hiragana"), (0x30A1, 0x30FC, "katakana"), (0x3400, 0x4DBF, "han"),
    (0x4E00, 0x9FFF, "han"), (0xAC00, 0xD7AF, "hangul"), (0xF900, 0xFAFF, "han"), (0x20000, 0x3FFFF, "han"),
)  # fmt: skip


def _han(run: str) -> set[str]:
    pairs = {run[i : i + 2] for i in range(len(run) - 1)} if len(run) > 1 else {run}
    return {pair for pair in pairs if not any(character in _HAN_STOP for character in pair)}


def _thai(run: str) -> set[str]:
    for stop in _THAI_STOP:
        run = run.replace(stop, " ")
    return {part[i : i + 4] for part in run.split() if len(part) >= 3 for i in range(max(1, len(part) - 3))}


def _hangul(run: str) -> set[str]:
    return {run} if len(run) < 3 else {run[i : i + 2] for i in range(len(run) - 1)}


def _katakana(run: str) -> set[str]:
    return {run} if len(run) > 1 else set()


def _letters(run: str) -> set[str]:
    low = run.lower()
    return {low} if len(low) > 2 and low not in STOP_WORDS else set()


_CUTTERS: dict[str, Callable[[str], set[str]]] = {
    "han": _han,
    "thai": _thai,
    "hangul": _hangul,
    "katakana": _katakana,
    "letters": _letters,
}


def _word(piece: str) -> set[str]:
    found: set[str] = set()
    parts = re.split(r"[_.\-/@:+#]+", piece)
    whole = piece.lower()
    if (
        len(parts) > 1
        or any(c.isdigit() for c in piece)
        or (not piece.islower() and not piece.istitle() and len(piece) > 3)
    ):
        found.add(whole)
    for part in parts:
        cut = re.findall(_CAMEL, part) if part.isascii() and not (part.islower() or part.isupper()) else [part]
        for word in (*cut, part):
            low = word.lower()
            if low not in STOP_WORDS and (len(low) > 2 or (len(low) == 2 and not low.isdigit() and low.isalnum())):
                found.add(stem(low))
    return found


def index_text(text: str, extra: Iterable[str] = ()) -> str:
    """The terms as one string for a word index; separators inside a term become underscores of their own kind."""
    return " ".join(sorted(index_term(term) for term in terms(text).union(*(terms(more) for more in extra))))


def index_term(term: str) -> str:
    """One term as the word index sees it: letters and digits only, so that the index's tokenizer cuts nothing."""
    return re.sub(r"[^\w]", lambda found: f"x{ord(found.group()):x}x", term.replace("_", "x5fx"))


def overlap(one: str, other: str) -> float:
    """Share of the smaller text's terms that the other one has too, 0 to 1."""
    a, b = terms(one), terms(other)
    return len(a & b) / min(len(a), len(b)) if a and b else 0.0
