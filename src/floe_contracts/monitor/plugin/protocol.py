"""What a plugin for data contracts must offer: twelve methods with plain results, chosen by `plugin.type`.

Floe's own is `odcs` (monitor.plugin.odcs). A plugin answers; slots, counting and alerting are the monitor's.
In results, words may stand for the enums: `SLACheckResult("orders", "freshness", "passed")`.
`connection` is a mapping with the keys of `connections.<contract>` in the settings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from os import PathLike
from typing import Protocol, TypeAlias

from ...checks.measured import ActualColumn
from ...codes import Severity, ViolationType
from ...contract.model import Contract, Json, JsonMap
from ...results import Finding, Outcome, Pairs

DataContract: TypeAlias = Contract
ContractPath: TypeAlias = "str | PathLike[str]"
Connected: TypeAlias = "Mapping[str, Json]"
TableColumns: TypeAlias = "tuple[ActualColumn, ...]"


@dataclass(frozen=True, slots=True)
class ContractViolation:
    """One broken promise, as alerts tell it; `code`, `rule` and `context` are empty where a plugin has none."""

    contract_name: str
    contract_version: str
    violation_type: ViolationType
    severity: Severity
    message: str
    element: str
    expected_value: str
    actual_value: str
    timestamp: datetime
    code: str = ""
    rule: str = ""
    context: Pairs = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "violation_type", ViolationType(self.violation_type))
        object.__setattr__(self, "severity", Severity(self.severity))


@dataclass(frozen=True, slots=True)
class ContractValidationResult:
    """What is wrong with a contract itself, or with a schema it was held against."""

    contract_name: str
    findings: tuple[Finding, ...] = ()
    contract: Contract | None = None  # where it could be read

    @property
    def valid(self) -> bool:
        return not self.errors

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.severity.rank >= Severity.ERROR.rank)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.severity is Severity.WARNING)


@dataclass(frozen=True, slots=True)
class SchemaComparisonResult:
    """How columns differ: from a contract's promise, or from what they were."""

    contract_name: str
    outcome: Outcome
    violations: tuple[ContractViolation, ...] = ()
    message: str = ""  # why it could not be compared
    context: Pairs = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "outcome", Outcome(self.outcome))

    @property
    def matches(self) -> bool:
        """No difference of any kind was found; false also where nobody could look."""
        return self.outcome in (Outcome.PASSED, Outcome.SKIPPED) and not self.violations

    @property
    def breaking(self) -> tuple[ContractViolation, ...]:
        """The differences that break readers."""
        return tuple(violation for violation in self.violations if violation.severity.rank >= Severity.ERROR.rank)


@dataclass(frozen=True, slots=True)
class SLACheckResult:
    """One promise or one group of promises, measured.

    `threshold` and `actual_value` are plain numbers where known: hours of age, percent of time, a score up to 100.
    """

    contract_name: str
    check_type: str
    outcome: Outcome
    violations: tuple[ContractViolation, ...] = ()
    name: str = ""  # the rule, where the result is about one
    threshold: str = ""
    actual_value: str = ""
    message: str = ""  # why it was skipped or could not be measured
    context: Pairs = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "outcome", Outcome(self.outcome))
        object.__setattr__(self, "threshold", str(self.threshold))
        object.__setattr__(self, "actual_value", str(self.actual_value))

    @property
    def passed(self) -> bool:
        return self.outcome is Outcome.PASSED


class DataContractPlugin(Protocol):
    """The twelve methods; every one answers with a value, and only what makes no sense raises a FloeError."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    # Contract parsing
    def parse_contract(self, contract_path: ContractPath) -> DataContract: ...

    def generate_contract_from_ports(
        self, output_ports: Sequence[JsonMap], input_ports: Sequence[JsonMap], metadata: JsonMap
    ) -> DataContract: ...

    def merge_contracts(self, generated: DataContract, explicit: DataContract) -> DataContract: ...

    # Schema validation
    def validate_contract(
        self, contract: DataContract, actual_schema: Mapping[str, TableColumns] | None = None
    ) -> ContractValidationResult: ...

    def lint_contract_file(self, contract_path: ContractPath) -> ContractValidationResult: ...

    # Schema drift detection
    def detect_schema_drift(self, contract: DataContract, connection: Connected) -> SchemaComparisonResult: ...

    def compare_schemas(self, old_schema: TableColumns, new_schema: TableColumns) -> SchemaComparisonResult: ...

    # SLA monitoring
    def check_freshness(
        self, contract: DataContract, connection: Connected, timestamp_column: str | None
    ) -> SLACheckResult: ...

    def check_availability(self, contract: DataContract, connection: Connected) -> SLACheckResult: ...

    def check_quality(self, contract: DataContract, connection: Connected) -> list[SLACheckResult]: ...

    # Contract lifecycle
    def validate_version_bump(self, old_contract: DataContract, new_contract: DataContract) -> tuple[bool, str]: ...

    def check_breaking_changes(self, contract: DataContract, connection: Connected) -> list[ContractViolation]: ...
