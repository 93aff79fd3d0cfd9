"""What the libraries of catalogs raise, sorted by what can be done about it.

They share no base class and their texts hold addresses, statements and passwords: only the kind of an error leaves
here, never its words.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum


class CatalogFailure(Enum):
    """What an error means."""

    EXISTS = "exists"
    ABSENT = "absent"
    RACED = "raced"  # another writer was quicker
    REFUSED = "refused"
    UNREACHABLE = "unreachable"
    MISSING = "missing"  # a package
    UNUSABLE = "unusable"  # a setting or value that the catalog cannot take


# By module and name of a class or of one of its bases; the first row that fits decides.
_KINDS: tuple[tuple[str, CatalogFailure], ...] = (
    ("pyiceberg.exceptions.NamespaceAlreadyExistsError", CatalogFailure.EXISTS),
    ("pyiceberg.exceptions.NoSuchNamespaceError", CatalogFailure.ABSENT),
    ("pyiceberg.exceptions.UnauthorizedError", CatalogFailure.REFUSED),
    ("pyiceberg.exceptions.ForbiddenError", CatalogFailure.REFUSED),
    ("pyiceberg.exceptions.AuthorizationExpiredError", CatalogFailure.REFUSED),
    ("pyiceberg.exceptions.OAuthError", CatalogFailure.REFUSED),
    ("pyiceberg.exceptions.BadRequestError", CatalogFailure.UNUSABLE),
    ("pyiceberg.exceptions.NoSuchPropertyException", CatalogFailure.UNUSABLE),
    ("pyiceberg.exceptions.NotInstalledError", CatalogFailure.MISSING),
    ("pyiceberg.exceptions.RESTError", CatalogFailure.UNREACHABLE),
    ("requests.exceptions.InvalidURL", CatalogFailure.UNUSABLE),
    ("requests.exceptions.MissingSchema", CatalogFailure.UNUSABLE),
    ("requests.exceptions.InvalidSchema", CatalogFailure.UNUSABLE),
    ("requests.exceptions.RequestException", CatalogFailure.UNREACHABLE),
    ("pydantic_core._pydantic_core.ValidationError", CatalogFailure.UNREACHABLE),  # an answer that is not a catalog's
    ("json.decoder.JSONDecodeError", CatalogFailure.UNREACHABLE),
    ("sqlalchemy.exc.IntegrityError", CatalogFailure.RACED),
    ("sqlalchemy.exc.DataError", CatalogFailure.UNUSABLE),
    ("sqlalchemy.exc.NoSuchModuleError", CatalogFailure.UNUSABLE),
    ("sqlalchemy.exc.ArgumentError", CatalogFailure.UNUSABLE),
    ("sqlalchemy.exc.OperationalError", CatalogFailure.UNREACHABLE),
    ("sqlalchemy.exc.InterfaceError", CatalogFailure.UNREACHABLE),
    ("sqlalchemy.exc.TimeoutError", CatalogFailure.UNREACHABLE),
    ("thrift.Thrift.TException", CatalogFailure.UNREACHABLE),
    ("botocore.exceptions.NoCredentialsError", CatalogFailure.REFUSED),
    ("botocore.exceptions.PartialCredentialsError", CatalogFailure.REFUSED),
    ("botocore.exceptions.NoRegionError", CatalogFailure.UNUSABLE),
    ("botocore.exceptions.BotoCoreError", CatalogFailure.UNREACHABLE),
    ("builtins.ModuleNotFoundError", CatalogFailure.MISSING),
    ("builtins.OSError", CatalogFailure.UNREACHABLE),
)
_REFUSING = (
    "accessdenied",
    "unrecognizedclient",
    "expiredtoken",
    "invalidsignature",
    "invalidclienttoken",
    "signature",
)
_PASSING = ("throttl", "concurrentmodification", "internalservice", "operationtimeout", "serviceunavailable")
_STATUSES = {
    401: CatalogFailure.REFUSED,
    403: CatalogFailure.REFUSED,
    404: CatalogFailure.ABSENT,
    409: CatalogFailure.RACED,
}
_NO_TABLE = ("no such table", "42p01")
_MADE_MEANWHILE = ("already exists", "42p07", "23505")


def classify(error: BaseException) -> CatalogFailure:
    """What an error of a catalog's library means."""
    names = set(_names(error))
    if "sqlalchemy.exc.DBAPIError" in names and "sqlalchemy.exc.IntegrityError" not in names:
        special = _of_database(error)
        if special is not None:
            return special
    if "botocore.exceptions.ClientError" in names:
        return _of_aws(error)
    if type(error).__name__ == "RESTError":  # a status that PyIceberg has no class for
        return _STATUSES.get(_status(error), CatalogFailure.UNREACHABLE)
    return next((kind for name, kind in _KINDS if name in names), CatalogFailure.UNUSABLE)


def _names(error: BaseException) -> Iterator[str]:
    return (f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__)


def _status(error: BaseException) -> int:
    return int(getattr(getattr(error.__cause__, "response", None), "status_code", 0) or 0)


def _of_database(error: BaseException) -> CatalogFailure | None:
    driver = getattr(error, "orig", None)
    state, words = str(getattr(driver, "sqlstate", "") or "").lower(), str(driver).lower()
    if state.startswith("28") or state == "42501" or "authentication failed" in words or "no password" in words:
        return CatalogFailure.REFUSED
    if state in _NO_TABLE or any(text in words for text in _NO_TABLE):
        return CatalogFailure.ABSENT
    if state in _MADE_MEANWHILE or any(text in words for text in _MADE_MEANWHILE):
        return CatalogFailure.RACED
    return None


def _of_aws(error: BaseException) -> CatalogFailure:
    response = getattr(error, "response", {})
    code = str(response.get("Error", {}).get("Code", "")).lower()
    status = response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    if any(word in code for word in _REFUSING) or status in (401, 403):
        return CatalogFailure.REFUSED
    if any(word in code for word in _PASSING) or status >= 500 or status == 429:
        return CatalogFailure.UNREACHABLE
    return CatalogFailure.ABSENT if code == "entitynotfoundexception" else CatalogFailure.UNUSABLE
