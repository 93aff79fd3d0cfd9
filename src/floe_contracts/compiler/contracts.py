"""Step 3: one contract per output port and explicit file, enriched from dbt, held to the manifest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..codes import E500, E511, E529, Severity
from ..compat.inheritance import ParentContract, find_all_weakenings, parent_layers
from ..compat.inheritance.chain import judge_parents
from ..contract.attributes import Provenance, list_attributes, repeated_levels
from ..contract.generate import OUTPUT_PORTS, PortContract, contract_prefix, generate_contracts
from ..contract.lint import remarks
from ..contract.meaning.sla import meaning
from ..contract.merge import merge_layers
from ..contract.model import Contract, Pointer
from ..contract.placeholders import placeholder_findings
from ..contract.port_pairs import ProductContract, pair_with_ports
from ..contract.port_structure import port_mistakes
from ..frozen import dataclass, replace
from ..identity.names import map_id
from ..policy.classification import classifications_of
from ..policy.contracts import contract_findings, least_levels
from ..product.dbt import DbtNode
from ..product.dbt_layer import ClassificationGap, compare_with_dbt, enrich
from ..results import Finding, Location
from .inputs import CompileInputs


@dataclass(frozen=True, slots=True)
class CompiledContract:
    """One contract of the product as it holds: what the team wrote, with what dbt adds."""

    short: str
    origin: str
    contract: Contract
    provenance: Provenance
    path: str  # of its file; of floe.yaml for a generated one


@dataclass(frozen=True, slots=True)
class ContractStep:
    contracts: tuple[CompiledContract, ...]
    findings: tuple[Finding, ...]


def compile_contracts(inputs: CompileInputs) -> ContractStep:
    """Every contract of the product, and everything that is wrong with them."""
    ports = _generate(inputs)
    findings = [finding for file in inputs.files for finding in file.findings]
    findings += [finding for file in inputs.files for finding in placeholder_findings(file.document, file.path)]
    pairs = pair_with_ports(ports, inputs.files, contract_prefix(inputs.metadata()), inputs.source.locate)
    findings += pairs.findings
    compiled = []
    for pair in pairs.contracts:
        contract, more = _compile(pair, inputs)
        compiled.append(contract)
        findings += more
    if not compiled and not inputs.files:
        findings.append(_nothing(inputs))
    return ContractStep(tuple(compiled), (*findings, *inputs.base_findings, *inputs.version_findings))


def place_versions(
    inputs: CompileInputs, contracts: Iterable[CompiledContract], findings: Iterable[Finding]
) -> tuple[Finding, ...]:
    """What the registry says about versions, each at the version of its contract where it has no place yet."""
    by_name = {name: item for item in contracts for name in (item.contract.key, item.contract.name)}
    return tuple(
        finding
        if finding.location
        else replace(finding, location=_version_place(inputs, by_name.get(finding.contract)))
        for finding in findings
    )


def _version_place(inputs: CompileInputs, item: CompiledContract | None) -> Location:
    file = next((file for file in inputs.files if item and file.path == item.path), None)
    if file is not None:
        return file.place(("version",))
    names = [map_id(port.name) for port in inputs.product.output_ports]
    if item is None or map_id(item.short) not in names:
        return inputs.source.locate(("metadata", "version"))
    return inputs.source.locate((OUTPUT_PORTS, names.index(map_id(item.short)), "version"))


def _generate(inputs: CompileInputs) -> tuple[PortContract, ...]:
    generation = inputs.manifest.data_contracts.auto_generation
    if not (generation.enabled and generation.from_ports):
        return ()
    product = inputs.product
    outputs = [port.as_mapping() for port in product.output_ports]
    return generate_contracts(outputs, [port.as_mapping() for port in product.input_ports], inputs.metadata())


def _compile(pair: ProductContract, inputs: CompileInputs) -> tuple[CompiledContract, list[Finding]]:
    layers = list(pair.layers)
    findings = list(_lint_port(pair, inputs))
    written = merge_layers(layers).contract
    parents = _parents(pair, inputs)
    generation = inputs.manifest.data_contracts.auto_generation
    node = inputs.dbt.find(pair.port.table if pair.port else written.objects[0].name if written.objects else pair.short)
    if node is not None and generation.enabled and generation.from_dbt_manifest:
        gaps = compare_with_dbt(written, node, classifications_of(inputs.manifest).ranks())
        findings += [_describe_gap(gap, written, _place(pair, gap.element, inputs)) for gap in gaps]
        layers.append(enrich(written, node))
    elif node is None and inputs.dbt.models and pair.port:
        findings.append(_no_model(pair, inputs))
    own = merge_layers(layers).contract  # dbt's values too are held to the parents
    findings += _hold_to_parents(pair, own, parents, inputs, node)
    merged = merge_layers([*layers, *parent_layers(own, (*parents, _least(inputs)))])
    contract = replace(merged.contract, domain=merged.contract.domain or inputs.domain or None)
    findings += inputs.judge_model(contract, node) if node is not None else ()
    validated = (finding for judge in inputs.validators for finding in judge(contract))
    judged = (*contract_findings(contract, inputs.manifest), *validated)
    findings += [
        replace(finding, location=_place(pair, finding.element, inputs, _KEYS.get(finding.rule, ())))
        for finding in judged
    ]
    path = pair.file.path if pair.file else inputs.source.path
    return CompiledContract(pair.short, pair.origin, contract, merged.provenance, path), findings


def _parents(pair: ProductContract, inputs: CompileInputs) -> tuple[ParentContract, ...]:
    """Everything that a contract inherits from, the nearest first: its own parents, then those of the tiers."""
    own = inputs.parents.get(pair.file.path) if pair.file else None
    return (*(own.parents if own else ()), *inputs.bases)


def _least(inputs: CompileInputs) -> ParentContract:
    """The least service levels of the platform, as the parent above all others."""
    return ParentContract(Contract("", "", slas=least_levels(inputs.manifest)), "")


def _hold_to_parents(
    pair: ProductContract,
    own: Contract,
    parents: tuple[ParentContract, ...],
    inputs: CompileInputs,
    node: DbtNode | None,
) -> Iterator[Finding]:
    """Values of file, port and dbt that are weaker than a parent's, at the line that says them."""
    chain = inputs.parents.get(pair.file.path) if pair.file else None
    ranks = classifications_of(inputs.manifest).ranks()
    if chain is not None:
        yield from judge_parents(chain, ranks)
    for weaker in find_all_weakenings(own, parents, ranks):
        place = _attribute_place(pair, weaker.path, inputs) or _model_place(node, weaker.path)
        yield weaker.finding(own.label, place or _place(pair, weaker.element, inputs))


