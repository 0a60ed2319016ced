"""Values that rule each other out: another package manager, another language, another day.

Each line of a table is one value: its canonical name, then the ways it is written, `_` for a blank. A value counts as one
only where it is said as one (`Context`): "in German" is a choice of language, "the German shop" names a shop.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

OPEN, CLOSE = "\ue000", "\ue001"
"""Around a value in a marked text; private characters, so that no text can hold them by accident."""


@dataclass(frozen=True, slots=True)
class Family:
    """Values of one thing. `words` name the thing itself and say nothing beside one of its values; `after` is what has to
    stand before a value, `before` what has to follow, where either is asked for."""

    name: str
    values: str
    words: str = ""
    after: str = ""
    before: str = ""


_USING = (
    r"(?:\b(?:us(?:e|es|ed|ing)|with|via|prefer|from|on|to|over|of|than|not|never|and|or|always|nutze|verwende|mit|statt|"
    r"utilise|avec|usa|con|com|dùng|используй)|用|使用|ใช้|,)\s*[`'\"“«]?$"
)
_IN = (
    r"(?:\b(?:in|into|to|use|speak|auf|en|em|in|на|по|bằng|is|are|be|als|sur)\s+(?:the\s+|plain\s+|simple\s+)?"
    r"|用|以|使用|成|为|是|เป็น|ด้วย|เป็นภาษา|ใช้|by\s)$"
)
_IN_AFTER = r"\s*(?:で|に|を使|로|으로|でお|를|을)"

_PACKAGE = "package packages manager managers dependency dependencies install installs installing installation 包 包管理器 安装 安装依赖 依赖 パッケージ パッケージ管理 パッケージマネージャ 依存 管理 패키지 매니저 แพ็กเกจ ติดตั้ง ติดตั้งแพ็กเกจ ตัวจัดการแพ็กเกจ"
_TESTING = "test tests testing runner framework 测试 单元测试 框架 テスト 테스트 เทสต์ ทดสอบ pruebas testes тесты"

FAMILIES = (
    Family("js packages", "npm\npnpm\nyarn\nbun", _PACKAGE),
    Family("python packages", "pip\nuv\npoetry\npipenv\npdm\nconda", _PACKAGE),
    Family("ruby packages", "bundler", _PACKAGE),
    Family("js tests", "jest\nvitest\nmocha\njasmine\nava", _TESTING),
    Family("python tests", "pytest\nunittest\nnose", _TESTING),
    Family("browser tests", "playwright\ncypress\nselenium\npuppeteer\ndetox", "e2e browser end"),
    Family("c++ tests", "gtest googletest\ncatch2\ndoctest", _TESTING),
    Family(
        "database",
        "postgres postgresql postgre\nmysql\nmariadb\nsqlite\nmongodb mongo\noracle\nmssql sql_server\ncockroachdb\ndynamodb\ncassandra",
        "database databases db sql store storage 数据库 資料庫 データベース 데이터베이스 ฐานข้อมูล datenbank base datos данных cơ_sở_dữ_liệu",
    ),
    Family("cache", "redis\nmemcached\nvalkey", "cache caching 缓存 キャッシュ 캐시 แคช"),
    Family("queue", "rabbitmq\nkafka\nnats\nsqs\ncelery", "queue broker messages"),
    Family(
        "hosting",
        "fly.io fly\nvercel\nnetlify\nheroku\nrender\nrailway\ncloudflare\nkubernetes k8s\necs\nlambda\nfargate\ncloud_run cloud-run\ngke\neks\naks\nhetzner\ndigitalocean\nfirebase\naws\nazure\ngcp",
        "deploy deploys deployed deployment deployments host hosted hosting production run runs 部署 上线 发布 デプロイ 本番 โฮสต์ 배포 ดีพลอย",
    ),
    Family("js format", "prettier\nbiome\ndprint", "format formatter formatting code 格式化 フォーマット 포맷터"),
    Family("python format", "black\nyapf\nautopep8", "format formatter formatting code 格式化 フォーマット 포맷터"),
    Family("js lint", "eslint\noxlint\ntslint", "lint linter linting 代码检查 リンター"),
    Family("python lint", "flake8\npylint", "lint linter linting"),
    Family("python types", "mypy\npyright\npyre", "type types checker checking check"),
    Family("bundler", "webpack\nvite\nrollup\nesbuild\nparcel\nturbopack\nrspack", "bundler bundle bundling build 打包"),
    Family("js orm", "prisma\ndrizzle\nsequelize\ntypeorm", "orm models"),
    Family("python orm", "sqlalchemy\npeewee\ntortoise", "orm models"),
    Family("ci", "github_actions github-actions\ngitlab_ci gitlab-ci\ncircleci circle_ci\njenkins\ntravis travis_ci\nbuildkite\ndrone", "ci pipeline pipelines continuous integration 持续集成"),
    Family("editor", "vim\nneovim nvim\nemacs\nvscode vs_code\ncursor\nzed\nintellij\npycharm\nwebstorm\nhelix\nnano", "editor ide 编辑器 エディタ 편집기"),
    Family("shell", "bash\nzsh\nfish\npowershell", "shell"),
    Family("state", "redux\nzustand\njotai\nmobx\nrecoil\npinia\nvuex", "state store management"),
    Family("web framework", "react\nvue\nsvelte\nangular\nsolid\nflutter\nelm", "framework ui", after=""),
    Family("python web", "django\nflask\nfastapi", "framework api"),
    Family("api style", "rest\ngraphql\ngrpc\nsoap", "style", after=""),
    Family("dates", "moment\ndayjs\ndate-fns\nluxon", "date dates library"),
    Family("js http", "axios\nfetch\nky", "http requests library"),
    Family("python http", "requests\nhttpx\naiohttp", "http library"),
    Family("containers", "docker\npodman", "container containers"),
    Family("css", "tailwind\nbootstrap", "css"),
    Family("logs", "sentry\nrollbar\nbugsnag", ""),
    Family("merging", "squash squash_merge\nrebase rebasing\nmerge_commits merge_commit", "", after=_USING),
    Family(
        "indentation",
        "tabs tab tabulations tabulaciones tabuladores tabulações табы табуляция 制表符 タブ 탭 แท็บ tabulatoren\n"
        "spaces leerzeichen espaces espacios espaços пробела пробелы пробелов пробелами 空格 スペース 공백 스페이스 เว้นวรรค dấu_cách",
        "indent indentation indented einrücken einrückung indenter sangría indentación indentação отступ отступы 缩进 インデント 들여쓰기 ย่อหน้า 칸",
    ),
    Family(
        "quotes",
        "single single_quotes single-quotes comillas_simples aspas_simples guillemets_simples einfache_anführungszeichen 单引号 シングルクォート 작은따옴표\n"
        "double double_quotes double-quotes comillas_dobles aspas_duplas guillemets_doubles doppelte_anführungszeichen 双引号 ダブルクォート 큰따옴표",
        "quote quotes comillas aspas guillemets anführungszeichen 引号",
        before=r"\s*(?:quote|quotes|$|[.,;!。，])|^",
    ),
    Family("naming", "camelcase camel_case\nsnake_case snakecase\nkebab-case kebab_case\npascalcase pascal_case", "case"),
    Family(
        "length",
        "short brief concise terse succinct kurz knapp court bref brève courtes corto breves breve curto curtas кратко коротко 简短 简洁 短く 簡潔 간결 짧게 สั้น ngắn_gọn ngắn\n"
        "long detailed verbose thorough elaborate extensive ausführlich lang détaillé détaillées détaillée detallado detalladas detalhado detalhadas подробно 详细 詳しく 詳細 자세히 자세하게 상세 ละเอียด chi_tiết",
        "",
    ),
    Family("theme", "dark_mode dark_theme\nlight_mode light_theme", ""),
    Family("visibility", "public open_source open-source open-sourced\nprivate closed_source closed-source proprietary", "", after=r"\b(?:repo|repository|project|codebase|package|library|it) (?:is|are|stays|remains) (?:now |still |an? )?$"),
    Family("order", "ascending\ndescending", ""),
    Family("tax", "gross brutto\nnet netto", ""),
    Family("duty", "optional\nrequired mandatory compulsory", ""),
    Family("call style", "synchronous sync synchronously\nasynchronous async asynchronously", ""),
    Family("clock", "12-hour 12h\n24-hour 24h", ""),
    Family("orientation", "portrait\nlandscape", ""),
    Family("units", "metric\nimperial", ""),
    Family("english", "british\namerican", "", before=r"\s+(?:english|spelling)"),
    Family("formality", "formal\ninformal", ""),
    Family("case", "uppercase upper_case 大写 大文字\nlowercase lower_case 小写 小文字", ""),
    Family("frequency", "hourly 每小时\ndaily nightly täglich 每天 毎日 매일 ทุกวัน\nweekly wöchentlich 每周 毎週 매주\nmonthly monatlich 每月 毎月 매월\nyearly", ""),
    Family("branch", "main\nmaster\ndevelop\ntrunk", "branch", after=r"(?:\bbranch(?:es)? (?:is|are) |\b(?:against|to|from|into|off|on|onto|branch|gegen|auf|von|vers|depuis|contra|desde)\s+(?:the\s+)?|向|到|从|合并到)[`'\"]?$"),
    Family(
        "weekday",
        "monday mondays montag montags lundi lunes segunda-feira понедельник 每周一 每星期一 周一 星期一 月曜日 月曜 월요일 วันจันทร์ thứ_hai\n"
        "tuesday tuesdays dienstag dienstags mardi martes terça-feira вторник 每周二 每星期二 周二 星期二 火曜日 火曜 화요일 วันอังคาร thứ_ba\n"
        "wednesday wednesdays mittwoch mittwochs mercredi miércoles quarta-feira среду 每周三 每星期三 周三 星期三 水曜日 水曜 수요일 วันพุธ thứ_tư\n"
        "thursday thursdays donnerstag donnerstags jeudi jueves quinta-feira четверг 每周四 每星期四 周四 星期四 木曜日 木曜 목요일 วันพฤหัส thứ_năm\n"
        "friday fridays freitag freitags vendredi viernes sexta-feira пятницу 每周五 每星期五 周五 星期五 金曜日 金曜 금요일 วันศุกร์ thứ_sáu\n"
        "saturday saturdays samstag samedi sábado субботу 每周六 每星期六 周六 星期六 土曜日 토요일 วันเสาร์ thứ_bảy\n"
        "sunday sundays sonntag dimanche domingo воскресенье 每周日 每星期日 周日 星期日 日曜日 일요일 วันอาทิตย์ chủ_nhật",
        "",
    ),
    Family(
        "zone",
        "utc gmt\ncet\ncest\nest\nedt\npst\npdt\njst\nkst\nist\nbst\nlocal_time ortszeit lokalzeit heure_locale hora_local местном_времени 本地时间 当地时间 ローカル時間 เวลาท้องถิ่น",
        "timezone",
        after=r"(?:\b(?:in|to|is|as|use|en|à|em|be|auf|на)\s+|用|以|是|为|เป็น)$",
        before=r"\s*(?:で|로|을|を|です)|",
    ),
    Family("currency", "usd dollars\neur euros euro\ngbp pounds\njpy yen\ncny yuan", "", after=r"\b(?:in|en|em)\s+$"),
    Family(
        "answer language",
        "english englisch anglais inglés ingles inglês английском английский английски 英文 英语 英語 영어 ภาษาอังกฤษ อังกฤษ tiếng_anh\n"
        "german deutsch deutscher allemand alemán alemão немецком немецкий 德文 德语 德語 ドイツ語 독일어 ภาษาเยอรมัน tiếng_đức\n"
        "french französisch français francés francês французском французский 法文 法语 フランス語 프랑스어 ภาษาฝรั่งเศส tiếng_pháp\n"
        "spanish spanisch espagnol español espanhol испанском испанский 西班牙文 西班牙语 スペイン語 스페인어 ภาษาสเปน tiếng_tây_ban_nha\n"
        "portuguese portugiesisch portugais portugués português португальском 葡萄牙语 ポルトガル語 포르투갈어\n"
        "italian italienisch italien italiano итальянском 意大利语 イタリア語\n"
        "dutch niederländisch néerlandais holandés holandês нидерландском 荷兰语\n"
        "polish polnisch polonais polaco польском\n"
        "russian russisch russe ruso russo русском русский русски 俄文 俄语 ロシア語 러시아어\n"
        "chinese chinesisch chinois chino chinês китайском 中文 中国語 汉语 중국어 ภาษาจีน tiếng_trung\n"
        "traditional_chinese 繁体中文 繁体字\n"
        "simplified_chinese 简体中文 简体字\n"
        "japanese japanisch japonais japonés japonês японском 日文 日语 日本語 일본어 ภาษาญี่ปุ่น tiếng_nhật\n"
        "korean koreanisch coréen coreano корейском 韩文 韩语 韓国語 한국어 ภาษาเกาหลี tiếng_hàn\n"
        "thai thailändisch thaï tailandés тайском 泰文 泰语 タイ語 태국어 ภาษาไทย tiếng_thái\n"
        "vietnamese vietnamesisch vietnamien vietnamita вьетнамском 越南语 ベトナム語 베트남어 ภาษาเวียดนาม tiếng_việt\n"
        "pinyin 拼音\nromaji ローマ字\nturkish\nswedish\nhindi\narabic\nukrainian",
        "language languages sprache langue idioma língua язык языке 语言 言語 언어 ภาษา",
        after=_IN,
        before=_IN_AFTER,
    ),
    Family(
        "programming language",
        "typescript\njavascript\npython\nrust\ngo golang\njava\nkotlin\nswift\nruby\nphp\nelixir\nscala\nhaskell\ndart\nc#\nc++",
        "language languages",
        after=r"(?:\b(?:written|write|writes|implemented?|built|build|coded?|geschrieben|escrit[oa]s?|écrite?s?|viết|написана?)\b.{0,40}\b(?:in|auf|en|em|bằng|на)\s+|\b(?:is|are|to|us(?:e|es|ing))\s+|\bin\s+(?=\S+\s+geschrieben)|(?:用|使用)\s*|ด้วย\s*)$",
        before=r"\s*(?:geschrieben|で書|로 작성|写|编写|来写)",
    ),
)  # fmt: skip

_AMBIGUOUS = frozenset(
    [
        "rest",
        "black",
        "nose",
        "requests",
        "fetch",
        "render",
        "railway",
        "moment",
        "parcel",
        "cursor",
        "fly",
        "fish",
        "oracle",
        "solid",
        "drone",
        "lambda",
        "zed",
        "single",
        "double",
        "long",
        "short",
        "squash",
        "nano",
        "express",
        "tortoise",
        "helix",
        "elm",
        "est",
        "ist",
        "ky",
        "ava",
        "conda",
        "celery",
    ]
)
"""Words of their own too: they are values after `use`, `with`, `to` and their like, or written as names."""
_SUBJECTIVE = frozenset(
    {"length", "indentation", "naming", "case", "frequency", "weekday", "quotes", "theme", "order", "units"}
)
"""Families whose values are not names of things that could be the subject of a statement."""


_LETTER = r"A-Za-z0-9_À-ɏЀ-ӿḀ-ỿ"
"""Letters of the scripts that are written with blanks: what a name must not touch."""


@lru_cache(maxsize=1)
def _tables() -> tuple[re.Pattern[str], dict[str, tuple[Family, str]]]:
    spelt: dict[str, tuple[Family, str]] = {}
    for family in FAMILIES:
        for line in family.values.split("\n"):
            names = [name.replace("_", " ") if name not in ("snake_case",) else name for name in line.split()]
            for name in names:
                spelt.setdefault(name, (family, names[0]))
    latin = sorted((re.escape(name).replace(r"\ ", r"[ -]") for name in spelt if _bounded(name)), key=len, reverse=True)
    others = sorted((re.escape(name) for name in spelt if not _bounded(name)), key=len, reverse=True)
    pattern = rf"(?<![{_LETTER}./@-])(?:{'|'.join(latin)})(?![{_LETTER}+#-]|[./][{_LETTER}])|(?:{'|'.join(others)})"
    return re.compile(pattern, re.IGNORECASE), spelt


def _bounded(name: str) -> bool:
    """Names in scripts with blanks end at a word's end."""
    return ord(name[0]) < 0x0E00


