"""What an orchestrator's plugin must offer: the checks that follow a run of its pipeline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from .protocol import ContractViolation


@runtime_checkable
class OrchestratorPlugin(Protocol):
    """Called when a pipeline has written; those of Airflow, Dagster and dbt are in `floe_contracts.schedules`."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def post_materialize(self, run_id: str, contracts: Sequence[str]) -> Mapping[str, Sequence[ContractViolation]]:
        """Every check of these contracts (all, where none is named), once for a run id; violations by contract."""
        ...
