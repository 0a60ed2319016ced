"""What a command that shows a secret has printed: known from the call, whatever it looks like. Standard library only."""

from __future__ import annotations

from dataclasses import dataclass

from slowwave.redaction.findings import Finding
from slowwave.redaction.rules.rule import NOTHING, Outcome
from slowwave.redaction.scan.names import Kind
from slowwave.redaction.scan.values import Certainty, is_path, is_secret
from slowwave.text.lazy import lazy

COMMANDS: tuple[str, ...] = (
    "openssl rand", "/dev/urandom", "secrets.token_", "randomBytes(", "pwgen", "apg -", "makepasswd", "wg genkey", "wg genpsk",
    "terraform output -raw", "tofu output -raw", "pulumi config get", "pulumi stack output", "security find-generic-password", "security find-internet-password",
    "base64 -d", "base64 --decode", "base64 -D", "vault kv get", "vault read", "vault print token", "vault token create", "vault login",
    "pass show", "gopass show", "gopass ", "pass ", "op read", "op item get", "bw get password", "rbw get", "lpass show", "secret-tool lookup", "keyring get", "keepassxc-cli show", "chamber read",
    "gh auth token", "glab auth token", "gcloud auth print", "az account get-access-token", "az keyvault secret show", "az acr credential show", "aws secretsmanager get-secret-value", "aws ssm get-parameter", "aws ecr get-login-password",
    "gcloud secrets versions access", "doppler secrets get", "heroku auth:token", "heroku config:get", "flyctl auth token", "fly auth token", "kubectl create token", "oc whoami -t", "infisical secrets get",
    "rails secret", "rake secret", "phx.gen.secret", "key:generate --show", "docker swarm join-token -q", "kubeadm token create", "argocd admin initial-password", "htpasswd -n", "sops -d", "ansible-vault decrypt_string",
    "cat ", "printenv ", "echo $", "echo \"$", "jwt encode", "get_random_secret_key", "uuidgen", "totp ", "oathtool", "npm token create", "tr -dc",
)  # fmt: skip
"""Pieces of command lines that print a secret."""
# What has to hold for the commonest of them, read from the command's start.
_TELLING = {
    "cat ": lazy(
        r"cat[ ]+(?:-\w+[ ]+)?\S*(?:token|secret|passw|credential|api[_-]?key|\.pgpass|\.key\b|_pw\b|/pw\b|id_rsa|id_ed25519|auth)\S*[ ]*(?:\||$|2>)",
        2,
    ),
    "printenv ": lazy(r"printenv[ ]+\w*(?:TOKEN|SECRET|PASS|PASSWORD|KEY|PWD|CREDENTIAL)\w*[ ]*$", 2),
    "echo $": lazy(r"echo[ ]+\$\{?\w*(?:TOKEN|SECRET|PASS|PASSWORD|API_?KEY|PRIVATE_KEY|PWD|CREDENTIAL)\w*\}?[ ]*$", 2),
    'echo "$': lazy(
        r"echo[ ]+\"\$\{?\w*(?:TOKEN|SECRET|PASS|PASSWORD|API_?KEY|PRIVATE_KEY|PWD|CREDENTIAL)\w*\}?\"[ ]*$", 2
    ),
    "pass ": lazy(r"pass[ ]+(?:-c[ ]+)?[\w.@-]+/[\w./@-]+[ ]*(?:\|[ ]*head[^|]*)?$"),
    "gopass ": lazy(r"gopass[ ]+(?:-o[ ]+)?[\w.@-]+/[\w./@-]+[ ]*$"),
    "base64 -d": lazy(r"base64[ ]+-d[ ]*(?:;[ ]*echo)?[ ]*(?:$|\||2>)"),
    "uuidgen": lazy(r"uuidgen\b.*\|\s*base64"),
    "tr -dc": lazy(r"tr[ ]+-dc[ ]+\S+.*(?:urandom|head|fold)"),
    "/dev/urandom": lazy(r"/dev/u?random\b.*(?:base64|xxd|hexdump|od |tr |sha\d+sum|md5sum)"),
}
_SOURCE = lazy(
    r"cat[ ]+(?:-\w+[ ]+)?\S+\.(?:py|js|ts|go|rs|rb|md|html|css|java|json|ya?ml|toml|tsx|jsx|vue|c|h|cpp|sql|sh|proto|lock|log|csv|svg|xml)\b"
)
_INSIDE = ("/dev/urandom", "secrets.token_", "randomBytes(", "get_random_secret_key", "base64 -d", "tr -dc")
"""Pieces that stand inside a command's arguments."""
_DECODED = lazy(r"kubectl|secret|token|passw|cred|key|auth|vault", 2)
_PROMPT = lazy(r"[ \t`]*(?:(?:\(\w+\)[ ])?[^\s$#%>❯➜λ]{0,60}[$#%>❯➜λ][ ]?(?:~[ ])?|\+[ ]+)(?=\S)")
_COMMAND = lazy(
    r"[ \t`]*(?:(?:sudo|time|env|command)[ ]+|[A-Z_]+=\S*[ ]+)*(?:head|dd|python3?|node|tr|cat|openssl|kubectl|oc|echo|aws|gcloud|az|vault|op|pass|gopass|"
    r"security|terraform|tofu|pulumi|gh|jq|docker|base64|bw|sops|heroku|fly|flyctl|npm|rails|php|mix|htpasswd|pwgen|doppler|curl|printenv|wg|uuidgen|argocd|kubeadm)\b"
)
_AWAY = lazy(
    r"(?<![0-9&])>{1,2}[ ]?(?!&|/dev/stdout|/dev/stderr)|\|[ ]*(?:pbcopy|xclip|wl-copy|clip|tee|docker|kubectl|gh|vault|psql|mysql|sha\d*sum|md5sum|wc|grep -c|xargs)\b|>[ ]*/dev/null"
)
_ERROR = lazy(
    r"(?:error|usage|warning|no such|not found|permission|denied|command|cannot|failed|unable|fatal|invalid|unknown|true|false|null|none|ok|done|yes|no)\b",
    2,
)
_LINE = lazy(r"[^\n]*")
_VALUE_LINE = lazy(r"[ \t]*(?P<value>\S{6,})[ \t]*\r?(?:\n|\Z)")
LINES = 40
"""Lines of output that are looked at."""


