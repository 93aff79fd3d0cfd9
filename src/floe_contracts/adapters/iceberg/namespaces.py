"""Namespaces of a PyIceberg catalog: opened when first needed, every call within the deadline, errors made plain."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from ...errors import FloeError, MissingExtra, SettingsError
from ...identity.names import Levels, flat_form
from ...identity.namespaces import Properties
from ...identity.protocol import CatalogBusy, CatalogRefused, CatalogUnreachable
from .deadline import Deadline, TimeIsOver
from .failures import CatalogFailure, classify
from .loaders import LOADERS, Loader, place_of

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog

Value = TypeVar("Value")

_SENTINEL = {"exists": "true"}  # PyIceberg writes it only where there are no properties, Java's SQL catalog always
_OPENINGS = 5  # of an empty database that others open too
_NOISY = ("pyiceberg", "sqlalchemy", "botocore", "urllib3", "thrift")


class IcebergNamespaces:
    """A catalog by its settings, which are read again when it is opened anew."""

    def __init__(
        self,
        settings: Callable[[], Mapping[str, Any]],
        deadline: Deadline,
        *,
        look_only: bool = False,
    ) -> None:
        self._settings = settings
        self._deadline = deadline
        self._look_only = look_only
        self._open: tuple[Catalog, Loader] | None = None
        self._about = "the catalog"

    def put_if_absent(self, name: Levels, properties: Properties) -> bool:
        try:
            self._call(lambda catalog, loader: _create(catalog, loader, name, properties))
            return True
        except _CallFailed as error:
            if error.kind is CatalogFailure.EXISTS:
                return False
            if error.kind is CatalogFailure.ABSENT and len(name) > 1:  # some catalogs want the parent first
                self.put_if_absent(name[:-1], {})
                return self._put_below(name, properties)
            return self._read_back(name, error)

    def _put_below(self, name: Levels, properties: Properties) -> bool:
        try:
            self._call(lambda catalog, loader: _create(catalog, loader, name, properties))
            return True
        except _CallFailed as error:
            return False if error.kind is CatalogFailure.EXISTS else self._read_back(name, error)

    def _read_back(self, name: Levels, error: _CallFailed) -> bool:
        """What became of a creation that ended in an error: the answer may be lost while the namespace is there."""
        if error.kind in (CatalogFailure.RACED, CatalogFailure.UNREACHABLE):
            with suppress(FloeError):
                if self.read(name) is not None:
                    return False
        raise self._plain(error) from None

    def read(self, name: Levels) -> Properties | None:
        try:
            return self._call(lambda catalog, loader: _read(catalog, loader, name))
        except _CallFailed as error:
            if error.kind is CatalogFailure.ABSENT:
                return None
            raise self._plain(error) from None

    def update(self, name: Levels, properties: Properties, removed: Iterable[str] = ()) -> None:
        gone = set(removed)
        try:
            self._call(
                lambda catalog, loader: catalog.update_namespace_properties(
                    _shape(loader, name), removals=gone or None, updates=dict(properties)
                )
            )
        except _CallFailed as error:
            if error.kind is not CatalogFailure.UNREACHABLE or not self._holds(name, properties, gone):
                raise self._plain(error) from None

    def _holds(self, name: Levels, properties: Properties, gone: set[str]) -> bool:
        """Whether an update was made although its answer was an error."""
        with suppress(FloeError):
            stored = self.read(name) or {}
            return properties.items() <= stored.items() and not gone & stored.keys()
        return False

    def below(self, name: Levels) -> list[Levels]:
        try:
            return self._call(lambda catalog, loader: _below(catalog, loader, name))
        except _CallFailed as error:
            if error.kind is CatalogFailure.ABSENT:
                return []
            raise self._plain(error) from None

    def close(self) -> None:
        if self._open is not None:
            catalog, self._open = self._open[0], None
            with suppress(Exception):
                self._deadline.call(catalog.close)

    def _call(self, act: Callable[[Catalog, Loader], Value]) -> Value:
        """One call; after a refusal the catalog is opened once more, for its token may have expired."""
        try:
            return self._once(act)
        except _CallFailed as error:
            if error.kind is not CatalogFailure.REFUSED:
                raise
        self.close()
        return self._once(act)

    def _once(self, act: Callable[[Catalog, Loader], Value]) -> Value:
        catalog, loader = self._opened()
        try:
            return self._deadline.call(lambda: act(catalog, loader))
        except TimeIsOver:
            self._open = None  # its connection may be in the hands of the call that was left behind
            raise self._late() from None
        except FloeError:
            raise
        except Exception as error:
            kind = classify(error)
            if kind is not CatalogFailure.UNREACHABLE:
                self._deadline.answered()
            raise _CallFailed(kind) from None

    def _opened(self) -> tuple[Catalog, Loader]:
        if self._open is None:
            settings = dict(self._settings())
            loader = loader_of(settings)
            place = place_of(settings)
            self._about = f"the catalog ({loader.label}{', ' + place if place else ''})"
            self._open = self._opening(loader, settings), loader
        return self._open

    def _opening(self, loader: Loader, settings: dict[str, Any]) -> Catalog:
        for name in _NOISY:  # what they log may hold statements and addresses
            logging.getLogger(name).setLevel(logging.CRITICAL)
        name = str(settings.pop("name", "") or "floe")
        if self._look_only:
            settings["init_catalog_tables"] = "false"
        try:
            kind = loader.load()  # not in a thread: one that is left behind must not hold half a module
        except (ImportError, NameError) as error:
            raise MissingExtra(loader.label, loader.extra) from error
        prepared = loader.prepare(settings)
        for _ in range(_OPENINGS - 1):
            with suppress(CatalogBusy):
                return self._open_once(lambda: kind(name, **prepared), loader)
        return self._open_once(lambda: kind(name, **prepared), loader)

    def _open_once(self, act: Callable[[], Catalog], loader: Loader) -> Catalog:
        try:
            # To look only, PyIceberg's SQL catalog opens without a database that answers: it swallows the error.
            return self._deadline.call(act, answers=not self._look_only)
        except TimeIsOver:
            raise self._late() from None
        except FloeError:
            raise
        except Exception as error:
            kind = classify(error)
            if kind is CatalogFailure.MISSING:
                raise MissingExtra(loader.label, _extra_for(loader, error)) from None
            raise self._plain(_CallFailed(kind)) from None

    def _late(self) -> CatalogUnreachable:
        return CatalogUnreachable(f"{self._about} did not answer in time", may_pass=False)

    def _plain(self, error: _CallFailed) -> FloeError:
        if error.kind is CatalogFailure.REFUSED:
            return CatalogRefused(
                f"{self._about} refuses the credentials",
                fix="Check what identity.catalog names, and that the account may create namespaces.",
            )
        if error.kind is CatalogFailure.RACED:
            return CatalogBusy(f"{self._about} is written by others at the same time")
        if error.kind is CatalogFailure.UNREACHABLE:
            return CatalogUnreachable(f"{self._about} cannot be reached or does not answer as one")
        return SettingsError(
            f"{self._about} refuses what was sent to it", fix="Check identity.catalog: type, uri and their spelling."
        )


class _CallFailed(Exception):
    """What an error meant."""

    def __init__(self, kind: CatalogFailure) -> None:
        super().__init__(kind.value)
        self.kind = kind


def loader_of(settings: Mapping[str, Any]) -> Loader:
    """The row for a kind of catalog."""
    kind = str(settings.get("type", "")).strip().lower() or ("sql" if "://" in str(settings.get("uri", "")) else "")
    if kind not in LOADERS:
        raise SettingsError(
            f"a catalog of the type {kind!r} is not known", fix=f"Write one of {', '.join(LOADERS)} as its type."
        )
    return LOADERS[kind]


def _extra_for(loader: Loader, error: BaseException) -> str:
    return "postgres" if "psycopg" in str(getattr(error, "name", "") or "") else loader.extra


def _shape(loader: Loader, name: Levels) -> Levels:
    shaped = flat_form(name) if loader.flat else name
    if len(".".join(shaped)) > loader.longest:
        raise SettingsError(
            f"the namespace {'.'.join(name)} is longer than the {loader.longest} characters that {loader.label} keeps",
            fix="Choose shorter names of domain and product.",
        )
    return shaped


def _create(catalog: Catalog, loader: Loader, name: Levels, properties: Properties) -> None:
    # PyIceberg's own SQL catalog inserts a row per property: without a row that all share, two creators both succeed.
    own = type(catalog).__name__ == "SqlCatalog"
    catalog.create_namespace(_shape(loader, name), {**properties, **(_SENTINEL if own else {})})


def _read(catalog: Catalog, loader: Loader, name: Levels) -> Properties:
    return {
        key: value
        for key, value in catalog.load_namespace_properties(_shape(loader, name)).items()
        if (key, value) not in _SENTINEL.items()
    }


def _below(catalog: Catalog, loader: Loader, name: Levels) -> list[Levels]:
    if not loader.flat:
        return sorted(tuple(item) for item in catalog.list_namespaces(name) if len(item) == len(name) + 1)
    start = flat_form((*name, ""))[0]
    return sorted(
        (*name, item[0].removeprefix(start)) for item in catalog.list_namespaces() if item[0].startswith(start)
    )
