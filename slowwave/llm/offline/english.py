"""English cues for directives and decisions."""

from __future__ import annotations

from slowwave.llm.offline.rules import Lexicon, rule, words
from storage.types import MemoryKind

_PREFER = MemoryKind.PREFERENCE
_BOUND = MemoryKind.CONSTRAINT
_DECIDE = MemoryKind.DECISION

_ASK = r"(?:(?:can|could|would|will)\s+you\s+)?(?:please\s+)?"
_AUX = r"(?:must|should|shall|(?:need|have|has|ought)s?\s+to|are\s+to|is\s+to|may)"
_DO = (
    r"(?:use|run|write|add|put|keep|call|name|create|commit|push|deploy|install|update|check|test|format|lint|import|"
    r"export|log|print|mock|stub|skip|disable|edit|modify|touch|change|delete|remove|rename"
    r"|merge|rebase|squash|force|"
    r"ask|answer|reply|respond|explain|document|comment|include|assume|guess|start|stop|open"
    r"|read|leave|make|set|rely|"
    r"hard-?code|introduce|refactor|generate|return|raise|throw|catch|swallow|store|send|prefer|follow|go|do|"
    r"be|let|mention|apologi[sz]e|wrap|pin|bump|release|tag|sign|translate|speak|build|compile|handle|implement)"
)

