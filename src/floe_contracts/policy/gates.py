"""Quality gates: tests that models of a layer must have, and the share of models that have any."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..frozen import dataclass
from ..product.governance import QualityGates
from .values import DbtModel, DbtTest


@dataclass(frozen=True, slots=True)
class MissingTests:
    """A model without the tests of its layer."""

    model: DbtModel
    required: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CoverageShare:
    """How many models of a layer have a test; the layer `all` holds every model."""

    layer: str
    tested: int
    models: int
    minimum: float

    @property
    def percent(self) -> float:
        """No models at all are fully covered."""
        return 100.0 if not self.models else 100.0 * self.tested / self.models

    @property
    def enough(self) -> bool:
        return 100 * self.tested >= self.minimum * self.models


def missing_tests(models: Sequence[DbtModel], gates: QualityGates) -> Iterator[MissingTests]:
    """Every model that lacks a test of its layer."""
    for model in models:
        required = tuple(gates.required_tests.get(model.layer, ()))
        missing = tuple(name for name in required if not _has(model, name))
        if missing:
            yield MissingTests(model, required, missing)


def coverage(models: Sequence[DbtModel], gates: QualityGates) -> Iterator[CoverageShare]:
    """The share of tested models, for every layer that has a minimum."""
    for layer, minimum in sorted(gates.coverage_by_layer.items()):
        inside = [model for model in models if layer in ("all", model.layer)]
        yield CoverageShare(layer, sum(1 for model in inside if model.tests), len(inside), minimum)


def _has(model: DbtModel, required: str) -> bool:
    if required == "not_null_pk":
        return _keys_tested(model, "not_null")
    if required == "unique_pk":
        return _keys_tested(model, "unique")
    if required == "freshness":
        return model.has_freshness
    described = all(str(column.get("description") or "").strip() for column in model.columns.values())
    return bool(model.description.strip()) and described


def _keys_tested(model: DbtModel, name: str) -> bool:
    """Whether every column of the key has the test; the key is unknown when nobody names it, and then nothing is."""
    tests = {(test.name, test.column) for test in model.tests if isinstance(test, DbtTest)}
    if not model.primary_key:
        return False
    if name == "unique" and len(model.primary_key) > 1:
        return ("unique_combination_of_columns", "") in tests
    return all((name, column) in tests for column in model.primary_key)
