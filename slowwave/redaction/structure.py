"""Secrets that are known by where they stand: addresses, headers, cookies, command lines, files. Standard library only."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from slowwave.redaction.names import Kind
from slowwave.redaction.values import is_placeholder, is_secret


@dataclass(frozen=True)
class StructureRule:
    """A place. `pattern` is matched where `back` characters before the anchor start; group ``s`` is the secret.

    `accept` weighs the secret; the default refuses placeholders only. `fold` ignores case.
    """

    type: str
    anchors: tuple[str, ...]
    pattern: str
    back: int = 0
    fold: bool = False
    accept: Callable[[str], bool] = lambda value: not is_placeholder(value)

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The compiled pattern, made at the first hit."""
        return re.compile(self.pattern, re.IGNORECASE if self.fold else 0)


def _random(value: str) -> bool:
    return is_secret(value, Kind.TOKEN, quoted=True)


def _password(value: str) -> bool:
    return is_secret(value, Kind.PASSWORD, quoted=True)


def _userinfo(value: str) -> bool:
    return len(value) >= 4 and not is_placeholder(value) and any(c.isdigit() or not c.isalnum() for c in value)


def _flag(value: str) -> bool:
    return len(value) >= 6 and not is_placeholder(value) and any(c.isdigit() for c in value) and not value.isdigit()


_Q = r"""\\{0,3}["'`]?"""
_V = r"""[^\s"'`<>,;\\\x00]"""

