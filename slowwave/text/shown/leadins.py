"""Words that announce that what follows is somebody else's: `summarise this mail`, `I get this:`, `the docs say:`."""

from __future__ import annotations

import re

from slowwave.text.lazy import lazy

_ASK = (
    # English, German, French, Spanish, Portuguese, Russian, Vietnamese
    r"\b(?:improve|polish|shorten|simplify|convert|reformat|make .{1,40}\b(?:friendl|short|clear|nic)\w*|fix (?:the |any )?(?:typos|grammar|spelling)|summari[sz]e|summary of|tl;?dr|explain|translate|proof-?read|rewrite|rephrase|paraphrase|review|"
    r"analy[sz]e|interpret|describe|compare|evaluate|critique|check|(?:have|take) a look|look at|read|"
    r"what (?:does|do|did|is|are|was|changed)|what's|what should (?:i|we) (?:answer|reply|say|do)|what do you (?:make|think)|"
    r"is (?:this|that|it)|are these|does (?:this|that|it)|thoughts on|your take|your opinion|(?:reply|respond|answer) to|"
    r"draft|implement|address|apply|handle|resolve|go through|understand|found|copied|fass\w*|zusammenfass\w*|"
    r"übersetz\w*|erklär\w*|(?:über)?prüf\w*|lies|schau\w*|analysier\w*|korrigier\w*|(?:be)?antwort\w*|"
    r"was (?:heißt|heisst|bedeutet|steht|meint|sagt|hältst)|verstehst|résum\w*|tradui\w*|expliqu\w*|reli[ts]\w*|"
    r"lis|analys\w*|corrige\w*|répon\w*|vérifi\w*|regarde\w*|(?:que|qu'est-ce que?|ça) (?:veut dire|signifie|dit)|"
    r"que veut|veut dire|resum\w*|resúm\w*|traduc\w*|traduz\w*|explic\w*|explíc\w*|revis\w*|lee|leia|analiza|"
    r"analis\w*|corrig\w*|respond\w*|mira|veja|qué (?:significa|dice|quiere)|que (?:significa|diz|quer dizer)|"
    r"o que (?:significa|diz)|суммируй\w*|резюмируй\w*|перескажи\w*|перевед\w*|объясни\w*|проверь\w*|прочитай\w*|"
    r"проанализируй\w*|посмотри\w*|ответь\w*|что (?:значит|означает|это|тут|здесь|пишут)|tóm tắt|dịch|"
    r"giải thích|xem|kiểm tra|đọc|phân tích|nghĩa là gì|có nghĩa gì)\b|总结|總結|概括|归纳|翻译|翻譯|解释|解釋|说明一下|看看|"
    r"看一下|看下|分析|校对|润色|潤飾|审查|评审|回复|回覆|什么意思|什麼意思|怎么理解|说了什么|要約|まとめ|翻訳|説明|解説|添削|レビュー|校正|読んで|見て|確認して|どういう意味|"
    r"意味は|返信|訳し|요약|번역|설명|검토|분석|읽어|무슨 뜻|의미|답장|봐 ?줘|สรุป|แปล|อธิบาย|ตรวจ|อ่าน|วิเคราะห์|หมายความว่า|แปลว่า|"
    r"ดู"
)
_POINT = (
    r"\b(?:this|these|the following|following|below|it|that|he|she|they|dies\w*|folgend\w*|unten|das|er|"
    r"sie|damit|ce|cet|cette|ces|ceci|ça|suivante?s?|ci-dessous|est[aeo]s?|siguientes?|abajo|ess[aeo]s?|"
    r"isto|isso|seguintes?|abaixo|эт\w+|следующ\w+|ниже|này|sau|dưới đây|đây)\b|这|這|下面|以下|如下|此|この|これ|以下|"
    r"次の|下記|이|아래|다음|นี้|ต่อไปนี้|ด้านล่าง"
)
_TEXT = (
    r"\b(?:e-?mails?|mails?|messages?|pages?|web ?sites?|articles?|posts?|threads?|tickets?|stor(?:y|ies)|"
    r"readme|documents?|docs?|documentation|texts?|paragraphs?|sections?|snippets?|excerpts?|passages?|"
    r"logs?|outputs?|errors?|trace(?:s|back)?|stack ?traces?|warnings?|diffs?|patch(?:es)?|comments?|feedback|"
    r"reports?|reviews?|threads?|chats?|conversations?|transcripts?|answers?|responses?|repl(?:y|ies)|quotes?|polic(?:y|ies)|letters?|contracts?|"
    r"results?|findings?|suggestions?|descriptions?|changelog|announcements?|forum|nachricht\w*|seiten?|"
    r"artikel|dokument\w*|absatz|absätze|kommentar\w*|ausgabe\w*|fehler\w*|meldung\w*|brief|beitrag|courriels?|"
    r"pages?|articles?|documents?|textes?|paragraphes?|commentaires?|sorties?|erreurs?|journal|journaux|"
    r"correos?|mensajes?|mensage(?:m|ns)|páginas?|artículos?|artigos?|documentos?|textos?|párrafos?|parágrafos?|"
    r"comentarios?|comentários?|salidas?|saídas?|erro(?:r|res|s)?|письм\w+|сообщени\w+|страниц\w+|стать\w+|"
    r"документ\w*|текст\w*|абзац\w*|комментари\w+|лог\w*|вывод\w*|ошибк\w+|email|thư|tin nhắn|trang|bài|"
    r"tài liệu|đoạn|văn bản|bình luận|lỗi)\b|邮件|郵件|文章|文字|文本|段话|段話|网页|網頁|页面|頁面|文档|文檔|日志|日誌|报错|報錯|错误|錯誤|"
    r"消息|訊息|评论|評論|意见|帖子|通知|信息|提示|公告|输出|輸出|メール|文章|記事|ページ|文書|ドキュメント|ログ|エラー|メッセージ|コメント|スレッド|お知らせ|出力|文を|テキスト|"
    r"메일|메시지|글|문서|페이지|기사|로그|오류|에러|댓글|출력|문장|텍스트|อีเมล|ข้อความ|หน้า|บทความ|เอกสาร|ล็อก|ข้อผิดพลาด|ความคิดเห็น"
)
_BELOW = (
    r"\b(?:the following|below|folgend\w*|unten|suivante?s?|ci-dessous|siguientes?|abajo|seguintes?|abaixo|следующ\w+|ниже|"
    r"sau đây|dưới đây)\b|以下|下面|下記|次の|아래|다음|ต่อไปนี้|ด้านล่าง"
)
_RULES = (
    r"\b(?:rules?|guidelines?|conventions?|preferences?|requirements?|principles?|regeln?|vorgaben|konventionen|règles?|consignes|"
    r"reglas|convenciones|preferencias|regras|convenções|правил\w*|соглашени\w+|quy tắc|quy ước)\b|规则|規則|规范|規範|约定|約定|要求|"
    r"ルール|規約|決まり|方針|규칙|원칙|กฎ|ข้อกำหนด"
)
_UNDER = (
    r"^\W*(?:when(?:ever)?|if|before|after|while|once|until|about|regarding|concerning|for|on|in|with|wenn|falls|sobald|bevor|nachdem|"
    r"für|bei|über|quand|lorsque|si|avant|après|pour|sur|dans|cuando|antes|después|para|sobre|quando|se|em|когда|если|для|khi|nếu)\b|"
    r"^(?:当|當|如果|每次|关于|關於|对于)"
)
"""Beginnings by which a line says what its rule is about; nothing of somebody else's follows."""
_HERE_IS = r"^\W*(?:here(?:'s| is| are)|this is|hier (?:ist|sind)|voici|aquí (?:está|tienes)|aqui está|вот|đây là|这是|這是|これが|이게|นี่คือ)"
_MINE = r"\b(?:my|our|mein\w*|unser\w*|mon|mes|nos|notre|mis?|nuestr\w+|meus?|minhas?|мо[ийея]|наш\w*)\b|我的|我们的|私の|내 |ของฉัน"
_GET_LAST = (
    r"\b(?:i|we|it|he|she|they|you)\b.{0,40}\b(?:get|gets|got|getting|see|saw|receive|received|read|prints?|says?|shows?)\W*$|"
    r"\b(?:fails?|failed|dies|died|crash(?:es|ed)?|exits|stops|errors out|blows up) with\W*$|^\W*(?:quoted |copied |taken )?from (?:the|a|our) (?:docs|wiki|page|readme|manual|guide|forum|site|article|mail|ticket|spec)\b.{0,30}$"
)
_DOCUMENT_LAST = (
    r"(?:\b(?:the|this|that|his|her|their|a|an|stack ?overflow|forum|reddit|github|gitlab|jira|linear|slack|support|customer|vendor|client|release|"
    r"meeting|call|interview|job|product|pr|ticket|issue|man|blog|news)|['’]s|s['’])\s(?:\w+ ){0,2}"
    r"(?:messages?|mail|e-?mail|answer|reply|response|ticket|description|notes|page|article|post|tweet|thread|minutes|policy|letter|"
    r"statement|announcement|comments?|question|quote|excerpt|review|verdict|opinion|guide|manual)(?: #?\d+)?\W*$|"
    r"^\W*(?:transcript|changelog|excerpt|man page|tweet|quote|minutes)\b(?: (?:by|of|from) .{1,40})?\W*$|"
    r"^\W*(?:the |some |a |more )?\w+(?: \w+)? from (?!now|here|today|then|scratch|this point)(?:the |our |a |their )?[\w .'#-]{2,40}$"
)
_MAKES = (
    r"^\W*(?:please |pls |can you |could you )*(?:write|add|update|create|use|put|change|remove|fix|edit|rename|document|make|set|keep|"
    r"generate|send|post|commit|include|append|insert|replace|start|end|begin|stop|run|follow|respect)\b"
)
"""Heads that ask for a text to be made: what follows is the person's own word on it."""
_CONCLUDES = r"\b(?:so|then|therefore|hence|thus|anyway|instead|deshalb|daher|also|donc|alors|entonces|así que|então|поэтому)\W*$"
_SAID_LAST = r"\b(?:says?|said|wrote|writes|reads|replied(?: with)?|answered|prints?|states?|claims)\W*$"
_RETELL = (
    r"\b(?:summari[sz]e|tl;?dr|translate|explain|proof-?read|convert|(?:(?:have|take) a look at|look at|read|check out|compare) (?:this|these|the following)\W*$|make (?:this|it|these) (?:sound|read|look)|turn (?:this|these|it) into|count the|extract .{1,30} from|find the (?:bug|error|mistake)|erklär\w*|expliqu\w*|explic\w*|объясни\w*|giải thích|fass\w*|zusammenfass\w*|übersetz\w*|résum\w*|tradui\w*|"
    r"resum\w*|traduc\w*|traduz\w*|перевед\w*|перескажи\w*|tóm tắt|dịch)\b|总结|總結|概括|翻译|翻譯|要約|まとめ|翻訳|解释|解釋|説明|요약|번역|설명|สรุป|แปล|อธิบาย"
)
_NEEDS_COLON = (
    r"\b(?:files?|code|plan|specs?|specification|config\w*|quer(?:y|ies)|prompt|notes?|issues?|datei(?:en)?|"
    r"fichiers?|archivos?|ficheros?|arquivos?|файл\w*|tệp|task|bug)\b|文件|代码|ファイル|コード|파일|코드|ไฟล์|โค้ด"
)
_MACHINE = (
    r"\b(?:error|errors|output|outputs|logs?|trace|traceback|stack ?trace|warnings?|message|mail|e-?mail|"
    r"page|readme|docs?|documentation|article|response|result|results|transcript|excerpt|snippet|diff|"
    r"fehler\w*|ausgabe|meldung|nachricht|erreurs?|sortie|résultat|errores|salida|saída|erros?|mensaje|"
    r"ошибк\w+|вывод|сообщение|lỗi|kết quả)\b|报错|報錯|错误|錯誤|输出|輸出|日志|日誌|提示|エラー|出力|ログ|メッセージ|오류|에러|출력|로그|ข้อผิดพลาด|"
    r"ล็อก|ผลลัพธ์"
)
_MACHINE_LAST = (
    r"\b(?:errors?|error messages?|outputs?|logs?|trace|traceback|stack ?trace|warnings?|console|terminal|stderr|stdout|response|results?|"
    r"crash|exception|readme|"
    r"fehler|fehlermeldung|ausgabe|meldung|erreurs?|sortie|résultat|errores|salida|saída|erros?|ошибк\w+|вывод|лог|lỗi|kết quả)\W*$|"
    r"(?:报错|報錯|错误|錯誤|輸出|输出|日志|日誌|提示|エラー|出力|ログ|오류|에러|출력|로그|ข้อผิดพลาด|ล็อก|ผลลัพธ์)(?:信息|訊息|メッセージ|메시지|如下)?\W*$"
)
_GET = (
    r"\b(?:fail(?:s|ed)?|dies|died|crash(?:es|ed)?|exits|stops|errors out) with\b|"
    r"\b(?:i(?:'m| am)?|we(?:'re| are)?|it|he|she|they|this|there|build|ci|test|tests|app|server|console|"
    r"terminal|compiler|reviewer|bot|page|script)\b.{0,40}\b(?:get|gets|got|getting|see|sees|seeing|saw|"
    r"receive|received|prints?|printed|shows?|showed|returns?|returned|outputs?|fails? with|failed with|"
    r"throws?|threw|left|wrote|gave|gives?|posted|sent|found|copied)\b|\b(?:bekomme|kriege|erhalte|sehe|"
    r"kommt|erscheint)\b|j'obtiens|je (?:reçois|vois)|s'affiche|me sale|obtengo|recibo|aparece|aparece-me|"
    r"recebo|получаю|вижу|выдает|выдаёт|nhận được|báo lỗi|出ます|出る|表示され|出力され|得到|看到|显示|顯示|나와|나옵|떠요|뜹|ขึ้นว่า|"
    r"ได้แบบนี้"
)
_SAYS = (
    r"\b(?:says?|said|wrote|writes|reads|states?|commented|(?:proposed|suggested|recommended)(?=\W*$| this| that)|posted|claimed|warned|announced|told everyone|comments|answered|replied|replies|claims|recommends|"
    r"suggests|told (?:me|us)|according to|laut|selon|según|segundo|согласно|theo|steht|sagt|sagte|schreibt|schrieb|meint|dit|écrit|affirme|dice|dijo|escribió|"
    r"escribe|pone|diz|disse|escreveu|говорит|пишет|написал\w?|сказал\w?|nói|viết)\b|说|說|根据|根據|によると|によれば|写道|寫道|写着|寫著|言って|"
    r"書いて|とある|말했|적혀|บอกว่า|เขียนว่า"
)
_OWN_VOICE = (
    r"\b(?:i|we)(?:'ve| have| just| already)?\s+(?:said|told|wrote|say|mean|recommend|suggest)|\b(?:ich|"
    r"wir) (?:sagte|schrieb|meinte)|j'ai (?:dit|écrit)|\b(?:dije|escribí)\b|我说|我說|俺が|私が"
)
_OTHERS = (
    r"\b(?:has|contains|includes|with) (?:this|the following) (?:comment|note|text|message|warning|sentence|paragraph)\b|"
    r"\b(?:pr|code|review|qa|customer|client|user) (?:feedback|comments?|review)\b|\bhand-?(?:off|over)\b|"
    r"\b(?:slack|teams|discord|whatsapp|mail|e-?mail) (?:thread|chat|message|conversation)\b|"
    r"\b(?:prompt|instructions?|brief|message|reply|answer|output|plan) (?:for|from|to|by) (?:the |an?other |a |my )?(?:\w+ )?"
    r"(?:agent|session|model|assistant|claude|codex|gpt|chatgpt|gemini|copilot|cursor|colleague|boss|customer)\b|"
    r"\b(?:comments?|feedback|review|notes?|messages?|repl(?:y|ies)|answers?|suggestions?|findings?|report|"
    r"quote|kommentare?|rückmeldung|commentaires?|retours?|comentarios?|mail|e-?mail)\b\s+(?:from|by|of|"
    r"von|de|du)\s|\breview (?:comments?|feedback|findings?)\b|\b(?:code ?rabbit|copilot|cursor ?bot|sonar\w*|"
    r"reviewer)\b|レビューコメント|审查意见|评审意见"
)
_OBJECT = lazy(
    r"https?://|(?:^|[\s(@`])(?:\.{0,2}/)?[\w@.-]+/[\w@./-]+|\b[\w-]+\.(?:tsx?|jsx?|py|go|rs|md|json|ya?ml|"
    r"toml|java|kt|rb|cs?|cpp|h|sh|sql|html|css|txt|log|pdf|png|jpe?g)\b|#\d+|@[\w./-]+|`[^`]+`|\bPR\b|"
    r"\b(?:above|oben|ci-dessus|arriba|acima|выше)\b|上面|上の|위의"
)
_BARE = lazy(
    r"(?i)^\W*(?:please\s+|pls\s+|plz\s+|can you\s+|could you\s+|bitte\s+|por favor\s+|请|請)*(?:explain|summari[sz]e|"
    r"translate|analy[sz]e|compare|review|proofread|convert|reformat|polish|shorten|rephrase|rewrite|describe|simplify|fix (?:the )?(?:typos|grammar|spelling)(?: in)?|thoughts|fyi|for your information|tl;?dr|see below|"
    r"quote|erklär\w*|übersetz\w*|zur info|zusammenfassen|explique\w*|traduis\w*|résume\w*|explica\w*|was steht (?:hier|da|dort)|"
    r"traduce|traduza|resume|resuma|объясни|переведи|giải thích|dịch|总结|總結|翻译|翻譯|解释|解釋|什么意思|什麼意思|要約|翻訳|"
    r"説明|解説|요약|번역|설명|สรุป|แปล|อธิบาย)(?:\s+(?:of|please|mir|me|this|that|it|das|ça|esto|isto|это|này)|一下|して|してください|"
    r"해 ?줘|해 ?주세요|หน่อย|ให้หน่อย)*\s*[?？.:：!。]*\s*$"
)
_WHOSE = lazy(
    r"(?i)^\W*(?:.{0,60}\b)?(?:what (?:did|does|do) (?:he|she|they|this|that|it) (?:mean|say|want|do)|what(?: is|'s) this(?: for| about)?|what should (?:i|we) (?:answer|reply|say)(?: to (?:this|him|her|them))?|"
    r"what do you (?:make|think) (?:of|about) (?:it|this|that)|(?:is|was|are|if) (?:this|that|it|these|the following)(?: is| are)? (?:still |all |really )?(?:right|true|correct|ok|okay|legit|valid|accurate|up to date)|what(?:'s| is) wrong with (?:this|these|the following)|read (?:this|these|the following)|(?:have|take) a look at (?:this|these|the following)|compare (?:these|both|the following)|(?:\w+ ){0,4}means? (?:by|with) (?:this|that)|"
    r"does (?:this|that|it) (?:look (?:ok|okay|right|good)|make sense|apply(?: to \w+)?)|(?:explain|translate|summari[sz]e) (?:this|it|that)(?: (?:to|into) \w+)?|"
    r"was (?:heißt|heisst|bedeutet) (?:das|dies)|stimmt das|que (?:veut dire|signifie) (?:ça|ceci|cela|ce texte)|"
    r"qu'est-ce que ça veut dire|(?:¿)?qué (?:significa|quiere decir) (?:esto|eso)|o que (?:significa|quer dizer) (?:isto|isso)|"
    r"что (?:это )?(?:значит|означает)(?: это)?|(?:cái )?này (?:có )?nghĩa là gì)\b.{0,40}$|^.{0,20}(?:これ|"
    r"この文|それ)は?.{0,4}どういう意味.{0,6}$|^.{0,20}(?:这|這|下面).{0,8}什[么麼]意思.{0,4}$|^.{0,10}이게? 무슨 (?:뜻|의미).{0,8}$|"
    r"^.{0,20}นี้?(?:หมายความว่า|แปลว่า).{0,10}$"
)
_POINTERS = frozenset(
    """
    reply answer say says said wrote reads replied prints states claims with this these following below here here's fyi tl;dr tldr thoughts explain summarise summarize translate analyse
    analyze compare review proofread convert reformat polish shorten rephrase rewrite describe simplify quote grammar typos spelling
    hier da dort das dies diese diesen dieser dieses diesem folgende folgenden folgendes folgender unten info zusammenfassen stimmt
    ce cet cette ces ceci suivant suivante suivants explique expliquez traduis traduisez voici est esta este esto estas estos siguiente
    siguientes abajo explica traduce traduza resume resuma essa esse isto isso seguinte seguintes abaixo information see sau
    """.split()  # noqa: SIM905
)
_PRONOUNS = frozenset({"it", "that", "he", "she", "they"})
_COLON = lazy(r"[:：](?!//|\d|\\)\s*")
MOST = 160


