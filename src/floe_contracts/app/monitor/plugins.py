"""Chooses the plugin that `data_contracts.plugin.type` names: ours, datacontract-cli's, or one by entry point.

A package offers its own by an entry point of the group `floe_contracts.plugins`: a function that takes `Offered` and
returns an object with the twelve methods of `monitor.plugin.DataContractPlugin`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeAlias

from ...adapters.files.read import read_file
from ...compat.ruleset import make_ruleset
from ...compat.verdict import GatePolicy, judge
from ...contract.load import Loaded
from ...contract.meaning.phrase import close_names, did_you_mean
from ...contract.model import Contract
from ...contract.source import read_document
from ...errors import FloeError, SettingsError
from ...monitor.plugin.odcs import OdcsPlugin
from ...monitor.plugin.protocol import DataContractPlugin
from ...monitor.run.engine import Engine
from ...monitor.settings.model import MonitoringConfig

GROUP = "floe_contracts.plugins"


@dataclass(frozen=True, slots=True)
class Offered:
    """What a plugin may work with: settings, a SparkSession in UTC, and `ours` for what it leaves open."""

    config: MonitoringConfig
    spark: Any
    ours: DataContractPlugin


Maker: TypeAlias = "Callable[[Offered], DataContractPlugin]"


def load_plugin(name: str, config: MonitoringConfig, spark: Any) -> DataContractPlugin:
    """The plugin; a SettingsError lists what there is when nobody offers that name."""
    from ...adapters.spark.engine import SparkEngine

    return make_plugin(
        name, Offered(config, spark, own_plugin(SparkEngine(spark, trusts_sql=config.trusts_sql), config))
    )


def make_plugin(name: str, offered: Offered) -> DataContractPlugin:
    """The plugin of that name, made from what it may work with."""
    return _maker(name)(offered)


def plugin_names() -> tuple[str, ...]:
    """Everything that may be written as `plugin.type` here, ours first."""
    return (*_BUILT_IN, *sorted({entry.name for entry in entry_points(group=GROUP)} - set(_BUILT_IN)))


def _maker(name: str) -> Maker:
    if name in _BUILT_IN:
        return _BUILT_IN[name]
    entries = [entry for entry in entry_points(group=GROUP) if entry.name == name]
    if not entries:
        hint = did_you_mean(*close_names(name, plugin_names()))
        raise SettingsError(
            f"data_contracts.plugin.type is {name!r}, and no such plugin is installed here",
            fix=f"{hint} There are {', '.join(plugin_names())}.".lstrip(),
        )
    if len({entry.value for entry in entries}) > 1:
        packages = ", ".join(sorted(entry.dist.name if entry.dist else entry.value for entry in entries))
        raise SettingsError(
            f"several packages offer a plugin called {name!r}: {packages}", fix="Uninstall all but one."
        )
    return _load_entry(entries[0])


def _load_entry(entry: EntryPoint) -> Maker:
    try:
        made: object = entry.load()
    except Exception as error:  # whatever a foreign package does when it is imported
        raise FloeError(
            f"the plugin {entry.name!r} cannot be loaded from {entry.value}: {type(error).__name__}",
            fix="Reinstall the package that offers it.",
        ) from error
    if not callable(made):
        raise FloeError(f"the plugin {entry.name!r} is not a function: {entry.value}", fix="Ask who made the package.")
    return made


def _odcs(offered: Offered) -> DataContractPlugin:
    return offered.ours


def _datacontract_cli(offered: Offered) -> DataContractPlugin:
    from ...adapters.datacontract.plugin import DatacontractCliPlugin
    from ...adapters.spark.measure.sql_rules import refused_reason
    from ...adapters.spark.read.plugin_views import register_views

    trusts = offered.config.trusts_sql
    return DatacontractCliPlugin(
        offered.ours,
        offered.config,
        lambda bindings: register_views(offered.spark, bindings),
        read_contract,
        refuse_sql=lambda contract: "" if trusts else refused_reason(offered.spark, contract),
    )


_BUILT_IN: dict[str, Maker] = {"odcs": _odcs, "datacontract-cli": _datacontract_cli}


def own_plugin(engine: Engine, config: MonitoringConfig) -> OdcsPlugin:
    """The default, `odcs`."""
    return OdcsPlugin(
        engine, read=read_contract, judge_bump=judge_bump, now_us=lambda: time.time_ns() // 1000, config=config
    )


def judge_bump(old: Contract, new: Contract) -> tuple[bool, str]:
    """Whether the version rose enough by the gate's own rules, and what to write when it did not."""
    result = judge(_wrap(old), _wrap(new), GatePolicy(make_ruleset()))
    step = result.version
    blocking = [item.message for item in result.findings if item.blocks]
    if not blocking:
        needed = step.required.value if step else "none"
        return True, f"{old.version} to {new.version} is enough; the change needs {needed}"
    cure = f"; write {step.next}" if step and step.next else ""
    return False, f"{blocking[0]}{cure if cure and step and str(step.next) not in blocking[0] else ''}"


def _wrap(contract: Contract) -> Loaded:
    """A contract without a file: its findings have no place."""
    return Loaded("", read_document(b""), None, contract, ())


def read_contract(path: str) -> bytes:
    """A contract's bytes; a FloeError says why there are none."""
    file = read_file(path)
    if file.problem is not None:
        raise FloeError(f"{path}: {file.problem.message}", code=file.problem.code)
    return file.data
