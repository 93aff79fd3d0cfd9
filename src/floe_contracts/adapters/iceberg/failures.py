"""What the libraries of catalogs raise, sorted by what can be done about it.

They share no base class and their texts hold addresses, statements and passwords: only the kind of an error leaves
here, never its words.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum


class Failure(Enum):
    """What an error means."""

    EXISTS = "exists"
    ABSENT = "absent"
    RACED = "raced"  # another writer was quicker
    REFUSED = "refused"
    UNREACHABLE = "unreachable"
    MISSING = "missing"  # a package
    UNUSABLE = "unusable"  # a setting or value that the catalog cannot take


# By module and name of a class or of one of its bases; the first row that fits decides.
_KINDS: tuple[tuple[str, Failure], ...] = (
    ("pyiceberg.exceptions.NamespaceAlreadyExistsError", Failure.EXISTS),
    ("pyiceberg.exceptions.NoSuchNamespaceError", Failure.ABSENT),
    ("pyiceberg.exceptions.UnauthorizedError", Failure.REFUSED),
    ("pyiceberg.exceptions.ForbiddenError", Failure.REFUSED),
    ("pyiceberg.exceptions.AuthorizationExpiredError", Failure.REFUSED),
    ("pyiceberg.exceptions.OAuthError", Failure.REFUSED),
    ("pyiceberg.exceptions.BadRequestError", Failure.UNUSABLE),
    ("pyiceberg.exceptions.NoSuchPropertyException", Failure.UNUSABLE),
    ("pyiceberg.exceptions.NotInstalledError", Failure.MISSING),
    ("pyiceberg.exceptions.RESTError", Failure.UNREACHABLE),
    ("requests.exceptions.InvalidURL", Failure.UNUSABLE),
    ("requests.exceptions.MissingSchema", Failure.UNUSABLE),
    ("requests.exceptions.InvalidSchema", Failure.UNUSABLE),
    ("requests.exceptions.RequestException", Failure.UNREACHABLE),
    ("pydantic_core._pydantic_core.ValidationError", Failure.UNREACHABLE),  # an answer that is no catalog's
    ("json.decoder.JSONDecodeError", Failure.UNREACHABLE),
    ("sqlalchemy.exc.IntegrityError", Failure.RACED),
    ("sqlalchemy.exc.DataError", Failure.UNUSABLE),
    ("sqlalchemy.exc.NoSuchModuleError", Failure.UNUSABLE),
    ("sqlalchemy.exc.ArgumentError", Failure.UNUSABLE),
    ("sqlalchemy.exc.OperationalError", Failure.UNREACHABLE),
    ("sqlalchemy.exc.InterfaceError", Failure.UNREACHABLE),
    ("sqlalchemy.exc.TimeoutError", Failure.UNREACHABLE),
    ("thrift.Thrift.TException", Failure.UNREACHABLE),
    ("botocore.exceptions.NoCredentialsError", Failure.REFUSED),
    ("botocore.exceptions.PartialCredentialsError", Failure.REFUSED),
    ("botocore.exceptions.NoRegionError", Failure.UNUSABLE),
    ("botocore.exceptions.BotoCoreError", Failure.UNREACHABLE),
    ("builtins.ModuleNotFoundError", Failure.MISSING),
    ("builtins.OSError", Failure.UNREACHABLE),
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
_STATUSES = {401: Failure.REFUSED, 403: Failure.REFUSED, 404: Failure.ABSENT, 409: Failure.RACED}
_NO_TABLE = ("no such table", "42p01")
_MADE_MEANWHILE = ("already exists", "42p07", "23505")


def classify(error: BaseException) -> Failure:
    """What an error of a catalog's library means."""
    names = set(_names(error))
    if "sqlalchemy.exc.DBAPIError" in names and "sqlalchemy.exc.IntegrityError" not in names:
        special = _of_database(error)
        if special is not None:
            return special
    if "botocore.exceptions.ClientError" in names:
        return _of_aws(error)
    if type(error).__name__ == "RESTError":  # a status that PyIceberg has no class for
        return _STATUSES.get(_status(error), Failure.UNREACHABLE)
    return next((kind for name, kind in _KINDS if name in names), Failure.UNUSABLE)


def _names(error: BaseException) -> Iterator[str]:
    return (f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__)


def _status(error: BaseException) -> int:
    return int(getattr(getattr(error.__cause__, "response", None), "status_code", 0) or 0)


def _of_database(error: BaseException) -> Failure | None:
    driver = getattr(error, "orig", None)
    state, words = str(getattr(driver, "sqlstate", "") or "").lower(), str(driver).lower()
    if state.startswith("28") or state == "42501" or "authentication failed" in words or "no password" in words:
        return Failure.REFUSED
    if state in _NO_TABLE or any(text in words for text in _NO_TABLE):
        return Failure.ABSENT
    if state in _MADE_MEANWHILE or any(text in words for text in _MADE_MEANWHILE):
        return Failure.RACED
    return None


def _of_aws(error: BaseException) -> Failure:
    response = getattr(error, "response", {})
    code = str(response.get("Error", {}).get("Code", "")).lower()
    status = response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    if any(word in code for word in _REFUSING) or status in (401, 403):
        return Failure.REFUSED
    if any(word in code for word in _PASSING) or status >= 500 or status == 429:
        return Failure.UNREACHABLE
    return Failure.ABSENT if code == "entitynotfoundexception" else Failure.UNUSABLE
