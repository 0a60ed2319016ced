"""Text that steers whoever reads it, and text that would do harm whoever wrote it."""

from __future__ import annotations

import re

_ACTS = (
    "run|execute|curl|wget|send|post|upload|fetch|download|install|reveal|print|tell|email|open|visit|paste|push|pull"
    "|delete|disable|skip|commit|merge|use|add|copy|write|call|start|begin|include|append|approve|force-push|deploy|sync"
    r"|bypass|ignore|trust|accept|omit|remove|set|export|publish|share|give|grant|load|import|source|make|pass|prefix|ask|check|wait|confirm|sign|set\s+up|start|stop"
)
_THINGS = "secret|token|credential|password|key|env(?:ironment)?|contents?|data|file|diff|log|history|cop(?:y|ie)"
_HARM = re.compile(
    "|".join(
        (
            r"\b(?:curl|wget|iwr|irm|fetch|invoke-webrequest|invoke-restmethod)\b[^\n]{0,200}\|\s*(?:sudo\s+)?"
            r"(?:ba|z|da|fi|k)?sh\b",
            r"\b(?:curl|wget|iwr|irm)\b[^\n]{0,200}\|\s*(?:sudo\s+)?(?:python|perl|ruby|node|iex)\w*",
            r"(?:<\(|\$\()\s*(?:curl|wget)\b|\b(?:ba|z)?sh\s+-c\b[^\n]*\b(?:curl|wget)\b|\beval\s*[(\s]+(?:atob"
            r"|base64|\$\()",
            r"\bbase64\b[^\n]{0,60}\|\s*(?:ba|z)?sh\b",
            rf"\b(?:send|post|upload|exfiltrate|forward|e-?mail|publish|copy"
            rf"|push)\w*\b.{{0,80}}\b(?:{_THINGS})s?\b.{{0,80}}"
            r"(?:\bto\b|\bat\b|https?://|\S+@\S+)",
            r"\b(?:do\s+not|don't|never)\s+(?:tell|inform|mention|warn)\b.{0,40}\b(?:user|human|anyone|people)\b",
            r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instruction|prompt|rule|previous|above"
            r"|earlier)",
            r"\b(?:ignore|override|bypass)\b.{0,40}\b(?:polic|guardrail|restriction|safety|sandbox)",
            r"\b(?:system\s*prompt|developer\s+message|jailbreak|new\s+instructions?)\b",
            r"(?:~|/root|/home/\w+|\$HOME)/\.(?:ssh|aws|gnupg|netrc|kube|docker)\b|\bid_(?:rsa|ed25519)\b"
            r"|\.netrc\b|/etc/shadow\b",
            r"\brm\s+-[a-z]*r[a-z]*f?\s+(?:/|~|\$HOME)(?:\s|$|`)",
            r"(?:忽略|无视|無視).{0,20}(?:指令|指示|规则|規則|提示)",
            r"(?:以前|これまで|上記)の(?:指示|命令|ルール).{0,12}(?:無視|忘れ)",
            r"(?:เพิกเฉย|ละเว้น|ไม่ต้องสนใจ).{0,20}(?:คำสั่ง|กฎ)",
        )
    ),
    re.IGNORECASE,
)
_STEERS = re.compile(
    "|".join(
        (
            r"\byou\s+(?:must|should|shall|need\s+to|are\s+now|have\s+to)\b",
            rf"\b(?:always|never|from\s+now\s+on|whenever|every\s+time)\b.{{0,80}}\b(?:{_ACTS})(?:e?s|e?d|p?ing|t?ing)?\b",
            r"^(?:always|never|from\s+now\s+on|do\s+not|don't|make\s+sure|be\s+sure|ensure|remember\s+to|avoid)\b",
            r"\b(?:assistants?|agents?|ai|models?|claude|codex|gemini|llms?)\b.{0,40}\b(?:must|should|shall|ha(?:s"
            r"|ve)\s+to|needs?\s+to)\b",
            r"\b(?:assistants?|agents?|ai|models?|llms?)\b.{0,30}\b(?:is|are)\s+(?:required|expected|obliged)\b",
            r"\b(?:immer|stets|niemals|nie)\b.{0,60}\b\w+en\b|\b(?:toujours|ne\s+jamais|siempre|nunca|sempre"
            r"|всегда|никогда)\b",
            r"(?:总是|總是|必须|必須|务必|一律|每次).{0,40}|必ず|常に|항상|반드시|เสมอ|ต้อง",
        )
    ),
    re.IGNORECASE,
)
_ORDERS = re.compile(
    rf"^(?:always|never|from\s+now\s+on|do\s+not|don't|make\s+sure|ensure|remember\s+to|avoid|prefer)\b"
    rf"|^(?:please\s+|first\s+|then\s+|to\s+\w+,?\s+)?(?:do\s+not\s+|don't\s+)?(?:{_ACTS})\b",
    re.IGNORECASE,
)


def is_harmful(text: str) -> bool:
    """Whether following a text would run somebody else's code, give secrets away or hide things from the user. Only a
    person's own words may say such a thing."""
    return _HARM.search(text) is not None


def reads_as_instruction(text: str) -> bool:
    """Whether a text tries to steer whoever reads it."""
    return is_harmful(text) or _STEERS.search(text) is not None


def is_order(text: str) -> bool:
    """Whether a text begins by telling its reader to do something."""
    return _ORDERS.match(text.strip()) is not None
