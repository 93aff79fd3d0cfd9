"""Alert rules as values, and as the document that Prometheus loads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ..codes import Severity
from ..contract.model import Json


@dataclass(frozen=True, slots=True)
class Alert:
    """One rule; `summary` and `action` may use Prometheus' templates, such as {{ $labels.contract }}."""

    name: str
    expr: str
    severity: Severity | str
    summary: str
    action: str
    for_s: int = 0
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AlertGroup:
    """Rules that are looked at together, in order."""

    name: str
    alerts: tuple[Alert, ...]


def rules_document(groups: Iterable[AlertGroup]) -> dict[str, Json]:
    """What `promtool check rules` reads."""
    return {"groups": [{"name": group.name, "rules": [_rule(each) for each in group.alerts]} for group in groups]}


def _rule(alert: Alert) -> dict[str, Json]:
    waits: dict[str, Json] = {"for": duration(alert.for_s)} if alert.for_s else {}
    severity = alert.severity.value if isinstance(alert.severity, Severity) else alert.severity
    return {
        "alert": alert.name,
        "expr": alert.expr,
        **waits,
        "labels": {"severity": severity, **alert.labels},
        "annotations": {"summary": alert.summary, "description": alert.action},
    }


def selector(**labels: str) -> str:
    """Label matchers for series of exactly these labels."""
    return "{" + ",".join(f'{name}="{_quote(text)}"' for name, text in labels.items()) + "}"


def _quote(text: str) -> str:
    """What stands between the quotes of a label in PromQL."""
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')


def plain(text: str) -> str:
    """Somebody's words inside a template, as nothing but words."""
    return " ".join(text.replace("{", "(").replace("}", ")").split())


def duration(seconds: int) -> str:
    """As Prometheus writes it, in the largest unit that fits."""
    for size, unit in ((86400, "d"), (3600, "h"), (60, "m")):
        if seconds and seconds % size == 0:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"
