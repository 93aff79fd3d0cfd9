"""Java programs for tests, from Maven: it keeps the jars, so that only the first run loads them."""

from __future__ import annotations

import subprocess
from pathlib import Path

from support.needs import cannot_run, needs

_POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>floe.tests</groupId><artifactId>server</artifactId><version>1</version>
  <dependencies>{dependencies}</dependencies>
</project>
"""
_DEPENDENCY = "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version>{}</dependency>"


def load_classes(place: Path, *coordinates: str) -> str:
    """The class path of `group:artifact:version[:classifier]`, and of everything that these need."""
    place.mkdir(parents=True, exist_ok=True)
    pom, classes = place / "pom.xml", place / "classes.txt"
    pom.write_text(_POM.format(dependencies="".join(map(_write_dependency, coordinates))))
    _run(["-f", str(pom), "dependency:build-classpath", f"-Dmdep.outputFile={classes}"], coordinates[0])
    return classes.read_text()


def load_jar(place: Path, coordinates: str) -> Path:
    """One jar that needs nothing beside itself: `group:artifact:version:jar:classifier`."""
    _run(["dependency:copy", f"-Dartifact={coordinates}", f"-DoutputDirectory={place}"], coordinates)
    (jar,) = place.glob("*.jar")
    return jar


def _write_dependency(text: str) -> str:
    group, artifact, version, *classifier = text.split(":")
    more = f"<classifier>{classifier[0]}</classifier>" if classifier else ""
    return _DEPENDENCY.format(group, artifact, version, more)


def _run(arguments: list[str], what: str) -> None:
    done = subprocess.run([needs("mvn"), "-q", "-B", *arguments], check=False, capture_output=True, timeout=600)
    if done.returncode:
        cannot_run(f"Maven could not load {what}: " + done.stdout.decode(errors="replace").strip()[:300])
