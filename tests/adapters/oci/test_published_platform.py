"""Publish, pull, lock and compile against a real registry, and what happens when it is not to be trusted."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from pathlib import Path

import pytest
import yaml
from support.needs import needs
from support.published import digest_in, edit, last_line, publish_tiers, write_tiers
from support.registries import RegistryServer
from support.running import Floe, fresh_floe

pytestmark = pytest.mark.service


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """A repository of the test's own."""
    return "t" + format(abs(hash(request.node.name)), "x")


@pytest.fixture
def tiers(tmp_path: Path, server: RegistryServer, name: str) -> Path:
    return write_tiers(tmp_path / "tiers", server, name)


def product(tiers: Path) -> Path:
    return tiers / "products/customer-360"


def forget(tmp_path: Path) -> None:
    """Empty the cache of this test."""
    for root, folders, files in os.walk(tmp_path / "cache", topdown=False):
        for file in files:
            (Path(root) / file).unlink()
        for folder in folders:
            (Path(root) / folder).rmdir()


def test_publish_once_and_never_otherwise(floe: Floe, tiers: Path, server: RegistryServer, name: str) -> None:
    manifest = str(tiers / "enterprise/manifest.yaml")
    first = floe("platform", "publish", "v1.2.3", manifest)
    assert (first.code, last_line(first)) == (0, f"oci://{server.host}/{name}/platform:v1.2.3@{digest_in(first)}")
    again = floe("platform", "publish", "1.2.3", manifest, "--revision", "0f1e2d")
    assert (again.code, digest_in(again), "nothing was sent" in again.err) == (0, digest_in(first), True)
    edit(Path(manifest), "threshold: 80", "threshold: 81")
    other = floe("platform", "publish", "1.2.3", manifest)
    assert (other.code, "FLOE-E573" in other.err, digest_in(first) in other.err) == (1, True, True), other
    wrong = floe("platform", "publish", "1.2.4", manifest)
    assert (wrong.code, "FLOE-E572" in wrong.err) == (1, True)


def test_a_parent_on_disk_is_refused(floe: Floe, tiers: Path, server: RegistryServer, name: str) -> None:
    domain = tiers / "domains/sales/manifest.yaml"
    edit(domain, f"oci://{server.host}/{name}/platform:v1.2.3", "../../enterprise/manifest.yaml")
    ran = floe("platform", "publish", "2.0.0", str(domain), "--to", f"oci://{server.host}/{name}/sales")
    assert (ran.code, "Publish the parent first" in ran.err) == (1, True), ran


def test_build_metadata_has_no_tag(floe: Floe, tiers: Path) -> None:
    manifest = tiers / "enterprise/manifest.yaml"
    edit(manifest, '"1.2.3"', '"1.2.3+7"')
    ran = floe("platform", "publish", "1.2.3+7", str(manifest))
    assert (ran.code, "cannot hold a +" in ran.err) == (2, True)


def test_two_machines_make_one_digest(
    floe: Floe, tiers: Path, server: RegistryServer, name: str, tmp_path: Path
) -> None:
    """Another clock, another locale and another umask change no byte."""
    here = floe("platform", "publish", "1.2.3", str(tiers / "enterprise/manifest.yaml"))
    before = "import os, time; os.umask(0o077); now = time.time; time.time = lambda: now() + 1e8"
    to = f"oci://{server.host}/{name}/elsewhere"
    there = fresh_floe(
        "platform",
        "publish",
        "1.2.3",
        str(tiers / "enterprise/manifest.yaml"),
        "--to",
        to,
        cwd=tmp_path,
        before=before,
        LC_ALL="tr_TR.UTF-8",
        TZ="Pacific/Kiritimati",
        PYTHONHASHSEED="7",
    )
    assert there.code == 0, there
    assert digest_in(there) == digest_in(here)


