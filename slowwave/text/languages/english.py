"""English."""

from __future__ import annotations

from slowwave.text.languages.english_day import DAY
from slowwave.text.languages.english_facts import CHANGE, FACTS, WEAK
from slowwave.text.languages.english_rules import LASTING
from slowwave.text.languages.english_words import DO, HINTS, NOT, PART, UI, VERBS
from slowwave.text.languages.grammar import Language

# "Can you always return 404 here?" asks for a change of the code in hand, not for a habit.
_NOT_OF_CODE = r"(?!(?:please )?always (?:return|round|print|show|throw|raise|set|emit|render|display|call|log)\b.*\b(?:here|in (?:this|that|the) \w+)[?.!]*$)"

LANGUAGE = Language(
    code="en",
    hints=HINTS,
    hints_with_name=" is | are | use",
    shortest=10,
    verbs=frozenset(VERBS.split()),
    day=DAY,
    lasting=LASTING,
    facts=FACTS,
    weak=WEAK,
    change=CHANGE,
    lead=(
        r"(?:ok(?:ay)?|yes|yeah|yep|yup|so|and|but|also|oh|ah|hey|hi|hello|hmm+|btw|fyi|ps|p\.s|nb|pls|plz|anyway|listen|look|then|attention|again|lately|well|right|sure|great|perfect|nice|good|cool|thanks|thank you|sorry|fine|wait|hold on|alright|note|notice|info|please note(?: that)?|no|nope|nah|yo|guys|folks|everyone|claude|codex|gemini)(?: ?[–—]|[,.:;!-])+ |"
        r"(?:ok(?:ay)?|yes|yeah|so|and|but|also|oh|hey|hi|btw|fyi|actually|anyway|plus|well|please)(?:,)? |"
        r"(?:one (?:more|other|last) thing|by the way|just so you know|for the record|oh and|before i forget|one thing before i forget|and this matters|and this is important|heads up|quick (?:note|one)|last but not least|in addition|additionally|furthermore|moreover|actually|first|second|finally|in my opinion|imo|i think|i really think|honestly|to be clear|to be honest|in short)(?: for next time)?(?: ?[–—]|[,.:;!-])+ |"
        r"(?:that|which|this) means (?:that )?(?=the |all |we )|(?:i think|i really think|i believe|i feel|in my opinion|imho) (?:that )?(?=(?:we|you) (?:should|must) (?:always|never)\b)|"
        r"(?:wasn't i clear|what is this|why do you|did you|is that the real key)[^?]*\? |"
        r"(?:actually|correction|scratch that|strike that|change of plans?|i changed my mind|i've changed my mind|forget (?:that|it|what i said[^:,.]{0,40})|that rule is outdated|i was wrong[^,.:]{0,30}|on second thought|my bad|update|i take that back)(?: ?[–—]|[,.:;!-])+ |"
        r"(?:that's|that is|which is) why |(?:that|this|which) means (?:that )?"
    ),
    lasting_lead=(
        r"(?:very |super |really |most |it is )?important(?:ly)?(?: ?[–—]|[,.:;!-])+ (?=.*\b(?:always|never|must|only)\b)|"
        r"(?:please |also |and |but |always |just |we should |we need to |we must |you should )*(?:remember|keep in mind|bear in mind|note|take note|be aware|mind|don'?t forget|do not forget|never forget|make a note|memori[sz]e)(?: (?:that|this)\b)?(?: ?[–—]|[,:;!-]+)? (?!(?:(?:also )?you have|what|when (?:i|we)|how|to (?!always|never)|me|it\b|this|where|the (?:setup|above)|not to|we (?:talked|discussed)|i (?:said|told)|you (?:said|told)|whether|if)\b)|"
        r"(?:note|notes?|memo|reminder(?! ?: i\b))(?: to (?:self|you|yourself|all|the agent|claude)(?: and (?:to )?(?:you|me|self))?)?(?: for (?:later|next time|the future|future sessions))?(?: ?[–—]|[:;!-])+ |"
        r"(?:quick|friendly|gentle|just a|small|another) (?:reminder|note)(?: for next time)?(?: ?[–—]|[,.:;!-])+ (?!(?:i (?:need|have|am)|where|can|the demo)\b)|"
        r"for (?:your )?(?:future reference|the future|next time|later|the record)(?: ?[–—]|[,.:;!-])+ |"
        r"(?:golden rule|rule (?:number one|no\.? ?1|of thumb|\d)|house rule|general rule|ground rule|new rule|the rule is|team rule|our rule)(?: ?[–—]|[,.:;!-])+ |"
        r"(?:correction|update)(?: ?[–—]|[:;!-])+ (?!(?:line|row|page|the (?:second|first|other))\b)(?=\w+ (?:is|are) due\b)|"
        r"fyi(?: ?[–—]|[,.:;!-])* (?=(?:the|our|we|all|this) )"
    ),
    polite=(
        rf"(?:(?:can|could|would|will) (?:you|we please)(?: please)?|would you (?:please )?mind|will you please|could you please|can i ask you to) (?:please )?{_NOT_OF_CODE}(?=(?:from now on|in future|always|never|stop \w+ing|not ever|keep (?:your|the) (?:answers|replies))\b)|"
        rf"(?:can|could|would|will) (?:you|we please)(?: please)? {_NOT_OF_CODE}(?=.*\b(?:from now on|in (?:the )?future|going forward|next time|every time|always)\b)"
    ),
    question=(
        r"[?？][\"')\]]*\s*$|"
        r"^(?:how|what|why|where|which|who|whose|is|are|does|did|do (?:you|we|i|they)|should (?:i|we|it|the|this)|shall (?:i|we)|can (?:i|we|it|the)|could (?:i|we|it|the)|was|were|has|have (?:we|you|they)|would (?:it|you|that|this)|will (?:it|this|that|you)|must (?:the|we|i|it)|may i|am i)\b(?! (?:more|is more|matters)\b)|"
        r", (?:right|no|correct|or not|isn't it|aren't they|don't we)\??$"
    ),
    hypothesis=(
        r"\b(?:check|see|look|verify|find out|tell me|know|ask|understand) (?:if|whether)\b|\b(?:maybe|perhaps|not sure|i'm unsure|i am unsure|i wonder|wondering|what if|suppose|supposing|hypothetically|might|could (?:be|try|also|always|use|drop|migrate)|one option|an option|another option|would be (?:great|nice|better|cool)|i was thinking|thinking about|thinking of|kind of feel|i'm tempted|some ?day|probably|possibly|presumably|i guess|i suspect|i assume|i suppose|i expect|my guess|i'd guess|it seems|seems (?:like|to)|looks like|would it|how about|why not)\b|"
        r"\bi (?:would|will|could|may)(?! rather| like| prefer)\b.*\b(?:try|test|look|see|think)\b|\bi would (?:expect|guess|assume|say|suspect)\b|\bi think it (?:would|is|might)\b|\bi(?:'m| am) (?:planning|going|about|trying|hoping) to\b|\bi(?:'ll| will) (?:move|try|look|check|do)\b|\bwe(?:'ll| will) see\b"
    ),
    passing=(
        r"\b(?:for now|right now|just now|at the moment|this time|for today|today|tomorrow|yesterday|tonight|this (?:morning|afternoon|evening|week|weekend|session|once)|for the moment|for (?:the )?time being)\b|"
        r"\b(?:until|till) (?:i(?:'m| am| come| get| say| have finished)|we|you|then|tomorrow|monday)\b|\b(?:not yet|temporarily|one[- ]off|just this once|one more (?:release|time|day|week|month)|for once|quickly)\b|^(?!.*\b(?:no|always|never|any ?more|no longer|stopped (?:using|supporting))\b).*\b(?:yet|now)[.!]?$|"
        r"^(?:acceptance|definition of done|acceptance criteria|user story)\b|\bin this session\b|\bfor this (?:dialog|task|pr|commit|file|test|one|release|change|function|branch|feature|demo)\b|\bon this (?:branch|one|pr|machine)\b|\bfor the (?:next|current) (?:release|pr|commit|step|demo)\b|"
        r"\bnever ?mind\b|\blet me know\b|\b(?:ignore|disregard|forget) (?:\w+ ){0,3}(?:previous|prior|above|earlier|your|all) (?:\w+ )?(?:instructions?|rules?|prompts?)\b|"
        r"\b(?:when|once|after) (?:you(?:'re|r)?|you are|it'?s|it is|that'?s|everything is) (?:done|finished|ready)\b|\bbefore you (?:finish|stop|are done|report|continue|go on|start with this)\b|"
        r"\b(?:just|only) (?:tell|report|show|look|analy[sz]e|describe|list|explain|want (?:your|the|to|an?)|print|answer|give me your)\b(?!.*\b(?:always|from now on)\b)|\breport back\b|\bnever speak of\b|\bdon'?t (?:worry|bother|panic|hurry)\b|\bas soon as\b"
    ),
    condition=(
        r"^(?:if(?! you (?:ever )?(?:need|want|have) to\b)|unless|once|in case|provided|as long as|should the|assuming|even if|until) \b"
    ),
    report=(
        r"\bha(?:s|ve|d) (?:the|an?) (?:issue|problem|bug|error)s?\b|^(?:all|every|each) .*\bneeds? to be \w+(?:ed|t|n)\b|^(?!our (?:[\w-]+ )?(?:apis?|endpoints?|services?|sdk|libraries|library|handlers?|parsers?|gateways?|webhooks?|backend|server|client|cli) (?:always|never|only) (?!.*(?:\berrors?\b|\b[45]\d\d\b|\bsince\b|\bwhen i\b|\bplease\b|\bwrong\b|\btimeouts?\b)))^(?!(?:please )?(?:always|never|don'?t|do not|dont|make sure|ensure|no|stop|whenever|every time|use)\b).*?(?:\b(?:always|never|ever|still|constantly|each time|every time|all|no \w+|every \w+|each \w+)\b (?:\w+ ){0,3}?(?:fails?|failed|crash(?:es|ed|ing)?|works?|worked|breaks?|broke|times? out|timed out|throws?|threw|hangs?|happens?|happened|shows?|showed|returns?|returned|prints?|printed|gets?|got|ends? up|came|comes up|seen|saw|heard|had|did|does|was|were|been|seems?|crashes|respond(?:s|ed)|missing|looked|complains?|gives? me|gave|passes since)\b|"
        r"\b(?:nothing|nobody|no test|none) (?:is|works|happens|passes|shows|was|gets)\b|\bthat is the (?:bug|problem)\b|\bfail(?:s|ed)? with\b|\b(?:is|are) (?:broken|failing|missing|red|down|hanging|wrong|gone|blank|empty|flaky)\b|\bthrows an?\b|\bi (?:can'?t|cannot|couldn't) (?:find|see|reproduce|open)\b|\bhas (?:been|never been)\b|\b(?:is|are|was|were) never (?:called|invalidated|reached|used|set|updated|executed|hit|closed|freed|triggered|written|shown|cleared)\b|\bmust (?:be (?:a|an|the|some|something|because|in)|have (?:been|had|got|gone|\w+ed))\b)"
    ),
    spec=(
        rf"\b(?:must|should|shall|has to|have to|needs? to) (?:always |only )?(?:show|display|appear|open|close|scroll|blink|fade|pop up|look like)\b|\b(?:(?:every|each|all|all the|all of the|any) (?:[\w-]+ ){{0,2}}?{UI}|(?:the|this|that|second|first|new|a|an|both) (?:[\w-]+ ){{0,2}}?{PART}(?! (?:folder|directory|file)s?\b))(?: [\w/-]+){{0,6}}? (?:must|should|shall|has to|have to|needs?(?: to)?|can|will|may|always|never)\b(?! be able to always)|"
        rf"^(?:every|each|all) (?:\w+ )?(?:test|case|function|class|method|file|row|test case)s? in (?:the |this )?[\w./-]+\.\w+|"
        rf"\b(?:acceptance|definition of done|acceptance criteria|user story)\b|^(?:the|each|every|all)\b.*\b(?:on|in|of) the (?:[\w-]+ )?(?:page|screen|dashboard|form|dialog|table|sidebar|list|wizard|menu|toolbar|landing page|view)\b|"
        r"\b(?:parent|sub|root|temp) ?folders?\b|\ba [\w/]+/ (?:\w+ )?(?:folder|directory)\b|\balways (?:on top|visible|centered|left|right|red|blue)\b|\bmake the\b.*\b(?:always|visible|bigger)\b|\b(?:retry|attempt|level|round|turn) (?:should|must)\b|\bwait twice\b"
    ),
    dangling=(
        r"^should\b|^(?:for example,? )?(?:the )?ones? |^not (?:as|like|in|on|with|for|from|by|via|through|an?|the)\b(?!.*\b(?:we|i|you)\b)|"
        r"\b(?:our|your|my|its|their) own[.!]?$|\b(?:changed|moved|renamed|fixed|added|removed|updated|broke) (?:this|that|it|these|those)\b|^(?:it|they|these|those|he|she)\b(?! (?:is|are) (?:our|my) (?:policy|rule|convention))|^(?:this|that)\b(?! (?:repo|repository|project|codebase|team|code ?base|package|monorepo|product|app|is an? (?:public|open|private|closed|production|shared|legacy|internal|regulated|hobby|toy|proof|greenfield|prototype)|board|server|machine|device))|"
        r"\b(?:(?:this|that)(?! (?:two|three|four|five)\b)|these|those|the (?:above|below|following|current|first|second|third|last|other|latter|former|existing|remaining)) (?:(?:two|three|four|five)|ones?|files?|functions?|methods?|class|tests?|pr|branch|commit|bug|errors?|changes?|lines?|cases?|times?|way|stuff|things?|phase|version|step|task|feature|issue|approach|option|part|section|plan|image|patch|value|field|table|endpoint|page|button|message|component|variable|name|mockups?|reset|call|helper)\b|"
        r"\b(?:(?<!to\W)do|does|like|use|using|change|fix|remove|delete|keep|put|run|add|revert|undo|doing|try|make|want|about|ask about|touch|merge|push|commit|write) (?:it|this|that|these|those|them|so)\b(?=[.,!?; ]*$| (?:again|here|now|there|yet|too|instead|either|yourself|like)\b)|"
        r"^(?:use|put|keep|call|pick|choose|run|take|move|rename)\b.*\bthe (?:existing|current|old|other|original|previous|bigger|smaller)\b|"
        r"\b(?:use|like|follow|implement|with|apply|take|of) your (?:\w+ )?(?:approach|suggestions?|plan|proposal|recommendation)\b|\b(?:as|like) (?:above|below|before|you said|discussed)[.!]?$|^(?:ask|tell) me (?:about|when|if) (?:it|this|that)\b|\b(?:above|below)[.!]?$|\boption [a-d\d]\b|\bline \d+\b"
    ),
    joint=r"\b(?:that|this|it)(?:'s| is) (?:not (?:fully |quite )?(?:correct|right|true)|wrong),? (?:but )?|[;:?!.] | ?[–—]+ ?| - |[,;] (?:so|and|but|then|because|hence|therefore|i|we|since)(?: please| also)? |[,;] (?=(?:always|never|please|don'?t|do not|from now on|use|we|no|only|first|next time)\b)|[.!?] |\bso (?=(?:never|always|don'?t|please|no)\b)|[^\x00-\x7f]+ (?=(?:always|never|don'?t|use|write|no)\b)",
    request=rf"^(?:please )?(?!(?:stop|use|prefer|keep|avoid|write|quit)\b){DO} (?:me |it |this |that |the |a |an )?\w+|^(?:can|could|would) you\b",
    fixed=(
        r"(?:(?:ok(?:ay)?|yes|yep|yeah|great|perfect|nice|awesome|cool|thanks|thank you|wow|good|finally|right|it seems)[,.! ]+)*"
        r"(?:(?:that|this|it)(?:'s| has|'s all| all)? (?:\w+ )?(?:fixed|solved|worked|works|did|helped|resolved|was|is)(?: (?:it|the trick|the (?:issue|problem|bug)|that|now|again|great|perfectly|fine|with|after|once))*|(?:all )?(?:fixed|solved|resolved|works(?: now)?|working now|confirmed|works (?:fine|again|now))|(?:that|which) did (?:the trick|it)|problem solved|the (?:missing piece|fix|culprit|problem|issue|cause|solution|trick) was|(?=clearing|downgrading|upgrading|setting|adding|removing|restarting|pinning|reinstalling))"
        r"(?:[,.:;!–—-]+ ?|$| (?=that|with|after|when|once|the|because|to|if)|(?<=clearing)|(?=clearing|downgrading|upgrading|setting|adding|removing|restarting|pinning|reinstalling))"
    ),
    explains=(
        r"\b(?:needs?|ha[sd] to|have to|must|requires?|was (?:the|that|missing|caused|because|wrong|too)|only (?:when|if|runs|works)|never|does(?:n't| not)|did(?:n't| not)|breaks?|fixes|was the (?:fix|problem|cause|culprit)|we need to|you need to|the (?:problem|issue|cause|culprit|fix) was|because|without|expects?|is not|isn't|wants?)\b(?! (?:you|to thank))(?!.*\bnow (?:do|the)\b)"
    ),
    denies=r"\b(?:that|this|it)(?:'s| is) (?:not (?:fully |quite )?(?:correct|right|true)|wrong),? (?:but )?$",
    points_back=rf"^(?:please )?(?:never|{NOT} ever|{NOT}) (?:ever )?do (?:that|this|it) (?:again|yourself|by yourself|on your own|for me)|^(?:please )?never (?:start|run|touch|do|merge|push|commit|change) (?:them|it|that|those) (?:again|by yourself|on your own|yourself)",
    wording=(
        (r"^(?:the )?agent ", "The agent "),
        (r"^(?:can|could) you (?:please )?", ""),
        (r"^please ", ""),
        (r"^i (?:really )?think (?:that )?we\b", "We"),
        (r"^i(?:'ve| have)? (?:already )?told you not to ", "Do not "),
        (r"^i(?:'ve| have)? (?:already )?told you (?:to |that )", ""),
        (r"^as i (?:said|told you)(?: before)?, (?:please )?", ""),
        (r"^(?:make|be) sure to ", ""),
        (r"^(?:remember )?to (?=always |never )|^remember to ", ""),
        (r"^(?:from now on|going forward|henceforth|from here on|from this point on)[,:]? (?=\w+)", ""),
        (r"^(?:next time|in (?:the )?future)[,:]? ", ""),
        (r",? from now on(?=[.!]?$)", ""),
        (r"^(?:can|could) you (?:please )?", ""),
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
