"""What a person or an agent does with a sentence: approve, ask, request, propose, report what somebody else says.

Each table lists forms of English, German, French, Spanish, Italian, Portuguese, Russian, Chinese, Japanese, Korean and
Thai. A sentence that none of them fits is a plain statement.
"""

from __future__ import annotations

import re

from slowwave.text import fold_space

MOST_WORDS_OF_APPROVAL = 9
MOST_WORDS_OF_A_CHOICE = 3


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


_APPROVES = _listed(
    """
    ok okay k yes yep yup yeah sure fine good great perfect nice cool right correct agree agreed exactly absolutely
    definitely lgtm approved excellent awesome alright deal works sounds looks love
    ja jap jo genau passt gut prima super klar gerne einverstanden perfekt stimmt richtig
    oui d'accord daccord parfait vas-y entendu si sí vale bueno perfecto claro dale correcto adelante
    va perfetto certo esatto d'accordo sim pode perfeito isso beleza combinado ótimo
    да хорошо ок отлично давай согласен согласна верно годится
    """
)
_FILLERS = _listed(
    """
    a it that this the them so do go ahead with please thanks thank you to me for now just let's lets one first second
    third option then too of course by all means very much is idea plan way all and i i'm am with
    bitte mach machen wir das so danke dann es in ordnung ich bin mit der idee
    bien allez exact merci ça marche pour moi on fait comme c'est
    de acuerdo gracias hazlo así está bien va bene grazie facciamo così bom obrigado pode ser faz assim
    пожалуйста спасибо так
    """
)
_APPROVES_WIDE = re.compile(
    r"^(?:好的?|可以|行|没问题|沒問題|同意|对|對|是的?|嗯|就这样|はい|ええ|いい(?:です)?ね?|オーケー|OK"
    r"|お願いします|それで|了解|大丈夫|賛成|네|예|좋아요?"
    r"|좋습니다|그래요?|알겠습니다|맞아요?|ครับ|ค่ะ|ได้|โอเค|ดี|ตกลง|เห็นด้วย|ใช่)"
)
_REFUSES = re.compile(
    r"\b(?:no|not|don'?t|never|nope|wait|but|instead|stop|nein|nicht|kein|warte|aber|non|pas|attends|mais|espera|pero"
    r"|nao|não|mas|aspetta|ma|нет|не|подожди|но)\b|不|别|別|等|但|いいえ|ない|だめ|待|でも|아니|안|말"
    r"|하지만|ไม่|อย่า|รอ|แต่",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"[?？]\s*$|吗[。.]?$|呢[。.]?$|ですか[。.]?$|ますか[。.]?$|까요?[.]?$|나요[.]?$|ไหม|หรือเปล่า"
    r"|^(?:what|why|how|who|where|when) (?:is|are|was|were|did|do|does|can|could|should|would|will|has|have|if)\b"
    r"|^(?:warum|wie|wer|wo) (?:ist|sind|war|hat|haben|kann|soll)\b|^(?:pourquoi|comment|est-ce)\b"
    r"|^(?:por qué|cómo|perché|come mai|por que|почему|зачем)\b",
    re.IGNORECASE,
)
_ASKS_FOR = re.compile(
    r"^(?:can|could|would|will) (?:you|we)\b|\bplease\b|^(?:kannst|könntest|würdest) du|\bbitte\b"
    r"|^(?:peux|pourrais)-tu"
    r"|s'il te pla[iî]t|^(?:puedes|podrías)\b|por favor|^(?:puoi|potresti)\b|per favore|пожалуйста|请|請"
    r"|ください|주세요|ช่วย|กรุณา",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"\bplease\b|^(?:can|could|would|will) (?:you|we)\b"
    r"|^(?:let'?s|i want|i(?:'d| would) like|we should|you should|make sure"
    r"|keep|use|put|make|add|store|save|move|write|build|create|set|switch|change|turn|replace|rename"
    r"|implement|run|do"
    r"|have|let|try|go|serve|send|host|deploy|cache|log|render|show|sort|split|encrypt|compress|migrate)\b"
    r"|\bbitte\b|\bs'il te pla[iî]t|por favor|per favore|пожалуйста|请|請|ください|주세요|ช่วย|กรุณา|ให้",
    re.IGNORECASE,
)
_PROPOSES = re.compile(
    r"[?？]\s*$"
    r"|\b(?:i(?:'d| would)? (?:suggest|propose|recommend|prefer)|i(?:'d| would)\b|i(?:'ll| will)\b|we(?:'ll| will)\b"
    r"|i(?:'m| am) going to|let(?:'s| us)|shall (?:i|we)|should (?:i|we)|how about|what about|we (?:could|should|can)"
    r"|my (?:plan|proposal|suggestion|recommendation)|(?:plan|proposal|suggestion|option \w+)\s*:"
    r"|do you want|would you like"
    r"|i think we|i plan to|it (?:would|might) be (?:better|best|good)|want me to|understood\s*:|from now on i"
    r"|ich (?:schlage|würde|werde|empfehle)|soll(?:en)? (?:ich|wir)|wir (?:könnten|sollten)"
    r"|mein vorschlag|vorschlag:|lass uns"
    r"|je (?:propose|suggère|recommande|vais)|on pourrait|devrais-je|propon(?:go|e|ho)|sugiero|recomiendo|voy a"
    r"|podríamos|deberíamos|suger(?:ir|o)|recomendo|podemos|vou|potremmo|dovrei|suggerisco"
    r"|предлагаю|давай(?:те)?|можем|стоит ли)\b"
    r"|建议|建議|我们可以|我们来|要不要|我会|我来|提案|しましょう|はどうでしょう|ましょうか|제안|할까요"
    r"|하겠습니다|하죠|ขอเสนอ|แนะนำ|ดีไหม",
    re.IGNORECASE,
)
_REPORTS = re.compile(
    r"\b(?:says?|said|states?|stated|reads?|tells?|told|instructs?|instructed|asks?|asked|mentions?|mentioned|claims?"
    r"|contains?|contained|according to|per the|printed|prints|reported|reports|demands?|wants?"
    r"|requires?|found (?:a|the|this)"
    r"|(?:there is|there was|i see|i found) (?:a|an|the)?\s*(?:note|comment|line|instruction|rule|message)"
    r"|steht|sagt|laut|gemäß|verlangt|schreibt|heißt es|dit|disent|selon|d'après|demande|indique|affiche"
    r"|dice|según|pide|indica|muestra|diz|segundo|secondo|говорит|написано|сказано|согласно|требует)\b"
    r"|写着|寫著|说|說|根据|根據|要求|提示|显示|と書|によると|とある|と表示|라고|에 따르면|적혀|บอกว่า"
    r"|ระบุ|เขียนว่า|ตามที่",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:that|this|it|so|those|these|the same|like (?:this|that)|such|again|das|dies|so|dabei|ça|cela"
    r"|comme ça|eso|esto"
    r"|así|questo|così|isso|assim|это|так)\b|这|那|这样|それ|これ|そう|그|이렇게|그렇게|อันนี้|แบบนี้|นั้น",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])[\"')\]]*\s+|(?<=[。！？])|\n+")
