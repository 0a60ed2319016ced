"""English: what makes a rule, a preference or a decision last."""

from __future__ import annotations

from slowwave.text.languages.english_words import (
    ADJ,
    BARE,
    CODE,
    DO,
    FAULT,
    GENERAL_NOUN,
    GENERIC_OBJECT,
    INSTEAD,
    LOCAL,
    MODAL,
    NOT,
    OPEN_FACT,
    PERMISSION,
    PROCESS,
    REASON,
    UI,
)
from slowwave.text.languages.grammar import cue

LASTING = (
    cue(
        "constraint",
        r"^(?:please )?keep (?!(?:it|this|that|them|the (?:old|first|second|last))\b)(?:the |our |all )?[\w -]{3,40} (?:compatible|portable|small|short|simple|stateless|idempotent|sorted|alphabetical|reproducible|deterministic|backwards? compatible|free of \w+|in sync|up to date)\b(?! here)(?:.*,.*|.* with .*|.* in .*)",
    ),
    cue(
        "constraint",
        r"^(?!(?:it|this|that|they|he|she)\b)[\w' -]{3,40} (?:must|have to|need to|should) .*\bbefore (?:(?:the|a|every|each|you|we|they are|being|any) )?(?:commit(?:ted|ting)?|merge|merging|merged|push(?:ed|ing)?|release[ds]?|deploy(?:ed|ment|ing)?|review)\b.*",
        r"^we (?:name|label|tag|prefix|group|order|version|number|split|structure) (?!(?:it|this|that|them)\b)\w+.* (?:after|by|with|per|like|into|according)\b.*",
    ),
    # A stance of the owner: a contrast, a default, a standard to follow, a recurring activity, a place to look.
    cue(
        "constraint",
        r"^(?!(?:it|this|that|these|those|they|he|she)\b)[\w ,'-]{3,60} (?:must|should|can|may|shall) (?-i:NEVER|ALWAYS)\b",
    ),
    cue(
        "decision",
        r"^(?:for (?:the )?[\w./-]+(?: \w+){0,2}, )?(?!(?:it|this|that|these|those|they|there|what|everything)\b)[\w ,'./-]{3,60}? (?:(?:should|must|shall|has to|have to|needs? to) (?:not |never |only |always )?(?:be |live |go |stay |sit )?(?:stored |kept |placed |put )?|belongs? )(?:in|under|into|inside) (?:the |our )?[\"'`]*(?:[\w.-]*/[\w./-]*|(?!(?:same|other|right|wrong|new|old|parent)\b)[\w./-]+[\"'`]* (?:folder|directory))",
    ),
    cue(
        "decision",
        r"\b(?:should|must|has to|have to|needs? to) (?:not|never) .{2,80}\b(?:but (?:instead|rather|use|only)|(?:it|they) should be|should (?:only )?be in)\b.*",
        r"^(?!it\b)(?:only (?:the |an? |our )?[\w`@./' -]{2,40}) (?:should|must|may|can|needs? to|has to)\b.*",
        r"\bshould .{2,60}\b\d[\w.]* ?\w*,? not \d+.*",
        r"\bshould (?:not |never |always |only )?be (?:the |our )?default\b.*",
        r"\b[\w-]+ (?:should|must) (?:align|be aligned|be consistent|comply|conform) (?:with|to)\b.*|\b[\w-]+ (?:should|must) (?:follow|adhere to|match) (?-i:[A-Z])\w+.*",
        r"\b(?:we|you) (?:should|must|need to|have to) .{4,}\b(?:when|whenever) (?:you |we )?(?:design|write|build|add|create|implement|review|deploy|test|refactor|document)(?:ing|ting)?\b.*",
        r"\bwe should (?!(?:\w+ ){1,3}(?:this|that|it)\b)\w+ .{4,}\b(?:given that|because|since (?:we|the|our)|so that)\b.*",
        r"\b(?:i'd like|i would like|i want|i prefer) to (?:see|have|get|use) .{3,}\b(?:instead of|rather than)\b.*",
        r"^not (?:as )?(?:an? |the )?\w+.*, but (?:as )?(?:an? |the )?\w+ \w+.*",
        r"^(?:max(?:imum)?|at most|no more than|min(?:imum)?|at least) (?:\w+ ){1,3}per \w+.*",
        r"^(?:please )?keep (?:our|all|all our|all the|any) [\w -]{3,40} in [\w ./`-]+[.!]?$",
        r"\b(?:i |we )?(?:don't|do not|dont) want (?:my|our|any) .{2,60}\b(?:public|published|shared|in (?:the )?(?:repo|logs|git|public)|on (?:github|the internet)|leaked?|committed)\b.*",
        r"^if you (?:ever )?(?:need|want|have) to .{3,80}\b(?:refer to|use|look (?:at|in|into)|check|see|ask|read|consult|go to)\b.*",
        r"\b(?:our|the) (?:convention|pattern|rule|policy|standard|practice|agreement)(?: here)? (?:is|was|has always been) (?:to|that)\b.*",
        r"^set (?:the |all |all the |your |my |our )?[\w -]{3,30} to (?:always |only )?(?:use )?(?-i:[A-Z])[\w.-]*(?: [\d.]+)?[.!]?$",
        r"\bremember to (?:use|include|check|keep|follow|respect|add|handle|escape|validate) \S+ \w\S*(?:\b|$)(?!.*\b(?:when you(?:'re| are) done|after this)\b).*",
        r"^.{10,}(?:,| )(?:don'?t forget(?: it)?,? it'?s important|this is (?:very |really )?important|(?:it'?s|that'?s) (?:very |really )?important)[.!]*$",
    ),
    cue(
        "fact",
        r"\b(?:we|i) no longer (?:need|use|support|have|maintain|want|ship|target|run) (?!(?:it|this|that|them|these|those)\b)\w+.*",
        r"\b(?:because|since|as|cause|becasuse|becuase) (?:it|they|we|these|those|that|\w+)(?:'s|'re| is| are| was| were| have| has)? (?:no longer (?:supported|used|maintained|needed|available|there)|deprecated|archived|discontinued|obsolete)\b.*",
        r"\b(?:is|are|was|were|being|been|we're|we are|archiving|deprecating|retiring) (?:now |all |being )?(?:deprecated|archived|archinving|discontinued|sunset|(?:archiving|deprecating|retiring) [\w`@.-]+)\b.*",
        r"\b(?:the|our) [\w`@./ -]{3,50} (?:is|are) (?:just|only|actually|really|called|named) [\"`'][^\"`']+[\"`'],? not [\"`'].*",
        r"^we (?:configure|set|keep|define|store|declare|document) (?!(?:it|this|that|them)\b)(?:the |our |all )?[\w -]{3,40} (?:locally|globally|manually|by hand|centrally|per \w+|in \S+|through \S+|via \S+)\b.*",
    ),
    cue(
        "preference",
        r"\b(?:i'd like|i would like|i want|i expect) (?:all|every|each) (?:of )?(?:my|our|your)\b.*",
        rf"^(?:please )?(?:{NOT} )?(?:{DO})\b.*,? (?:always|every time|each time|every single time|without exception)[.!]?$",
        r"\byou (?:have to|must|need to|should) (?:ask|check|tell|run|use|call|inform|consult)\b.*\b(?:every time|each time|first|always)[.!]?$",
        rf"^(?:please )?{NOT} {DO}\b (?!(?:it|this|that|them|the (?:first|second|last|other))\b).*, (?:the )?\w+ (?:doesn't|don't|won't|hates?|complains?|requires?|insists?|forbids?|wants?)\b",
        r"^(?:here |in our team |in this team |with us )?(?:nobody|no one|none of us) (?:here |of us |ever )?(?:merges|edits|pushes|commits|deploys|touches|reviews|changes|runs|writes|uses|releases|approves|logs|works)\b.*",
        r"^whatever (?:you do|happens), (?:never|always|don't|do not)\b.*",
    ),
    # Adverbs of always and never before what is to be done.
    cue(
        "constraint",
        rf"^(?:please )?(?:never(?: ever)?(?: again)?|(?:{NOT}|just don't) ever|under no circumstances|at no point) (?:please )?{BARE}(?:{DO})\b",
        rf"^(?:please )?{NOT} (?:{DO})\b.*\b(?:any ?more|any longer|ever again|ever|at all times)\b(?! (?:you|i) )",
        r"\b(?:you|we|agents?|everyone|nobody) (?:(?:really|absolutely|just) )?(?:must|should|shall|may|can|could|need to|have to|ought to|are to) (?:really )?(?:always|never|only|under no)\b",
        r"\b(?:you|we) (?:really )?(?:must not|mustn'?t|should not|shouldn'?t|may not|are not (?:allowed|supposed) to|really must not) (?:ever )?"
        rf"{DO} {GENERIC_OBJECT}(?!an? )\w",
        r"^(?:it is|it's) (?:our|my|company|team) (?:policy|rule|convention|practice|habit) (?:to|that)\b",
        rf"\b(?:we|i|the team) {NOT} (?:{DO})\b.*\b(?:any ?more|any longer)\b",
        r"^(?:everybody|everyone|nobody|no one|whoever|people) (?:must|should|may|is allowed)\b.*",
    ),
    cue(
        "preference",
        rf"^(?:please )?always {BARE}(?:{DO})\b",
        r"^(?:always|never|not) (?:using|writing|running|adding|asking|keeping|checking|answering|putting|making|explaining|committing|pushing)\b",
        rf"^(?:please )?{DO} (?!on top)[^,]*\balways[.!]?$",
        rf"^(?:please )?{DO}\b.*\b(?:at all times|without exception|no matter what|in every case|by default)\b",
        rf"^(?:by default|as a rule|as a general rule|by convention|in general|generally)[,:]? .*\b(?:{DO}|{MODAL}|gets?|goes|go|use[sd]?|we)\b",
        rf"^(?:please )?only ever {DO}\b",
        r"\b(?:i|we) (?:only ever|usually|generally|normally|typically|always|never|only) (?:want|expect|like|accept|need|do|see it)\b(?! (?:this|that|it)\b)",
    ),
    cue(
        "preference",
        r"\b(?:from now on|going forwards?|henceforth|from here on(?: out)?|from this point on(?:wards?)?|from today on)\b(?! (?:until|till)\b)",
        rf"^(?:please )?(?:next time|in (?:the )?future)\b[,:]? .*\b{DO}\b",
        rf"^(?:please )?(?:always |never |{NOT} )?{DO}\b.*\b(?:next time|in (?:the )?future)[.!]?$",
        r"\bfor (?:all )?future (?:sessions?|work|changes|commits?|tasks?|releases|prs)\b",
    ),
    # Habits: what we and I do.
    cue(
        "constraint",
        rf"\bwe (?:always|never|only) (?!(?:{FAULT})\b|(?:\w+ed|ran|did|were|was|had|got|saw)\b)\w+",
        r"\bi (?:always|never|only|usually) (?:use|write|run|commit|deploy|format|name|squash|rebase|merge|review|test|push|work|read|start|open|do the|keep|sign|prefer|ship|indent|want|develop|log|tag|draft|sketch)\b(?! (?:it|this|that)\b)",
        rf"\bwe {NOT} (?:ever )?(?:use|allow|support|mock|commit|ship|write|deploy|care about|do|rely on|want any|want|need|accept|keep|test on|target|have|log|store|merge|retry|cache|edit|vendor|pin) "
        r"(?!(?:to|it|this|that|them|the (?!same)|a |an |anything|any more of|you|more)\b)\w+",
    ),
    # What needs permission, and occasions that recur.
    cue(
        "constraint",
        rf"^(?:please )?(?:never|{NOT}|no) (?!(?:push|commit|merge) (?:this|that|it)\b).*\b{PERMISSION}\b",
        rf"^.*\b(?:{NOT}|never) .*\b{PERMISSION}\b",
        r"^(?:please )?(?:always )?(?:ask|check with|talk to|consult|ping|tell|warn|inform) (?!(?:it|him|her|them|the (?:user|worker|server))\b)[\w ]{2,24} (?:first )?(?:before|if|when(?:ever)?|about every)\b(?! (?:this|that|it)\b)(?!.*\b(?:this|that|it)[.!]?$)",
        r"^only .*\b(?:if|when|after) i (?:say|tell|ask|approve|agree|confirm)\b",
        rf"^(?:please )?(?:only )?(?:automatically )?{DO}\b.*\bunless i (?:tell|ask|say)\b",
    ),
    cue(
        "preference",
        rf"^(?:every time|each time|whenever|any ?time) [^,]{{4,90}}, (?:please |then |you (?:must|should|have to) )?(?:always |first |also |never |{NOT} )?{DO}\b",
        rf"^(?:after|before|on|with|for) (?:every|each|any|all|new) [^,]{{2,50}}(?:,|(?= (?:always|never|first)\b)) (?:please |then |you (?:must|should|have to) )?(?:always |first |also |never |{NOT} )?{DO}\b",
        rf"^(?:before|after) (?:you|we) (?:ever )?(?:commit|push|merge|release|deploy|touch|change|edit|add|open|tag|write|rename|delete|upgrade|refactor|ship|finish a)\b(?! (?:this|that|it)\b)[^,]{{0,60}}, (?:please )?(?:always |first |also )?{DO}\b",
        rf"^(?:please )?(?:always |also |first )?{DO}\b[^,;]*\b(?:every time|each time|whenever|(?:(?:before|after|with|for|on) (?:every|each|any)|in (?:every|each)) (?!(?:one|of|single one|other|step|row|button|page|item)\b)\w+)",
        rf"^(?:please )?(?:always |also |first )?{DO} (?!(?:it|this|that|them)\b)[^,;]*\b(?:before|after) (?:you (?:commit|push|merge|deploy|release|open an?)|committing|pushing|merging|deploying|releasing|opening)\b(?! (?:this|that|it)\b)",
    ),
    # Contrast: one thing and not another.
    cue(
        "preference",
        rf"^(?:please )?(?:use|pick|choose|prefer|write|run|import|name|go with|switch to|install with|answer|talk|speak|format|document|log|throw|return|raise) {GENERIC_OBJECT}"
        rf"(?!an? )(?!(?:\w+ )?(?:{UI}|loop|helper|version)\b).+?{INSTEAD}(?! (?:this|that|it|the (?:first|second|old|other|last))\b)",
        rf"^(?:please )?(?:{NOT}|never|stop|avoid|quit) us(?:e|ing) [\w@/.+-]+(?: [\w.+-]+)?(?: (?:here|in this \w+))?[,;:.]? (?:but |and |instead )*(?:please |always |we |just )*(?:use|uses) \w+",
        rf"^(?:please )?(?:{NOT}|never|stop|avoid|quit) us(?:e|ing) [\w@/.+ -]+, we\b",
        rf"^(?:please )?(?:{NOT}|never) (?:use|write|add|create|put|guess|invent|assume|import|do)\b {GENERIC_OBJECT}[^,;]{{2,60}}[,;] (?:always |but |and |instead |rather )*(?:{DO})\b(?! (?:it|this|that|the (?:second|first|other))\b)",
        rf"\bwe (?:use|write|run|deploy|name|format|lint|test|release|version|build|pay|answer|document|sign) {OPEN_FACT}.+{INSTEAD}",
        r"^no (?!(?:need|more|longer|changes?|problem|worries|idea|rush|thanks|one|matter|reason)\b)[\w-]+(?: [\w-]+)?, (?:always |only |just |but )*(?:use )?[\w-]+",
        r"^no [\w-]+ (?:but|only) [\w-]+[.!]?$",
    ),
    # What a thing of the trade has to be like, whichever.
    cue(
        "constraint",
        rf"^(?!the |this |that |these |those |my |your |both |some |most |many )(?:(?P<all>all|every|each|any|no|none of our) |(?:an?|our) )?{ADJ}{GENERAL_NOUN}\b(?: (?:names?|keys?|messages|titles|files|bodies))?"
        r"(?(all)(?:(?: that| which| of| in| with| for)? [\w./'-]+){0,5}?|(?: (?:in|for|of|with|from) [\w-]+){0,2}) (?:always |never )?(?:must|should|shall|(?:need|ha[sv]e?)s? to|may (?:not|only|never)|are (?:now )?(?:always|never|only)|(?:never|always|only) (?=\w)|can(?:not|'t) |"
        rf"(?(all)(?:{MODAL}|is (?:always|never)|owns|gets?|has|starts|ends|lives?|belongs?|carries|comes|goes?)\b|(?!)))",
        rf"^(?!the |this |that |my |your )(?:our )?{ADJ}(?:{PROCESS}|tests|modules?|files|styles?|components|types|scripts|fixtures|helpers|migrations) (?:live|lives|go|goes|belong|belongs|stay|sit|are kept|are written|are named|get|start with|end with|follow)\b",
        r"^only [\w -]{3,40} (?:can|may|should|must|are allowed to|is allowed to)\b",
        r"^(?:our|the) (?:convention|rule|policy|standard|house style|style guide)(?: here| in this \w+)? (?:is|says|wants)\b",
        r"^(?:the )?(?:public )?(?:api|schema|changelog|main branch|trunk|lock ?file|public apis?) (?:must|should|has to) (?:always|never|stay|remain|be kept)\b",
        r"^[\w /.`'-]{3,40} (?:is|are) (?:strictly )?(?:forbidden|not allowed|off limits|banned|taboo|mandatory|required for every|read[- ]only)\b",
        r"^no [\w -]{3,40} (?:is|are) allowed\b",
        r"^you(?:'re (?:not|never)| are (?:not|never)| aren'?t) (?:ever )?(?:allowed|permitted|authori[sz]ed) to (?!(?:do|use|see) (?:it|this|that)\b)\w+",
        r"\bi(?:'d| would) (?:much |really )?rather you (?:didn'?t|did not|not|never|wouldn'?t) (?:ever )?(?!do (?:it|this|that)\b)\w+ \w+",
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
        rf"\b(?:we|i|it|you|the project|this project) (?:{NOT}|doesn'?t|does not|needn'?t) (?:need|have|want|care about|require|owe anyone) (?:to (?:be|keep|support|stay|worry about) )?(?:any )?(?:backwards?|backwards?[- ]compat\w*|compatibility|migration paths?|legacy|ie\b|old|support for|unit tests|feature flags|i18n|localization|mobile|windows|safari)",
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
        rf"^(?:the|a|an|our) (?!(?:{UI})\b)[\w -]{{3,30}} (?:has to|must|should|needs to) (?:be|work|run|stay|have|support|keep|survive|handle)\b.{{4,}}(?:\bbecause\b|\bsince (?:the|our|we|they)\b|, not (?:just|only)\b|\brather than\b|\bwhile (?:it|they|others|other)\b)",
        rf"^(?:the|a|an|our) (?!(?:{UI}|new|old|first|second|third|last)\b)[\w -]{{3,30}} must (?:not|never) (?:block|be (?:shipped|sent|charged|paid|deleted|shown|lost|logged|stored|exposed|visible|processed)|lose|expose|leak|charge|send|overwrite|exceed|wait|delay|depend)\b",
    ),
    cue(
        "constraint",
        r"^(?:please )?(?:make|be) sure (?:that )?(?:to )?(?!.*\b(?:properly|correctly|displayed|shown|works?|tests?|build|everything|nothing|steps?|compiles?|lint|you|green|file|line \d+|branch|all)\b)(?:an?|the|two|no|only|every|any|users?|customers?|drafts?|uploads?|[a-z]+s) [\w -]{2,50}?\b"
        r"(?:(?:is|are|gets?|stays?|can|cannot|can'?t|never|always|still|expires?|survives?|exceeds?|remains?|fires?|process(?:es)?)\b.*\b(?:when(?:ever)?|if|after|before|once|until|unless|while|never|only|by|cannot|can'?t|twice|exceeds?|restart)\b|never\b|always\b|(?:is|are) only\b).*",
        r"^(?:please )?(?:ensure|guarantee) (?:that )?(?!.*\b(?:properly|correctly|displayed|shown|works?|tests?|build|everything|nothing|steps?|compiles?|lint|you|green|file|line \d+|branch|all)\b)(?:an?|the|two|no|only|every|any|users?|customers?|[a-z]+s) [\w -]{2,50}?\b"
        r"(?:(?:is|are|gets?|stays?|can|cannot|can'?t|never|always|still|expires?|survives?|exceeds?|remains?|fires?|process(?:es)?)\b.*\b(?:when(?:ever)?|if|after|before|once|until|unless|while|never|only|by|cannot|can'?t|twice|exceeds?|restart)\b|never\b|always\b|(?:is|are) only\b).*",
        r"^(?:please )?(?:make|be) sure (?:that |to )?(?:always|never|you (?:always|never))\b",
        rf"^(?:please )?make sure (?:that )?(?:every|each|all|any|no) {ADJ}(?:{CODE}|migrations?|commits?|prs?) (?:can|carry|carries|has|have|is|are|gets?|ends?|returns?|goes|go) (?!(?:updated|green|fixed|done|migrated|finished|followed|committed|covered|renamed|moved|removed|deleted)\b)(?!.*{LOCAL})\w+",
        r"^(?:please )?make sure to (?:always |never |ask|check|run|tell) (?!this|that|it).*\b(?:before|because|since|every|each|first)\b",
    ),
    # Reasons, and habits of the agent.
    cue(
        "preference",
        rf"^(?:please )?(?:always )?(?:use|write|keep|prefer|avoid|name|split|return|throw|log|pin|mock|document|review|squash|sort|indent|format|answer|put|place) {GENERIC_OBJECT}"
        rf"(?!an? (?:loop|file|{UI}))(?!.*\b(?:here|this|that one|today|for now|the (?:first|second|third|last|other|bigger|old|new))\b)(?:[\w'/.`-]+ ?){{1,9}}{REASON}",
        rf"^(?:please )?{NOT} (?:ever )?{DO} {GENERIC_OBJECT}(?!.*\b(?:here|this (?!repo|project)|that one|today|for now|yet)\b)(?:[\w'/.`-]+ ?){{1,10}}{REASON}",
        rf"^{NOT} (?:invent|reinvent|guess|assume|hallucinate|apologi[sz]e|praise|flatter|over-?engineer)\b",
        r"^avoid (?:\w+ing|any|all)\b .*|^avoid (?!(?:the|this|that|it)\b)\w+.* in (?:this|our) (?:repo|repository|project|code ?base|team)\b.*",
        rf"^only {DO}\b.*\b(?:when|if|after|once)\b(?! (?:this|that|it|i)\b).*",
        r"\b(?:we|i) (?:explicitly|definitely|really|absolutely|specifically) (?:don'?t|do not|never) want \w+.*",
    ),
    cue(
        "preference",
        r"^(?:please )?(?:stop|quit) (?!(?:here|it|this|that|the|now|and|when)\b)\w+ing (?!(?:this|that|it|the (?:server|process|container|app|watcher|build|job))\b)\w+",
        r"^you (?:keep|always|constantly|tend to) \w+.*?(?:[.;,:–—-]+ ?)(?:please )?(?:always|never|don'?t|do not|stop|just)\b",
        r"\bi(?:'ve| have)? noticed (?:that )?you\b",
        r"^you keep \w+ing\b(?! in mind)",
        r"\bi(?:'ve| have)? (?:already )?told you (?:not to|that you (?:must|should)|to always|to never)\b",
        rf"^as i (?:said|told you)(?: before)?, (?:please )?(?:{NOT}|never|always|use)\b",
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
        rf"^(?:for|in|under|inside|within|on|with) (?!(?:this|that|the (?:next|last|second|first)|now|today)\b)[\w ./`*-]{{2,50}}, (?:please |you |we )?(?:always |only |never |{NOT} |must |should )(?:{DO}|\w+)\b",
        r"^(?:please )?use [\w@./+-]+(?: [\w@./+-]+)? (?:for|in|with|on) (?:everything\b|all\b|every\b|any\b|anything\b)",
        rf"^for [^,]{{3,50}}, (?:please )?(?:always )?use (?!(?:a|an|the|this|that) )[\w@].*{INSTEAD}",
        r"^use (?:british|american|us|uk) (?:spelling|english)\b",
        rf"^(?:on|in|for|under|inside) (?!(?:this|that)\b)[\w ./`*'-]{{2,50}}?,? (?:always|never|only|please always|please never) (?:{DO}|[\w-]+ (?:is|are|merges|dependencies|syntax))\b",
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
