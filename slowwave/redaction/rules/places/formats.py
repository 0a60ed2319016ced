"""Secrets in configuration formats, and values with a shape of their own. Standard library only."""

from __future__ import annotations

from slowwave.redaction.rules.places.place import PlaceRule, password_like, random_looking, real
from slowwave.redaction.scan.names import Kind
from slowwave.redaction.scan.values import Certainty, is_keyed, is_secret

_SHOUTED = (
    r"(?<!PRIMARY[ _])(?<!FOREIGN[ _])(?<!UNIQUE[ _])(?<!CACHE[ _])(?<!PUBLIC[ _])(?<!SORT[ _])(?<!HASH[ _])(?<!DUPLICATE[ _])(?<!IDEMPOTENCY[ _])"
    r"(?:SECRET|PRIVATE|ACCESS|TOKEN|KEY)(?:[ _.-]?(?:ACCESS|SECRET|PRIVATE|TOKEN|KEY|token|key|code)){0,3}"
)


KEYED: tuple[PlaceRule, ...] = (
    PlaceRule(
        "service-key",
        ("SECRET", "PRIVATE", "ACCESS", "TOKEN", "KEY"),
        _SHOUTED
        + r"""(?:[ \t]{1,4}|[ \t]?\r?\n|[.-]|[ ]?[:=][ ]?)["'`]?(?P<s>[A-Za-z0-9][A-Za-z0-9+/=_.~-]{11,500})(?![A-Za-z0-9(\[{])""",
        is_keyed,
        learn=False,
    ),
    PlaceRule(
        "service-key",
        (
            "secret-",
            "secret_",
            "token-",
            "token_",
            "access-",
            "private-",
            "secretkey-",
            "apikey-",
            "api-key-",
            "accesskey-",
            "secret-key-",
            "private-key-",
            "access-key-",
            "token-key-",
        ),
        r"""(?:secret|token|access|private|api)[_-]?(?:key)?[_-](?P<s>[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32,64}|[0-9A-F]{32,64})(?![0-9A-Za-z_-])""",
        real,
        fold=True,
        learn=False,
    ),
)
"""What stands right of a key word in capitals, or is joined to one: looked at last, so that a better type stays."""


