"""What an endpoint means by a refusal. Providers and proxies share neither statuses nor codes, so the words decide.

The order of `meaning_of` is the order of harm: a request that is only too long must not stop a run, and an account
that is out of money must not cost every session an attempt.
"""

from __future__ import annotations

import re
from enum import StrEnum

from slowwave.llm.endpoint.capabilities import Feature


class Meaning(StrEnum):
    """What follows from a refusal."""

    TOO_LONG = "too_long"
    LESS_ROOM = "less_room"
    NO_CREDIT = "no_credit"
    USAGE_LIMIT = "usage_limit"
    WRONG_KEY = "wrong_key"
    NO_PERMISSION = "no_permission"
    NO_MODEL = "no_model"
    BUSY = "busy"
    UNCLEAR = "unclear"


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_ASKED = r"(?:prompts?|inputs?|messages?|context|request|conversation)"
_OVER = (
    r"(?:exceed\w*|too (?:long|large|big|many)|longer than|greater than|larger than|over(?:flow\w*)?|above|surpass\w*)"
)
_TOO_LONG = _any(
    r"prompt_too_long|context_?length_?exceeded|context_?window_?exceeded|contextwindowexceeded|max_prompt_tokens"
    r"|string_above_max|exceed_context_size|input_too_long",
    rf"\b{_ASKED}(?:[ _-](?:tokens?|length|size|window|count)){{0,2}} (?:is |are |was |of \d+ )?(?:\w+ )?{_OVER}",
    rf"{_OVER} .{{0,40}}\b(?:context|prompt|input)(?:[ _-]\w+)?\b",
    r"(?:max\w*|available|model'?s?) (?:\w+ ){0,2}(?:context|prompt|input|model)[ _-]?(?:\w+ )?(?:length|size|window)",
    r"context (?:length|size|window|limit)",
    r"\btoo many (?:input |prompt )?tokens|(?:input|prompt)[ _]tokens?[ _](?:limit|count)",
    r"(?:total )?number of (?:input |prompt )?tokens? .{0,60}(?:exceed|limit|maximum)",
    r"\btoken limit(?: exceeded|:)|exceeded? (?:the )?model(?:'s)? token limit|range of input length",
    r"prompt contains \d+ tokens|reduce the (?:length|size) of|shorter or fewer inputs|`?inputs`? (?:tokens? .{0,30})?must (?:be|have)",
    r"tokens? .{0,40}longer than|request (?:entity )?too large|prompt exceeds|length .{0,30}maximum model length",
    r"\btokens? in (?:the )?(?:request|prompt|input) (?:is |are )?(?:more than|over|above|exceed\w*)",
    r"(?:输入|提示|上下文|請求|请求).{0,12}(?:过长|超过|超出|太长|過長)|(?:入力|プロンプト).{0,12}(?:長すぎ|超え)",
)
_LESS_ROOM = _any(
    r"max_?(?:completion_|output_|new_)?_?tokens\b.{0,80}(?:exceed|too (?:large|big|high)|at most|maximum|less than|range|"
    r"<=|greater than|larger than|> ?\d|invalid|limit)",
    r"(?:invalid|exceed\w*|maximum|limit\w*|range).{0,60}max_?(?:completion_|output_)?tokens",
    r"maximum (?:allowed )?(?:number of )?(?:output|completion) tokens|at most \d+ (?:completion|output) tokens",
)
_NOT_ROOM = re.compile(r"\b(?:context|prompt|input|inputs|messages)\b|credit", re.IGNORECASE)
_NO_CREDIT = _any(
    r"credit balance|insufficient[ _](?:balance|funds?|credits?|quota)|(?:out of|no|more|requires?|all available) credits",
    r"billing|payment required|unpaid|arrear|good standing|exceeded_current_quota|top[ -]?up|recharge",
    r"(?:余额|額度|额度)不足|欠费|充值|exceeded your current quota|check your plan",
)
_USAGE_LIMIT = _any(
    r"usage limits?\b|spend(?:ing)?[ _](?:limit|cap)|(?:max(?:imum)?|over(?: its)?(?: max)?|exceeded) budget|budget (?:has been )?"
    r"exceeded|over budget|exceeded ?budget|budget_exceeded|(?:monthly|weekly|daily|total|key|hard) limit|limit exceeded \(",
    r"(?:per|a) (?:day|month|week)\b.{0,40}(?:limit|quota|exceed)|(?:limit|quota).{0,60}\bper[ _](?:day|month|week)\b",
    r"(?:used|reached|hit) (?:all )?(?:of )?your .{0,30}(?:limit|allowance|quota)|quota (?:is )?exhausted",
)
_PER_MINUTE = _any(r"per[ _-]?(?:min(?:ute)?|second|sec)\b|\b[RT]PM\b|rate limit|try again in|concurren")
_WRONG_KEY = _any(
    r"(?:invalid|incorrect|wrong|missing|expired|revoked|no|unknown) (?:x-)?api[ _-]?key|api[ _-]?key (?:is )?(?:not valid|"
    r"invalid|missing|expired|required|not found)|\b(?:security|session|access|oauth|bearer) token .{0,40}(?:expired|invalid|revoked)"
    r"|authentication[ _](?:failed|error|required)|unauthenticated|invalid_api_key",
)
_NO_PERMISSION = _any(
    r"(?:organi[sz]ation|account|workspace|project|key|user|team)\b.{0,40}\b(?:disabled|deactivated|suspended|blocked|banned)",
    r"(?:location|country|region|territory|countries)\b.{0,40}\b(?:not supported|unsupported|not available|not allowed)",
    r"unsupported_country|does not have (?:permission|access)|not (?:authori[sz]ed|allowed|entitled) to (?:use|access|call)",
    r"permission[ _]denied|access (?:to .{0,30})?(?:denied|refused|forbidden)|not eligible",
)
_MODEL_WORD = r"(?:models?|engine|deployment)\b"
_GONE = (
    r"(?:not (?:found|available|supported|exist|known|recogni[sz]ed|enabled|valid|a valid)|n[o'’]t supported|does(?: not|n'?t) exist|"
    r"unknown|invalid|unsupported|retired|deprecated|decommissioned|sunset|removed|discontinued|shut down|no longer|"
    r"end of (?:its )?life|unavailable for)"
)
_NO_MODEL = _any(
    r"model_(?:not_found|decommissioned|not_supported|not_available|deprecated)|unknown_model|invalid_model",
    rf"\b{_MODEL_WORD}.{{0,80}}(?:\b|(?=n['’]t)){_GONE}",
    rf"\b(?:unknown|invalid|unsupported|no such|nonexistent|unrecogni[sz]ed|retired) (?:\w+ )?{_MODEL_WORD}",
    rf"\bdoes not have access to {_MODEL_WORD}|\bno (?:deployments?|endpoints?) (?:available|found) for",
    r"\b(?:deprecated|retired|shut down|discontinued)\b.{0,60}(?:newer|another|different) model|model identifier",
    r"^model: \S+$|model(?:s/\S+)? is not found",
)
# A sentence about a part of the request names a model in passing: "... is not supported with this model".
_THIS_MODEL = re.compile(
    r"(?:not support\w*|unsupported|unavailable|only).{0,60}(?:this|the|by|with) (?:this )?model|this model", re.I
)
_LOADING = re.compile(r"loading|overload|busy|capacity|try again|temporar|runner", re.IGNORECASE)
_FEATURES: tuple[tuple[Feature, re.Pattern[str]], ...] = (
    ("effort", _any(r"effort\b", r"\boutput_config\b(?!\W{1,4}format)")),
    ("structured_output", _any(r"output_config(?!\W{1,4}effort)|output_format|json_schema|grammar|response_format|schema"
                               r"|structured[ _]outputs?|guided_")),
    ("thinking", _any(r"\bthinking\b|\breasoning\b(?!_effort| effort)")),
    ("caching", _any(r"cache_control|\bcach(?:e|ing)\b|ephemeral")),
    ("system_list", _any(r"\bsystem\b.{0,60}(?:string|list|array|str\b)")),
)  # fmt: skip


