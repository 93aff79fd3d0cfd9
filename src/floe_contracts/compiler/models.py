"""Step 4: names of models, tests that their layers need, coverage, classification and sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..codes import E515, E516, E519, Severity
from ..contract.meaning.sla import meaning
from ..contract.meaning.sla_kinds import Kind
from ..contract.model import Contract
from ..frozen import dataclass
from ..policy.classification import classifications_of
from ..policy.gates import CoverageShare, MissingTests, coverage, missing_tests
from ..policy.models import model_findings
from ..policy.naming import Architecture, architecture_of, suggest_names
from ..policy.values import DbtModel, DbtTest
from ..product.dbt import CANNOT_TELL, DbtNode, NodeTest, primary_key
from ..product.words import NamingEnforcement
from ..results import Finding, Location
from .contracts import CompiledContract
from .inputs import CompileInputs

_GATES = ("governance", "quality_gates")
_KEY_TESTS = frozenset({"not_null_pk", "unique_pk"})
_NAME_THE_KEY = "Name the primary key, by primaryKey: true in the contract or meta: {primary_key: …} in dbt."
_COMBINED = "unique_combination_of_columns"
_COMBINATIONS = (_COMBINED, "expect_compound_columns_to_be_unique")


@dataclass(frozen=True, slots=True)
class ModelStep:
    """What there is to say about the models; `untold` when a value that a tier wrote cannot be judged."""

    lines: tuple[str, ...]
    findings: tuple[Finding, ...]
    untold: bool = False


def compile_models(inputs: CompileInputs, contracts: Sequence[CompiledContract]) -> ModelStep:
    """Every model held to the merged manifest."""
    architecture = architecture_of(inputs.manifest)
    promised = _contracts_by_model(inputs, contracts)
    models = [_model(node, promised.get(id(node)), architecture) for node in inputs.dbt.counted]
    names, findings = _judge_names(models, inputs, architecture)
    findings += [*_sources(inputs), *inputs.sql_findings]
    unknown = [*_unknown_gates(inputs, models), *_unknown_sql(inputs)]
    words = classifications_of(inputs.manifest)
    findings += [finding for model in models for finding in model_findings(model, words)]
    gates = inputs.manifest.governance.quality_gates
    severity = Severity.ERROR if gates.block_on_failure else Severity.WARNING
    described = [model for model, node in zip(models, inputs.dbt.counted, strict=True) if node.described]
    findings += [_missing(item, severity) for item in missing_tests(described, gates)]
    shares = list(coverage(models, gates)) if models and inputs.dbt.known else []
    findings += [_below(share, severity, inputs) for share in shares if not share.enough]
    lines = (*names, *map(_show_share, shares), *inputs.dbt.notes)
    return ModelStep(lines, (*findings, *unknown), any(item.blocks for item in unknown))


def _contracts_by_model(inputs: CompileInputs, contracts: Sequence[CompiledContract]) -> dict[int, Contract]:
    """The contract of every model that has one, by the identity of the model; of several the first."""
    pairs = ((inputs.dbt.find(_table(item)), item.contract) for item in reversed(contracts))
    return {id(node): contract for node, contract in pairs if node is not None}


def _model(node: DbtNode, contract: Contract | None, architecture: Architecture) -> DbtModel:
    key = _key(node, contract)
    return DbtModel(
        node.name,
        architecture.layer_of(node.name),
        {
            column.name: {"meta": _meta(column.meta, column.name, contract), "description": column.description}
            for column in node.columns
        },
        node.meta,
        tuple(key_tests(node.tests, key)),
        node.description,
        key,
        node.fresh or _promises_freshness(contract),
        Location(node.path) if node.path else None,
    )


def key_tests(tests: Sequence[NodeTest], key: Sequence[str]) -> Iterator[DbtTest]:
    """Tests in the key's spelling; one of several columns counts for the key when all of them are in it."""
    spelled = {name.casefold(): name for name in key}
    for test in tests:
        listed = test.arguments.get("combination_of_columns", test.arguments.get("column_list"))
        if test.name not in _COMBINATIONS or not isinstance(listed, list):
            yield DbtTest(test.name, spelled.get(test.column.casefold(), test.column))
            continue
        names = [str(name) for name in listed]
        whole = bool(names) and all(name.casefold() in spelled for name in names)
        yield DbtTest(_COMBINED if whole else test.name, "" if whole else ", ".join(names))
    if len(key) > 1 and any(test.name == "unique" and test.column.casefold() in spelled for test in tests):
        yield DbtTest(_COMBINED)  # a column that never repeats keeps the whole key from repeating


def _table(item: CompiledContract) -> str:
    table = item.contract.objects[0] if item.contract.objects else None
    return (table.physical_name or table.name) if table else item.short


def _meta(meta: object, name: str, contract: Contract | None) -> dict[str, object]:
    """dbt's meta of a column, with the classification of the contract where dbt has none."""
    written = dict(meta) if isinstance(meta, dict) else {}
    if written.get("classification") or contract is None or not contract.objects:
        return written
    column = next((item for item in contract.objects[0].properties if item.name.casefold() == name.casefold()), None)
    return {**written, "classification": column.classification} if column and column.classification else written


