"""Lines and paragraphs that people paste and do not type: logs, code, quotations, mails, chats, other speakers."""

from __future__ import annotations

import re
from collections import Counter

from slowwave.text.lazy import lazy
from slowwave.text.shown.lines import Line

_ROLE = lazy(
    r"(?i)^[#*_\[(<|\s]*(?:system|assistant|developer|human|user|admin|root|tool|ai|agent|chatgpt|bot|"
    r"系统|系統|助手|用户|用戶|使用者|开发者|システム|アシスタント|ユーザー|시스템|어시스턴트|사용자|ระบบ|ผู้ช่วย|système|sistema|systemnachricht|"
    r"система|ассистент|asistente|hệ thống)(?:[ _-]?(?:prompt|message|messages|notice|note|reminder|instructions?|override|update|response|提示|消息|メッセージ))?[*_\])>|\s]*(?:[:：]|"
    r"$)"
)
_ANNOUNCED = lazy(
    r"(?i)^[#*_\[(<|\s!]*(?:(?:the|new|updated|important|urgent|official|latest|revised) )*"
    r"(?:system|developer|admin(?:istrator)?|operator|root|assistant)"
    r"(?:[ _-](?:prompt|message|notice|note|reminder|instructions?|override|policy|directive|command|alert|"
    r"announcement|broadcast|warning|notification))(?:[ _-](?:override|update|notice))?(?: (?:v?\d+|ha(?:s|ve) (?:been |just )?(?:updated|changed|replaced)|"
    r"updated|changed|replaced|follows?|begins?|active|enabled|engaged|received))*[*_\])>|]*(?:\s*[.:：!]|\s+[-–—]\s|\s*$|(?<=[\])>|]))"
)
_ANNOUNCERS = ("system", "developer", "admin", "operator", "root", "assistant")
_ROLE_WITHIN = lazy(r"(?i)(?<=[.!?。！？])\s+[\[(*]*(?:system|assistant)(?: (?:prompt|message|note))?[\])*]*\s*[:：]")
_BRACKETED_ROLE = lazy(r"(?i)^(?:#{1,6}\s+|\[|<\|)(?:im_start\|>)?\s*(?:system|assistant|developer|human|user)\b")

