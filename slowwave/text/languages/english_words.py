"""English: the word groups that its patterns are made of."""

from __future__ import annotations

from slowwave.text.languages.grammar import VERB

VERBS = """
add adhere allow alphabetise alphabetize amend announce answer apologise apologize append apply archive ask
assert assign assume attach avoid back backport batch be begin benchmark bind block branch break bring build
bump burn bypass cache call catch change charge check cherry-pick choose cite claim clean clear clone close
collect combine comment commission commit compile compress configure connect consider consult contact control
convert copy count cover create cross-check cut decide declare decode deduplicate default define delete deliver
deny deploy derive describe detect develop disable discuss display divide do document double-check downgrade
draft drive drop duplicate echo edit email embed emit enable encode encrypt end enforce engage enter escalate
escape estimate evaluate exclude execute expect expire explain export expose extend extract factor fail fall
favor favour fetch file fill filter finish fix flag flatten flush follow force fork format free gate generate
get give go grant grep group guard guess hand handle hard-code hardcode hash hide hold honor honour host
identify ignore implement import include indent index inform inherit initialise initialize inject inline inspect
install introduce invalidate invent invoke iterate join justify keep kill know label launch lead learn leave let
limit link lint list load localise localize lock log look loop lower maintain make map mark mask match measure
mention merge migrate mirror mock modify monitor mount move name need negotiate nest normalise normalize note
notify number observe obtain offer omit open operate optimise optimize order organise organize override pack
paginate pair park parse partition pass paste patch perform persist pick pin ping pipe place plan play point
poll pop post practice practise praise prefer prefix present preserve prevent print prioritise prioritize
process produce profile promise propose protect prove provide provision prune publish pull purge push put
quarantine query queue quit quote raise rank rate-limit re-run reach read rebase reboot rebuild recheck
reconcile record recover redact reduce refactor refer reference reformat refuse regenerate register reindex
reject relate release reload rely remember remove rename render reorder repair repeat rephrase replace reply
report request require rerun resend reserve reset resize resolve respect respond rest restart restore restrict
resume retain retrieve retry return reuse revert review reword rewrite roll rotate round route run sample
sanitise sanitize save scale scan schedule scroll search see seed seek select send separate serialise serialize
serve set share shift ship shorten show shut side-step sign silence simplify sit sketch skip sleep slice spawn
snapshot solve sort source speak specify spell split squash stage stamp stand start stash state stay stick stop
store stream strip stub submit subtract suggest sum summarise summarize supply support suppress survive swallow
swap switch sync synchronise synchronize tag take talk target teach tear tell test think throw tidy time toggle
tolerate touch track train transfer transform translate treat trigger trim truncate trust try turn type undo
unify uninstall unit-test unittest unlock unzip update upgrade upload use validate vary vendor verify version
vet view visit vote wait walk warm warn watch weigh whitelist wipe withdraw witness work wrap write yield zip
"""

