"""Secrets on command lines. Standard library only."""

from __future__ import annotations

from slowwave.redaction.rules.places.place import PlaceRule, password_like, random_looking, typed

_V = r"""["'`]?(?P<s>[^\s"'`<>\x00]{4,200})"""
_LOGINS = (
    "docker login", "podman login", "registry login", "az login", "oc login", "cf login", "nerdctl login", "skopeo login",
    "crane auth", "oras login", "buildah login", "vault login",
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
        "password",
        ("convertto-securestring",),
        r"""convertto-securestring[ ]+(?:-asplaintext[ ]+|-force[ ]+|-string[ ]+){0,3}["'](?P<s>[^"'\n\x00]{4,200})""",
        typed,
        fold=True,
    ),
    PlaceRule(
        "password",
        ("convertto-securestring",),
        r"""["'](?P<s>[^"'\n\x00]{4,200})["'][ ]*\|[ ]*convertto-securestring""",
        typed,
        back=220,
        ahead=30,
        fold=True,
    ),
    PlaceRule(
        "password",
        ("sqlplus ", "sqlldr ", "expdp ", "impdp ", "rman ", "jdbc:oracle:"),
        r"""(?:sqlplus|sqlldr|expdp|impdp|rman|jdbc:oracle:[a-z]{2,6}:)[ ]?(?:-[A-Za-z]+[ ]|target[ ])?["']?[\w.$-]{1,40}/["]?(?P<s>[^\s"'`/@\x00]{4,128})["]?@""",
        typed,
    ),
    PlaceRule(
        "password", ("net user ", "net USER "), rf"""net[ ](?:user|USER)[ ][\w.$-]{{1,40}}[ ](?![/*]){_V}""", typed
    ),
    PlaceRule(
        "password", ("wpa_passphrase ",), rf"""wpa_passphrase[ ](?:"[^"\n]{{1,40}}"|[^\s"]{{1,40}})[ ]{_V}""", typed
    ),
    PlaceRule(
        "password",
        ("openssl enc", "openssl aes", "openssl des", "openssl cms", "openssl pkcs12"),
        rf"""openssl[ ][^\n|;\x00]{{0,200}}?[ ]-k[ ]{_V}""",
        typed,
    ),
    PlaceRule("password", ("useradd ", "usermod "), rf"""user(?:add|mod)[ ][^\n|;\x00]{{0,120}}?-p[ ]{_V}""", typed),
    PlaceRule(
        "password",
        ("dev wifi connect", "device wifi connect"),
        rf"""dev(?:ice)?[ ]wifi[ ]connect[ ][^\n\x00]{{1,80}}?[ ]password[ ]{_V}""",
        typed,
    ),
    PlaceRule(
        "password",
        ("pragma key", "PRAGMA key", "PRAGMA rekey"),
        r"""(?i:pragma)[ ](?:re)?key[ ]?=[ ]?["']{1,2}(?P<s>[^"'\n\x00]{4,200})""",
        typed,
    ),
    PlaceRule(
        "basic-auth",
        ("curl", "wget", "http ", "https ", "httpie", "xh "),
        r"""(?:curl|wget|https?|httpie|xh)\b[^\n\x00]{0,300}?[ ](?:-u|--user|-a|--auth|--proxy-user|-U)[ =]{0,2}["'`]?
        [^\s:"'`\x00]{1,80}:(?P<s>[^\s"'`\x00]{4,200})""",
        typed,
    ),
    PlaceRule(
        "password",
        ("mysql", "mariadb"),
        rf"""(?:mysql|mariadb)[a-z]{{0,8}}\b[^\n|;\x00]{{0,200}}?[ ]-p(?![ ]){_V}""",
        typed,
    ),
    PlaceRule("password", ("mysqladmin",), rf"""mysqladmin[ ][^\n|;\x00]{{0,200}}?[ ]password[ ]{_V}""", typed),
    PlaceRule(
        "secret",
        ("put-parameter", "create-secret", "put-secret-value", "update-secret"),
        rf"""(?:put-parameter|create-secret|put-secret-value|update-secret)[ ][^\n\x00]{{0,300}}?--(?:value|secret-string)[ =]{_V}""",
        typed,
    ),
    PlaceRule("password", ("sshpass",), rf"""sshpass[ ]+(?:-[ev]\S{{0,40}}[ ]+){{0,2}}-p[ ]?{_V}""", typed),
    PlaceRule(
        "password", _LOGINS, rf"""[a-z0-9-]{{2,10}}[ ][^\n|;\x00]{{0,200}}?[ ](?:-p|-P|--pass)[ =]?{_V}""", typed
    ),
    PlaceRule(
        "password",
        ("redis-cli", "valkey-cli"),
        rf"""(?:redis|valkey)-cli[^\n|;\x00]{{0,200}}?[ ](?:-a|--pass)[ ]{_V}""",
        typed,
    ),
    PlaceRule(
        "password",
        ("sqlcmd", "bcp ", "unzip ", "zip ", "ipmitool"),
        rf"""(?:sqlcmd|bcp|(?:un)?zip|ipmitool)[ ][^\n|;\x00]{{0,200}}?-P[ ]?{_V}""",
        typed,
    ),
    PlaceRule(
        "password",
        ("7z ", "7za ", "7zz ", "rar "),
        rf"""(?:7z[az]?|rar)[ ][^\n|;\x00]{{0,200}}?[ ]-p(?![ ]){_V}""",
        typed,
    ),
    PlaceRule(
        "password",
        (
            "mongo",
            "cqlsh",
            "rabbitmqadmin",
            "psexec",
            "sqlplus",
            "clickhouse-client",
            "influx ",
            "nxc ",
            "crackmapexec",
        ),
        rf"""(?:mongo(?:sh|dump|restore|export|import)?|cqlsh|rabbitmqadmin|psexec|influx|nxc|crackmapexec)[ ][^\n|;\x00]{{0,200}}?[ ]-p[ ]{_V}""",
        typed,
    ),
    PlaceRule(
        "password",
        ("ldap",),
        rf"""ldap(?:search|add|modify|delete|passwd|whoami|compare)[ ][^\n|;\x00]{{0,240}}?[ ]-w[ ]?{_V}""",
        typed,
    ),
    PlaceRule(
        "password", ("plink ", "pscp ", "psftp "), rf"""(?:plink|pscp|psftp)[ ][^\n|;\x00]{{0,200}}?-pw[ ]{_V}""", typed
    ),
    PlaceRule(
        "password",
        ("smbclient", "rpcclient", "net rpc"),
        r"""(?:smbclient|rpcclient|net[ ]rpc)[^\n|;\x00]{0,200}?-U[ ]?["'`]?[\w.@\\-]{1,60}%(?P<s>[^\s"'`\x00]{4,128})""",
        typed,
    ),
    PlaceRule(
        "password",
        ("htpasswd ",),
        rf"""htpasswd[ ]-[a-zA-Z]*b[a-zA-Z]*[ ](?:[^\s]+[ ])??[\w.@-]{{1,60}}[ ]{_V}""",
        typed,
    ),
    PlaceRule(
        "password", ("xfreerdp", "rdesktop"), rf"""(?:xfreerdp|rdesktop)[^\n|;\x00]{{0,200}}?(?:/p:|-p[ ]){_V}""", typed
    ),
    PlaceRule(
        "password",
        ("sudo -S", "passwd --stdin", "chpasswd", "--password-stdin"),
        r"""(?:echo|printf)[ ]+(?:-n[ ]+|"?%s"?[ ]+)?["'`]?(?:[a-z_][a-z0-9_-]{0,31}:)?(?P<s>[^\s"'`$\x00][^\s"'`\x00]{3,128})["'`]?
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
        r"""(?:passphrase|password|passcode)[ ]for[ ][^\n\x00]{1,200}?(?:['"`/)][ ]?:|^[^\n]*:)[ ]+["'`]?(?P<s>[^\s"'`\x00]{4,128})(?=["'`]?[ ]*(?:\r?\n|$))""",
        password_like,
        fold=True,
        learn=False,
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