def test_three_tiers_compile_offline_after_one_pull(
    floe: Floe, tiers: Path, server: RegistryServer, name: str, tmp_path: Path
) -> None:
    enterprise, domain = publish_tiers(floe, tiers, server, name)
    compiled = floe("compile", str(product(tiers)))
    assert compiled.code == 0, compiled
    lock = yaml.safe_load((product(tiers) / "floe.lock").read_text())
    assert lock["references"] == {
        f"oci://{server.host}/{name}/platform:v1.2.3": {"digest": enterprise},
        f"oci://{server.host}/{name}/sales:v2.0.0": {"digest": domain},
    }
    artifact = json.loads((product(tiers) / "target/floe/compiled.json").read_text())
    assert [tier["digest"] for tier in artifact["platform"]] == [enterprise, domain]
    assert str(tmp_path) not in json.dumps(artifact)
    server.stop()
    try:
        assert floe("compile", str(product(tiers))).code == 0
        forget(tmp_path)
        down = floe("compile", str(product(tiers)))
        assert (down.code, "FLOE-E570" in down.out, "nothing listens" in down.out) == (2, True, True), down
    finally:
        server.start()
    assert floe("compile", str(product(tiers))).code == 0


def test_ci_trusts_nothing_for_the_first_time(
    floe: Floe, tiers: Path, server: RegistryServer, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish_tiers(floe, tiers, server, name)
    monkeypatch.setenv("CI", "true")
    ran = floe("compile", str(product(tiers)))
    assert (ran.code, "is not in floe.lock" in ran.out) == (2, True), ran
    assert not (product(tiers) / "floe.lock").exists()
    monkeypatch.delenv("CI")
    assert floe("platform", "lock", str(product(tiers) / "floe.yaml")).code == 0
    monkeypatch.setenv("CI", "true")
    assert floe("compile", str(product(tiers))).code == 0


def test_a_moved_tag_fails(floe: Floe, tiers: Path, server: RegistryServer, name: str, tmp_path: Path) -> None:
    publish_tiers(floe, tiers, server, name)
    assert floe("compile", str(product(tiers))).code == 0
    move_tag(server, f"{name}/sales", "v2.0.0", floe, tiers)
    assert floe("compile", str(product(tiers))).code == 0, "locked and cached: nobody is asked"
    asked = floe("platform", "verify", str(product(tiers) / "floe.yaml"))
    assert (asked.code, "FLOE-E575" in asked.err) == (1, True), asked
    forget(tmp_path)
    ran = floe("compile", str(product(tiers)))
    assert (ran.code, "FLOE-E575" in ran.out) == (1, True), ran
    asked = floe("platform", "verify", str(product(tiers) / "floe.yaml"))
    assert (asked.code, "FLOE-E575" in asked.err) == (1, True), asked
    kept = floe("platform", "lock", str(product(tiers) / "floe.yaml"))
    assert (kept.code, "FLOE-E575" in kept.err) == (1, True), kept
    assert floe("platform", "lock", str(product(tiers) / "floe.yaml"), "--update").code == 0
    assert floe("compile", str(product(tiers))).code == 0


def move_tag(server: RegistryServer, repository: str, tag: str, floe: Floe, tiers: Path) -> None:
    """As somebody with the right to push may do: other files under an old tag."""
    domain = tiers / "domains/sales/manifest.yaml"
    edit(domain, "threshold: 90", "threshold: 91")
    scratch = f"oci://{server.host}/{repository}-scratch"
    digest = digest_in(floe("platform", "publish", "2.0.0", str(domain), "--to", scratch))
    source, target = (f"docker://{server.host}/{repository}{more}" for more in (f"-scratch@{digest}", f":{tag}"))
    subprocess.run(
        [needs("skopeo"), "copy", "--src-tls-verify=false", "--dest-tls-verify=false", source, target],
        check=True,
        capture_output=True,
        timeout=60,
    )


@pytest.mark.parametrize("by", ["tag", "digest"])
@pytest.mark.parametrize("what", ["manifest", "blob"])
def test_bytes_that_were_altered_are_refused(
    floe: Floe, tiers: Path, server: RegistryServer, name: str, by: str, what: str, tmp_path: Path
) -> None:
    digest = digest_in(floe("platform", "publish", "1.2.3", str(tiers / "enterprise/manifest.yaml")))
    repository = f"oci://{server.host}/{name}/platform"
    reference = f"{repository}:v1.2.3" if by == "tag" else f"{repository}@{digest}"
    manifest = json.loads(server.blob(digest).read_text())
    layer = next(item for item in manifest["layers"] if item["size"] > 500)
    victim = server.blob(digest if what == "manifest" else layer["digest"])
    victim.write_bytes(
        victim.read_bytes().replace(b"1.2.3", b"1.2.4") if what == "manifest" else b"{" + victim.read_bytes()[:-1]
    )
    ran = floe("platform", "pull", reference, "--output", "pulled")
    assert (ran.code, "FLOE-E574" in ran.err, Path("pulled").exists()) == (2, True, False), ran


def test_pulled_files_are_read_only_and_whole(
    floe: Floe, tiers: Path, server: RegistryServer, name: str, tmp_path: Path
) -> None:
    digest = digest_in(floe("platform", "publish", "1.2.3", str(tiers / "enterprise/manifest.yaml")))
    reference = f"oci://{server.host}/{name}/platform:v1.2.3"
    assert floe("platform", "pull", reference, "--output", "pulled").code == 0
    files = sorted(path for path in Path("pulled").rglob("*") if path.is_file())
    assert [str(path.relative_to("pulled")) for path in files] == [
        "architecture/naming-rules.json",
        "manifest.json",
        "policies/classification.json",
        "policies/quality-gates.json",
    ]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o444}
    assert (tmp_path / "cache/floe/oci" / digest / "manifest.json").exists()
    assert floe("platform", "pull", reference, "--output", "pulled").code == 2, "what is there is not mixed"
    shown = json.loads(floe("platform", "show", reference, "--format", "json").out)
    assert (shown["digest"], shown["artifact_type"]) == (digest, "application/vnd.floe.platform.v1")
    assert shown["annotations"]["org.opencontainers.image.version"] == "1.2.3"