def _attribute_place(pair: ProductContract, path: str, inputs: CompileInputs) -> Location | None:
    """Where the file, else the port, says an attribute."""
    if pair.file is not None and pair.file.contract is not None:
        pointer = list_attributes(pair.file.contract, repeated_levels(pair.file.contract)).get(path)
        if pointer:
            return pair.file.place(pointer)
    if pair.port is not None:
        pointer = list_attributes(pair.port.contract, repeated_levels(pair.port.contract)).get(path)
        if pointer:
            return inputs.source.locate(pair.port.place(pointer))
    return None


def _model_place(node: DbtNode | None, path: str) -> Location | None:
    """The model's file, for a classification that only dbt gives."""
    if node is None or not node.path or not path.endswith(".classification"):
        return None
    return Location(node.path)


def _lint_port(pair: ProductContract, inputs: CompileInputs) -> Iterator[Finding]:
    """What cannot be right in a port; its contract is linted where no file replaces it."""
    if pair.port is None:
        return
    for mistake in port_mistakes(pair.port.port):
        yield Finding.of(
            mistake.code,
            mistake.rule,
            mistake.message,
            contract=pair.port.contract.label,
            element=".".join(str(part) for part in mistake.pointer),
            location=inputs.source.locate((OUTPUT_PORTS, pair.port.index, *mistake.pointer), key=mistake.at_key),
            expected=mistake.expected,
            actual=mistake.actual,
            suggestions=mistake.suggestions,
        )
    if pair.file is not None:  # files were linted when they were read
        return
    for remark in remarks(pair.port.contract, ""):
        yield Finding.of(
            remark.code,
            remark.rule,
            remark.message,
            severity=remark.severity,
            contract=pair.port.contract.label,
            element=remark.element,
            location=inputs.source.locate(pair.port.place(remark.at)),
            expected=remark.expected,
            actual=remark.actual,
            suggestions=(remark.suggestion,) if remark.suggestion else (),
        )


