"""English."""

from __future__ import annotations

from slowwave.text.languages.english_day import DAY
from slowwave.text.languages.grammar import VERB, Change, Language, cue

_VERBS = frozenset(
    [
        "add",
        "adhere",
        "allow",
        "alphabetise",
        "alphabetize",
        "amend",
        "announce",
        "answer",
        "apologise",
        "apologize",
        "append",
        "apply",
        "archive",
        "ask",
        "assert",
        "assign",
        "assume",
        "attach",
        "avoid",
        "back",
        "backport",
        "batch",
        "be",
        "begin",
        "benchmark",
        "bind",
        "block",
        "branch",
        "break",
        "bring",
        "build",
        "bump",
        "burn",
        "bypass",
        "cache",
        "call",
        "catch",
        "change",
        "charge",
        "check",
        "cherry-pick",
        "choose",
        "cite",
        "claim",
        "clean",
        "clear",
        "clone",
        "close",
        "collect",
        "combine",
        "comment",
        "commission",
        "commit",
        "compile",
        "compress",
        "configure",
        "connect",
        "consider",
        "consult",
        "contact",
        "control",
        "convert",
        "copy",
        "count",
        "cover",
        "create",
        "cross-check",
        "cut",
        "decide",
        "declare",
        "decode",
        "deduplicate",
        "default",
        "define",
        "delete",
        "deliver",
        "deny",
        "deploy",
        "derive",
        "describe",
        "detect",
        "develop",
        "disable",
        "discuss",
        "display",
        "divide",
        "do",
        "document",
        "double-check",
        "downgrade",
        "draft",
        "drive",
        "drop",
        "duplicate",
        "echo",
        "edit",
        "email",
        "embed",
        "emit",
        "enable",
        "encode",
        "encrypt",
        "end",
        "enforce",
        "engage",
        "enter",
        "escalate",
        "escape",
        "estimate",
        "evaluate",
        "exclude",
        "execute",
        "expect",
        "expire",
        "explain",
        "export",
        "expose",
        "extend",
        "extract",
        "factor",
        "fail",
        "fall",
        "favor",
        "favour",
        "fetch",
        "file",
        "fill",
        "filter",
        "finish",
        "fix",
        "flag",
        "flatten",
        "flush",
        "follow",
        "force",
        "fork",
        "format",
        "free",
        "gate",
        "generate",
        "get",
        "give",
        "go",
        "grant",
        "grep",
        "group",
        "guard",
        "guess",
        "hand",
        "handle",
        "hard-code",
        "hardcode",
        "hash",
        "hide",
        "hold",
        "honor",
        "honour",
        "host",
        "identify",
        "ignore",
        "implement",
        "import",
        "include",
        "indent",
        "index",
        "inform",
        "inherit",
        "initialise",
        "initialize",
        "inject",
        "inline",
        "inspect",
        "install",
        "introduce",
        "invalidate",
        "invent",
        "invoke",
        "iterate",
        "join",
        "justify",
        "keep",
        "kill",
        "know",
        "label",
        "launch",
        "lead",
        "learn",
        "leave",
        "let",
        "limit",
        "link",
        "lint",
        "list",
        "load",
        "localise",
        "localize",
        "lock",
        "log",
        "look",
        "loop",
        "lower",
        "maintain",
        "make",
        "map",
        "mark",
        "mask",
        "match",
        "measure",
        "mention",
        "merge",
        "migrate",
        "mirror",
        "mock",
        "modify",
        "monitor",
        "mount",
        "move",
        "name",
        "need",
        "negotiate",
        "nest",
        "normalise",
        "normalize",
        "note",
        "notify",
        "number",
        "observe",
        "obtain",
        "offer",
        "omit",
        "open",
        "operate",
        "optimise",
        "optimize",
        "order",
        "organise",
        "organize",
        "override",
        "pack",
        "paginate",
        "pair",
        "park",
        "parse",
        "partition",
        "pass",
        "paste",
        "patch",
        "perform",
        "persist",
        "pick",
        "pin",
        "ping",
        "pipe",
        "place",
        "plan",
        "play",
        "point",
        "poll",
        "pop",
        "post",
        "practice",
        "practise",
        "praise",
        "prefer",
        "prefix",
        "present",
        "preserve",
        "prevent",
        "print",
        "prioritise",
        "prioritize",
        "process",
        "produce",
        "profile",
        "promise",
        "propose",
        "protect",
        "prove",
        "provide",
        "provision",
        "prune",
        "publish",
        "pull",
        "purge",
        "push",
        "put",
        "quarantine",
        "query",
        "queue",
        "quit",
        "quote",
        "raise",
        "rank",
        "rate-limit",
        "re-run",
        "reach",
        "read",
        "rebase",
        "reboot",
        "rebuild",
        "recheck",
        "reconcile",
        "record",
        "recover",
        "redact",
        "reduce",
        "refactor",
        "refer",
        "reference",
        "reformat",
        "refuse",
        "regenerate",
        "register",
        "reindex",
        "reject",
        "relate",
        "release",
        "reload",
        "rely",
        "remember",
        "remove",
        "rename",
        "render",
        "reorder",
        "repair",
        "repeat",
        "rephrase",
        "replace",
        "reply",
        "report",
        "request",
        "require",
        "rerun",
        "resend",
        "reserve",
        "reset",
        "resize",
        "resolve",
        "respect",
        "respond",
        "rest",
        "restart",
        "restore",
        "restrict",
        "resume",
        "retain",
        "retrieve",
        "retry",
        "return",
        "reuse",
        "revert",
        "review",
        "reword",
        "rewrite",
        "roll",
        "rotate",
        "round",
        "route",
        "run",
        "sample",
        "sanitise",
        "sanitize",
        "save",
        "scale",
        "scan",
        "schedule",
        "scroll",
        "search",
        "see",
        "seed",
        "seek",
        "select",
        "send",
        "separate",
        "serialise",
        "serialize",
        "serve",
        "set",
        "share",
        "shift",
        "ship",
        "shorten",
        "show",
        "shut",
        "side-step",
        "sign",
        "silence",
        "simplify",
        "sit",
        "sketch",
        "skip",
        "sleep",
        "slice",
        "snapshot",
        "solve",
        "sort",
        "source",
        "speak",
        "specify",
        "spell",
        "split",
        "squash",
        "stage",
        "stamp",
        "stand",
        "start",
        "stash",
        "state",
        "stay",
        "stick",
        "stop",
        "store",
        "stream",
        "strip",
        "stub",
        "submit",
        "subtract",
        "suggest",
        "sum",
        "summarise",
        "summarize",
        "supply",
        "support",
        "suppress",
        "survive",
        "swallow",
        "swap",
        "switch",
        "sync",
        "synchronise",
        "synchronize",
        "tag",
        "take",
        "talk",
        "target",
        "teach",
        "tear",
        "tell",
        "test",
        "think",
        "throw",
        "tidy",
        "time",
        "toggle",
        "tolerate",
        "touch",
        "track",
        "train",
        "transfer",
        "transform",
        "translate",
        "treat",
        "trigger",
        "trim",
        "truncate",
        "trust",
        "try",
        "turn",
        "type",
        "undo",
        "unify",
        "uninstall",
        "unit-test",
        "unittest",
        "unlock",
        "unzip",
        "update",
        "upgrade",
        "upload",
        "use",
        "validate",
        "vary",
        "vendor",
        "verify",
        "version",
        "vet",
        "view",
        "visit",
        "vote",
        "wait",
        "walk",
        "warm",
        "warn",
        "watch",
        "weigh",
        "whitelist",
        "wipe",
        "withdraw",
        "witness",
        "work",
        "wrap",
        "write",
        "yield",
        "zip",
    ]
)

