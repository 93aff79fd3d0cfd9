"""The names of tables in lineage: namespace and name by OpenLineage's naming, so that others' events meet ours.

https://openlineage.io/docs/spec/naming lists the forms. Names hold no user, no password and no options of a URL.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple
from uuid import UUID

from ..checks.moments import moment
from ..contract.meaning.systems import USUAL_PORTS, system_of
from ..monitor.source.binding import Binding
from ..monitor.source.server_types import Reach
from ..monitor.store.protocol import Claim, SlotOutcome


class DatasetName(NamedTuple):
    namespace: str
    name: str


def dataset_name(binding: Binding, own_namespace: str, folder: str = "") -> DatasetName:
    """The name of a bound table; what only this process knows stands in the job's own namespace.

    `folder` is where the job runs: names of local files are absolute, as those of other tools are.
    """
    if binding.reach is Reach.FILES:
        return _file(binding.location, folder)
    if binding.reach is Reach.JDBC:
        return _database(binding)
    if binding.reach is Reach.KAFKA:
        return DatasetName(f"kafka://{_first_host(binding.location)}", binding.name)
    if binding.reach is Reach.TABLE:
        return DatasetName(_catalog(binding), binding.name)
    return DatasetName(own_namespace, binding.name)


_URL = re.compile(r"([a-z][a-z0-9+.-]*)://([^/?#]*)/*([^?#]*)", re.IGNORECASE)
_SCHEMES = {"s3a": "s3", "s3n": "s3", "gcs": "gs"}
_CONTAINERS = ("abfs", "abfss", "wasb", "wasbs")  # before the @ stands a container, not a user


def _file(location: str, folder: str) -> DatasetName:
    url = _URL.match(location)
    scheme = url[1].lower() if url else ""
    if url is None or scheme == "file":
        path = re.sub(r"^file:/*", "/", location, flags=re.IGNORECASE)
        return DatasetName("file", posixpath.join(folder, path).rstrip("/") or "/")
    authority = url[2] if scheme in _CONTAINERS else url[2].rpartition("@")[2]
    path = url[3].rstrip("/")
    rooted = scheme in ("hdfs", "viewfs", "dbfs")
    return DatasetName(f"{_SCHEMES.get(scheme, scheme)}://{authority}", f"/{path}" if rooted else path or "/")


def _catalog(binding: Binding) -> str:
    """The namespace of a catalog: its address where that is known, else its type."""
    options = {key: str(value) for key, value in binding.options}
    place = options.get("catalogUrl") or options.get("warehouse", "")
    url = _URL.match(place)
    if url is None:
        return binding.type.strip().casefold()
    authority = url[2] if url[1].lower() in _CONTAINERS else url[2].rpartition("@")[2]
    scheme = _SCHEMES.get(url[1].lower(), url[1].lower())
    return f"{scheme}://{authority}/{url[3]}".rstrip("/")


def _first_host(servers: str) -> str:
    """Clients may list the brokers of one cluster in any order and number; the first by name stands for all."""
    hosts = sorted(host.strip().rpartition("@")[2].rpartition("/")[2] for host in servers.split(",") if host.strip())
    first = hosts[0] if hosts else ""
    return first if re.search(r":\d+$", first) else f"{first}:9092"


class _Jdbc(NamedTuple):
    """A JDBC URL taken apart."""

    scheme: str
    host: str
    port: str
    database: str


_JDBC = re.compile(r"jdbc:([a-z0-9-]+):([^?;#]*)", re.IGNORECASE)
_PLACE = re.compile(r"(?:direct=)?(?:(?:[a-z]+:)?//)?([^/]*)/?(.*)", re.IGNORECASE)
_SPELLED = {"postgresql": "postgres", "sqlserver": "mssql", "informix-sqli": "informix"}
# The schema that a name without one means.
_SCHEMAS = {"postgres": "public", "redshift": "public", "mssql": "dbo", "sqlserver": "dbo"}


def _database(binding: Binding) -> DatasetName:
    taken = _split_jdbc(binding.location)
    if binding.type.casefold() == "synapse":
        taken = taken._replace(scheme="sqlserver")
    return _DATABASES.get(taken.scheme, _by_host)(taken, binding.name.split("."))


def _split_jdbc(url: str) -> _Jdbc:
    match = _JDBC.match(url)
    if match is None:
        return _Jdbc("jdbc", "", "", "")
    scheme = _SPELLED.get(match[1].lower(), match[1].lower())
    place = _PLACE.fullmatch(match[2].rpartition("@")[2])  # users and passwords stand before the last @
    servers, database = (place[1], place[2]) if place else ("", "")
    host, _, port = servers.split(",")[0].partition(":")
    named = re.search(r"[;?&](?:databaseName|database|db)=([^;&]+)", url, re.IGNORECASE)
    return _Jdbc(scheme, host, port or USUAL_PORTS.get(system_of(scheme), ""), named[1] if named else database)


def _by_host(at: _Jdbc, table: Sequence[str]) -> DatasetName:
    """`scheme://host:port` and `database.schema.table`; one without a schema means the usual one."""
    usual = _SCHEMAS.get(at.scheme)
    full = [usual, *table] if usual and len(table) == 1 else list(table)
    database = at.database.strip("/").replace("/", ".")
    parts = full if len(full) > 2 or not database else [database, *full]
    where = f"{at.host}:{at.port}" if at.port else at.host
    return DatasetName(f"{at.scheme}://{where}", ".".join(parts))


def _without_schema(at: _Jdbc, table: Sequence[str]) -> DatasetName:
    """Where a schema is a database."""
    named = table if len(table) > 1 else [part for part in (at.database, *table) if part]
    return DatasetName(f"{at.scheme}://{at.host}:{at.port}", ".".join(named))


def _snowflake(at: _Jdbc, table: Sequence[str]) -> DatasetName:
    account = at.host.removesuffix(".snowflakecomputing.com")
    full = table if len(table) > 2 or not at.database else [at.database, *table]
    return DatasetName(f"snowflake://{account}", ".".join(full))


def _redshift(at: _Jdbc, table: Sequence[str]) -> DatasetName:
    """Known by cluster and region, which stand in the host's name."""
    match = re.match(r"([^.]+)\.[^.]+\.([^.]+)\.redshift", at.host)
    return _by_host(at._replace(host=f"{match[1]}.{match[2]}") if match else at, table)


