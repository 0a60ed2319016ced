"""German, French and Spanish cues for directives and decisions."""

from __future__ import annotations

from slowwave.llm.offline.rules import Lexicon, rule, words
from storage.types import MemoryKind

_PREFER = MemoryKind.PREFERENCE
_BOUND = MemoryKind.CONSTRAINT
_DECIDE = MemoryKind.DECISION

_DE_DO = (
    r"(?:verwend|benutz|nutz|nimm|schreib|lauf|führ|mach|antwort|test|commit|push|prüf|füg"
    r"|halt|leg|erstell|lass|start|bau|lösch|änder|frag|installier|nenn|setz)\w*"
)

GERMAN = Lexicon(
    rules=(
        rule(
            r"\b(?:ab\s+(?:jetzt|sofort)|künftig|zukünftig|in\s+zukunft|von\s+nun\s+an"
            r"|nächstes\s+mal|beim\s+nächsten\s+mal)\b",
            _PREFER,
            cut=True,
        ),
        rule(rf"^(?:bitte\s+)?(?:{_DE_DO}\b.*\b)?(?:immer|nie|niemals|grundsätzlich|ausschließlich)\s+\w+", _PREFER),
        rule(
            r"\b(?:wir|du|ihr|es|man)\s+(?:\w+\s+){0,2}(?:immer|nie|niemals|grundsätzlich|ausschließlich)\s+\w+",
            _PREFER,
            general=True,
        ),
        rule(
            r"\b(?:muss|müssen|soll|sollen|sollte|sollten|darf|dürfen)\s+(?:\w+\s+){0,4}(?:immer|nie"
            r"|niemals|nicht|keine?n?)\b",
            _BOUND,
            general=True,
        ),
        rule(rf"^(?:bitte\s+)?{_DE_DO}\b.+\b(?:statt|anstatt|anstelle|(?:und\s+)?nicht)\s+\w+", _PREFER),
        rule(
            r"\bich\s+(?:bevorzuge|mag\s+(?:keine?|lieber)|hasse|will\s+(?:keine?|immer|nie)"
            r"|hätte\s+lieber)\b",
            _PREFER,
        ),
        rule(r"\b(?:merk\s+dir|denk\s+(?:immer\s+)?daran)\b[:,]?\s*.{8,}", _PREFER),
        rule(r"^(?:bitte\s+)?(?:keine?|niemals)\s+\w+.*", _BOUND, general=True),
        rule(r"\b(?:antworte|schreib\w*)\b.*\bauf\s+(?:deutsch|englisch)\b", _PREFER),
    ),
    decisions=(
        rule(
            r"\b(?:wir\s+(?:nehmen|verwenden|nutzen|benutzen|bleiben\s+bei)"
            r"|lass(?:t)?\s+uns)\b.+\b(?:weil|da|damit|statt|anstatt)\b",
            _DECIDE,
            cut=True,
        ),
        rule(
            r"\b(?:wir\s+haben|ich\s+habe)\s+(?:(?:[\w-]+\s+){2,8}(?:beschlossen|entschieden|geeinigt)\b"
            r"|(?:uns\s+|mich\s+)?(?:beschlossen|entschieden|geeinigt)\b.{8,})",
            _DECIDE,
        ),
    ),
    veto=words(
        r"\b(?:diesmal|vorerst|erst\s?mal|noch\s+nicht|jetzt\s+nicht|gerade|heute|morgen"
        r"|immer\s+noch|noch\s+immer|wie\s+immer|schlägt\s+immer|immer\s+wieder|vielleicht"
        r"|keine\s+(?:ahnung|sorge)|weiß\s+nicht)\b"
    ),
    dangling=words(
        r"^(?:das|dies|es|die|der)\s+(?:ist|sind|war|geht|hier)\b|\b(?:diese[rsnm]?)\s+(?:datei"
        r"|funktion|test|branch|commit|fehler|änderung|zeile|aufgabe|stelle)\b|\b(?:das|es"
        r"|so)[.!]?$"
    ),
    general=words(
        r"\b(?:immer|nie|niemals|alle|jede[rsnm]?|keine?[nr]?|weil|sonst|ohne|grundsätzlich"
        r"|bevor|produktion|vor\s+jedem|wir)\b"
    ),
    lead=words(
        r"(?:ok(?:ay)?|ja|nein|gut|super|danke|also|und|aber|übrigens|außerdem|nee|halt|moment)\s*[,.:;!–-]*\s+"
    ),
    question=words(r"\?\s*$|^(?:warum|wie|was|wo|wer|welche[rs]?)\b"),
    situation=words(r"(?P<when>(?:wenn|bevor|nachdem|vor\s+jedem|beim|bei\s+jedem)\b[^,]{2,60}),\s"),
)

