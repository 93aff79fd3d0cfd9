"""Alert rules for Prometheus: those that need no threshold of a contract, and the document of all.

A gateway shows the last number for ever. So whatever tells of the data is paired with a look at when it was last
checked: a monitor that died says nothing, and that it died is an alert of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ..codes import Severity, site_address
from ..contract.model import Json

_JOB = "floe_contracts"
_LOOK = "15m"
_WHO = "{{ $labels.contract }}"
_GROUP = "job, instance, floe_namespace, check_type"
_SERIES = f"contract, {_GROUP}"


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


@dataclass(frozen=True, slots=True)
class AlertOptions:
    """What people may want otherwise: slots violated in a row, intervals without a check, age of what waits."""

    in_a_row: int = 3
    missed: int = 3
    backlog_s: int = 3600


def general_alerts(namespace: str, options: AlertOptions) -> AlertGroup:
    """One group for a namespace, whatever contracts it has."""
    own = selector(floe_namespace=namespace)
    alerts = (
        *_verdicts(own, options),
        *_drift_and_budget(own, options),
        *_monitoring(own, options),
        *_delivery(own, options),
    )
    return AlertGroup(f"floe {namespace}", alerts)


def in_time(own: str, missed: int) -> str:
    """The end of an expression that leaves out series whose check stopped running; one without an interval stays."""
    return (
        f"unless on ({_SERIES}) (time() - floe_contract_check_last_run_timestamp_seconds{own}"
        f" > {missed} * floe_contract_check_interval_seconds{own})"
    )


def _verdicts(own: str, options: AlertOptions) -> tuple[Alert, ...]:
    counted = f'floe_contract_violations_total{own[:-1]},severity!="info"}}'
    slots = (
        f"(floe_contract_check_last_run_timestamp_seconds{own} - floe_contract_check_since_timestamp_seconds{own})"
        f" / floe_contract_check_interval_seconds{own}"
    )
    return (
        Alert(
            "FloeContractNewViolation",
            f'label_replace(increase({counted}[{_LOOK}]), "violation_severity", "$1", "severity", "(.*)") > 0.5',
            "{{ $labels.violation_severity }}",
            "{{ $labels.contract }}: {{ $labels.type }} ({{ $labels.violation_severity }})",
            "Run `floe monitor history {{ $labels.contract }}` to see what was found, expected and measured.",
        ),
        Alert(
            "FloeContractViolated",
            f"floe_contract_check_status{own} == 0 {in_time(own, options.missed)}",
            Severity.WARNING,
            "{{ $labels.contract }} does not keep its promise ({{ $labels.check_type }})",
            "It stays until a check finds the promise kept. `floe monitor status` lists what is violated.",
        ),
        Alert(
            "FloeContractViolatedInARow",
            f"floe_contract_check_status{own} == 0 and on ({_SERIES}) floe_contract_check_errored{own} == 0"
            f" and on ({_SERIES}) ({slots} > {options.in_a_row - 1.5:g}) {in_time(own, options.missed)}",
            Severity.CRITICAL,
            f"{_WHO} was violated {options.in_a_row} times in a row or more ({{{{ $labels.check_type }}}})",
            "It is not fixed yet: tell the owner of the contract and its readers.",
        ),
    )


def _drift_and_budget(own: str, options: AlertOptions) -> tuple[Alert, ...]:
    judged = f"floe_contract_availability_budget{own} >= 1 and floe_contract_probe_coverage_ratio{own} >= 0.95"
    return (
        Alert(
            "FloeContractSchemaDrift",
            f"floe_contract_schema_drift_detected{own} == 1 {in_time(own, options.missed)}",
            Severity.INFO,
            "{{ $labels.contract }}: the table differs from the contract or from what was last seen",
            "Add new columns to the contract (a MINOR bump), or undo the change; mismatches are violations as well.",
        ),
        Alert(
            "FloeContractBudgetOverspent",
            f"floe_contract_availability_budget_left{own} < 0 and {judged} {in_time(own, options.missed)}",
            Severity.CRITICAL,
            "{{ $labels.contract }} failed more probes than its availability SLA allows",
            "The promise is broken for this window; `floe monitor history {{ $labels.contract }}` lists what failed.",
        ),
        Alert(
            "FloeContractBudgetWillNotLast",
            f"floe_contract_availability_burn_rate{own} > 1 and floe_contract_availability_budget_left{own} >= 0"
            f" and {judged} {in_time(own, options.missed)}",
            Severity.WARNING,
            "{{ $labels.contract }} fails probes {{ $value | humanize }} times as fast as its availability SLA allows",
            "Correct the source before the budget is spent.",
            for_s=3600,
        ),
    )


def _monitoring(own: str, options: AlertOptions) -> tuple[Alert, ...]:
    return (
        Alert(
            "FloeContractNotChecked",
            f"floe_contract_check_errored{own} == 1",
            Severity.WARNING,
            "{{ $labels.contract }} could not be checked ({{ $labels.check_type }})",
            "Nothing is known about the data. `floe monitor status` says why the check failed.",
            for_s=600,
        ),
        Alert(
            "FloeContractCheckMissed",
            f"time() - floe_contract_check_last_run_timestamp_seconds{own}"
            f" > {options.missed} * floe_contract_check_interval_seconds{own}",
            Severity.ERROR,
            "{{ $labels.contract }} was last checked {{ $value | humanizeDuration }} ago ({{ $labels.check_type }})",
            "Look at the scheduler of the job; what the other metrics say of this contract is old.",
            for_s=60,
        ),
    )


def _delivery(own: str, options: AlertOptions) -> tuple[Alert, ...]:
    whose = f'{own[:-1]},job="{_JOB}"}}'
    newest = f"push_time_seconds{whose} == on (job, instance, floe_namespace) group_left ()"
    newest += f" max by (job, instance, floe_namespace) (push_time_seconds{whose})"
    return (
        Alert(
            "FloeOutboxBacklog",
            # As it stood at the newest push: an older group shows a backlog that is long delivered.
            f"push_time_seconds{whose} - on ({_GROUP}) floe_contract_outbox_oldest_timestamp_seconds{own}"
            f" > {options.backlog_s} and on ({_GROUP}) ({newest})",
            Severity.WARNING,
            "Messages of {{ $labels.floe_namespace }} have waited for a receiver for {{ $value | humanizeDuration }}",
            "`floe monitor status` says which receiver and why; `floe monitor flush` tries again at once.",
        ),
        Alert(
            "FloeOutboxRefused",
            f"floe_contract_outbox_dead{own} > 0 and on ({_GROUP}) ({newest})",
            Severity.WARNING,
            "{{ $value }} messages of {{ $labels.floe_namespace }} were refused by their receiver",
            "`floe monitor status` says why; they are kept and can be sent again.",
        ),
        Alert(
            "FloePushFailing",
            f"push_failure_time_seconds{whose} > push_time_seconds{whose}",
            Severity.WARNING,
            "The gateway refuses the metrics of {{ $labels.floe_namespace }} ({{ $labels.check_type }})",
            "`floe monitor flush` prints the gateway's reason; until then the numbers are old.",
            for_s=60,
        ),
    )


def rules_document(groups: Iterable[AlertGroup], runbook_url: str = "") -> dict[str, Json]:
    """What `promtool check rules` reads; without an address of your own, alerts link to the guide of the site."""
    url = runbook_url or f"{site_address()}guides/on-call.html"
    return {"groups": [{"name": group.name, "rules": [_rule(each, url) for each in group.alerts]} for group in groups]}


def rule_resource(name: str, document: dict[str, Json]) -> dict[str, Json]:
    """The same rules as a resource of the Prometheus operator, which `kubectl apply` takes."""
    metadata: dict[str, Json] = {"name": name, "labels": {"app.kubernetes.io/part-of": "floe-contracts"}}
    return {
        "apiVersion": "monitoring.coreos.com/v1", "kind": "PrometheusRule", "metadata": metadata, "spec": document
    }  # fmt: skip


def _rule(alert: Alert, runbook_url: str) -> dict[str, Json]:
    waits: dict[str, Json] = {"for": duration(alert.for_s)} if alert.for_s else {}
    severity = alert.severity.value if isinstance(alert.severity, Severity) else alert.severity
    return {
        "alert": alert.name,
        "expr": alert.expr,
        **waits,
        "labels": {"severity": severity, **alert.labels},
        "annotations": {"summary": alert.summary, "description": alert.action, "runbook_url": runbook_url},
    }


def selector(**labels: str) -> str:
    """Label matchers for series of exactly these labels."""
    return "{" + ",".join(f'{name}="{_quote(text)}"' for name, text in labels.items()) + "}"


def _quote(text: str) -> str:
    """What stands between the quotes of a label in PromQL."""
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')


def plain(text: str) -> str:
    """A text of others for use inside a template: without braces, on one line."""
    return " ".join(text.replace("{", "(").replace("}", ")").split())


def duration(seconds: int) -> str:
    """As Prometheus writes it, in the largest unit that fits."""
    for size, unit in ((86400, "d"), (3600, "h"), (60, "m")):
        if seconds and seconds % size == 0:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"
