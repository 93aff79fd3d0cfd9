"""The plugin `datacontract-cli`: its lint and its tests on our Spark session, and our own answers where it has none.

Every result says under `answered_by` who gave it. Where datacontract-cli has a check its answer stands, blind spots
included; tests/spark/test_plugins_compared.py lists how the two differ.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from ... import codes
from ...checks.measured import Failure
from ...checks.verdict import Check, conclude, errored_part, worst
from ...codes import Severity
from ...contract.convert import convert
from ...contract.load import load
from ...contract.model import Contract, Dialect, JsonMap
from ...monitor.plugin.protocol import (
    Connected,
    ContractPath,
    ContractValidationResult,
    ContractViolation,
    DataContractPlugin,
    SchemaComparisonResult,
    SLACheckResult,
    TableColumns,
)
from ...monitor.plugin.results import to_comparison, to_rule_results, to_sla_result
from ...monitor.settings.model import MonitoringConfig
from ...monitor.source.binding import Binding, SourceHints, Unbound, bind
from ...monitor.source.connection import connection_from
from ...results import CheckResult, Finding, Location
from .answers import drift_result, freshness_result, quality_result
from .runs import ToolCheck, installed_version, lint, run_tests
from .share import ages_only, row_floors, without_ages

ANSWERED_BY: Final = "answered_by"  # of a result's context
OURS: Final = "odcs"
RegisterViews: TypeAlias = "Callable[[Sequence[Binding]], AbstractContextManager[object]]"  # a session, or a Failure


@dataclass(frozen=True, slots=True)
class DatacontractCliPlugin:
    """The plugin; `register_views` gives a session of its own in which the tables are views under their names."""

    ours: DataContractPlugin
    config: MonitoringConfig
    register_views: RegisterViews
    read: Callable[[str], bytes]
    refuse_sql: Callable[[Contract], str] = lambda _: ""  # why a query of the contract may not run
    now_us: Callable[[], int] = lambda: time.time_ns() // 1000
    name: str = "datacontract-cli"

    @property
    def version(self) -> str:
        return installed_version()

    @property
    def signed(self) -> str:
        return f"{self.name} {self.version}"

    # Contracts are read, generated and merged by us: it knows one of the three dialects, and neither ports nor merging.
    def parse_contract(self, contract_path: ContractPath) -> Contract:
        return self.ours.parse_contract(contract_path)

    def generate_contract_from_ports(
        self, output_ports: Sequence[JsonMap], input_ports: Sequence[JsonMap], metadata: JsonMap
    ) -> Contract:
        return self.ours.generate_contract_from_ports(output_ports, input_ports, metadata)

    def merge_contracts(self, generated: Contract, explicit: Contract) -> Contract:
        return self.ours.merge_contracts(generated, explicit)

    def validate_contract(
        self, contract: Contract, actual_schema: Mapping[str, TableColumns] | None = None
    ) -> ContractValidationResult:
        """Its lint of the contract written as ODCS; columns without a table behind them are compared by us."""
        findings = _findings(lint(convert(contract, Dialect.ODCS).text), contract.label, "")
        ours = self.ours.validate_contract(contract, actual_schema).findings if actual_schema else ()
        drift = tuple(finding for finding in ours if finding.violation_type is not None)
        return ContractValidationResult(contract.label, (*findings, *drift), contract)

    def lint_contract_file(self, contract_path: ContractPath) -> ContractValidationResult:
        """Its lint where the file is ODCS; the other two dialects it cannot read, so ours answers and says so."""
        path = os.fspath(contract_path)
        loaded = load(self.read(path), path)
        if loaded.dialect is not Dialect.ODCS:
            own = self.ours.lint_contract_file(contract_path)
            return replace(own, findings=(*own.findings, _answered_by_us(path)))
        name = loaded.contract.label if loaded.contract else path
        findings = _findings(lint(self.read(path).decode("utf-8", "replace")), name, path)
        return ContractValidationResult(name, findings, loaded.contract)

    def detect_schema_drift(self, contract: Contract, connection: Connected) -> SchemaComparisonResult:
        ran = self._run(contract, connection, {"schema"}, metadata_only=True)
        result = _failure("schema_drift", contract, ran) or drift_result(contract, _tests(ran))
        answer = to_comparison(result, contract.version, self.now_us())
        return replace(answer, context=(*answer.context, (ANSWERED_BY, self.signed)))

    def compare_schemas(self, old_schema: TableColumns, new_schema: TableColumns) -> SchemaComparisonResult:
        """By us: it compares contracts, not tables."""
        answer = self.ours.compare_schemas(old_schema, new_schema)
        return replace(answer, context=(*answer.context, (ANSWERED_BY, OURS)))

    def check_freshness(
        self, contract: Contract, connection: Connected, timestamp_column: str | None = None
    ) -> SLACheckResult:
        """Ages of data by it; deadlines, schedules, latencies and all that it passes over in silence by us."""
        ages = ages_only(contract, timestamp_column)
        left = without_ages(contract, timestamp_column)
        answers = []
        if ages.slas:
            ran = self._run(ages, connection, {"servicelevel"})
            result = _failure("freshness", contract, ran) or freshness_result(contract, _tests(ran))
            answers.append(_sign(to_sla_result(result, contract.version, self.now_us()), self.signed))
        if left.slas or not answers:
            answers.append(_sign(self.ours.check_freshness(left, connection, timestamp_column), OURS))
        return _combine(answers)

    def check_availability(self, contract: Contract, connection: Connected) -> SLACheckResult:
        """By us: it has no probe and keeps no history."""
        return _sign(self.ours.check_availability(contract, connection), OURS)

    def check_quality(self, contract: Contract, connection: Connected) -> list[SLACheckResult]:
        """Its rules and constraints, scored like ours; a floor of rows per day is counted by us."""
        ran = self._run(contract, connection, {"schema", "quality"})
        result = _failure("quality", contract, ran) or quality_result(contract, _tests(ran))
        *rules, whole = to_rule_results(result, contract.version, self.now_us())
        floors = row_floors(contract)
        if floors.slas:
            own = self.ours.check_quality(floors, connection)[-1]
            rules.append(_sign(replace(own, name="row_floor"), OURS))
        return [*rules, _sign(whole, self.signed)]

    def validate_version_bump(self, old_contract: Contract, new_contract: Contract) -> tuple[bool, str]:
        """By us: it never reads the version."""
        return self.ours.validate_version_bump(old_contract, new_contract)

    def check_breaking_changes(self, contract: Contract, connection: Connected) -> list[ContractViolation]:
        """Columns that it finds missing or of another type."""
        violations = self.detect_schema_drift(contract, connection).violations
        return [violation for violation in violations if violation.severity.rank >= Severity.ERROR.rank]

    def _run(
        self, contract: Contract, connection: Connected, categories: set[str], *, metadata_only: bool = False
    ) -> tuple[ToolCheck, ...] | Failure:
        refused = self.refuse_sql(contract) if "quality" in categories else ""
        if refused:
            return Failure(refused)
        own = connection_from(connection) if connection else self.config.connections.get(contract.key)
        bindings: list[Binding] = []
        for table in contract.objects:
            where = bind(contract, table, SourceHints(own))
            if isinstance(where, Unbound):
                return Failure(where.reason)
            bindings.append(where)
        with self.register_views(bindings) as session:
            if isinstance(session, Failure):
                return session
            return run_tests(contract, session, categories, metadata_only=metadata_only)


def _tests(ran: tuple[ToolCheck, ...] | Failure) -> tuple[ToolCheck, ...]:
    return ran if isinstance(ran, tuple) else ()


def _failure(check: Check, contract: Contract, ran: tuple[ToolCheck, ...] | Failure) -> CheckResult | None:
    """A table that cannot be opened is not a violation of its promises: nobody could look."""
    reason = ran.reason if isinstance(ran, Failure) else _general(ran)
    return conclude(check, contract, [errored_part(contract.label, reason)]) if reason else None


def _general(checks: Sequence[ToolCheck]) -> str:
    """A check about nothing in particular stands for a run that broke off."""
    broken = any(check.status == "error" and not check.category for check in checks)
    return "datacontract-cli stopped before it had run its checks" if broken else ""


def _findings(checks: Sequence[ToolCheck], contract: str, path: str) -> tuple[Finding, ...]:
    return tuple(
        Finding.of(
            codes.E501,
            "datacontract-lint",
            " ".join((check.reason or check.name).split())[:500],
            severity=Severity.WARNING if check.severity == "warning" else Severity.ERROR,
            contract=contract,
            element=check.column or check.table,
            location=Location(path) if path else None,
        )
        for check in checks
        if check.status != "pass"
    )


def _answered_by_us(path: str) -> Finding:
    message = "datacontract-cli reads ODCS alone, so floe's own lint answered"
    return Finding.of(codes.E501, "answered-by-floe", message, severity=Severity.INFO, location=Location(path))


def _sign(answer: SLACheckResult, who: str) -> SLACheckResult:
    return replace(answer, context=(*answer.context, (ANSWERED_BY, who)))


def _combine(answers: Sequence[SLACheckResult]) -> SLACheckResult:
    """Several answers to one question: the worst outcome, every violation, and who gave which."""
    first = answers[0]
    context = {key: text for answer in reversed(answers) for key, text in answer.context}
    context[ANSWERED_BY] = "; ".join(dict(answer.context)[ANSWERED_BY] for answer in answers)
    return replace(
        first,
        outcome=worst(answer.outcome for answer in answers),
        violations=tuple(violation for answer in answers for violation in answer.violations),
        message="; ".join(answer.message for answer in answers if answer.message),
        context=tuple(context.items()),
    )
