"""Secrets to plant, and the search for what is left of them.

Every value is random, made at run time from a seed, and every prefix is put together from pieces, so no file of the
repository holds a token. `planted()` gives 40 different kinds; `leaks` and `leaks_in_tree` tell which windows of eight
characters of them survive in bytes, files and SQLite databases.
"""

from __future__ import annotations

import base64
import gzip
import random
import sqlite3
import string
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import ahocorasick
import zstandard

WINDOW = 8
ALNUM = string.ascii_letters + string.digits
LOWER = string.ascii_lowercase + string.digits
HEX = "0123456789abcdef"
URL64 = ALNUM + "-_"


@dataclass(frozen=True)
class Planted:
    """One secret: its kind, a natural line that holds it, and the parts of it that may survive nowhere."""

    kind: str
    line: str
    parts: tuple[str, ...]

    @property
    def windows(self) -> set[str]:
        """Every window of eight characters of the sensitive parts."""
        return {part[at : at + WINDOW] for part in self.parts for at in range(max(1, len(part) - WINDOW + 1))}


class Maker:
    """Random pieces from one seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def chars(self, count: int, alphabet: str = ALNUM) -> str:
        """Random characters that mix classes, as a real credential of that length does."""
        wants_digit = any(map(str.isdigit, alphabet))
        while True:
            text = "".join(self._random.choices(alphabet, k=count))
            varied = len(set(text)) > min(count, len(set(alphabet))) // 3
            if varied and (not wants_digit or any(map(str.isdigit, text[1:-1]))):
                return text

    def password(self) -> str:
        """A password with letters, digits and a symbol."""
        return f"{self.chars(5)}7{self._random.choice('!%*')}x{self.chars(6)}4"

    def base64(self, size: int) -> str:
        """Random bytes, base64-encoded."""
        return base64.b64encode(self._random.randbytes(size)).decode()

    def uuid(self) -> str:
        """A random UUID."""
        return "-".join(self.chars(count, HEX) for count in (8, 4, 4, 4, 12))

    def pem(self, kind: str) -> tuple[str, tuple[str, ...]]:
        """A private key block and its lines."""
        body = self.base64(480)
        lines = [body[at : at + 64] for at in range(0, len(body), 64)]
        dashes = "-" * 5
        whole = "\n".join(
            [f"{dashes}BEGIN {kind}PRIVATE KEY{dashes}", *lines, f"{dashes}END {kind}PRIVATE KEY{dashes}"]
        )
        return whole, tuple(line for line in lines if len(line) >= WINDOW)


def planted(seed: int = 40) -> list[Planted]:
    """Forty secrets of different kinds, each in a natural line."""
    make = Maker(seed)
    out: list[Planted] = []

    def token(kind: str, template: str, *pieces: str, parts: tuple[str, ...] = ()) -> None:
        value = "".join(pieces)
        out.append(Planted(kind, template.format(v=value), parts or (pieces[-1],)))

    token("github", "export GITHUB_TOKEN={v}", "gh", "p_", make.chars(36))
    token("github-fine", "I used {v} for the release", "github", "_pat_", make.chars(22) + "_" + make.chars(59))
    token("gitlab", "glab auth login --token {v}", "gl", "pat-", make.chars(20))
    token("anthropic", 'client = Anthropic(api_key="{v}")', "sk-", "ant-api03-", make.chars(93, URL64) + "AA")
    token("openai", "OPENAI_API_KEY: {v}", "sk-", "proj-", make.chars(80, URL64))
    token("aws-id", "the key id is {v}.", "AK", "IA", make.chars(16, string.ascii_uppercase + "234567"))
    token("aws-secret", "aws_secret_access_key = {v}", make.chars(40))
    token("google", "GET /v1/x?key={v}", "AI", "zaSy", make.chars(33, URL64))
    token("slack", "slack post --token {v}", "xo", "xb-", f"{make.chars(12, string.digits)}-{make.chars(24)}")
    token("slack-hook", "curl -d @m https://hooks.sl" + "ack.com/services/{v}", "T0A1/B0C2/", make.chars(24))
    token("stripe", "STRIPE_KEY={v}", "sk", "_live_", make.chars(99))
    token("npm", "//registry.example/:_authToken={v}", "np", "m_", make.chars(36))
    token("pypi", "twine upload -p {v} dist/*", "py", "pi-AgEIcHlwaS5vcmc", make.chars(140, URL64))
    token("huggingface", "hf download --token {v} x", "h", "f_", make.chars(34, string.ascii_letters))
    token("digitalocean", "doctl auth init -t {v}", "do", "p_v1_", make.chars(64, HEX))
    token("vault", "VAULT_TOKEN={v}", "hv", "s.", make.chars(90, URL64))
    token("linear", "linear key `{v}`", "lin_", "api_", make.chars(40))
    token("groq", "groq: {v}", "gs", "k_", make.chars(52))
    token("telegram", "bot token {v}", make.chars(10, "123456789") + ":AA", make.chars(33, URL64))
    token("sendgrid", "SENDGRID={v}", "S", "G.", f"{make.chars(22, URL64)}.{make.chars(43, URL64)}")
    token("shopify", "shop token: {v}", "shp", "at_", make.chars(32, HEX))
    token("databricks", "databricks configure --token {v}", "da", "pi", make.chars(32, HEX))
    token("docker", "docker login -u bob -p {v}", "dckr", "_pat_", make.chars(27, URL64))
    token("grafana", "grafana: {v}", "gl", "sa_", f"{make.chars(32)}_{make.chars(8, HEX)}")
    token("password", 'password = "{v}"', make.password())
    token("password-prose", "the admin password is {v}, please log in", make.password())
    token("password-zh", "数据库密码：{v}", make.password())
    token("password-yaml", "db:\n  password: {v}\n  host: x", make.password())
    token("url", "DATABASE_URL=postgres://app:{v}@db.internal:5432/prod", make.chars(18))
    token("bearer", "Authorization: Bearer {v}", make.chars(48))
    token("basic", "curl -u bob:{v} https://api.example.com", make.chars(18))
    token("cookie", "Cookie: theme=dark; sessionid={v}; lang=en", make.chars(64))
    token("datadog", "DD_API_KEY={v}", make.chars(32, HEX))
    token("client-secret", '{{"client_id": "abc", "client_secret": "{v}"}}', make.chars(40))
    token("uuid-key", "HEROKU_API_KEY={v}", make.uuid())
    token("sas", "https://a.blob.core.windows.net/c?sv=2023-11-03&sig={v}%3D", make.chars(43))
    token("jwt", "token eyJhbGciOiJIUzI1NiJ9.{v}", "eyJ" + make.chars(60), ".", make.chars(43, URL64))
    token("storage", "DefaultEndpointsProtocol=https;AccountName=a;AccountKey={v}==", make.chars(86))
    for kind in ("RSA ", "OPENSSH "):
        block, lines = make.pem(kind)
        out.append(Planted(f"pem-{kind.strip().lower()}", f"cat key\n{block}\ndone", lines))
    return out


class Leaks:
    """Finds what is left of planted secrets."""

    def __init__(self, secrets: Iterable[Planted]) -> None:
        self._automaton = ahocorasick.Automaton()
        for secret in secrets:
            for window in secret.windows:
                self._automaton.add_word(window, secret.kind)
        self._automaton.make_automaton()

    def in_bytes(self, raw: bytes) -> set[str]:
        """The kinds of which a window survives in these bytes."""
        return {kind for _, kind in self._automaton.iter(raw.decode("latin-1"))}

    def in_text(self, text: str) -> set[str]:
        """The kinds of which a window survives in this text."""
        return self.in_bytes(text.encode("utf-8", "surrogatepass"))

    def in_tree(self, root: Path) -> dict[str, set[str]]:
        """Kinds that survive, by place, in every file under a folder: names, bytes, unpacked bytes, database values."""
        found: dict[str, set[str]] = {}
        for path in sorted(root.rglob("*")):
            name = str(path.relative_to(root))
            if kinds := self.in_text(name):
                found[f"name of {name}"] = kinds
            if path.is_file() and not path.is_symlink() and (kinds := self._in_file(path)):
                found[name] = kinds
        return found

    def _in_file(self, path: Path) -> set[str]:
        raw = path.read_bytes()
        kinds = self.in_bytes(raw)
        if raw.startswith(b"\x28\xb5\x2f\xfd"):
            kinds |= self.in_bytes(zstandard.ZstdDecompressor().decompressobj().decompress(raw))
        elif raw.startswith(b"\x1f\x8b"):
            kinds |= self.in_bytes(gzip.decompress(raw))
        elif raw.startswith(b"SQLite format 3\0"):
            kinds |= self._in_database(path)
        return kinds

    def _in_database(self, path: Path) -> set[str]:
        """Values that the file's pages may hold in pieces; opening it reads the write-ahead log too."""
        kinds: set[str] = set()
        connection = sqlite3.connect(path)
        try:
            tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            for table in tables:
                for row in connection.execute(f'SELECT * FROM "{table}"'):
                    for value in row:
                        if isinstance(value, str):
                            kinds |= self.in_text(value)
                        elif isinstance(value, bytes):
                            kinds |= self.in_bytes(value)
        finally:
            connection.close()
        return kinds
