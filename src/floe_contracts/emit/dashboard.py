"""The dashboard that Grafana imports: how contracts stand, why, and whether monitoring itself works."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..contract.model import Json

UID = "floe-contracts"
_ON = '{floe_namespace=~"$namespace",contract=~"$contract"}'
_GROUP = '{floe_namespace=~"$namespace"}'
_DATASOURCE: dict[str, Json] = {"type": "prometheus", "uid": "$datasource"}
_WIDTH = 24


@dataclass(frozen=True, slots=True)
class Panel:
    """One picture of one expression; sizes are in Grafana's columns and rows."""

    title: str
    kind: str
    expr: str
    legend: str = "{{contract}}"
    unit: str = "none"
    width: int = 8
    height: int = 7
    steps: tuple[tuple[str, float | None], ...] = (("green", None),)  # colours from a value on


_GOOD_IS_ONE: tuple[tuple[str, float | None], ...] = (("red", None), ("green", 1))
_GOOD_IS_NONE: tuple[tuple[str, float | None], ...] = (("green", None), ("red", 1))

ROWS: tuple[tuple[str, tuple[Panel, ...]], ...] = (
    (
        "Contracts",
        (
            Panel(
                "Promises kept", "stat", f"sum(floe_contract_check_status{_ON} == bool 1)", "kept", width=6, height=4
            ),
            Panel(
                *("Promises not kept", "stat", f"sum(floe_contract_check_status{_ON} == bool 0)", "violated"),
                width=6,
                height=4,
                steps=_GOOD_IS_NONE,
            ),
            Panel(
                *("Could not be checked", "stat", f"sum(floe_contract_check_errored{_ON})", "errored"),
                width=6,
                height=4,
                steps=_GOOD_IS_NONE,
            ),
            Panel(
                "Not checked in time",
                "stat",
                f"sum(time() - floe_contract_check_last_run_timestamp_seconds{_ON}"
                f" > bool 3 * floe_contract_check_interval_seconds{_ON})",
                "missed",
                width=6,
                height=4,
                steps=_GOOD_IS_NONE,
            ),
            Panel(
                "How each promise stands",
                "state-timeline",
                f"floe_contract_check_status{_ON}",
                "{{contract}} {{check_type}}",
                width=12,
                height=9,
                steps=_GOOD_IS_ONE,
            ),
            Panel(
                "New violations",
                "timeseries",
                "sum by (contract, type, severity)"
                f" (round(increase(floe_contract_violations_total{_ON}[$__rate_interval])))",
                "{{contract}} {{type}} ({{severity}})",
                width=12,
                height=9,
            ),
        ),
    ),
    (
        "Freshness and availability",
        (
            Panel(
                "Age of the data, now",
                "timeseries",
                f"time() - floe_contract_last_update_timestamp_seconds{_ON}",
                unit="s",
            ),
            Panel("Age of the data at the last check", "timeseries", f"floe_contract_freshness_hours{_ON}", unit="h"),
            Panel("Time to arrive", "timeseries", f"floe_contract_latency_seconds{_ON}", unit="s"),
            Panel("Up", "state-timeline", f"floe_contract_availability_up{_ON}", steps=_GOOD_IS_ONE),
            Panel(
                "Availability in the window of the SLA",
                "timeseries",
                f"floe_contract_availability_ratio{_ON}",
                unit="percentunit",
            ),
            Panel("Failed probes still allowed", "timeseries", f"floe_contract_availability_budget_left{_ON}"),
        ),
    ),
    (
        "Quality and schema",
        (
            Panel("Quality score", "timeseries", f"floe_contract_quality_score{_ON}"),
            Panel("Rules not met", "timeseries", f"floe_contract_quality_rules_failed{_ON}"),
            Panel("Rows of the last complete day", "timeseries", f"floe_contract_last_day_rows{_ON}"),
            Panel("Schema drift", "state-timeline", f"floe_contract_schema_drift_detected{_ON}", steps=_GOOD_IS_NONE),
            Panel("Rows dated in the future", "timeseries", f"floe_contract_future_rows{_ON}"),
            Panel("Versions", "table", f"max by (floe_namespace, contract, version) (floe_contract_info{_ON})", ""),
        ),
    ),
    (
        "Monitoring itself",
        (
            Panel(
                "Duration of checks, 95th percentile",
                "timeseries",
                "histogram_quantile(0.95, sum by (check_type, le)"
                f" (rate(floe_contract_check_duration_seconds_bucket{_ON}[$__rate_interval])))",
                "{{check_type}}",
                unit="s",
            ),
            Panel(
                "Slots since the last check",
                "timeseries",
                f"(time() - floe_contract_check_last_run_timestamp_seconds{_ON})"
                f" / floe_contract_check_interval_seconds{_ON}",
                "{{contract}} {{check_type}}",
            ),
            Panel(
                "Failed attempts",
                "timeseries",
                "sum by (contract, check_type)"
                f" (round(increase(floe_contract_check_errors_total{_ON}[$__rate_interval])))",
                "{{contract}} {{check_type}}",
            ),
            Panel(
                *(
                    "Messages that wait",
                    "timeseries",
                    f"max by (floe_namespace) (floe_contract_outbox_pending{_GROUP})",
                ),
                legend="{{floe_namespace}}",
            ),
            Panel(
                *("Messages refused", "timeseries", f"max by (floe_namespace) (floe_contract_outbox_dead{_GROUP})"),
                legend="{{floe_namespace}}",
            ),
            Panel(
                "Seconds since the last push",
                "timeseries",
                'time() - push_time_seconds{job="floe_contracts",floe_namespace=~"$namespace"}',
                "{{floe_namespace}} {{check_type}}",
                unit="s",
            ),
        ),
    ),
)