@lru_cache(maxsize=1)
def thing_words() -> dict[str, frozenset[str]]:
    """For each family the words that name the thing its values are values of."""
    return {family.name: frozenset(family.words.replace("_", " ").split()) for family in FAMILIES}


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def marked(text: str) -> str:
    """The text with each value replaced by its family and canonical name between `OPEN` and `CLOSE`."""
    pattern, spelt = _tables()
    return pattern.sub(_marker(text, spelt), text)


def _marker(text: str, spelt: dict[str, tuple[Family, str]]) -> Callable[[re.Match[str]], str]:
    def mark(found: re.Match[str]) -> str:
        name = found.group()
        key = re.sub(r"[ -]", " ", name.casefold()) if name.casefold() not in spelt else name.casefold()
        if key not in spelt:
            return name
        family, value = spelt[key]
        before, after = text[max(0, found.start() - 60) : found.start()], text[found.end() : found.end() + 20]
        return f"{OPEN}{family.name}={value}{CLOSE}" if _is_value(family, key, name, before, after) else name

    return mark


_WRITTEN_IN = r"\b(?:(?:re)?written|implemented|(?:re)?built|coded|programmed|ported)\s+(?:\w+\s+)?(?:in|to)\s+[`'\"]?$"


def _is_value(family: Family, key: str, name: str, before: str, after: str) -> bool:
    ambiguous = key in _AMBIGUOUS and not (name[:1].isupper() and before.rstrip()[-1:] not in ("", "."))
    if ambiguous and family.name not in _SUBJECTIVE and not _compiled(_USING).search(before):
        return False
    if key in ("go", "rust", "swift", "est", "ist") and name.islower() and not _compiled(_WRITTEN_IN).search(before):
        return False
    if family.name in _SUBJECTIVE and family.before:
        return _compiled(family.before).match(after) is not None
    if family.after or (family.before and family.name not in _SUBJECTIVE):
        said = family.after and _compiled(family.after).search(before)
        followed = family.before and (found := _compiled(family.before).match(after)) and found.group()
        if not said and not followed:
            return False
    # "npm scripts", "the German shop": a name before a noun says which one is meant.
    if family.name in _SUBJECTIVE or not name.isascii():
        return True
    following = re.match(r"[`'\"]?\s+([a-z]+)(?!\w)", after)
    return following is None or following.group(1) in _MAY_FOLLOW or following.group(1) in family.words.split()


