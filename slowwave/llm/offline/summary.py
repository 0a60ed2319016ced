"""What a session was about, what was done in it and how it ended, in a few plain words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from slowwave.llm.offline import text as texts
from slowwave.llm.offline.command_lines.commands import Edit, Step
from slowwave.llm.offline.command_lines.vocabulary import STOP_WORDS
from slowwave.llm.offline.rules import words
from slowwave.llm.offline.workflows import is_broad, purpose_of
from slowwave.rollouts.model import Item, ItemKind
from slowwave.storage.types import Outcome

_TITLE = 100
_SLUG_WORDS = 6
_SLUG_LENGTH = 60
_ACKNOWLEDGED = words(
    r"^\W*(?:yes|yeah|yep|ok(?:ay)?|sure|no|continue|go on|go ahead|proceed|thanks?|thank you|great|perfect|nice|"
    r"好的?|可以|继续|繼續|谢谢|はい|続けて|ありがとう|โอเค|ครับ|ค่ะ|ต่อ|ขอบคุณ|네|계속|ja|weiter|oui|continue[rz]?|sí|sigue)"
    r"(?:\W+(?:to all|please|with all|to both|it|that|with next options))?\W*$"
)
_LEAD = re.compile(r"(?i)^(?:(?:yes|no|ok(?:ay)?|yeah|so|well|hi|hey|hello|please|also|and|now)[,.!]?\s+)+")
_HEADING = re.compile(r"(?m)^#{1,3}\s+(?:plan:\s*)?(\S.{3,})$", re.IGNORECASE)
_CONTENT = words(
    r"\b(?:thanks|thank you|great|perfect|works (?:now|great|fine|perfectly)|looks good|lgtm|nice|awesome|excellent)\b",
    r"谢谢|完美|太好了|可以了|ありがとう|完璧|動きました|ขอบคุณ|ใช้ได้แล้ว|고마워|danke|merci|gracias|perfecto",
)
_UNHAPPY = words(
    r"\bstill (?:fail\w*|broken|not|doesn['’]t|wrong)|\b(?:doesn['’]t work|not working|that['’]s wrong|you broke|revert)\b",
    r"还是不行|不对|まだ(?:動|失敗)|ยังไม่ได้|ยังพัง",
)
_WORDS = {
    "latin": ("Edits: {0}.", "Worked: {0}.", "Failed: {0}.", "Ended: {0}."),
    "zh": ("修改 {0} 次。", "成功：{0}。", "失败：{0}。", "结果：{0}。"),
    "ja": ("編集 {0} 回。", "成功：{0}。", "失敗：{0}。", "結果：{0}。"),
    "th": ("แก้ไฟล์ {0} ครั้ง", "สำเร็จ: {0}", "ล้มเหลว: {0}", "ผล: {0}"),
    "ko": ("편집 {0}회.", "성공: {0}.", "실패: {0}.", "결과: {0}."),
}


def _opening(item: Item) -> str:
    for unit in texts.units(item.said)[:3]:
        sentence = _LEAD.sub("", re.sub(r"https?://\S+", "", next(texts.sentences(unit), ""))).strip(" ,;:")
        if len(sentence) >= 6 and not _ACKNOWLEDGED.match(sentence) and not texts.is_volatile(sentence):
            return sentence[0].upper() + sentence[1:]
    return ""


def _heading(item: Item) -> str:
    found = _HEADING.search(item.text, 0, 4_000)
    heading = texts.fold(found[1]) if found else ""
    return "" if texts.is_volatile(heading) else heading


def title_of(items: Sequence[Item]) -> str:
    """Return the first substantive sentence that a person typed, at most 100 characters; where there is none, the first
    heading of what the person handed over (a plan, a file); empty if there is none of either."""
    typed = [item for item in items if item.kind is ItemKind.USER_TEXT]
    given = [item for item in items if item.kind in (ItemKind.USER_TEXT, ItemKind.CONTEXT)]
    found = next(filter(None, map(_opening, typed)), "") or next(filter(None, map(_heading, given)), "")
    return texts.clip(found, _TITLE)


def slug_of(title: str, project: str) -> str:
    """Return two to six lower-case ASCII words joined by hyphens, from the title where it has Latin words, otherwise
    from the project."""
    chosen: list[str] = []
    for word in texts.ascii_words(title):
        if word not in STOP_WORDS and word not in chosen and len(word) <= 24:
            chosen.append(word)
        if len(chosen) == _SLUG_WORDS:
            break
    if len(chosen) < 2:
        chosen += [word for word in texts.ascii_words(project)[:2] if word not in chosen]
    if len(chosen) < 2:
        chosen.append("session")
    slug = "-".join(chosen)
    while len(slug) > _SLUG_LENGTH and len(chosen) > 2:
        chosen.pop()
        slug = "-".join(chosen)
    return slug if "-" in slug else f"{slug}-notes"


def outcome_of(items: Sequence[Item], events: Sequence[Step | Edit]) -> Outcome:
    """Judge how a session ended. Without a check or a word from the user it is uncertain."""
    last_user = next((item.text for item in reversed(items) if item.kind is ItemKind.USER_TEXT), "")
    if len(last_user) < 400 and _UNHAPPY.search(last_user):
        return Outcome.PARTIAL if events else Outcome.FAIL
    checks = [event for event in events if isinstance(event, Step) and event.ok is not None and purpose_of(event.text)]
    last_edit = max((event.call.index for event in events if isinstance(event, Edit)), default=-1)
    if checks and checks[-1].ok is False:
        return Outcome.PARTIAL if any(check.ok for check in checks) else Outcome.FAIL
    if checks and checks[-1].ok and checks[-1].call.index > last_edit:
        return Outcome.SUCCESS
    if len(last_user) < 200 and _CONTENT.search(last_user) and events:
        return Outcome.SUCCESS
    return Outcome.UNCERTAIN


def _names(steps: Sequence[Step], ok: bool) -> list[str]:
    last = {step.text: step.ok for step in steps if step.ok is not None}
    wanted = [text for text, state in last.items() if state is ok and is_broad(text) and len(text) <= 60]
    return [f"`{text}`" for text in wanted if not text.startswith("git ") and " " in text][:4]


def summary_of(items: Sequence[Item], events: Sequence[Step | Edit], title: str, outcome: Outcome) -> str:
    """Return the title line, then what was done: number of edits, commands that worked, commands that did not."""
    script = texts.script(title)
    edits, worked, failed, ended = _WORDS[script]
    steps = [event for event in events if isinstance(event, Step)]
    parts = []
    count = sum(isinstance(event, Edit) for event in events)
    if count:
        parts.append(edits.format(count))
    for wording, ok in ((worked, True), (failed, False)):
        names = _names(steps, ok)
        if names:
            parts.append(wording.format(", ".join(names)))
    parts.append(ended.format(outcome.value))
    return "\n".join(part for part in (title, " ".join(parts)) if part)