def test_a_cache_that_was_altered_is_not_believed(
    floe: Floe, tiers: Path, server: RegistryServer, name: str, tmp_path: Path
) -> None:
    _, domain = publish_tiers(floe, tiers, server, name)
    assert floe("compile", str(product(tiers))).code == 0
    cached = tmp_path / "cache/floe/oci" / domain / "manifest.json"
    cached.chmod(0o644)
    cached.write_text(cached.read_text().replace("90", "10"))
    assert floe("compile", str(product(tiers))).code == 0
    assert '"threshold": 90' in cached.read_text(), "it was fetched again"


def test_skopeo_reads_it_by_digest(floe: Floe, tiers: Path, server: RegistryServer, name: str, tmp_path: Path) -> None:
    digest = digest_in(floe("platform", "publish", "1.2.3", str(tiers / "enterprise/manifest.yaml")))
    source = f"docker://{server.host}/{name}/platform@{digest}"
    copied = subprocess.run(
        [needs("skopeo"), "copy", "--src-tls-verify=false", source, f"oci:{tmp_path / 'copy'}:v"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert copied.returncode == 0, copied.stderr
    assert (tmp_path / "copy/blobs/sha256" / digest.removeprefix("sha256:")).read_bytes() == server.blob(
        digest
    ).read_bytes()


def test_base_contracts_travel_under_the_digest(
    floe: Floe, tiers: Path, server: RegistryServer, name: str, tmp_path: Path
) -> None:
    enterprise = tiers / "enterprise"
    (enterprise / "bases").mkdir()
    head = "apiVersion: v3.0.2\nkind: DataContract\nowner: x@acme.com\n"
    top = f"{head}name: top\nversion: 1.0.0\nslaProperties:\n  availability: {{value: 99.95%}}\n"
    base = f"{head}name: base\nversion: 1.0.0\nparent: bases/top.yaml\nslaProperties:\n  freshness: {{value: PT1H}}\n"
    (enterprise / "bases/top.yaml").write_text(top)
    (enterprise / "base.yaml").write_text(base)
    edit(enterprise / "manifest.yaml", "  standard: odcs_v3", "  standard: odcs_v3\n  base: [base.yaml]")
    publish_tiers(floe, tiers, server, name)
    reference = f"oci://{server.host}/{name}/platform:v1.2.3"
    assert floe("platform", "pull", reference, "--output", "pulled").code == 0
    assert sorted(path.name for path in Path("pulled/contracts").iterdir()) == ["1.json", "2.json"]
    assert json.loads(Path("pulled/manifest.json").read_text())["data_contracts"]["base"] == ["contracts/1.json"]
    assert json.loads(Path("pulled/contracts/1.json").read_text())["parent"] == "2.json"
    ran = floe("compile", str(product(tiers)))
    assert ran.code == 1, ran
    assert "FLOE-E510" in ran.out
    assert "PT1H" in ran.out
    assert "99.95%" in ran.out