def named_features(words: str) -> tuple[Feature, ...]:
    """The parts of a request that a refusal names, so that it can be asked again without them."""
    return tuple(feature for feature, pattern in _FEATURES if pattern.search(words))


def meaning_of(status: int, words: str) -> Meaning:
    """Return what a refusal means by its status and its words (message, type and code together)."""
    if _LESS_ROOM.search(words) and not _NOT_ROOM.search(words):
        return Meaning.LESS_ROOM
    if status == 402 or _NO_CREDIT.search(words):
        return Meaning.BUSY if _PER_MINUTE.search(words) and status == 429 else Meaning.NO_CREDIT
    if status == 413 or _is_too_long(status, words):
        return Meaning.TOO_LONG
    if _USAGE_LIMIT.search(words) and not (status == 429 and _PER_MINUTE.search(words)):
        return Meaning.USAGE_LIMIT
    if status == 429 or (status >= 500 and _LOADING.search(words)):
        return Meaning.BUSY
    return _about_access(status, words)


def _is_too_long(status: int, words: str) -> bool:
    if not _TOO_LONG.search(words):
        return False
    # A rate that is used up is no matter of one prompt, unless the prompt alone is more than the rate.
    return status != 429 or re.search(r"request too large|must be reduced|context", words, re.IGNORECASE) is not None


def _about_access(status: int, words: str) -> Meaning:
    if status == 401 or _WRONG_KEY.search(words):
        return Meaning.WRONG_KEY
    if _NO_MODEL.search(words) and not (named_features(words) and _THIS_MODEL.search(words)):
        return Meaning.NO_MODEL
    if status == 403 or _NO_PERMISSION.search(words):
        return Meaning.NO_PERMISSION
    return Meaning.UNCLEAR
