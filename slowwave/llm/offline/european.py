"""German, French and Spanish cues for directives and decisions."""

from __future__ import annotations

from slowwave.llm.offline.rules import Lexicon, rule, words
from slowwave.storage.types import MemoryKind

_PREFER = MemoryKind.PREFERENCE
_BOUND = MemoryKind.CONSTRAINT
_DECIDE = MemoryKind.DECISION

_DE_DO = (
    r"(?:verwend|benutz|nutz|nimm|schreib|lauf|führ|mach|antwort|test|commit|push|prüf|füg|halt|leg|erstell|lass|start|"
    r"bau|lösch|änder|frag|installier|nenn|setz)\w*"
)

GERMAN = Lexicon(
    rules=(
        rule(
            _PREFER,
            r"\b(?:ab (?:jetzt|sofort)|künftig|zukünftig|in zukunft|von nun an|(?:beim )?nächste(?:s|n) mal)\b",
            cut=True,
        ),
        rule(
            _PREFER,
            rf"^(?:bitte )?(?:{_DE_DO}\b.*\b)?(?:immer|nie|niemals|grundsätzlich|ausschließlich) \w+",
            rf"^(?:bitte )?{_DE_DO}\b.+\b(?:statt|anstatt|anstelle|(?:und )?nicht) \w+",
            r"\bich (?:bevorzuge|mag (?:keine?|lieber)|hasse|will (?:keine?|immer|nie)|hätte lieber)\b",
            r"\b(?:merk dir|denk (?:immer )?daran)\b[:,]?\s*.{8,}",
            r"\b(?:antworte|schreib\w*)\b.*\bauf (?:deutsch|englisch)\b",
        ),
        rule(
            _PREFER,
            r"\b(?:wir|du|ihr|man) (?:\w+ ){0,2}(?:immer|nie|niemals|grundsätzlich|ausschließlich) \w+",
            general=True,
        ),
        rule(
            _BOUND,
            r"\b(?:muss|müssen|soll|sollen|sollte|sollten|darf|dürfen) (?:\w+ ){0,4}(?:immer|nie|niemals|nicht|keine?n?)\b",
            r"^(?:bitte )?(?:keine?|niemals) \w+.*",
            general=True,
        ),
    ),
    decisions=(
        rule(
            _DECIDE,
            r"\b(?:wir (?:nehmen|verwenden|nutzen|benutzen|bleiben bei)|lass(?:t)? uns)\b.+"
            r"\b(?:weil|da|damit|statt|anstatt)\b",
            cut=True,
        ),
        rule(
            _DECIDE,
            r"\b(?:wir haben|ich habe) (?:(?:[\w-]+ ){2,8}(?:beschlossen|entschieden|geeinigt)\b"
            r"|(?:uns |mich )?(?:beschlossen|entschieden|geeinigt)\b.{8,})",
        ),
    ),
    veto=words(
        r"\b(?:diesmal|vorerst|erst\s?mal|noch nicht|jetzt nicht|gerade|heute|morgen|immer noch|noch immer|wie immer)\b",
        r"\b(?:schlägt immer|immer wieder|vielleicht|keine (?:ahnung|sorge)|weiß nicht)\b",
    ),
    dangling=words(
        r"^(?:das|dies|es|die|der) (?:ist|sind|war|geht|hier)\b",
        r"\bdiese[rsnm]? (?:datei|funktion|test|branch|commit|fehler|änderung|zeile|aufgabe|stelle)\b",
        r"\b(?:das|es|so)[.!]?$",
    ),
    general=words(
        r"\b(?:immer|nie|niemals|alle|jede[rsnm]?|keine?[nr]?|weil|sonst|ohne|grundsätzlich|bevor|produktion|wir)\b"
    ),
    lead=words(r"(?:ok(?:ay)?|ja|nein|gut|super|danke|also|und|aber|übrigens|außerdem|nee|halt|moment)\s*[,.:;!–-]* "),
    question=words(r"\?\s*$", r"^(?:warum|wie|was|wo|wer|welche[rs]?)\b"),
    situation=words(r"(?P<when>(?:wenn|bevor|nachdem|vor jedem|beim|bei jedem)\b[^,]{2,60}), "),
)

