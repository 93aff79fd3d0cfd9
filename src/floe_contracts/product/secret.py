"""Secrets in settings are references, never values: `env:NAME` and `file:PATH` are read by adapters when needed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

HOW = "write env:NAME or file:PATH and keep the secret itself out of the file"

_REFERENCE = re.compile(r"(env|file):(?://)?(.*)", re.DOTALL)
_ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_WORDS = (
    *("password", "passwd", "passphrase", "pwd", "secret", "token", "apikey", "accesskey", "accountkey", "privatekey"),
    *("sharedkey", "credential", "saslconfig", "jaasconfig", "sassig", "connectionstring", "bearer", "authorization"),
)
_ORACLE = "jdbc:oracle:"
_END_OF_SERVER = re.compile(r"[/?#\s]")
_IN_TEXT = re.compile(
    r"(?:^|[\W_])(?:(?:ssl)?password|passwd|pwd|secret|token|api_?key|access_?key|account_?key|sig)\s*=\s*[^\s&;]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SecretRef:
    """Where a secret is; printing it never prints the secret, because it is not here."""

    place: Literal["env", "file"]
    name: str

    def __str__(self) -> str:
        return f"{self.place}:{self.name}"


OptionValue: TypeAlias = "str | SecretRef"
Options: TypeAlias = "tuple[tuple[str, OptionValue], ...]"


def value_of(text: str) -> OptionValue:
    """A reference where the text is one, else the text; ValueError for a reference that leads nowhere."""
    match = _REFERENCE.fullmatch(text.strip())
    if match is None:
        return text
    place, name = match[1], match[2].strip()
    if place == "env":
        if not _ENV_NAME.fullmatch(name):
            raise ValueError("env: needs the name of an environment variable, such as env:PGPASSWORD")
        return SecretRef("env", name)
    if not name or "\n" in name:
        raise ValueError("file: needs a path, such as file:/run/secrets/password")
    return SecretRef("file", name)


def problem_of(name: str, text: str) -> str:
    """Why an option may not stand in a file as it is; empty when it may. The value is not part of the answer."""
    if isinstance(value_of(text), SecretRef):
        return ""
    if names_secret(name) and text.strip():
        return f"it is a secret; {HOW}"
    return embedded_problem(text)


def embedded_problem(text: str, how: str = f"{HOW}, in an option of its own") -> str:
    """The same for a text under any name: secrets also hide in addresses and in lists of settings."""
    if _has_password(text) or _has_oracle_password(text):
        return f"its address holds a password; {how}"
    return f"it holds a secret; {how}" if _IN_TEXT.search(text) else ""


def _has_password(text: str) -> bool:
    """Whether some address says `user:password@`. Taken apart, not searched: a text of a contract may be long."""
    before, *others = text.split("://")
    for rest in others:
        server = _END_OF_SERVER.split(rest, maxsplit=1)[0]
        user, mark, _ = server.partition("@")
        if mark and before[-1:].isalnum() and user.partition(":")[2]:
            return True
        before = rest
    return False


def _has_oracle_password(text: str) -> bool:
    """`scott/tiger@…`; `/@…` leaves it to a wallet."""
    for part in text.casefold().split("@")[:-1]:
        _, mark, login = part.partition(_ORACLE)
        if mark and login.partition("/")[2]:
            return True
    return False


def names_secret(name: str) -> bool:
    """Whether an option of this name holds a secret, whoever reads it."""
    bare = re.sub(r"[^a-z0-9]", "", name.casefold())
    return any(word in bare for word in _WORDS) or bare in ("sas", "pass", "key")


def reveal_options(options: Options, look_up: Callable[[SecretRef], str]) -> dict[str, str]:
    """Options with their secrets, for the moment of connecting; what comes out must not be printed."""
    return {name: look_up(value) if isinstance(value, SecretRef) else value for name, value in options}