RULES = (
    rule(rf"^{_ASK}always\s+(?!(?:the|a|an|this|it)\b)\w", _PREFER, asks=True),
    rule(rf"^{_ASK}never\s+(?!(?:the|a|an|this|it|mind|heard|seen)\b)\w", _BOUND, asks=True),
    rule(
        r"\b(?:from\s+now\s+on|from\s+here\s+on|going\s+forward|from\s+this\s+point\s+on|henceforth)\b",
        _PREFER,
        asks=True,
    ),
    rule(rf"^{_ASK}(?:next\s+time|in\s+(?:the\s+)?future)\b[,:]?\s", _PREFER, asks=True),
    rule(
        rf"\b{_DO}\b.*\b(?:next\s+time|in\s+(?:the\s+)?future(?:\s+(?:sessions?|runs?|work|changes))?)[.!]?$", _PREFER
    ),
    rule(rf"\b(?:you|we|agents?|everyone|they|it|[a-z]+s)\s+{_AUX}\s+(?:always|never|only)\b", _BOUND),
    rule(r"\bwe\s+(?:always|never|only)\s+\w+", _BOUND),
    rule(r"\bI\s+(?:always|never)\s+want\b", _PREFER),
    rule(
        r"\b(?:I|we)\s+(?:strongly\s+|really\s+|much\s+|generally\s+|usually\s+"
        r"|still\s+)?prefer\b(?!\s+not\s+to\s+say)",
        _PREFER,
        cut=True,
    ),
    rule(r"\b(?:I|we)(?:'d|\s+would)\s+(?:much\s+)?rather\b(?!.*\bwait\b)", _PREFER, cut=True),
    rule(r"^(?:please\s+)?prefer\s+\w+", _PREFER),
    rule(
        r"\b(?:I|we)\s+(?:really\s+)?(?:hate|dislike|don'?t\s+like|do\s+not\s+like"
        r"|can'?t\s+stand)\s+(?!to\s+(?:say|admit))",
        _PREFER,
        cut=True,
        general=True,
    ),
    rule(r"\bI\s+like\s+(?:my|short|concise|small|to\s+(?:keep|have|see))\b", _PREFER, cut=True),
    rule(
        r"\b(?:we|I)\s+(?:explicitly|definitely|really|absolutely|specifically)\s+(?:don'?t|do\s+not)\s+want\b",
        _BOUND,
        cut=True,
    ),
    rule(
        r"\b(?:we|I)\s+(?:don'?t|do\s+not)\s+(?:ever\s+)?want\s+(?:any|to\s+(?:ever|rely|depend)|you\s+to)\b",
        _BOUND,
        cut=True,
        general=True,
    ),
    rule(
        r"\b(?:we|I)\s+(?:don'?t|do\s+not)\s+(?:use|allow|support|mock|commit|ship|want)\s+\w+",
        _BOUND,
        cut=True,
        general=True,
    ),
    rule(
        r"\bwe\s+(?:use|write|run|deploy|name|format|lint|test|release"
        r"|version)\s+.+(?:\binstead\s+of\b|\brather\s+than\b|,?\s+not\s+\w+)",
        _PREFER,
        cut=True,
    ),
    rule(
        r"^(?:please\s+)?(?:use|write|run|call|import|name|pick|choose|go\s+with|switch\s+to"
        r"|install\s+with|put)\b.+?(?:\binstead\s+of\b|\brather\s+than\b|,\s+(?:and\s+)?(?:not"
        r"|never)\s+\w+|\s+not\s+\w+[.!]?$|\bover\s+\w+[.!]?$)",
        _PREFER,
    ),
    rule(
        r"^(?:please\s+)?(?:don'?t|do\s+not|never|stop|avoid)\s+us(?:e"
        r"|ing)\s+(?P<no>[\w@/.+-]+)[,;:]?\s+(?:but\s+)?(?:please\s+)?use\s+\w+",
        _PREFER,
    ),
    rule(
        r"^(?:please\s+)?only\s+(?:ever\s+)?(?:use|run|commit|push|touch|edit|write|add|import"
        r"|call|deploy|merge|release)\b",
        _BOUND,
    ),
    rule(rf"^(?:please\s+)?(?:don'?t|do\s+not)\s+(?:ever\s+)?{_DO}\b", _BOUND, general=True),
    rule(
        rf"\b(?:you|we)\s+(?:must\s+not|mustn'?t|should\s+not|shouldn'?t|may\s+not"
        rf"|are\s+not\s+(?:allowed|supposed)\s+to|can(?:not|'t))\s+(?:ever\s+)?{_DO}\b",
        _BOUND,
        general=True,
    ),
    rule(
        r"^(?:please\s+)?(?:stop|quit)\s+\w+ing\b(?!\s+(?:here|now|it|this|that|the\s+(?:server"
        r"|process|container|app))\b).*\w+\s+\w+",
        _PREFER,
    ),
    rule(r"^(?:please\s+)?avoid\s+(?:\w+ing\b|any\b|all\b|\w+\s+\w+)", _PREFER, general=False),
    rule(
        r"\b(?:all|every|each|no|any)\s+(?:[\w/.-]+\s+){1,5}?(?:must|should|need(?:s)?\s+to"
        r"|ha(?:s|ve)\s+to|(?:is|are)\s+(?:not\s+)?allowed)\b",
        _BOUND,
    ),
    rule(
        rf"^[\w\s,`'./-]{{3,60}}?\b(?:must|has\s+to|have\s+to|needs?\s+to)\s+(?:not\s+)?(?:{_DO}"
        rf"|stay|remain|work|pass|match|have)\b",
        _BOUND,
        general=True,
    ),
    rule(r"(?:^|\bwe\s+|those\s+that\s+|.*\s)must\s+(?:omit|not|never)\b", _BOUND, general=True),
    rule(r"\b(?:make|be)\s+sure\s+(?:that\s+|to\s+)?", _BOUND, general=True, cut=True),
    rule(
        r"^(?:after|before|when(?:ever)?|every\s+time|each\s+time|any\s+time|anytime"
        r"|on)\s+(?:you\s+|we\s+|each\s+|every\s+|any\s+|all\s+|an?\s+)?[\w-]+(?:ing|e"
        r"|s)?\b[^,]{0,80},\s+(?:please\s+|always\s+|first\s+|you\s+(?:should|must)\s+)?" + _DO + r"\b",
        _PREFER,
        general=True,
    ),
    rule(
        rf"^(?:please\s+)?(?:always\s+)?{_DO}\b.*\b(?:every\s+time|each\s+time|whenever|(?:before"
        rf"|after)\s+(?:every|each|any|committing|pushing|merging|deploying|releasing|opening"
        rf"|you\s+(?:commit|push|merge|deploy)))\b",
        _PREFER,
    ),
    rule(
        r"\b(?:as\s+a\s+rule|by\s+convention|our\s+(?:convention|rule|policy|standard)\s+is"
        r"|the\s+(?:convention|rule)\s+(?:here\s+)?is|by\s+default,?\s+(?:use|we|you|run))\b",
        _PREFER,
    ),
    rule(
        r"^(?:please\s+)?remember\s+(?:that\s+|to\s+(?:always|never)\s+"
        r"|:\s*)(?!(?:when\s+)?(?:we|you|I)\s+(?:talked|discussed|did|had|were))\w+",
        _PREFER,
    ),
    rule(
        r"\bI(?:'ve|\s+have)?\s+(?:noticed|told\s+you)\s+(?:that\s+)?(?:you(?:'re|\s+are"
        r"|\s+being|\s+keep|\s+always|\s+tend)\b|not\s+to\b|to\s+never\b)",
        _PREFER,
    ),
    rule(
        r"^(?:please\s+)?(?:answer|reply|respond|write|speak|talk)(?:\s+(?:to\s+me|comments?"
        r"|commit\s+messages?|docs))?\s+in\s+(?:english|german|french|spanish|chinese|japanese"
        r"|thai|korean|plain)\b",
        _PREFER,
    ),
)