def _describe_gap(gap: ClassificationGap, contract: Contract, place: Location) -> Finding:
    element, mine, theirs = gap.element, gap.contract_word, gap.dbt_word
    if gap.code is not E511:
        message = f"'{element}' is classified '{mine}', and only '{theirs}' in dbt"
        return Finding.of(
            E529, "dbt-classification-below", message, severity=Severity.INFO, contract=contract.label, element=element,
            location=place,
        )  # fmt: skip
    return Finding.of(
        E511,
        "dbt-classification-above",
        f"Classification weakening for field '{element}'",
        contract=contract.label,
        element=element,
        location=place,
        expected=f"'{theirs}'",
        actual=f"'{mine}'",
        suggestions=(f"Use classification '{theirs}' or stronger for '{element}'",),
    )


def _no_model(pair: ProductContract, inputs: CompileInputs) -> Finding:
    table = pair.port.table if pair.port else pair.short
    message = f"no dbt model is called '{table}', so the port '{pair.short}' is not enriched"
    place = inputs.source.locate(pair.port.place(()) if pair.port else ())
    return Finding.of(E529, "port-without-model", message, severity=Severity.INFO, element=pair.short, location=place)


def _nothing(inputs: CompileInputs) -> Finding:
    lacks, fix = "neither output_ports in floe.yaml nor", "Add output_ports to floe.yaml, or write datacontract.yaml."
    if inputs.product.output_ports:
        key = "enabled" if not inputs.manifest.data_contracts.auto_generation.enabled else "from_ports"
        lacks = f"output_ports in floe.yaml make none (data_contracts.auto_generation.{key} is false), and there is no"
        fix = "Write datacontract.yaml, or let the platform make contracts from ports."
    message = f"the product has no contract: {lacks} datacontract.yaml or contracts/ beside it"
    place = inputs.source.locate((OUTPUT_PORTS,), key=True)
    return Finding.of(E500, "no-contract", message, location=place, suggestions=(fix,))


_KEYS: dict[str, Pointer] = {"sla-below-minimum": ("value",), "classification-unknown": ("classification",)}


def _place(pair: ProductContract, element: str, inputs: CompileInputs, key: Pointer = ()) -> Location:
    """Where the team writes an element of a contract: in the file, else at the port."""
    if pair.file is not None and pair.file.contract is not None:
        pointer = _pointer(pair.file.contract, element)
        if pointer is not None:
            return pair.file.place((*pointer, *key))
    if pair.port is not None:
        pointer = _pointer(pair.port.contract, element)
        return inputs.source.locate((*pair.port.place(pointer), *key) if pointer else pair.port.place(()))
    return pair.file.place(("name",)) if pair.file else Location(inputs.source.path)


def _pointer(contract: Contract, element: str) -> Pointer | None:
    for sla in contract.slas:
        if meaning(sla).name == element:
            return sla.at
    for table in contract.objects:
        for path, column in table.columns():
            if ".".join((table.name, *path)) == element:
                return column.at
        if element.startswith(f"{table.name}."):
            return table.at
    return None
