"""What people say, in several languages: the phrases that the rules of the in-session layers look for. Data.

Plain strings, no regular expressions: a hook process starts on every user turn, and compiling large patterns would cost
it more than everything else together.
"""

from __future__ import annotations

from functools import cached_property

from slowwave.text.languages.phrases import Phrases, folded, phrases_cut


class Statements:
    """A subject followed by one of its predicates within `gap` characters, or a phrase that needs no subject."""

    def __init__(self, *pairs: tuple[str, str], alone: Phrases, gap: int = 30) -> None:
        self._pairs = pairs
        self.alone = alone
        self.gap = gap

    @cached_property
    def pairs(self) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
        """Subjects and predicates."""
        return tuple((phrases_cut(subjects), phrases_cut(predicates)) for subjects, predicates in self._pairs)

    def found_in(self, text: str) -> bool:
        """Tell whether the text makes such a statement."""
        if self.alone.found_in(text):
            return True
        low, raw = folded(text), text.lower()
        return any(
            self._follows(low if subjects[0].isascii() else raw, subjects, predicates)
            for subjects, predicates in self.pairs
            if not raw.isascii() or subjects[0].isascii()
        )

    def _follows(self, text: str, subjects: tuple[str, ...], predicates: tuple[str, ...]) -> bool:
        spaced = subjects[0].isascii()
        for subject in subjects:
            at = text.find(f" {subject} " if spaced else subject)
            if at < 0:
                continue
            end = at + len(subject) + spaced
            rest = text[end : end + self.gap + 12]
            if any((f" {predicate} " if spaced else predicate) in rest for predicate in predicates):
                return True
        return False


DESCRIPTIVE_OPENINGS = tuple(
    f"{word} "
    for word in phrases_cut(
        """the|this|that|these|those|it|all|our|so|if|when|i|he|she|they|there|you|your|because|since|while|which|who|what
        how|why|where|is|are|was|were|a|an|try|lately|currently|here|each|every|some|most|many|one|and|but|or|as|my|we're
        we've|it's|that's|there's|for"""
    )
)

NEW_TASK = Phrases(
    opening=True,
    words="""
    new task|different task|different topic|different thing|another task|next task|unrelated|switch to|switching to
    switch gears|switching gears|forget that|forget all that|forget about that|let's move on|let's switch
    let's do something else|let's now|let's start|moving on|now let's|now please|now i want|now i need|now we need
    now can you|now could you|now help|drop that|scrap that
    """,
    anywhere="""
    新任务|新的任务|换个任务|换个话题|另一个任务|接下来请|接下来帮|接下来我们|现在请|现在帮我|现在我们来
    下一个任务|換個|接下來
    次のタスク|次の作業|別のタスク|別の件|別の作業|話は変わ|では次|งานใหม่|เปลี่ยนเรื่อง|ต่อไปช่วย|ต่อไปให้
    ต่อไปเรา|다음 작업
    새 작업|다른 작업
    """,
)
POLITE_OPENING = ("ok", "okay", "great", "thanks", "thank", "you", "good", "perfect", "alright", "fine", "cool", "nice")
OVERRIDE = Phrases(
    words="""
    you are now|you are no longer|you're now|system prompt|jailbreak|developer mode|dan mode|ignore .. instructions
    ignore .. instruction|ignore .. rules|ignore .. prompt|ignore previous|ignore above|ignore prior|ignore .. safety
    disregard .. instructions|disregard .. rules|disregard previous|disregard .. above|override .. instructions
    override .. rules|override .. safety|bypass .. rules|bypass .. safety|bypass .. guard
    """,
    anywhere="""
    忽略 .. 指令|忽略 .. 指示|忽略 .. 规则|忽略 .. 之前|忽略 .. 以上|無視 .. 指示|無視 .. 命令|指示 .. 無視
    命令 .. 無視|เพิกเฉย .. คำสั่ง
    지시 .. 무시|명령 .. 무시
    """,
)
SMALL_TALK = frozenset(
    phrases_cut(
        """hi|hello|hey|yo|thanks|thank you|thx|ok|okay|yes|no|yep|nope|sure|good morning|good evening|good afternoon
        continue|go on|go ahead|proceed|next|done|please|test|testing|ping|are you there|how are you|what's up
    whats up
        你好|您好|嗨|谢谢|好的|好|继续|嗯|在吗|早上好|謝謝|繼續|こんにちは|ありがとう|はい|いいえ|続けて
    おはよう|สวัสดี|สวัสดีครับ
        สวัสดีค่ะ|ขอบคุณ|ขอบคุณครับ|ขอบคุณค่ะ|ครับ|ค่ะ|ต่อ|안녕|안녕하세요|네|계속|감사합니다"""
    )
)
SMALL_TALK_TAIL = (" there", " all", " everyone", " please", " again", " you", " claude", " codex", " gemini")
