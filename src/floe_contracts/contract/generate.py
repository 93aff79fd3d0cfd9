"""Contracts generated from the ports of a data product; `merge` adds what somebody wrote.

A port is a plain mapping as floe.yaml has it: `name`, `description`, `schema` (a list of columns with names, or a map
by name, each written as an element of the floe dialect), `sla`, `quality`, `table`, `server`, `tags`. The contract
is called `<product>-<port>`, or like the product when it has several output ports, one table each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..frozen import replace
from .field_map import text
from .model import Contract, CustomProperty, Json, JsonMap
from .read.floe import read

INPUTS = "floe.inputs"  # custom property: what the product reads, as its input ports say
_CARRIED = ("description", "quality", "tags", "granularity", "relationships")
_METADATA = ("owner", "domain", "status", "terms", "description")


def generate_contract_from_ports(
    output_ports: Sequence[JsonMap], input_ports: Sequence[JsonMap], metadata: JsonMap
) -> Contract:
    """One contract for all output ports; `metadata` is the product's: name, version, owner, domain, description."""
    ports = [port for port in output_ports if text(port.get("name"))]
    product = text(metadata.get("name")) or ""
    names = [text(port.get("name")) or "" for port in ports]
    value: dict[str, Json] = {key: metadata[key] for key in _METADATA if metadata.get(key) is not None}
    value["name"] = "-".join(word for word in (product, names[0]) if word) if len(names) == 1 else product
    value["version"] = text(metadata.get("version")) or "0.1.0"
    value["product"] = product
    value["models"] = {name: _model(port) for name, port in zip(names, ports, strict=True)}
    value["slaProperties"] = _service_levels(ports)
    value["servers"] = [server for port in ports if isinstance(server := port.get("server"), dict)]
    if len(ports) == 1 and ports[0].get("description"):
        value["description"] = ports[0]["description"]
    contract = read(value)
    inputs = _inputs(input_ports)
    return replace(contract, custom=(*contract.custom, CustomProperty(INPUTS, inputs))) if inputs else contract


def _model(port: JsonMap) -> dict[str, Json]:
    columns = port.get("schema", port.get("columns"))
    model: dict[str, Json] = {key: port[key] for key in _CARRIED if port.get(key) is not None}
    model["elements"] = columns if isinstance(columns, (dict, list)) else {}
    table = text(port.get("table"))
    return {**model, "physicalName": table} if table else model


def _service_levels(ports: Sequence[JsonMap]) -> list[Json]:
    """The service levels of all ports; with several ports the element names the port that promises."""
    levels: list[Json] = []
    for port in ports:
        written = port.get("sla", port.get("slaProperties"))
        listed = (
            [item for item in written if isinstance(item, dict)] if isinstance(written, list) else _from_map(written)
        )
        for item in listed:
            element = text(item.get("element")) or ""
            name = text(port.get("name")) or ""
            full = ".".join(word for word in (name, element) if word) if len(ports) > 1 else element
            levels.append({**item, "element": full} if full else item)
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
