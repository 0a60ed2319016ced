"""What a text is about: its names, numbers and words, and which of them it affirms or denies.

Names are what one can only copy: code, paths, identifiers, flags. Words are compared by their stems, and by pairs of
characters in scripts without word boundaries.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

CACHED = 8_192

_CODE = re.compile(r"`([^`\n]+)`")
_TOKEN = re.compile(r"(?<!\w)--?[a-z][\w-]*|\w+(?:[./:@\\=+]+-?\w+)*", re.IGNORECASE)
_IN_CODE = re.compile(r"(?<!\w)--?[a-z][\w-]*|\w+(?:[./:@\\=+-]+\w+)*", re.IGNORECASE)
_NAME = re.compile(
    r"(?:--?[A-Za-z][\w-]*|.*[/\\@=_].*|.*\w[.:]\w.*|(?=.*\d)(?=.*[A-Za-z]).*|.*[a-z][A-Z].*)", re.DOTALL
)
_ABBREVIATIONS = frozenset(("i.e", "e.g", "z.b", "d.h", "u.a", "p.ex", "p.ej", "т.е", "т.д", "a.k.a", "w.r.t"))
_PARTS = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_MEASURE = re.compile(r"(\d+(?:[.,]\d+)?)(?:[a-z]{1,3}|%)")
_WIDE = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+")
_SUFFIXES = (
    *("ations", "ation", "ments", "ment", "ings", "ing", "edly", "ies", "ied", "ed", "es", "en", "em", "er", "ns"),
    *("s", "e", "n", "a", "o", "y"),
)
_NUMBER_WORDS = {
    word: str(value)
    for value, words in enumerate(
        (
            *("zero null cero zéro", "one eins ein eine uno una un", "two zwei dos deux", "three drei tres trois"),
            *("four vier cuatro quatre", "five fünf cinco cinq", "six sechs seis", "seven sieben siete sept"),
            *("eight acht ocho huit", "nine neun nueve neuf", "ten zehn diez dix", "eleven elf once onze"),
            "twelve zwölf doce douze",
        )
    )
    for word in words.split()
}


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FRAMING = _listed(
    """
    a about after again all also always am an and any anymore are as at be because been before being both but by can
    could day did do does doing don done each either ever every everything for from get go going had has have he her
    here him his how i if in instead into is it its just keep kept let like likes longer made make makes may me means
    more most much must my never new no not now of off on once only or other our out over own per place please prefer
    preferred prefers project rather repo repository s same shall she should since so some such t than that the their
    them then there these they this those through time to too under until up upon us use used user users uses using ve
    very want wanted wants was we were what when where whether which while who why will with without would yes you your
    agent agents ask assistant thing things way work works since hence sure really still already
    der die das den dem des ein eine einen einem einer und oder aber nicht kein keine keinen nie niemals immer nur auch
    bitte ich du er sie es wir ihr man ist sind war werden wird wurde soll sollen muss müssen darf dürfen kann können zu
    im in am an auf aus bei mit nach von vor für über unter als wie wenn dann hier jetzt mehr so dass weil statt
    le la les un une des du de d l et ou mais ne n pas plus jamais toujours seulement aussi il elle on nous vous est
    sont être doit doivent faut peut à au aux en dans sur sous pour par avec sans que qui quand si ce cette ces
    el los las unos unas y o pero nunca siempre solo también se es son debe deben hay puede al del para por con sin lo
    este esta estos estas cuando como vez lugar ya más
    o os as um uma e ou mas não nunca sempre só também ser são deve devem pode ao aos na nas no nos do da dos das com
    sem quando este esta isto antes
    il lo gli i una che non mai sempre solo anche è sono deve devono può nel nella con senza quando vanno va di
    и в на не с без по для что как это всегда никогда только нельзя надо нужно можно если когда или но я мы ты вы
    """
)
_NOT = re.compile(
    r"(?:not|dont|doesnt|didnt|cant|wont|isnt|shouldnt|mustnt|n't|never|no|none|nobody|nothing|without|neither|nor|cannot|isn|aren|wasn|don|doesn|didn|won|mustn|shouldn"
    r"|nicht|nie|niemals|kein|keine|keinen|keiner|ohne|statt|anstatt|anstelle"
    r"|pas|jamais|sans|plus|aucun|aucune"
    r"|nunca|jamás|sin|tampoco|não|nem|sem|non|mai|senza|niente"
    r"|не|нет|никогда|без|нельзя)"
)
_ENGLISH_NOT = re.compile(r"(?:not|never|no|none|without|nobody|nothing|cannot)")
_NOT_VERB = re.compile(
    r"(?:skip|omit|drop|remov|delet|avoid|stop|disabl|forbid|forbad|forbidden|ban|bann|refus|hat|dislik|ignor|exclud"
    r"|reject|abandon|dead|deprecat|obsolet|switch|supprim|désactiv|desactiv|évit|evit|retir|quit|weglass|überspring"
    r"|vermeid|verbot|deaktivier|entfern|omitir|saltar|prohib|interdit|vietat|proibi|удал|пропус|запре|dispens)\w*"
)
_INSTEAD = re.compile(
    r"\b(?:instead\s+of|rather\s+than|in\s+place\s+of|over|statt|anstatt|anstelle\s+von|plut[oô]t\s+que|au\s+lieu\s+de"
    r"|[aà]\s+la\s+place\s+de|en\s+vez\s+de|en\s+lugar\s+de|em\s+vez\s+de|invece\s+di|anzich[eé]|вместо)\s+"
)
_WHERE = re.compile(r"\b(?=(?:in|for|at|on|from|with|als|bei|für|dans|pour|en|para|per|para|для)\b)")
_CLAUSE = re.compile(
    r"[;:!?,()\u2013\u2014\n。！？；：，、]+|\.(?=\s|$)|\s-\s"
    r"|\b(?=(?:but|before|after|when|while|so|because|if|unless|without|until|since|sondern|aber|bevor|nachdem|wenn|weil"
    r"|ohne|mais|avant|après|quand|sans|sino|pero|antes|cuando|sin|mas|quando|sem|ma|prima|senza|но|если|потому|без)\b)"
)
_FLIPS_BACK = re.compile(r"\s*(?:without|unless|until|before|ohne|bevor|sans|avant|sin|antes|sem|senza|prima|без)\b")
_COPULA = _listed(
    "is are was were be been must should shall can could may might will would does do did has have 's ist sind war muss"
    " soll darf kann wird werden est sont doit peut es son debe puede é são deve è sono"
)
_WIDE_NOT = re.compile(
    r"不要|不能|不得|不许|不許|不准|不用|不再|不|别|別|禁止|避免|没有|沒有|跳过|跳過|省略|ない|なく|ません|ず(?=に)|やめ|スキップ|않|말[고아라]|"
    r"마세요|금지|건너뛰|없|ไม่|ห้าม|อย่า|งด|เลิก"
)


@dataclass(frozen=True, slots=True)
class Terms:
    """A text taken apart. `affirmed` and `denied` hold terms by their polarity; a term can be in both. `tokens` are all
    words as they stand, the small ones too: a name is looked for among them."""

    names: frozenset[str]
    numbers: frozenset[str]
    words: frozenset[str]
    affirmed: frozenset[str]
    denied: frozenset[str]
    tokens: frozenset[str]

    @property
    def content(self) -> frozenset[str]:
        """Everything that the text is about."""
        return self.names | self.words | self.numbers


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).replace("’", "'").casefold())
    bare = "".join(char for char in folded if not "\u0300" <= char <= "\u036f")
    return unicodedata.normalize("NFC", bare)


_BARE_FRAMING = frozenset(_plain(word) for word in _FRAMING)


@lru_cache(maxsize=CACHED)
def stem(word: str) -> str:
    """The beginning of a word that its forms share."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: -len(suffix)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def _pieces(clause: str) -> Iterator[tuple[str, str]]:
    """Yield (sort, term) in order: `name`, `number`, `word`, and `raw` for every token as it stands."""
    for match in _TOKEN.finditer(clause):
        token = match.group()
        plain = _plain(token)
        yield "raw", plain
        if _WIDE.search(plain):
            for run in _WIDE.findall(plain):
                yield from (("word", run[at : at + 2]) for at in range(max(1, len(run) - 1)))
            plain = _WIDE.sub(" ", plain)
            for part in _PARTS.findall(plain):
                yield ("number", part) if part.isdigit() else ("word", stem(part))
            continue
        if _NUMBER.fullmatch(plain):
            yield "number", plain.replace(",", ".")
        elif (measured := _MEASURE.fullmatch(plain)) is not None:
            yield "number", measured[1].replace(",", ".")
            yield "raw", measured[1]
        elif plain in _ABBREVIATIONS:
            continue
        elif _NAME.fullmatch(token):
            yield "name", plain
        elif plain in _NUMBER_WORDS:
            yield "number word", _NUMBER_WORDS[plain]
        elif plain not in _BARE_FRAMING:
            for part in _PARTS.findall(plain):
                if part not in _BARE_FRAMING and (len(part) > 1 or not part.isascii()):
                    yield "word", stem(part)


