"""The kinds of catalogs that can be opened: one row each."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ...errors import SettingsError
from ...frozen import dataclass

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog

Settings = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Loader:
    """How a kind of catalog is opened, and what its namespaces can be."""

    label: str
    extra: str
    open: Callable[[str, Settings], Catalog]
    flat: bool = False  # one level only
    longest: int = 255  # characters of a name


def _open_sql(name: str, settings: Settings) -> Catalog:
    from pyiceberg.catalog.sql import SqlCatalog

    return SqlCatalog(name, **{**settings, "uri": sql_address(str(settings.get("uri", "")))})


def _open_rest(name: str, settings: Settings) -> Catalog:
    from pyiceberg.catalog.rest import RestCatalog

    return RestCatalog(name, **settings)


def _open_hive(name: str, settings: Settings) -> Catalog:
    from pyiceberg.catalog.hive import HiveCatalog

    return HiveCatalog(name, **settings)


def _open_glue(name: str, settings: Settings) -> Catalog:
    from pyiceberg.catalog.glue import GlueCatalog

    return GlueCatalog(name, **{"glue.max-retries": "1", **settings})


LOADERS: dict[str, Loader] = {
    "sql": Loader("SQL", "catalog", _open_sql),
    "rest": Loader("Iceberg REST", "catalog", _open_rest),
    "hive": Loader("Hive Metastore", "catalog-hive", _open_hive, flat=True, longest=128),
    "glue": Loader("AWS Glue", "catalog-glue", _open_glue, flat=True),
}
_POSTGRES = ("postgresql", "postgres", "postgresql+psycopg")


def sql_address(uri: str) -> str:
    """An address that SQLAlchemy opens with the drivers that floe brings, and that does not wait for ever."""
    scheme, _, rest = uri.partition("://")
    if scheme == "sqlite":
        _make_folder(uri)
        return _with_option(uri, "timeout", "30")
    if scheme in _POSTGRES:
        return _with_option(f"postgresql+psycopg://{rest}", "connect_timeout", "10")
    raise SettingsError(
        "the uri of the catalog is no address of a database that floe knows",
        fix="Write sqlite:///FILE or postgresql+psycopg://USER@HOST/DATABASE.",
    )


def sqlite_file(settings: Settings) -> str:
    """The file of a catalog in SQLite; empty for every other catalog."""
    uri = str(settings.get("uri", ""))
    return uri.removeprefix("sqlite:///").partition("?")[0] if uri.startswith("sqlite:///") else ""


def place_of(settings: Settings) -> str:
    """Where a catalog is, as messages may say it: without user, password, path and query."""
    try:
        parts = urlsplit(str(settings.get("uri") or settings.get("glue.endpoint") or ""))
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return ""
    return f"{host}:{port}" if host and port else host


def _make_folder(uri: str) -> None:
    folder = os.path.dirname(sqlite_file({"uri": uri}))
    if folder:
        os.makedirs(folder, exist_ok=True)


def _with_option(uri: str, name: str, value: str) -> str:
    query = urlsplit(uri).query
    return uri if f"{name}=" in query else f"{uri}{'&' if query else '?'}{name}={value}"