_MAIL = lazy(
    r"(?i)^(?:-+ ?(?:original|forwarded|weitergeleitete|ursprüngliche|mensaje|message)\b.{0,40}|begin forwarded message|"
    r"(?:on|am|le|el|em)\b.{5,80}\b(?:wrote|schrieb|a écrit|escribió|escreveu)(?:\b.{0,60})?:\s*$|(?:subject|betreff|objet|asunto|assunto|тема|主题|主旨|件名|제목)\s*[:：]|"
    r"(?:from|von|de|от|发件人|寄件者|差出人|보낸 사람)\s*[:：].*@|(?:dear|hi|hello|hey)\s+(?:all|team|everyone|everybody|folks|colleagues|customer|sir|madam|both)\b|"
    r"dear\s+\w+|hallo zusammen|(?:liebe|sehr geehrte)[rs]?\s|hola a tod[oa]s|estimad[oa]s?\b|bonjour à tou(?:s|tes)|"
    r"ch(?:er|ère)s?\s+\w|olá a todos|prezad[oa]s?|уважаемы|всем привет|коллеги|kính gửi|chào mọi người)|"
    r"^(?:各位|大家好|尊敬的|敬爱的|皆様|皆さん|各位様|お世話になって|여러분|안녕하세요 여러분|เรียน|ถึงทุกคน)"
)
_OVERRIDE = lazy(
    r"(?i)\b(?:forget|ignore|disregard) (?:everything|all|anything) (?:that )?(?:you|above|before|prior)\b|\b(?:from here on )?you are now (?:an? |in )?(?-i:DAN\b|[A-Z]{3,}\b|unrestricted|jailbroken|developer mode|free of)|\b(?:ignore|disregard|forget|override|bypass)\b(?!\s+(?:my|what i|everything i))[^.\n]{0,30}?\b(?:previous|"
    r"prior|above|earlier|preceding|existing|your|system|safety)\b[^.\n]{0,30}?\b(?:instructions?|rules?|"
    r"prompts?|guidelines?|directions?|messages?|guardrails?|restrictions?|context)\b|\bignor(?:ier|[ae][sz]?)\w*\b[^.\n]{0,40}\b(?:anweisungen|"
    r"regeln|instrucciones|reglas|instructions|consignes|instruções)\b|игнориру\w+[^.\n]{0,40}(?:инструкци|"
    r"правил)|bỏ qua[^.\n]{0,40}(?:hướng dẫn|chỉ dẫn|quy tắc)|(?:忽略|无视|無視|忽視).{0,12}(?:之前|以上|上面|先前|所有|"
    r"全部).{0,8}(?:指令|指示|规则|規則|提示|要求)|(?:これまで|以前|上記|今まで|すべて)の?.{0,6}(?:指示|命令|ルール).{0,8}(?:無視|忘れ)|(?:이전|"
    r"위의|모든).{0,8}(?:지시|명령|규칙).{0,8}무시|(?:เพิกเฉย|ละเว้น|ไม่ต้องสนใจ).{0,12}(?:คำสั่ง|กฎ)"
)
_LOG = lazy(
    r"(?i)^[\s\[(]*(?:\d{4}[-/]\d\d[-/]\d\d[T ,]+\d\d?:\d\d|\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b|"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w* +\d{1,2} \d\d:\d\d:\d\d|\d{10,13}[\s:.]|\d+[.:]\d+\s+\S+.*\bms\b)|"
    r"^\s*\w?\[\d{1,2}:\d\d|^\s*\[(?:info|warn|warning|error|debug|trace|fatal)\]|^\s*\[[\w ./:-]{2,30}\]\s+\S+.*\b(?:info|warn|error|debug|failed|connected|started)\b|"
    r"^\s*(?:[=_~*-]{6,}|(?:[_=-] ){5,}|[.FEsx]{8,}|[─━═]{4,}|[│┃├└┌╭╰])|^create mode \d{6}|^remote: |^hint: "
)
_LEVEL = lazy(
    r"^\s*[\[(<]?(?:INFO|WARN|WARNING|ERROR|ERR|DEBUG|FATAL|TRACE|CRITICAL|NOTICE|SEVERE)[\])>]?(?:[:\s]|$)(?!.*\?$)"
)
_ERROR = lazy(
    r"^\s*(?:Traceback \(|goroutine \d+ |Caused by:|Exception in thread|panicked at|thread '.*' panicked|Stack trace|"
    r"stacktrace|at \S+ ?\(.*\)|at \S+:\d+|at (?:async |new )?[\w.$<>]+ \(|File \".*\", line|E {2,}\S|"
    r"(?:[\w.$]*(?:Error|Exception|Fehler|Erreur|Warning|Fault)|错误|錯誤|エラー|오류|Ошибка|Lỗi|ข้อผิดพลาด)(?:\[\w+\])?\s*[:：]|"
    r"error(?:\[\w+\])?:|npm (?:ERR!|error|warn|WARN)|yarn (?:error|warn)|fatal:|panic:|FAIL(?:ED)?[ :]|"
    r"Uncaught |Unhandled |ld: |gcc|clang: |make(?:\[\d+\])?: \*\*\*|warning:|(?:\S+):\d+:\d+[: ]|[✖✗✘×❌⨯] |"
    r"\d+ (?:errors?|failed|problems?)\b|Process exited|exit (?:code|status) \d|Segmentation fault|(?:zsh|bash|sh): |"
    r"\$ \S|❯ |➜ |>>> |PS [A-Z]:\\|[\w.-]+@[\w.-]+[:~ ].*[$#%] )"
)
_ROLE_MARKS = ("#", "[", "<", "|", "*")
_MAIL_STARTS = (
    *(
        "-",
        "begin",
        "on ",
        "am ",
        "le ",
        "el ",
        "em ",
        "subject",
        "betreff",
        "objet",
        "asunto",
        "assunto",
        "from",
        "von",
        "de",
        "dear",
    ),
    *(
        "hi ",
        "hello",
        "hey",
        "hallo",
        "lieb",
        "sehr",
        "hola",
        "estimad",
        "bonjour",
        "cher",
        "chèr",
        "olá",
        "prezad",
        "тем",
        "от",
        "уваж",
    ),
    *(
        "всем",
        "коллег",
        "kính",
        "chào",
        "主",
        "件",
        "제",
        "发件",
        "寄件",
        "差出",
        "보낸",
        "各",
        "大家",
        "尊",
        "敬",
        "皆",
        "お世話",
        "여러",
        "안녕",
        "เรียน",
        "ถึง",
    ),
)
_OVERRIDE_WORDS = (
    *(
        "ignor",
        "disregard",
        "forget",
        "overrid",
        "bypass",
        "you are now",
        "игнориру",
        "bỏ qua",
        "忽略",
        "无视",
        "無視",
        "忽視",
    ),
    *("忘れ", "무시", "เพิกเฉย", "ละเว้น", "ไม่ต้องสนใจ"),
)
_LOG_WORDS = (
    *(
        "jan",
        "feb",
        "mar",
        "apr",
        "may",
        "jun",
        "jul",
        "aug",
        "sep",
        "oct",
        "nov",
        "dec",
        "create mode",
        "remote:",
        "hint:",
    ),
)
_ERROR_MARKS = (
    *(
        ":",
        "：",
        "Traceback",
        "at ",
        "(",
        "$",
        "❯",
        "➜",
        "E  ",
        "failed",
        "errors",
        "problems",
        "Uncaught",
        "Unhandled",
        "exited",
        "exit ",
        "gcc",
    ),
    *("Segmentation", "FAIL", "tack", "goroutine", "diff", "index", "npm ", "yarn "),
)
_CODE_MARKS = (
    *'{}()[];=<>@#/*"\\:|$`+%',
    *("import ", "return", "else", "elif ", "SELECT ", "INSERT ", "UPDATE ", "CREATE ", "--"),
)
_LABELS = frozenset(
    [
        "note",
        "todo",
        "fix",
        "bug",
        "feature",
        "step",
        "rule",
        "rules",
        "goal",
        "task",
        "question",
        "option",
        "pro",
        "con",
        "ps",
        "edit",
        "update",
        "idea",
        "example",
        "problem",
        "solution",
        "why",
        "how",
        "what",
        "when",
        "where",
        "yes",
        "no",
        "also",
        "and",
        "but",
        "or",
        "backend",
        "frontend",
        "api",
        "db",
        "tests",
        "test",
        "docs",
        "ui",
        "scope",
        "done",
        "next",
    ]
)
_BULLETS = ("- ", "* ", "• ", "+ ")
_DIFF = lazy(r"^(?:[-+]\s{1,4}\d+\s|@@ -\d|diff --git |index [0-9a-f]{7,}\.\.|--- \S|\+\+\+ \S)")
_CODE_END = lazy(r"(?:[;{}\\]|=>|\)\s*:|[({\[]|\),?|\],?|/>|</\w+>)\s*$")
_CODE_START = lazy(
    r"""^\s*(?:import\s+[\w{*\"']|from\s+\S+\s+import\b|(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:def|class|function|const|let|var|interface|type|enum|struct|impl|fn|func|public|private|protected|static|package|namespace|using|module|template)\s+[\w$<{*]+.*(?:[=:{(;]|$)|"""
    r"return\b.*;|if\s*\(|for\s*\(|while\s*\(|for \w+ in .*:$|if .*:$|else\b.*[:{]$|elif |switch\s*\(|"
    r"case .*:$|#include|#define|#!|//|/\*|\*/|<\?|<!|@\w+\(|@\w+$|SELECT\s|INSERT\s+INTO|UPDATE\s+\w+\s+SET|"
    r"CREATE\s+TABLE|[-+]\s{2,}\S|\d+\s*[:|→]\s|\$\w+\s*=|\w[\w.\[\]]*\s*[-+*/|&]?=\s*\S|\w+\(.*\)\s*$|"
    r"""[}\])]+[;,]?\s*$|\"[\w-]+\"\s*:|[\w-]+:\s*$|[\w-]+:\s+[\w\"'./-]+$)"""
)
_COMMENT = lazy(r"^\s*(?:#(?![#\d])\s?\S|//|/\*|--\s|;\s|%\s|<!--)")
_CHAT_TIME = lazy(
    r"^\W{0,3}[\w .,'()@*_-]{1,40}?(?:[\s—–,_*-]+(?:today|yesterday|heute|hier|hoy)?\s*(?:at)?)\s*\[?\d{1,2}:\d\d(?::\d\d)?\s*(?:[ap]\.?m\.?)?[\]_*]*$",
    re.IGNORECASE,
)
_CHAT_STAMP = lazy(
    r"^\[?(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s+)?\d{1,2}:\d\d(?::\d\d)?\s*(?:[ap]m)?\]?\s+[\w .'@-]{1,30}[:：]\s",
    re.I,
)
_NICK = lazy(r"^<[\w.-]{2,30}> \S")
_SPEAKER = lazy(r"^[*_<@]*([^\W\d_][\w .'-]{0,24}?)[*_>]*\s*[:：]\s+\S")


