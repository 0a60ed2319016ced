"""What a statement claims: for or against what, with which values and numbers, and in which order."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from slowwave.text.statements.han import simplified
from slowwave.text.statements.numbers import LABELS, date_of, quantity
from slowwave.text.statements.values import CLOSE, OPEN, marked, thing_words
from slowwave.text.statements.wording import LIMITS, REPLACES, WITHOUT, WORDINGS, Wording, compiled, language_of, stem

CACHED = 8_192
"""Statements whose claims are kept at hand: some 20 MB at most."""

_BEFORE, _AFTER = "\ue002", "\ue003"
_FORMS = {ord("’"): "'", ord("‘"): "'", **dict.fromkeys(map(ord, (OPEN, CLOSE, _BEFORE, _AFTER)))}
_SENTENCE = r"(?<=[.!?])\s+|(?<=[。！？])|[;；\n]+|\s+[—–]+\s+|(?<=\w):\s+"
_NAMED = rf"(?:{OPEN}[^{CLOSE}]+{CLOSE}|(?-i:[A-Z])[\w./@+#-]*)"
_FOR = r"\s+(?:for|in|on|für|pour|para|для|cho)\s"
_COMMA = rf"[,，、]\s*|\s+(?:and|und|et|y|e|и|và)\s+(?={_NAMED}{_FOR})|\s+(?:and|but|und|aber|sondern|et|mais|y|pero|e|mas|и|а|но|và|nhưng)\s+(?=(?:please |bitte )?(?:never|not|do not|don'?t|always|avoid|nie|nicht|niemals|jamais|pas|ne |nunca|no |não|никогда|не |không|đừng)\b)"
_ASIDE = (
    r"\b(?:it|this|that|these|them|themselves|myself|das|dies|es selbst|ça|cela|eso|esto|isso|это|сам|điều này|tự)\b|"
    r"这样|这么|自己|这个|それ|これ|そう|自分|그것|이것|그렇게|직접 하|제가|ผมเอง|เองครับ|เองค่ะ|มัน|แบบนี้"
)
_LEAD = (
    r"^(?:(?:please|remember(?: that)?|note(?: that)?|i changed my mind|we changed our minds?|from now on|actually|as a rule|in general|"
    r"by convention|bitte|merke|denk daran|ab jetzt|ab sofort|s'il te plaît|désormais|por favor|recuerda(?: que)?|a partir de ahora|"
    r"lembre-se(?: de)?(?: que)?|запомни|пожалуйста|отныне|теперь|ghi nhớ|từ giờ|我改主意了|记住|请记住|从现在(?:开始|起)|覚えて(?:おいて)?(?:ください)?|今後は?|이제부터|앞으로는?)(?:[:：,，、.。\s]\s*|(?=[\u3041-\u9fff])))+"
)
_SCOPE_FIRST = (
    r"^(?:in|on|at|for|when(?:ever)?|if|before|after|unless|during|within|with|vor|nach|bevor|wenn|bei|für|im|beim|avant|après|pour|quand|dans|si|"
    r"antes|después|para|cuando|en|depois|quando|em|перед|до|после|для|при|когда|если|в|trước|sau|khi|với|trong|nếu)\b|"
    r".*(?:前|后|後|时|時|时候|の?場合|は|では|には|전에|후에|때|면|에서)$"
)
_SLOT = (
    r"\b(?:us(?:e|es|ed|ing)|is|are|be|runs? on|lives?|host(?:ed|s)?|deploy(?:ed|s)?|written|stored?|named|called|work(?:s|ed)? (?:at|for)|prefer(?:s|red)?|"
    r"ist|sind|heißt|verwend\w*|nutz\w*|benutz\w*|läuft|est|sont|utilis\w*|es|son|usa\w*|utiliz\w*|é|são|использ\w*|dùng|sử dụng|là)\b|用|是|在|使|です|だ$|で|사용|쓰|씁|입니다|에|ใช้|คือ|เป็น|อยู่"
)
_ITEM = rf"({OPEN}[^{CLOSE}]+{CLOSE}|[A-Za-z0-9@./+#_-]+)"
_FROM = (
    rf"\b(?:away )?(?:from|von|de|du|с|từ)\s+{_ITEM}(?=\s+(?:over )?(?:to|auf|zu|à|a|para|на|sang)\b)"
    rf"|从\s*{_ITEM}(?=\s*(?:换|改|切|迁|到))|{_ITEM}\s*(?:から|에서)(?=.{{0,40}}(?:に|へ|로))|จาก\s*{_ITEM}"
)
"""What a change leaves behind: `we moved from X to Y`."""
_CHOOSES = rf"\b(?:use|uses|used)\b|^{_NAMED}{_FOR}|用|使(?:い|う|っ)|ใช้|사용|씁니다|쓰고"
_CALLED = (
    r"(?:\b(?:(?:host(?:name)?|server|machine|cluster|bucket|owner|maintainer|codename|alias|contact|region|channel|namespace|tenant|lead|"
    r"reviewer|mascot) is|called|named|heißt|s'appelle|se llama|chama-se|tên là)|叫)\s*$"
)
_PIECE = (
    rf"{OPEN}[^{CLOSE}]+{CLOSE}|\d+(?:[.,:]\d+)*%?|[A-Za-z0-9_@À-ɏЀ-ӿḀ-ỿ]+(?:['’./@+#:_-][A-Za-z0-9_À-ɏЀ-ӿḀ-ỿ]+)*(?:[+#]+|/(?!\w))?"
    r"|[\u3400-\u9fff\uf900-\ufaff々]+|[\u3041-\u309f]+|[\u30a0-\u30ff]+|[\uac00-\ud7a3]+|[\u0e01-\u0e5b]+|[\u0900-\u0dff\u0e80-\u1fff]+"
)


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that a statement is for or against. `tokens` are its content words, values as `family=name`, quantities
    as `#dimension:number`; `names` the words that look like names; `said` those that only name what a value is a value of
    ("package manager" beside npm); `context` what a fragment ("never with a signature") leaves out; `order` the content
    before and after `before`."""

    positive: bool
    tokens: frozenset[str]
    names: frozenset[str] = frozenset()
    order: tuple[frozenset[str], frozenset[str]] | None = None
    slot: bool = False
    limit: bool = False
    said: frozenset[str] = frozenset()
    context: frozenset[str] = frozenset()

    @property
    def values(self) -> frozenset[str]:
        """Tokens that are values of a family."""
        return frozenset(token for token in self.tokens if "=" in token)


