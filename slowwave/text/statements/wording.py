"""What of a statement is grammar: words that carry nothing, negations, reasons, replacements, words of order.

One `Wording` a language. The tables only have to be good enough to see that two statements have the same content words
left; whether a sentence states something lasting is for the rules of `slowwave.text.languages`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Wording:
    """The grammar of one language.

    `joined` are phrases that are written as one word or another, `stop` words that carry nothing, verbs of using and
    keeping included. `prefers` is what makes `over` turn something down. `negative`, `rejects` (what follows, or with
    `rejected_first` precedes, is turned down), `reason` (cut off with what follows), `before`/`after` (order), `same`
    (synonyms, `word=canonical`), `suffixes` (longest first) are patterns or word lists.
    """

    stop: frozenset[str]
    negative: str
    rejects: str = r"(?!)"
    rejected_first: str = r"(?!)"
    reason: str = r"(?!)"
    before: str = r"(?!)"
    after: str = r"(?!)"
    same: dict[str, str] = field(default_factory=dict)
    suffixes: tuple[str, ...] = ()
    joined: tuple[tuple[str, str], ...] = ()
    prefers: str = r"(?!)"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _pairs(text: str) -> dict[str, str]:
    return {
        word: target
        for group in text.split()
        for target, _, words in [group.partition("=")]
        for word in words.split(",")
    }


REPLACES = (
    r"^(?:no|nope|wrong|nein|falsch|non|faux|incorrecto|não|нет|неверно|sai)[,.!]\s|^(?:不对|不是|错了|違います|違う|いいえ|아니요?|ไม่ใช่)|"
    r"\b(?:no longer|any ?more|instead|changed (?:my|our) minds?|from now on|switch(?:ed|ing)?|migrated|moved (?:to|from)|"
    r"replac(?:e|es|ed|ing)|actually|correction|not .{1,20} but|nicht mehr|ab (?:jetzt|sofort)|stattdessen|doch lieber|"
    r"désormais|dorénavant|ne .{1,20} plus|à partir de maintenant|finalement|ya no|a partir de ahora|cambi[oéó]\w*|"
    r"a partir de agora|não .{1,12} mais|mudei|больше не|теперь|передумал\w*|отныне|không còn|từ (?:giờ|nay)|chuyển sang|đổi)\b"
    r"|改(?=部署|在|到|走|存|放|发|跑|装|接)|改用|改成|改为|换成|换到|不再|从现在|今后|以后改|更正|其实|今後|これから|やめ|に変更|に切り替え|もう.{0,12}ない|実は|"
    r"더 ?이상|이제|바꿨|바꾸|변경|사실|เปลี่ยน|ต่อไป|ไม่.{0,12}(?:อีก|แล้ว)|จริง ๆ|จริงๆ"
)
"""Words that say that something else held before."""

WITHOUT = r"\b(?:without|ohne|sans|sin|sem|без|mà không)\b|なしに?|ずに|없이|โดยไม่|未经|不经"
"""Turns round what it stands in; with a negation the two make a condition: never A without B is B before A."""

LIMITS = (
    r"\b(?:more|longer|larger|bigger|greater|older|fewer|less|shorter|smaller|higher|lower) than|\b(?:over|above|exceed\w*|beyond|"
    r"under|below|at (?:most|least)|up to|max\w*|min\w*|within|mehr als|länger als|über|höchstens|mindestens|plus de|moins de|"
    r"más de|menos de|mais de|больше|более|меньше|не более|hơn|quá|tối đa)\b|超过|多于|少于|最多|至少|不超|以上|以下|以内|超え|超過|まで|"
    r"넘|초과|이상|이하|이내|เกิน|มากกว่า|น้อยกว่า|ไม่เกิน"
)

_EN = Wording(
    stop=_words(
        """a an the this that these those it its i me my mine we us our ours you your yours he she they them their who whose which whom
        is are was were be been being am do does did doing done have has had having can could will would shall should may might
        must need needs needed ought to of in on at by for from with into onto as and or but so than then also just too very
        always ever every each all any some both only please here there while whether where once again enable enables enabled allow allows allowed permit permits turn turned
        use uses used using keep keeps kept give gives given make makes making made get gets want wants like likes prefer prefers
        write writes writing written add adds adding added create creates include includes contain contains put puts ensure provide
        provides sure remember note repository repositories repo repos project projects codebase everywhere now today still already even really properly
        directly strictly simply actually currently generally usually normally rule convention agreed yes no ok okay well
        because however whatever something anything everything one ones thing things way ways let lets up out
        over don't dont doesn't isn't aren't not never nor without stop avoid longer more than instead rather switched switch moved changed
        migrated go goes going stick choose pick set sets sets happen happens take takes takes'd i'd i'm i've we're we've you're it's
        that's us whole entire"""
    ),
    negative=r"\b(?:never|not|no|none|don'?t|do not|doesn'?t|does not|didn'?t|isn'?t|is not|aren'?t|won'?t|can'?t|cannot|mustn'?t|shouldn'?t|needn'?t|"
    r"avoid(?:ing)?|stop (?=\w+ing\b)|quit (?=\w+ing\b)|refrain from|forbid\w*|forbidden|prohibit\w*|banned|disallow\w*|disabled?|disable|nobody|no one|without)\b",
    rejects=r"\b(?:instead of|rather than|in place of|as opposed to)\s+(?:using |us(?:e|ing) )?",
    prefers=r"\b(?:prefer\w*|favou?r\w*|choose|pick|use)\b.+\bover\b",
    reason=r"(?:,\s*)?\b(?:because|since|so that|so (?:we|it|they|i|you)\b|otherwise|as (?:it|they|we|this|that|i)\b|in order to|to avoid|due to|or else)\b.*",
    before=r"\b(?:before|prior to|ahead of)\b",
    after=r"\b(?:after|once|following)\b",
    same=_pairs(
        "answer=reply,replies,respond,response,responses,answers,replying,responding,explanation,explanations,explain "
        "run=execute,executes,executing,launch,invoke,runs,running,start,starts,starting change=modify,edit,alter,modifies,edits,editing,modifying,touch,touching "
        "delete=remove,removes,deleting,removing documentation=docs,doc document=documents database=db,databases configuration=config,configs pr=prs "
        "indent=indentation,indents,indenting,indented production=prod development=dev environment=env,environments "
        "function=functions,func folder=directory,directories,folders,dir typescript=ts message=msg,messages "
        "authentication=auth administrator=admin application=app,apps,applications verify=verifies show=display,displays,displayed,shown,shows "
        "store=save,saves,saved,stored,stores,storing say=tell,says mail=email,emails,e-mail,mails timeout=timeouts log=logging,logs "
        "type=types hint=hints name=naming,named,names merge=merging,merges,merged commit=committing,commits push=pushing,pushes branch=branches "
        "if=when,whenever,unless,except quick=fast big=large,huge error=errors endpoint=endpoints"
    ),
    suffixes=("ings", "ing", "ments", "ment", "ions", "ion", "ies", "ied", "ers", "ed", "es", "er", "ly", "s"),
    joined=(
        (r"\bpull[ -]requests?\b", "pr"),
        (r"\bmerge[ -]requests?\b", "mr"),
        (r"\b(front|back)[ -]end\b", r"\1end"),
        (r"\bcode[ -]base\b", "codebase"),
        (r"\bset[ -]up\b", "setup"),
        (r"\b(log|sign)[ -]?in\b", "login"),
        (r"\buse any(?= (?:in|as|for|type)\b|[.!]?$)", "use `any`"),
        (r"\btime[ -]?zone\b", "timezone"),
        (r"\b(?:every|each|any) time\b", "when"),
        (r"\bdata ?base\b", "database"),
    ),
)
_DE = Wording(
    stop=_words(
        """der die das den dem des ein eine einen einem einer eines und oder aber auch nur so als wie zu zum zur im in an am auf aus bei
        beim mit von vom für durch über unter ist sind war wird werden wurde sein hat haben kann können soll sollen sollte muss
        müssen darf dürfen bitte immer stets jedes jede jeden jedem jeder alle allen alles ich du wir ihr sie er es man mich mir dir uns unser unsere
        unseren mein meine meinen dein deine euer dann hier jetzt noch schon mal doch eben ja nein nie niemals nicht kein keine
        keinen keinem mehr statt anstatt anstelle sondern verwende verwenden verwendet nutze nutzen nutzt benutze benutzen benutzt nimm nehmen schreib schreibe schreiben schreibt
        geschrieben mach mache machen halte halten gib geben braucht brauchen repo projekt direkt grundsätzlich generell künftig ab sofort dass um"""
    ),
    negative=r"\b(?:nie|niemals|nicht|kein|keine|keinen|keinem|keiner|verboten|ohne|vermeide|unterlasse)\b",
    rejects=r"\b(?:statt|anstatt|anstelle von|lieber als)\s+",
    reason=r"(?:,\s*)?\b(?:weil|da (?:es|sie|wir|das)|damit|denn|sonst|sodass|um .{1,60} zu)\b.*",
    before=r"\b(?:vor|bevor|vorm)\b", after=r"\b(?:nach|nachdem)\b",
    same=_pairs("wenn=falls,sofern führ=ausführen,führe,führen,laufen,lasse,lass,starte,starten,ausgeführt test=tests antwort=antworte,antworten,antwortet einrück=einrückung,einrücken ändern=ändere,bearbeite,bearbeiten,bearbeitet,geändert,änder"),
    suffixes=("ungen", "ung", "est", "en", "er", "em", "es", "et", "st", "e", "n", "s", "t"),
)  # fmt: skip
_FR = Wording(
    stop=_words(
        """le la les l' un une des du de d' à au aux en et ou mais dans sur sous par pour avec chez ce cet cette ces mon ma mes notre nos
        votre vos leur je tu il elle nous vous ils on est sont être a as avoir ont doit dois doivent devez faut peut toujours systématiquement chaque tout
        tous toute toutes s'il plaît plait te merci ici maintenant ne n' pas jamais plus aucun aucune que qui qu' utilise utilisez utiliser
        emploie employer écris écrire écrit écrite écrits écrites fais fait faire faites garde gardez mets mettre donne plutôt lieu place dépôt projet directement"""
    ),
    negative=r"\b(?:jamais|pas|aucune?|interdit|sans|évite[rz]?)\b|\bn(?:e\b|')",
    rejects=r"\b(?:plutôt que|au lieu d[e']|à la place d[e'])\s*",
    reason=r"(?:,\s*)?\b(?:parce qu|car\b|pour que|afin (?:de|que)|sinon|puisqu).*",
    before=r"\bavant\b(?: de| d'| que)?", after=r"\baprès\b",
    same=_pairs("si=quand,lorsque lanc=lance,lancer,lancez,exécute,exécuter,exécutez,exécut répond=réponds,répondre,répondez,réponse,réponses indent=indentation,indenter modif=modifie,modifier,touche,touch"),
    suffixes=("ements", "ement", "ations", "ation", "ent", "ées", "és", "ée", "er", "ez", "es", "é", "e", "s"),
)  # fmt: skip
_ES = Wording(
    stop=_words(
        """el la los las un una unos unas de del al a en y o pero con por para sobre este esta estos estas mi mis tu tus su sus nuestro
        nuestra nuestros nuestras es son está están ser estar se lo le que siempre cada todo todos toda todas favor debe deben hay
        tiene tienen que aquí ahora no nunca jamás sin usa usar use uses usamos utiliza utilizar escribe escribir escrito escrita haz hacer haga hagas hagan mantén pon dar da
        vez lugar repositorio proyecto directo directamente yo nosotros más ya"""
    ),
    negative=r"\b(?:nunca|jamás|no|ningún|ninguna|evita|evitar|prohibido|sin)\b",
    rejects=r"\b(?:en (?:vez|lugar) de|antes que)\s+",
    reason=r"(?:,\s*)?\b(?:porque|ya que|para que|así que|si no\b|de lo contrario).*",
    before=r"\bantes\b(?: de)?", after=r"\bdespués\b(?: de)?",
    same=_pairs("si=cuando ejecut=ejecuta,ejecutar,corre,correr,lanza prueb=pruebas,prueba,tests,test respond=responde,responder,contesta,respuestas cambi=modifica,modificar,edita,editar,toca,toques,tocar"),
    suffixes=("aciones", "ación", "amos", "ando", "ados", "adas", "ado", "ada", "ar", "er", "ir", "as", "os", "es", "an", "en", "a", "e", "o", "s"),
)  # fmt: skip
_PT = Wording(
    stop=_words(
        """o a os as um uma uns umas de do da dos das em no na nos nas e ou mas com por para sobre este esta esse essa meu minha
        nosso nossa seu sua é são está estão ser que sempre cada todo todos toda todas favor deve devem precisa aqui agora não nunca
        jamais sem use usa usar usamos usem utilize utilizar escreva escrever escrito escrita faça fazer mantenha coloque vez lugar repositório projeto diretamente
        direto eu nós mais já"""
    ),
    negative=r"\b(?:nunca|jamais|não|nenhuma?|evite|evitar|proibido|sem)\b",
    rejects=r"\b(?:em vez de|ao invés de|no lugar de)\s+",
    reason=r"(?:,\s*)?\b(?:porque|já que|para que|pois|senão|caso contrário).*",
    before=r"\bantes\b(?: d[eoa]s?)?", after=r"\bdepois\b(?: d[eoa]s?)?",
    same=_pairs("se=quando rod=rode,rodar,execute,executar,execut teste=testes,tests,test respond=responda,responder,responde,respostas alter=altere,alterar,modifique,modificar,edite,editar,mexa"),
    suffixes=("ações", "ação", "amos", "ando", "ados", "adas", "ado", "ada", "ar", "er", "ir", "am", "em", "as", "os", "es", "a", "e", "o", "s"),
)  # fmt: skip
_RU = Wording(
    stop=_words(
        """и в во на не но а или с со к ко по о об от до из за для у же ли бы то это этот эта эти мой моя мои наш наша наши ваш я ты мы вы он она они
        всегда каждый каждым каждого каждую каждой все всех весь всё только пожалуйста должен должна должны нужно надо здесь теперь никогда
        нельзя используй используйте использовать используем пиши писать написан написана написано делай делать вместо лучше чем как
        если когда при больше прямо напрямую репозитории проекте мне нам без"""
    ),
    negative=r"\b(?:никогда|не|нельзя|запрещено|без)\b",
    rejects=r"\b(?:вместо|а не)\s+",
    reason=r"(?:,\s*)?\b(?:потому что|так как|чтобы|иначе|поскольку|ведь).*",
    before=r"\b(?:перед|до)\b", after=r"\bпосле\b",
    same=_pairs("запуск=запускай,запускать,запусти,прогоняй,выполняй,запуска отвеча=отвечай,отвечать,ответы меня=трогай,меняй,изменяй,редактируй,трога"),
    suffixes=("ениями", "ение", "ения", "ении", "ами", "ями", "ого", "его", "ому", "ему", "ыми", "ими", "ать", "ять", "ить", "еть",
              "ай", "яй", "уй", "ые", "ие", "ый", "ий", "ая", "яя", "ое", "ее", "ов", "ев", "ей", "ам", "ям", "ах", "ях", "ом", "ем", "ой",
              "ы", "и", "а", "я", "о", "е", "у", "ю", "ь", "й"),
)  # fmt: skip
_VI = Wording(
    stop=_words(
        """hãy luôn luôn_luôn phải được cần nên các những mỗi tất cả mọi bằng của cho với trong khi thì là một và cứ vui lòng xin ở tại
        tôi chúng ta chúng_tôi bạn dùng sử dụng viết không đừng chớ cấm hoặc nhưng này đó đây nữa lúc nào cũng mà từ để thay vì hơn việc cái con
        trực tiếp lần đều"""
    ),
    negative=r"\b(?:không|đừng|chớ|cấm|tránh)\b",
    rejects=r"\b(?:thay vì|hơn là|thay cho)\s+",
    reason=r"(?:,\s*)?\b(?:bởi vì|vì(?! vậy)|nếu không|kẻo)\b.*",
    before=r"\btrước(?: khi)?\b", after=r"\bsau(?: khi)?\b",
    same=_pairs("sửa=đổi,chỉnh,thay chạy=thực"),
)  # fmt: skip
_ZH = Wording(
    stop=_words(
        """请 请您 您 你 我 我们 你们 咱们 咱 的 了 在 是 地 得 着 过 把 将 被 给 对 对于 从 到 向 和 与 或 及 以及 也 都 就 才 又 还 再 很 更
        一定 一定要 必须 必需 务必 始终 总是 永远 一律 统一 全部 所有 任何 每次 每个 每 一切 以后 今后 从现在开始 从现在起 从今以后 应该 应当 应 需要 需 要 得 须
        可以 可 用 使用 采用 采取 写 写成 做 进行 保持 添加 加上 麻烦 记住 记得 注意 请注意 时 时候 的时候 这里 这个 那个 这 那 项目 仓库 之 来 去 上 里 中 内 下
        不要 不能 不得 不许 不准 不可 不可以 不用 不再 别 勿 切勿 禁止 严禁 绝对 绝不 绝对不要 不 没有 没 而是 而不是 代替 取代 改用 改成 改为 换成 直接 为 以 种 个 先 再 然后 会 能 吧 呢 啊 哦 吗 并 且 当 只 只能"""
    ),
    negative=r"不要|不能|不得|不许|不准|不可|不用|不再|不必|别(?!名|的|处|人)|勿|禁止|严禁|绝不|从不|不(?=[^同断仅超过等少]{1,2})|没有",
    rejects=r"(?:而不是|而非|代替|取代|不是|不用)\s*",
    reason=r"(?:[，,]\s*)?(?:因为|由于|以免|免得|否则|不然|这样).*",
    before=r"之?前|以前", after=r"之?后|以后",
    joined=((r"改(?=部署|在|到|走|存|放|发|跑|装|接)", ""),),
    same=_pairs("如果=当,只要,若 运行=执行,跑,跑一遍,运行一下 提交=送出,提交代码 回答=回复,回覆,答复,答覆 文件=档案 修改=改动,更改,编辑,改 代码=程式,程式码,程序 测试=测试用例 回复=回答 注释=注解,註解 超时=逾时"),
)  # fmt: skip
_JA = Wording(
    stop=_words(
        """必ず 必 常に 常 毎回 毎 今後 以降 全て 全 際 場合 時 こと もの 使 使用 利用 採用 書 行 願 下 方 私 私達 我々 当 様 際 事 為 一律 統一 直接 リポジトリ プロジェクト 入 用"""
    ),
    negative=r"ない|ません|ではなく|じゃなく|禁止|厳禁|ずに|避け",
    rejects=r"(?!)",
    rejected_first=r"(?:ではなく|じゃなくて?|でなく|の代わりに|よりも?(?=.{0,8}(?:優先|好)))",
    reason=r"^.*?(?:ので|から|ため)、|(?:なぜなら|そうしないと).*",
    before=r"(?:の|する)?前", after=r"(?:の|した)?後",
    same=_pairs("実行=走,回 返答=回答,返信,応答,返事 編集=変更,修正,触,改変 ファイル=ファイル群"),
)  # fmt: skip
_KO = Wording(
    stop=_words(
        """항상 반드시 꼭 늘 언제나 모든 매번 절대 절대로 앞으로 이제 우리 우리는 저는 제 내 나는 그 이 저 것 때 시 사용 쓰 쓴 써 이용 주 주세 마 말 대신 하 해 되 합 있 없 할 한 부탁 드립 드려 직접 바로 작성 더이상 더 이상 를 을"""
    ),
    negative=r"지\s?(?:마|말|않|못)|안\s|금지|말고|대신|없이|않",
    rejected_first=r"(?:\s*(?:말고|대신에?|이?가? ?아니라|보다는?))",
    reason=r"^.*?(?:때문에|으니까|니까|므로)[, ]|(?:왜냐하면|안 그러면).*",
    before=r"전에?(?:는|도)?(?=\s|$)", after=r"(?:후에?|다음에?|뒤에?)(?:는|도)?(?=\s|$)",
    same=_pairs("실행=돌리,돌려,수행 답변=대답,응답,답장,답 수정=편집,변경,건드리,건드려,고치 "),
)  # fmt: skip
_TH = Wording(
    stop=_words(
        """ใช้ ให้ ต้อง เสมอ ทุกครั้ง ทุก ๆ ครั้ง เป็น ด้วย ของ และ หรือ ที่ การ ใน กับ โดย จะ ได้ ควร กรุณา ช่วย หน่อย ครับ ค่ะ คะ นะ เรา ผม ฉัน คุณ
        ทั้งหมด ทั้งหมด ตลอด อย่า ห้าม ไม่ ไม่ใช่ ไม่ต้อง แทน แทนที่ เท่านั้น ไป ไปที่ ตรง ตรงๆ โดยตรง จาก ว่า นี้ นั้น ก็ แล้ว ทำ เขียน มี คือ อยู่ เมื่อ เวลา ถ้า ต่อไปนี้ ตั้งแต่นี้ เด็ดขาด เข้า"""
    ),
    negative=r"อย่า|ห้าม|ไม่(?!เกิน)|เลิก|หยุด",
    rejects=r"(?:แทนที่|แทน|ไม่ใช่)\s*",
    reason=r"(?:เพราะ|เนื่องจาก|มิฉะนั้น|ไม่งั้น|ไม่อย่างนั้น).*",
    before=r"ก่อน(?:ที่)?(?:จะ)?", after=r"หลัง(?:จาก)?(?:ที่)?",
    same=_pairs("รัน=สั่งรัน แก้ไข=แก้,แก้ไข,แตะ เทสต์=เทส,ทดสอบ,การทดสอบ คอมมิต=คอมมิท"),
)  # fmt: skip

