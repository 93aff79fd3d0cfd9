"""A reference to a manifest: a path beside the file that holds it, a name with a version, or an OCI artifact."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import BeforeValidator, WithJsonSchema

from ..contract.version import parse_version
from ..frozen import dataclass


@dataclass(frozen=True, slots=True)
class PathReference:
    """A file, relative to the one that refers to it."""

    path: str


@dataclass(frozen=True, slots=True)
class NamedReference:
    """`ref/<name>/v<X.Y.Z>`: a manifest by name and version, in a folder of such manifests."""

    name: str
    version: str

    @property
    def path(self) -> str:
        """Below a folder of `--refs`."""
        return f"{self.name}/v{self.version}/manifest.yaml"


@dataclass(frozen=True, slots=True)
class OciReference:
    """`oci://host/repo:v1.2.3`, with or without the digest that pins it."""

    host: str
    repository: str
    tag: str = ""
    digest: str = ""

    def __str__(self) -> str:
        tag, digest = (f":{self.tag}" if self.tag else ""), (f"@{self.digest}" if self.digest else "")
        return f"oci://{self.host}/{self.repository}{tag}{digest}"


ManifestReference = PathReference | NamedReference | OciReference

_NAMED = re.compile(r"ref/([A-Za-z0-9][A-Za-z0-9._-]*)/v([^/]+)")
_HOST = r"(?:[A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?"
_WORD = r"[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*"  # of a repository, as the distribution specification has it
_OCI = re.compile(
    rf"oci://({_HOST})/({_WORD}(?:/{_WORD})*)(?::([A-Za-z0-9_][A-Za-z0-9._-]{{0,127}}))?(?:@(sha256:[0-9a-f]{{64}}))?"
)
_ABSOLUTE = re.compile(r"[/~]|[A-Za-z]:[/\\]")
_USER = re.compile(r"//[^/]*@")
_FORMS = "write a path such as ../platform/manifest.yaml, ref/acme-platform/v1.2.3 or oci://host/repo:v1.2.3"


def parse_reference(text: str) -> tuple[ManifestReference | None, str]:
    """The reference that a text is, or None and why it is none."""
    if text.startswith("oci://"):
        match = _OCI.fullmatch(text)
        if match is None or not (match[3] or match[4]):
            return None, f"{quote_reference(text)} is not an OCI reference; {_why_not(text)}"
        return OciReference(match[1], match[2], match[3] or "", match[4] or ""), ""
    if text.startswith("ref/"):
        match = _NAMED.fullmatch(text)
        if match is None or parse_version(match[2]) is None:
            return None, f"{text!r} names no version; write ref/<name>/v<X.Y.Z>"
        return NamedReference(match[1], match[2]), ""
    if "://" in text or "\0" in text or not text.strip():
        return None, f"{quote_reference(text)} is not a reference; {_FORMS}"
    if _ABSOLUTE.match(text):
        return None, f"{text!r} is there on this machine alone; write a path relative to the file that holds it"
    return PathReference(text), ""


def quote_reference(text: str) -> str:
    """A text in quotes, without the user and password that it may hold."""
    return repr(hide_user(text))


def hide_user(text: str) -> str:
    """A reference as it may be shown, even one that is wrong because it holds a password."""
    return _USER.sub("//…@", text, count=1)


def _why_not(text: str) -> str:
    if _USER.search(text):
        return "user and password never stand in it: they come from docker's config"
    if _OCI.fullmatch(text.lower()) and not _OCI.fullmatch(text):
        return "a repository has no capital letters"
    return "write oci://host/repo:v1.2.3"


def parse_repository(text: str) -> OciReference | None:
    """`oci://host/repo`, where versions of a manifest are published; None for anything else."""
    match = _OCI.fullmatch(text)
    return OciReference(match[1], match[2]) if match and not (match[3] or match[4]) else None


def looks_like_reference(text: str) -> bool:
    """Whether `domain: …` at the top of a product refers to a manifest; else it is the domain's name."""
    return any(sign in text for sign in ("/", ":")) or text.endswith((".yaml", ".yml"))


def _read_reference(value: object) -> object:
    """The text of a reference; `{ref: text}` is the same."""
    text = value["ref"] if isinstance(value, dict) and set(value) == {"ref"} else value
    if not isinstance(text, str):
        raise ValueError(f"it must be a reference; {_FORMS}")
    reference, problem = parse_reference(text)
    if reference is None:
        raise ValueError(problem)
    return text


_SCHEMA = {
    "anyOf": [
        {"type": "string", "minLength": 1},
        {
            "type": "object",
            "properties": {"ref": {"type": "string", "minLength": 1}},
            "required": ["ref"],
            "additionalProperties": False,
        },
    ],
    "examples": ["../platform/manifest.yaml", "ref/acme-platform/v1.2.3", "oci://registry.acme.com/platform:v1.2.3"],
}
Reference = Annotated[str, BeforeValidator(_read_reference), WithJsonSchema(_SCHEMA)]


def _read_repository(value: object) -> object:
    if not isinstance(value, str) or parse_repository(value) is None:
        raise ValueError("it must be a repository without a tag; write oci://host/repo")
    return value


_REPOSITORY = {"type": "string", "minLength": 1, "examples": ["oci://registry.acme.com/platform"]}
Repository = Annotated[str, BeforeValidator(_read_repository), WithJsonSchema(_REPOSITORY)]