_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,2}[.)])\s+")
_QUOTED = re.compile(r"\"[^\"]{3,}\"|“[^”]{3,}”|„[^“]{3,}“|«[^»]{3,}»|「[^」]{3,}」|^\s*>.*$", re.MULTILINE)


def sentences(text: str) -> tuple[str, ...]:
    """A text's sentences and lines, those that are not empty."""
    return tuple(sentence.strip() for sentence in _SENTENCE.split(text) if sentence.strip())


def is_approval(text: str) -> bool:
    """Whether a typed message does nothing but approve ("ok, do that")."""
    folded = fold_space(text).strip(" .!,;:。！、，👍✅")
    if folded in ("", "👍", "+1", "y"):
        return text.strip() in ("👍", "+1", "✅", "y")
    if _QUESTION.search(fold_space(text)) or _REFUSES.search(folded):
        return False
    if _APPROVES_WIDE.match(folded):
        return len(folded) <= 16
    words = re.findall(r"[^\s,.;:!]+", folded.casefold())
    if len(words) > MOST_WORDS_OF_APPROVAL or not _APPROVES.intersection(words):
        return words == ["go", "ahead"] or words == ["go"]
    rest = [word for word in words if word not in _APPROVES and word not in _FILLERS and not word.isdigit()]
    return not rest or (words[0] in _APPROVES and len(rest) <= MOST_WORDS_OF_A_CHOICE)


def is_question(sentence: str) -> bool:
    """Whether a sentence asks to be told something, and does not ask for something to be done."""
    folded = fold_space(sentence)
    return _QUESTION.search(folded) is not None and not _ASKS_FOR.search(folded)


