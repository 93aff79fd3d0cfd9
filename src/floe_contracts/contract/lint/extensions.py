"""Remarks about custom properties that floe would read, and cannot, because the same thing is written elsewhere too."""

from __future__ import annotations

from collections.abc import Iterator

from ...codes import Severity
from ..model import Contract, CustomProperty, Property
from .remark import Remark

TYPE_CHECKING = False  # see adapters.git.command
if TYPE_CHECKING:
    from ..read.customs import Known


def extension_remarks(contract: Contract) -> Iterator[Remark]:
    """A remark for every custom property that contradicts what its contract or column says already."""
    if contract.custom:
        from ..read.envelope import KNOWN

        yield from _contradictions(contract.custom, KNOWN, contract, "")
    for table in contract.objects:
        for path, column in table.columns():
            if column.custom:
                from ..read.columns import KNOWN

                yield from _contradictions(column.custom, KNOWN, column, f"{table.name}.{'.'.join(path)}")


def _contradictions(
    customs: tuple[CustomProperty, ...], known: Known, holder: Contract | Property, element: str
) -> Iterator[Remark]:
    from ..read.customs import PREFIX, known_key

    for custom in customs:
        key = known_key(custom.property, known)
        if not key:
            continue
        field, read = known[key]
        value, used, is_bare = read(custom.value, custom.at), getattr(holder, field), custom.property == key
        if value is None and is_bare:
            continue  # it means something else
        if value is None or value != used:
            yield Remark(
                "custom-property-contradicts",
                f"the custom property {custom.property} is not read: "
                + (f"{key} is written with another value too" if value is not None else "its value is not understood"),
                (*custom.at, "value"),
                # Words for a whole contract, like owner and product, have other meanings too.
                Severity.WARNING if is_bare and not element else Severity.ERROR,
                element=f"{element}.{key}" if element else key,
                suggestion=f"Write {key} once, as {PREFIX}{key} or by the key of the dialect, and remove the other.",
            )
