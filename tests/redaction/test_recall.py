"""What must be found, and what must stay."""

from __future__ import annotations

import base64
import json
from collections import defaultdict
from types import ModuleType
from urllib.parse import quote

import pytest

from slowwave.redaction.canaries import clean_lines, secrets
from slowwave.redaction.scan import core, engine
from tests.support.planted import Leaks, Maker, Planted, planted

SEEDS = (1, 2, 3, 777, 20260131)
FLOORS = {"prefix": 1.0, "structural": 0.98, "contextual": 0.95, "hard": 1.0}


def survives(parts: list[str], out: str) -> bool:
    return any(
        part[at : at + min(8, len(part))] in out for part in parts for at in range(max(1, len(part) - 7)) if part
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_recall_floors_by_tier(corpus: ModuleType, seed: int) -> None:
    removed: defaultdict[str, int] = defaultdict(int)
    total: defaultdict[str, int] = defaultdict(int)
    for item in corpus.build(seed):
        total[item.tier] += 1
        removed[item.tier] += not survives(item.cores, engine.redact(item.text).text)
    for tier, floor in FLOORS.items():
        assert removed[tier] >= floor * total[tier], (tier, removed[tier], total[tier])


@pytest.mark.parametrize("seed", SEEDS)
def test_clean_lines_stay(corpus: ModuleType, seed: int) -> None:
    lines = [line for lines in corpus.clean(seed + 1).values() for line in lines]
    changed = [line for line in lines if engine.redact(line).text != line]
    assert len(lines) == 5200
    assert len(changed) <= len(lines) / 1000, [line[:60] for line in changed]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("scan", [core.redact, engine.redact], ids=["core", "batch"])
def test_forty_kinds_in_natural_lines(scan: object, seed: int) -> None:
    assert callable(scan)
    for secret in planted(seed):
        out = scan(f"before\n{secret.line}\nafter").text
        assert not Leaks([secret]).in_text(out), secret.kind
        assert out.startswith("before\n"), secret.kind
        assert out.endswith("\nafter"), secret.kind


def test_forty_kinds_are_forty() -> None:
    assert len({secret.kind for secret in planted()}) == 40


STRONG = [secret for secret in planted(7) if secret.kind in ("github", "anthropic", "aws-id", "stripe", "openai")]


def _token(secret: Planted) -> str:
    """The token itself, out of its line."""
    (finding,) = engine.redact(secret.line).findings
    return secret.line[finding.start : finding.end]


WRAPPERS = {
    "json": lambda t: json.dumps({"cmd": f'export K="{t}" && run'}),
    "json in json": lambda t: json.dumps({"a": json.dumps({"b": json.dumps({"c": f"x {t}"})})}),
    "after an escaped newline": lambda t: '{"output":"ready\\n' + t + '\\ndone"}',
    "colour codes": lambda t: f"\x1b[32m{t[:9]}\x1b[1m{t[9:]}\x1b[0m",
    "zero-width": lambda t: "\u200b".join(t),
    "full-width": lambda t: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in t),
    "unicode escapes": lambda t: '{"k":"' + "".join(f"\\u{ord(c):04x}" for c in t) + '"}',
    "percent-encoded": lambda t: "next=" + "".join(f"%{ord(c):02X}" for c in t),
    "html": lambda t: f"value=&quot;{t}&quot;",
    "concatenated": lambda t: f"'{t[:14]}' + '{t[14:]}'",
    "base64": lambda t: "echo " + base64.b64encode(f"TOKEN={t}".encode()).decode() + " | base64 -d",
    "base64url": lambda t: "x " + base64.urlsafe_b64encode(f"k?={t}".encode()).decode().rstrip("="),
    "chinese": lambda t: f"令牌是{t}，请不要泄露",
    "japanese": lambda t: f"トークンは「{t}」です。",
    "thai": lambda t: f"โทเค็นคือ{t}นะครับ",
    "diff": lambda t: f"+KEY={t}\n-KEY=",
    "pragma": lambda t: f"KEY = '{t}'  # pragma: allowlist secret",
    "next-line pragma": lambda t: f"# pragma: allowlist nextline secret\nKEY = '{t}'",
    "other scanners' comments": lambda t: f"k = '{t}' # gitleaks:allow betterleaks:allow kingfisher:ignore",
    "lock file": lambda t: f"package-lock.json: {t}",
    "crlf": lambda t: f"KEY={t}\r\nNEXT=1\r\n",
    "twice": lambda t: f"a={t} b={t}\nlater {t}",
}


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("secret", STRONG, ids=lambda secret: secret.kind)
def test_strong_tokens_in_hard_positions(secret: Planted, wrapper: str) -> None:
    token = _token(secret)
    text = WRAPPERS[wrapper](token)
    out = engine.redact(text).text
    for view in (out, out.replace("\u200b", "").replace("\x1b[1m", "")):
        assert not Leaks([secret]).in_text(view)
    assert quote(token, safe="") not in out
    # What was encoded must be gone in its encoded form as well.
    core_of_wrapped = text[len(text) // 3 : len(text) // 3 + 24]
    if wrapper in ("base64", "base64url", "percent-encoded", "unicode escapes", "full-width"):
        assert core_of_wrapped not in out


@pytest.mark.parametrize(
    "word",
    [
        "密码", "パスワード", "รหัสผ่าน", "비밀번호", "пароль", "contraseña", "mot de passe", "Passwort", "senha",
        "şifre", "hasło",
    ],
)  # fmt: skip
@pytest.mark.parametrize("template", ["{w}: {v}", "{w}：{v}", "{w} = '{v}'", "{w}=「{v}」"])
def test_passwords_named_in_other_languages(word: str, template: str) -> None:
    value = Maker(hash_of(word + template)).password()
    out = engine.redact(template.format(w=word, v=value)).text
    assert value[:8] not in out


def hash_of(text: str) -> int:
    return sum(map(ord, text))


@pytest.mark.parametrize(
    "template",
    [
        "{V}_API_KEY={v}", "{d}_token: {v}", '"{d}Key": "{v}"', "{d}: {v}", "const {d} = '{v}'",
        "curl 'https://api.{d}.com/x?api_key={v}'",
        '-H "X-{C}-Key: {v}"', "'{d}_client_secret' => '{v}',",
        "{d}:\n  key: {v}", '{{"{d}": {{"token": "{v}"}}}}', "<{d}Token>{v}</{d}Token>",
        "| {C} | `{v}` |", "{d}.init('{v}')", "--{d}-token {v}", "using {C} with key {v}",
    ],
)  # fmt: skip
def test_services_values_have_no_prefix(template: str) -> None:
    names = ("algolia", "datadog", "finnhub", "freshbooks", "kucoin", "mailgun", "netlify", "shodan")
    for number, name in enumerate(names):
        make = Maker(number)
        value = make.chars(40) if number % 2 else make.chars(32, string_hex(number))
        text = template.format(d=name, V=name.upper(), C=name.capitalize(), v=value)
        assert not survives([value], engine.redact(text).text), text.replace(value, "…")


def string_hex(number: int) -> str:
    return "0123456789abcdef" if number % 4 else "abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.mark.parametrize("line", clean_lines())
def test_canary_lines_stay(line: str) -> None:
    assert engine.redact(line).text == line


def test_canaries_go() -> None:
    for text, value in secrets():
        assert not survives([value], engine.redact(text).text)


CLEAN = [
    "url = \"github:noctalia-dev/noctalia-shell/874c31beecc6eeaa92bfc14421b6de1659efcffc\"",
    "npm notice shasum: 8eb30369f71a174eff2dfe978709bc6f3c0f1a2d",
    "SK_ECDSA = 'sk-ecdsa-sha2-nistp256@openssh.com'",
    "private_key: Ed25519PrivateKey | Ed448PrivateKey",
    "self._password = to_bytes(password)",
    "url_auth = get_auth_from_url(cast(str, self.url))",
    "_START = b\"-----BEGIN OPENSSH PRIVATE KEY-----\"\n_END = b\"-----END OPENSSH PRIVATE KEY-----\"",
    "from _ssl import HAS_PSK_TLS13 as HAS_PSK_TLS13",
    "passKeys:t.passKeys!==!1,passNode:t.passNode||!1",
    "assert f.read().startswith(\"Signature: 8a477f597d28d172789f06886806bc55\")",
    "<Future: status: finished, type: int>",
    "password = password.encode(\"latin1\")",
    "https://user@example.com/path and user:@example.com",
]  # fmt: skip


@pytest.mark.parametrize("line", CLEAN)
def test_code_stays(line: str) -> None:
    assert engine.redact(line).text == line