FRENCH = Lexicon(
    rules=(
        rule(
            r"\b(?:désormais|dorénavant|à\s+l['’]avenir|la\s+prochaine\s+fois|à\s+partir\s+de\s+maintenant)\b",
            _PREFER,
            cut=True,
        ),
        rule(
            r"^(?:s['’]il\s+(?:te|vous)\s+pla[iî]t,?\s+)?(?:\w+(?:e|es|ez|s|is)\s+toujours"
            r"|toujours\s+\w+(?:er|ir|re)|ne\s+(?:\w+\s+)?jamais|n['’]\w+\s+jamais"
            r"|ne\s+\w+\s+(?:jamais|plus\s+jamais))\b",
            _PREFER,
        ),
        rule(
            r"\b(?:il\s+faut|on\s+doit|tu\s+dois|vous\s+devez)\s+(?:toujours|absolument)\b"
            r"|\bil\s+ne\s+faut\s+(?:jamais|surtout\s+pas)\b",
            _BOUND,
        ),
        rule(
            r"\b(?:utilise[rz]?|emploie|employez|écri[st]|écrivez|prends|prenez"
            r"|lance[rz]?)\b.+(?:\bplutôt\s+que\b|\bau\s+lieu\s+d|,?\s+(?:et\s+)?(?:pas|non)\s+\w+)",
            _PREFER,
        ),
        rule(r"\b(?:je|nous|on)\s+préf[èé]r\w+\b", _PREFER, cut=True),
        rule(r"\bje\s+(?:n['’]aime\s+pas|déteste|ne\s+veux\s+(?:pas|jamais|plus))\b", _PREFER, general=True),
        rule(
            r"^n['’](?:utilise|ajoute|écri|invente|oublie)\w*\s+pas\b|^ne\s+\w+\s+pas\b|^évite[rz]?\b",
            _BOUND,
            general=True,
        ),
        rule(r"\bréponds?(?:ez)?\b.*\ben\s+(?:français|anglais)\b", _PREFER),
    ),
    decisions=(
        rule(
            r"\b(?:on|nous)\s+(?:prend|utilise|garde|part\s+sur|choisit|prenons|utilisons|gardons"
            r"|choisissons)\b.+\b(?:parce\s+qu|car|plutôt\s+que|au\s+lieu\s+d|pour\s+que|afin)",
            _DECIDE,
            cut=True,
        ),
        rule(r"\b(?:on\s+a|nous\s+avons|j['’]ai)\s+(?:décidé|choisi|convenu)\b.{8,}", _DECIDE, cut=True),
    ),
    veto=words(
        r"\b(?:pour\s+l['’]instant|cette\s+fois|pas\s+encore|pour\s+le\s+moment|aujourd['’]hui"
        r"|demain|toujours\s+(?:pas|le\s+même|la\s+même|en\s+échec)|n['’]a\s+jamais"
        r"|échoue\s+toujours|peut-être|je\s+ne\s+sais\s+pas)\b"
    ),
    dangling=words(
        r"^(?:ça|cela|ceci|c['’]est|il|elle)\s+(?!faut|ne\s+faut)|\b(?:ce|cet|cette"
        r"|ces)\s+(?:fichier|fonction|test|branche|commit|erreur|ligne|tâche|endroit)\b|\b(?:ça"
        r"|cela|le|la)[.!]?$"
    ),
    general=words(
        r"\b(?:toujours|jamais|tous|toutes|chaque|aucune?|parce|car|sinon|sans|avant\s+chaque"
        r"|production|plutôt|au\s+lieu)\b"
    ),
    lead=words(
        r"(?:ok|oui|non|d['’]accord|bien|merci|alors|et|mais|aussi|au\s+fait|en\s+plus|attends?)\s*[,.:;!–-]*\s+"
    ),
    question=words(r"\?\s*$|^(?:pourquoi|comment|quel(?:le)?s?|où|qui|est-ce)\b"),
    situation=words(r"(?P<when>(?:quand|lorsque|avant\s+(?:de|chaque)|après|à\s+chaque\s+fois\s+que)\b[^,]{2,60}),\s"),
)

