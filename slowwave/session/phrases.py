"""What people say, in several languages: the phrases that the rules of the in-session layers look for. Data.

Plain strings, no regular expressions: a hook process starts on every user turn, and compiling large patterns would cost
it more than everything else together.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache


@lru_cache(maxsize=64)
def folded(text: str) -> str:
    """Lower case, straight apostrophes, every other mark a space, one space at each end: what `words` are sought in."""
    return (
        " "
        + re.sub(r"[^\w'\u0300-\u036f\u0900-\u109f-]+|-(?!\w)|(?<!\w)-", " ", text.lower().replace("’", "'")).strip()
        + " "
    )


class Phrases:
    """Phrases separated by `|` or line ends. ` .. ` in one stands for up to `gap` characters.

    `words` are whole words of scripts with spaces, `anywhere` may stand anywhere. A phrase of `unless` hides the match
    that it contains. `opening` asks that a phrase opens the text. The blocks are cut at the first use.
    """

    def __init__(
        self, *, words: str = "", anywhere: str = "", unless: str = "", gap: int = 40, opening: bool = False
    ) -> None:
        self._blocks = words, anywhere, unless
        self.gap = gap
        self.opening = opening

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Whole words, with a space at each end."""
        return tuple(f" {phrase} " for phrase in phrases_cut(self._blocks[0]))

    @cached_property
    def anywhere(self) -> tuple[str, ...]:
        """Pieces of scripts without spaces."""
        return phrases_cut(self._blocks[1])

    @cached_property
    def unless(self) -> tuple[str, ...]:
        """Phrases in which nothing is found."""
        return phrases_cut(self._blocks[2])

    def found_in(self, text: str) -> bool:
        """Tell whether one of the phrases occurs in the text (or opens it, where that is asked)."""
        low = folded(text)
        raw = text.lower()
        for phrase in self.unless:
            low, raw = low.replace(f" {phrase} ", " \x00 "), raw.replace(phrase, "\x00")
        if self.opening:
            raw = raw.lstrip(" \t\n-*>#.,!\"'([（「")
            return low.startswith(self.words) or (not raw.isascii() and raw.startswith(self.anywhere))
        return any(self._in(phrase, low) for phrase in self.words) or (
            not raw.isascii() and any(self._in(phrase, raw) for phrase in self.anywhere)
        )

    def _in(self, phrase: str, text: str) -> bool:
        first, gap, second = phrase.partition(" .. ")
        if not gap:
            return phrase in text
        at = text.find(first)
        while at >= 0:
            end = at + len(first)
            if second in text[end : end + self.gap + len(second)]:
                return True
            at = text.find(first, end)
        return False


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


def phrases_cut(block: str) -> tuple[str, ...]:
    """Cut a block at `|` and line ends."""
    return tuple(phrase for line in block.splitlines() for part in line.split("|") if (phrase := part.strip()))


CONSTRAINT = Phrases(
    words="""
    don't|dont|do not|must|mustn't|must not|never|avoid|keep|preserve|leave .. alone|no new|always|make sure|ensure
    should not|shouldn't|may not|can't use|can't change|can't touch|can't break|cannot use|cannot change|cannot touch
    cannot break|hands off|stay away|stay within|mandatory|forbidden|niemals|ne pas|ne .. pas|jamais|nunca|no toques
    no cambies|no uses|нельзя|не трогай|не меняй|не используй|не изменяй|никогда|всегда|обязательно
    """,
    anywhere="""
    不要|不准|不能|不得|不许|不可|不用改|别|禁止|必须|务必|只能|只要|只改|只用|保持|保留|确保|一定要|绝不|切勿|勿|不應|不可以
    必須|務必|僅|只可|保證|確保|しないで|ないでください|ないこと|てはいけ|てはなら|必ず|のみ|だけを|維持|そのまま|触らない
    変えない|変更しない|使わない|使わずに|なければ|อย่า|ห้าม|ต้อง|เท่านั้น|เสมอ|รักษา|คงไว้|โดยไม่|하지 마|하지마|말고
    말아|금지|반드시|유지|만 사용|만 수정|만 변경|으로만 사용
    """,
    unless="""
    i don't know|i don't think|i don't see|i don't have|i don't understand|i don't get|i don't remember|don't worry
    don't know if|if you don't|you don't have to|you don't need to|we don't have|we don't need to|why don't|why do not
    can't make|must be|must have been|keep going|keep in mind|keep it up|never mind|nevermind|never called|always been
    i can't|别的|别人|特别|分别|区别|能不能|要不要|可不可以|ต้องการ
    """,
)
WEAK_CONSTRAINT = Phrases(
    words="""
    only|without|at most|at least|no more than|instead of|rather than|required|nicht|kein|keine|keinen|nur|muss
    seulement|sans|solo|sin|não|sempre|apenas|только
    """
)
"""Words that make a rule of a directive and say little in a description."""
DESCRIPTIVE_OPENINGS = tuple(
    f"{word} "
    for word in phrases_cut(
        """the|this|that|these|those|it|all|our|so|if|when|i|he|she|they|there|you|your|because|since|while|which|who|what
        how|why|where|is|are|was|were|a|an|try|lately|currently|here|each|every|some|most|many|one|and|but|or|as|my|we're
        we've|it's|that's|there's|for"""
    )
)

