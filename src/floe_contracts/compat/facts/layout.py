"""Where readers find columns and partitions by their place instead of their name, and what changed about the place."""

from __future__ import annotations

from collections.abc import Iterator

from ...contract.model import SchemaObject, Server
from ..fact import Fact, Place
from ..kinds import FactKind
from .elements import Renames, follow
from .plain import composed, folded

# The digests know the same formats.
POSITIONAL = frozenset({"csv", "tsv", "psv", "txt", "text", "fixed", "fixedwidth", "fixed-width", "fwf"})
_FILES = frozenset({"s3", "gcs", "azure", "adls", "abfs", "sftp", "ftp", "local", "hdfs", "dbfs", "file"})
_TABLE_FORMATS = frozenset({"delta", "iceberg", "hudi"})


def is_positional(servers: tuple[Server, ...]) -> bool:
    """Whether some reader finds columns by their place."""
    return any(_format_of(server) in POSITIONAL for server in servers)


def is_read_by_path(servers: tuple[Server, ...]) -> bool:
    """Whether partitions are folders that readers name, as with plain files."""
    return any(folded(server.type) in _FILES and _format_of(server) not in _TABLE_FORMATS for server in servers)


def _format_of(server: Server) -> str:
    value = server.coordinates.get("format")
    return folded(value) if isinstance(value, str) else ""


def order_facts(place: Place, old: SchemaObject, new: SchemaObject, renames: Renames) -> Iterator[Fact]:
    """Readers by position are safe only when every column they know stays where it was."""
    now = [composed(prop.name) for prop in new.properties]
    known = [composed(follow((old.name, prop.name), renames)[-1]) for prop in old.properties]
    left = set(now)
    kept = [name for name in known if name in left]
    if now[: len(kept)] != kept:
        texts = (", ".join(prop.name for prop in old.properties), ", ".join(prop.name for prop in new.properties))
        yield place.fact(FactKind.PROPERTY_ORDER_CHANGED, *texts, key="properties")