def _local(at: _Jdbc, table: Sequence[str]) -> DatasetName:
    return DatasetName(f"{at.scheme}", ".".join(table))


_DATABASES: dict[str, Callable[[_Jdbc, Sequence[str]], DatasetName]] = {
    "mysql": _without_schema,
    "mariadb": _without_schema,
    "clickhouse": _without_schema,
    "teradata": _without_schema,
    "snowflake": _snowflake,
    "redshift": _redshift,
    "duckdb": _local,
}


_VERSION, _VARIANT = 0x7000 << 64, 0x8000 << 48


def run_id(outcome: SlotOutcome) -> UUID:
    """One id per attempt; another attempt is another run, because a finished run must not get a second end."""
    return attempt_id(outcome.claim, outcome.slot_us)


def attempt_id(claim: Claim, moment_us: int) -> UUID:
    """The same for an attempt that has not ended yet."""
    promise = f"{claim.promise}|" if claim.promise else ""
    return static_uuid(moment_us, f"{claim.key}|{promise}{claim.attempt}".encode())


def static_uuid(moment_us: int, text: bytes) -> UUID:
    """The time in milliseconds, then a hash: bit by bit what openlineage's generate_static_uuid makes.

    Receivers refuse UUIDv5 and sort by the time in the id, so neither a plain hash nor chance would do.
    """
    when = moment(moment_us)
    # A checksum, not a secret; the client uses it, and other tools derive the ids of their runs the same way.
    digest = hashlib.sha1(when.isoformat().encode() + text, usedforsecurity=False).digest()
    number = (moment_us // 1000 & 0xFFFFFFFFFFFF) << 80 | int.from_bytes(digest, "big") >> 84
    number = number & ~(0xF000 << 64) | _VERSION
    return UUID(int=number & ~(0xC000 << 48) | _VARIANT)
