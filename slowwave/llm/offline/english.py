"""English cues for directives and decisions."""

from __future__ import annotations

from slowwave.llm.offline.rules import Lexicon, rule, words
from slowwave.storage.types import MemoryKind

_PREFER = MemoryKind.PREFERENCE
_BOUND = MemoryKind.CONSTRAINT
_DECIDE = MemoryKind.DECISION
_FACT = MemoryKind.FACT

_ASK = r"(?:(?:can|could|would|will) you )?(?:please )?"
_PLEASE = r"(?:please )?"
_NOT = r"(?:don['’]?t|do not)"
_MUST = r"(?:must|should|shall|(?:need|have|has|ought)s? to|(?:are|is) to|may)"
_ALL = r"(?:all|every|each|no|any)"
_DO = (
    r"(?:add|answer|apologi[sz]e|ask|assume|be|build|bump|call|catch|change|check|comment|commit|compile|create|delete|"
    r"deploy|disable|do|document|edit|explain|export|follow|force|format|generate|go|guess|handle|hard-?code|implement|"
    r"import|include|install|introduce|keep|leave|let|lint|log|make|mention|merge|mock|modify|name|open|pin|prefer|"
    r"print|push|put|raise|read|rebase|refactor|release|rely|remove|rename|reply|respond|return|run|send|set|sign|skip|"
    r"speak|squash|start|stop|store|stub|swallow|tag|test|throw|touch|translate|update|use|wrap|write)"
)
_LATER = r"(?:(?:in|for) (?:all )?(?:the )?future (?:sessions?|runs?|work|changes|commits?|tasks?))"
_EACH = r"(?:every time|each time|whenever|(?:before|after) (?:every|each|any|you)\b)"
_MILESTONE = r"(?:committing|pushing|merging|deploying|releasing|opening)"
_INSTEAD = r"(?:\binstead of\b|\brather than\b|(?:,| [—–-]+) (?:and )?(?:not|never) \w+| not \w+[.!]?$)"
_REASON = (
    r"(?:\bbecause\b|\bsince\b|\bso (?:that|we|it|as to)\b|\binstead of\b|\brather than\b|\bas (?:it|they|we)\b|"
    r"\botherwise\b|\bdue to\b)"
)