def dashboard() -> dict[str, Json]:
    """The whole document; it names no server, so it fits every Grafana."""
    return {
        "uid": UID,
        "title": "Data contracts",
        "tags": ["floe", "data contracts"],
        "timezone": "utc",
        "schemaVersion": 39,
        "refresh": "1m",
        "time": {"from": "now-24h", "to": "now"},
        "templating": {"list": [_datasource(), _variable("namespace", "floe_namespace", ""), _variable("contract")]},
        "panels": list(_panels()),
    }


def _datasource() -> Json:
    return {"name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus"}


def _variable(name: str, label: str = "", within: str = _GROUP) -> Json:
    query = f"label_values(floe_contract_info{within}, {label or name})"
    return {
        "name": name,
        "label": name.capitalize(),
        "type": "query",
        "datasource": dict(_DATASOURCE),
        "query": {"query": query, "refId": name},
        "definition": query,
        "refresh": 2,
        "includeAll": True,
        "multi": True,
        "allValue": ".*",
        "current": {"text": "All", "value": "$__all"},
        "sort": 1,
    }


def _panels() -> Iterator[Json]:
    number, top = 0, 0
    for title, panels in ROWS:
        number += 1
        yield {"id": number, "type": "row", "title": title, "gridPos": _place(0, top, _WIDTH, 1), "panels": []}
        left, top = 0, top + 1
        for panel in panels:
            if left + panel.width > _WIDTH:
                left, top = 0, top + panel.height
            number += 1
            yield _panel(panel, number, _place(left, top, panel.width, panel.height))
            left += panel.width
        top += panels[-1].height


def _place(left: int, top: int, width: int, height: int) -> Json:
    return {"x": left, "y": top, "w": width, "h": height}


def _panel(panel: Panel, number: int, place: Json) -> Json:
    at_once = panel.kind in ("stat", "table")
    target: dict[str, Json] = {
        "refId": "A",
        "datasource": dict(_DATASOURCE),
        "expr": panel.expr,
        "legendFormat": panel.legend,
        "instant": at_once,
        "range": not at_once,
        "format": "table" if panel.kind == "table" else "time_series",
    }
    steps: list[Json] = [{"color": colour, "value": value} for colour, value in panel.steps]
    defaults: dict[str, Json] = {"unit": panel.unit, "thresholds": {"mode": "absolute", "steps": steps}}
    if len(panel.steps) > 1:
        defaults["color"] = {"mode": "thresholds"}
    return {
        "id": number,
        "type": panel.kind,
        "title": panel.title,
        "datasource": dict(_DATASOURCE),
        "gridPos": place,
        "targets": [target],
        "fieldConfig": {"defaults": defaults, "overrides": []},
    }