@lru_cache(maxsize=CACHED)
def terms_of(text: str) -> Terms:
    """Take a text apart."""
    names: set[str] = set()
    for span in _CODE.findall(text):
        names.update(_plain(token) for token in _IN_CODE.findall(span))
    numbers: set[str] = set()
    words: set[str] = set()
    affirmed: set[str] = set()
    denied: set[str] = set()
    for terms, sign in _clauses(text):
        for sort, term in terms:
            if sort == "name":
                names.add(term)
            elif sort == "number":
                numbers.add(term)
            elif sort == "word":
                words.add(term)
        found = {term for sort, term in terms if sort in ("name", "word")}
        affirmed |= found if sign >= 0 else set()
        denied |= found if sign <= 0 else set()
    numbers |= {_plain(name) for name in names if name.isdigit()}
    names = {name for name in names if not name.isdigit()}
    words -= {stem(name) for name in names} | names
    tokens = {_plain(token) for token in (*_TOKEN.findall(text), *_IN_CODE.findall(text))}
    return Terms(*map(frozenset, (names, numbers, words, affirmed, denied, tokens)))


def _clauses(text: str) -> list[tuple[list[tuple[str, str]], int]]:
    """Runs of terms with their sign: 1 affirmed, -1 denied, 0 both."""
    runs: list[tuple[list[tuple[str, str]], int]] = []
    before = 1
    for clause in _CLAUSE.split(_CODE.sub(r" \1 ", text).replace("n't", " not").replace("n’t", " not")):
        if not clause.strip():
            continue
        flips = _FLIPS_BACK.match(clause) is not None
        if flips and before < 0 and runs:
            # "never ... without ..." demands what follows and says nothing against what stands before.
            runs[-1] = (runs[-1][0], 0)
        found = list(_signed(clause))
        if flips and before < 0:
            found = [(terms, -sign if sign < 0 else sign) for terms, sign in found]
        runs += found
        before = min((sign for _, sign in found), default=1)
    return runs


