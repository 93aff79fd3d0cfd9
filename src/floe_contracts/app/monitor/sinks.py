"""The sinks and mirrors that settings and environment configure; one that is not configured costs nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ...errors import FloeError, MissingExtra
from ...monitor.settings.model import MonitoringConfig
from ...render.safe import log_safe
from .drain import Sinks

Environ = Mapping[str, str]


def _load_openlineage(config: MonitoringConfig, environ: Environ) -> Sinks:
    from ...adapters.sinks.openlineage import from_environment

    return Sinks(sinks=from_environment(config, environ) or ())


def _load_otel(config: MonitoringConfig, environ: Environ) -> Sinks:
    from ...adapters.sinks.otel import SpanSink, from_environment

    made = from_environment(config, environ) or ()
    spans = tuple(sink for sink in made if isinstance(sink, SpanSink))
    return Sinks(spans, tuple(mirror for mirror in made if not isinstance(mirror, SpanSink)))


def _load_webhook(config: MonitoringConfig, environ: Environ) -> Sinks:
    from ...adapters.sinks.webhook import from_environment

    webhook = from_environment(config, environ)
    return Sinks(sinks=(webhook,) if webhook else ())


def _load_pushgateway(config: MonitoringConfig, environ: Environ) -> Sinks:
    from ...adapters.sinks.pushgateway import from_environment

    gateway = from_environment(config, environ)
    return Sinks(mirrors=(gateway,) if gateway else ())


@dataclass(frozen=True, slots=True)
class _Kind:
    """A loader, what it is called, the extra it needs, and the variables by which one sees that it is wanted."""

    load: Callable[[MonitoringConfig, Environ], Sinks]
    feature: str
    extra: str
    variables: tuple[str, ...]


_KINDS = (
    _Kind(_load_openlineage, "sending lineage", "store", ("OPENLINEAGE_URL", "OPENLINEAGE_CONFIG", "OPENLINEAGE__")),
    _Kind(_load_otel, "sending telemetry", "otel", ("OTEL_EXPORTER_OTLP_",)),
    _Kind(_load_webhook, "calling a webhook", "store", ("FLOE_WEBHOOK_URL",)),
    _Kind(_load_pushgateway, "pushing metrics", "store", ("FLOE_PUSHGATEWAY_URL",)),
)


def load_sinks(config: MonitoringConfig, environ: Environ) -> Sinks:
    """Sinks and mirrors that are configured; one that cannot be made becomes a note, and data is measured all the same.

    Missing packages are worth a note only to whoever is wanted.
    """
    loaded = [_try(kind, config, environ) for kind in _KINDS]
    return Sinks(
        sinks=tuple(sink for sinks in loaded for sink in sinks.sinks),
        mirrors=tuple(mirror for sinks in loaded for mirror in sinks.mirrors),
        notes=tuple(note for sinks in loaded for note in sinks.notes),
    )


def _try(kind: _Kind, config: MonitoringConfig, environ: Environ) -> Sinks:
    try:
        return kind.load(config, environ)
    except ModuleNotFoundError:
        missing = _explain(kind, MissingExtra(kind.feature, kind.extra))
        return Sinks(notes=(missing,) if _is_wanted(kind, environ) else ())
    except Exception as error:  # clusters put variables into every container: a run must not end by them
        return Sinks(notes=(_explain(kind, error),))


def _explain(kind: _Kind, error: Exception) -> str:
    """The note on one that cannot be made; words of other packages may hold an address, so they are not repeated."""
    if isinstance(error, MissingExtra):
        why = f"its packages are not installed here. {error.fix} adds them."
    elif isinstance(error, FloeError):
        why = f"{error.message}. {error.fix}"
    else:
        why = f"it cannot be set up ({type(error).__name__}). Look at the variables {kind.variables[0]}…"
    return log_safe(f"{kind.feature.capitalize()} was left out: {why}".strip(), 600)


def _is_wanted(kind: _Kind, environ: Environ) -> bool:
    return any(text and name.startswith(kind.variables) for name, text in environ.items())