@dataclass(frozen=True, slots=True)
class Statement:
    """The claims of a text, and whether it says that something else held before."""

    claims: tuple[Claim, ...]
    replaces: bool


@lru_cache(maxsize=CACHED)
def read(text: str) -> Statement:
    """Take a statement apart."""
    plain = unicodedata.normalize("NFKC", text).translate(_FORMS)
    language = language_of(plain.casefold())
    if language == "zh":
        plain = simplified(plain)
    wording = WORDINGS[language]
    replaces = compiled(REPLACES).search(plain) is not None
    for phrase, word in wording.joined:
        plain = compiled(phrase).sub(word, plain)
    plain = re.sub(r"`([^`]+)`", lambda found: _code(found.group(1), wording), plain).replace("`", " ")
    claims: list[Claim] = []
    for place, sentence in enumerate(
        filter(None, (part.strip() for part in compiled(_SENTENCE).split(compiled(_LEAD).sub("", plain))))
    ):
        if place and claims and compiled(_ASIDE).search(sentence):
            continue
        claims += _claims(marked(_without_reason(sentence, wording)), language)
    return Statement(tuple(_with_context(claims)), replaces)


def _code(span: str, wording: Wording) -> str:
    """A name in back quotes is the name; a command line or an option is one word that nothing is read into."""
    span = " ".join(span.split())
    if re.fullmatch(r"[@\w][\w./@+#-]*", span) and span.casefold() not in wording.stop:
        return span
    return (
        f" {OPEN}code {hashlib.md5(span.encode('utf-8', 'surrogatepass'), usedforsecurity=False).hexdigest()}{CLOSE} "
    )


