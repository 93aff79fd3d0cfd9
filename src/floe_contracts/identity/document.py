"""The contract that a version stands for, kept beside its hashes, so that a later version can be compared with it."""

from __future__ import annotations

import base64
import binascii
import zlib

from .index import MOST_CHARACTERS
from .namespaces import Properties

_KEY = "floe.contract.document"
_MOST_PARTS = 60
_MOST_BYTES = 4_000_000  # of the text, so that a small property cannot become a large one


def pack_document(text: str) -> dict[str, str]:
    """The properties that hold a contract; none for one that is too large to keep."""
    packed = base64.b64encode(zlib.compress(text.encode(), 9)).decode("ascii")
    parts = [packed[start : start + MOST_CHARACTERS] for start in range(0, len(packed), MOST_CHARACTERS)]
    if not text or len(parts) > _MOST_PARTS or len(text) > _MOST_BYTES:
        return {}
    return {_key(number): part for number, part in enumerate(parts, 1)}


def read_document_text(properties: Properties) -> str:
    """The contract in the properties of a version; empty when none was kept, or it cannot be read."""
    parts: list[str] = []
    while part := properties.get(_key(len(parts) + 1)):
        parts.append(part)
    try:
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(base64.b64decode("".join(parts), validate=True), _MOST_BYTES)
        return data.decode() if unpacking.eof else ""
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        return ""


def _key(number: int) -> str:
    return _KEY if number == 1 else f"{_KEY}.{number}"
