"""The scanner's self-test: secrets that must go and lines that must stay, made at run time so that no file holds one.

Catches what would otherwise look like a clean night: no rules loaded, a broken automaton, a library that changed.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator

from slowwave.errors import RedactionError
from slowwave.redaction.findings import Redaction


def _noise(label: str, size: int) -> str:
    """Letters and digits that look random and are the same each time."""
    out = ""
    counter = 0
    while len(out) < size:
        digest = hashlib.sha256(f"{label}{counter}".encode()).digest()
        out += base64.b64encode(digest).decode().translate({43: None, 47: None, 61: None})
        counter += 1
    return out[:size]


def _hex(label: str, size: int) -> str:
    return (hashlib.sha256(label.encode()).hexdigest() * 4)[:size]


def secrets() -> Iterator[tuple[str, str]]:
    """(text, the part of it that must not survive)."""
    prefixed = (
        ("gh" + "p_", 36), ("github" + "_pat_", 60), ("gl" + "pat-", 20), ("sk-" + "ant-api03-", 95), ("sk-" + "proj-", 80), ("xo" + "xb-1234567890-", 24), ("AI" + "zaSy", 33),
        ("sk" + "_live_", 24), ("np" + "m_", 36), ("h" + "f_", 34), ("py" + "pi-AgEIcHlwaS5vcmc", 90), ("dckr" + "_pat_", 27), ("hv" + "s.", 90), ("sh" + "pat_", 0),
    )  # fmt: skip
    for prefix, size in prefixed:
        body = _noise(prefix, size) if size else _hex(prefix, 32)
        yield f"the run used {prefix}{body} and passed", body
    key = "AK" + "IA" + base64.b32encode(hashlib.sha256(b"a").digest()).decode()[:16]
    yield f"令牌是{key}。", key
    for template in (
        "password = '{v}'", 'db:\n  password: "{v}"', "export API_TOKEN={v}", '{{"client_secret": "{v}"}}', "postgres://app:{v}@db:5432/x", "Authorization: Bearer {v}", "curl -u bob:{v} https://a.example",
        '{{\\"apiKey\\": \\"{v}\\"}}', "密码：{v}", "--password {v} --yes",
    ):  # fmt: skip
        value = _noise(template, 32)
        yield template.format(v=value), value
    lines = "\n".join(_noise(f"pem{n}", 64) for n in range(12))
    head = "-" * 5 + "BEGIN {}" + "PRIVATE KEY" + "-" * 5 + "\n"
    yield head.format("RSA ") + lines + "\n" + "-" * 5 + "END RSA PRIVATE KEY" + "-" * 5, lines[65:130]
    yield head.format("OPENSSH ") + lines, lines[65:130]


def clean_lines() -> tuple[str, ...]:
    """Lines that must not change."""
    uuid = "-".join((_hex("u", 8), _hex("v", 4), "4" + _hex("w", 3), "8" + _hex("x", 3), _hex("y", 12)))
    return (
        "The build fails when the cache is cold, so we pin the node version.",
        f"commit {_hex('c', 40)}",
        f"session {uuid}",
        f"image@sha256:{_hex('d', 64)}",
        "password = getpass.getpass('Password: ')",
        'token = os.environ["GITHUB_TOKEN"]',
        "Authorization: Bearer <token>",
        "max_tokens: 4096",
        "api_key: ${{ secrets.OPENAI_API_KEY }}",
        "password: str = Field(..., min_length=8)",
        "/home/bob/.claude/projects/-home-bob-work/x.jsonl",
        "密码需要定期更换，密钥存放在环境变量中。",
        "task-queue-with-very-long-hyphenated-identifier-names",
        '{"input_tokens": 123456, "model": "claude-opus-4-20260101"}',
        "already [REDACTED:github-token] here",
    )


def self_test(redact: Callable[[str], Redaction]) -> None:
    """Raise `RedactionError` unless every canary is removed and every clean line stays."""
    for number, (text, value) in enumerate(secrets()):
        out = redact(text).text
        if any(value[i : i + 8] in out for i in range(len(value) - 7)):
            raise RedactionError(
                f"The secret scanner's self-test failed (canary {number}); nothing is read or sent.",
                hint="Reinstall Slowwave; if it happens again, report it with the number of the canary.",
            )
    for number, line in enumerate(clean_lines()):
        if redact(line).text != line:
            raise RedactionError(
                f"The secret scanner's self-test failed (clean line {number}); nothing is read or sent.",
                hint="Reinstall Slowwave; if it happens again, report it with the number of the line.",
            )