_REASON = (
    r"(?:\bbecause\b|\bsince\b|\bso\s+(?:that\b|we\b|it\b|as\s+to\b)|\binstead\s+of\b"
    r"|\brather\s+than\b|\bas\s+(?:it|they|we)\b|\botherwise\b|\bdue\s+to\b"
    r"|\bover\s+\w+\s+(?:because|since)\b)"
)

DECISIONS = (
    rule(
        r"\b(?:let'?s|let\s+us|we'?ll|we\s+will|we\s+should|we'?re\s+going\s+to"
        r"|I\s+think\s+we\s+(?:want|should)|I\s+want(?:\s+us)?\s+to)\s+(?:just\s+)?"
        r"(?:use|go\s+with|switch\s+to|stick\s+(?:with|to)|move\s+to|keep|adopt|drop|avoid"
        r"|choose|pick|store|target|support|an?\s|have)\b.{3,}?" + _REASON,
        _DECIDE,
        cut=True,
    ),
    rule(
        r"\b(?:we|I|the\s+team)(?:'ve|\s+have)?\s+(?:decided|agreed|settled|chosen|chose"
        r"|opted)\s+(?:to|on|for|that|against)\b.{8,}",
        _DECIDE,
        cut=True,
    ),
    rule(r"^(?:the\s+)?decision\s*(?:is|:)\s*.{8,}", _DECIDE),
    rule(r"\bwe(?:'re|\s+are)\s+(?:using|going\s+with|sticking\s+with|dropping)\b.{3,}?" + _REASON, _DECIDE, cut=True),
    rule(r"^(?:use|go\s+with|pick|choose|keep|store)\b.{3,}?(?:\bbecause\b|\bsince\b|\bso\s+that\b)", _DECIDE),
)