@dataclass(frozen=True)
class OutputRule:
    """The lines that a command which shows a secret printed."""

    type: str = "printed-secret"
    anchors: tuple[str, ...] = COMMANDS
    fold: bool = False
    strong: bool = False
    always: bool = False

    def find(self, text: str, at: int, anchor: str) -> Outcome:
        """The output below the command line that holds the anchor."""
        start = text.rfind("\n", max(0, at - 2000), at) + 1
        end = _line_end(text, at)
        if end >= len(text) or end - start > 2400 or not _prints(text[start:end], at - start, anchor):
            return NOTHING, 0
        return _printed(text, end + 1), 0


def command_that_prints(text: str) -> str | None:
    """The line of a call's text that runs such a command, or None. What the call printed is a secret then."""
    if not any(word in text for word in COMMANDS):
        return None
    for line in text.replace("\\n", "\n").splitlines():
        for word in COMMANDS:
            at = line.find(word)
            if at >= 0 and _prints(f"$ {_bare(line)}", _bare(line).find(word) + 2, word):
                return f"$ {_bare(line)}"
    return None


def _bare(line: str) -> str:
    """The command of a call's rendering, without the quotes and names of its arguments."""
    for mark in ('"command": "', '"cmd": "', '"command":"', '"cmd":"'):
        _, found, rest = line.partition(mark)
        if found:
            return rest.split('"', 1)[0] if '\\"' not in rest else rest.rstrip('"} ,').replace('\\"', '"')
    return line.strip().strip("`")


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at, at + 2400)
    while end > 0 and text[end - 1] == "\\":
        end = text.find("\n", end + 1, end + 2400)
    return len(text) if end < 0 else end


def _prints(line: str, at: int, anchor: str) -> bool:
    """Whether a command line prints the secret to the terminal: it starts a command and sends its output nowhere else."""
    telling = _TELLING.get(anchor)
    tail = line[at:].rstrip("`\r ")
    if telling is not None and (telling.match(tail) is None or _SOURCE.match(tail)):
        return False
    if anchor.startswith("base64") and not _DECODED.search(line[:at]):
        return False
    lead = line[:at]
    if lead.count("$(") > lead.count(")") or _AWAY.search(tail) or "=$(" in line or "=`" in line:
        return False
    prompt = _PROMPT.match(line)
    if prompt and prompt.end() <= at:
        return True
    command = _COMMAND.match(line)
    return bool(command) and (not lead.strip() or "|" in lead or anchor in _INSIDE)


def _printed(text: str, at: int) -> tuple[Finding, ...]:
    found: list[Finding] = []
    if text[at : at + 3] == "```":
        at = text.find("\n", at) + 1 or len(text)
    for _ in range(LINES):
        if text[at : at + 1] in ("\n", "\r") and not found:
            at += 1
            continue
        line = _VALUE_LINE.match(text, at, at + 1_000_000)
        if line is None:
            break
        start, end = line.span("value")
        value = text[start:end].strip("\"'")
        if _ERROR.match(value) or is_path(value) or value[0] in "$#<>[]{}" or value[-1] in ":{[":
            break
        if not is_secret(value, Kind.PASSWORD, Certainty.SURE):
            break
        found.append(Finding(start, end, "printed-secret"))
        at = line.end()
        # More lines belong to it only where it was broken at a fixed width.
        if end - start < 60:
            break
    return tuple(found)


OUTPUTS = OutputRule()
