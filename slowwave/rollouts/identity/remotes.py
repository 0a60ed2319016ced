"""Git remotes: finding one in a repository's configuration and bringing it into one form. Standard library only."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from urllib.parse import unquote, urlsplit

_SECTION = re.compile(r'^\s*\[\s*(?P<section>[\w.-]+)(?:\s+"(?P<name>(?:[^"\\]|\\.)*)")?\s*\]')
_PAIR = re.compile(r"^\s*(?P<key>[A-Za-z][\w-]*)\s*=\s*(?P<value>.*?)\s*$")
_SCP = re.compile(r"^(?:[^@/:\s]+@)?(?P<host>\[[^\]]+\]|[^@/:\s]+):(?!//)(?P<path>[^\s].*)$")
_CASELESS_HOSTS = frozenset({"github.com", "gitlab.com", "bitbucket.org", "codeberg.org"})
_DEFAULT_PORTS = {"ssh": 22, "https": 443, "http": 80, "git": 9418}
# Second addresses under which forges document one repository: for networks that let only HTTPS through, older names.
_SECOND_HOSTS = {
    "www.github.com": "github.com",
    "ssh.github.com:443": "github.com",
    "altssh.gitlab.com:443": "gitlab.com",
    "altssh.bitbucket.org:443": "bitbucket.org",
}
# `github.com-work`: a person's name for a forge under a second account. No such domain can exist.
_ACCOUNT = re.compile(r"((?:github|gitlab)\.com|bitbucket\.org|codeberg\.org)-[\w.-]+")
# Bitbucket Data Center: ssh at a port of its own, and a first part of the path that only its web addresses have.
_BITBUCKET_PORT = ":7999"
_BITBUCKET_WEB = "scm/"
_AZURE_SSH = re.compile(r"(?:ssh\.dev\.azure\.com|vs-ssh\.visualstudio\.com)/v3/([^/]+)/([^/]+)/([^/]+)")
_AZURE_OLD = re.compile(r"([^/.]+)\.visualstudio\.com/(?:DefaultCollection/)?(.+)", re.IGNORECASE)
_MAX_CONFIG = 1 << 20


def remotes_in_config(config: Path) -> tuple[str, ...]:
    """Return the URLs of the remotes in a git configuration file, `origin` first; empty where there are none."""
    found = read_config(config)
    urls = {name: value for (section, name, key), value in found.items() if section == "remote" and key == "url"}
    origin = urls.pop("origin", None)
    return (origin, *urls.values()) if origin is not None else tuple(urls.values())


def remote_in_config(config: Path) -> str | None:
    """Return the URL of `origin`, else of the first remote, in a git configuration file; None where there is none."""
    return next(iter(remotes_in_config(config)), None)


def read_config(config: Path) -> dict[tuple[str, str, str], str]:
    """Return the first value of each (section, subsection, key) of a git configuration file, in order.

    Includes are not followed: they lead out of the repository.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = os.open(config, flags)
    except OSError:
        return {}
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return {}
        text = os.read(descriptor, _MAX_CONFIG).decode("utf-8", "replace")
    except OSError:
        return {}
    finally:
        os.close(descriptor)
    found: dict[tuple[str, str, str], str] = {}
    section = name = ""
    for line in text.split("\n"):
        if head := _SECTION.match(line):
            section, name = head.group("section").lower(), head.group("name") or ""
        elif pair := _PAIR.match(line):
            value = pair.group("value").strip('"')
            found.setdefault((section, name, pair.group("key").lower()), value)
    return found


def normalise_remote(url: str) -> str | None:
    """Return `host/path` of a remote, without user, password, scheme, default port and `.git`.

    Forms of one repository (scp-like, ssh, https, a forge's second addresses) become equal. Local paths and `file:`
    remotes name nothing beyond this machine, and a path of dots or one with control characters names nothing at all:
    None.
    """
    url = url.strip()
    if not url.isprintable():
        return None
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
    host = _SECOND_HOSTS.get(host, host).removesuffix(_BITBUCKET_PORT)
    if account := _ACCOUNT.fullmatch(host):
        host = account[1]
    path = re.sub(r"/{2,}", "/", path).strip("/").removesuffix(".git").strip("/")
    if path.count("/") == 2:
        path = path.removeprefix(_BITBUCKET_WEB)
    if not path.isprintable() or any(not part.strip(". ") for part in path.split("/")):
        return None
    if host in _CASELESS_HOSTS:
        path = path.lower()
    if found := _AZURE_SSH.fullmatch(f"{host}/{path}"):
        return "dev.azure.com/{}/{}/_git/{}".format(*found.groups())
    if found := _AZURE_OLD.fullmatch(f"{host}/{path}"):
        return "dev.azure.com/{}/{}".format(*found.groups())
    return f"{host}/{path}"


def without_credentials(url: str) -> str:
    """The same URL without user name and password, as it may be stored."""
    scheme, separator, rest = url.partition("://")
    if not separator:
        return url
    authority, slash, path = rest.partition("/")
    return f"{scheme}://{authority.rsplit('@', 1)[-1]}{slash}{path}"
