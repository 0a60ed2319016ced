"""Secrets on command lines. Standard library only."""

from __future__ import annotations

from slowwave.redaction.rules.place import PlaceRule, in_address, on_command_line, password_like, random_looking

_SHORT_FLAG_TOOLS = (
    "docker login", "podman login", "registry login", "az login", "oc login", "cf login", "redis-cli", "mongo", "sqlcmd",
    "ldapsearch", "unzip ", "7z ", "sqlplus", "rabbitmqctl", "nerdctl login", "skopeo login", "crane auth", "cqlsh", "impyla", "bcp ",
)  # fmt: skip
_LOGIN_TOOLS = (
    "wandb|hf|huggingface-cli|vault|netlify|ngrok|snyk|prefect|comet|codecov|infracost|dvc|modal|sentry-cli|railway|nomad|"
    "consul|turso|doppler|pulumi|fly|flyctl|supabase|vercel|heroku|circleci|buildkite|cachix|depot|kaggle|replicate|auth0|op|bws"
)


def _configured(value: str) -> bool:
    """The password of a router's configuration line."""
    return value[0] not in "([{<" and (any(map(str.isdigit, value)) or not value[:-1].isalnum())


COMMANDS: tuple[PlaceRule, ...] = (
    PlaceRule(
        "basic-auth",
        ("curl", "wget", "http ", "https ", "httpie", "xh "),
        r"""(?:curl|wget|https?|httpie|xh)\b[^\n\x00]{0,300}?[ ](?:-u|--user|-a|--auth|--proxy-user|-U)[ =]{0,2}["'`]?
        [^\s:"'`\x00]{1,80}:(?P<s>[^\s"'`\x00]{4,200})""",
        in_address,
    ),
    PlaceRule(
        "password",
        ("mysql", "mariadb"),
        r"""(?:mysql|mariadb)[a-z]{0,8}\b[^\n|;\x00]{0,200}?[ ]-p["'`]?(?P<s>[^\s"'`\x00]{6,128})""",
        on_command_line,
    ),
    PlaceRule(
        "password", ("sshpass",), r"""sshpass[ ]+(?:-[ev]\S{0,40}[ ]+){0,2}-p[ ]?["'`]?(?P<s>[^\s"'`\x00]{4,128})"""
    ),
    PlaceRule(
        "password",
        _SHORT_FLAG_TOOLS,
        r"""[a-z0-9-]{2,10}[^\n|;\x00]{0,200}?[ ](?:-p|-P|-a|-w|--pass|-pw)[ =]?["'`]?(?P<s>[^\s"'`\x00]{6,200})""",
        on_command_line,
    ),
    PlaceRule(
        "password",
        ("sudo -S", "passwd --stdin", "chpasswd", "--password-stdin"),
        r"""(?:echo|printf)[ ]+(?:-n[ ]+|"?%s"?[ ]+)?["'`]?(?:[a-z_][a-z0-9_-]{0,31}:)?(?P<s>[^\s"'`$\x00]{4,128})["'`]?
        [ ]*\|[^\n\x00]{0,80}?(?:sudo[^\n]{0,20}-S|passwd|chpasswd|--password-stdin)""",
        back=220,
        ahead=20,
    ),
    PlaceRule(
        "password", ("ssh-keygen",), r"""ssh-keygen[^\n\x00]{0,200}?[ ]-[NP][ ]?["'`]?(?P<s>[^\s"'`\x00]{4,128})"""
    ),
    PlaceRule("password", ("pass:",), r"""-pass(?:in|out)?[ ]+pass:(?P<s>[^\s"'`\x00]{4,128})""", back=12, ahead=140),
    PlaceRule(
        "passphrase",
        ("passphrase for", "password for", "passcode for"),
        r"""(?:passphrase|password|passcode)[ ]for[ ][^\n\x00]{1,200}?(?::|[ ]is|[ ]to)[ ]+["'`]?(?P<s>[^\s"'`\x00]{6,128})""",
        password_like,
        fold=True,
    ),
    PlaceRule(
        "secret",
        (
            "secret set",
            "secret put",
            "secrets set",
            "secrets put",
            "config:set",
            "env add",
            "env set",
            "vars set",
            "kv put",
            "secret add",
        ),
        r"""(?:secrets?[ ](?:set|put|add)|config:set|env[ ](?:add|set)|vars[ ]set|kv[ ]put)[^\n\x00]{0,120}?
        (?:(?:--body|-b|--value|-v)[ =]["'`]?|[A-Za-z0-9_.]{1,80}=["'`]?)(?P<s>[^\s"'`$\x00]{8,400})""",
        random_looking,
    ),
    PlaceRule(
        "login-key",
        ("login ", " auth ", "authtoken ", "set-token "),
        rf"""(?:{_LOGIN_TOOLS})[ ](?:(?:cloud[ ]|config[ ])?(?:login|auth|authtoken|add-authtoken|set-token)[ ])
        (?:-[a-z]+[ ]|--[a-z-]+[ =])?["'`]?(?P<s>[^\s"'`\x00]{{20,255}})""",
        random_looking,
        back=30,
        ahead=300,
    ),
    PlaceRule(
        "password",
        ("enable secret", "enable password", "snmp-server community", "pac key", "username "),
        r"""(?:enable[ ](?:secret|password)|snmp-server[ ]community|pac[ ]key|username[ ]\S{1,40}[ ](?:privilege[ ]\d+[ ])?
        (?:secret|password))[ ](?:level[ ]\d+[ ])?(?:\d[ ])?(?P<s>[^\s"'`\x00]{4,128})""",
        _configured,
    ),
    PlaceRule(
        "join-token",
        ("SWMTKN-1-", "SWMKEY-1-", "K10"),
        r"""(?P<s>(?:SWMTKN-1-[0-9a-z]{40,60}-[0-9a-z]{20,30}|SWMKEY-1-[A-Za-z0-9+/]{40,50}|K10[0-9a-f]{40,70}::[a-z]+:\S{8,80}))""",
    ),
)