SPANISH = Lexicon(
    rules=(
        rule(
            r"\b(?:a\s+partir\s+de\s+ahora|de\s+ahora\s+en\s+adelante|la\s+próxima\s+vez"
            r"|en\s+el\s+futuro|en\s+adelante)\b",
            _PREFER,
            cut=True,
        ),
        rule(
            r"^(?:por\s+favor,?\s+)?(?:siempre\s+\w+(?:a|e|ar|er|ir)|nunca\s+\w+(?:as|es|ar|er|ir)"
            r"|jamás\s+\w+|\w+(?:a|e)\s+siempre|no\s+\w+\s+nunca)\b",
            _PREFER,
        ),
        rule(r"\b(?:hay\s+que|debes|debemos|tienes\s+que)\s+(?:siempre\s+)?\w+", _BOUND, general=True),
        rule(
            r"\b(?:usa|usar|utiliza|utilizar|escribe|ejecuta|usemos)\b.+(?:\ben\s+(?:vez"
            r"|lugar)\s+de\b|,?\s+(?:y\s+)?no\s+\w+)",
            _PREFER,
        ),
        rule(r"\b(?:prefiero|preferimos|prefiere)\b", _PREFER, cut=True),
        rule(r"\b(?:recuerda|acuérdate\s+de)\s+que\b.{8,}", _PREFER),
        rule(r"^(?:por\s+favor,?\s+)?(?:no\s+\w+(?:as|es)|evita(?:r)?)\b", _BOUND, general=True),
        rule(r"\b(?:responde|contesta|escribe)\b.*\ben\s+(?:español|inglés)\b", _PREFER),
    ),
    decisions=(
        rule(
            r"\b(?:vamos\s+a\s+(?:usar|mantener)|usaremos|usamos"
            r"|nos\s+quedamos\s+con)\b.+\b(?:porque|ya\s+que|en\s+(?:vez|lugar)\s+de|para\s+que)\b",
            _DECIDE,
            cut=True,
        ),
        rule(r"\b(?:hemos\s+decidido|decidimos|he\s+decidido|acordamos)\b.{8,}", _DECIDE, cut=True),
    ),
    veto=words(
        r"\b(?:por\s+ahora|esta\s+vez|todavía\s+no|aún\s+no|de\s+momento|hoy|mañana"
        r"|como\s+siempre|nunca\s+había|siempre\s+falla|falla\s+siempre|quizás?|tal\s+vez"
        r"|no\s+sé)\b"
    ),
    dangling=words(
        r"^(?:eso|esto|es|ese|esta)\s|\b(?:este|esta|ese|esa|estos|estas)\s+(?:archivo|función"
        r"|test|prueba|rama|commit|error|línea|tarea|cambio)\b|\b(?:eso|esto|así)[.!]?$"
    ),
    general=words(
        r"\b(?:siempre|nunca|jamás|todos|todas|cada|ningún|ninguna|porque|si\s+no|sin|antes\s+de"
        r"|producción|en\s+vez|en\s+lugar)\b"
    ),
    lead=words(r"(?:ok|sí|si|no|vale|bien|gracias|entonces|y|pero|además|por\s+cierto|espera)\s*[,.:;!–-]+\s+"),
    question=words(r"\?\s*$|^¿|^(?:por\s+qué|cómo|qué|dónde|quién|cuál)\b"),
    situation=words(r"(?P<when>(?:cuando|antes\s+de|después\s+de|cada\s+vez\s+que)\b[^,]{2,60}),\s"),
)