def _without_reason(sentence: str, wording: Wording) -> str:
    rest = compiled(wording.reason).sub("", sentence).strip()
    return rest or sentence


def _claims(sentence: str, language: str) -> Iterator[Claim]:
    """Segments between commas, those of one polarity in a row together; what is turned down within one is its own."""
    wording = WORDINGS[language]
    groups: list[tuple[bool, list[str]]] = []
    scope: list[str] = []
    segments = [part for part in compiled(_COMMA).split(sentence) if part and part.strip()]
    for place, segment in enumerate(segments):
        if place and compiled(_ASIDE).search(segment) and len(segments) > 1:
            continue
        positive = _is_positive(_kept(segment, wording)[0], wording)
        if positive and compiled(_SCOPE_FIRST).search(segment.strip()) and place + 1 < len(segments) and not groups:
            scope.append(segment)
        elif groups and groups[-1][0] == positive and not (_is_choice(segment) and _is_choice(groups[-1][1][-1])):
            groups[-1][1].append(segment)
        else:
            groups.append((positive, [*scope, segment]))
            scope = []
    for positive, parts in groups or [(True, scope)]:
        kept, refused = zip(*(_kept(part, wording) for part in parts), strict=True)
        if (claim := _claim(", ".join(kept), positive, language)).tokens:
            yield claim
        for text in (piece for pieces in refused for piece in pieces):
            if (claim := _claim(text, False, language)).tokens:
                yield claim


def _is_positive(segment: str, wording: Wording) -> bool:
    plain = compiled(WITHOUT).sub(" ", segment)
    return (compiled(wording.negative).search(plain) is None) == (plain == segment)


def _is_choice(segment: str) -> bool:
    """A segment that chooses something for something: beside another such one it is a claim of its own."""
    return compiled(_CHOOSES).search(segment.strip()) is not None


def _kept(segment: str, wording: Wording) -> tuple[str, list[str]]:
    """A segment without what it turns down (`instead of X`), and that."""
    refused: list[str] = []
    item = rf"(?:(?:the|a|den|die|das|les?|la|el|o)\s+)?((?:{OPEN}[^{CLOSE}]+{CLOSE}|[\w@./+#-]+))"

    def take(found: re.Match[str]) -> str:
        refused.append(next(filter(None, found.groups())))
        return " "

    if wording.rejects != r"(?!)":
        segment = compiled(wording.rejects + item).sub(take, segment)
    if compiled(REPLACES).search(segment):
        segment = compiled(_FROM).sub(take, segment)
    if compiled(wording.prefers).search(segment):
        segment = compiled(r"\bover\s+" + item).sub(take, segment)
    if wording.rejected_first != r"(?!)":
        name = rf"({OPEN}[^{CLOSE}]+{CLOSE}|[A-Za-z0-9@./+#_-]+|[\u30a0-\u30ff]+|[\u4e00-\u9fff]+|[\uac00-\ud7a3]+)\s*"
        segment = compiled(name + wording.rejected_first).sub(take, segment)
    return segment, refused


def _claim(text: str, positive: bool, language: str) -> Claim:
    words = list(_words(text, language))
    marks = [place for place, (word, _) in enumerate(words) if word in (_BEFORE, _AFTER)]
    content = [(word, name) for word, name in words if word not in (_BEFORE, _AFTER)]
    families = {token.partition("=")[0] for token, _ in content if "=" in token}
    said = frozenset().union(*(thing_words()[family] for family in families)) if families else frozenset()
    stems = {stem(word, language) for word in said} | said
    tokens = frozenset(word for word, _ in content)
    return Claim(
        positive=positive,
        tokens=tokens,
        names=frozenset(word for word, name in content if name),
        order=_order(words, marks[0], language) if len(marks) == 1 else None,
        slot=compiled(_SLOT).search(text) is not None,
        limit=compiled(LIMITS).search(text) is not None,
        said=tokens & stems,
    )