def _signed(clause: str) -> Iterator[tuple[list[tuple[str, str]], int]]:
    _, *rest = _INSTEAD.split(_plain(clause), maxsplit=1)
    # The original spelling tells a name by its capitals; folding changes no length that matters here.
    cut = len(clause) - len(rest[0]) if rest else len(clause)
    yield from _by_negators(clause[:cut] if rest else clause)
    if rest:
        # "X over Y in Z": only Y is turned down.
        turned_down, *more = _WHERE.split(clause[cut:], maxsplit=1)
        yield list(_pieces(turned_down)), -1
        for part in more:
            yield from _by_negators(part)


def _by_negators(clause: str) -> Iterator[tuple[list[tuple[str, str]], int]]:
    sign = -1 if len(_WIDE_NOT.findall(clause)) % 2 else 1
    current: list[tuple[str, str]] = []
    last, denied = "", False
    for sort, term in _pieces(clause):
        if sort != "raw":
            current.append((sort, term))
            continue
        if _NOT.fullmatch(term):
            if denied and not _ENGLISH_NOT.fullmatch(term):
                # "ne ... pas", "no ... nunca": two words of one denial.
                continue
            denied = True
            if last in _COPULA or not term.isascii() or term not in ("not", "no", "never", "none", "without"):
                # "X is not Y" and "X nicht benutzen" deny X as well.
                yield current, -sign
            else:
                yield current, sign
            current, sign = [], -sign
        elif _NOT_VERB.fullmatch(term):
            # "X is forbidden" denies X, "drop X" what comes.
            yield current, -sign if last in _COPULA else sign
            current, sign = [], -sign
        last = term
    yield current, sign


def holds(term: str, others: frozenset[str]) -> bool:
    """Whether a term stands among others, in another form of the word if need be."""
    if term in others:
        return True
    parts = _PARTS.findall(term)
    if len(parts) > 1:
        return all(part in others or any(part in _PARTS.findall(other) for other in others) for part in parts)
    if term.isdigit() or len(term) < 4:
        return any(term in _PARTS.findall(other) for other in others if not other.isalnum())
    return any(_same_word(term, other) for other in others)


def _same_word(one: str, other: str) -> bool:
    if len(one) < 4 or len(other) < 4:
        return False
    if one in other or other in one:
        return True
    shared = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return shared >= 4 and shared >= 0.7 * max(len(one), len(other))


def covered(wanted: Iterable[str], others: frozenset[str]) -> frozenset[str]:
    """Those of some terms that stand among others."""
    return frozenset(term for term in wanted if holds(term, others))


def opposed(claim: Terms, other: Terms) -> bool:
    """Whether a text denies mostly what another affirms, or the other way round."""
    shared = [term for term in claim.names | claim.words if holds(term, other.affirmed | other.denied)]
    against = [term for term in shared if not _agrees(term, claim, other)]
    return bool(against) and 2 * len(against) >= len(shared)


def _agrees(term: str, claim: Terms, other: Terms) -> bool:
    return (holds(term, claim.affirmed) and holds(term, other.affirmed)) or (
        holds(term, claim.denied) and holds(term, other.denied)
    )
