"""English: statements about the project and the person, changes of them, and what waits to be said again."""

from __future__ import annotations

from slowwave.text.languages.english_words import (
    BARE_SUBJECT,
    DO,
    GENERIC_OBJECT,
    NOT,
    OPEN_FACT,
    STATE,
    SUBJECT,
    USES,
)
from slowwave.text.languages.grammar import Change, cue

FACTS = (
    cue(
        "fact",
        r"^(?:i'm|i am|we're|we are) on (?-i:(?:Windows|Mac|macOS|Linux|Ubuntu|Debian|Fedora|Arch|NixOS|WSL|Android|iOS|FreeBSD|an? M\d|an? Apple|an? ARM))\b.*",
        r"^(?!(?:it|this|that|they|these|those)\b)[\w' -]{3,40} (?:is|are) \w{3,}ed (?:by|from) (?:the |our |an? )?\w+.* (?:at (?:noon|midnight|night|\d)|every|each|once)\b.*",
    ),
    cue(
        "fact",
        r"^(?!(?:it|this|that|they|these|those|he|she|which|the (?:error|bug|problem|second|first|last))\b)[\w' -]{3,40} (?:is|are) (?:\w{3,}ed|done|made|taken|built|written|drawn|chosen|given|held|kept|run|paid|sold|bought|grown|shot|read) (?:by (?:an? |the |our )?(?!(?:this|that|it|accident|mistake)\b)\w+|every|once (?:a|per)|twice a)\b.*",
        r"^(?:i'm|i am) the only (?:one|person|\w+) (?:who|that|in|on|with)\b.*|^only (?:i|we|\w+ and i) (?:can|may|have|am allowed|are allowed)\b.*",
    ),
    cue(
        "fact",
        r"^our (?!(?:problem|issue|bug|error|build|tests?|next|goal|plan|task|first|last)\b)[\w' -]{3,40}? (?:work|works|run|runs|live|lives|use|uses|sit|sits|own|owns|handle|handles|meet|meets|talk|talks|publish|publishes|draw|draws|design|designs) (?!(?:fine|well|badly|slowly|again)\b)\w.*",
        r"^(?!(?:it|this|that|they|these|those|he|she|which|the (?:error|bug|problem|second|first|last))\b)[\w' -]{3,40} (?:is|are) (?:processed|handled|served|sent|imported|exported|computed|calculated|validated|synced|reviewed|approved|translated|billed|signed|indexed|rendered|queued|fetched|scraped|converted) (?:by|in|on|with|at|via|through|from|every|once|using)\b.*",
        r"^we (?:ship|release|publish|deploy|cut|send|run|do|hold|have|make|review|rotate|back up|meet)\b.*\b(?:every|each|once a|twice a|on) (?:other |second )?(?:day|week|month|quarter|night|sprint|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b.*",
    ),
    cue(
        "fact",
        rf"^(?:we|our team|the team|our company|the company)(?: all| currently| also| now| mostly| only| still| just)? {USES} {OPEN_FACT}(?:[\w@`/.+]|[A-Z])[^?]{{1,140}}$",
        r"^(?:we|i)(?:'re| are|'m| am) (?:still |currently |now |stuck )?on (?!(?:it|this|that|the (?:wrong|right|same|main|way)|main|master|holiday|vacation|a call|my way)\b)[\w.+-]+ ?v?\d[\w.]*",
        r"^(?:we|i) (?:have|have got|'ve got|had) (?:no|only|two|three|four|five|several|a single|one|about|around|roughly|over) (?!(?:idea|time|clue|problem|failing|broken|red|open|missing|errors?|bugs?|open|more|tests? failing)\b)[\w-]+",
        r"^we (?:have )?(?:standardi[sz]ed|settled) on\b",
        r"^we(?:'re| are) (?:a|an|based|located|hosted|\d+|two|three|four|five) [\w -]+",
    ),
    cue(
        "fact",
        rf"^{SUBJECT}(?:(?:(?: for| of| in| on| behind)? [\w'`./-]+){{0,4}}? (?:(?:also|always|only|now|still|currently) )?(?:{USES}) {OPEN_FACT}[\w@`/]|(?:(?: for| of| in| on| behind)? [\w'`./-]+){{0,4}}? (?:is|are|equals?) (?:(?:always|currently|now|still|only|all|being|not) )?(?:{STATE})\b(?: (?:by|in|on|with|at|under|from|through|via|over|using|to|into|as|for|between|every|[\"'`A-Z0-9]|nightly|weekly|[a-z]+))|(?: (?:for|of) [\w -]{{2,30}})? (?:is|are|equals?) (?!(?:broken|red|down|slow|blank|empty|gone|missing|wrong|failing|ok|fine|good|bad|green|done|not|too|still|now|so|very|really|running|at|the (?:problem|issue|bug|same|wrong))\b)"
        r"(?:(?:a |an |the )?(?-i:[A-Z])[\w.+-]*|[\w.+-]*\d[\w.:-]*|`[^`]+`|/\S+|(?:called|named) \S+|(?:a |an )?(?:public|private|open[- ]source|monorepo|mono-repo|hobby|internal|commercial|single|shared|daily|nightly|weekly|monthly|read[- ]only|mostly|copy)\b.*|trunk|main|master|develop|pytest|vitest|jest|[a-z]+(?:js|db|sql|ql)\b))",
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
        "preference",
        r"^(?:the |our |my )?(?:preferred|favou?rite|default) (?!(?:value|behaviou?r|case|branch name|state|option)\b)[\w -]{3,30} (?:is|are) (?!(?:broken|wrong|missing|null|empty|undefined|too|not)\b)\S.{1,60}$",
    ),
    cue(
        "fact",
        r"^there(?:'s| is| are) (?:no|only one|only|two|three|four|several) (?:staging|production|test|dev|qa|ops|separate|shared|ci|environments?|backup|admin|root|docker|gpus?|api|database|design|mobile|sandbox)\b[\w ,-]*",
    ),
    cue(
        "fact",
        rf"^(?:also |all )?{BARE_SUBJECT}(?: [\w'-]+)? (?:is|are) (?:(?:always|only|never|now|still|all|not) )?(?:{STATE})\b(?! (?:again|wrong|twice|incorrectly)\b).{{2,}}",
        rf"^(?:also |all )?(?!we )(?:our )?{BARE_SUBJECT} (?:(?:also|always|only|now) )?(?:run|runs|use|uses|live|lives|go|goes|target|targets|belong|reads?|needs? (?:node|python|java|docker)|deploys?|talks? to|sits?|happen on|listens?|ship on)\b (?!(?:fine|again|slow|well|ok|out|through|wrong)\b)\S.{{2,}}",
        r"^(?:the |our )?[\w' -]{3,40}? (?:lives?|runs? on|is (?:built|written|hosted|deployed|stored|defined|called|named|managed|configured|kept|documented|owned|maintained)(?: \w+)?|goes to|talks to|listens on|reads its) (?:in|on|at|under|with|by|from|behind|via|as|to|port)? ?(?:(?-i:[A-Z])\S*|`[^`]+`|[\w.-]+/\S*|\S*\d\S*|\w+ \d\S*)",
        r"^(?:the|our) (?:\w+ ){0,2}team (?:meets|works|sits|releases|deploys|prefers|uses|owns|is (?:spread|in|based|remote|split))\b",
        r"^(?:the|our) [\w -]{3,30} (?:is|are|will be) (?:on )?(?:\d{1,2} )?(?-i:(?:January|February|March|April|May|June|July|August|September|October|November|December)|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?)\b",
        r"^(?!here|there|this|that|it|what|everything|nothing|he|she|they|one\b)(?-i:[A-Z])[a-z]+ (?:reviews|owns|approves|handles|manages|maintains|decides|deploys|signs off|runs|is responsible for|is in charge of|is the) (?:all|every\w*|any\w*|the|our|on|what|releases|[a-z]+)\b",
        r"^(?:please )?ask (?:the [\w -]+ team|(?-i:[A-Z])\w+|legal|security|finance|ops|design) (?:first |before)",
        r"^(?:the|our) (?!(?:test|tests|build|page|bug|error|problem)\b)[\w' -]{3,30} (?:has|have) (?:\d[\d.,]*|no|only) ?(?:[kmg]i?b|mb|gb|kb|cores?|mhz|hz|users?|customers?|file system|network|internet|tests|gpus?)\b.*",
        r"^(?:releases|deploys|deployments|standups?|retros?|sprints?) (?:are|is|happen|happens|start|starts|end|ends|take place|last) (?!(?:broken|late|done)\b)(?:every|on|at|in|by|two|one|weekly|monthly|cut)\b.*",
    ),
)

