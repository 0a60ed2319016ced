"""How models copy what stands in a log: first what must be found, then what must not.

A row is (what the log has, how it was copied). `{NFD}` in front of a text stands for its decomposed form.
"""

from __future__ import annotations

FOUND: tuple[tuple[str, str], ...] = (
    # exact, and a stretch of it
    ("Keep the changelog in British English.", "Keep the changelog in British English."),
    ("Keep the changelog in British English, even for patch releases.", "changelog in British English"),
    # case
    ("please KEEP the port at 8443 on staging", "Please keep the port at 8443 on staging"),
    ("Die Übersetzungen liegen in LOCALE/DE.", "die übersetzungen liegen in locale/de"),
    # quotation marks
    ("Call it “nightly build” in every “report”.", 'Call it "nightly build" in every "report".'),
    ("We don’t squash merges here.", "We don't squash merges here."),
    ("Nenne den Zweig „hotfix“ und sonst nichts.", 'Nenne den Zweig "hotfix" und sonst nichts.'),
    ("標題一律用「週報」開頭。", '標題一律用"週報"開頭。'),
    ("Use 'single quotes' in SQL", 'Use "single quotes" in SQL'),
    # dashes and ellipsis
    ("Migrations run by hand – never on start-up", "Migrations run by hand - never on start-up"),
    ("Run the smoke test—twice—before tagging.", "Run the smoke test - twice - before tagging."),
    ("Wait for the queue… then deploy", "Wait for the queue... then deploy"),
    ("The minimum is −5 degrees", "The minimum is -5 degrees"),
    # Unicode forms
    ("{NFD}Les réglages vont dans défauts.toml", "Les réglages vont dans défauts.toml"),
    ("Les réglages vont dans défauts.toml", "{NFD}Les réglages vont dans défauts.toml"),
    ("{NFD}빌드는 항상 릴리스 모드로", "빌드는 항상 릴리스 모드로"),
    ("{NFD}ブランチ名は英語で書く", "ブランチ名は英語で書く"),
    ("ｐｏｒｔ　８０８０を使う", "port 8080を使う"),
    ("The oﬃce network blocks port 25", "The office network blocks port 25"),
    # markup
    ("Never edit `schema.sql` by **hand**.", "Never edit schema.sql by hand."),
    ("Never edit schema.sql by hand.", "Never edit `schema.sql` by **hand**."),
    ("> Tag releases with _v_ in front", "Tag releases with v in front"),
    ("Before a release:\n- bump the version\n- write the notes", "Before a release: bump the version, write the notes"),
    ("## Rules\n\n1. Squash first", "Rules 1. Squash first"),
    ("构建前先执行`make deps`再继续", "构建前先执行make deps再继续"),
    # white space and line wraps
    ("The fixtures live in\n    tests/data and\n    nowhere else", "The fixtures live in tests/data and nowhere else"),
    ("日志 一律\n写到 stderr", "日志一律写到stderr"),
    ("use\u00a0two\u2009spaces", "use two spaces"),
    # invisible characters
    ("Set the time\u200bout to 30 s", "Set the timeout to 30 s"),
    ("\u202bהשתמש תמיד ב-yarn\u202c", "השתמש תמיד ב-yarn"),
    ("از نیم\u200cفاصله استفاده کن", "از نیم فاصله استفاده کن"),
    ("\ufeffAlways rebase.", "Always rebase."),
    ("co\u00adoperate with the linter", "cooperate with the linter"),
    ("ใช้ภาษาไทย\u200bในรายงานเสมอ", "ใช้ภาษาไทยในรายงานเสมอ"),
    # ends
    ("Always pin the base image!", "Always pin the base image"),
    ("コミット前に整形する。", "コミット前に整形する"),
    ("Always pin the base image", "Always pin the base image."),
    ("Always pin the base image, please, in each service.", "“Always pin the base image…”"),
    ("Always pin the base image, please, in each service.", "[...] pin the base image, please [...]"),
    # escapes as they stand in JSON or HTML
    ('Say "no" first.\nThen run make check.', 'Say \\"no\\" first.\\nThen run make check.'),
    ("error: C:\\new\\table is missing", "C:\\\\new\\\\table is missing"),
    ("Run lint && test, a < b", "Run lint &amp;&amp; test, a &lt; b"),
)

REFUSED: tuple[tuple[str, str], ...] = (
    # polarity
    ("Never edit schema.sql by hand.", "Always edit schema.sql by hand."),
    ("We don't squash merges here.", "We do squash merges here."),
    ("We don't squash merges here.", "We squash merges here."),
    ("Es darf nicht gemergt werden", "Es darf gemergt werden"),
    ("请不要直接推送到主分支", "请直接推送到主分支"),
    ("ここでは使わないでください", "ここでは使ってください"),
    ("Skip it if not ready: if (!ready) return", "if (ready) return"),
    ("Use it when a != b holds", "when a = b holds"),
    ("❌ use tabs ✅ use blanks", "✅ use tabs"),
    # words added, left out, exchanged, in another order
    ("Pin the base image.", "Pin the base image and delete the old ones."),
    ("Pin the base image of the worker in each service.", "Pin the base image in each service."),
    ("Pin the base image.", "Please pin the base image."),
    ("Pin the base image.", "Push the base image."),
    ("first lint then test", "first test then lint"),
    ("Deploy on Monday, test on Friday", "Deploy on Friday"),
    ("Run lint first. Nothing else. Deploy later.", "Run lint first. [...] Deploy later."),
    ("The user may read it", "The users may read it"),
    # numbers
    ("Set the timeout to 30 s", "Set the timeout to 300 s"),
    ("Set the ratio to 1.5", "Set the ratio to 15"),
    ("Set the ratio to 1.5", "Set the ratio to 1,5"),
    ("Set the offset to -3", "Set the offset to 3"),
    ("Keep 10 000 rows", "Keep 10000 rows"),
    ("Needs Python >= 3.12", "Needs Python <= 3.12"),
    ("Needs Python 3.12", "Needs Python 3.1"),
    ("area in m²", "area in m2"),
    ("Raise it by 5%", "Raise it by 5"),
    # letters that look alike, accents that change a word
    ("Dеlete nothing", "Push nothing"),
    ("él año nuevo", "él ano nuevo"),
    ("write it in C", "write it in C#"),
    ("ใช้ภาษาไทยในรายงานเสมอ", "ไม่ใช้ภาษาไทยในรายงานเสมอ"),
    # nothing that could be found
    ("Pin the base image.", "..."),
    ("Pin the base image.", "``"),
    ("Pin the base image.", ""),
    ("Pin the base image.", "im"),
    ("Pin the base image.", "age"),
    ("look at the CONTRIBUTING file", "trib"),
    ("", "Pin the base image."),
    # a joint that is not there
    ("Open the\u200b gate", "Open thegate"),
    ("set up the work tree", "setup the worktree"),
    ("user_name is the key", "username is the key"),
    ("the path is src/app", "the path is srcapp"),
)
