"""Git remotes: finding one in a repository's configuration and bringing it into one form. Standard library only."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

_SECTION = re.compile(r'^\s*\[\s*remote\s+"(?P<name>(?:[^"\\]|\\.)*)"\s*\]')
_ANY_SECTION = re.compile(r"^\s*\[")
_URL = re.compile(r"^\s*url\s*=\s*(?P<url>.*?)\s*$", re.IGNORECASE)
_SCP = re.compile(r"^(?:[^@/:\s]+@)?(?P<host>\[[^\]]+\]|[^@/:\s]+):(?!//)(?P<path>[^\s].*)$")
_CASELESS_HOSTS = frozenset({"github.com", "gitlab.com", "bitbucket.org", "codeberg.org"})
_DEFAULT_PORTS = {"ssh": 22, "https": 443, "http": 80, "git": 9418}
_MAX_CONFIG = 1 << 20


def remote_in_config(config: Path) -> str | None:
    """Return the URL of `origin`, else of the first remote, in a git configuration file; None where there is none."""
    try:
        with config.open(encoding="utf-8", errors="replace") as stream:
            text = stream.read(_MAX_CONFIG)
    except OSError:
        return None
    found: dict[str, str] = {}
    name: str | None = None
    for line in text.split("\n"):
        if section := _SECTION.match(line):
            name = section.group("name")
        elif _ANY_SECTION.match(line):
            name = None
        elif name is not None and (url := _URL.match(line)):
            found.setdefault(name, url.group("url").strip('"'))
    return found.get("origin") or next(iter(found.values()), None)


def normalise_remote(url: str) -> str | None:
    """Return `host/path` of a remote, without user, password, scheme, default port and `.git`.

    Forms of one repository (scp-like, ssh, https) become equal. Local paths and `file:` remotes name nothing beyond
    this machine: None.
    """
    url = url.strip()
    if "://" in url:
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port
        except ValueError:
            return None
        scheme = parts.scheme.lower().rsplit("+", 1)[-1]
        if scheme == "file" or not host:
            return None
        path = unquote(parts.path)
        if port and port != _DEFAULT_PORTS.get(scheme):
            host = f"{host}:{port}"
    else:
        match = _SCP.match(url)
        if match is None or len(match.group("host")) == 1 or url.startswith((".", "/", "~")):
            return None
        host, path = match.group("host").strip("[]"), match.group("path")
    host = host.lower()
    path = path.strip("/").removesuffix(".git").strip("/")
    if host in _CASELESS_HOSTS:
        path = path.lower()
    return f"{host}/{path}" if path else None


def without_credentials(url: str) -> str:
    """The same URL without user name and password, as it may be stored."""
    scheme, separator, rest = url.partition("://")
    if not separator:
        return url
    authority, slash, path = rest.partition("/")
    return f"{scheme}://{authority.rsplit('@', 1)[-1]}{slash}{path}"