def leads_in(line: str, following: str) -> int | None:
    """Where in a line the announced text begins (the line's length where it stands on the next lines), or None.

    `following` tells what stands behind the line: "" for nothing, "enclosed" for a passage with its own delimiters,
    which is then what the line points at, "text" for anything else.
    """
    head, rest, at = _at_colon(line)
    if at is not None and rest:
        head = _last_sentence(head)
        return at if len(head) <= MOST and _announces(head) and not _OBJECT.match(rest) else None
    if following != "text":
        return None
    if at is not None:
        return len(line) if _announces(_last_sentence(head)[-MOST:]) else None
    question = _last_sentence(line)
    for asked in dict.fromkeys((question, line)):
        if len(asked) > MOST or not _may_point(asked) or _OBJECT.search(asked):
            continue
        if _BARE.match(asked) or _WHOSE.match(asked) or (asked is question and _asks_about_text(asked)):
            return len(line)
    return None


def _at_colon(line: str) -> tuple[str, str, int | None]:
    """Head and rest of a line at its first colon that is no part of an address or a time, and where the rest begins."""
    found = _COLON.search(line)
    if not found:
        return line, "", None
    return line[: found.start()], line[found.end() :], found.end()


def _last_sentence(line: str) -> str:
    """The question or request that a line ends with; what is said before it points at nothing below."""
    body = line.rstrip("?？.!。！ ")
    cut = max(body.rfind(mark) for mark in (". ", "! ", "? ", "。", "！", "？"))
    return line[cut + 1 :].strip() if cut >= 0 else line