ENGLISH = Lexicon(
    rules=RULES,
    decisions=DECISIONS,
    veto=words(
        r"""\b(?:for\s+now|right\s+now|just\s+now|at\s+the\s+moment|this\s+time|for\s+today|today|tomorrow|yesterday|
        until\s+(?:I|we|you|then|this|that)\b|not\s+yet|yet[.!]?$|temporarily|one[- ]off|just\s+this\s+once|quickly|
        never\s*mind|don'?t\s+(?:worry|know|think|see|understand|remember|forget|bother|have|need|care|mean|get)|
        do\s+not\s+(?:worry|know|think|see|understand|remember|bother)|
        (?:always|never)\s+(?:fails|failed|works|worked|gets|got|returns|returned|happens|happened|shows|ends|been
        |had|did|does|was|is|came|seems)|
        i'?m\s+not\s+sure|not\s+sure|maybe|perhaps|i\s+wonder|wondering|might\s+be|could\s+be
        |must\s+(?:be\s+(?:a|an|the|some|something|because)\b|have\s+(?:been|had|got|gone|\w+ed)\b)|
        would\s+(?:it|that|this)\s+be|what\s+if|kind\s+of\s+feel|i\s+guess|seems?\s+(?:like|to)|step\s+\d
        |phase\s+\d|option\s+\w\b)"""
    ),
    dangling=words(
        r"""^(?:it|this|that|they|these|those|he|she|there)\b(?!\s+(?:repo|repository|project|codebase|team
        |code\s+base|package|monorepo)\b)
        | \b(?:this|that|these|those|the\s+(?:above|below|following|current|new|old|first|second|third|last
        |other|same|latter|former|existing))\s+
          (?:one|ones|file|files|function|method|class|test|tests|pr|branch|commit|bug|error|errors|change
          |changes|line|lines|case|cases|time|way|stuff|thing|things|
          phase|version|step|task|feature|issue|approach|option|part|section|plan|image|patch|value|field
          |table|endpoint|page|button|message|component|variable|name|mockups?)\b
        | \b(?:do|like|use|using|change|fix|remove|delete|keep|put|run|add|revert|undo|touch|do|doing|try
        |make|need|want|with|about|of|call)\s+(?:it|this|that|these|those|them|so)\b(?=[\s.,!?;]*$|\s+(?:again|here
        |now|there|yet|too|instead|either|yourself|like|in\s+the\s+future)\b)
        | ^(?:remember|make\s+sure|be\s+sure)\s+(?:that\s+)?(?:it|this|these|those|they|that(?:'s)?\s+(?:is
        |it|one|works))\b | \byour\s+(?:\w+\s+)?(?:approach|suggestions?|plan|proposal|recommendation)\b
        | \b(?:as|like)\s+(?:above|below|before|i\s+said|you\s+said|discussed)\b | \b(?:here|above|below)[.!]?$"""
    ),
    general=words(
        r"""\b(?:always|never|ever|any|all|every|each|only|whenever|everywhere|anywhere|everything|anything
        |nothing|no\s+\w+|unless|without|
        because|since|so\s+(?:that|we|they|it)|as\s+they|otherwise|or\s+else|in\s+general|by\s+default
        |convention|policy|production|
        instead\s+of|rather\s+than|explicitly|specifically|committing|pushing|merging|deploying|releasing
        |every\s+time|must\s+omit|
        in\s+(?:this\s+(?:repo|repository|project|codebase)|tests|production|commits?|code|comments|docs
        |migrations))\b"""
    ),
    lead=words(
        r"""(?:(?:ok(?:ay)?|yes|yeah|yep|yup|no|nope|nah|sure|right|well|so|and|but|also|oh|ah|hey|hi|hello
        |hmm+|btw|fyi|note|nb|important|actually|
        great|perfect|nice|good|cool|thanks|thank\s+you|sorry|wait|hold\s+on|alright|anyway|one\s+(?:more
        |other)\s+thing|by\s+the\s+way|in\s+addition|
        please\s+note(?:\s+that)?|just\s+so\s+you\s+know|lately|
        as\s+I\s+said|i\s+said|like\s+i\s+said|again|then|please(?=\s*,)|for\s+the\s+record
        |in\s+general)\s*[,.:;!–—-]*\s+)"""
    ),
    question=words(
        r"""\?["')\]]*\s*$ | ^(?:how|what|why|where|which|who|is|are|does|did|do\s+(?:you|we|i)
        |should\s+(?:i|we)|can\s+(?:i|we)|was|were)\b"""
    ),
    situation=words(
        r"""(?P<when>(?:when(?:ever)?|before|after|every\s+time|each\s+time|if|in\s+(?:tests|production|commit\s+messages
        |migrations)|for\s+(?:tests|migrations|new\s+\w+))\b[^,]{2,70}),\s"""
    ),
)
