"""Measure how much of real dbt projects floe can read, with what dbt built as the truth.

    python scripts/measure_definitions.py FOLDER...

Each folder is a dbt project after `dbt build` and `dbt docs generate`: target/manifest.json and target/catalog.json are
there. Every model of the project itself is read twice, from its raw files and with the manifest, and its output columns
are compared with the catalog's. A wrong answer is a list that claims to be complete and is not what was built.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from floe_contracts.adapters.git import open_repository
from floe_contracts.adapters.sql.process import SqlProcess
from floe_contracts.app.definitions.dbt import DbtModels
from floe_contracts.app.definitions.tree import DefinitionTree
from floe_contracts.definitions.definition import Definition, Gap


def main(folders: list[str]) -> int:
    """Print a line per project and way, and every wrong answer; 1 when there is one."""
    total: dict[str, Counter[str]] = {"raw": Counter(), "manifest": Counter()}
    for folder in folders:
        for way, counts in total.items():
            own = _measure(Path(folder), way)
            print(f"{folder} {way}: {dict(own)}")
            counts.update(own)
    for way, counts in total.items():
        known = 100 * counts["right"] / max(1, counts.total())
        print(f"all {way}: {dict(counts)}, known {known:.0f} %")
    return 1 if any(counts["wrong"] for counts in total.values()) else 0


def _measure(folder: Path, way: str) -> Counter[str]:
    manifest = (folder / "target/manifest.json").read_bytes()
    built = json.loads((folder / "target/catalog.json").read_bytes())["nodes"]
    truth = {key.split(".")[2]: {name.casefold() for name in node["columns"]} for key, node in built.items()}
    own = json.loads(manifest)["metadata"]["project_name"]
    counts: Counter[str] = Counter()
    with SqlProcess() as sql:
        tree = DefinitionTree(open_repository(str(folder)), "HEAD")
        known = manifest if way == "manifest" else None
        models = DbtModels(tree, "", sql, known, json.loads(manifest)["metadata"]["adapter_type"])
        for key in sorted(built):
            _, package, name = key.split(".")[:3]
            if package == own and key.startswith("model."):
                counts[_judge(models.define(name), truth[name], f"{folder}: {name}")] += 1
    return counts


def _judge(answer: Definition | Gap | None, truth: set[str], label: str) -> str:
    if not isinstance(answer, Definition):
        return "cannot tell"
    seen = {column.name.casefold() for column in answer.columns}
    wrong = seen != truth if answer.complete else not seen <= truth
    if wrong:
        print(f"  wrong: {label}: {sorted(seen ^ truth)}")
        return "wrong"
    return "right" if answer.complete else "cannot tell"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
