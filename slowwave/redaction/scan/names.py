"""What a name says about its value: is it the name of a password, of a token, or of neither? Standard library only."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache

from slowwave.text.lazy import lazy


class Kind(Enum):
    """How much a name promises. The order is that of strength.

    `WORD` is an ordinary word that also names a secret (pass, pin, otp): it needs a second sign.
    """

    NONE = 0
    WORD = 1
    GENERIC = 2
    TOKEN = 3
    PASSWORD = 4


KEYWORDS: tuple[str, ...] = (
    "pass", "pwd", "secret", "token", "key", "cred", "auth", "cookie", "sess", "sig", "bearer", "mnemonic", "seed",
    "recovery", "salt", "pepper", "otp", "login", "webhook", "license", "kennwort", "contrase", "clave", "senha",
    "segredo", "mot de passe", "mdp", "wachtwoord", "haslo", "heslo", "parola", "sifre", "jeton", "geheimnis",
    "schluessel", "losenord", "salasana", "mat khau", " dsn", "connection", "-pw", "_pw", "pat", "psk", "pin", "_sas",
    "nonce", "csrf", "pw:", "pw=", "pw =", "pw is ",
)  # fmt: skip
"""ASCII pieces that a telling name holds, lower case; matched without regard to case."""

SHORT_NAMES = {"pw:": 2, "pw=": 2, "pw =": 2, "pw is ": 2}
"""Keywords that are looked for with their sign, because they are too short alone, and the length of the name in them."""

WORDS_OTHER_SCRIPTS: tuple[str, ...] = (
    "密码", "密碼", "口令", "令牌", "密钥", "密鑰", "金鑰", "私钥", "私鑰", "秘钥", "凭证", "凭据", "憑證", "通行证", "验证码", "授权码", "访问码", "鉴权码",
    "パスワード", "パスフレーズ", "トークン", "シークレット", "秘密鍵", "秘密キー", "暗証番号", "アクセスキー", "APIキー", "認証キー", "鍵は", "合言葉",
    "รหัสผ่าน", "โทเค็น", "โทเคน", "คีย์", "รหัสลับ", "ความลับ", "กุญแจ",
    "비밀번호", "암호", "패스워드", "토큰", "비밀키", "비밀 키", "개인키", "인증키", "시크릿", "액세스 키", "API 키",
    "пароль", "Пароль", "ПАРОЛЬ", "пароля", "токен", "Токен", "ключ", "Ключ", "секрет", "Секрет",
    "contraseña", "Contraseña", "schlüssel", "Schlüssel", "hasło", "Hasło", "şifre", "Şifre", "clé", "Clé", "lösenord", "Lösenord", "mật khẩu", "Mật khẩu", "mã thông báo",
    "كلمة المرور", "كلمة السر", "رمز", "مفتاح", "סיסמה", "סיסמא", "पासवर्ड", "टोकन", "κωδικός",
)  # fmt: skip
"""Words for password, token and key in other scripts and spellings."""

_PASSWORD = lazy(
    r"(?:^|[^a-z])(?:pwd|pw|psw|psk|passwd|mdp|kennwort|clave|senha|contrasena|heslo|haslo|parola|sifre|wachtwoord|losenord|salasana)(?:[^a-z]|\d|$)"
    r"|pass(?:word|wd|wort|phrase|code|wrd|key)"
    r"|(?:^|[^a-z])(?:pg|db|my|user|root|admin|smtp|mail|ftp|redis|mysql|sql|login|sudo|ssh|wifi|ldap|mongo|postgres|http|proxy|imap|sa|ca|p12|store|keystore|cert|vpn|rabbit|kafka|es|elastic|basic|auth|jwt|bot|svc|service|app|account|master|bind|vnc|bmc|ipmi|snmp|archive|zip|gpg|pgp)_?(?:pass|pwd|pw)(?![a-z])"
    r"|contrase|requirepass|masterauth|mot.?de.?passe|mat.?khau|mnemonic|seed.?phrase|recovery.?(?:code|phrase|key)|backup.?codes?"
)
_WORD = lazy(r"(?:^|[^a-z])(?:pass|pin|otp|totp|2fa)(?:[^a-z]|\d|$)")
_OWNERS = (
    "access|private|priv|auth|signing|sign|encryption|encrypt|decryption|master|account|storage|service|server|admin|session|shared|client|app|application|app_?id|consumer|user|api|license|licence"
    "|deploy|deployment|write|read|ingest|ingestion|project|integration|webhook|hmac|cipher|crypto|aes|rsa|ssh|gpg|ssl|tls|root|host|secondary|function|subscription|personal|developer|dev|live|prod|staging|security|connect|agent|device|registration|join|node|cluster|gateway|secret|hash|s3|hub|bot|merchant|partner|publish|provision|platform|org|team|company|rest|admin_?api|sdk|x.?auth"
)
_TOKEN = lazy(
    r"secret|token(?!i[sz]|ed)|jeton|segredo|geheimnis|api.?key|apikey|credential|(?:^|[^a-z])creds?(?:[^a-z]|$)|bearer|jwt"
    rf"|(?:{_OWNERS})[^a-z]{{0,2}}key(?:[^a-z]|s?$|\d)"
    r"|[^a-z]pat(?:[^a-z]|$)|^pat$|schluessel"
    r"|cookie|sess(?:ion)?[_-]?(?:key|token|cookie)$|phpsessid|jsessionid|csrf|xsrf|nonce|salt|pepper|x.?auth|authorization|proxy.?auth|_auth$|(?:^|[^a-z])sas(?:[^a-z]|$)|otpauth"
    r"|seed$|webhook|connection.?string|dsn$|credentials?_json$"
)
_GENERIC = lazy(r"key(?:[^a-z]|s?$|\d)|(?:^|_)auth(?:_|$)|license")
_NEVER_LAST = frozenset(
    """
    mgr encode decode encoded decoded hash verify check compare strip matches equals id ids url urls uri path paths file
    files filename dir folder name names count counts limit limits length len size type types kind max min expiry expires
    expiration expired ttl usage hint policy field fields label labels prompt reset manager handler class factory provider
    store index position pos offset budget window ratio rate cost price used left remaining total version format prefix
    suffix header headers pattern regex re required enabled disabled valid invalid algorithm alg alias status state mode
    method endpoint host port scope scopes issuer audience input output cache source sources ref refs arn region zone title
    description desc text message error errors event events time timestamp date at fingerprint thumbprint digest checksum
    sha sha1 sha256 md5 hashes mask masked attempts attempt strength rotation generator validator checker fn func function
    callback cb component page screen view form button link icon img image color colour style theme box set map list array
    dict vault keeper counter estimate estimated estimates getter setter placeholder example sample test tests spec specs
    doc docs arg args argument param params option options var variable env exists missing changed updated created deleted
    tokenizer stream iterator iter typing level order by sort column columns row rows table schema constraint kinds number
    num regexp template templates rule rules helper helpers util utils service client config configs settings plugin
    plugins module package builder parser reader writer loader wrapper interface impl base abstract trait enum struct
    response request result results ok success failure failed fail expected actual got want info data metadata object
    objects item items node nodes element elements loc location range span start end begin line lines char chars str
    string strings bytes int integer bool boolean flag flags toggle switch visible visibility confirmation confirm
    stage stages versions mismatch changes change rotate refresh revoke revoked renew create delete remove update get has is can should must
    may wrong incorrect match help
    """.split()  # noqa: SIM905 - a word list reads better unquoted
)
"""Last words of names that speak about a secret and are not one."""

_PUBLIC = lazy(
    r"public|publishable|pub_?key|magic|web_?socket|session_?id|sessionid|primary_?key|foreign|partition|sort_?key|cache|group_?key|keyword|keyboard|keypress|keydown|keyup|keycode|hot_?key|shortcut|short_key|monkey|turkey|donkey|hockey|whiskey|keynote|lookup|object_?key|storage_?class|s3_?key$|translation|i18n|locale"
    r"|idempoten|pagination|(?:lock|starting|request|sync|resume|change|delta|marker|scroll)_?token|page_?token|next_?token|continuation|cursor|max_?(?:new_?|output_?|completion_?|input_?)?tokens|tokens?_?(?:count|limit|per|used|left|in|out)|(?:num|total|input|output|prompt|completion|cached|reasoning|thinking|soft|n)_?tokens|encrypted_content"
    r"|author(?!iz|is)|bypass|passed|passing|passenger|compass|passive|passage|passport|passthrough|pass_through|signal|design|assign|significan|signup|sign_in|signin(?!g)|possess|assess|obsess|session_?count|pattern|patch|path|spin|pinned|pinning|mapping|shipping|typing|opinion|ping"
    r"|dedup|map_?key|dict_?key|json_?key|row_?key|index_?key|query_?key|sheet_?key|config_?key|prop_?key|enum|key_?size|key_?len|key_?type|keyid|key_?id|kid$|hash_?key$|unique_?key|natural_?key|composite|etag|integrity|checksum|fingerprint|commit|revision|resolution"
    r"|redis_?key|(?:^|_)(?:arrow|enter|escape|tab|space|shift|ctrl|control|alt|cmd|meta|function|home|end|delete|backspace|modifier|any|each|every|hot|sub|data|item|field|column|attribute|setting|header|react|list|element)_key$"
)


def split_words(name: str) -> list[str]:
    """The lower-case words of an identifier: ``awsSecretAccessKey`` -> aws, secret, access, key."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    spaced = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", spaced)
    return [word for word in re.split(r"[^A-Za-z0-9]+", spaced.lower()) if word]


@lru_cache(maxsize=4096)
def classify(name: str) -> Kind:
    """What an identifier promises about the value that is assigned to it."""
    words = split_words(name)
    if not words:
        return Kind.NONE
    joined = "_".join(words)
    if words[-1] in _NEVER_LAST and not joined.endswith(
        ("secret_text", "secret_value", "secret_string", "secret_data", "secret_key_base")
    ):
        return Kind.NONE
    tail = "_".join(words[-4:])
    if _PUBLIC.search(tail):
        return Kind.NONE
    if words[-1] in ("passwords", "secrets", "keys", "credentials", "cookies", "auth") and len(words) == 1:
        return Kind.PASSWORD if words[-1] == "passwords" else Kind.GENERIC
    if _PASSWORD.search(tail):
        return Kind.PASSWORD
    if _TOKEN.search(tail):
        return Kind.TOKEN
    if _GENERIC.search(tail):
        # A constant such as ACME_KEY is configuration; `key` alone is a word of any program.
        return Kind.TOKEN if name.isupper() and len(words) > 1 and words[-1] == "key" else Kind.GENERIC
    return Kind.WORD if _WORD.search(tail) else Kind.NONE
