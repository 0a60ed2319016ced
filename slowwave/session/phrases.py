"""What people say, in several languages: the phrases that the rules of the in-session layers look for. Data.

Each pattern is compiled at its first use, because a hook process must start fast and needs few of them.
"""

from __future__ import annotations

import re


class Phrases:
    """Alternatives, one regular-expression fragment each, separated by `|` or line ends.

    `words` match between word boundaries, `anywhere` match anywhere (scripts without spaces), `before` and `after` are
    wrapped around all of them. Case is ignored.
    """

    __slots__ = ("_pattern", "_source")

    def __init__(self, *, words: str = "", anywhere: str = "", before: str = "", after: str = "") -> None:
        parts = [rf"\b(?:{_joined(words)})\b"] if words else []
        if anywhere:
            parts.append(_joined(anywhere))
        self._source = f"{before}(?:{'|'.join(parts)}){after}" if before or after else "|".join(parts)
        self._pattern: re.Pattern[str] | None = None

    @property
    def pattern(self) -> re.Pattern[str]:
        """The compiled pattern."""
        if self._pattern is None:
            self._pattern = re.compile(self._source, re.IGNORECASE | re.MULTILINE)
        return self._pattern

    def found_in(self, text: str) -> bool:
        """Tell whether one of the phrases occurs in the text."""
        return self.pattern.search(text) is not None

    def opens(self, text: str) -> bool:
        """Tell whether the text starts with one of the phrases, apart from white space and punctuation."""
        return self.pattern.match(text) is not None


def _joined(block: str) -> str:
    return "|".join(line.strip() for line in block.strip().splitlines())