_NOT = r"(?:don'?t|do not|dont)"
_MODAL = r"(?:must|should|shall|(?:need|ha[sv]e?|ought)s? to|(?:is|are) to|may|can|cannot|can'?t|needs?)"
_DO = rf"[\w'-]+(?={VERB}|[.!]*$)"
"""A verb in its base form: the reading marks the blank behind it."""
_BARE = r"(?!(?:the|a|an|this|that|it|mind|heard|seen|been|on|in|at|had|got|saw|there|here|really|quite|too|so)\b)"
_FAULT = (
    r"(?:fail|crash|work|break|time|throw|hang|happen|show|return|print|get|end|come|see|pass|stop|die|freeze|run out|lose|"
    r"forget|hit|have|seem|look|feel|appear|know|wonder|complain|error|become|stay|remain|disappear|win|reach|finish|start)"
)
_PROCESS = (
    r"(?:commits?|commit messages?|changelogs?|change ?logs?|pull requests?|prs?|merges?|branch(?:es)?|branch names?|"
    r"tests?|unit tests?|integration tests?|test names?|migrations?|docs?|documentation|readmes?|docstrings?|comments?|code|"
    r"releases?|deploy(?:ment)?s?|dependenc(?:y|ies)|reviews?|tickets?|issues?|bug reports?|designs?|specs?|prompts?|rfcs?|adrs?|decisions?|"
    r"commit titles?|release notes|hotfixes|rollbacks?|versions?|tags?|names?|file names?|variable names?)"
)
_CODE = (
    r"(?:functions?|methods?|classes|class|modules?|files?|packages?|components?|hooks?|handlers?|endpoints?|routes?|routers?|controllers?|"
    r"services?|microservices|apis?|requests?|responses?|quer(?:y|ies)|tables?|columns?|schemas?|models?|types?|enums?|interfaces?|"
    r"structs?|variables?|constants?|parameters?|imports?|exports?|errors?|error messages?|exceptions?|logs?|log lines?|log messages?|metrics|events?|"
    r"messages?|jobs?|workers?|tasks?|scripts?|secrets?|credentials|tokens?|passwords?|keys?|ids?|timestamps?|dates?|times?|"
    r"amounts?|prices?|money|currenc(?:y|ies)|strings?|texts?|translations?|feature flags?|flags?|settings?|config(?:uration)?s?|env(?:ironment)? variables?|"
    r"fixtures?|mocks?|stubs?|snapshots?|notebooks?|pipelines?|jobs?|images?|containers?|charts?|resources?|urls?|paths?|colou?rs|styles?|"
    r"public functions?|public methods?|business logic|side effects|transactions?|locks?|timeouts?|retries|caches?)"
)
_GENERAL_NOUN = rf"(?:{_PROCESS}|{_CODE})"
_ADJ = r"(?:(?:new|public|private|generated|internal|external|unit|integration|database|db|api|sql|error|log|test|shared|production|user|customer|money|feature|background|long|exported|react|go|python|java|rust|c\+\+|typescript|http|rest|graphql|git|squash|release|breaking|major|source|config|vendored|third[- ]party|all|other|future|failing|flaky|async|our) ){0,3}"
_LOCAL = (
    r"\b(?:in|on|of|for|at|inside|from) (?:the |this |that |these |those )(?!(?:repo|repository|project|codebase|code ?base|monorepo|docs?|backend|frontend|api|tests|app|"
    r"future|code|changelog|team|company|firmware|library|database|commit message)\b)[\w-]+|\b[\w/-]+\.(?:py|go|ts|tsx|js|jsx|rs|java|rb|c|h|cpp|php|swift|kt|html|css|vue)\b|\bstep \d"
)
_UI = (
    r"(?:buttons?|pages?|dialogs?|modals?|pop-?ups?|rows?|icons?|headers?|footers?|side ?bars?|menus?|cards?|tabs? bar|widgets?|"
    r"forms?|fields?|labels?|tooltips?|spinners?|screens?|windows?|panels?|lists?|slices?|steps?|phases?|milestones?|levels?|enem(?:y|ies)|players?|"
    r"animations?|wizard|dashboards?|cursor|titles?|sections?|slides?|checkbox(?:es)?|dropdowns?|switch|toggle|inputs?|image|logo|avatar|font|colou?r|"
    r"box(?:es)?|cells?|items?|cases?|story|stories|scenarios?|loops?)"
)
_PART = rf"(?:{_UI}|flag|option|script|command|endpoint|function|method|output|result|parser|column|table|class)"
_INSTEAD = r"(?:\binstead of\b|\brather than\b|(?:,| [–—-]+) (?:and )?(?:not|never) [\w`@]|\bover [\w`@]+[.!]?$| not [\w`@./-]+[.!]?$)"
_REASON = (
    r"(?:\bbecause\b|\bsince (?:the|our|we|they|it|my|i)\b|\bso (?:that )?(?:we|it|they|the|nobody|everyone|people)\b|"
    r"(?:[;,]| [–—-]+) (?:(?:our|the|my|reviewers|users|customers|they|it|we|that|this|people|classes|default exports|[a-z]+s) )(?:\w+ ){0,3}"
    r"(?:can'?t|cannot|have|has|had|hate|makes?|makes|keeps?|hides?|insists?|breaks?|costs?|need|needs|want|are|is|prefer|read|use|don'?t)\b|"
    r"(?:[;,.]| [–—-]+) i (?:can'?t stand|hate|don'?t like|dislike|want|prefer|read|like)\b)"
)
_GENERIC_OBJECT = r"(?!(?:it|this|that|these|those|them|one|the (?!tests?\b|docs?\b|diff\b|changelog\b|code\b|same\b|metric\b|imperative\b)|my|your|both|again)\b)"
_PERMISSION = (
    r"(?:without (?:asking|checking with|my|telling|permission|approval|confirm|an? (?:approval|review|ticket)|talking|consulting|a review)|"
    r"unless (?:i|we|you(?:'re| are| were)) (?:\w+ )?(?:say|ask|told|tell|asked|said|agreed|agree|approve|request|want)|unless (?:asked|told|agreed|explicitly)|"
    r"until i(?:'ve| have)? (?:approved?|agreed?|confirmed?)|(?:on|by) your own|by yourself|behind my back)"
)
_SUBJECT = (
    r"(?:(?:our|the|this|my) (?:[\w']+[ -]){0,3}?(?:project|repo|repository|codebase|code ?base|monorepo|app|application|api|backend|back[- ]?end|frontend|front[- ]?end|"
    r"service|services|site|website|server|servers|ci|pipeline|database|db|databases|queue|cache|gateway|cluster|infra(?:structure)?|docs?|documentation|"
    r"designs?|tickets?|logs|metrics|secrets|releases?|deploy(?:ment)?s?|staging|production|prod|environments?|team|customers|clients|users|"
    r"code|tests?|test suite|build|builds|package|packages|library|firmware|board|game|models?|simulator|cli|sdk|plugin|extension|"
    r"scheduler|worker|workers|billing|auth|search|store|shop|mobile app|web app|data|feature flags|time ?zone|editor|name|pronouns|default branch|"
    r"main branch|license|licence|domain|deploy target|package manager|test runner|framework|orm|linter|formatter|bundler|language|stack|company|office|machine|laptop|"
    r"error tracker|design tokens|api keys|retry limit|cron jobs?|entry point|port|parser|product|client|owner|maintainer|reviewer|design system|message broker|broker|bucket|region|runtime|container registry|registry))"
)
_BARE_SUBJECT = (
    r"(?:we|production|prod|staging|ci|docs|designs|tickets|logs|secrets|releases|deployments|deploys|feature flags|tests|migrations|"
    r"documentation|code|metrics|traces|alerts|builds|images|backups|translations|dev|qa|customers|users|reports|invoices|payments|assets|credentials)"
)
_STATE = (
    r"(?:deployed|hosted|built|written|managed|tracked|kept|stored|cut|made|done by|run|handled|published|generated|defined|located|maintained|served|"
    r"shipped|monitored|collected|trained|compiled|packaged|installed|released|rotated|scheduled|provisioned|configured|controlled|owned|reviewed|used|"
    r"split|spread|based|called|named|licensed|supported|encrypted|cached|backed|shared|mirrored|archived|organi[sz]ed|tested|validated)"
)
_USES = (
    r"(?:use|uses|deploy(?:s)?(?: to| on| with| via)?|host|hosts|target|targets|support|supports|require|requires|store|stores|ship|ships|run|runs|release|releases|"
    r"rely on|relies on|write|writes|test|tests|lint|lints|format|formats|build|builds|track|tracks|keep|keeps|manage|manages|review|reviews|version|"
    r"publish|publishes|log|logs|monitor|monitors|talk|talks to|go through|goes to|go to|live|lives|listens?|connects? to|moved to|sits? behind|speaks?|follow|follows|stick to|"
    r"standardi[sz]e on|have|has|own|owns|meets?|work|works|branch|mock|generate|generates|expect|expects|read|reads|comes? from|depends? on|consists? of|start|starts at|fit|fits)"
)
_OPEN_FACT = r"(?!(?:it|this|that|these|those|them|the (?!same\b|tag|release|metric|gener|[A-Z])|an? (?!single\b|monorepo\b|mono-repo\b|shared\b|custom\b|private\b|self|feature\b|small\b)|to|some|too|too many|more|another|one|each|time|fun|problems?|issues?|been|already|two places)\b)"