ACCEPTANCE = Phrases(
    words="""
    done when|finished when|acceptance|success means|success criteria|until all|until the|until every|must pass
    should pass|have to pass|need to pass|has to work|have to work|has to be green|have to be green
    definition of done|so that .. pass
    """,
    anywhere="""
    完成标准|验收|直到|测试必须|测试要|测试都要|测试通过|完了条件|テスト .. 通る|テスト .. 通って|テスト .. パス
    ผ่านทั้งหมด
    จนกว่า|ทดสอบ .. ผ่าน|테스트 .. 통과|완료 조건
    """,
)
DECISION = Phrases(
    words="""
    let's go with|lets go with|let's use|let's stick with|let's pick|we'll use|we'll go with|we will use
    we will go with|i've decided|i have decided|i choose|i pick|decision|go with|settled on|decided to|decided on
    """,
    anywhere="""
    就用|决定|決定|定下来|选用|改用|採用|にします|に決め|でいきます|ตัดสินใจ|ใช้ .. แทน|로 하자|로 결정|로 가자
    """,
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
LIFT = Phrases(
    words="""
    you can now|you may now|it's ok to|it is ok to|it's okay to|it is okay to|it's fine to|it is fine to
    no longer need to|feel free to|forget the rule|forget that rule|forget my rule|forget the constraint
    you're allowed to|you are allowed to|go ahead and touch|go ahead and change|go ahead and edit
    """,
    anywhere="""
    现在可以|可以改了|可以动了|可以修改了|可以用了|不再需要|もう .. ていい|もう .. てよい|もう .. て構わ
    ตอนนี้ .. ได้แล้ว|이제 .. 해도
    """,
)
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
CLAUSE_STARTERS = (
    *(f"{word} " for word in phrases_cut("do|don't|dont|don’t|must|never|always|keep|preserve|only|no|without|leave")),
    *phrases_cut(
        """avoid using|use |make sure|但|而且|并且|另外|不要|不能|必须|只|保留|保持|別|别|请勿|ただし|必ず|อย่า|ห้าม|แต่
        และต้อง|โดยไม่"""
    ),
)

REJECTED = Phrases(
    opening=True,
    words="""
    no|nope|nah|stop|wait|wrong|incorrect|not that|not what i|not like that|not quite|not right|not correct
    that's not|that's wrong|that's incorrect|that is not|that is wrong|this is wrong|this is not what
    this is not right
    you misunderstood|you got it wrong|you broke|you missed|you forgot|you ignored|you deleted|i didn't ask
    i didn't say
    i didn't want|i didn't mean|i did not ask|i never asked|i said|i told you|i meant|i asked|why did you|actually no
    """,
    anywhere="""
    不对|不是这个|不是这样|不是那个|错了|不要这样|我不是说|你理解错|搞错|不行|不對|錯了|違う|違います|ちがう
    そうじゃない|間違|いや
    ไม่ใช่|ผิด|ไม่ถูก|아니요|아니야|아니에요|틀렸|잘못
    """,
    unless="no problem|no worries|no need|no idea|no rush|no thanks",
)
REPEATED = Phrases(
    words="""
    again|still not|still fail|still fails|still failing|still broken|still wrong|still doesn't|still isn't
    still the same|same error|same problem|same mistake|same issue|as i said|as i mentioned|i already said
    i already told|i already asked|i just said|i just told|how many times|once more|second time|third time|keep doing
    keep failing|keep making|keeps doing|keeps failing|keeps making
    """,
    anywhere="""
    又错|又是|又来|又失败|又报错|还是不行|还是不对|还是报错|还是失败|还是一样|还是错|我说过|我已经说过|再次|重复
    還是|また同じ
    また間違|またエラー|また失敗|まだ動|まだ直|まだエラー|まだ失敗|さっき言|何度も|อีกแล้ว|ยังไม่ได้|ยังไม่ถูก
    ยังไม่หาย|ยังไม่ทำงาน
    บอกแล้ว|เหมือนเดิม|또 다시|또다시|여전히|아직도|말했잖
    """,
)
REVERTED = Phrases(
    words="""
    revert|undo|roll back|rolled back|rollback|put it back|put that back|put this back|put them back|restore the
    restore it|restore what|take it out|take that out|back out|i reverted|i undid|remove what you
    """,
    anywhere="""
    撤销|撤回|回滚|恢复原|改回|还原|還原|元に戻|戻して|取り消し|ย้อนกลับ|เอากลับ|되돌려|원래대로|취소해
    """,
)
NEW_RULE = Phrases(
    words="""
    don't do that|don't ever do that|never do that|from now on|next time|in future|in the future|stop using
    stop doing|stop adding|stop making|you should have|you should never|you should always|you shouldn't have
    """,
    anywhere="""
    以后不要|以后别|以后都|下次|从现在起|今後は|次から|これからは|คราวหน้า|จากนี้|다음부터|앞으로는
    """,
)

_ENGLISH = (
    """
    we|i|our team|our company|our project|our app|our codebase|our code base|our repo|our repository|our service
    our api|our backend|our frontend|our ci|the project|the app|the codebase|the code base|the repo|the repository
    the service|the api|the backend|the frontend|the team|the monorepo|the site|the package|the database|the server
    the ci|this project|this app|this codebase|this repo|this repository|this service|this api|this package|this site
    """,
    """
    use|uses|used|run|runs|deploy|deploys|host|hosts|hosted|target|targets|require|requires|are on|live|lives|store
    stores|ship|ships|support|supports|is written|is built|is hosted|is deployed|is on|is in|is a|is an|is called
    prefer|prefers|preferred|standardised on|standardized on|moved from|moved to|switched to|migrated to|stick to
    stick with|sticks to|work at|work on|work in|live in|am a|am an|am based|am in
    """,
)
_CHINESE = (
    "我们|我們|我|本项目|这个项目|项目|專案|代码库|团队|仓库|后端|前端|服务|数据库",
    """
    用的是|用的|使用|采用|採用|用|部署|喜欢|偏好|更喜欢|习惯|要求|基于|运行|托管|迁移到|改用|统一|放在|位于|叫|讨厌
    """,
)
_JAPANESE = (
    """
    私|私たち|うち|弊社|当社|チーム|プロジェクト|このアプリ|リポジトリ|バックエンド|フロントエンド|データベース
    本番|デプロイ|テスト
    """,
    "使ってます|使っています|使用|使います|採用|好み|好き|です|にデプロイ|で動|にあります|統一|移行しました",
)
_THAI = (
    "เรา|ผม|ฉัน|ทีม|โปรเจกต์|โปรเจ็กต์|โครงการ|ระบบ|แอป|รีโป|ฐานข้อมูล|เซิร์ฟเวอร์",
    "ใช้|ชอบ|ดีพลอย|รันบน|อยู่ที่|อยู่ใน|เขียนด้วย|ต้องการ|ย้าย",
)
_KOREAN = ("우리|저는|나는|프로젝트|팀|저장소|백엔드|데이터베이스", "사용|씁니다|쓴다|선호|좋아|배포|실행")
_NAMED_VALUE = (
    "部署目标|测试框架|包管理器|包管理|数据库|语言|框架|编辑器|时区|分支",
    "是|为|用|：|:",
)
STATEMENT = Statements(
    _ENGLISH,
    (
        "my|our|preferred",
        "is|are|live in|lives in|runs|run|goes to|go to|come from|comes from|use|uses|must|should|reads",
    ),
    (
        "the",
        """
        is called|is named|is stored in|is defined in|lives in|lives at|lives under|runs on|goes to|is built with
        is built on|is written in|is hosted on|is hosted by|is deployed to|reads its
        """,
    ),
    _CHINESE,
    _JAPANESE,
    _THAI,
    _KOREAN,
    _NAMED_VALUE,
    alone=Phrases(
        words="""
        call me|i work from|i'm based in|i'm allergic|my pronouns|i prefer|i like|i hate|i dislike|i always|i never
        i want you to always|i love|always use|always run
        always commit|always push|always deploy|always write|never use|never run|never commit|never push|never deploy
        never write|never call|never import|prefer .. over|prefer .. not|prefer .. instead of|use .. not|use .. never
        use .. instead of|use .. over|use .. rather than|deploy target|deploy to|deploy on|deployment target|remember
        remember that|for the future|for future|from now on|lives in|lives at|lives under|stored in|located in
        defined in
        """,
        anywhere="""
        总是|始终|永远|一律|统一|以后都|从现在起|请记住|记住|記住|覚えて|今後は|これからは|いつも|常に|จำไว้
    จากนี้ไป|เสมอ|기억해
        앞으로는|항상
        """,
        gap=24,
    ),
)
PASSING = Phrases(
    words="""
    today|right now|at the moment|currently|just now|this time|for now|temporarily|yesterday|tomorrow|if we|if i
    maybe|might|could we|would it|suppose|let me|trying to|i want to|i need to|i am going|i am about|i'm going
    i'm about|i'm trying|my bad|my point|my mistake|my question|my guess|the problem|the issue|the question|the error
    the bug|the test is|the build is|the thing|i think|i guess|i agree|i believe|i'd|i would|probably|perhaps|seems
    seem|hmm|hmmm|hmmmm|not sure|i don't|i do not know|looks like|feels|appears|nope|wondering|i was|we were
    """,
    anywhere="""
    今天|现在|目前|暂时|刚才|如果|也许|今日|今は|いまは|いまの|とりあえず|もし|วันนี้|ตอนนี้|ถ้า|지금|오늘|만약
    """,
)
