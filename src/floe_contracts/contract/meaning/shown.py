"""How a value from a contract stands in a message: quoted, and not too long."""

from __future__ import annotations

from ..model import Json

_LONGEST = 60


def shown(value: Json) -> str:
    """The value as written, for a sentence."""
    text = value if isinstance(value, str) else getattr(value, "text", None) or str(value)
    return repr(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")