_LASTING = (
    # Adverbs of always and never before what is to be done.
    cue(
        "constraint",
        rf"^(?:please )?(?:never(?: ever)?(?: again)?|(?:{_NOT}|just don't) ever|under no circumstances|at no point) (?:please )?{_BARE}(?:{_DO})\b",
        rf"^(?:please )?{_NOT} (?:{_DO})\b.*\b(?:any ?more|any longer|ever again|ever|at all times)\b(?! (?:you|i) )",
        r"\b(?:you|we|agents?|everyone|nobody) (?:(?:really|absolutely|just) )?(?:must|should|shall|may|can|could|need to|have to|ought to|are to) (?:really )?(?:always|never|only|under no)\b",
        r"\b(?:you|we) (?:really )?(?:must not|mustn'?t|should not|shouldn'?t|may not|are not (?:allowed|supposed) to|really must not) (?:ever )?"
        rf"{_DO} {_GENERIC_OBJECT}(?!an? )\w",
        r"^(?:it is|it's) (?:our|my|company|team) (?:policy|rule|convention|practice|habit) (?:to|that)\b",
        rf"\b(?:we|i|the team) {_NOT} (?:{_DO})\b.*\b(?:any ?more|any longer)\b",
        r"^(?:everybody|everyone|nobody|no one|whoever|people) (?:must|should|may|is allowed)\b.*",
    ),
    cue(
        "preference",
        rf"^(?:please )?always {_BARE}(?:{_DO})\b",
        r"^(?:always|never|not) (?:using|writing|running|adding|asking|keeping|checking|answering|putting|making|explaining|committing|pushing)\b",
        rf"^(?:please )?{_DO} (?!on top)[^,]*\balways[.!]?$",
        rf"^(?:please )?{_DO}\b.*\b(?:at all times|without exception|no matter what|in every case|by default)\b",
        rf"^(?:by default|as a rule|as a general rule|by convention|in general|generally)[,:]? .*\b(?:{_DO}|{_MODAL}|gets?|goes|go|use[sd]?|we)\b",
        rf"^(?:please )?only ever {_DO}\b",
        r"\b(?:i|we) (?:only ever|usually|generally|normally|typically|always|never|only) (?:want|expect|like|accept|need|do|see it)\b(?! (?:this|that|it)\b)",
    ),
    cue(
        "preference",
        r"\b(?:from now on|going forwards?|henceforth|from here on(?: out)?|from this point on(?:wards?)?|from today on)\b(?! (?:until|till)\b)",
        rf"^(?:please )?(?:next time|in (?:the )?future)\b[,:]? .*\b{_DO}\b",
        rf"^(?:please )?(?:always |never |{_NOT} )?{_DO}\b.*\b(?:next time|in (?:the )?future)[.!]?$",
        r"\bfor (?:all )?future (?:sessions?|work|changes|commits?|tasks?|releases|prs)\b",
    ),
    # Habits: what we and I do.
    cue(
        "constraint",
        rf"\bwe (?:always|never|only) (?!(?:{_FAULT})\b|(?:\w+ed|ran|did|were|was|had|got|saw)\b)\w+",
        r"\bi (?:always|never|only|usually) (?:use|write|run|commit|deploy|format|name|squash|rebase|merge|review|test|push|work|read|start|open|do the|keep|sign|prefer|ship|indent|want|develop|log|tag|draft|sketch)\b(?! (?:it|this|that)\b)",
        rf"\bwe {_NOT} (?:ever )?(?:use|allow|support|mock|commit|ship|write|deploy|care about|do|rely on|want any|want|need|accept|keep|test on|target|have|log|store|merge|retry|cache|edit|vendor|pin) "
        r"(?!(?:to|it|this|that|them|the (?!same)|a |an |anything|any more of|you|more)\b)\w+",
    ),
    # What needs permission, and occasions that recur.
    cue(
        "constraint",
        rf"^(?:please )?(?:never|{_NOT}|no) (?!(?:push|commit|merge) (?:this|that|it)\b).*\b{_PERMISSION}\b",
        rf"^.*\b(?:{_NOT}|never) .*\b{_PERMISSION}\b",
        r"^(?:please )?(?:always )?(?:ask|check with|talk to|consult|ping|tell|warn|inform) (?!(?:it|him|her|them|the (?:user|worker|server))\b)[\w ]{2,24} (?:first )?(?:before|if|when(?:ever)?|about every)\b(?! (?:this|that|it)\b)(?!.*\b(?:this|that|it)[.!]?$)",
        r"^only .*\b(?:if|when|after) i (?:say|tell|ask|approve|agree|confirm)\b",
        rf"^(?:please )?(?:only )?(?:automatically )?{_DO}\b.*\bunless i (?:tell|ask|say)\b",
    ),
    cue(
        "preference",
        rf"^(?:every time|each time|whenever|any ?time) [^,]{{4,90}}, (?:please |then |you (?:must|should|have to) )?(?:always |first |also |never |{_NOT} )?{_DO}\b",
        rf"^(?:after|before|on|with|for) (?:every|each|any|all|new) [^,]{{2,50}}(?:,|(?= (?:always|never|first)\b)) (?:please |then |you (?:must|should|have to) )?(?:always |first |also |never |{_NOT} )?{_DO}\b",
        rf"^(?:before|after) (?:you|we) (?:ever )?(?:commit|push|merge|release|deploy|touch|change|edit|add|open|tag|write|rename|delete|upgrade|refactor|ship|finish a)\b(?! (?:this|that|it)\b)[^,]{{0,60}}, (?:please )?(?:always |first |also )?{_DO}\b",
        rf"^(?:please )?(?:always |also |first )?{_DO}\b[^,;]*\b(?:every time|each time|whenever|(?:before|after|with|for|on|in) (?:every|each|any) (?!(?:one|of|single one|other|step|row|button|page|item)\b)\w+)",
        rf"^(?:please )?(?:always |also |first )?{_DO} (?!(?:it|this|that|them)\b)[^,;]*\b(?:before|after) (?:you (?:commit|push|merge|deploy|release|open an?)|committing|pushing|merging|deploying|releasing|opening)\b(?! (?:this|that|it)\b)",
    ),
    # Contrast: one thing and not another.
    cue(
        "preference",
        rf"^(?:please )?(?:use|pick|choose|prefer|write|run|import|name|go with|switch to|install with|answer|talk|speak|format|document|log|throw|return|raise) {_GENERIC_OBJECT}"
        rf"(?!an? )(?!(?:\w+ )?(?:{_UI}|loop|helper|version)\b).+?{_INSTEAD}(?! (?:this|that|it|the (?:first|second|old|other|last))\b)",
        rf"^(?:please )?(?:{_NOT}|never|stop|avoid|quit) us(?:e|ing) [\w@/.+-]+(?: [\w.+-]+)?(?: (?:here|in this \w+))?[,;:.]? (?:but |and |instead )*(?:please |always |we |just )*(?:use|uses) \w+",
        rf"^(?:please )?(?:{_NOT}|never|stop|avoid|quit) us(?:e|ing) [\w@/.+ -]+, we\b",
        rf"^(?:please )?(?:{_NOT}|never) (?:use|write|add|create|put|guess|invent|assume|import|do)\b {_GENERIC_OBJECT}[^,;]{{2,60}}[,;] (?:always |but |and |instead |rather )*(?:{_DO})\b(?! (?:it|this|that|the (?:second|first|other))\b)",
        rf"\bwe (?:use|write|run|deploy|name|format|lint|test|release|version|build|pay|answer|document|sign) {_OPEN_FACT}.+{_INSTEAD}",
        r"^no (?!(?:need|more|longer|changes?|problem|worries|idea|rush|thanks|one|matter|reason)\b)[\w-]+(?: [\w-]+)?, (?:always |only |just |but )*(?:use )?[\w-]+",
        r"^no [\w-]+ (?:but|only) [\w-]+[.!]?$",
    ),
    # What a thing of the trade has to be like, whichever.
    cue(
        "constraint",
        rf"^(?:all|every|each|any|no|none of our) {_ADJ}{_GENERAL_NOUN}\b(?: names?)?(?:(?: that| which| of| in| with| for)? [\w./'-]+){{0,5}}? (?:{_MODAL}|are (?:always|never)|is (?:always|never))\b",
        rf"^(?!the |this |that |these |those |my |your |both |some |most |many )(?:(?:an?|our) )?{_ADJ}{_GENERAL_NOUN}(?: (?:names?|keys?|messages|titles|files|bodies))?(?: (?:in|for|of|with|from) [\w-]+){{0,2}} (?:always |never )?(?:must|should|shall|(?:need|ha[sv]e?)s? to|may (?:not|only|never)|are (?:now )?(?:always|never|only)|never|always|only|can(?:not|'t) )\b",
        rf"^(?!the |this |that |my |your )(?:our )?{_ADJ}(?:{_PROCESS}|tests|modules?|files|styles?|components|types|scripts|fixtures|helpers|migrations) (?:live|lives|go|goes|belong|belongs|stay|sit|are kept|are written|are named|get|start with|end with|follow)\b",
        rf"^(?!the |this |that )(?:each|every) {_ADJ}{_GENERAL_NOUN} (?:owns|gets|has|needs|starts|ends|lives|belongs|carries|comes)\b",
        rf"^(?:all|every|any) {_ADJ}{_GENERAL_NOUN} (?:go|goes|live|lives|get|gets|belongs?|needs?)\b",
        r"^only [\w -]{3,40} (?:can|may|should|must|are allowed to|is allowed to)\b",
        r"^(?:our|the) (?:convention|rule|policy|standard|house style|style guide)(?: here| in this \w+)? (?:is|says|wants)\b",
        r"^(?:the )?(?:public )?(?:api|schema|changelog|main branch|trunk|lock ?file|public apis?) (?:must|should|has to) (?:always|never|stay|remain|be kept)\b",
        r"^[\w /.`'-]{3,40} (?:is|are) (?:strictly )?(?:forbidden|not allowed|off limits|banned|taboo|mandatory|required for every|read[- ]only)\b",
        r"^no [\w -]{3,40} (?:is|are) allowed\b",
        r"^(?:first )?names? (?:things|files|variables|branches) (?:after|in|with)\b",
    ),
    # Prohibitions without a verb.
    cue(
        "constraint",
        r"^no (?!(?:changes?|worries|problem|problems|thanks|idea|ideas|need|rush|one|longer|more questions|matter|way|tests yet|code changes|animation)\b)[\w /-]{3,50}(?:, (?:ever|please|period)|[ ]ever|anywhere|at all|[^\w\s]+ ever)[.!]*$",
        r"^no (?!(?:changes?|worries|problem|thanks|idea|need|rush|one|longer|animation|tests? (?:yet|for))\b)[\w-]+s? [\w ]{0,20}\b(?:in (?:this (?:repo|project|codebase)|production|library code|tests|our|commits?|the docs|answers|your)|allowed|without)\b.*",
        r"^no more (?!(?:questions|changes|of|than|for now)\b)[\w -]{3,40}(?:, we\b.*|[.!]?$)",
        r"^(?:there is )?no need for (?:backwards?|legacy)\b",
        r"^(?:and |so )?(?:no|zero) (?:backwards?[- ]compat\w*|magic|global state|default exports|force pushes|secrets|new dependencies)\b",
        rf"\b(?:we|i|it|you|the project|this project) (?:{_NOT}|doesn'?t|does not|needn'?t) (?:need|have|want|care about|require|owe anyone) (?:to (?:be|keep|support|stay|worry about) )?(?:any )?(?:backwards?|backwards?[- ]compat\w*|compatibility|migration paths?|legacy|ie\b|old|support for|unit tests|feature flags|i18n|localization|mobile|windows|safari)",
    ),
    # What a person likes.
    cue(
        "preference",
        r"\b(?:i|we|the team|the user) (?:(?:strongly|really|much|generally|usually|still|always|definitely) )?prefers? (?!(?:not )?to (?:say|look|wait|do it|see|have it|keep it|continue|stop)\b|it\b|this\b|that\b|the (?:first|second|third|old|new|other|last)\b|option\b)",
        r"\b(?:i|we)(?:'d| would) (?:much )?rather (?:have|see|use|keep|get|read|you (?:ask|use|wrote|write|asked|kept|keep)) (?!(?:it|this|that|wait)\b)(?!.*\b(?:tomorrow|today|later|now)\b)\w+",
        r"\b(?:i|we) (?:really |absolutely |just )?(?:hate|dislike|don'?t like|do not like|can'?t stand|cannot stand|am not a fan of|am allergic to) (?!(?:it(?! when)|this|that|the (?:new|old|look|idea|way|result|first|second|colou?r|second))\b|to (?:say|admit)\b)\w+",
        r"\bi (?:really )?(?:like|love) (?:my|short|concise|small|simple|explicit|plain|clean|boring|tabs|spaces|to (?:keep|have|see|read|review)|when you|it when you)\b(?! this\b)",
        r"^prefer \w+",
        r"\bi (?:never|always|don'?t ever|do not ever) want(?: to see)? \w+",
        r"\b(?:we|i) (?:explicitly |definitely |really |absolutely )?(?:don'?t|do not|never) want (?:any|to (?:depend|rely|commit|pay|support|mock)|hard|magic|global|new|the user to|customers? to|users? to)\b",
    ),
    # A wish of the product with a contrast or a reason; what must always be true of it.
    cue(
        "decision",
        r"\b(?:i|we)(?:'d like| (?:really )?(?:want|need|would like|don'?t want)) (?!(?:you|to|it|this|that|them|the (?:second|first|other)|a loop|the tests? in|another)\b)[\w ,'/-]{6,}?"
        r"(?:, not (?:just|only)?|\bnot (?:just|only)\b|\brather than\b|\binstead of\b|\bbecause\b|\bsince (?:the|our|we|they)\b|\bso that\b|, i want one\b)",
        r"\b(?:i|we) (?:don'?t|do not) want (?:customers?|users?|anyone|anybody|people|clients?|admins?) to ever\b",
        rf"^(?:the|a|an|our) (?!(?:{_UI})\b)[\w -]{{3,30}} (?:has to|must|should|needs to) (?:be|work|run|stay|have|support|keep|survive|handle)\b.{{4,}}(?:\bbecause\b|\bsince (?:the|our|we|they)\b|, not (?:just|only)\b|\brather than\b|\bwhile (?:it|they|others|other)\b)",
        rf"^(?:the|a|an|our) (?!(?:{_UI}|new|old|first|second|third|last)\b)[\w -]{{3,30}} must (?:not|never) (?:block|be (?:shipped|sent|charged|paid|deleted|shown|lost|logged|stored|exposed|visible|processed)|lose|expose|leak|charge|send|overwrite|exceed|wait|delay|depend)\b",
    ),
    cue(
        "constraint",
        r"^(?:please )?(?:make|be) sure (?:that )?(?:to )?(?!.*\b(?:tests?|build|everything|nothing|steps?|compiles?|lint|you|green|file|line \d+|branch|all)\b)(?:an?|the|two|no|only|every|any|users?|customers?|drafts?|uploads?|[a-z]+s) [\w -]{2,50}?\b"
        r"(?:(?:is|are|gets?|stays?|can|cannot|can'?t|never|always|still|expires?|survives?|exceeds?|remains?|fires?|process(?:es)?)\b.*\b(?:when(?:ever)?|if|after|before|once|until|unless|while|never|only|by|cannot|can'?t|twice|exceeds?|restart)\b|never\b|always\b|(?:is|are) only\b).*",
        r"^(?:please )?(?:ensure|guarantee) (?:that )?(?!.*\b(?:tests?|build|everything|nothing|steps?|compiles?|lint|you|green|file|line \d+|branch|all)\b)(?:an?|the|two|no|only|every|any|users?|customers?|[a-z]+s) [\w -]{2,50}?\b"
        r"(?:(?:is|are|gets?|stays?|can|cannot|can'?t|never|always|still|expires?|survives?|exceeds?|remains?|fires?|process(?:es)?)\b.*\b(?:when(?:ever)?|if|after|before|once|until|unless|while|never|only|by|cannot|can'?t|twice|exceeds?|restart)\b|never\b|always\b|(?:is|are) only\b).*",
        r"^(?:please )?(?:make|be) sure (?:that |to )?(?:always|never|you (?:always|never))\b",
        rf"^(?:please )?make sure (?:that )?(?:every|each|all|any|no) {_ADJ}(?:{_CODE}|migrations?|commits?|prs?) (?:can|carry|carries|has|have|is|are|gets?|ends?|returns?|goes|go) (?!(?:updated|green|fixed|done|migrated|finished|followed|committed|covered|renamed|moved|removed|deleted)\b)(?!.*{_LOCAL})\w+",
        r"^(?:please )?make sure to (?:always |never |ask|check|run|tell) (?!this|that|it).*\b(?:before|because|since|every|each|first)\b",
    ),
    # Reasons, and habits of the agent.
    cue(
        "preference",
        rf"^(?:please )?(?:always )?(?:use|write|keep|prefer|avoid|name|split|return|throw|log|pin|mock|document|review|squash|sort|indent|format|answer|put|place) {_GENERIC_OBJECT}"
        rf"(?!an? (?:loop|file|{_UI}))(?!.*\b(?:here|this|that one|today|for now|the (?:first|second|third|last|other|bigger|old|new))\b)(?:[\w'/.`-]+ ?){{1,9}}{_REASON}",
        rf"^(?:please )?{_NOT} (?:ever )?{_DO} {_GENERIC_OBJECT}(?!.*\b(?:here|this (?!repo|project)|that one|today|for now|yet)\b)(?:[\w'/.`-]+ ?){{1,10}}{_REASON}",
        rf"^{_NOT} (?:invent|reinvent|guess|assume|hallucinate|apologi[sz]e|praise|flatter|over-?engineer)\b",
        r"^avoid (?:\w+ing|any|all)\b .*|^avoid (?!(?:the|this|that|it)\b)\w+.* in (?:this|our) (?:repo|repository|project|code ?base|team)\b.*",
        rf"^only {_DO}\b.*\b(?:when|if|after|once)\b(?! (?:this|that|it|i)\b).*",
        r"\b(?:we|i) (?:explicitly|definitely|really|absolutely|specifically) (?:don'?t|do not|never) want \w+.*",
    ),
    cue(
        "preference",
        r"^(?:please )?(?:stop|quit) (?!(?:here|it|this|that|the|now|and|when)\b)\w+ing (?!(?:this|that|it|the (?:server|process|container|app|watcher|build|job))\b)\w+",
        r"^you (?:keep|always|constantly|tend to) \w+.*?(?:[.;,:–—-]+ ?)(?:please )?(?:always|never|don'?t|do not|stop|just)\b",
        r"\bi(?:'ve| have)? noticed (?:that )?you\b",
        r"^you keep \w+ing\b(?! in mind)",
        r"\bi(?:'ve| have)? (?:already )?told you (?:not to|that you (?:must|should)|to always|to never)\b",
        rf"^as i (?:said|told you)(?: before)?, (?:please )?(?:{_NOT}|never|always|use)\b",
    ),
    # How to answer.
    cue(
        "preference",
        r"^(?:please )?(?:only|just) (?:the|give me the|show me the|show)? ?(?:code|answer|command|diff|result|changes|patch|solution|final \w+)(?: please)?,? (?:no|without|nothing|don'?t|not)\b.*",
        r"^no (?:\w+ )?(?:explanations?|preambles?|summar(?:y|ies)|commentary|small talk|fluff|filler|emojis?|headings|markdown|praise|prose|apolog(?:y|ies)|tables|long \w+|bullet points|recaps?)\b(?!.*\b(?:this time|here|for this|yet)\b)",
        r"^(?:please )?(?:keep|make) (?:your |the |all )?(?:answers?|repl(?:y|ies)|responses?|explanations?|summar(?:y|ies)|messages|output)\b.*\b(?:short|concise|brief|terse|minimal|simple|small|to (?:the point|one|two|a))\b",
        r"^(?:short|brief|concise|terse|detailed|long) (?:answers|replies|responses|explanations)\b.*",
        r"^(?:please )?be (?:brief|concise|terse|more concise|direct|blunt|honest)\b(?! (?:here|now|this time|about)).*",
        r"^(?:please )?(?:answer|reply|respond|write|speak|talk|explain)(?: (?:to me|back|comments?|commit messages?|docs|everything|things))? (?:only )?in (?:english|german|french|spanish|chinese|mandarin|japanese|thai|korean|portuguese|russian|vietnamese|italian|dutch|plain \w+|bullet points|british \w+|simple \w+|short \w+|full sentences|prose|lower case)\b",
        r"^(?:please )?explain (?:things|everything|code|concepts)\b.*",
        r"^(?:please )?(?:don'?t|do not|no need to) (?:explain|summari[sz]e|repeat|apologi[sz]e|praise|comment on|thank|narrate|list|restate|recap) (?!(?:it|this|that|the (?:first|second))\b)(?:[\w' ]+)[.!]?$",
        r"^(?:please )?(?:always )?(?:show|give|send) me (?:the full|full|complete|whole|options|alternatives|the complete) .*\b(?:not|instead of|rather than|with)\b.*",
        r"^call me [A-Z]\w+",
        r"^don'?t call me\b",
        r"^(?:i )?prefer (?:code|answers|short|examples)\b.*",
        r"^(?:don'?t|never)(?: ever)? say \S.+",
    ),
    # What an environment rules out, and what follows from a fact about the project.
    cue(
        "constraint",
        r"^(?:you(?:'re| are|re)|we(?:'re| are)|i(?:'m| am)) (?:in|inside|on|running (?:in|on)|using|stuck on|behind) (?:an? |the )?(?!(?:wrong|right|same|middle|second|first|other|main|develop|master|a roll)\b)[\w .+/-]{2,40}(?:,| [–—-]+|;)? (?:so|hence|therefore|thus|with no|without|no|there(?:'s| is) no|you (?:can'?t|cannot))\b",
        r"\bbecause (?:this|it) is (?:an? )?(?:public|open[- ]source|private|closed[- ]source|production|shared) (?:repo|repository|project|server|machine|cluster)",
        r"^(?:this|it)(?:'s| is) (?:an? )?(?:public|open[- ]source|private|closed[- ]source|production|shared|legacy|internal|regulated|hobby|toy|proof of concept|greenfield|prototype)\b ?(?:repo|repository|project|server|machine|cluster|code ?base|system|product|database)?\b(?!.* (?:bug|error|problem)).*",
    ),
    cue(
        "preference",
        rf"^(?:for|in|under|inside|within|on|with) (?!(?:this|that|the (?:next|last|second|first)|now|today)\b)[\w ./`*-]{{2,50}}, (?:please |you |we )?(?:always |only |never |{_NOT} |must |should )(?:{_DO}|\w+)\b",
        r"^(?:please )?use [\w@./+-]+(?: [\w@./+-]+)? (?:for|in|with|on) (?:everything\b|all\b|every\b|any\b|anything\b)",
        rf"^for [^,]{{3,50}}, (?:please )?(?:always )?use (?!(?:a|an|the|this|that) )[\w@].*{_INSTEAD}",
        r"^use (?:british|american|us|uk) (?:spelling|english)\b",
        rf"^(?:on|in|for|under|inside) (?!(?:this|that)\b)[\w ./`*'-]{{2,50}}?,? (?:always|never|only|please always|please never) (?:{_DO}|[\w-]+ (?:is|are|merges|dependencies|syntax))\b",
        r"^(?:on|in|for|under|inside) (?!(?:this|that)\b)[\w ./`*'-]{2,40} (?:we )?(?:always|never|only) [\w-]+\b.*",
        r"^(?:in|inside|under|on) (?!(?:this|that)\b)[\w ./`*-]{2,40},? no [\w -]{3,40}(?: (?:is|are) allowed|[.!]?$)",
        r"^(?:in|for) (?:this|our) (?:repo|repository|project|codebase|monorepo|team|company),? (?:we|always|never|please|the|all|every|use|don'?t|no)\b.*",
        r"^when (?!(?:you(?:'re| are)? (?:done|finished)|it|this|that|the)\b)[\w ./`'-]{3,50},? (?:always|never|please always|first|i (?:always|never))\b.*",
        r"^(?:please )?remember to (?:always|never)\b",
        r"^(?:whoever|the user|i) (?:do|does|handle|handles|run|runs) (?:the )?[\w ]+ (?:myself|themselves)\b",
    ),
    cue(
        "decision",
        r"\b(?:we|i|the team)(?:'ve| have)? (?:now )?(?:decided|agreed|settled|chosen|chose|opted|standardi[sz]ed) (?:to|on|for|that|against)\b(?! (?:it|this|that)\b).{5,}",
        r"^(?:the )?decision ?(?:is|:) ?.{8,}",
        r"\b(?:(?:let'?s|we'll|we will|i think we want to) (?:just )?(?:use|go with|switch to|stick (?:with|to)|move to|keep|adopt|drop|avoid|choose|pick|store|target|support)|we(?:'re| are) (?:using|going with|sticking with)) (?!(?:the (?:first|second|third)|option|it|this|that|a helper)\b).{3,60}?(?:\bbecause\b|\binstead of\b|\brather than\b|\bsince (?:the|our|we|it)\b)(?! (?:this|that|the)\b)",
        r"\bwe(?:'re| are) (?:going to adopt|adopting|standardi[sz]ing on)\b",
    ),
)

