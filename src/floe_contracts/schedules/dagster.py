"""Dagster: asset checks, and a hook that checks what an asset's step wrote.

    from floe_contracts.schedules.dagster import contract_asset_checks, contract_check_hook

    checks = contract_asset_checks(orders, contracts=["contracts"], floe="/opt/floe/bin/floe")
    after = contract_check_hook(contracts=["contracts"], floe="/opt/floe/bin/floe")
    nightly = define_asset_job("nightly", hooks={after})

Dagster needs only floe itself; `floe` names the program of the environment that has Spark. The contract of an asset is
its metadata `floe/contract`; without it a hook takes `<job name>.<asset key>`, and a check the asset's key, each with
dots between the key's parts. A hook sees steps, not assets: give it those whose name its step does not say (`assets`),
which are graphs, and outputs that are called otherwise than their asset.
"""

# No `from __future__ import annotations`: Dagster looks at the type of `context` itself.
from collections.abc import Mapping, Sequence
from typing import Any

from dagster import (
    AssetCheckExecutionContext,
    AssetCheckResult,
    AssetChecksDefinition,
    AssetCheckSeverity,
    AssetKey,
    AssetsDefinition,
    DagsterEventType,
    HookContext,
    HookDefinition,
    asset_check,
    success_hook,
)

from ..codes import Severity
from ..contract.meaning.phrase import plural
from ..errors import FloeError
from ..results import CheckResult, Outcome, Report
from .post_run import Log, PostRunChecks
from .summary import CONTRACT, lines, summary

_SLOT = ".dagster/scheduled_execution_time"  # a tag of every run that a schedule started
_CHECKS = ("availability", "freshness", "schema_drift", "quality")


class DagsterPlugin(PostRunChecks):
    """An OrchestratorPlugin for runs of Dagster."""

    @property
    def name(self) -> str:
        return "dagster"


def contract_asset_checks(  # noqa: PLR0913  one call says it all
    asset: AssetsDefinition | AssetKey | str,
    *,
    contracts: Sequence[str],
    contract: str = "",
    checks: Sequence[str] = _CHECKS,
    floe: str = "floe",
    options: Sequence[str] = (),
    blocking: bool = False,
) -> list[AssetChecksDefinition]:
    """One asset check `contract_<check>` for each check; they belong to the schedule's slot, else to Dagster's run."""
    only = contract or _contract_of(asset)

    def make_check(check: str) -> AssetChecksDefinition:
        @asset_check(asset=asset, name=f"contract_{check}", description=f"{check} of {only}", blocking=blocking)
        def contract_check(context: AssetCheckExecutionContext) -> AssetCheckResult:
            when = _when(context.run.tags, context.run.run_id)
            plugin = DagsterPlugin(contracts, check, floe, options, log=context.log.info)
            try:
                report = plugin.run(when, [only])
            except FloeError as error:
                return AssetCheckResult(passed=False, severity=AssetCheckSeverity.WARN, description=error.message)
            return _check_result(report)

        return contract_check

    return [make_check(check) for check in checks]


def contract_check_hook(
    *,
    contracts: Sequence[str],
    check: str = "all",
    floe: str = "floe",
    options: Sequence[str] = (),
    assets: Sequence[AssetsDefinition] = (),
    name: str = "contract_check_hook",
) -> HookDefinition:
    """A hook for a job: when an asset's step has succeeded, its contract is checked for this run.

    It alerts and never fails the run: violations are in metrics, lineage and the log of the run.
    """

    named = {spec.key: _contract_name(spec.metadata) for asset in assets for spec in asset.specs}

    @success_hook(name=name)
    def hook(context: HookContext) -> None:
        plugin = DagsterPlugin(contracts, check, floe, options, log=context.log.info)
        for contract in _contracts_of(context, named):
            try:
                report = plugin.check_run(context.run_id, [contract])
            except FloeError as error:
                context.log.warning(f"Contract {contract} could not be checked: {error.message}")
                continue
            _log_report(report, contract, context.log.warning, context.log.info)

    return hook


def _log_report(report: Report, contract: str, warn: Log, say: Log) -> None:
    violated = [result for result in report.results if result.outcome is Outcome.VIOLATED]
    count = sum(len(result.findings) for result in violated)
    for line in lines(report):
        (warn if violated else say)(line)
    if violated:
        warn(f"Contract {contract} has {plural(count, 'violation')}")


def _contract_of(asset: AssetsDefinition | AssetKey | str) -> str:
    if isinstance(asset, AssetsDefinition):
        name = next((_contract_name(spec.metadata) for spec in asset.specs if CONTRACT in spec.metadata), "")
        return name or ".".join(asset.key.path)
    return ".".join(asset.path) if isinstance(asset, AssetKey) else asset.replace("/", ".")


def _contracts_of(context: HookContext, named: Mapping[AssetKey, str]) -> list[str]:
    """The contracts of the assets that a step has materialised; skipped outputs and results of checks have none."""
    outputs = {output.name: _contract_name(output.metadata) for output in context.op.definition.output_defs}
    # Events are the one place where a hook is told its assets.
    events = context.instance.all_logs(context.run_id, of_type=DagsterEventType.ASSET_MATERIALIZATION)
    keys = [entry.dagster_event.asset_key for entry in events if entry.step_key == context.step_key]
    names = [named.get(key) or _said_by(outputs, key) or ".".join((context.job_name, *key.path)) for key in keys]
    return list(dict.fromkeys(names))


def _said_by(outputs: Mapping[str, str], key: AssetKey) -> str:
    """What the output of an asset says: the only one, or the one that Dagster calls as the asset."""
    if len(outputs) == 1:
        return next(iter(outputs.values()))
    return outputs.get(key.to_python_identifier()) or outputs.get(key.path[-1], "")


def _contract_name(metadata: Mapping[str, Any]) -> str:
    """The contract's name as text, or as one of Dagster's values."""
    value = metadata.get(CONTRACT, "")
    return str(getattr(value, "value", value))


def _when(tags: Mapping[str, str], run_id: str) -> tuple[str, str]:
    return ("--slot", tags[_SLOT]) if tags.get(_SLOT) else ("--run-id", run_id)


def _check_result(report: Report) -> AssetCheckResult:
    """The result of an asset check; skipped is passed, because the contract promises nothing of the kind."""
    wrong = [result for result in report.results if result.outcome in (Outcome.VIOLATED, Outcome.ERRORED)]
    metadata: dict[str, Any] = {"floe": summary(report), "log": "\n".join(lines(report))}
    grave = any(_is_grave(result) for result in wrong)
    severity = AssetCheckSeverity.ERROR if grave else AssetCheckSeverity.WARN
    description = "; ".join(item.message for result in wrong for item in result.findings)
    return AssetCheckResult(passed=not wrong, severity=severity, metadata=metadata, description=description or None)


def _is_grave(result: CheckResult) -> bool:
    grave = (Severity.ERROR, Severity.CRITICAL)
    return result.outcome is Outcome.VIOLATED and any(item.severity in grave for item in result.findings)
