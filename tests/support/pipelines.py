"""Products that `floe run` runs in tests, and receivers that keep what the runs tell."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opentelemetry.proto.collector.trace.v1 import trace_service_pb2

from support.answering import Receiver, receiver
from support.lineage_spec import conforms
from support.otlp_receivers import attributes, read_metrics, unpacked
from support.prometheus_servers import Gateway, pushgateway

FIXTURE = Path(__file__).parents[1] / "fixtures" / "pipeline"
PRODUCT = """\
apiVersion: floe.dev/v1
kind: DataProduct
metadata: {name: customer-360, version: 3.2.1}
platform: platform/manifest.yaml
schedule: {cron: "0 6 * * *"}
transforms:
"""
PORT = """\
output_ports:
  - name: report
    table: gold_report
    schema: {id: {type: string}}
"""
MANIFEST = """\
apiVersion: floe.dev/v1
kind: Manifest
metadata: {name: acme, version: 1.2.3}
scope: enterprise
governance: {quality_gates: {minimum_test_coverage: 0}}
data_contracts: {monitoring: {enabled: false}}
"""
# Each step notes that it ran; it fails while a file of its name says so, and waits while another does.
STEP = """\
import os, pathlib, sys, time
name = sys.argv[1]
with open("ran.txt", "a") as ran:
    ran.write(name + "\\n")
pathlib.Path(f"parent-{name}").write_text(os.environ["OPENLINEAGE_PARENT_ID"])
pathlib.Path(f"started-{name}").touch()
while os.path.exists(f"hold-{name}"):
    time.sleep(0.02)
if os.path.exists(f"break-{name}"):
    raise SystemExit("the source is gone")
"""


def write_product(folder: Path, *sources: str) -> Path:
    """A product of ingestions, which need nothing but Python."""
    (folder / "platform").mkdir(parents=True)
    (folder / "platform/manifest.yaml").write_text(MANIFEST)
    steps = "".join(
        f"  - {{type: ingestion, source: {source}, destination: raw.{source}, write_disposition: merge,"
        f" command: [{json.dumps(sys.executable)}, step.py, {source}]}}\n"
        for source in sources
    )
    (folder / "floe.yaml").write_text(PRODUCT + steps + PORT)
    (folder / "step.py").write_text(STEP)
    return folder


def copy_product(folder: Path) -> Path:
    """The product with a dlt ingestion, three dbt models and a Spark script."""
    shutil.copytree(FIXTURE, folder)
    (folder / "out").mkdir()
    return folder


@dataclass(frozen=True, slots=True)
class Heard:
    """What the receivers of a run were sent."""

    lineage: Receiver
    otel: Receiver
    gateway: Gateway

    @property
    def environ(self) -> dict[str, str]:
        return {
            "OPENLINEAGE_URL": self.lineage.url,
            "OTEL_EXPORTER_OTLP_ENDPOINT": self.otel.url,
            "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
            "FLOE_PUSHGATEWAY_URL": self.gateway.url,
        }

    def events(self) -> list[dict[str, Any]]:
        """All lineage events, each held against the official schemas."""
        return [conforms(unpacked(asked)) for asked in self.lineage.asked]

    def ends(self) -> list[tuple[str, str]]:
        return [(event["job"]["name"], event["eventType"]) for event in self.events()]

    def spans(self) -> list[tuple[dict[str, Any], Any]]:
        """Every span with the attributes of its resource."""
        listed = []
        for asked in self.otel.asked:
            if asked.path.endswith("/traces"):
                request = trace_service_pb2.ExportTraceServiceRequest.FromString(unpacked(asked))
                for whole in request.resource_spans:
                    resource = attributes(whole.resource.attributes)
                    listed += [(resource, span) for scope in whole.scope_spans for span in scope.spans]
        return listed

    def metrics(self) -> dict[str, Any]:
        """The newest of every metric, by name."""
        newest: dict[str, Any] = {}
        for asked in self.otel.asked:
            if asked.path.endswith("/metrics"):
                newest |= read_metrics(unpacked(asked))[1]
        return newest


@contextmanager
def hearing(folder: Path) -> Iterator[Heard]:
    folder.mkdir(exist_ok=True)
    with ExitStack() as stack:
        yield Heard(
            stack.enter_context(receiver()), stack.enter_context(receiver()), stack.enter_context(pushgateway(folder))
        )


def start_run(folder: Path, *words: str, environ: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    """`floe run` as another process."""
    command = [sys.executable, "-m", "floe_contracts", "run", *words]
    kept = {name: text for name, text in os.environ.items() if not name.startswith(("OTEL_", "OPENLINEAGE", "AIRFLOW"))}
    return subprocess.Popen(
        command,
        cwd=folder,
        env={**kept, "NO_PROXY": "*", **(environ or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run_floe_run(folder: Path, *words: str, environ: Mapping[str, str] | None = None) -> tuple[int, str, str]:
    """Exit code, standard output and standard error."""
    running = start_run(folder, *words, environ=environ)
    try:
        out, error = running.communicate(timeout=580)
    except subprocess.TimeoutExpired:
        running.terminate()  # with all that it started
        out, error = running.communicate()
        raise AssertionError(f"it did not end:\n{out}\n{error[-3_000:]}") from None
    return running.returncode, out, error


def ran(folder: Path) -> list[str]:
    """The steps that ran, in order."""
    path = folder / "ran.txt"
    return path.read_text().split() if path.exists() else []


# A dbt that answers as it is told: `dbt.json` holds its exit code and what became of each node; it notes its words.
DBT = """\
#!{python}
import json, os, pathlib, sys, time
words = sys.argv[1:]
with open("dbt.txt", "a") as told:
    told.write(" ".join(word for word in words if not word.startswith(("/", "--project"))) + "\\n")