_FACTS = (
    cue(
        "fact",
        rf"^(?:we|our team|the team|our company|the company)(?: all| currently| also| now| mostly| only| still| just)? {_USES} {_OPEN_FACT}(?:[\w@`/.+]|[A-Z])[^?]{{1,140}}$",
        r"^(?:we|i)(?:'re| are|'m| am) (?:still |currently |now |stuck )?on (?!(?:it|this|that|the (?:wrong|right|same|main|way)|main|master|holiday|vacation|a call|my way)\b)[\w.+-]+ ?v?\d[\w.]*",
        r"^(?:we|i) (?:have|have got|'ve got|had) (?:no|only|two|three|four|five|several|a single|one|about|around|roughly|over) (?!(?:idea|time|clue|problem|failing|broken|red|open|missing|errors?|bugs?|open|more|tests? failing)\b)[\w-]+",
        r"^we (?:have )?(?:standardi[sz]ed|settled) on\b",
        r"^we(?:'re| are) (?:a|an|based|located|hosted|\d+|two|three|four|five) [\w -]+",
    ),
    cue(
        "fact",
        rf"^{_SUBJECT}(?:(?: for| of| in| on| behind)? [\w'`./-]+){{0,4}}? (?:(?:also|always|only|now|still|currently) )?(?:{_USES}) {_OPEN_FACT}[\w@`/]",
        rf"^{_SUBJECT}(?:(?: for| of| in| on| behind)? [\w'`./-]+){{0,4}}? (?:is|are|equals?) (?:(?:always|currently|now|still|only|all|being|not) )?(?:{_STATE})\b(?: (?:by|in|on|with|at|under|from|through|via|over|using|to|into|as|for|between|every|[\"'`A-Z0-9]|nightly|weekly|[a-z]+))",
        rf"^{_SUBJECT}(?: (?:for|of) [\w -]{{2,30}})? (?:is|are|equals?) (?!(?:broken|red|down|slow|blank|empty|gone|missing|wrong|failing|ok|fine|good|bad|green|done|not|too|still|now|so|very|really|running|at|the (?:problem|issue|bug|same|wrong))\b)"
        r"(?:(?:a |an |the )?(?-i:[A-Z])[\w.+-]*|[\w.+-]*\d[\w.:-]*|`[^`]+`|/\S+|(?:called|named) \S+|(?:a |an )?(?:public|private|open[- ]source|monorepo|mono-repo|hobby|internal|commercial|single|shared|daily|nightly|weekly|monthly|read[- ]only|mostly|copy)\b.*|trunk|main|master|develop|pytest|vitest|jest|[a-z]+(?:js|db|sql|ql)\b)",
        r"^(?:this|the) (?:repo|repository|project|product|code ?base|app|board|device|server)(?:sitory)? (?:is|has|must run|runs|needs|targets|was) (?!(?:broken|red|down|slow|a (?:mess|bug|problem)|been|in (?:the|a bad)|no (?:output|error)|the (?:problem|bug))\b)\w+",
        r"^my (?:name|time ?zone|pronouns|editor|os|shell|machine|keyboard|terminal|role|native language|team|github (?:name|handle)) (?:is|are|runs|has) \w+",
    ),
    cue(
        "fact",
        r"^i(?:'m| am) (?:based|located|living|working|left[- ]handed|right[- ]handed|colou?r[- ]?blind|dyslexic|new to|not a|an? [\w-]+ (?:developer|engineer|designer|scientist|student|writer|researcher|manager|analyst)|the (?:maintainer|owner|lead|only)|using|in charge of|responsible for|allergic|deaf|blind)\b(?!.*\b(?:today|right now|this (?:file|branch|page)|the second|the first)\b)",
        r"^i (?:work|live|develop|code|program) (?:from|in|on|at|for|with|as)\b(?!.*\b(?:today|tomorrow|right now|this|it)\b) [\w'. -]{2,60}$",
        r"^i (?:use|run) (?!(?:it|this|that|the|a)\b)[\w.+-]+(?: [\w.+-]+){0,3} (?:as|for|on) (?:my|all|everything|every)\b",
    ),
    cue(
        "fact",
        r"^there(?:'s| is| are) (?:no|only one|only|two|three|four|several) (?:staging|production|test|dev|qa|ops|separate|shared|ci|environments?|backup|admin|root|docker|gpus?|api|database|design|mobile|sandbox)\b[\w ,-]*",
    ),
    cue(
        "fact",
        rf"^(?:also |all )?{_BARE_SUBJECT}(?: [\w'-]+)? (?:is|are) (?:(?:always|only|never|now|still|all|not) )?(?:{_STATE})\b(?! (?:again|wrong|twice|incorrectly)\b).{{2,}}",
        rf"^(?:also |all )?(?!we )(?:our )?{_BARE_SUBJECT} (?:(?:also|always|only|now) )?(?:run|runs|use|uses|live|lives|go|goes|target|targets|belong|reads?|needs? (?:node|python|java|docker)|deploys?|talks? to|sits?|happen on|listens?|ship on)\b (?!(?:fine|again|slow|well|ok|out|through|wrong)\b)\S.{{2,}}",
        r"^(?:the |our )?[\w' -]{3,40}? (?:lives?|runs? on|is (?:built|written|hosted|deployed|stored|defined|called|named|managed|configured|kept|documented|owned|maintained)(?: \w+)?|goes to|talks to|listens on|reads its) (?:in|on|at|under|with|by|from|behind|via|as|to|port)? ?(?:(?-i:[A-Z])\S*|`[^`]+`|[\w.-]+/\S*|\S*\d\S*|\w+ \d\S*)",
        r"^(?:the|our) (?:\w+ ){0,2}team (?:meets|works|sits|releases|deploys|prefers|uses|owns|is (?:spread|in|based|remote|split))\b",
        r"^(?:the|our) [\w -]{3,30} (?:is|are|will be) (?:on )?(?:\d{1,2} )?(?-i:(?:January|February|March|April|May|June|July|August|September|October|November|December)|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?)\b",
        r"^(?!here|there|this|that|it|what|everything|nothing|he|she|they|one\b)(?-i:[A-Z])[a-z]+ (?:reviews|owns|approves|handles|manages|maintains|decides|deploys|signs off|runs|is responsible for|is in charge of|is the) (?:all|every\w*|any\w*|the|our|on|what|releases|[a-z]+)\b",
        r"^(?:please )?ask (?:the [\w -]+ team|(?-i:[A-Z])\w+|legal|security|finance|ops|design) (?:first |before)",
        r"^(?:the|our) (?!(?:test|tests|build|page|bug|error|problem)\b)[\w' -]{3,30} (?:has|have) (?:\d[\d.,]*|no|only) ?(?:[kmg]i?b|mb|gb|kb|cores?|mhz|hz|users?|customers?|file system|network|internet|tests|gpus?)\b.*",
        r"^(?:releases|deploys|deployments|standups?|retros?|sprints?) (?:are|is|happen|happens|start|starts|end|ends|take place|last) (?!(?:broken|late|done)\b)(?:every|on|at|in|by|two|one|weekly|monthly|cut)\b.*",
    ),
)

