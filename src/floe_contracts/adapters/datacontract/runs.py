"""Runs the installed datacontract-cli and keeps of each of its checks what is safe to repeat: numbers, and no words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, Literal

from ...contract.model import Contract
from ...errors import MissingExtra
from .formats import overhear

Status = Literal["pass", "fail", "error", "skip"]
_SERVER = "floe"


@dataclass(frozen=True, slots=True)
class ToolCheck:
    """One check of datacontract-cli. `reason` is kept for lint alone, which sees contracts and no data."""

    type: str  # field_required, field_type, servicelevel_freshness …
    category: str
    status: Status
    table: str = ""
    column: str = ""
    name: str = ""
    rule: str = ""  # the id or the name of the quality rule it comes from
    dimension: str = ""
    severity: str = ""
    numbers: Mapping[str, Any] = field(default_factory=dict)  # metric, value, threshold, row_count, age_seconds …
    reason: str = ""


def installed_version() -> str:
    """Of datacontract-cli; MissingExtra when it is not there."""
    _require()
    return version("datacontract-cli")


def lint(odcs: str) -> tuple[ToolCheck, ...]:
    """Its lint of a contract given as ODCS text; nothing is fetched on the contract's behalf."""
    _require()
    from datacontract.data_contract import DataContract

    with overhear():
        run = DataContract(data_contract_str=odcs, inline_references=False, all_errors=True).lint()
    return tuple(_tool_check(check, repeat=True) for check in run.checks or ())


def run_tests(
    contract: Contract, session: Any, categories: set[str], *, metadata_only: bool = False
) -> tuple[ToolCheck, ...]:
    """Its tests on views of a Spark session that carry the names of the contract's tables.

    ibis changes settings of the session that it gets, so it must be one that nobody else uses.
    """
    _require(on_spark=True)
    from datacontract.data_contract import DataContract

    with overhear():  # its log repeats values from the data
        made = DataContract(
            data_contract=_model(contract),
            server=_SERVER,
            spark=session,
            inline_references=False,
            check_categories=categories,
            metadata_only=metadata_only,
        )
        run = made.test()
    return tuple(_tool_check(check, repeat=False) for check in run.checks or ())


def _require(*, on_spark: bool = False) -> None:
    if find_spec("datacontract") is None:
        raise MissingExtra("the plugin datacontract-cli", "datacontract")
    if on_spark and find_spec("ibis") is None:
        raise MissingExtra("the plugin datacontract-cli on Spark", "datacontract-spark")


def _model(contract: Contract) -> Any:
    """The contract as its own model, on the one server that it may look at: a session with views."""
    from open_data_contract_standard.model import OpenDataContractStandard, Server

    from ...contract.write.odcs import write

    model = OpenDataContractStandard.model_validate(write(contract))
    model.servers = [Server(server=_SERVER, type="dataframe")]
    for table in model.schema_ or []:
        table.physicalName = view_name(table.name or "", table.physicalName)
    return model


def view_name(name: str, physical_name: str | None) -> str:
    """What a table is called among the views; a view has no catalog and no schema in front of it."""
    return (physical_name or name).rpartition(".")[2]


def _tool_check(check: Any, *, repeat: bool) -> ToolCheck:
    numbers = {**(check.diagnostics or {})}
    return ToolCheck(
        type=check.type,
        category=check.category or "",
        status=_status(check.result.value if check.result else "unknown", measured=bool(numbers) or repeat),
        table=check.model or "",
        column=check.field or "",
        name=check.name or "",
        rule=check.qualityId or _rule_name(check.qualityDefinition),
        dimension=check.dimension or "",
        severity=str(numbers.get("severity", "")) or ("warning" if check.result == "warning" else ""),
        numbers=numbers,
        reason=(check.reason or "") if repeat else "",
    )


def _status(result: str, *, measured: bool) -> Status:
    """Without a measurement a failed check is one that could not run: datacontract-cli calls both failed."""
    if result == "passed":
        return "pass"
    if result in ("failed", "warning", "error") and measured:
        return "fail"
    return "error" if result in ("failed", "error") else "skip"


def _rule_name(definition: str | None) -> str:
    if not definition:
        return ""
    import yaml

    rule = yaml.safe_load(definition)
    return str(rule.get("name") or "") if isinstance(rule, dict) else ""
