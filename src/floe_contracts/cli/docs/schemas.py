"""docs/schemas.md, from the JSON schemas that come with the package."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import resources
from typing import Any

PUBLISHED = (  # package, file, what it describes
    ("contract.schemas", "fields.schema.json", "Contracts in the fields dialect: `contracts/**/*.yaml`."),
    ("contract.schemas", "floe.schema.json", "Contracts in the floe dialect: `contracts/**/*.yaml`."),
    ("compat.schemas", "config.schema.json", "`.floe/config.yaml`: how the gate works here."),
    ("compat.schemas", "waivers.schema.json", "`.floe/waivers.yaml`: findings that somebody accepted."),
    ("compat.schemas", "consumers.schema.json", "`.floe/consumers/*.yaml`: what a reader uses."),
    ("compat.schemas", "acks.schema.json", "`.floe/acks.yaml`: readers that have moved on."),
    ("product.schemas", "manifest.schema.json", "`manifest.yaml`: what a platform or a domain decides."),
    ("product.schemas", "product.schema.json", "`floe.yaml`: a data product."),
    ("product.schemas", "lock.schema.json", "`floe.lock`: the digests of references."),
    ("compiler.schemas", "compiled.schema.json", "`target/floe/compiled.json`: what `floe compile` writes."),
    ("monitor.schemas", "monitoring.schema.json", "`.floe/monitoring.yaml`: how data is checked."),
    ("render.schemas", "report.schema.json", "What every command prints with `--format json`."),
)
_INTRODUCTION = """\
# JSON schemas

Every file that people write for floe, and the report that floe writes, has a JSON schema (draft 2020-12) inside the
package. floe reads with the same schemas, so an editor complains about what floe would refuse. Contracts in ODCS have
the [schema of the standard](https://github.com/bitol-io/open-data-contract-standard/tree/main/schema). The schemas of
lineage facets are described with [the facets](facets.md).

| file in the package | describes |
|---|---|
"""
_EDITORS = """\

## In an editor

Where the package is: `python -c 'import floe_contracts; print(floe_contracts.__path__[0])'`. Editors with the YAML
language server (VS Code, Neovim, JetBrains by a plugin) take a path in the first line of a file:

```yaml
# yaml-language-server: $schema=/opt/floe/site-packages/floe_contracts/monitor/schemas/monitoring.schema.json
```

or a table in their settings, such as VS Code's `.vscode/settings.json` with copies of the schemas in the repository:

```json
{
  "yaml.schemas": {
    "./schemas/monitoring.schema.json": ".floe/monitoring.yaml",
    "./schemas/fields.schema.json": "contracts/*.yaml"
  }
}
```

The `$id` of a schema is its name; no editor has to fetch it. A schema can say less than floe: `floe lint` also finds
what lies between two keys, such as a service level on a column that is not there.
"""


def schema_page(notice: str) -> str:
    """docs/schemas.md as text."""
    lines = [notice, *_INTRODUCTION.splitlines()]
    lines += [f"| [`{_path(package, file)}`](#{_anchor(file)}) | {what} |" for package, file, what in PUBLISHED]
    lines += _EDITORS.splitlines()
    for package, file, _ in PUBLISHED:
        lines += ["", *_section(file, read_schema(package, file))]
    return "\n".join(lines) + "\n"


def read_schema(package: str, file: str) -> dict[str, Any]:
    """A schema of the package."""
    folder = resources.files("floe_contracts")
    for part in package.split("."):
        folder = folder / part
    schema: dict[str, Any] = json.loads((folder / file).read_text("utf-8"))
    return schema


def _path(package: str, file: str) -> str:
    return f"floe_contracts/{package.replace('.', '/')}/{file}"


def _anchor(file: str) -> str:
    return file.replace(".", "").lower()


def _section(file: str, schema: dict[str, Any]) -> Iterator[str]:
    yield f"## {file}"
    yield ""
    yield f"{_sentence(schema)} `$id`: `{schema['$id']}`"
    yield ""
    yield "| key | type | meaning |"
    yield "|---|---|---|"
    required = schema.get("required", ())
    for key, entry in schema["properties"].items():
        whole = {**_resolve(schema, entry), **{name: text for name, text in entry.items() if name != "$ref"}}
        must = ", required" if key in required else ""
        yield f"| `{key}` | {_type(schema, whole)}{must} | {_meaning(whole)} |"


def _sentence(schema: dict[str, Any]) -> str:
    title = schema["title"].rstrip(".")
    shown = f"`{title}`" if title.startswith(".") else title
    return f"{shown}. {schema['description']}"


def _resolve(schema: dict[str, Any], entry: dict[str, Any]) -> dict[str, Any]:
    resolved: dict[str, Any] = schema["$defs"][entry["$ref"].rpartition("/")[2]] if "$ref" in entry else entry
    return resolved


def _type(schema: dict[str, Any], entry: dict[str, Any]) -> str:
    if "enum" in entry or "const" in entry:
        return " or ".join(f"`{word}`" for word in entry.get("enum", [entry.get("const")]))
    words = entry.get("type", "")
    if words == "array":
        return f"list of {_type(schema, _resolve(schema, entry.get('items', {})))}"
    return " or ".join(words) if isinstance(words, list) else words or "any"


def _meaning(entry: dict[str, Any]) -> str:
    return str(entry.get("description", "")).replace("|", "\\|").replace("\n", " ")
