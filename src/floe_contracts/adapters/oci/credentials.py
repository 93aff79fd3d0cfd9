"""Credentials of a registry: docker's config file and its credential helpers, read and never written."""

from __future__ import annotations

import base64
import binascii
import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from typing import Any

from ...codes import E571
from ...errors import FloeError
from ...frozen import dataclass, field

HUB_SERVER = "registry-1.docker.io"
HUB = ("docker.io", "index.docker.io", HUB_SERVER)  # one registry by three names, and the last one answers
_HUB_KEY = "https://index.docker.io/v1/"
_HELPER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_HELPER_LIMIT_S = 30.0
_MOST_BYTES = 4_000_000
_TOKEN_USER = "<token>"  # noqa: S105 - how helpers say that the secret is an identity token


@dataclass(frozen=True, slots=True)
class Credentials:
    """A user with a password, or an identity token; it never prints."""

    user: str = field(repr=False, default="")
    password: str = field(repr=False, default="")
    identity_token: str = field(repr=False, default="")

    def __bool__(self) -> bool:
        return bool(self.user or self.identity_token)

    @property
    def userinfo(self) -> str:
        return f"{self.user}:{self.password}" if self.user else ""


def find_credentials(host: str, environ: Mapping[str, str]) -> Credentials:
    """What docker's config says about a host; none when it says nothing."""
    config = _read_config(environ)
    helper = _mapping(config.get("credHelpers")).get(host) or config.get("credsStore")
    key = _HUB_KEY if host in HUB else host
    if isinstance(helper, str) and helper:
        credentials = _ask_helper(helper, key, environ)
        if credentials:
            return credentials
    for name, entry in _mapping(config.get("auths")).items():
        if _host_of(name) == _host_of(key):
            return _from_entry(_mapping(entry))
    return Credentials()


def _read_config(environ: Mapping[str, str]) -> Mapping[str, Any]:
    folder = environ.get("DOCKER_CONFIG") or os.path.join(environ.get("HOME") or os.path.expanduser("~"), ".docker")
    path = os.path.join(folder, "config.json")
    try:
        with open(path, "rb") as file:
            return _mapping(json.loads(file.read(_MOST_BYTES)))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError):
        raise FloeError(
            f"{path} cannot be read as docker's config",
            fix="Correct the file, or name another folder by DOCKER_CONFIG.",
        ) from None


def _host_of(name: str) -> str:
    """`https://host/v1/` and `host` are the same entry."""
    return name.partition("://")[2].partition("/")[0] if "://" in name else name.partition("/")[0]


def _from_entry(entry: Mapping[str, Any]) -> Credentials:
    token = entry.get("identitytoken")
    if isinstance(token, str) and token:
        return Credentials(identity_token=token)
    if entry.get("username"):
        return Credentials(str(entry["username"]), str(entry.get("password") or ""))
    try:
        user, _, password = base64.b64decode(str(entry.get("auth") or ""), validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return Credentials()
    return Credentials(user, password.rstrip("\0"))


def _ask_helper(name: str, key: str, environ: Mapping[str, str]) -> Credentials:
    """The answer of `docker-credential-<name> get`; none when it knows nothing of the host."""
    program = shutil.which(f"docker-credential-{name}", path=environ.get("PATH")) if _HELPER.fullmatch(name) else None
    if program is None:
        raise FloeError(
            f"docker's config names the credential helper {name!r}, and there is no docker-credential-{name} on PATH",
            fix="Install it, or remove it from docker's config.",
            code=E571,
        )
    try:
        run = subprocess.run(
            [program, "get"], input=key.encode(), capture_output=True, timeout=_HELPER_LIMIT_S, check=False
        )
        answer = _mapping(json.loads(run.stdout)) if run.returncode == 0 else {}
    except (OSError, ValueError, subprocess.TimeoutExpired):
        raise FloeError(
            f"the credential helper docker-credential-{name} gave no usable answer",
            fix="Run it by hand: its words are not shown here, because they may hold the secret.",
            code=E571,
        ) from None
    user, secret = str(answer.get("Username") or ""), str(answer.get("Secret") or "")
    return Credentials(identity_token=secret) if user == _TOKEN_USER else Credentials(user, secret)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