RULES = (
    rule(_PREFER, rf"^{_ASK}always (?!(?:the|a|an|this|it)\b)\w", asks=True),
    rule(_BOUND, rf"^{_ASK}never (?!(?:the|a|an|this|it|mind|heard|seen)\b)\w", asks=True),
    rule(
        _PREFER,
        r"\b(?:from (?:now|here|this point) on|going forward|henceforth)\b",
        rf"^{_ASK}(?:next time|in (?:the )?future)\b[,:]? ",
        rf"\b{_DO}\b.*\b(?:next time|in (?:the )?future)[.!]?$",
        rf"\b{_DO}\b.*\b{_LATER}",
        asks=True,
    ),
    rule(
        _BOUND,
        rf"\b(?:you|we|agents?|users?|everyone|they|it|[a-z]+s) {_MUST} (?:always|never|only)\b",
        r"\bwe (?:always|never|only) (?!(?:get|see|have|had|end|run into|hit|forget|lose|got|saw)\b)\w+",
        r"^only \w+s? (?:can|may|should|must)\b",
        r"^[\w -]{4,40} only(?:,| [—–-]+) (?:no|not|never) \w+",
        r"^(?!(?:we|I|you|they|it|this|that|these)\b)[\w -]{3,40} should (?:be|go|live|stay|use) .+"
        rf"{_INSTEAD}",
        r"^no (?!(?:changes|worries|problems|thanks|ideas)\b)[\w-]+s\b"
        r"(?: (?:please|anywhere|ever|at all)|.* (?:in|unless)\b)",
        rf"^{_PLEASE}only (?:ever )?(?:use|run|commit|push|touch|edit|write|add|import|call|deploy|merge|release)\b",
    ),
    rule(
        _PREFER,
        r"\bI (?:always|never) want\b",
        r"\bkeep (?:your |the |all )?(?:responses|answers|replies|explanations|summaries|messages|output)\b.*"
        r"\b(?:short|concise|brief|terse|minimal|simple)\b",
        r"\b(?:I|we) (?:(?:strongly|really|much|generally|usually|still) )?prefer\b(?! not to say)",
        r"\b(?:I|we)(?:['’]d| would) (?:much )?rather\b(?!.*\bwait\b)",
        r"\bI like (?:my|short|concise|small|to (?:keep|have|see))\b",
        cut=True,
    ),
    rule(
        _PREFER,
        rf"\b(?:I|we) (?:really )?(?:hate|dislike|{_NOT} like|can['’]?t stand) (?!to (?:say|admit))",
        general=True,
        cut=True,
    ),
    rule(
        _BOUND,
        rf"\b(?:we|I) (?:explicitly|definitely|really|absolutely|specifically) {_NOT} want\b",
        cut=True,
    ),
    rule(
        _BOUND, rf"\b(?:we|I) {_NOT} (?:ever )?(?:use|allow|support|mock|commit|ship|want) \w+", general=True, cut=True
    ),
    rule(
        _PREFER,
        rf"\bwe (?:use|write|run|deploy|name|format|lint|test|release|version) .+{_INSTEAD}",
        rf"\bas I (?:said|told you)(?: before)?, (?:please )?(?:{_NOT}|never|always|use)\b",
        r"\bI(?:['’]ve| have)? told you (?:(?:not )?to\b|that you\b)",
        cut=True,
    ),
    rule(
        _PREFER,
        rf"^{_PLEASE}(?:use|pick|choose) (?!(?:a|an|the|this|that|my|your|our|its) )"
        rf".+?(?:{_INSTEAD}|\bover \w+[.!]?$)",
        rf"^{_PLEASE}(?:write|run|import|name|go with|switch to|install with)\b.+?{_INSTEAD}",
        rf"^{_PLEASE}(?:{_NOT}|never|stop|avoid) us(?:e|ing) [\w@/.+-]+[,;:]? (?:but )?(?:please )?use \w+",
        rf"^{_PLEASE}prefer \w+",
        rf"^(?:for [^,]{{3,50}}, )?{_PLEASE}use [\w@./+-]+ (?:for|in|with|on) (?:everything\b|all\b|every\b|any\b)",
        rf"^for [^,]{{3,50}}, {_PLEASE}use (?!(?:a|an|the|this|that) )[\w@].*{_INSTEAD}",
        r"^when I\b.*\bI (?:always|never|usually|only) (?:use|write|run|commit|deploy|format|name)\b",
        r"^I (?:always|never|usually|only) (?:use|write|run|commit|deploy|format|name) (?!(?:it|this|that)\b)",
        rf"^{_PLEASE}(?:stop|quit) \w+ing\b"
        r"(?! (?:here|now|it|this|that|the (?:server|process|container|app))\b).*\w+ \w+",
        rf"^{_PLEASE}avoid (?:\w+ing\b|any\b|all\b|\w+ \w+)",
        rf"^{_PLEASE}(?:answer|reply|respond|write|speak|talk)(?: (?:to me|comments?|commit messages?|docs))? in "
        r"(?:english|german|french|spanish|chinese|japanese|thai|korean|plain)\b",
    ),
    rule(
        _BOUND,
        rf"^{_PLEASE}{_NOT} (?:ever )?{_DO}\b",
        rf"\b(?:you|we) (?:must not|mustn['’]?t|should not|shouldn['’]?t|may not|are not (?:allowed|supposed) to|"
        rf"can(?:not|['’]t)) (?:ever )?{_DO}\b",
        general=True,
    ),
    rule(
        _BOUND,
        rf"(?:^|(?<=\bthat\s))(?!all of the\b){_ALL} (?:[\w/.'’-]+ ){{1,9}}?(?:must|should|needs? to|ha(?:s|ve) to|"
        r"(?:is|are) (?:not )?allowed)\b",
        cut=True,
    ),
    rule(_BOUND, r"^the [\w -]{3,40} must (?:always )?be \w+(?:ed|en|t|d) (?:before|after|by|in|with|as)\b"),
    rule(
        _BOUND,
        rf"^(?!(?:we|I|you|they|let)\b)[\w ,`'’./-]{{3,60}}?\b(?:must|has to|have to|needs? to) (?:not )?"
        rf"(?:{_DO}|stay|remain|work|pass|match|have)\b",
        rf"^(?:we|you) must (?:not )?{_DO}\b",
        r"^.*\bmust (?:omit|not|never)\b",
        general=True,
    ),
    rule(_BOUND, r"\b(?:make|be) sure (?:that |to )?", general=True, cut=True),
    rule(
        _PREFER,
        r"^(?:after|before|when(?:ever)?|every time|each time|any time|anytime|on) "
        r"(?:(?:you|we|each|every|any|all|an?) )?[\w-]+\b[^,]{0,80}, "
        rf"(?:(?:please|always|first|you (?:should|must)) )?{_DO}\b",
        general=True,
    ),
    rule(
        _PREFER,
        rf"^(?:after|before) (?:every|each|any) [\w-]+,? (?:(?:please|always) )?{_DO}\b",
        rf"^{_PLEASE}(?:always )?{_DO}\b.*\b(?:{_EACH}|(?:before|after) {_MILESTONE})",
        r"\b(?:as a rule|by convention)\b",
        r"\b(?:our (?:convention|rule|policy|standard)|the (?:convention|rule)(?: here)?) is\b",
        r"\bby default,? (?:use|we|you|run)\b",
        rf"^{_PLEASE}remember (?:that |to (?:always|never) |: ?)"
        r"(?!(?:when )?(?:we|you|I) (?:talked|discussed|did|had|were))\w+",
        r"^(?:I['’]m|I am|we['’]re|we are) (?:on|using|running|stuck on) \w+.*, "
        r"so (?:please )?(?:never|always|no|don['’]?t)\b",
        r"\bI(?:['’]ve| have)? noticed (?:that )?you(?:['’]re| are| being| keep| always| tend)\b",
        r"^you keep \w+ing\b(?! in mind)",
    ),
    rule(_FACT, r"^we (?:currently )?use (?!(?:it|this|that|these|those|them|the|a|an|to)\b)[\w@][^?]{2,90}$"),
)