def _order(words: list[tuple[str, bool]], mark: int, language: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """What comes first and what comes then, or None where it cannot be told."""
    left, right = (frozenset(word for word, _ in part) - {"run"} for part in (words[:mark], words[mark + 1 :]))
    if not left or not right:
        return None
    # In Chinese, Japanese and Korean the mark follows what it belongs to.
    flipped = language in ("zh", "ja", "ko")
    before = words[mark][0] == _BEFORE
    return (right, left) if flipped == before else (left, right)


def _with_context(claims: list[Claim]) -> Iterable[Claim]:
    """`Use pnpm in the shop, never npm`: the second claim leaves out what it is about."""
    for place, claim in enumerate(claims):
        first = claims[0]
        bare = claim.tokens == claim.values | claim.names or len(claim.tokens) == 1
        if place and bare and first.positive != claim.positive:
            claim = replace(claim, context=first.tokens - first.values - first.names)
        yield claim


def _words(text: str, language: str) -> Iterator[tuple[str, bool]]:
    """The content words of a text in order, and whether each looks like a name."""
    wording = WORDINGS[language]
    text = compiled(wording.negative).sub(" ", compiled(WITHOUT).sub(" ", text))
    text = compiled(LIMITS).sub(" ", text) if language != "en" else text
    text = compiled(wording.before).sub(f" {_BEFORE} ", text)
    text = compiled(wording.after).sub(f" {_AFTER} ", text)
    text, dates = date_of(text)
    for token in dates:
        yield token, False
    pieces = [(found.group(), found.start()) for found in re.finditer(rf"[{_BEFORE}{_AFTER}]|{_PIECE}", text)]
    skip = -1
    label = ""
    for place, (piece, start) in enumerate(pieces):
        if place == skip:
            continue
        following = pieces[place + 1][0] if place + 1 < len(pieces) else ""
        if piece in (_BEFORE, _AFTER):
            yield piece, False
        elif piece[0].isdigit() and (number := quantity(piece, following)) is not None:
            if label:
                yield f"{label}#{piece}", False
            else:
                yield number.token, False
            skip = place + 1 if number.took_unit else -1
        else:
            yield from _of_piece(piece, text, start, language)
        label = piece.casefold() if piece.casefold() in LABELS else ""


def _of_piece(piece: str, text: str, start: int, language: str) -> Iterator[tuple[str, bool]]:
    stop = WORDINGS[language].stop
    if piece[0] == OPEN:
        yield piece[1:-1], piece.startswith("code ", 1)
    elif piece[0] < "\u0e00":
        yield from _latin(piece, text, start, language, stop)
    elif "\uac00" <= piece[0] <= "\ud7a3":
        if word := _hangul(piece, stop):
            yield word, False
    elif "\u3041" <= piece[0] <= "\u309f":
        if word := _hiragana(piece):
            yield word, False
    elif "\u30a0" <= piece[0] <= "\u30ff":
        yield stem(piece.rstrip("ー"), language), False
    elif "\u3400" <= piece[0] <= "\ufaff":
        for word in _segmented(piece, language, single=language == "zh"):
            yield word, False
    elif "\u0e01" <= piece[0] <= "\u0e5b":
        for word in _segmented(piece, language, single=False):
            yield word, False
    else:
        yield piece, False


def _latin(piece: str, text: str, start: int, language: str, stop: frozenset[str]) -> Iterator[tuple[str, bool]]:
    low = piece.casefold().removesuffix("'s")
    for prefix in ("l'", "d'", "qu'", "n'", "s'", "j'", "c'"):
        low = low.removeprefix(prefix) if language == "fr" else low
    if low in stop or not low:
        return
    plain = piece.replace("-", "").isalpha()
    inner = re.search(r"[a-z][A-Z]|[A-Z]{2}|\d|[/_@#+.]", piece) is not None
    starts = not text[:start].strip(" ,`'\"") or text[:start].rstrip()[-1:] in ".!?"
    foreign = language in ("zh", "ja", "ko", "th") or (language == "ru" and piece.isascii())
    name = inner or foreign or (piece[0].isupper() and not starts and language != "de")
    name = name or compiled(_CALLED).search(text[max(0, start - 40) : start]) is not None
    if foreign or (not plain and "-" not in piece):
        yield low, name
        return
    parts = low.split("-") if "-" in low and len(low) > 6 else [low]
    if (
        len(parts) == 2
        and len(parts[0]) <= 5
        and parts[0] in ("front", "back", "co", "pre", "sub", "multi", "non", "e")
    ):
        parts = ["".join(parts)]
    for part in parts:
        if part and part not in stop:
            yield stem(part, language), name


_PARTICLES = r"(?:에서는|에서|으로는|으로|에게|까지|부터|처럼|마다|이나|라는|이라는|에는|에도|은|는|이|가|을|를|에|로|와|과|도|만|의|나)$"
_ENDINGS = r"(?:해야\s?(?:합니다|해요|한다)?|하십시오|하세요|해주세요|해|하기|하지|하는|하고|하여|합니다|한다|했습니다|할|하|됩니다|된다|되는|된|되|입니다|이다|습니다|ㅂ니다|으세요|세요|십시오|어야|아야|지|고|기|는|다|어|아)$"


_AUXILIARY = (
    r"(?:해 ?)?(?:주|마|십|시)?(?:세요|십시오|시오|시기 바랍니다)|말고|(?:씁|사용합)니다|써요?|쓰(?:기|세요|지)"
)


def _hangul(piece: str, stop: frozenset[str]) -> str:
    word = piece
    if word in stop:
        return ""
    bare = compiled(_ENDINGS).sub("", word) or word
    bare = compiled(_PARTICLES).sub("", bare) if len(bare) > 1 else bare
    bare = bare if (bare and bare != word) or len(word) < 2 else word
    if bare in stop or compiled(_AUXILIARY).fullmatch(word):
        return ""
    return stem(bare, "ko")


_OKURIGANA = (
    r"^[ぁ-ん]{0,3}?(?:ないでください|ないで|なければ|ないこと|ない|ません|ましょう|ました|ます|でください|てください|ください|していました|しています|してい|"
    r"です|でした|する|して|した|しない|され(?:た|る)|れる|られる|ること|こと|るように|ように|とき|たら|なら|って|いて|んで)+"
)
_KANA_STOP = (
    r"ください|おねがいします|します|しません|いつも|かならず|すべて|すべての|ずっと|これから|それ|これ|あれ|その|この|あの|ように|ために|として|について|における|"
    r"では|には|とは|から|まで|より|だけ|など|ので|です|ます|する|して|した|しない|こと|もの|とき|ある|いる|なる|[をがはにでともへのやかねよ]"
)


def _hiragana(piece: str) -> str:
    rest = compiled(_KANA_STOP).sub(" ", compiled(_OKURIGANA).sub("", piece))
    longest = max(rest.split(), key=len, default="")
    longest = re.sub(r"(?:ない|ません|ます|る|て|た|い|う|く|き|し|め|す)$", "", longest)
    return longest if len(longest) >= 2 else ""


@lru_cache(maxsize=16)
def _vocabulary(language: str) -> re.Pattern[str]:
    wording = WORDINGS[language]
    known = {*wording.stop, *wording.same, *wording.same.values()}
    return re.compile("|".join(re.escape(word) for word in sorted(known, key=lambda word: (-len(word), word))))


def _segmented(run: str, language: str, *, single: bool) -> Iterator[str]:
    """Cut a run of a script without blanks at the words that are known; what is left are words of their own."""
    wording = WORDINGS[language]
    at = 0
    for found in [*_vocabulary(language).finditer(run), None]:
        gap = run[at : found.start() if found else len(run)]
        if gap:
            yield from gap if single else [gap]
        if found:
            at = found.end()
            if found.group() not in wording.stop:
                yield wording.same.get(found.group(), found.group())
