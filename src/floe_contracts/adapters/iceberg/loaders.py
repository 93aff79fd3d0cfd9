"""The kinds of catalogs that can be opened: one row each."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ...errors import SettingsError
from ...frozen import dataclass
from ..files.write import make_data_folder

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog

Settings = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Loader:
    """Where the class of a kind of catalog comes from, what it is told, and what its namespaces can be."""

    label: str
    extra: str
    load: Callable[[], type[Catalog]]
    prepare: Callable[[Settings], Settings] = dict
    flat: bool = False  # one level only
    longest: int = 255  # characters of a name


def _load_sql() -> type[Catalog]:
    from pyiceberg.catalog.sql import SqlCatalog

    return SqlCatalog


def _load_rest() -> type[Catalog]:
    from pyiceberg.catalog.rest import RestCatalog

    return RestCatalog


def _load_hive() -> type[Catalog]:
    from pyiceberg.catalog.hive import HiveCatalog

    return HiveCatalog


def _load_glue() -> type[Catalog]:
    from pyiceberg.catalog.glue import GlueCatalog

    return GlueCatalog


def _prepare_sql(settings: Settings) -> Settings:
    return {**settings, "uri": sql_address(str(settings.get("uri", "")))}


def _prepare_glue(settings: Settings) -> Settings:
    # The deadline counts the retries of the library too; botocore wants their number as one.
    return {**settings, "glue.max-retries": int(settings.get("glue.max-retries", 1))}


LOADERS: dict[str, Loader] = {
    "sql": Loader("SQL", "catalog", _load_sql, _prepare_sql),
    "rest": Loader("Iceberg REST", "catalog", _load_rest),
    "hive": Loader("Hive Metastore", "catalog-hive", _load_hive, flat=True, longest=128),
    "glue": Loader("AWS Glue", "catalog-glue", _load_glue, _prepare_glue, flat=True),
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
        "the uri of the catalog is not an address of a database that floe knows",
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
    if not folder:
        return
    try:
        make_data_folder(folder)
    except OSError as error:
        raise SettingsError(
            f"the folder of the catalog's file, {folder}, cannot be made: {error.strerror}",
            fix="Name a file in a folder that this user may write.",
        ) from None


def _with_option(uri: str, name: str, value: str) -> str:
    query = urlsplit(uri).query
    return uri if f"{name}=" in query else f"{uri}{'&' if query else '?'}{name}={value}"
