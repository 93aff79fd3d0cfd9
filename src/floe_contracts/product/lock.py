"""floe.lock: which bytes each reference meant when somebody last agreed to them."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from .block import Name, WrittenBlock

FILE = "floe.lock"
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def _check_digest(text: str) -> str:
    if not _DIGEST.fullmatch(text):
        raise ValueError("it is not a digest; write sha256: and 64 hexadecimal digits")
    return text


class LockEntry(WrittenBlock):
    digest: Annotated[str, AfterValidator(_check_digest)]


class Verification(WrittenBlock):
    """Whether references must be signed, and by whom."""

    required: bool = False
    key: str = Field(default="", description="The public key as PEM text.")


class LockFile(WrittenBlock):
    """The whole file."""

    version: Literal[1]
    references: dict[str, LockEntry] = Field(default_factory=dict)
    refs: tuple[Name, ...] = Field(
        default=(), strict=False, description="Folders in which ref/<name>/v<X.Y.Z> are looked up."
    )
    verify: Verification = Verification()


def lock_text(lock: LockFile) -> str:
    """The file as floe writes it: references sorted, so that two people who lock agree."""
    from yaml import safe_dump

    written = lock.model_dump(mode="json")
    entries = {key: written["references"][key] for key in sorted(written.get("references", {}))}
    ordered: dict[str, Any] = {
        "version": 1,
        "references": entries,
        **{key: written[key] for key in ("refs", "verify") if key in written},
    }
    text: str = safe_dump(ordered, sort_keys=False, width=120, allow_unicode=True)
    return text