WORDINGS = {
    "en": _EN,
    "de": _DE,
    "fr": _FR,
    "es": _ES,
    "pt": _PT,
    "ru": _RU,
    "vi": _VI,
    "zh": _ZH,
    "ja": _JA,
    "ko": _KO,
    "th": _TH,
}
_LATIN = ("en", "de", "fr", "es", "pt", "vi")


def language_of(text: str) -> str:
    """The language that a folded text is most likely in, by its script and its small words."""
    if re.search(r"[\u3041-\u30ff]", text):
        return "ja"
    if re.search(r"[\uac00-\ud7a3]", text):
        return "ko"
    if re.search(r"[\u0e01-\u0e5b]", text):
        return "th"
    if re.search(r"[\u3400-\u9fff\U00020000-\U0003ffff]", text):
        return "zh"
    if re.search(r"[\u0400-\u04ff]", text):
        return "ru"
    words = re.findall(r"[^\W\d_]+", text)
    hits = {name: sum(word in WORDINGS[name].stop or word in WORDINGS[name].same for word in words) for name in _LATIN}
    # Of equals the first: most statements about software are English.
    return max(_LATIN, key=lambda name: hits[name])


@lru_cache(maxsize=128)
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of a wording, compiled once at its first use."""
    return re.compile(pattern, re.IGNORECASE)


@lru_cache(maxsize=16_384)
def stem(word: str, language: str) -> str:
    """A word without its ending, or its canonical synonym."""
    wording = WORDINGS[language]
    word = wording.same.get(word, word)
    for suffix in wording.suffixes:
        if (
            word.endswith(suffix)
            and len(word) - len(suffix) >= _least(suffix, language)
            and not (suffix == "s" and word.endswith("ss"))
        ):
            word = word[: -len(suffix)]
            break
    if language == "en":
        if len(word) > 4 and word[-1] in "eyi":
            word = word[:-1]
        if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl":
            word = word[:-1]
    return word


def _least(suffix: str, language: str) -> int:
    """Letters that have to be left before an ending: `asking`, but not `speed`."""
    return 4 if language == "en" and suffix != "ing" else 3