def poses_as_another(text: str) -> bool:
    """`system: ...`, `[SYSTEM] ...`, `### Assistant`, `System prompt update.`: a line that stands for another speaker."""
    start = text[:48].lower()
    if any(word in start for word in _ANNOUNCERS) and _ANNOUNCED.match(text) is not None:
        return True
    if not text.startswith(_ROLE_MARKS) and ":" not in text[:60] and "：" not in text[:60]:
        return False
    return (_ROLE.match(text) is not None and (":" in text or "：" in text or text[:1] in "#[<|*(")) or (
        _BRACKETED_ROLE.match(text) is not None
    )


def poses_within(text: str) -> int | None:
    """Where another speaker begins behind a sentence on the same line, or None."""
    low = text.lower()
    found = _ROLE_WITHIN.search(text) if "system" in low or "assistant" in low else None
    return found.start() if found else None


def opens_mail(text: str) -> bool:
    """The head of a mail or an address to people who are not the agent."""
    return text[:24].lower().startswith(_MAIL_STARTS) and _MAIL.match(text) is not None


def overrides(text: str) -> int | None:
    """Where a line asks to set earlier instructions aside, as text written for machines does; None where it does not."""
    low = text.lower()
    found = _OVERRIDE.search(text) if any(word in low for word in _OVERRIDE_WORDS) else None
    return found.start() if found else None