def is_request(text: str) -> bool:
    """Whether a text asks for something to be done rather than saying how things are."""
    return any(_REQUEST.search(fold_space(sentence)) for sentence in sentences(text))


def points_back(text: str) -> bool:
    """Whether a text means something that was said before it ("do it like that again")."""
    return _POINTS_BACK.search(text) is not None


def own_proposals(text: str) -> str:
    """The part of an agent's text in which it proposes something itself: no report of what a file, a page or a tool
    says, nothing in quotation marks. Bullets belong to the sentence that introduces them."""
    kept: list[str] = []
    introduced = False
    for line in _QUOTED.sub(" ", text).split("\n"):
        bullet = _BULLET.match(line) is not None
        for sentence in sentences(line):
            proposes = _PROPOSES.search(sentence) is not None or (bullet and introduced)
            if proposes and not _REPORTS.search(sentence):
                kept.append(sentence)
            if not bullet:
                introduced = proposes and sentence.rstrip().endswith((":", "\uff1a"))
    return "\n".join(kept)


def without_questions(text: str) -> str:
    """A typed text less the sentences that only ask."""
    return " ".join(sentence for sentence in sentences(text) if not is_question(sentence))


_DOCUMENT = (
    r"readme|page|docs?|documentation|file|comments?|logs?|error|message|output|web ?site|article|issue|ticket|guide"
    r"|banner|script|manual|changelog|wiki|blog|post|seite|datei|doku\w*|kommentar|meldung|ausgabe|anleitung|fichier"
    r"|documentation|commentaire|sortie|guía|página|archivo|documentación|comentario|salida|documentação|pagina|file"
)
_SAYS = (
    r"says?|said|states?|claims?|tells?|told|asks?|wants?|demands?|instructs?|requires?|insists?|recommends?"
    r"|sagt|verlangt|schreibt|behauptet|will|dit|demande|exige|veut|prétend|dice|pide|exige|quiere|diz|pede|chiede|vuole"
)
_DOCUMENT_SAYS = re.compile(
    rf"\b(?:{_DOCUMENT})\b(?:(?!\b(?:that|which|who|to|must|should|shall|may|can|needs?|muss|soll|doit|debe)\b)[^.!?,;]){{0,30}}"
    rf"\b(?:{_SAYS})\b"
    r"|(?:文档|页面|文件|注释|輸出|输出|日志)[^。，]{0,8}(?:说|写|要求)|(?:ドキュメント|ページ|ファイル|コメント|出力)(?:に|は|が|では)[^。]{0,30}(?:と(?:書|あ|言)|要求)",
    re.IGNORECASE,
)
_ENDORSED = re.compile(
    r"^\W*(?:as|like|since|because|wie|weil|comme|como|come)\b"
    r"|\b(?:so|therefore|hence|please|let'?s|do that|follow|also|deshalb|bitte|donc|alors|por eso|así que|quindi)\b",
    re.IGNORECASE,
)


def tells_what_a_document_says(sentence: str) -> bool:
    """Whether a typed sentence only reports what a file, a page or an output says, without asking for the same."""
    return _DOCUMENT_SAYS.search(sentence) is not None and _ENDORSED.search(sentence) is None


def says_of_others(text: str) -> bool:
    """Whether a text reports what something else says."""
    return _REPORTS.search(text) is not None


_CHANGED = re.compile(
    r"\b(?:replac\w+|instead|no longer|not any ?more|switch\w*|migrat\w+|mov(?:e|ed|ing) (?:to|from|away)"
    r"|now|dropped|gone|both"
    r"|retired|superseded|obsolete|deprecated|renamed|changed?|from now on"
    r"|ersetz\w+|statt|nicht mehr|umgestellt|gewechselt|jetzt|beide|abgelöst"
    r"|remplac\w+|au lieu|ne \w+ plus|désormais|maintenant|reempla\w+|sustitu\w+|en vez|ya no|ahora"
    r"|sostitu\w+|invece|ora|substitu\w+|em vez|agora|замен\w+|вместо|больше не|теперь)\b"
    r"|取代|替换|替換|代替|改用|不再|现在|置き換え|代わり|もう|変更|교체|대신|이제|변경|แทน|เปลี่ยน|เลิก",
    re.IGNORECASE,
)


def says_it_changed(text: str) -> bool:
    """Whether a text says that something takes another's place or has ended."""
    return _CHANGED.search(text) is not None
