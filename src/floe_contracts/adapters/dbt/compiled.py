"""The compiled SQL of a manifest.json: by model, and which relation of that SQL is which model."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from ...frozen import dataclass, field

_QUOTES = str.maketrans("", "", '"`[]')


@dataclass(frozen=True, slots=True)
class CompiledModels:
    """What a manifest knows of models: checksum and SQL by name, and names by relation."""

    adapter: str = ""
    codes: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    relations: Mapping[str, str] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)

    def code_of(self, name: str, checksum: str) -> str:
        """The compiled SQL of a model, if it was made from the text with that checksum."""
        known, code = self.codes.get(name, ("", ""))
        return code if known == checksum else ""

    def alias_of(self, name: str, checksum: str) -> str:
        """What the model of that checksum is called in the warehouse; empty when that is its own name."""
        known, _ = self.codes.get(name, ("", ""))
        alias = self.aliases.get(name, "")
        return alias if known == checksum and alias != name else ""

    def model_at(self, relation: str) -> str:
        """The model behind a name of the compiled SQL; empty when it is none."""
        return self.relations.get(relation.casefold(), "")


def checksum_of(text: str) -> str:
    """The checksum by which dbt knows the text of a model."""
    return hashlib.sha256(text.strip().encode()).hexdigest()


def read_compiled(data: bytes) -> CompiledModels:
    """The models of a manifest; one that cannot be read knows none, because it is only a help."""
    try:
        value = json.loads(data)
        nodes = [node for node in value["nodes"].values() if node.get("resource_type") in ("model", "seed", "snapshot")]
        codes = {
            _file_name(n): (n["checksum"]["checksum"], n.get("compiled_code") or "") for n in nodes if "checksum" in n
        }
        relations = {
            str(node["relation_name"]).translate(_QUOTES).casefold(): _file_name(node)
            for node in nodes
            if node.get("relation_name")
        }
        ephemeral = {f"__dbt__cte__{node['name']}".casefold(): _file_name(node) for node in nodes}
        aliases = {_file_name(node): str(node.get("alias") or "") for node in nodes}
        adapter = str(value["metadata"].get("adapter_type") or "")
        return CompiledModels(adapter, codes, {**relations, **ephemeral}, aliases)
    except (ValueError, KeyError, TypeError, AttributeError):
        return CompiledModels()


def _file_name(node: Mapping[str, str]) -> str:
    """The name of the model's file without its ending, as a model of several versions has one each."""
    return node["original_file_path"].replace("\\", "/").rpartition("/")[2].rpartition(".")[0]