NOT = r"(?:don'?t|do not|dont)"
MODAL = r"(?:must|should|shall|(?:need|ha[sv]e?|ought)s? to|(?:is|are) to|may|can|cannot|can'?t|needs?)"
DO = rf"[\w'-]+(?={VERB}|[.!]*$)"
"""A verb in its base form: the reading marks the blank behind it."""
BARE = r"(?!(?:the|a|an|this|that|it|mind|heard|seen|been|on|in|at|had|got|saw|there|here|really|quite|too|so)\b)"
FAULT = (
    r"(?:fail|crash|work|break|time|throw|hang|happen|show|return|print|get|end|come|see|pass|stop|die|freeze|run out|lose|"
    r"forget|hit|have|seem|look|feel|appear|know|wonder|complain|error|become|stay|remain|disappear|win|reach|finish|start)"
)
PROCESS = (
    r"(?:commits?|commit messages?|changelogs?|change ?logs?|pull requests?|prs?|merges?|branch(?:es)?|branch names?|"
    r"tests?|unit tests?|integration tests?|test names?|migrations?|docs?|documentation|readmes?|docstrings?|comments?|code|"
    r"releases?|deploy(?:ment)?s?|dependenc(?:y|ies)|reviews?|tickets?|issues?|bug reports?|designs?|specs?|prompts?|rfcs?|adrs?|decisions?|"
    r"commit titles?|release notes|hotfixes|rollbacks?|versions?|tags?|names?|file names?|variable names?)"
)
CODE = (
    r"(?:functions?|methods?|classes|class|modules?|files?|packages?|components?|hooks?|handlers?|endpoints?|routes?|routers?|controllers?|"
    r"services?|microservices|apis?|requests?|responses?|quer(?:y|ies)|tables?|columns?|schemas?|models?|types?|enums?|interfaces?|"
    r"structs?|variables?|constants?|parameters?|imports?|exports?|errors?|error messages?|exceptions?|logs?|log lines?|log messages?|metrics|events?|"
    r"messages?|jobs?|workers?|tasks?|scripts?|secrets?|credentials|tokens?|passwords?|keys?|ids?|timestamps?|dates?|times?|"
    r"amounts?|prices?|money|currenc(?:y|ies)|strings?|texts?|translations?|feature flags?|flags?|settings?|config(?:uration)?s?|env(?:ironment)? variables?|"
    r"fixtures?|mocks?|stubs?|snapshots?|notebooks?|pipelines?|jobs?|images?|containers?|charts?|resources?|urls?|paths?|colou?rs|styles?|"
    r"public functions?|public methods?|business logic|side effects|transactions?|locks?|timeouts?|retries|caches?)"
)
GENERAL_NOUN = rf"(?:{PROCESS}|{CODE})"
ADJ = r"(?:(?:new|public|private|generated|internal|external|unit|integration|database|db|api|sql|error|log|test|shared|production|user|customer|money|feature|background|long|exported|react|go|python|java|rust|c\+\+|typescript|http|rest|graphql|git|squash|release|breaking|major|source|config|vendored|third[- ]party|all|other|future|failing|flaky|async|our) ){0,3}"
LOCAL = (
    r"\b(?:in|on|of|for|at|inside|from) (?:the |this |that |these |those )(?!(?:repo|repository|project|codebase|code ?base|monorepo|docs?|backend|frontend|api|tests|app|"
    r"future|code|changelog|team|company|firmware|library|database|commit message)\b)[\w-]+|\b[\w/-]+\.(?:py|go|ts|tsx|js|jsx|rs|java|rb|c|h|cpp|php|swift|kt|html|css|vue)\b|\bstep \d"
)
UI = (
    r"(?:buttons?|pages?|dialogs?|modals?|pop-?ups?|rows?|icons?|headers?|footers?|side ?bars?|menus?|cards?|tabs? bar|widgets?|"
    r"forms?|fields?|labels?|tooltips?|spinners?|screens?|windows?|panels?|lists?|slices?|steps?|phases?|milestones?|levels?|enem(?:y|ies)|players?|"
    r"animations?|wizard|dashboards?|cursor|titles?|sections?|slides?|checkbox(?:es)?|dropdowns?|switch|toggle|inputs?|image|logo|avatar|font|colou?r|"
    r"box(?:es)?|cells?|items?|cases?|story|stories|scenarios?|loops?)"
)
PART = rf"(?:{UI}|flag|option|script|command|endpoint|function|method|output|result|parser|column|table|class)"
INSTEAD = r"(?:\binstead of\b|\brather than\b|(?:,| [–—-]+) (?:and )?(?:not|never) [\w`@]|\bover [\w`@]+[.!]?$| not [\w`@./-]+[.!]?$)"
REASON = (
    r"(?:\bbecause\b|\bsince (?:the|our|we|they|it|my|i)\b|\bso (?:that )?(?:we|it|they|the|nobody|everyone|people)\b|"
    r"(?:[;,]| [–—-]+) (?:(?:our|the|my|reviewers|users|customers|they|it|we|that|this|people|classes|default exports|[a-z]+s) )(?:\w+ ){0,3}"
    r"(?:can'?t|cannot|have|has|had|hate|makes?|makes|keeps?|hides?|insists?|breaks?|costs?|need|needs|want|are|is|prefer|read|use|don'?t)\b|"
    r"(?:[;,.]| [–—-]+) i (?:can'?t stand|hate|don'?t like|dislike|want|prefer|read|like)\b)"
)
GENERIC_OBJECT = r"(?!(?:it|this|that|these|those|them|one|the (?!tests?\b|docs?\b|diff\b|changelog\b|code\b|same\b|metric\b|imperative\b)|my|your|both|again)\b)"
PERMISSION = (
    r"(?:without (?:asking|checking with|my|telling|permission|approval|confirm|an? (?:approval|review|ticket)|talking|consulting|a review)|"
    r"unless (?:i|we|you(?:'re| are| were)) (?:\w+ )?(?:say|ask|told|tell|asked|said|agreed|agree|approve|request|want)|unless (?:asked|told|agreed|explicitly)|"
    r"until i(?:'ve| have)? (?:approved?|agreed?|confirmed?)|(?:on|by) your own|by yourself|behind my back)"
)
SUBJECT = (
    r"(?:(?:our|the|this|my) (?:[\w']+[ -]){0,3}?(?:project|repo|repository|codebase|code ?base|monorepo|app|application|api|backend|back[- ]?end|frontend|front[- ]?end|"
    r"service|services|site|website|server|servers|ci|pipeline|database|db|databases|queue|cache|gateway|cluster|infra(?:structure)?|docs?|documentation|"
    r"designs?|tickets?|logs|metrics|secrets|releases?|deploy(?:ment)?s?|staging|production|prod|environments?|team|customers|clients|users|"
    r"code|tests?|test suite|build|builds|package|packages|library|firmware|board|game|models?|simulator|cli|sdk|plugin|extension|"
    r"scheduler|worker|workers|billing|auth|search|store|shop|mobile app|web app|data|feature flags|time ?zone|editor|name|pronouns|default branch|"
    r"main branch|license|licence|domain|deploy target|package manager|test runner|framework|orm|linter|formatter|bundler|language|stack|company|office|machine|laptop|"
    r"error tracker|design tokens|api keys|retry limit|cron jobs?|entry point|port|parser|product|client|owner|maintainer|reviewer|design system|message broker|broker|bucket|region|runtime|container registry|registry))"
)
BARE_SUBJECT = (
    r"(?:we|production|prod|staging|ci|docs|designs|tickets|logs|secrets|releases|deployments|deploys|feature flags|tests|migrations|"
    r"documentation|code|metrics|traces|alerts|builds|images|backups|translations|dev|qa|customers|users|reports|invoices|payments|assets|credentials)"
)
STATE = (
    r"(?:deployed|hosted|built|written|managed|tracked|kept|stored|cut|made|done by|run|handled|published|generated|defined|located|maintained|served|"
    r"shipped|monitored|collected|trained|compiled|packaged|installed|released|rotated|scheduled|provisioned|configured|controlled|owned|reviewed|used|"
    r"split|spread|based|called|named|licensed|supported|encrypted|cached|backed|shared|mirrored|archived|organi[sz]ed|tested|validated)"
)
USES = (
    r"(?:use|uses|deploy(?:s)?(?: to| on| with| via)?|host|hosts|target|targets|support|supports|require|requires|store|stores|ship|ships|run|runs|release|releases|"
    r"rely on|relies on|write|writes|test|tests|lint|lints|format|formats|build|builds|track|tracks|keep|keeps|manage|manages|review|reviews|version|"
    r"publish|publishes|log|logs|monitor|monitors|talk|talks to|go through|goes to|go to|live|lives|listens?|connects? to|moved to|sits? behind|speaks?|follow|follows|stick to|"
    r"standardi[sz]e on|have|has|own|owns|meets?|work|works|branch|mock|generate|generates|expect|expects|read|reads|comes? from|depends? on|consists? of|start|starts at|fit|fits)"
)
OPEN_FACT = r"(?!(?:it|this|that|these|those|them|the (?!same\b|tag|release|metric|gener|[A-Z])|an? (?!single\b|monorepo\b|mono-repo\b|shared\b|custom\b|private\b|self|feature\b|small\b)|to|some|too|too many|more|another|one|each|time|fun|problems?|issues?|been|already|two places)\b)"

HINTS = (
    " always| never| ever|every| each | all | any |no | not |n't | dont | only|from now|going forward|henceforth|future"
    "|next time|whenever|before| after|without|unless|instead|rather|prefer| must| should| need| has to| have to| want"
    "| we | we'| our | my | i'm | i am | i work| i live| i like| i hate| i love|i'd | isn't|by default|because"
    "| since |answer|repl|explain|explanation|summar|brief|concise|short| call me|remember|keep |note|mind|important"
    "|rule|policy|convention|make sure|ensure|stop |quit |avoid|there's|team |lives| live |runs|uses| use |goes to|ask "
    "|reviews|owns|approves|handles|decided|settled|agreed|standardi|fixed|solved|works|worked|trick|helped|confirmed"
    "|no longer|deprecat|archiv|moved|moving|switch|migrat|replac|dropp|set |maximum|at most|minimum| so |fix was"
    "|write to me|in english|in german|in french|in spanish|in plain|clearing|downgrading|upgrading|setting |nobody|don't| by | public| private| open source| every|monorepo|nightly|owned|kept| on | with | are written| used | noticed | talks | talk to | default |write |squash|tabs|spaces"
)
"""One of these stands in whatever English sentence the tables find."""
