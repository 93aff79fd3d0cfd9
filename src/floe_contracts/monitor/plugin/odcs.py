"""Floe's own plugin: contracts of all three dialects, measured by an engine and judged by `checks`.

Files and the comparison of two versions come from outside, because this layer touches no disk and knows no gate.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ... import codes
from ...checks.drift.judge import TableSchema, judge_schema_drift
from ...checks.drift.last_seen import changes_since
from ...checks.drift.type_match import Reading
from ...checks.measured import ActualColumn
from ...checks.verdict import Check, outcome_by_severity
from ...contract.generate import generate_contract_from_ports
from ...contract.lint import remarks
from ...contract.load import Loaded, load
from ...contract.merge import merge_contracts
from ...contract.model import Contract, JsonMap, Property, SchemaObject
from ...errors import FloeError
from ...results import CheckResult, Finding
from ..run.check import engine_judge
from ..run.context import CheckContext, Judge
from ..run.engine import Engine, Window
from ..run.targets import major_of, target_of
from ..settings.model import MonitoringConfig
from ..source.binding import SourceHints
from ..source.connection import connection_from
from ..store.slots import Series
from .judge import current_context
from .protocol import (
    Connected,
    ContractPath,
    ContractValidationResult,
    ContractViolation,
    SchemaComparisonResult,
    SLACheckResult,
    TableColumns,
)
from .results import to_comparison, to_rule_results, to_sla_result

BREAKING = frozenset({codes.E530, codes.E531, codes.E533})


@dataclass(frozen=True, slots=True)
class OdcsPlugin:
    """The default; its methods look at once, without slots or history unless a run asks for them."""

    engine: Engine
    read: Callable[[str], bytes]  # a file's bytes; FloeError where there is none
    judge_bump: Callable[[Contract, Contract], tuple[bool, str]]  # whether a version rose enough, and what to write
    now_us: Callable[[], int]
    config: MonitoringConfig = MonitoringConfig()
    name: str = "odcs"
    version: str = "1.0.0"

    @property
    def judge(self) -> Judge:
        return engine_judge(self.engine)

    def parse_contract(self, contract_path: ContractPath) -> Contract:
        loaded = self._load(contract_path)
        if loaded.contract is None:
            first = loaded.findings[0]
            raise FloeError(
                f"{first.location}: {first.message}",
                fix=first.suggestions[0] if first.suggestions else first.code.fix,
                code=first.code,
            )
        return loaded.contract

    def generate_contract_from_ports(
        self, output_ports: Sequence[JsonMap], input_ports: Sequence[JsonMap], metadata: JsonMap
    ) -> Contract:
        return generate_contract_from_ports(output_ports, input_ports, metadata)

    def merge_contracts(self, generated: Contract, explicit: Contract) -> Contract:
        return merge_contracts(generated, explicit)

    def validate_contract(
        self, contract: Contract, actual_schema: Mapping[str, TableColumns] | None = None
    ) -> ContractValidationResult:
        """What lint says, and where columns are given by table also how they differ from the promise."""
        findings = tuple(
            Finding.of(
                remark.code,
                remark.rule,
                remark.message,
                severity=remark.severity,
                contract=contract.label,
                element=remark.element,
                expected=remark.expected,
                actual=remark.actual,
                suggestions=(remark.suggestion,) if remark.suggestion else (),
            )
            for remark in remarks(contract, "")
        )
        given = actual_schema or {}
        tables = [TableSchema(table, given[table.name]) for table in contract.objects if table.name in given]
        drift = judge_schema_drift(contract, tables).findings if tables else ()
        return ContractValidationResult(contract.label, (*findings, *drift), contract)

    def lint_contract_file(self, contract_path: ContractPath) -> ContractValidationResult:
        loaded = self._load(contract_path)
        name = loaded.contract.label if loaded.contract else os.fspath(contract_path)
        return ContractValidationResult(name, loaded.findings, loaded.contract)

    def detect_schema_drift(self, contract: Contract, connection: Connected) -> SchemaComparisonResult:
        return to_comparison(self._check("schema_drift", contract, connection), contract.version, self.now_us())

    def compare_schemas(self, old_schema: TableColumns, new_schema: TableColumns) -> SchemaComparisonResult:
        """As if the old columns were promised: what is gone or of another type breaks readers, what is new does not."""
        table = SchemaObject("table", properties=tuple(_property(column) for column in old_schema))
        contract = Contract("table", "", objects=(table,))
        changes = changes_since(contract, table, old_schema, new_schema, Reading())
        result = CheckResult("schema_drift", "table", outcome_by_severity(changes), findings=changes)
        return to_comparison(result, contract.version, self.now_us())

    def check_freshness(
        self, contract: Contract, connection: Connected, timestamp_column: str | None = None
    ) -> SLACheckResult:
        more = {"timestamp_column": timestamp_column} if timestamp_column else {}
        return to_sla_result(
            self._check("freshness", contract, {**connection, **more}), contract.version, self.now_us()
        )

    def check_availability(self, contract: Contract, connection: Connected) -> SLACheckResult:
        return to_sla_result(self._check("availability", contract, connection), contract.version, self.now_us())

    def check_quality(self, contract: Contract, connection: Connected) -> list[SLACheckResult]:
        """One result per rule, and last that of the whole: the score, and promises that are not rules."""
        return to_rule_results(self._check("quality", contract, connection), contract.version, self.now_us())

    def validate_version_bump(self, old_contract: Contract, new_contract: Contract) -> tuple[bool, str]:
        return self.judge_bump(old_contract, new_contract)

    def check_breaking_changes(self, contract: Contract, connection: Connected) -> list[ContractViolation]:
        """Differences of the table that break readers, from the contract or from the last look."""
        ids = {code.id for code in BREAKING}
        return [
            violation
            for violation in self.detect_schema_drift(contract, connection).violations
            if violation.code in ids
        ]

    def _load(self, contract_path: ContractPath) -> Loaded:
        path = os.fspath(contract_path)
        return load(self.read(path), path)

    def _check(self, check: Check, contract: Contract, connection: Connected) -> CheckResult:
        own = connection_from(connection) if connection else self.config.connections.get(contract.key)
        around = current_context(check, contract)
        if around is not None:
            where = replace(around.target.where, connection=own)
            return self.judge(replace(around, target=replace(around.target, contract=contract, where=where))).result
        target = target_of(contract, self.config, SourceHints(own))
        now_us = self.now_us()
        series = Series("", contract.key, major_of(contract), check)
        window = Window(now_us - target.interval_us(check), now_us)
        return self.judge(CheckContext(check, target, series, now_us, window)).result


def _property(column: ActualColumn) -> Property:
    return Property(column.name, physical_type=column.shown, required=not column.nullable)
