"""Remarks on formats of dates and times that are written in other letters than the standard's."""

from __future__ import annotations

from collections.abc import Iterator

from ...codes import Severity
from ..meaning.type_options import TEMPORAL
from ..model import Property
from .remark import Remark


def time_format_remarks(prop: Property, element: str) -> Iterator[Remark]:
    """A remark on `YYYY-MM-DD`, `%Y-%m-%d` and the like, with the spelling that Java and Spark read."""
    written = prop.options.format
    if not written or prop.logical_type not in (*TEMPORAL, "string", None):
        return
    from ..meaning.time_format import respell_time_format  # only formats need it

    spelled = respell_time_format(written)
    if spelled is not None:
        at = prop.options.at
        yield Remark(
            "time-format",
            f"the format {written!r} is not in the letters of the standard, which are those of Java",
            (*at, "format") if at else at,
            severity=Severity.WARNING,
            element=element,
            expected=spelled,
            actual=written,
            suggestion=f"Write format: {spelled}.",
        )