FORMATS: tuple[PlaceRule, ...] = (
    PlaceRule(
        "docker-auth",
        ('auth"', "identitytoken", "registrytoken"),
        r"""(?<![A-Za-z0-9_/-])(?:auth|identitytoken|registrytoken)\\{0,3}"[ ]{0,4}:[ ]{0,4}\\{0,3}"(?P<s>[A-Za-z0-9+/=._-]{12,2048})""",
        lambda value: real(value) and (value.endswith("=") or any(map(str.isdigit, value))),
        ahead=2200,
    ),
    PlaceRule(
        "npm-token",
        ("_authToken", "_password", "_auth"),
        r"""(?<![A-Za-z0-9.])_(?:authToken|password|auth)[ ]{0,4}=[ ]{0,4}["'`]?(?P<s>[^\s"'`\\\x00$]{8,})""",
        lambda value: (random_looking(value) or is_secret(value, Kind.PASSWORD, Certainty.LIKELY)) and "[" not in value,
        ahead=600,
    ),
    PlaceRule(
        "netrc-password",
        ("machine ",),
        r"""machine[ ]+\S{1,200}\s{1,20}login\s{1,20}\S{1,200}\s{1,20}password\s{1,20}(?P<s>[^\s"'`\x00]{4,256})""",
        ahead=800,
    ),
    PlaceRule(
        "pgpass",
        (":5432:", ":3306:", ":5433:", ":6432:", ":1433:", ":26257:"),
        r"""(?<![A-Za-z0-9_.*/:-])[A-Za-z0-9_.*-]{1,255}:(?:5432|3306|5433|6432|1433|26257):[^:\s/]{1,64}:[^:\s/]{1,64}:
        (?P<s>[^\s:"'`\x00]{6,128})""",
        back=80,
        ahead=300,
    ),
    PlaceRule(
        "jwk-private-key",
        ('"kty"',),
        r"""(?:"kty"[^{}]{0,2000}?"[dk]"\s{0,8}:\s{0,8}"(?P<s>[A-Za-z0-9_-]{32,700})")""",
        random_looking,
        ahead=2800,
    ),
    PlaceRule(
        "jwk-private-key",
        ('"kty"',),
        r""""[dk]"\s{0,8}:\s{0,8}"(?P<s>[A-Za-z0-9_-]{32,700})"[^{}]{0,800}?"kty\"""",
        random_looking,
        back=1600,
        ahead=8,
    ),
    PlaceRule("password-hash", ("$2a$", "$2b$", "$2y$"), r"""(?P<s>\$2[aby]\$\d\d\$[A-Za-z0-9./]{53})"""),
    PlaceRule(
        "password-hash",
        (
            "$1$",
            "$5$",
            "$6$",
            "$y$",
            "$apr1$",
            "$7$",
            "$sha1$",
            "$8$",
            "$9$",
            "$P$",
            "$H$",
            "$S$",
            "{SSHA}",
            "{SHA}",
            "{SSHA512}",
        ),
        r"""(?P<s>(?:\$(?:1|5|6|y|apr1|7|sha1|8|9)\$(?:rounds=\d{1,9}\$)?[A-Za-z0-9./]{1,40}\$(?:[A-Za-z0-9./]{1,40}\$)?
        |\$[PHS]\$|\{S{0,2}HA(?:512|256)?\})[A-Za-z0-9./+=]{20,120})""",
    ),
    PlaceRule(
        "password-hash",
        (
            "$argon2",
            "$scrypt",
            "$pbkdf2",
            "pbkdf2_sha",
            "pbkdf2:sha",
            "scrypt:",
            "bcrypt_sha256$",
            "sha512_crypt",
            "$krb5",
        ),
        r"""(?P<s>(?:\$(?:argon2(?:id|i|d)|scrypt|pbkdf2[a-z0-9-]{0,10})\$|pbkdf2_sha(?:256|1)\$|pbkdf2:sha\d{1,3}:|scrypt:|bcrypt_sha256\$
        |\$krb5[a-z0-9]{2,8}\$\d{1,3}\$)[A-Za-z0-9+/.$=,:*@_-]{30,4000})""",
        ahead=4100,
    ),
    PlaceRule(
        "password",
        ("identified by", "identified with", "with password", "password expire"),
        r"""(?:identified[ ](?:with[ ][a-z0-9_'"]{1,40}[ ])?(?:by|as)|with[ ]password[ ]?=?|encrypted[ ]password)[ ](?:password[ ])?
        \\?["'](?P<s>[^\n"'`\x00]{4,128})""",
        password_like,
        fold=True,
    ),
    PlaceRule(
        "recovery-code",
        ("recovery code", "backup code", "recovery key", "scratch code", "恢复码", "復旧コード"),
        r"""(?:(?:recovery|backup|scratch)[ ](?:code|key)s?|恢复码|復旧コード)[ ]?(?:is|are|是)?[:=：]?[ ]{0,3}["'`]?
        (?P<s>[A-Za-z0-9]{4,8}(?:-[A-Za-z0-9]{4,8}){1,11})""",
        lambda value: any(map(str.isdigit, value)),
        fold=True,
    ),
    PlaceRule(
        "jwt",
        ("eyJ",),
        r"""(?P<s>eyJ[A-Za-z0-9_=-]{8,8192}\.(?:eyJ[A-Za-z0-9_=-]{2,8192}|[A-Za-z0-9_=-]{16,8192})(?:\.[A-Za-z0-9_=-]{0,8192}){0,3})""",
        ahead=20_000,
        run="[A-Za-z0-9_=-]*",
    ),
    PlaceRule(
        "telegram-token",
        (":AA",),
        r"""(?<![0-9])(?P<s>[0-9]{7,10}:AA[A-Za-z0-9_-]{30,40})(?![A-Za-z0-9_-])""",
        back=10,
        ahead=50,
    ),
    PlaceRule(
        "tableau-token",
        ("==:",),
        r"""(?<![A-Za-z0-9+/])(?P<s>[A-Za-z0-9+/]{22}==:[A-Za-z0-9]{32})(?![A-Za-z0-9])""",
        back=23,
        ahead=36,
    ),
    PlaceRule(
        "mailchimp-key", ("-us",), r"""(?<![0-9a-f])(?P<s>[0-9a-f]{32}-us[0-9]{1,2})(?![0-9A-Za-z])""", back=33, ahead=8
    ),
    PlaceRule(
        "discord-token",
        tuple(f"{first}{second}" for first in "MNO" for second in "DTjzA"),
        r"""(?P<s>[MNO][A-Za-z0-9_-]{22,28}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45})(?![A-Za-z0-9_-])""",
        ahead=90,
    ),
    PlaceRule(
        "twitter-token",
        ("access_token", "ACCESS_TOKEN", "accessToken", "oauth_token", "twitter", "TWITTER"),
        r"""[A-Za-z_]{7,40}[^\n\x00]{0,20}?(?<![0-9])(?P<s>[0-9]{8,20}-[A-Za-z0-9]{36,44})(?![A-Za-z0-9])""",
        ahead=140,
    ),
    PlaceRule(
        "kubernetes-token",
        ("--token", "kubeadm", "token:"),
        r"""(?:--token|kubeadm|token:)[^\n\x00]{0,60}?[ =](?P<s>[a-z0-9]{6}\.[a-z0-9]{16})(?![a-z0-9])""",
        lambda value: any(map(str.isdigit, value)),
    ),
    PlaceRule(
        "django-secret-key",
        ("django-insecure-",),
        r"""django-insecure-(?P<s>[^\s"'\x00]{20,80})""",
    ),
    PlaceRule(
        "unleash-token",
        (":production.", ":development.", ":default.", "*:*."),
        r"""(?P<s>[a-z0-9*_-]{0,40}:(?:production|development|default|\*)\.[0-9a-f]{50,70})""",
        back=41,
        ahead=90,
    ),
    PlaceRule(
        "onepassword-secret-key",
        ("A3-",),
        r"""(?P<s>A3-[A-Z0-9]{6}-[A-Z0-9]{5,11}(?:-[A-Z0-9]{5,6}){3,4})""",
    ),
    PlaceRule("wallet-key", ("xprv", "yprv", "zprv", "tprv"), r"""(?P<s>[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,120})"""),
    PlaceRule(
        "secret",
        ('variable "',),
        r"""variable[ ]"[a-z0-9_-]{0,60}(?:token|secret|password|passwd|key|credential)[a-z0-9_-]{0,20}"[ ]\{[^{}\x00]{0,400}?
        default\s{0,20}=\s{0,20}"(?P<s>[^"\n\x00]{8,400})\"""",
        lambda value: random_looking(value) or (" " not in value and password_like(value)),
        ahead=900,
    ),
    PlaceRule(
        "ansible-vault",
        ("$ANSIBLE_VAULT;",),
        r"""(?P<s>\$ANSIBLE_VAULT;[0-9.]{3};AES256[^\n]{0,40}(?:(?:\\n|\n)[ ]{0,20}[0-9a-f]{2,80}){1,400})""",
        ahead=16_000,
    ),
    PlaceRule(
        "ssh-password",
        ("password=", "Password="),
        r"""[Pp]assword=(?P<s>[^;\s"'`&<>\x00]{6,128})(?=;)""",
        password_like,
    ),
)