WEAK = (
    cue(
        "constraint",
        rf"^(?:please )?{NOT} (?:ever )?{DO} {GENERIC_OBJECT}\w",
        rf"\b(?:you|we) (?:must|should|have to|need to|shouldn'?t|mustn'?t|must not|should not)(?: not)? {DO}\b",
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
        rf"\bwe (?:also |explicitly |already )?{USES} \w+",
    ),
)

_NAME = r"(?-i:[A-Z][\w.+#-]*(?: [A-Z0-9][\w.+#-]*){0,2}|[a-z]*[\d.+#-][\w.+#-]*)|npm|pnpm|yarn|bun|pip|uv|poetry|make|just|jest|vitest|mocha|pytest|ruff|black|eslint|biome|webpack|vite|docker|podman|node|deno|go|rust|php|python|redis|postgres|mysql|sqlite|[a-z]+js"
CHANGE = (
    Change(
        r"^(?:(?:can|could|would) you (?:please )?)?\w+\W+(?:the )?(?P<old>(?!(?:it|this|that|them|these)\b)[\w.+-]{2,30}) (?:since|because|as) (?:it'?s|it is) no longer (?:supported|maintained)\b",
        "",
        "",
        "{old} is no longer supported.",
    ),
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
        r"\b(?:we|i|the team)(?:'re| are|'ve| have)? (?:(?:now |just )?(?:dropp(?:ing|ed)|ditch(?:ing|ed)|retir(?:ing|ed))|(?:just |now )?stopped (?:using|supporting|running|maintaining|shipping|targeting|deploying to)|no longer (?:use|support|need|have|run|maintain|ship|target|want|deploy to)) (?P<old>[\w@.+#-]+(?: [\w.+#-]+){0,3})(?:[.!]?$|[,;] (?=everything|we|all|it's|now))",
        "",
        "",
        "We no longer use {old}.",
    ),
)