CONSTRAINT = Phrases(
    words=r"""
    do ?n['’o]?t|do not|must(?: not|n['’]t)?|never|avoid|without|only|keep|preserve|leave\b.{1,40}\balone|no new
    always|make sure|ensure|should(?: not|n['’]t)|may not|can(?:no|['’])t (?:use|change|touch|break)|hands off
    stay (?:away|within)|at most|at least|no more than|instead of|rather than|forbidden|required?|mandatory
    nicht|niemals|kein(?:e|en)?|nur|muss|ne (?:pas|jamais)|ne .{1,25} pas|jamais|seulement|sans|nunca|solo|sin
    no (?:toques|cambies|uses)|não|sempre|apenas
    """,
    anywhere=r"""
    不要|不准|不能|不得|不许|不可|不用改|别(?!的|人)|禁止|必须|务必|只能|只要|只改|只用|保持|保留|确保|一定要
    绝不|切勿|勿|不應|不可以|必須|務必|僅|只可|保證|確保|しないで|ないでください|ないこと|てはいけ|てはなら
    必ず|のみ|だけを|維持|そのまま|触らない|変えない|変更しない|使わない|使わずに|なければ|อย่า|ห้าม|ต้อง(?!การ)
    เท่านั้น|เสมอ|รักษา|คงไว้|โดยไม่|하지 ?마|말고|말아|금지|반드시|유지|(?:만|으로만) (?:사용|수정|변경)|нельзя
    не (?:трогай|меняй|используй|изменяй)|только|никогда|всегда|обязательно
    """,
)
ACCEPTANCE = Phrases(
    words=r"""
    done when|finished when|acceptance|success (?:means|criteria)|until (?:all|the|every)
    (?:must|should|have to|need to) pass|(?:has|have) to (?:work|be green)|definition of done|so that .{3,60} pass
    """,
    anywhere=r"""
    完成标准|验收|直到|测试(?:必须|要|都要)?通过|完了条件|(?:テスト).{0,8}(?:通る|通って|パス)|ผ่านทั้งหมด
    จนกว่า|ทดสอบ.{0,12}ผ่าน|테스트.{0,10}통과|완료 조건
    """,
)
DECISION = Phrases(
    words=r"""
    let['’]?s (?:go with|use|stick with|pick)|we['’]ll (?:use|go with)|we will (?:use|go with)|i['’]?ve decided
    i (?:choose|pick)|decision:|go with|settled on|decided (?:to|on)
    """,
    anywhere=r"""
    就用|决定|決定|定下来|选用|改用|採用|にします|に決め|でいきます|ตัดสินใจ|ใช้.{1,30}แทน
    (?:로|으로) (?:하자|결정|가자)
    """,
)
NEW_TASK = Phrases(
    before=r"\A\W*(?:(?:ok(?:ay)?|great|thanks|good|perfect|alright|fine)[,.! ]+)*",
    anywhere=r"""
    new task|different (?:task|topic|thing)|another task|next task|unrelated|switch(?:ing)? (?:to|gears)
    forget (?:that|all that|about that)|let['’]?s (?:move on|switch|do something else|now|start)|moving on
    now (?:let['’]?s|please|i want|i need|we need|can you|could you|help)|drop that|scrap that
    新任务|新的任务|换个(?:任务|话题)|另一个任务|接下来(?:请|帮|我们)|现在(?:请|帮我|我们来|来)|下一个任务|換個
    接下來|次の(?:タスク|作業)|別の(?:タスク|件|作業)|話は変わ|では次|งานใหม่|เปลี่ยนเรื่อง
    ต่อไป(?:ช่วย|ให้|เรา)|다음 작업|새 작업|다른 작업
    """,
)
LIFT = Phrases(
    words=r"""
    you (?:can|may) now|(?:it['’]?s|it is) (?:ok(?:ay)?|fine) to|no longer need to|feel free to
    forget (?:the|that|my) (?:rule|constraint)|you['’]re allowed to|go ahead and (?:touch|change|edit|modify)
    """,
    anywhere=r"""
    现在可以|可以(?:改|动|修改|用)了|不再需要|もう.{0,12}(?:ていい|てよい|て構わ)|ตอนนี้.{0,12}ได้แล้ว|이제 .{0,15}해도
    """,
)
OVERRIDE = Phrases(
    words=r"""
    you are (?:now|no longer)|system prompt|jailbreak|developer mode|dan mode
    """,
    anywhere=r"""
    \b(?:ignore|disregard|override|bypass)\b.{0,40}\b(?:instruction|rule|prompt|previous|above|prior|safety|guard)
    忽略.{0,12}(?:指令|指示|规则|之前|以上)|無視.{0,10}(?:指示|命令)|(?:指示|命令).{0,6}無視
    เพิกเฉย.{0,12}คำสั่ง|(?:지시|명령).{0,6}무시
    """,
)
SMALL_TALK = Phrases(
    before=r"\A\W*",
    after=r"(?:\W+(?:there|all|everyone|please|again|you|claude|codex|gemini))*\W*\Z",
    anywhere=r"""
    hi|hello|hey|yo|thanks?(?: you)?|thx|ok(?:ay)?|yes|no|yep|nope|sure|good (?:morning|evening|afternoon)
    continue|go on|go ahead|proceed|next|done|please|test(?:ing)?|ping|are you there|how are you|what'?s up
    你好|您好|嗨|谢谢|好的?|继续|嗯|在吗|早上好|謝謝|繼續|こんにちは|ありがとう|はい|いいえ|続けて|おはよう
    สวัสดี(?:ครับ|ค่ะ)?|ขอบคุณ|ครับ|ค่ะ|ต่อ|안녕(?:하세요)?|네|계속|감사합니다
    """,
)
CLAUSE_END = Phrases(
    anywhere=r"""
    \s*[;；]\s*
    [,，]\s+(?:(?:and|but|then|also)\s+)?(?=(?:do|don['’]?t|must|never|always|keep|preserve|only|no|without)\b)
    [,，]\s+(?:(?:and|but|then|also)\s+)?(?=(?:leave|make sure|avoid|use)\b)
    \s+(?:and|but)\s+(?=(?:do not|don['’]?t|must not|never|always|keep|preserve|leave)\b)
    [，,、]\s*(?=(?:但|而且|并且|另外|不要|不能|必须|只|保留|保持|別|别|请勿|ただし|必ず))
    \s+(?=(?:อย่า|ห้าม|แต่|และต้อง|โดยไม่))
    """,
)

