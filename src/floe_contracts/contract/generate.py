"""Contracts generated from the ports of a data product; `merge` adds what somebody wrote.

A port is a plain mapping as floe.yaml has it: `name`, `version`, `description`, `table`, `schema` or `columns` (a list
of columns with names, or a map by name, each written as an element of the floe dialect), `sla` or `slaProperties`,
`quality`, `tags`, `server`. Each output port has a contract of its own, called `<domain>-<product>-<port>`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..frozen import dataclass, replace
from .field_map import text
from .model import Contract, CustomProperty, Json, JsonMap, Pointer
from .read.floe import read

INPUTS = "floe.inputs"  # custom property: what the product reads, as its input ports say
OUTPUT_PORTS = "output_ports"  # the key of floe.yaml
_CARRIED = ("description", "quality", "tags", "granularity", "relationships")
_METADATA = ("owner", "domain", "status", "terms", "description")


@dataclass(frozen=True, slots=True)
class PortContract:
    """The contract that one output port promises, and the port it comes from."""

    contract: Contract
    port: JsonMap
    index: int  # among the output ports of the product

    @property
    def name(self) -> str:
        """The port's name, which is the contract's short name."""
        return text(self.port.get("name")) or ""

    @property
    def table(self) -> str:
        """The name of the port's table or dbt model: the last part of `table`, else of the port's name."""
        return (text(self.port.get("table")) or self.name).rpartition(".")[2]

    def place(self, pointer: Pointer) -> Pointer:
        """Where floe.yaml says what stands at a pointer of the generated contract."""
        start: Pointer = (OUTPUT_PORTS, self.index)
        if pointer[:1] == ("models",):
            inside = pointer[2:]
            key = "schema" if "schema" in self.port else "columns"
            return (*start, key, *inside[1:]) if inside[:1] == ("elements",) else (*start, *inside)
        if pointer[:1] == ("slaProperties",):
            return (*start, "sla" if "sla" in self.port else "slaProperties", *pointer[1:])
        if pointer[:1] == ("servers",):
            return (*start, "server", *pointer[2:])
        if pointer[:1] in (("description",), ("version",)) and pointer[0] in self.port:
            return (*start, *pointer)
        return ("metadata", *pointer) if pointer else start


def generate_contracts(
    output_ports: Sequence[JsonMap], input_ports: Sequence[JsonMap], metadata: JsonMap
) -> tuple[PortContract, ...]:
    """A contract for every output port with a name, in the order of the ports."""
    return tuple(
        PortContract(generate_contract_from_ports((port,), input_ports, metadata), port, index)
        for index, port in enumerate(output_ports)
        if text(port.get("name"))
    )


def contract_prefix(metadata: JsonMap) -> str:
    """What the names of a product's contracts begin with, in front of the short name: `<domain>-<product>-`."""
    words = (text(metadata.get("domain")), text(metadata.get("name")))
    return "".join(f"{word}-" for word in words if word)


def generate_contract_from_ports(
    output_ports: Sequence[JsonMap], input_ports: Sequence[JsonMap], metadata: JsonMap
) -> Contract:
    """One contract for the output ports, a table each; `metadata` is the product's: name, version, owner, domain."""
    ports = [port for port in output_ports if text(port.get("name"))]
    only = ports[0] if len(ports) == 1 else {}
    value: dict[str, Json] = {key: metadata[key] for key in _METADATA if metadata.get(key) is not None}
    value["name"] = contract_prefix(metadata) + (text(only.get("name")) or "") or "contract"
    value["name"] = str(value["name"]).removesuffix("-")
    value["version"] = text(only.get("version")) or text(metadata.get("version")) or "0.1.0"
    value["product"] = text(metadata.get("name")) or ""
    value["models"] = {text(port.get("name")) or "": _model(port) for port in ports}
    value["slaProperties"] = _written_levels(only) if only else _service_levels(ports)
    value["servers"] = [server for port in ports if isinstance(server := port.get("server"), dict)]
    if only.get("description"):
        value["description"] = only["description"]
    contract = read(value)
    inputs = _inputs(input_ports)
    return replace(contract, custom=(*contract.custom, CustomProperty(INPUTS, inputs))) if inputs else contract


def _model(port: JsonMap) -> dict[str, Json]:
    columns = port.get("schema", port.get("columns"))
    model: dict[str, Json] = {key: port[key] for key in _CARRIED if port.get(key) is not None}
    model["elements"] = columns if isinstance(columns, (dict, list)) else {}
    table = text(port.get("table"))
    return {**model, "physicalName": table} if table else model


def _written_levels(port: JsonMap) -> Json:
    return port.get("sla", port.get("slaProperties"))


def _service_levels(ports: Sequence[JsonMap]) -> list[Json]:
    """The service levels of several ports; the element names the port that promises."""
    levels: list[Json] = []
    for port in ports:
        written = _written_levels(port)
        listed = (
            [item for item in written if isinstance(item, dict)] if isinstance(written, list) else _from_map(written)
        )
        for item in listed:
            words = (text(port.get("name")), text(item.get("element")))
            levels.append({**item, "element": ".".join(word for word in words if word)})
    return levels


def _from_map(written: Json) -> list[dict[str, Json]]:
    if not isinstance(written, Mapping):
        return []
    return [
        {"property": name, **value} if isinstance(value, dict) else {"property": name, "value": value}
        for name, value in written.items()
    ]


def _inputs(ports: Sequence[JsonMap]) -> list[Json]:
    """The references to other products' ports, each once."""
    names = (text(port.get("ref")) or text(port.get("name")) for port in ports)
    return list(dict.fromkeys(name for name in names if name))
