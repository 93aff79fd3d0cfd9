"""spark-submit as another program, with the event log switched on."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ...emit.lineage_parent import RunName
from ...errors import CannotTell
from ..process.child import ChildEnd, run_child
from .event_log import SparkWork, read_event_logs

PROGRAM = "FLOE_SPARK_SUBMIT"


@dataclass(frozen=True, slots=True)
class Script:
    """A script with the options that its author gives spark-submit."""

    path: str
    master: str = ""
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScriptParent:
    """The run that Spark's own lineage is to name as its parent, and the one that started all of it."""

    run: RunName
    root: RunName


def submit(script: Script, folder: str, environ: Mapping[str, str], parent: ScriptParent) -> tuple[ChildEnd, SparkWork]:
    """Run a script to its end, and read what it did from the log."""
    program = find_spark_submit(environ)
    with TemporaryDirectory(prefix="floe-spark-") as logs:
        own_log = any("spark.eventLog.dir" in option for option in script.options)
        words = [
            program,
            *(["--master", script.master] if script.master else []),
            *([] if own_log else _event_log(logs)),
            *_parent(parent),
            *script.options,
            script.path,
        ]
        end = run_child(words, folder, _environ(program, environ), Path(script.path).stem)
        return end, SparkWork() if own_log else read_event_logs(Path(logs))


def find_spark_submit(environ: Mapping[str, str]) -> str:
    """FLOE_SPARK_SUBMIT, else the one beside this Python, else that of the PATH."""
    named = environ.get(PROGRAM, "").strip()
    beside = os.path.join(os.path.dirname(sys.executable), "spark-submit")
    program = shutil.which(named or beside)
    program = program or (None if named else shutil.which("spark-submit", path=environ.get("PATH")))
    if program is None:
        what = f"{PROGRAM} names {named}, which is not a program here" if named else "there is no spark-submit on PATH"
        raise CannotTell(what, fix=f"Install floe-contracts[spark], or name the program by {PROGRAM}.")
    return os.path.abspath(program)


def _environ(program: str, environ: Mapping[str, str]) -> dict[str, str]:
    """spark-submit asks the first python3 on PATH where Spark is: that must be the one beside it."""
    folder = os.path.dirname(program)
    python = os.path.join(folder, "python3")
    beside = {"PYSPARK_PYTHON": python} if os.path.exists(python) and not environ.get("PYSPARK_PYTHON") else {}
    return {**environ, "PATH": os.pathsep.join(part for part in (folder, environ.get("PATH", "")) if part), **beside}


def _event_log(folder: str) -> Sequence[str]:
    settings = {"enabled": "true", "dir": Path(folder).as_uri(), "compress": "false", "rolling.enabled": "false"}
    plans = ("--conf", "spark.sql.ui.explainMode=formatted")
    return [*plans, *(word for key, text in settings.items() for word in ("--conf", f"spark.eventLog.{key}={text}"))]


def _parent(parent: ScriptParent) -> Sequence[str]:
    """For OpenLineage's listener, wherever it is configured; without it nobody reads them."""
    named = {"parent": parent.run, "rootParent": parent.root}
    settings = {
        f"{prefix}{key}": text
        for prefix, run in named.items()
        for key, text in (("JobNamespace", run.namespace), ("JobName", run.job), ("RunId", run.run_id))
    }
    return [word for key, text in settings.items() for word in ("--conf", f"spark.openlineage.{key}={text}")]