REJECTED = Phrases(
    before=r"\A\W*",
    anywhere=r"""
    (?:no|nope|nah|stop|wait|wrong|incorrect)\b(?!\s+(?:problem|worries|need|idea|rush|thanks))
    not (?:that|what i|like that|quite|right|correct)|that['’]?s (?:not|wrong|incorrect)
    this is (?:wrong|not (?:what|right))|you (?:misunderstood|got it wrong|broke|missed|forgot|ignored|deleted)
    i (?:didn['’]?t|did not|never) (?:ask|say|want|mean)|i (?:said|told you|meant|asked)|why did you
    actually,? no|不对|不是(?:这个|这样|那个|的)|错了|不要这样|我不是说|你理解错|搞错|不行|不對|錯了|違う
    違います|ちがう|そうじゃない|間違|いや|ไม่ใช่|ผิด|ไม่ถูก|아니(?:요|야|에요)?|틀렸|잘못
    """,
)
REPEATED = Phrases(
    words=r"""
    again|still (?:not|fail|failing|fails|broken|wrong|doesn|isn|the same)|same (?:error|problem|mistake|issue)
    as i (?:said|mentioned)|i (?:already|just) (?:said|told|asked)|how many times|once more|second time
    third time|keep(?:s)? (?:doing|failing|making)
    """,
    anywhere=r"""
    又(?:错|是|来|失败|报错)|还是(?:不行|不对|报错|失败|一样|错)|我(?:已经)?说过|再次|重复|還是
    また(?:同じ|間違|エラー|失敗)|まだ(?:動|直|エラー|失敗)|さっき言|何度も|อีกแล้ว|ยังไม่(?:ได้|ถูก|หาย|ทำงาน)
    บอกแล้ว|เหมือนเดิม|또(?:다시| )|여전히|아직도|말했잖
    """,
)
REVERTED = Phrases(
    words=r"""
    revert|undo|roll(?:ed)? ?back|put (?:it|that|this|them) back|restore (?:the|it|what)|take (?:it|that) out
    back out|i reverted|i undid|remove what you
    """,
    anywhere=r"""
    撤销|撤回|回滚|恢复原|改回|还原|還原|元に戻|戻して|取り消し|ย้อนกลับ|เอากลับ|되돌려|원래대로|취소해
    """,
)
NEW_RULE = Phrases(
    words=r"""
    don['’]?t (?:ever )?do that|never do that|from now on|next time|in (?:the )?future
    stop (?:using|doing|adding|making)|you should(?:n['’]t| not)? (?:have|never|always)
    """,
    anywhere=r"""
    以后(?:不要|别|都)|下次|从现在起|今後は|次から|これからは|คราวหน้า|จากนี้|다음부터|앞으로는
    """,
)