def _may_point(question: str) -> bool:
    """Whether one of the words stands in a line without which nothing points below; cheaper than asking in full."""
    if not question.isascii():
        return True
    words = {word.strip("?.,:;!'\"()") for word in question.lower().split()}
    return not words.isdisjoint(_POINTERS) or (
        not words.isdisjoint(_PRONOUNS) and not words.isdisjoint(("what", "what's", "is", "was", "does", "explain"))
    )


def _announces(head: str) -> bool:
    """Whether the words before a colon say that something of somebody else follows."""
    if _search(_GET_LAST, head):
        return True
    if _search(_OWN_VOICE, head) or _search(_UNDER, head):
        return False
    if _search(_SAYS, head) or _search(_OTHERS, head) or _BARE.match(head) or _WHOSE.match(head):
        return True
    if _search(_RULES, head) or _search(_CONCLUDES, head):
        return False
    if _search(_DOCUMENT_LAST, head) and not _search(_MAKES, head):
        return True
    points = _search(_POINT, head)
    text = _search(_TEXT, head) or _search(_NEEDS_COLON, head)
    if (_search(_ASK, head) and text) or (_search(_RETELL, head) and points):
        return True
    foreign = (
        _search(r"\b[\w-]+\.(?:md|txt|rst|adoc|docx?|pdf)\b", head) or _search(_TEXT, head) or _search(_MACHINE, head)
    )
    if foreign and (_search(_BELOW, head) or (_search(_HERE_IS, head) and not _search(_MINE, head))):
        return True
    if _search(_GET, head) and (points or _search(_MACHINE, head)):
        return True
    return bool(_search(_MACHINE_LAST, head)) or bool(points and _search(_MACHINE, head))


def _asks_about_text(question: str) -> bool:
    """`Can you summarise this mail?`: what follows is the mail."""
    if (_search(_HERE_IS, question) and _search(_MACHINE, question)) or (
        _search(_SAID_LAST, question) and not _search(_OWN_VOICE, question)
    ):
        return True
    if not _search(_POINT, question) or _search(_RULES, question) or _search(_UNDER, question):
        return False
    if _search(_BELOW, question) and (_search(_TEXT, question) or _search(_MACHINE, question)):
        return True
    if _search(_ASK, question) and _search(_TEXT, question):
        return True
    return bool(_search(_RETELL, question) and _search(_NEEDS_COLON, question))


def _search(pattern: str, text: str) -> re.Match[str] | None:
    # `re` keeps what it compiled; a hook that needs no lead-in compiles none.
    return re.search(pattern, text, re.IGNORECASE)
