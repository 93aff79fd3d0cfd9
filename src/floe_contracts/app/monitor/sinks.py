"""Everybody who is told of results, as the settings and the environment say; who is not configured costs nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from ...errors import FloeError, MissingExtra
from ...monitor.settings.model import MonitoringConfig
from ...render.safe import log_safe
from .drain import Sinks


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


def outlets_for(config: MonitoringConfig, environ: Mapping[str, str]) -> Sinks:
    """Sinks and mirrors that are configured; one that cannot be made becomes a note, and data is measured all the same.

    Missing packages are worth a note only to whoever is wanted.
    """
    tried = [_tried(kind, config, environ) for kind in _KINDS]
    made = [one for found, _ in tried for one in found]
    return Sinks(
        sinks=tuple(one for one in made if hasattr(one, "deliver")),
        mirrors=tuple(one for one in made if hasattr(one, "push")),
        notes=tuple(note for _, note in tried if note),
    )


def _tried(kind: _Kind, config: MonitoringConfig, environ: Mapping[str, str]) -> tuple[tuple[Any, ...], str]:
    try:
        return _made(kind, config, environ), ""
    except Exception as error:  # clusters put variables into every container: a run must not end by them
        return (), _left_out(kind, error)


def _made(kind: _Kind, config: MonitoringConfig, environ: Mapping[str, str]) -> tuple[Any, ...]:
    try:
        module = import_module(f"...adapters.sinks.{kind.module}", __package__)
        found = module.from_environment(config, environ)
    except ModuleNotFoundError:
        if not _wanted(kind, environ):
            return ()
        raise MissingExtra(kind.feature, kind.extra) from None
    if found is None:
        return ()
    return found if isinstance(found, tuple) else (found,)


def _left_out(kind: _Kind, error: Exception) -> str:
    """Words of other packages may hold an address, so they are not repeated."""
    if isinstance(error, MissingExtra):
        why = f"its packages are not installed here. {error.fix} adds them."
    elif isinstance(error, FloeError):
        why = f"{error.message}. {error.fix}"
    else:
        why = f"it cannot be set up ({type(error).__name__}). Look at the variables {kind.variables[0]}…"
    return log_safe(f"{kind.feature.capitalize()} was left out: {why}".strip(), 600)


def _wanted(kind: _Kind, environ: Mapping[str, str]) -> bool:
    return any(text and name.startswith(kind.variables) for name, text in environ.items())