FRENCH = Lexicon(
    rules=(
        rule(_PREFER, r"\b(?:désormais|dorénavant|à l['’]avenir|la prochaine fois|à partir de maintenant)\b", cut=True),
        rule(_PREFER, r"\b(?:je|nous|on) préf[èé]r\w+\b", cut=True),
        rule(
            _PREFER,
            r"^(?:s['’]il (?:te|vous) pla[iî]t,? )?(?:\w+(?:e|es|ez|s|is) toujours|toujours \w+(?:er|ir|re))\b",
            r"^(?:s['’]il (?:te|vous) pla[iî]t,? )?(?:ne (?:\w+ )?jamais|n['’]\w+ jamais|ne \w+ (?:jamais|plus jamais))\b",
            r"\b(?:utilise[rz]?|emploie|employez|écri[st]|écrivez|prends|prenez|lance[rz]?)\b.+"
            r"(?:\bplutôt que\b|\bau lieu d|,? (?:et )?(?:pas|non) \w+)",
            r"\bréponds?(?:ez)?\b.*\ben (?:français|anglais)\b",
        ),
        rule(_PREFER, r"\bje (?:n['’]aime pas|déteste|ne veux (?:pas|jamais|plus))\b", general=True),
        rule(
            _BOUND,
            r"\b(?:il faut|on doit|tu dois|vous devez) (?:toujours|absolument)\b",
            r"\bil ne faut (?:jamais|surtout pas)\b",
        ),
        rule(
            _BOUND,
            r"^n['’](?:utilise|ajoute|écri|invente|oublie)\w* pas\b|^ne \w+ pas\b|^évite[rz]?\b",
            general=True,
        ),
    ),
    decisions=(
        rule(
            _DECIDE,
            r"\b(?:on|nous) (?:prend|utilise|garde|part sur|choisit|prenons|utilisons|gardons|choisissons)\b.+"
            r"\b(?:parce qu|car|plutôt que|au lieu d|pour que|afin)",
            r"\b(?:on a|nous avons|j['’]ai) (?:décidé|choisi|convenu)\b.{8,}",
            cut=True,
        ),
    ),
    veto=words(
        r"\b(?:pour l['’]instant|cette fois|pas encore|pour le moment|aujourd['’]hui|demain|peut-être)\b",
        r"\btoujours (?:pas|le même|la même|en échec)\b|\bn['’]a jamais\b|\béchoue toujours\b|\bje ne sais pas\b",
    ),
    dangling=words(
        r"^(?:ça|cela|ceci|c['’]est|il|elle) (?!faut|ne faut)",
        r"\b(?:ce|cet|cette|ces) (?:fichier|fonction|test|branche|commit|erreur|ligne|tâche|endroit)\b",
        r"\b(?:ça|cela|le|la)[.!]?$",
    ),
    general=words(
        r"\b(?:toujours|jamais|tous|toutes|chaque|aucune?|parce|car|sinon|sans|avant chaque|production|plutôt|au lieu)\b"
    ),
    lead=words(r"(?:ok|oui|non|d['’]accord|bien|merci|alors|et|mais|aussi|au fait|en plus|attends?)\s*[,.:;!–-]* "),
    question=words(r"\?\s*$", r"^(?:pourquoi|comment|quel(?:le)?s?|où|qui|est-ce)\b"),
    situation=words(
        r"(?P<when>(?:quand|lorsque|avant (?:de|chaque)|après|à chaque fois que)\b[^,]{2,60}), ",
    ),
)

SPANISH = Lexicon(
    rules=(
        rule(
            _PREFER,
            r"\b(?:a partir de ahora|de ahora en adelante|la próxima vez|en el futuro|en adelante)\b",
            r"\b(?:prefiero|preferimos)\b",
            cut=True,
        ),
        rule(
            _PREFER,
            r"^(?:por favor,? )?(?:siempre \w+(?:a|e|ar|er|ir)|nunca \w+(?:as|es|ar|er|ir)|jamás \w+|\w+(?:a|e) siempre|"
            r"no \w+ nunca)\b",
            r"\b(?:usa|usar|utiliza|utilizar|escribe|ejecuta|usemos)\b.+(?:\ben (?:vez|lugar) de\b|,? (?:y )?no \w+)",
            r"\b(?:recuerda|acuérdate de) que\b.{8,}",
            r"\b(?:responde|contesta|escribe)\b.*\ben (?:español|inglés)\b",
        ),
        rule(
            _BOUND,
            r"\b(?:hay que|debes|debemos|tienes que) (?:siempre )?\w+",
            r"^(?:por favor,? )?(?:no \w+(?:as|es)|evita(?:r)?)\b",
            general=True,
        ),
    ),
    decisions=(
        rule(
            _DECIDE,
            r"\b(?:vamos a (?:usar|mantener)|usaremos|usamos|nos quedamos con)\b.+"
            r"\b(?:porque|ya que|en (?:vez|lugar) de|para que)\b",
            r"\b(?:hemos decidido|decidimos|he decidido|acordamos)\b.{8,}",
            cut=True,
        ),
    ),
    veto=words(
        r"\b(?:por ahora|esta vez|todavía no|aún no|de momento|hoy|mañana|como siempre|quizás?|tal vez|no sé)\b",
        r"\b(?:nunca había|siempre falla|falla siempre)\b",
    ),
    dangling=words(
        r"^(?:eso|esto|es|ese|esta) ",
        r"\b(?:este|esta|ese|esa|estos|estas) (?:archivo|función|test|prueba|rama|commit|error|línea|tarea|cambio)\b",
        r"\b(?:eso|esto|así)[.!]?$",
    ),
    general=words(
        r"\b(?:siempre|nunca|jamás|todos|todas|cada|ningún|ninguna|porque|si no|sin|antes de|producción|en (?:vez|lugar))\b"
    ),
    lead=words(r"(?:ok|sí|si|no|vale|bien|gracias|entonces|y|pero|además|por cierto|espera)\s*[,.:;!–-]+ "),
    question=words(r"\?\s*$", r"^¿", r"^(?:por qué|cómo|qué|dónde|quién|cuál)\b"),
    situation=words(r"(?P<when>(?:cuando|antes de|después de|cada vez que)\b[^,]{2,60}), "),
)
