"""Persian: what always or never holds."""

from __future__ import annotations

from slowwave.text.languages.grammar import Day, Language, cue
from slowwave.text.languages.phrases import Phrases

_NONE = Phrases()

LANGUAGE = Language(
    code="fa",
    day=Day(
        constraint=Phrases(anywhere="هرگز|هیچ‌وقت|همیشه|نباید|دست نزن|تغییر نده|ممنوع"),
        weak=_NONE,
        acceptance=_NONE,
        decision=_NONE,
        lift=_NONE,
        rejected=Phrases(anywhere="نه،|نه،|اشتباه|غلط", opening=True),
        reverted=Phrases(anywhere="برگردان|واگرد"),
        repeated=Phrases(anywhere="دوباره همان|باز هم همان"),
        renewed=Phrases(anywhere="از این به بعد|از حالا به بعد"),
    ),
    lead=r"(?:باشه|خب|بله|نه|لطفا|لطفاً|ضمنا|ضمناً|مهم|توجه|و)(?:[،,:!. ]+)",
    lasting_lead=r"(?:یادت باشه|یادت باشد|به خاطر بسپار|به یاد داشته باش|توجه داشته باش)(?: که)?[،,:! ]+",
    question=r"[?؟]\s*$|^(?:چرا|آیا|چطور|چگونه|کجا|کی) ",
    hypothesis=r"شاید|احتمالا|احتمالاً|فکر می‌کنم|به نظرم",
    passing=r"فعلا|فعلاً|این بار|امروز|فردا|الان|موقتا|موقتاً",
    condition=r"^(?:اگر|اگه) ",
    report=r"کرش|خطا می‌دهد|خراب|کار نمی‌کند|شکست می‌خورد",
    spec=r"(?:دکمه|صفحه|پنجره|منو|ردیف).*(?:باید|باشد)",
    dangling=r"^(?:این|آن) (?:را|رو)",
    shortest=8,
    lasting=(
        cue("constraint", r"(?:هرگز|هیچ[\s‌]*وقت|هیچگاه|به هیچ وجه|تحت هیچ شرایطی).{6,}"),
        cue(
            "preference",
            r"همیشه.{6,}|.{6,}همیشه",
            r"(?:از این به بعد|از حالا به بعد|از این پس|در آینده|دفعه بعد).{6,}",
            r"(?:قبل|بعد) از هر .{6,}",
        ),
    ),
)