_MAY_FOLLOW = frozenset(
    [
        "for",
        "in",
        "on",
        "as",
        "to",
        "and",
        "or",
        "instead",
        "rather",
        "over",
        "not",
        "never",
        "when",
        "if",
        "before",
        "after",
        "here",
        "from",
        "with",
        "everywhere",
        "only",
        "now",
        "by",
        "at",
        "any",
        "again",
        "because",
        "since",
        "unless",
        "until",
        "is",
        "are",
        "was",
        "be",
        "must",
        "should",
        "has",
        "have",
        "can",
        "will",
        "does",
        "do",
        "via",
        "per",
        "during",
        "across",
        "schreiben",
        "verfassen",
        "antworten",
        "halten",
        "formulieren",
        "für",
        "im",
        "in",
        "bei",
        "statt",
        "und",
        "oder",
        "nicht",
        "geschrieben",
        "als",
        "zum",
        "pour",
        "dans",
        "et",
        "pas",
        "plutôt",
        "au",
        "avec",
        "para",
        "en",
        "y",
        "no",
        "con",
        "em",
        "e",
        "não",
        "и",
        "а",
        "не",
        "cho",
        "trong",
        "và",
        "không",
        "để",
        "thay",
        "khi",
    ]
)


def family_of(text: str) -> str:
    """The family that the first value in the text belongs to, or an empty string."""
    return next((family for family, _ in values_in(marked(text))), "")


def family_words(family: str) -> tuple[str, ...]:
    """The name of a family and the words that people use for it; empty for an unknown one."""
    found = next((known for known in FAMILIES if known.name == family), None)
    return (found.name, found.words.replace("_", " ")) if found else ()


def values_in(text: str) -> Iterator[tuple[str, str]]:
    """Family and canonical name of each value of a marked text."""
    for found in re.finditer(f"{OPEN}([^{CLOSE}=]+)=([^{CLOSE}]+){CLOSE}", text):
        yield found[1], found[2]