def is_log(raw: str) -> bool:
    """A line that a program wrote with a time or a level."""
    start = raw.lstrip()
    if start[:1].isalpha() and not (start[:4].isupper() or start[:12].lower().startswith(_LOG_WORDS)):
        return False
    return _LOG.match(raw) is not None or _LEVEL.match(raw) is not None


def breaks_off(raw: str) -> bool:
    """A line of an error, a trace, a shell or a diff, after which the same paste goes on."""
    start = raw.lstrip()
    if start[:1].isalpha() and start[:1].isascii() and not any(mark in raw for mark in _ERROR_MARKS):
        return False
    return _ERROR.match(raw) is not None or _DIFF.match(raw) is not None


def is_quotation(text: str) -> bool:
    """A quoted line or a table's row."""
    return text.startswith((">", "|")) or (text.endswith("|") and text.count("|") >= 2)


def rules_a_table(text: str) -> bool:
    """The line between a table's head and its rows."""
    return text.count("|") >= 1 and "--" in text and not text.strip("-|: ")


def is_prose(line: Line) -> bool:
    """A line that reads like a sentence of somebody."""
    words = line.raw.split()
    plain = sum(word.strip("'’\"(),.!?").isalnum() for word in words)
    return line.raw[:1].isalpha() and (
        (plain >= 5 and plain * 3 >= len(words) * 2) or (len(line.raw) >= 6 and not line.raw[:6].isascii())
    )


def is_code(lines: list[Line]) -> bool:
    """A run of lines of which half at least are code: three of them, or a comment and what it stands over."""
    if all(line.raw.startswith(("    ", "\t")) and not line.text.startswith(_BULLETS) for line in lines):
        return True
    if len(lines) < 2:
        return False
    marked = sum(_looks_like_code(line) for line in lines)
    if len(lines) == 2:
        return marked == 2 and any(_COMMENT.match(line.raw) for line in lines)
    if _COMMENT.match(lines[0].raw) and _looks_like_code(lines[1]):
        return True
    return marked >= 3 and marked * 2 >= len(lines) and _looks_like_code(lines[0])


def _looks_like_code(line: Line) -> bool:
    if line.raw.startswith(("    ", "\t")) and not line.text.startswith(_BULLETS):
        return True
    if line.text[-1:].isalnum() and line.text.isascii() and not any(mark in line.text for mark in _CODE_MARKS):
        return False
    return bool(_CODE_START.match(line.raw) or _CODE_END.search(line.raw) or _COMMENT.match(line.raw))


def transcript_start(lines: list[Line]) -> int | None:
    """Where a conversation of several people begins, or None."""
    total = len(lines)
    lines = [line for line in lines if ":" in line.text or "：" in line.text or line.text[:1] == "<"]
    if not lines or (len(lines) < 2 and total < 3):
        return None
    stamped = [line.start for line in lines if line.text[:1] in "[0123456789" and _CHAT_STAMP.match(line.text)]
    if len(stamped) >= 2:
        return stamped[0]
    timed = [line.start for line in lines if len(line.text) < 60 and _CHAT_TIME.match(line.text)]
    nicks = [line.start for line in lines if _NICK.match(line.text)]
    if len(nicks) >= 2:
        return nicks[0]
    if timed and (len(timed) >= 2 or total > 2):
        return timed[0]
    named = [(found.group(1).lower(), line.start) for line in lines if (found := _SPEAKER.match(line.text))]
    speakers = [entry for entry in named if entry[0] not in _LABELS]
    counts = Counter(name for name, _ in speakers)
    if len(speakers) >= 3 and 2 <= len(counts) <= len(speakers) - 1 and len(speakers) * 2 >= total:
        return speakers[0][1]
    return None