DECISIONS = (
    rule(
        _DECIDE,
        r"\b(?:let['’]?s|let us|we['’]ll|we will|we['’]re going to|I think we want|I want(?: us)? to) (?:just )?"
        r"(?:use|go with|switch to|stick (?:with|to)|move to|keep|adopt|drop|avoid|choose|pick|store|target|support|"
        rf"an? |have)\b.{{3,}}?{_REASON}",
        r"\bI think we want an? .{3,}?" + _REASON,
        r"\b(?:I|we) (?:want|would like|plan) to use (?-i:[A-Z])\w+",
        r"\b(?:I want to|we (?:want|need) to|let['’]?s|we['’]ll) (?:switch|move|migrate|change) (?:over )?from \w\S* to \w\S*",
        r"\bwe['’]re (?:switching|moving|migrating) (?:away )?(?:from|to) (?-i:[A-Z])\w+",
        r"\b(?:we|I|the team)(?:['’]ve| have)? (?:decided|agreed|settled|chosen|chose|opted) "
        r"(?:to|on|for|that|against)\b.{8,}",
        rf"\bwe(?:['’]re| are) (?:using|going with|sticking with|dropping)\b.{{3,}}?{_REASON}",
        cut=True,
    ),
    rule(
        _DECIDE,
        r"^(?:the )?decision ?(?:is|:) ?.{8,}",
        r"^(?:use|go with|pick|choose|keep|store)\b.{3,}?(?:\bbecause\b|\bsince\b|\bso that\b)",
    ),
)

_THING = (
    r"(?:ones?|files?|functions?|methods?|class|tests?|pr|branch|commit|bug|errors?|changes?|lines?|cases?|times?|way|"
    r"stuff|things?|phase|version|step|task|feature|issue|approach|option|part|section|plan|image|patch|value|field|"
    r"table|endpoint|page|button|message|component|variable|name|mockups?)"
)