_WEAK = (
    cue(
        "constraint",
        rf"^(?:please )?{_NOT} (?:ever )?{_DO} {_GENERIC_OBJECT}\w",
        rf"\b(?:you|we) (?:must|should|have to|need to|shouldn'?t|mustn'?t|must not|should not)(?: not)? {_DO}\b",
        r"^(?!(?:i|it|this|that|there|they|he|she)\b)[\w ,`'’./-]{3,60}? (?:must|should|has to|have to|needs? to) (?:not |never |only |always )?\w+",
        r"^(?:please )?(?:make|be) sure\b",
        r"^(?:please )?ensure\b",
        r"^(?:please )?avoid \w+",
        r"^no [\w-]+s?\b",
        r"^only \w+",
    ),
    cue(
        "preference",
        r"^(?:please )?(?:use|keep|prefer) (?!(?:it|this|that|these|those|the (?:first|second|last|other|same))\b)\w+ \w+",
    ),
    cue(
        "decision",
        r"\b(?:i|we) (?:want|need|would like) (?!(?:you|it|this|that)\b)\w+ \w+ \w+",
        r"^let's (?:use|keep|go with|drop|move)\b .{6,}",
    ),
    cue(
        "fact",
        r"\b(?:we|i|it'?s?|is|are|they) no longer (?!(?:needed|see|works?|fails?|get)\b)\w+",
        r"\b(?:is|are|were|was) (?:deprecated|archived|obsolete|discontinued|retired|sunset)\b",
        r"\bwe (?:deprecated|archived|retired|removed|dropped) \w+",
        rf"\bwe (?:also |explicitly |already )?{_USES} \w+",
    ),
)

