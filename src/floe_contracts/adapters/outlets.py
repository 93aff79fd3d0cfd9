"""Everybody who is told of results, as the settings and the environment say; who is not configured costs nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from ..errors import MissingExtra
from ..monitor.settings import MonitoringConfig
from .delivery import Outlets


@dataclass(frozen=True, slots=True)
class _Kind:
    """A module of adapters.sinks, what it is called, the extra it needs, and how one sees that it is wanted."""

    module: str
    feature: str
    extra: str
    variables: tuple[str, ...]


_KINDS = (
    _Kind("openlineage", "sending lineage", "spark", ("OPENLINEAGE_URL", "OPENLINEAGE_CONFIG", "OPENLINEAGE__")),
    _Kind("otel", "sending telemetry", "otel", ("OTEL_EXPORTER_OTLP_",)),
    _Kind("webhook", "calling a webhook", "spark", ("FLOE_WEBHOOK_URL",)),
    _Kind("pushgateway", "pushing metrics", "spark", ("FLOE_PUSHGATEWAY_URL",)),
)


def outlets_for(config: MonitoringConfig, environ: Mapping[str, str]) -> Outlets:
    """Sinks and mirrors that are configured; one whose packages are missing is an error only when it is wanted."""
    made = [one for kind in _KINDS for one in _made(kind, config, environ)]
    return Outlets(
        sinks=tuple(one for one in made if hasattr(one, "deliver")),
        mirrors=tuple(one for one in made if hasattr(one, "push")),
    )


def _made(kind: _Kind, config: MonitoringConfig, environ: Mapping[str, str]) -> tuple[Any, ...]:
    try:
        module = import_module(f".sinks.{kind.module}", __package__)
        found = module.from_environment(config, environ)
    except ModuleNotFoundError as missing:
        if not _wanted(kind, environ):
            return ()
        if (missing.name or "").startswith("floe_contracts"):
            raise
        raise MissingExtra(kind.feature, kind.extra) from None
    if found is None:
        return ()
    return found if isinstance(found, tuple) else (found,)


def _wanted(kind: _Kind, environ: Mapping[str, str]) -> bool:
    return any(text and name.startswith(kind.variables) for name, text in environ.items())
