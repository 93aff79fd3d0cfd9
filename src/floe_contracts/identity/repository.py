"""Spellings of one repository: https, ssh and scp forms, user info, ports, `.git` and letter case of the host."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

_SCP = re.compile(r"(?:[^@/\s]+@)?(?P<host>[^/:\s]+):(?!//)(?P<path>.+)")
_HOSTS = {"ssh.github.com": "github.com", "altssh.gitlab.com": "gitlab.com", "www.github.com": "github.com"}
_USUAL_PORTS = (None, 22, 80, 443)
_SHORT = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
_HOST = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*")
DEFAULT_HOST = "github.com"
_AZURE = "dev.azure.com"


def normalise_repository(text: str) -> str:
    """`host/path` of a repository; empty for what names none, such as a folder of this machine."""
    host, path = _split(text.strip())
    host = host.lower().rstrip(".")
    host = _HOSTS.get(host, host.removeprefix("www."))
    path = re.sub(r"/+", "/", path).strip("/").removesuffix(".git").rstrip("/")
    host, path = _of_azure(host, path)
    return f"{host}/{path}" if host and path else ""


def _of_azure(host: str, path: str) -> tuple[str, str]:
    """Azure DevOps spells a repository by https, by ssh and by its older hosts in ways of their own."""
    organisation, _, old = host.partition(".")
    if host in ("ssh.dev.azure.com", "vs-ssh.visualstudio.com") and path.startswith("v3/") and path.count("/") == 3:
        _, organisation, project, name = path.split("/")
        return _AZURE, f"{organisation}/{project}/_git/{name}"
    if old == "visualstudio.com":
        path = f"{organisation}/{path.removeprefix('DefaultCollection/')}"
    elif host != _AZURE:
        return host, path
    project, mark, name = path.rpartition("/_git/")
    return _AZURE, f"{project}/{name}/_git/{name}" if mark and "/" not in project else path


def same_repository(left: str, right: str) -> bool:
    """Whether two spellings mean one repository; GitHub itself does not tell letter cases apart."""
    first, other = normalise_repository(left), normalise_repository(right)
    folded = first.startswith(f"{DEFAULT_HOST}/") and first.casefold() == other.casefold()
    return bool(first) and (first == other or folded)


def _split(text: str) -> tuple[str, str]:
    if "://" in text:
        return _split_url(text)
    if text.startswith(("/", ".", "~")) or not text:
        return "", ""
    scp = _SCP.fullmatch(text)
    if scp and not scp["path"].partition("/")[0].isdecimal():
        return scp["host"], scp["path"]
    if _SHORT.fullmatch(text) and "." not in text.partition("/")[0]:
        return DEFAULT_HOST, text
    return _split_url(f"https://{text}")


def _split_url(text: str) -> tuple[str, str]:
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "", ""
    path = unquote(parts.path)
    if parts.scheme == "file" or not _HOST.fullmatch(host) or not path.isprintable():
        return "", ""
    usual = port in _USUAL_PORTS or "ssh" in parts.scheme  # where sshd listens says nothing about the site
    return (host if usual else f"{host}:{port}"), path
