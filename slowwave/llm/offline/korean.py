"""Korean cues for directives and decisions."""

from __future__ import annotations

from slowwave.llm.offline.rules import Lexicon, rule, words
from slowwave.storage.types import MemoryKind

_PREFER = MemoryKind.PREFERENCE
_BOUND = MemoryKind.CONSTRAINT
_DECIDE = MemoryKind.DECISION

KOREAN = Lexicon(
    rules=(
        rule(_PREFER, r"(?:앞으로는?|이제부터는?|다음부터는?) ", cut=True),
        rule(
            _PREFER,
            r"(?:항상|반드시|매번|언제나) .*(?:세요|줘|주세요|해라|하기|해야|합니다|한다|해|써|것)[.!]?$",
            r"\S+\s?(?:말고|대신(?:에)?) .*(?:사용|써|쓰|해)",
            r"(?:을|를|이|가|은|는) (?:더 )?(?:선호|좋아|싫어)",
            r"(?:한국어|영어)로 (?:답|작성|써|설명)",
        ),
        rule(_BOUND, r"절대(?:로)? .*(?:마|말|않|금지|안 )", r"금지(?:입니다|한다|해|함)?[.!]?$"),
        rule(_BOUND, r"지\s?(?:마|말)(?:세요|라|아|고)?", general=True),
    ),
    decisions=(
        rule(
            _DECIDE,
            r"(?:때문에|니까|므로|대신) .*(?:쓰기로|하기로|사용하기로|으로\s?하자|로\s?하자|로\s?갑시다|로\s?가자)",
        ),
    ),
    veto=words(r"지금은|이번(?:에는|엔|만|에)|아직|일단|오늘|내일|걱정|항상 .*(?:실패|안\s?돼|에러)"),
    dangling=words(
        r"^(?:이거|그거|저거|이건|그건|이것|그것)",
        r"(?:이|그|저) (?:파일|함수|테스트|브랜치|커밋|오류|변경|줄|작업|기능|문제|부분)",
    ),
    general=words(r"모든|항상|매번|절대|때문|니까|전에|후에|때(?:는|마다)|마다|어떤|직접|프로덕션|운영"),
    lead=words(r"(?:네|예|아니(?:요)?|응|그리고|또|참고로|좋아(?:요)?|고마워|감사합니다|그런데|하지만)[,.!\s]+"),
    question=words(r"\?\s*$", r"(?:까요|나요|습니까|가요)[.]?$", r"^(?:왜|어떻게)"),
    situation=words(r"(?P<when>.{2,30}?(?:할\s?때(?:는|마다)?|하기\s?전에|한\s?후에|전에|후에))[,\s]"),
)