_NAME = r"(?-i:[A-Z][\w.+#-]*(?: [A-Z0-9][\w.+#-]*){0,2}|[a-z]*[\d.+#-][\w.+#-]*)|npm|pnpm|yarn|bun|pip|uv|poetry|make|just|jest|vitest|mocha|pytest|ruff|black|eslint|biome|webpack|vite|docker|podman|node|deno|go|rust|php|python|redis|postgres|mysql|sqlite|[a-z]+js"
_CHANGE = (
    Change(
        rf"\b(?:we|the team|our team|the project|it|i)(?:'re| are|'ve| have| is| has)? (?:now |just |finally |also )*(?:switch(?:ing|ed)?|mov(?:ing|ed)|migrat(?:ing|ed)|chang(?:ing|ed)) (?:(?:over|away|everything|all \w+|our \w+|completely) ){{0,2}}from (?P<old>{_NAME}) (?:over )?to (?P<new>{_NAME})\b(?!.*\b(?:today|tomorrow|next (?:week|month|year)|some day|someday)\b)",
        "We use {new}.",
        "We use {new} instead of {old}.",
    ),
    Change(
        rf"\b(?:we|the team|i)(?:'re| are|'ve| have| is)? (?:now |just |also )*(?:replac(?:ing|ed)|dropp(?:ing|ed)|ditch(?:ing|ed)|abandon(?:ing|ed)) (?P<old>{_NAME}|our own \w+) (?:with|by|for|in favou?r of|and (?:went|go|going) (?:back )?to) (?P<new>{_NAME})\b",
        "We use {new}.",
        "We use {new} instead of {old}.",
    ),
    Change(
        rf"\b(?:is|are|was|were) (?:being )?(?:rewritten|ported|migrated|moved|converted) (?:\w+ )?from (?P<old>{_NAME}) to (?P<new>{_NAME})\b",
        "",
        "",
    ),
    Change(
        rf"\b(?:we|the team)(?:'ve| have)? (?:just |now |finally )?(?:switched|moved|migrated|upgraded|updated) (?:everything |over )?to (?P<new>{_NAME}(?: \d[\d.]*)?)[.!]?$",
        "We use {new}.",
        "",
    ),
    Change(
        r"\b(?:we|i|the team)(?:'re| are|'ve| have)? (?:(?:now |just )?(?:dropp(?:ing|ed)|ditch(?:ing|ed)|retir(?:ing|ed))|no longer (?:use|support|need|have|run|maintain|ship|target|want|deploy to)) (?P<old>[\w@.+#-]+(?: [\w.+#-]+){0,3})[.!]?$",
        "",
        "",
        "We no longer use {old}.",
    ),
)

