"""Hebrew: what always or never holds."""

from __future__ import annotations

from slowwave.text.languages.grammar import Day, Language, cue
from slowwave.text.languages.phrases import Phrases

_NONE = Phrases()

LANGUAGE = Language(
    code="he",
    day=Day(
        constraint=Phrases(anywhere="לעולם|אף פעם אל|תמיד|אסור|אל תיגע|אל תשנה|אל תוסיף"),
        weak=_NONE,
        acceptance=_NONE,
        decision=_NONE,
        lift=_NONE,
        rejected=Phrases(anywhere="לא,|לא נכון|טעות|לא זה", opening=True),
        reverted=Phrases(anywhere="תחזיר|בטל את השינוי"),
        repeated=Phrases(anywhere="שוב אותה|עדיין אותה"),
        renewed=Phrases(anywhere="מעכשיו|מעתה|בפעם הבאה"),
    ),
    lead=r"(?:אוקיי|טוב|כן|לא|בבקשה|אגב|חשוב|שים לב|וגם)(?:[,:!. -]+)",
    lasting_lead=r"(?:תזכור|זכור|זכרו|קח בחשבון|שים לב)(?: ש| כי)?[,:! ]*",
    question=r"[?]\s*$|^(?:למה|מדוע|האם|איך|איפה|מתי|מי) ",
    hypothesis=r"אולי|כנראה|אני חושב|יתכן|ייתכן",
    passing=r"בינתיים|הפעם|היום|מחר|כרגע|זמנית",
    condition=r"^אם ",
    report=r"קורס|נכשל|שגיאה|לא עובד|נופל",
    spec=r"(?:כפתור|דף|חלון|תפריט|שורה).*(?:צריך|חייב|תמיד)",
    dangling=r"^(?:זה|זאת|הוא|היא) ",
    shortest=8,
    lasting=(
        cue("constraint", r"(?:לעולם|אף פעם|בשום אופן|בשום מקרה|אסור) .{6,}"),
        cue(
            "preference",
            r"תמיד .{6,}|.{6,} תמיד",
            r"(?:מעכשיו|מעתה|מהיום|בעתיד|בפעם הבאה|להבא).{6,}",
            r"(?:לפני|אחרי) כל .{6,}",
        ),
    ),
)