ENGLISH = Lexicon(
    rules=RULES,
    decisions=DECISIONS,
    veto=words(
        r"\b(?:for now|right now|just now|at the moment|this time|for today|today|tomorrow|yesterday)\b",
        r"\b(?:until (?:I|we|you|then|this|that)|not yet|temporarily|one[- ]off|just this once|quickly)\b",
        r"\b(?:yet|now)[.!]?$",
        r"\b(?:ignore|disregard|forget) (?:\w+ ){0,3}(?:previous|prior|above|earlier) (?:\w+ )?(?:instructions?|rules?|prompts?)\b",
        r"\b(?:when|once|after) (?:you['’]?re?|you are|it['’]?s|it is|that['’]?s|everything is) "
        r"(?:done|finished|ready)\b",
        r"\bbefore you (?:finish|stop|are done)\b",
        r"\bnever ?mind\b|\blet me know\b",
        r"\bdon['’]?t (?:worry|know|think|see|understand|remember|forget|bother|have|need|care|mean|get)\b",
        r"\bdo not (?:worry|know|think|see|understand|remember|bother)\b",
        r"\b(?:always|never) (?:fails|failed|works|worked|gets|got|returns|returned|happens|happened|shows|ends|"
        r"been|had|did|does|was|is|came|seems)\b",
        r"\bneed(?:s|ed)? to be \w+ed\b",
        r"^(?:make|be) sure (?:that )?(?:(?:all|the|every) )?(?:of the )?(?:[\w-]+ )?"
        r"(?:tests?|checks?|builds?|everything) (?:still )?(?:pass|passes|works?|is|are|compiles?|runs?)\b",
        r"\b(?:not sure|maybe|perhaps|I wonder|wondering|might be|could be|what if|kind of feel)\b",
        r"\bI (?:would |['’]d )?(?:guess|expect|suspect|assume|suppose)\b",
        r"\bmust (?:be (?:a|an|the|some|something|because)|have (?:been|had|got|gone|\w+ed))\b",
        r"\bwould (?:it|that|this) be\b|\bseems? (?:like|to)\b",
        r"\b(?:step|phase) \d|\boption \w\b|\bone more (?:release|time|day)\b",
    ),
    dangling=words(
        r"^(?:it|this|that|they|these|those|he|she|there)\b"
        r"(?! (?:repo|repository|project|codebase|team|code base|package|monorepo)\b)",
        rf"\b(?:this|that|these|those|the (?:above|below|following|current|new|old|first|second|third|last|other|same|"
        rf"latter|former|existing)) {_THING}\b",
        r"^(?:use|put|keep|call|pick|choose|run)\b.*\bthe (?:existing|current|old|other|original|previous)\b",
        r"\b(?:do|like|use|using|change|fix|remove|delete|keep|put|run|add|revert|undo|touch|doing|try|make|need|want|"
        r"with|about|of|call) (?:it|this|that|these|those|them|so)\b"
        r"(?=[ .,!?;]*$| (?:again|here|now|there|yet|too|instead|either|yourself|like|in the future)\b)",
        r"^(?:remember|make sure|be sure) (?:that )?(?:it|this|these|those|they|that(?:['’]?s)? (?:is|it|one|works))\b",
        r"^(?:before|after|when|once|if)\b[^,]*\b(?:this|that|it|these|those)\b[^,]{0,12},",
        r"\byour (?:\w+ )?(?:approach|suggestions?|plan|proposal|recommendation)\b",
        r"\b(?:as|like) (?:above|below|before|you said|discussed)[.!]?$",
        r"\b(?:here|above|below)[.!]?$",
    ),
    general=words(
        r"\b(?:always|never|ever|any|all|every|each|only|whenever|everywhere|anywhere|everything|anything|nothing)\b",
        r"\bno \w+|\b(?:unless|without|because|since|otherwise|or else|as they|so (?:that|we|they|it))\b",
        r"\b(?:in general|by default|convention|policy|production|explicitly|specifically|instead of|rather than)\b",
        rf"\b(?:{_MILESTONE}|every time|must omit)\b",
        r"\bin (?:this (?:repo|repository|project|codebase)|tests|production|commits?|code|comments|docs|migrations)\b",
    ),
    lead=words(
        r"(?:ok(?:ay)?|yes|yeah|yep|yup|so|and|but|also|oh|ah|hey|hi|hello|hmm+|btw|fyi|actually|anyway)(?: ?[–—]|[,.:;!-])* ",
        r"(?:no|nope|nah|sure|right|well|great|perfect|nice|good|cool|thanks|thank you|sorry|wait|hold on|alright|"
        r"again|then|note|nb|important|please|lately|in addition)(?: ?[–—]|[,.:;!-])+ ",
        r"(?:one (?:more|other) thing|by the way|please note(?: that)?|just so you know|for the record)(?: ?[–—]|[,.:;!-])* ",
    ),
    question=words(
        r"\?[\"')\]]*\s*$",
        r"^(?:how|what|why|where|which|who|is|are|does|did|do (?:you|we|I)|should (?:I|we)|can (?:I|we)|was|were)\b",
    ),
    situation=words(
        r"(?P<when>(?:when(?:ever)?|before|after|every time|each time|if|"
        r"in (?:tests|production|commit messages|migrations)|for (?:tests|migrations|new \w+|all|every|any))\b[^,]{2,70}), "
    ),
)
