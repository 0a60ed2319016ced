"""Durable statements in Chinese, Japanese, Thai, Korean, German, French and Spanish, and as many that are not."""

from __future__ import annotations

import pytest

from tests.support.offline import Log

KEPT = {
    "simplified Chinese": [
        ("以后提交信息都用英文写。", "preference"),
        ("今后不要直接推送到 main 分支。", "preference"),
        ("用 pnpm，不要用 npm。", "preference"),
        ("请使用 pnpm 而不是 npm。", "preference"),
        ("不要用 moment，改用 dayjs。", "preference"),
        ("永远不要手动修改 migrations 目录。", "constraint"),
        ("所有接口都必须有单元测试。", "constraint"),
        ("每次提交之前都要先运行 make lint。", "preference"),
        ("禁止在日志里打印用户的邮箱。", "constraint"),
        ("我更喜欢简短的回答。", "preference"),
        ("我们一律使用 UTC 时间。", "preference"),
        ("代码注释请用英文写。", "preference"),
        ("下次改接口前请先问我。", "preference"),
        ("别再给每个函数加注释了。", "constraint"),
        ("必须先写测试，否则线上容易出问题。", "constraint"),
        ("优先使用组合而不是继承。", "preference"),
        ("我们用 SQLite 而不是 Postgres，因为只有一台机器。", "decision"),
        ("我们决定用 Redis 做队列。", "decision"),
        ("变量名不要用拼音。", "constraint"),
        ("你不要每次都问我，直接做。", "constraint"),
        ("我们团队一般用 rebase，不用 merge。", "preference"),
        ("数据库字段统一用下划线命名。", "preference"),
    ],
    "traditional Chinese": [
        ("以後請用繁體中文回覆我。", "preference"),
        ("今後不要直接推送到 main 分支。", "preference"),
        ("請使用 pnpm 而不是 npm。", "preference"),
        ("所有的 API 都必須有測試。", "constraint"),
        ("永遠不要手動修改 migrations 目錄。", "constraint"),
        ("我比較喜歡簡短的說明。", "preference"),
        ("每次提交之前都要先跑測試。", "preference"),
        ("嚴禁在日誌中輸出密碼。", "constraint"),
        ("從現在開始，變數名稱一律用英文。", "preference"),
    ],
    "Japanese": [
        ("今後はコミットメッセージを英語で書いてください。", "preference"),
        ("必ずテストを書いてからコミットしてください。", "preference"),
        ("npmではなくpnpmを使ってください。", "preference"),
        ("momentの代わりにdayjsを使って。", "preference"),
        ("本番データベースには絶対に接続しないでください。", "constraint"),
        ("コミットする前に必ずlintを実行してください。", "preference"),
        ("すべてのAPIにテストを追加すること。", "constraint"),
        ("anyの使用は禁止です。", "constraint"),
        ("短い回答の方が好きです。", "preference"),
        ("勝手に依存関係を追加しないでください。", "constraint"),
        ("次からは日本語で回答してください。", "preference"),
        ("変数名はキャメルケースに統一してください。", "preference"),
        ("日時はUTCで保存するようにしてください、本番でずれるので。", "preference"),
        ("anyは使わないでください。", "constraint"),
        ("ライブラリを追加するときは事前に相談してください。", "preference"),
        ("Next.jsのApp Routerを使っています。", "fact"),
        ("次からは確認なしで進めていいです。", "preference"),
        ("サーバーが一台しかないので、Postgresではなくsqliteを使いましょう。", "decision"),
    ],
    "Thai": [
        ("ต่อไปนี้ให้เขียน commit message เป็นภาษาอังกฤษ", "preference"),
        ("ใช้ pnpm แทน npm ในโปรเจกต์นี้", "preference"),
        ("อย่าใช้ npm ให้ใช้ pnpm", "preference"),
        ("ห้าม push ตรงไปที่ main เด็ดขาด", "constraint"),
        ("ต้องรันเทสก่อน commit ทุกครั้ง", "preference"),
        ("ห้ามแก้ไฟล์ใน migrations ด้วยมือ", "constraint"),
        ("ช่วยตอบเป็นภาษาไทยเสมอ", "preference"),
        ("จำไว้ว่าเวลาทั้งหมดเก็บเป็น UTC", "fact"),
        ("ผมชอบคำตอบสั้น ๆ มากกว่าคำตอบยาว", "preference"),
        ("ครั้งหน้าให้ถามก่อนแก้ API", "preference"),
        ("เวลาเพิ่มฟีเจอร์ใหม่ ต้องเขียนเทสเสมอ", "preference"),
        ("ทุก API ต้องมี authentication", "constraint"),
        ("เราใช้ Tailwind ไม่ใช้ CSS modules", "preference"),
        ("ตกลงใช้ SQLite แทน Postgres เพราะมีเครื่องเดียว", "decision"),
    ],
    "Korean": [
        ("앞으로는 커밋 메시지를 영어로 작성해 주세요.", "preference"),
        ("항상 테스트를 먼저 작성해 주세요.", "preference"),
        ("npm 말고 pnpm을 사용해 주세요.", "preference"),
        ("절대 main 브랜치에 직접 푸시하지 마세요.", "constraint"),
    ],
    "German": [
        ("Ab jetzt bitte alle Kommentare auf Englisch schreiben.", "preference"),
        ("Verwende immer pnpm.", "preference"),
        ("Nutze pnpm statt npm.", "preference"),
        ("Niemals direkt auf main pushen.", "preference"),
        ("Wir haben uns für SQLite entschieden, weil nur ein Server läuft.", "decision"),
    ],
    "French": [
        ("Désormais, écris les messages de commit en anglais.", "preference"),
        ("Utilise pnpm plutôt que npm.", "preference"),
        ("Ne pousse jamais directement sur main.", "preference"),
        ("Il faut toujours lancer les tests avant de committer.", "constraint"),
    ],
    "Spanish": [
        ("A partir de ahora escribe los mensajes de commit en inglés.", "preference"),
        ("Usa pnpm en vez de npm.", "preference"),
        ("Nunca hagas push directo a main.", "preference"),
        ("Prefiero respuestas cortas y directas.", "preference"),
    ],
}