def _key(node: DbtNode, contract: Contract | None) -> tuple[str, ...]:
    columns = contract.objects[0].properties if contract and contract.objects else ()
    return tuple(column.name for column in columns if column.primary_key) or primary_key(node.meta)


def _promises_freshness(contract: Contract | None) -> bool:
    return contract is not None and any(meaning(sla).kind is Kind.FRESHNESS for sla in contract.slas)


def _judge_names(
    models: Sequence[DbtModel], inputs: CompileInputs, architecture: Architecture
) -> tuple[list[str], list[Finding]]:
    level = inputs.manifest.data_architecture.naming.enforcement
    if level is NamingEnforcement.OFF or not (architecture.layers or architecture.tier_patterns):
        return [], []
    lines, findings = [], []
    severity = Severity.ERROR if level is NamingEnforcement.STRICT else Severity.WARNING
    for model in models:
        missed = architecture.missed_patterns(model.name)
        if model.layer and not missed:
            lines.append(f"{model.name}: valid ({model.layer} layer)")
        elif missed or architecture.layers:
            expected = architecture.globs if not model.layer and architecture.layers else missed
            findings.append(_misnamed(model, expected, severity, architecture))
        else:
            lines.append(f"{model.name}: valid")
    return lines, findings


def _misnamed(model: DbtModel, expected: Sequence[str], severity: Severity, architecture: Architecture) -> Finding:
    return Finding.of(
        E515,
        "naming-convention",
        f"Model '{model.name}' violates naming convention",
        severity=severity,
        element=model.name,
        location=model.location,
        expected=", ".join(expected),
        actual=model.name,
        suggestions=architecture.suggest(model.name)
        if not model.layer and architecture.layers
        else suggest_names(model.name, expected),
    )


def _missing(item: MissingTests, severity: Severity) -> Finding:
    return Finding.of(
        E516,
        "required-tests",
        f"{item.model.name} missing required tests",
        severity=severity,
        element=item.model.name,
        location=item.model.location,
        expected=f"[{', '.join(item.required)}]",
        actual=f"[{', '.join(item.missing)}]",
        suggestions=(_NAME_THE_KEY,) if not item.model.primary_key and _KEY_TESTS.intersection(item.missing) else (),
    )


def _below(share: CoverageShare, severity: Severity, inputs: CompileInputs) -> Finding:
    where = "" if share.layer == "all" else f" of layer {share.layer}"
    return Finding.of(
        E516,
        "test-coverage",
        f"Test coverage{where} is {share.percent:.1f}%, below the minimum of {share.minimum:g}%",
        severity=severity,
        element=share.layer,
        location=Location(inputs.dbt.manifest) if inputs.dbt.manifest else None,
        expected=f"{share.minimum:g}%",
        actual=f"{share.percent:.1f}%",
        suggestions=("Add a dbt test to the models that have none.",),
    )


def _show_share(share: CoverageShare) -> str:
    where = "" if share.layer == "all" else f" ({share.layer})"
    return f"Test coverage{where}: {share.tested} of {share.models} models, {share.percent:.1f}%"


def _unknown_sql(inputs: CompileInputs) -> Iterator[Finding]:
    """SQL that a tier wants linted and that is not there."""
    if inputs.sql_unknown:
        place = inputs.source.locate(("transforms",), key=True)
        fix = "Run dbt compile, or name its manifest by --dbt-manifest."
        yield Finding.of(E516, "sql-unknown", f"SQL lint {inputs.sql_unknown}", location=place, suggestions=(fix,))


def _unknown_gates(inputs: CompileInputs, models: Sequence[DbtModel]) -> list[Finding]:
    """Gates that need dbt's manifest, which is not there: an error where a tier wrote the gate, else a warning."""
    if inputs.dbt.known or not models:
        return []
    written = [
        key
        for key in inputs.merged.values
        if key[:2] == _GATES and key[2] in ("minimum_test_coverage", "required_tests")
    ]
    what = "test coverage and required tests" if written else "test coverage"
    severity = Severity.ERROR if written else Severity.WARNING
    message = f"{what} {CANNOT_TELL}"
    place = inputs.source.locate(("transforms",), key=True)
    fix = "Run dbt parse, or name its manifest by --dbt-manifest."
    return [Finding.of(E516, "gate-unknown", message, severity=severity, location=place, suggestions=(fix,))]


def _sources(inputs: CompileInputs) -> Iterator[Finding]:
    if "approved_sources" not in inputs.manifest.model_fields_set:
        return
    approved = inputs.manifest.approved_sources
    for node in inputs.dbt.models:
        for name in node.sources:
            if name not in approved:
                yield Finding.of(
                    E519,
                    "source-not-approved",
                    f"{node.name} reads the source {name}, which is not approved",
                    element=node.name,
                    location=Location(node.path),
                    expected=", ".join(approved),
                    actual=name,
                    suggestions=(f"Approved are {', '.join(approved)}.",),
                )
