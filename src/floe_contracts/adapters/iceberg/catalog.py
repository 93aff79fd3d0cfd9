"""`load_catalog`: a registry from the properties of a PyIceberg catalog."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from typing import Any

from ...errors import SettingsError
from ...frozen import dataclass
from ...identity.registry import NamespaceRegistry
from ...identity.retry import RetryingNamespaces, RetryPolicy
from ...product.secret import embedded_problem
from ..files.secrets import read_setting
from ..process.environment import utc_now
from .deadline import Deadline, TimeLimits
from .namespaces import IcebergNamespaces, loader_of


@dataclass(frozen=True, slots=True)
class CatalogOptions:
    """How a catalog is called: tries and waits, limits of time, and whether anything may be written."""

    retries: RetryPolicy = RetryPolicy()
    limits: TimeLimits = TimeLimits()
    look_only: bool = False
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random


def load_catalog(mapping: Mapping[str, Any], options: CatalogOptions | None = None) -> NamespaceRegistry:
    """The registry in a catalog: `{name: floe, type: sql|rest|hive|glue, uri: …}`, PyIceberg's properties.

    Values may be `env:NAME` or `file:PATH`; a password in `uri` must be. The catalog is opened when it is first asked.
    """
    options = options or CatalogOptions()
    uri = mapping.get("uri")
    problem = embedded_problem(uri, "write uri: env:NAME or file:PATH") if isinstance(uri, str) else ""
    if problem:
        raise SettingsError(f"uri of the catalog: {problem}")
    if not str(mapping.get("type", "")).startswith(("env:", "file:")):
        loader_of(mapping)
    deadline = Deadline(options.limits)
    inner = IcebergNamespaces(lambda: _reveal(mapping), deadline, look_only=options.look_only)

    def pause(seconds: float) -> None:
        deadline.pause(seconds, options.sleep)

    namespaces = RetryingNamespaces(inner, options.retries, pause, options.chance)
    return NamespaceRegistry(namespaces, lambda: utc_now().isoformat(timespec="seconds"))


def _reveal(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings with their secrets, for the moment of opening; what comes out must not be printed."""
    return {key: _value(value) for key, value in settings.items()}


def _value(value: Any) -> Any:
    if isinstance(value, Mapping):
        return _reveal(value)
    if isinstance(value, bool):
        return str(value).lower()
    return read_setting(value) if isinstance(value, str) else str(value)