DROPPED = {
    "Chinese": [
        "请修复登录页面的错误。",
        "先不要提交。",
        "这次用 npm 吧。",
        "为什么测试总是失败？",
        "能不能每次都自动运行测试？",
        "这个文件必须删除。",
        "可以了，谢谢",
        "测试每次都失败。",
        "把按钮改成蓝色。",
        "暂时只用本地数据库。",
        "要不要用 pnpm？",
        "继续",
        "不要紧，没关系。",
        "特别感谢你的帮助。",
        "現在先不要推送。",
        "這個函數要改名。",
        "幫我看一下為什麼報錯。",
        "我喜欢第二个颜色。",
        "我希望你先看看文档。",
        "之前的代码不要删。",
        "所有文件都要改。",
        "用方案二。",
        "不要改其他文件。",
        "用户必须登录才能看到这个页面。",
        "以后有问题再说。",
    ],
    "Japanese": [
        "ログイン画面のバグを直してください。",
        "まだコミットしないでください。",
        "今回はnpmを使ってください。",
        "なぜテストが必ず失敗するのですか？",
        "このファイルは必ず削除してください。",
        "はい、お願いします。",
        "テストは毎回失敗します。",
        "ボタンを青にしてください。",
        "とりあえずモックだけ使ってください。",
        "これはどういう意味ですか。",
        "続けてください。",
        "毎回落ちるのでしょうか。",
        "必ずしも必要ではない。",
        "いつもありがとうございます。",
        "ボタンを押したときに確認ダイアログを出してください。",
        "すべてのファイルを修正してください。",
        "今後の予定を教えてください。",
        "一時停止できる機能を復活させて。",
        "毎回ログインが必要になるのを直して。",
    ],
    "Thai": [
        "แก้บั๊กหน้า login ให้หน่อย",
        "อย่าเพิ่ง commit",
        "รอบนี้ใช้ npm ไปก่อน",
        "ทำไมเทสพังเสมอ",
        "ต้องรันเทสทุกครั้งไหม",
        "โอเค ขอบคุณครับ",
        "ตอนนี้ใช้ mock เท่านั้น",
        "เปลี่ยนปุ่มเป็นสีฟ้า",
        "อย่าลืมบันทึกไฟล์",
        "ต่อไปคืออะไร",
        "ทุกครั้งที่กดปุ่ม ต้องแสดง popup ยืนยัน",
        "ห้ามแก้ไฟล์อื่น",
        "ใช้สีฟ้าแทนสีแดง",
        "ครั้งหน้าค่อยทำ",
        "ให้แสดงเฉพาะผู้ใช้ที่ active เท่านั้น",
        "ต้องการให้ระบบส่งอีเมลทุกครั้งที่มีคำสั่งซื้อ",
    ],
    "Korean": [
        "로그인 버그를 고쳐 주세요.",
        "아직 커밋하지 마세요.",
        "항상 실패하는 이유가 뭔가요?",
        "이번에는 npm을 사용해 주세요.",
    ],
    "German": [
        "Bitte den Fehler im Login beheben.",
        "Der Test schlägt immer fehl.",
        "Jetzt noch nicht committen.",
        "Warum ist das immer so langsam?",
        "Es geht immer noch nicht.",
    ],
    "French": [
        "Corrige le bug de connexion.",
        "Le test échoue toujours.",
        "Ne pousse pas encore.",
        "Pourquoi est-ce toujours lent ?",
        "Ça ne marche toujours pas.",
    ],
    "Spanish": [
        "Arregla el error del login.",
        "La prueba siempre falla.",
        "Todavía no hagas push.",
        "¿Por qué siempre tarda tanto?",
        "Esto nunca había pasado.",
    ],
}


@pytest.mark.parametrize(
    ("said", "kind"), [pytest.param(*case, id=case[0]) for cases in KEPT.values() for case in cases]
)
def test_a_durable_statement_is_kept_in_its_own_language(said: str, kind: str) -> None:
    memories = Log().user(said).published()
    assert [_sort(memory.kind) for memory in memories] == [_sort(kind)]
    assert memories[0].evidence[0].quote in said
    assert memories[0].text.rstrip("。.")[-8:] in said


@pytest.mark.parametrize("said", [said for cases in DROPPED.values() for said in cases])
def test_what_belongs_to_the_moment_is_left_out(said: str) -> None:
    assert Log().user(said).texts() == []


def test_chinese_sentences_are_split_without_blanks() -> None:
    said = "先修一下登录的错误。以后提交信息都用英文写。谢谢。"
    assert Log().user(said).texts() == ["提交信息都用英文写。"]


def test_a_condition_stays_in_the_sentence() -> None:
    said = "コミットする前に、必ずlintを実行してください。"
    assert Log().user(said).texts() == [said]


def _sort(kind: str) -> str:
    """How firmly somebody wishes is a matter of tone; that something is a fact is not."""
    return "fact" if kind == "fact" else "wish"
