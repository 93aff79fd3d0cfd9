"""Record the artifacts that real dbt writes for the project in tests/fixtures/dbt/project.

    python scripts/record_dbt.py 1.6 1.7 1.11 [--into FOLDER]

For each release of dbt an environment is made with uv, in a temporary folder; the release and its adapter stand in the
recorded files (`metadata.dbt_version`). Times, ids and the macros of dbt itself are taken out.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml

_UV = str(Path(sys.executable).with_name("uv"))
FIXTURES = Path(__file__).parent.parent / "tests" / "fixtures" / "dbt"
_NOISE = {"created_at", "generated_at", "invocation_id", "invocation_started_at", "run_started_at", "user_id", "env"}
_NOISE |= {"project_id", "raw_code", "compiled_code", "unrendered_config", "timing", "thread_id", "execution_time"}
_NOISE |= {
    "root_path",
    "docs",
    "doc_blocks",
    "build_path",
    "fqn",
    "quoting",
    "extra_ctes",
    "batch_results",
    "send_anonymous_usage_stats",
}
_DROPPED = ("macros", "docs", "parent_map", "child_map", "group_map", "selectors", "disabled")
_OLD = ("1.6", "1.7")
_PRIVATE = ("args", "elapsed_time")  # paths and times of this machine
_KEPT_WHOLE = ("adapter_response",)


def record(version: str, into: Path = FIXTURES) -> Path:
    """Run dbt of one release and write what it said; the newest also records catalog and run results."""
    with tempfile.TemporaryDirectory() as folder:
        target = run_dbt(make_environment(Path(folder, "env"), version), Path(folder, "project"), version)
        manifest = json.loads((target / "manifest.json").read_text())
        number = manifest["metadata"]["dbt_schema_version"].rpartition("/")[2].removesuffix(".json")
        path = write(into / f"manifest-{number}.json", manifest)
        if number == "v12":
            for name in ("catalog", "run_results"):
                write(into / f"{name}.json", json.loads((target / f"{name}.json").read_text()))
        return path


def make_environment(folder: Path, version: str) -> Path:
    """An environment with one release of dbt and its adapter for DuckDB; the folder of its programs."""
    python = "3.11" if version in _OLD else sys.executable  # which the older releases need
    environ = {**os.environ, "UV_SYSTEM_CERTS": "1", "UV_PYTHON_DOWNLOADS": "never"}
    subprocess.run([_UV, "venv", "-q", "--python", python, str(folder)], env=environ, check=True)
    packages = [f"dbt-core=={version}.*", f"dbt-duckdb=={version}.*", "setuptools<80"]
    install = [_UV, "pip", "install", "-q", "--python", str(folder / "bin" / "python"), *packages]
    subprocess.run(install, env=environ, check=True)
    return folder / "bin"


def run_dbt(programs: Path, project: Path, version: str) -> Path:
    """The target folder after a build and the docs of a copy of the project."""
    shutil.copytree(FIXTURES / "project", project)
    if version in _OLD:
        _write_for_old_dbt(project / "models" / "schema.yml")
    environ = {**os.environ, "DBT_SEND_ANONYMOUS_USAGE_STATS": "0", "DBT_PROFILES_DIR": str(project)}
    for words in (["seed"], ["run"], ["docs", "generate"], ["build"]):
        subprocess.run([str(programs / "dbt"), *words], cwd=project, env=environ, check=True, stdout=subprocess.DEVNULL)
    return project / "target"


def _write_for_old_dbt(path: Path) -> None:
    """`data_tests`, `arguments` and `config.meta` of columns came with later releases."""
    schema = yaml.safe_load(path.read_text())
    for table in (*schema["sources"][0]["tables"], *(each for model in schema["models"] for each in model["columns"])):
        table.update(table.pop("config", {}))
        if "data_tests" in table:
            table["tests"] = [_flat(test) for test in table.pop("data_tests")]
    path.write_text(yaml.safe_dump(schema))


def _flat(test: Any) -> Any:
    if not isinstance(test, dict):
        return test
    ((name, options),) = test.items()
    return {name: {**options.pop("arguments", {}), **options}}


def write(path: Path, artifact: dict[str, Any]) -> Path:
    """The artifact without what differs from run to run, and without what dbt itself brings."""
    kept = {key: ({} if key in _DROPPED else _clean(value)) for key, value in artifact.items() if key not in _PRIVATE}
    path.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
    return path


def _clean(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: item if key in _KEPT_WHOLE else _clean(item)
            for key, item in value.items()
            if key not in _NOISE and item not in (None, [], {})
        }
    return [_clean(item) for item in value] if isinstance(value, list) else value


if __name__ == "__main__":
    releases, _, folder = " ".join(sys.argv[1:]).partition("--into ")
    for release in releases.split():
        print(record(release, Path(folder or FIXTURES)))
