"""A contract written in any dialect, as text for a file, with a list of what the dialect could not carry.

Reading the text back gives an equal contract, except for what `lost` names; the contract's key never changes.
"""

from __future__ import annotations

from ..frozen import dataclass
from .field_map import Node
from .model import Contract, Dialect
from .write.losses import losses
from .write.yaml_text import yaml_text


@dataclass(frozen=True, slots=True)
class Converted:
    """YAML text; `lost` has one entry per thing left behind, as `table.column: key`."""

    text: str
    lost: tuple[str, ...] = ()


def convert(contract: Contract, dialect: Dialect) -> Converted:
    """Write the contract in a dialect; FloeError when it has no way to hold it, as `fields` several tables."""
    node, again = _write(contract, dialect)
    return Converted(yaml_text(node), losses(contract, again))


def _write(contract: Contract, dialect: Dialect) -> tuple[Node, Contract]:
    # The writers need jsonschema-rs and the published schemas, which nobody else should pay for.
    if dialect is Dialect.ODCS:
        from .read import odcs as reader
        from .write import odcs as writer
    elif dialect is Dialect.FLOE:
        from .read import floe as reader  # type: ignore[no-redef]
        from .write import floe as writer  # type: ignore[no-redef]
    else:
        from .read import fields as reader  # type: ignore[no-redef]
        from .write import fields as writer  # type: ignore[no-redef]
    node = writer.write(contract)
    return node, reader.read(node)
