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


def normalise_repository(text: str) -> str:
    """`host/path` of a repository; empty for what names none, such as a folder of this machine."""
    host, path = _split(text.strip())
    host = host.lower().rstrip(".")
    host = _HOSTS.get(host, host.removeprefix("www."))
    path = re.sub(r"/+", "/", path).strip("/").removesuffix(".git").rstrip("/")
    return f"{host}/{path}" if host and path else ""


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
    if parts.scheme == "file" or not _HOST.fullmatch(host):
        return "", ""
    return (host if port in _USUAL_PORTS else f"{host}:{port}"), unquote(parts.path)