RULES: tuple[StructureRule, ...] = (
    StructureRule(
        "url-password",
        ("://",),
        r"""://(?:[^\s/:@"'`<>?#\\\x00]{0,128}):(?P<s>[^\s/"'`<>\x00]{1,256}?)@(?=[A-Za-z0-9_.\[$-]{1,253}(?:[:/?"'`\s)\]}>,;\\]|$))""",
        accept=_userinfo,
    ),
    StructureRule(
        "url-token",
        ("://",),
        r"""://(?P<s>[A-Za-z0-9_~.-]{16,255})(?::x-oauth-basic|:)?@(?=[A-Za-z0-9])""",
        accept=_random,
    ),
    StructureRule(
        "authorization",
        ("authorization",),
        r"""authorization["'`\]\\]{0,4}[ \t]{0,4}[:=,][ \t]{0,4}\\{0,3}["'`(\[]{0,2}(?:(?:bearer|basic|token|digest|apikey|api-key|key|negotiate|bot|oauth|ssws|splunk|genielink|geniekey|aws4-hmac-sha256|discogs|klaviyo-api-key|snyk)[ \t:=]{1,3})?(?P<s>[^\s"'`<>,;\\\x00$]{12,4096})""",
        fold=True,
        accept=lambda v: not is_placeholder(v) and not re.fullmatch(r"[A-Za-z_.-]+", v),
    ),
    StructureRule(
        "bearer", ("bearer",), r"""bearer[ \t]{1,3}(?P<s>[A-Za-z0-9+/=_.~-]{16,4096})""", fold=True, accept=_random
    ),
    StructureRule(
        "cookie",
        ("cookie",),
        r"""cookie["'`]{0,2}[ \t]{0,2}:[ \t]{0,2}["'`]?(?P<s>[A-Za-z0-9_.-]{1,80}=[^\n\r"'`\x00]{8,4096})""",
        fold=True,
    ),
    StructureRule(
        "signature",
        ("signature=", "sig=", "x-amz-security-token="),
        r"""(?:[?&;]|amp;|^|[ ])?(?:x-amz-signature|x-goog-signature|signature|sig|x-amz-security-token)=(?P<s>[A-Za-z0-9%+/=_-]{20,2048})""",
        back=8,
        fold=True,
    ),
    StructureRule(
        "storage-key",
        ("accountkey=", "sharedaccesskey=", "sharedaccesssignature=", "sharedsecret="),
        r"""(?:accountkey|sharedaccesskey|sharedaccesssignature|sharedsecret)=(?P<s>[^;\s"'`\x00]{16,400})""",
        fold=True,
    ),
    StructureRule(
        "basic-auth",
        ("curl", "wget", "http"),
        r"""(?:curl|wget|https?|httpie)\b[^\n\x00]{0,300}?[ ](?:-u|--user|-a|--auth)[ =]{1,2}["'`]?[^\s:"'`\x00]{1,80}:(?P<s>[^\s"'`\x00]{4,200})""",
        accept=_userinfo,
    ),
    StructureRule(
        "password",
        ("mysql", "mariadb", "mysqldump", "mysqladmin"),
        r"""(?:mysql|mariadb)[a-z]{0,8}\b[^\n|;\x00]{0,200}?[ ]-p["'`]?(?P<s>[^\s"'`\x00]{6,128})""",
        accept=_flag,
    ),
    StructureRule(
        "password", ("sshpass",), r"""sshpass[ ]+(?:-[a-z] ?[^\s]* ){0,3}?-p[ ]?\\?["'`]?(?P<s>[^\s"'`\x00]{4,128})"""
    ),
    StructureRule(
        "password",
        (
            "docker login",
            "podman login",
            "helm registry login",
            "az login",
            "oc login",
            "nomad login",
            "cf login",
            "npm login",
            "heroku login",
            "redis-cli",
            "mongo",
            "sqlcmd",
            "ldapsearch",
            "net use",
            "psexec",
            "smbclient",
            "unzip",
            "7z",
            "zip ",
            "sqlplus",
            "keytool",
            "rabbitmqctl",
        ),
        r"""(?:docker login|podman login|helm registry login|az login|oc login|cf login|redis-cli|mongo[a-z]{0,8}|sqlcmd|ldapsearch|unzip|7z[a-z]?|zip)\b[^\n|;\x00]{0,200}?[ ](?:-p|-P|-a|-w|-storepass|-keypass)[ =]?["'`]?(?P<s>[^\s"'`\x00]{6,200})""",
        accept=_flag,
    ),
    StructureRule(
        "password",
        ("sudo -S", "passwd --stdin", "chpasswd"),
        r"""echo[ ]+(?:-n[ ]+)?["'`]?(?:[a-z_][a-z0-9_-]{0,31}:)?(?P<s>[^\s"'`\x00]{4,128})["'`]?[ ]*\|[^\n\x00]{0,60}?(?:sudo[^\n]{0,20}-S|passwd|chpasswd)""",
        back=200,
    ),
    StructureRule(
        "password", ("ssh-keygen",), r"""ssh-keygen[^\n\x00]{0,200}?[ ]-[NP][ ]?["'`]?(?P<s>[^\s"'`\x00]{4,128})"""
    ),
    StructureRule("password", ("pass:",), r"""-pass(?:in|out)?[ ]+pass:(?P<s>[^\s"'`\x00]{4,128})""", back=10),
    StructureRule(
        "passphrase",
        ("passphrase for", "password for"),
        r"""(?:passphrase|password) for [^\n\x00]{1,200}?:[ ]+(?P<s>[^\s"'`\x00]{6,128})""",
        fold=True,
        accept=_password,
    ),
    StructureRule(
        "secret",
        (
            "gh secret set",
            "wrangler secret put",
            "fly secrets set",
            "flyctl secrets set",
            "heroku config:set",
            "vercel env add",
            "doppler secrets set",
            "firebase functions:config:set",
        ),
        r"""(?:gh secret set[^\n\x00]{0,100}?(?:--body|-b)[ =]["'`]?|(?:secrets set|config:set|secrets put)[ ]+[A-Za-z0-9_.]{1,80}=["'`]?)(?P<s>[^\s"'`\x00]{8,400})""",
        accept=_random,
    ),
    StructureRule(
        "login-key",
        ("login ",),
        r"""(?:wandb|hf|huggingface-cli|vault|netlify|ngrok|snyk auth|prefect cloud|comet|codecov|infracost|dvc|aim|modal|sentry-cli|railway|nomad|consul) login[ ]+(?:-k |--key |--relogin |--token )?["'`]?(?P<s>[^\s"'`\x00]{20,255})""",
        back=24,
        accept=_random,
    ),
    StructureRule(
        "docker-auth",
        ('"auth"', '\\"auth\\"'),
        r"""\\{0,3}"auth\\{0,3}"[ ]{0,4}:[ ]{0,4}\\{0,3}"(?P<s>[A-Za-z0-9+/=]{12,512})""",
    ),
    StructureRule(
        "npm-token",
        ("_authToken", "_password", "_auth"),
        r"""_(?:authToken|password|auth)[ ]{0,4}=[ ]{0,4}["'`]?(?P<s>[^\s"'`\x00$]{8,512})""",
    ),
    StructureRule(
        "netrc-password",
        ("machine ",),
        r"""machine[ ]+[^\s]{1,200}\s+login\s+[^\s]{1,200}\s+password\s+(?P<s>[^\s"'`\x00]{4,256})""",
    ),
    StructureRule(
        "pgpass",
        (":5432:", ":3306:", ":5433:", ":6432:"),
        r"""(?:^|(?<=[\s"'`]))[A-Za-z0-9_.*-]{1,255}:(?:5432|3306|5433|6432):[^:\s/]{1,64}:[^:\s/]{1,64}:(?P<s>[^\s:"'`\x00]{6,128})""",
        back=255,
    ),
    StructureRule("password-hash", ("$2a$", "$2b$", "$2y$"), r"""\$2[aby]\$\d\d\$(?P<s>[A-Za-z0-9./]{53})"""),
    StructureRule(
        "password-hash",
        ("$1$", "$5$", "$6$", "$y$", "$apr1$", "$7$", "$sha1$", "$md5$"),
        r"""\$(?:1|5|6|y|apr1|7|sha1|md5)\$(?:rounds=\d{1,9}\$)?[A-Za-z0-9./]{1,40}\$(?:[A-Za-z0-9./]{1,40}\$)?(?P<s>[A-Za-z0-9./]{20,100})""",
    ),
    StructureRule(
        "password-hash",
        ("$argon2", "$scrypt", "$pbkdf2", "pbkdf2_sha256$", "pbkdf2_sha1$", "pbkdf2:sha", "scrypt:"),
        r"""(?:\$(?:argon2(?:id|i|d)|scrypt|pbkdf2[a-z0-9-]{0,10})\$|pbkdf2_sha(?:256|1)\$|(?:pbkdf2:sha\d{1,3}|scrypt):)(?P<s>[A-Za-z0-9+/.$=,:_-]{30,300})""",
    ),
    StructureRule(
        "password",
        ("identified by",),
        r"""identified[ ](?:with[ ][a-z0-9_'"]{1,40}[ ])?by[ ](?:password[ ])?\\?["'`](?P<s>[^\n"'`\x00]{4,128})""",
        fold=True,
    ),
    StructureRule(
        "totp-seed", ("otpauth://",), r"""otpauth://[^\s"'`\x00]{0,300}?[?&]secret=(?P<s>[A-Za-z2-7=]{12,128})"""
    ),
    StructureRule(
        "recovery-code",
        ("recovery code", "backup code", "recovery key"),
        r"""(?:recovery|backup)[ ](?:code|key)s?[ ]?(?:is|are)?[:=]?[ ]{0,3}["'`]?(?P<s>[A-Za-z0-9]{4,8}(?:-[A-Za-z0-9]{4,8}){1,9})""",
        fold=True,
        accept=lambda v: any(c.isdigit() for c in v),
    ),
    StructureRule(
        "jwt",
        ("eyJ",),
        r"""(?P<s>eyJ[A-Za-z0-9_=-]{8,4096}\.(?:eyJ[A-Za-z0-9_=-]{2,8192}|[A-Za-z0-9_=-]{16,8192})(?:\.[A-Za-z0-9_=-]{0,4096}){0,3})""",
    ),
    StructureRule(
        "telegram-token", (":AA",), r"""(?<![0-9])(?P<s>[0-9]{7,10}:AA[A-Za-z0-9_-]{30,40})(?![A-Za-z0-9_-])""", back=10
    ),
    StructureRule(
        "mailchimp-key", ("-us",), r"""(?<![0-9a-f])(?P<s>[0-9a-f]{32}-us[0-9]{1,2})(?![0-9A-Za-z])""", back=32
    ),
    StructureRule(
        "discord-token",
        (".G", ".X", ".Y", ".Z"),
        r"""(?<![A-Za-z0-9_-])(?P<s>[MNO][A-Za-z0-9_-]{22,28}\.[GXYZ][A-Za-z0-9_-]{5}\.[A-Za-z0-9_-]{27,45})(?![A-Za-z0-9_-])""",
        back=29,
    ),
    StructureRule(
        "onepassword-secret-key",
        ("A3-",),
        r"""(?<![A-Za-z0-9])(?P<s>A3-[A-Z0-9]{6}-[A-Z0-9]{6}(?:-[A-Z0-9]{5}){3,4})""",
    ),
    StructureRule("wif-key", ("xprv", "yprv", "zprv", "tprv"), r"""(?P<s>[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,120})"""),
)