LANGUAGE = Language(
    code="en",
    shortest=10,
    verbs=_VERBS,
    day=DAY,
    lasting=_LASTING,
    facts=_FACTS,
    weak=_WEAK,
    change=_CHANGE,
    lead=(
        r"(?:ok(?:ay)?|yes|yeah|yep|yup|so|and|but|also|oh|ah|hey|hi|hello|hmm+|btw|fyi|ps|p\.s|nb|pls|plz|anyway|listen|look|then|attention|again|lately|well|right|sure|great|perfect|nice|good|cool|thanks|thank you|sorry|fine|wait|hold on|alright|note|notice|info|please note(?: that)?|no|nope|nah|yo|guys|folks|everyone|claude|codex|gemini)(?: ?[–—]|[,.:;!-])+ |"
        r"(?:ok(?:ay)?|yes|yeah|so|and|but|also|oh|hey|hi|btw|fyi|actually|anyway|plus|well|please)(?:,)? |"
        r"(?:one (?:more|other|last) thing|by the way|just so you know|for the record|oh and|before i forget|one thing before i forget|and this matters|and this is important|heads up|quick (?:note|one)|last but not least|in addition|additionally|furthermore|moreover|actually|first|second|finally|in my opinion|imo|i think|i really think|honestly|to be clear|to be honest|in short)(?: for next time)?(?: ?[–—]|[,.:;!-])+ |"
        r"(?:i think|i really think|i believe|i feel|in my opinion|imho) (?:that )?(?=(?:we|you) (?:should|must) (?:always|never)\b)|"
        r"(?:wasn't i clear|what is this|why do you|did you|is that the real key)[^?]*\? |"
        r"(?:actually|correction|scratch that|strike that|change of plans?|i changed my mind|i've changed my mind|forget (?:that|it|what i said[^:,.]{0,40})|that rule is outdated|i was wrong[^,.:]{0,30}|on second thought|my bad|update|i take that back)(?: ?[–—]|[,.:;!-])+ |"
        r"(?:that's|that is|which is) why "
    ),
    lasting_lead=(
        r"(?:very |super |really |most |it is )?important(?:ly)?(?: ?[–—]|[,.:;!-])+ (?=.*\b(?:always|never|must|only)\b)|"
        r"(?:please |also |and |always |just )*(?:remember|keep in mind|bear in mind|note|take note|be aware|mind|don'?t forget|do not forget|never forget|make a note|memori[sz]e)(?: (?:that|this)\b)?(?: ?[–—]|[,:;!-]+)? (?!(?:what|when (?:i|we)|how|to (?!always|never)|me|it\b|this|where|the (?:setup|above)|not to|we (?:talked|discussed)|i (?:said|told)|you (?:said|told)|whether|if)\b)|"
        r"(?:note|notes?|memo|reminder(?! ?: i\b))(?: to (?:self|you|yourself|all|the agent|claude)(?: and (?:to )?(?:you|me|self))?)?(?: for (?:later|next time|the future|future sessions))?(?: ?[–—]|[:;!-])+ |"
        r"(?:quick|friendly|gentle|just a|small|another) (?:reminder|note)(?: for next time)?(?: ?[–—]|[,.:;!-])+ (?!(?:i (?:need|have|am)|where|can|the demo)\b)|"
        r"for (?:your )?(?:future reference|the future|next time|later|the record)(?: ?[–—]|[,.:;!-])+ |"
        r"(?:golden rule|rule (?:number one|no\.? ?1|of thumb|\d)|house rule|general rule|ground rule|new rule|the rule is|team rule|our rule)(?: ?[–—]|[,.:;!-])+ |"
        r"(?:correction|update)(?: ?[–—]|[:;!-])+ (?!(?:line|row|page|the (?:second|first|other))\b)(?=\w+ (?:is|are) due\b)|"
        r"fyi(?: ?[–—]|[,.:;!-])* (?=(?:the|our|we|all|this) )"
    ),
    polite=(
        r"(?:(?:can|could|would|will) (?:you|we please)(?: please)?|would you (?:please )?mind|will you please|could you please|can i ask you to) (?:please )?(?=(?:from now on|in future|always|never|stop \w+ing|not ever|keep (?:your|the) (?:answers|replies))\b)|"
        r"(?:can|could|would|will) (?:you|we please)(?: please)? (?=.*\b(?:from now on|in (?:the )?future|going forward|next time|every time|always)\b)"
    ),
    question=(
        r"[?？][\"')\]]*\s*$|"
        r"^(?:how|what|why|where|which|who|whose|is|are|does|did|do (?:you|we|i|they)|should (?:i|we|it|the|this)|shall (?:i|we)|can (?:i|we|it|the|you)|could (?:i|we|it|the|you)|was|were|has|have (?:we|you|they)|would (?:it|you|that|this)|will (?:it|this|that|you)|must (?:the|we|i|it)|may i|am i)\b(?! (?:more|is more|matters)\b)|"
        r", (?:right|no|correct|or not|isn't it|aren't they|don't we)\??$"
    ),
    hypothesis=(
        r"\b(?:maybe|perhaps|not sure|i'm unsure|i am unsure|i wonder|wondering|what if|suppose|supposing|hypothetically|might|could (?:be|try|also|always|use|drop|migrate)|one option|an option|another option|would be (?:great|nice|better|cool)|i was thinking|thinking about|thinking of|kind of feel|i'm tempted|some ?day|probably|possibly|presumably|ideally|i guess|i suspect|i assume|i suppose|i expect|my guess|i'd guess|it seems|seems (?:like|to)|looks like|would it|how about|why not)\b|"
        r"\bi (?:would|will|could|may)(?! rather| like| prefer)\b.*\b(?:try|test|look|see|think)\b|\bi would (?:expect|guess|assume|say|suspect)\b|\bi think it (?:would|is|might)\b|\bi(?:'m| am) (?:planning|going|about|trying|hoping) to\b|\bi(?:'ll| will) (?:move|try|look|check|do)\b|\bwe(?:'ll| will) see\b"
    ),
    passing=(
        r"\b(?:for now|right now|just now|at the moment|this time|for today|today|tomorrow|yesterday|tonight|this (?:morning|afternoon|evening|week|weekend|session|once)|for the moment|for (?:the )?time being)\b|"
        r"\b(?:until|till) (?:i(?:'m| am| come| get| say| have finished)|we|you|then|tomorrow|monday)\b|\b(?:not yet|temporarily|one[- ]off|just this once|one more (?:release|time|day|week|month)|for once|quickly)\b|^(?!.*\b(?:no|always|never|any ?more|no longer)\b).*\b(?:yet|now)[.!]?$|"
        r"^(?:acceptance|definition of done|acceptance criteria|user story)\b|\bin this session\b|\bfor this (?:dialog|task|pr|commit|file|test|one|release|change|function|branch|feature|demo)\b|\bon this (?:branch|one|pr|machine)\b|\bfor the (?:next|current) (?:release|pr|commit|step|demo)\b|"
        r"\bnever ?mind\b|\blet me know\b|\b(?:ignore|disregard|forget) (?:\w+ ){0,3}(?:previous|prior|above|earlier|your|all) (?:\w+ )?(?:instructions?|rules?|prompts?)\b|"
        r"\b(?:when|once|after) (?:you(?:'re|r)?|you are|it'?s|it is|that'?s|everything is) (?:done|finished|ready)\b|\bbefore you (?:finish|stop|are done|report|continue|go on|start with this)\b|"
        r"\b(?:just|only) (?:tell|report|show|look|analy[sz]e|describe|list|explain|want (?:your|the|to|an?)|print|answer|give me your)\b(?!.*\b(?:always|from now on)\b)|\breport back\b|\bnever speak of\b|\bdon'?t (?:worry|bother|panic|hurry)\b|\bas soon as\b"
    ),
    condition=(r"^(?:if|unless|once|in case|provided|as long as|should the|assuming|even if|until) \b"),
    report=(
        r"^(?:all|every|each) .*\bneeds? to be \w+(?:ed|t|n)\b|^(?!(?:please )?(?:always|never|don'?t|do not|dont|make sure|ensure|no|stop|whenever|every time|use)\b).*?(?:\b(?:always|never|ever|still|constantly|each time|every time|all|no \w+|every \w+|each \w+)\b (?:\w+ ){0,3}?(?:fails?|failed|crash(?:es|ed|ing)?|works?|worked|breaks?|broke|times? out|timed out|throws?|threw|hangs?|happens?|happened|shows?|showed|returns?|returned|prints?|printed|gets?|got|ends? up|came|comes up|seen|saw|heard|had|did|does|was|were|been|seems?|crashes|respond(?:s|ed)|missing|looked|complains?|gives? me|gave|passes since)\b|"
        r"\b(?:nothing|nobody|no test|none) (?:is|works|happens|passes|shows|was|gets)\b|\bthat is the (?:bug|problem)\b|\bfail(?:s|ed)? with\b|\b(?:is|are) (?:broken|failing|missing|red|down|hanging|wrong|gone|blank|empty|flaky)\b|\bthrows an?\b|\bi (?:can'?t|cannot|couldn't) (?:find|see|reproduce|open)\b|\bhas (?:been|never been)\b|\b(?:is|are|was|were) never (?:called|invalidated|reached|used|set|updated|executed|hit|closed|freed|triggered|written|shown|cleared)\b|\bmust (?:be (?:a|an|the|some|something|because|in)|have (?:been|had|got|gone|\w+ed))\b)"
    ),
    spec=(
        rf"\b(?:(?:every|each|all|all the|all of the|any) (?:[\w-]+ ){{0,2}}?{_UI}|(?:the|this|that|second|first|new|a|an|both) (?:[\w-]+ ){{0,2}}?{_PART})(?: [\w/-]+){{0,6}}? (?:must|should|shall|has to|have to|needs?(?: to)?|can|will|may|always|never)\b(?! be able to always)|"
        rf"^(?:every|each|all) (?:\w+ )?(?:test|case|function|class|method|file|row|test case)s? in (?:the |this )?[\w./-]+\.\w+|"
        rf"\b(?:acceptance|definition of done|acceptance criteria|user story)\b|^(?:the|each|every|all)\b.*\b(?:on|in|of) the (?:[\w-]+ )?(?:page|screen|dashboard|form|dialog|table|sidebar|list|wizard|menu|toolbar|landing page|view)\b|"
        r"\b(?:parent|sub|root|temp) ?folders?\b|\ba [\w/]+/ (?:\w+ )?(?:folder|directory)\b|\balways (?:on top|visible|centered|left|right|red|blue)\b|\bmake the\b.*\b(?:always|visible|bigger)\b|\b(?:retry|attempt|level|round|turn) (?:should|must)\b|\bwait twice\b"
    ),
    dangling=(
        r"^(?:it|they|these|those|he|she)\b(?! (?:is|are) (?:our|my) (?:policy|rule|convention))|^(?:this|that)\b(?! (?:repo|repository|project|codebase|team|code ?base|package|monorepo|product|app|is an? (?:public|open|private|closed|production|shared|legacy|internal|regulated|hobby|toy|proof|greenfield|prototype)|board|server|machine|device))|"
        r"\b(?:(?:this|that)(?! (?:two|three|four|five)\b)|these|those|the (?:above|below|following|current|first|second|third|last|other|latter|former|existing|remaining)) (?:(?:two|three|four|five)|ones?|files?|functions?|methods?|class|tests?|pr|branch|commit|bug|errors?|changes?|lines?|cases?|times?|way|stuff|things?|phase|version|step|task|feature|issue|approach|option|part|section|plan|image|patch|value|field|table|endpoint|page|button|message|component|variable|name|mockups?|reset|call|helper)\b|"
        r"\b(?:do|does|like|use|using|change|fix|remove|delete|keep|put|run|add|revert|undo|doing|try|make|want|about|ask about|touch|merge|push|commit|write) (?:it|this|that|these|those|them|so)\b(?=[.,!?; ]*$| (?:again|here|now|there|yet|too|instead|either|yourself|like)\b)|"
        r"^(?:use|put|keep|call|pick|choose|run|take|move|rename)\b.*\bthe (?:existing|current|old|other|original|previous|bigger|smaller)\b|"
        r"\b(?:use|like|follow|implement|with|apply|take|of) your (?:\w+ )?(?:approach|suggestions?|plan|proposal|recommendation)\b|\b(?:as|like) (?:above|below|before|you said|discussed)[.!]?$|^(?:ask|tell) me (?:about|when|if) (?:it|this|that)\b|\b(?:above|below)[.!]?$|\boption [a-d\d]\b|\bline \d+\b"
    ),
    joint=r"[;:?!.] | ?[–—]+ ?| - |[,;] (?:so|and|but|then|because|hence|therefore|i|we|since)(?: please| also)? |[,;] (?=(?:always|never|please|don'?t|do not|from now on|use|we|no|only|first|next time)\b)|[.!?] |\bso (?=(?:never|always|don'?t|please|no)\b)|[^\x00-\x7f]+ (?=(?:always|never|don'?t|use|write|no)\b)",
    request=rf"^(?:please )?(?!(?:stop|use|prefer|keep|avoid|write|quit)\b){_DO} (?:me |it |this |that |the |a |an )?\w+|^(?:can|could|would) you\b",
    fixed=(
        r"(?:(?:ok(?:ay)?|yes|yep|yeah|great|perfect|nice|awesome|cool|thanks|thank you|wow|good|finally|right|it seems)[,.! ]+)*"
        r"(?:(?:that|this|it)(?:'s| has|'s all| all)? (?:\w+ )?(?:fixed|solved|worked|works|did|helped|resolved|was|is)(?: (?:it|the trick|the (?:issue|problem|bug)|that|now|again|great|perfectly|fine|with|after|once))*|(?:all )?(?:fixed|solved|resolved|works(?: now)?|working now|confirmed|works (?:fine|again|now))|(?:that|which) did (?:the trick|it)|problem solved|the (?:missing piece|fix|culprit|problem|issue|cause|solution|trick) was|(?=clearing|downgrading|upgrading|setting|adding|removing|restarting|pinning|reinstalling))"
        r"(?:[,.:;!–—-]+ ?|$| (?=that|with|after|when|once|the|because|to|if)|(?<=clearing)|(?=clearing|downgrading|upgrading|setting|adding|removing|restarting|pinning|reinstalling))"
    ),
    explains=(
        r"\b(?:needs?|ha[sd] to|have to|must|requires?|was (?:the|that|missing|caused|because|wrong|too)|only (?:when|if|runs|works)|never|does(?:n't| not)|did(?:n't| not)|breaks?|fixes|was the (?:fix|problem|cause|culprit)|we need to|you need to|the (?:problem|issue|cause|culprit|fix) was|because|without|expects?|is not|isn't|wants?)\b(?! (?:you|to thank))(?!.*\bnow (?:do|the)\b)"
    ),
    points_back=rf"^(?:please )?(?:never|{_NOT} ever|{_NOT}) (?:ever )?do (?:that|this|it) (?:again|yourself|by yourself|on your own|for me)|^(?:please )?never (?:start|run|touch|do|merge|push|commit|change) (?:them|it|that|those) (?:again|by yourself|on your own|yourself)",
    wording=(
        (r"^(?:the )?agent ", "The agent "),
        (r"^please ", ""),
        (r"^i (?:really )?think (?:that )?we\b", "We"),
        (r"^i(?:'ve| have)? (?:already )?told you not to ", "Do not "),
        (r"^i(?:'ve| have)? (?:already )?told you (?:to |that )", ""),
        (r"^as i (?:said|told you)(?: before)?, (?:please )?", ""),
        (r"^(?:make|be) sure to ", ""),
        (r"^remember to ", ""),
        (r"^(?:from now on|going forward|henceforth|from here on|from this point on)[,:]? (?=\w+)", ""),
        (r"^(?:next time|in (?:the )?future)[,:]? ", ""),
        (r",? from now on(?=[.!]?$)", ""),
        (r"^please ", ""),
        (r"^dont ", "Don't "),
        (r"^(?:let'?s|let us) (?:just )?", ""),
        (r"^i(?:'d| would) (?:much )?rather ", "The user would rather "),
        (
            r"^i ((?:strongly |really |generally |usually |still |much )?)(prefer|hate|dislike|like|love|want|need)\b",
            r"The user \1\2s",
        ),
        (r"^i(?:'d| would) like\b", "The user wants"),
        (r"^i (?:really )?(?:don'?t|do not) like\b", "The user does not like"),
        (r"^i can'?t stand\b", "The user cannot stand"),
        (r"^i (?:\w+ly )?(?:don'?t|do not) want\b", "The user does not want"),
        (r"^i (always|never) want\b", r"The user \1 wants"),
        (
            r"^i (always|never|usually|only) (use|write|run|commit|deploy|format|name|review|test|work|read|start|keep|open|sign|ship|indent|log|tag|draft)\b",
            r"The user \1 \2s",
        ),
        (r"^i (always|never|usually|only) squash\b", r"The user \1 squashes"),
        (r"^i(?:'ve| have)? decided\b", "The user decided"),
        (r"^i(?:'m| am)\b", "The user is"),
        (r"^i (work|live|use|run)\b", r"The user \1s"),
        (r"^my (name|time ?zone|editor|pronouns|os|shell)\b", r"The user's \1"),
        (r"^i(?:'ve| have)? noticed (?:that )?you\b", "The user objected to the agent"),
        (r"^you keep\b", "The user objected that the agent keeps"),
    ),
)