pathlib.Path("started-dbt").touch()
while os.path.exists("hold-" + words[0]):
    time.sleep(0.02)
answer = json.loads(pathlib.Path("dbt.json").read_text())
schema = "https://schemas.getdbt.com/dbt/run-results/v6.json"
results = [{{"unique_id": key, "status": said, "message": key + " " + said}} for key, said in answer["results"].items()]
if words[0] == "build":
    metadata = {{"dbt_schema_version": schema, "invocation_id": str(time.time())}}
    pathlib.Path("target/run_results.json").write_text(json.dumps({{"metadata": metadata, "results": results}}))
    print("dbt built", len(results))
    sys.exit(answer["code"])
"""
BRONZE, SILVER, SOURCE_TEST = "model.shop.bronze_a", "model.shop.silver_a", "test.shop.source_not_null"


def write_dbt_product(folder: Path, *transforms: str) -> Path:
    """A product of a source, a model and a reader of it, and a dbt that does what `answer` says."""
    write_product(folder)
    lines = "".join(f"  - {transform}\n" for transform in transforms or ("{type: dbt, path: .}",))
    (folder / "floe.yaml").write_text(PRODUCT + lines + PORT)
    (folder / "dbt_project.yml").write_text("name: shop\n")
    (folder / "target").mkdir()
    source = "source.shop.crm.a"
    nodes = {
        BRONZE: _dbt_node("bronze_a", "models/bronze/bronze_a.sql", [source]),
        SILVER: _dbt_node("silver_a", "models/silver/silver_a.sql", [BRONZE]),
        SOURCE_TEST: {"name": "source_not_null", "resource_type": "test", "depends_on": {"nodes": [source]}},
    }
    manifest = {
        "metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json", "project_name": "shop"},
        "nodes": nodes,
        "sources": {source: {"source_name": "crm", "name": "a", "schema": "raw", "identifier": "a_v2"}},
    }
    (folder / "target/manifest.json").write_text(json.dumps(manifest))
    program = folder / "dbt"
    program.write_text(DBT.format(python=sys.executable))
    program.chmod(0o755)
    answer(folder, 0)
    return folder


def _dbt_node(name: str, path: str, reads: list[str]) -> dict[str, Any]:
    return {
        "name": name,
        "resource_type": "model",
        "package_name": "shop",
        "fqn": ["shop", name],
        "original_file_path": path,
        "depends_on": {"nodes": reads},
        "config": {"materialized": "table"},
    }


def answer(folder: Path, code: int, **statuses: str) -> None:
    """What the next build says; models succeed unless told otherwise."""
    given = {BRONZE: "success", SILVER: "success", SOURCE_TEST: "pass"}
    given |= {
        {"bronze": BRONZE, "silver": SILVER, "test": SOURCE_TEST}.get(key, key): told for key, told in statuses.items()
    }
    (folder / "dbt.json").write_text(json.dumps({"code": code, "results": given}))


def dbt_words(folder: Path) -> list[str]:
    """The words of every dbt that was started, without its parses."""
    return [line for line in (folder / "dbt.txt").read_text().splitlines() if line != "parse"]
