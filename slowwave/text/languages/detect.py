"""Which language a sentence is written in, as far as its rules are concerned: by script, then by common words."""

from __future__ import annotations

import re

_SCRIPTS = (
    ("th", r"[\u0e00-\u0e7f]"),
    ("ko", r"[\uac00-\ud7af\u1100-\u11ff]"),
    ("ja", r"[\u3040-\u30ff]"),
    ("zh", r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"),
    ("ru", r"[\u0400-\u04ff]"),
    ("fa", r"[\u0600-\u06ff]"),
    ("he", r"[\u0590-\u05ff]"),
)
_TRADITIONAL = frozenset(
    "後於裡乾鍾麵並佇佈併來倉個們側備傳傾僅價儘優儲內兩冊別刪則剛動務區協厭參叢員問啟單嗎嚴國圍圖團執報塊壞夾學實審寫將專對導層師帶幫幹庫廢強彈從復愛態慣慮應戲戶掛採換擇擊據擬敗敵數時暫暱書會東條棄"
    "構樂標樣機檔檢欄權歡歷歸殺決沒況測準溝滾潔潰灣為無煩獨現環產畫異當發盡監盤確碼稱範簡糾紀約紅級細終組結絕給統經綠維網緊線緣編緩總繼續習聞腦腳與舊華萬藍處虛號術衝補裡製複見規視覺覽觀"
    "觸計訊討託記設許訴註評詢試話該詳誌認語誤說誰調請論謝謹證識譯議護讀變讓負責買貼資賣車軟較載輯輸轉辦這連週進遊運過達遞遠遲遷選還邊郵釋鈕銀銷錄錢錯鍵鐘鐵鑰長門閃開間閘關隊隨離難雲電靜"
    "韌響頁項順須預頭題額顏願類顯風飛飯館馬駐驗驟體髮鬆魚魯鳥麗麥麼黃點龍"
)
"""Characters of traditional Chinese that simplified Chinese does not have: those that GB 2312 lacks."""

_WORDS = {
    "en": """the a an and or not is are was be to of in on with for we you it this that i my our your please always never
     don't do does should must use from now can could would just so but if when what why how all any no yes make sure
     they there here only more than instead have has will let's by at as ever me he she it's its todo quit stop adding keep""",
    "de": """habe hat hatte haben war waren sehr etwas nichts man so der die das den dem ein eine einen nicht kein keine keinen und oder ist sind wir ich du ihr bitte immer nie
     niemals stets nur mit für auf von zu im vom zum zur wird werden soll sollte muss müssen darf wenn falls ab jetzt
     künftig warum wie was wo wann mach nimm benutze benutz verwende verwenden schreib schreibe lass frag merk dir mir
     mich uns unser unsere unserer hier diesmal alle alles aber doch noch schon dann stell sicher lieber statt über bei
     nach vor bis als auch denk daran heißt liegt liegen nein das'""",
    "fr": """j'ai j n d l s c qu ai as a ont très tout rien le la les un une des du de et ou est sont nous vous je tu on ne pas jamais toujours plus utilise utilisez
     pour avec dans sur par ce cette ces que qui quoi où quand comment pourquoi si mais donc aussi notre nos votre mon
     ma mes il elle faut doit doivent désormais maintenant partir avant après sans s'il plaît merci au aux à été rien
     seulement uniquement c'est n'est l'avenir écris réponds ici cela ça""",
    "es": """he has ha hemos había fue era muy todo todos nada hasta donde porque el la los las un una unos y es son está están nosotros yo tú no nunca siempre jamás usa usar usamos para con en por del al que
     qué cuál dónde cuándo cómo si pero también nuestro nuestra nuestros mi mis su hay debe deben desde ahora
     partir antes después sin favor gracias se lo de solo sólo aquí ya más este esta ese eso tu te me nos cada todos
     todas escribe responde recuerda haz hagas usamos utiliza tenemos""",
    "pt": """última último mudança mudanças faça você vocês usei vi tive foi fui muito tudo nada até porque para pra pelo pela o os as um uma uns e ou é são está estão nós eu você não nunca sempre jamais use usa usar usamos para com em no na
     nos nas por do da dos das ao que qual onde quando como se mas também nosso nossa nossos meu minha seu sua há
     deve devem desde agora partir antes depois sem favor obrigado só apenas aqui já mais este esta esse isso te me
     cada todos todas escreva escreve responda lembre faça utilize temos fica ficam""",
    "vi": """không luôn đừng hãy chỉ dùng sử dụng và là của cho với trong khi nếu tôi chúng bạn các những này từ giờ nay
     phải được bằng trước sau mọi mỗi cũng đã sẽ vẫn lại ở có nào gì sao bao""",
}
_LETTERS = {
    "de": "ßäöü",
    "fr": "èêëîïôûùœç",
    "es": "ñ¿¡",
    "pt": "ãõç",
    "vi": "ôâêàáãèéìíòóõùúý",
}
_VIETNAMESE = "đăơư" + "".join(map(chr, range(0x1EA0, 0x1EFA)))
_LATIN: dict[str, frozenset[str]] = {}


def languages_of(sentence: str) -> tuple[str, ...]:
    """Codes of the languages whose rules are tried on a sentence, the likeliest first.

    One kana makes a text Japanese, because Japanese is full of Han characters and Chinese has no kana. A sentence in
    Latin letters is judged by its common words; where two languages are as likely, both are tried.
    """
    if not sentence.isascii():
        for code, pattern in _SCRIPTS:
            if len(re.findall(pattern, sentence[:2000])) >= 2:
                return (_chinese(sentence),) if code == "zh" else (code,)
    return _latin(sentence)


def _chinese(sentence: str) -> str:
    return "zh-Hant" if any(character in _TRADITIONAL for character in sentence) else "zh"


def _latin(sentence: str) -> tuple[str, ...]:
    if not _LATIN:
        _LATIN.update((code, frozenset(words.split())) for code, words in _WORDS.items())
    words = re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?", sentence.lower().replace("’", "'"))
    words += [part for word in words if "'" in word for part in word.split("'")]
    scores = {code: sum(word in known for word in words) for code, known in _LATIN.items()}
    if not sentence.isascii():
        low = sentence.lower()
        for code, letters in _LETTERS.items():
            scores[code] += any(letter in low for letter in letters)
        scores["vi"] += any(letter in low for letter in _VIETNAMESE)
    best = max(scores.values())
    if best == 0:
        return ("en",)
    likely = [code for code, score in scores.items() if score == best]
    return tuple(likely)