_SUBJECT = (
    r"(?:we|i|our (?:team|company|project|app|code ?base|repo(?:sitory)?|service|api|backend|frontend|ci)|"
    r"(?:the|this) (?:project|app|code ?base|repo(?:sitory)?|service|api|backend|frontend|team|monorepo|site|package|"
    r"database|server|ci))\b[^.!?]{0,30}?\b"
)
_SUBJECT_ZH = r"(?:我们|我們|我|本项目|这个项目|项目|專案|代码库|团队|仓库|后端|前端|服务|数据库)[^。！？?]{0,12}?"
_SUBJECT_JA = (
    r"(?:私|私たち|うち|弊社|当社|チーム|プロジェクト|このアプリ|リポジトリ|バックエンド|フロントエンド|データベース|"
    r"本番|デプロイ先?|テスト)[^。！？?]{0,30}?"
)
_SUBJECT_TH = r"(?:เรา|ผม|ฉัน|ทีม|โปรเจกต์|โปรเจ็กต์|โครงการ|ระบบ|แอป|รีโป|ฐานข้อมูล|เซิร์ฟเวอร์)[^.!?]{0,24}?"
_SUBJECT_KO = r"(?:우리|저는|나는|프로젝트|팀|저장소|백엔드|데이터베이스)[^.!?]{0,24}?"
STATEMENT = Phrases(
    words=rf"""
    {_SUBJECT}(?:use[sd]?|run|runs|deploys?|host(?:s|ed)?|targets?|require[sd]?|are on|lives?|stores?|ships?|support)
    {_SUBJECT}is (?:written|built|hosted|deployed|on|in|a|called)
    {_SUBJECT}(?:prefer(?:s|red)?|standardi[sz]ed? on|moved? (?:from|to)|(?:switched|migrated) to|sticks? (?:to|with))
    {_SUBJECT}(?:work (?:at|on|in)|live in|am (?:a|an|based|in))
    i (?:prefer|like|hate|dislike|always|never|want you to always|love)
    my (?!bad|point|mistake|question|guess)[\w -]{{2,30}} (?:is|are|name|runs?)
    our [\w -]{{2,40}} (?:is|are|lives?|runs?|uses?|go(?:es)? to|must|should)
    (?:always|never) (?:use|run|commit|push|deploy|write|call|import)
    (?:prefer(?:red|s)?|use) [\w./@+-]+(?: [\w./@+-]+)?,? (?:not|never|instead of|over|rather than)
    preferred [\w -]{{2,30}} is|deploy(?:ment|s)? (?:target|goes|to|on)|remember(?: that)?|for (?:the )?future
    from now on
    """,
    anywhere=rf"""
    \b(?:lives?|stored|located|defined) (?:in|at|under) [`\w./-]+
    \bthe [\w -]{{2,40}} (?:is|are) (?:called|named|in|at|on|under|`)
    {_SUBJECT_ZH}(?:用的?是|使用|采用|採用|用|部署|喜欢|偏好|更喜欢|习惯|要求|基于|运行|托管|迁移到|改用)
    {_SUBJECT_ZH}(?:统一|放在|位于|叫|是用|讨厌)|(?:总是|始终|永远|一律|统一|以后都?|从现在起|请记住|记住|記住)
    (?:部署目标|测试框架|包管理器?|数据库|语言|框架|编辑器|时区|分支)[^。！？?]{{0,6}}(?:是|为|用|：|:)
    {_SUBJECT_JA}(?:使って(?:い)?ます|使用|使います|採用|好み|好き|です|にデプロイ|で動|にあります|統一|移行しました)
    (?:覚えて|今後は|これからは|いつも|常に)|(?:จำไว้|จากนี้ไป|เสมอ)|(?:기억해|앞으로는|항상)
    {_SUBJECT_TH}(?:ใช้|ชอบ|ดีพลอย|รันบน|อยู่ที่|อยู่ใน|เขียนด้วย|ต้องการ|ย้าย)
    {_SUBJECT_KO}(?:사용|씁니다|쓴다|선호|좋아|배포|실행)
    """,
)
PASSING = Phrases(
    words=r"""
    today|right now|at the moment|currently|just now|this time|for now|temporarily|yesterday|tomorrow|if we|if i
    maybe|might|could we|would it|suppose|let me|trying to|i want to|i need to|i am (?:going|about)
    i['’]m (?:going|about|trying)
    """,
    anywhere=r"""
    今天|现在|目前|暂时|刚才|如果|也许|今日|今は|いま[はの、]|とりあえず|もし|วันนี้|ตอนนี้|ถ้า|지금|오늘|만약
    """,
)
SUBJECT_OF = Phrases(
    anywhere=r"""
    \b(?:our|my|the) (?P<subject>[\w -]{2,40}?) (?:is|are|lives?|runs?|goes to|is called)\b
    \bpreferred (?P<preferred>[\w -]{2,30}?) is\b
    \buse [\w./@+-]+ (?:for|as) (?:the |our |all )?(?P<purpose>[\w -]{2,40})
    """,
)

INTRODUCER = Phrases(
    after=r"[^.!?。！？\n]{0,60}[:：]\s*\Z",
    anywhere=r"""
    here(?:'s| is| are)|this is|below(?: is| are)?|following|contents? of|output|result|log|logs|trace|traceback
    stack ?trace|error|readme|file|page|e-?mail|issue|ticket|document|diff|patch|transcript|snippet|says|said|wrote
    returned|prints?|got|see|以下|如下|下面|内容|内容|输出|日志|报错|文件|文档|写着|次の|以下の|出力|ログ|エラー
    ファイル|ด้านล่าง|ต่อไปนี้|ไฟล์|ผลลัพธ์|로그|파일|출력
    """,
)
SPOOFED_ROLE = Phrases(
    before=r"\A\s*[#*\[(<|>\s]*",
    after=(
        r"(?:\s+(?:prompt|message|note|notice|instructions?|override|reminder|update|result|output))?"
        r"[\])>|*\s]*[:：\]]"
    ),
    anywhere=r"""
    system|assistant|developer|tool|function|human|user|admin|系统|助手|用户|システム|アシスタント
    """,
)
CODE_LINE = Phrases(
    anywhere=r"""
    \A(?:\s{2,}\S|\t|\s*[{}\[\]();|]|\s*[+-]{1,3}(?=\S)|\s*@@|\s*\$ |\s*>>>|\s*at \S+\(|\s*File "|\d{4}-\d\d-\d\d)
    \A\[?\d\d:\d\d|\A\s*(?:import|from|def|class|function|const|let|var|return|if \(|for \(|public|private)\b
    \A\s*(?:#include|package|SELECT|INSERT|<\?)\b|[;{}\\]\s*\Z|\A\s*\S+\s*[:=]\s*["'\[{]
    """,
)
