"""A pull request below a published platform: whose rules on signatures hold, what is told, what the hook may ask."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml
from support.git_sandbox import Clone, Sandbox
from support.published import digest_in, edit, make_key, write_tiers
from support.registries import RegistryServer
from support.running import Floe

from floe_contracts.adapters.process.environment import utc_today
from floe_contracts.app.products import check_products

pytestmark = pytest.mark.service


@pytest.fixture
def product(floe: Floe, server: RegistryServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    """A product on main, locked to a platform that nobody signed, and a branch for the change."""
    name = f"pr-{tmp_path.name.lower()}"
    tiers = write_tiers(tmp_path / "tiers", server, name)
    manifest, repository = tiers / "enterprise/manifest.yaml", f"oci://{server.host}/{name}/platform"
    assert floe("platform", "publish", "1.2.3", str(manifest)).code == 0
    edit(manifest, '"1.2.3"', '"1.3.0"')
    edit(manifest, "threshold: 80", "threshold: 85")
    assert digest_in(floe("platform", "publish", "1.3.0", str(manifest)))
    (tmp_path / "sandbox").mkdir()
    repo = Sandbox(tmp_path / "sandbox").init()
    monkeypatch.chdir(repo.path)
    assert floe("init", f"--platform={repository}:v1.2.3", "--name", "orders", "--owner", "a@acme.com").code == 0
    repo.commit({"README.md": "orders\n"})
    return repo


def pull_request(repo: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment of a job on the test merge of the branch into main."""
    head = repo.head
    repo.switch("merged", "main")
    repo.git("merge", "--no-ff", "-m", "merge", head)
    event = {"pull_request": {"head": {"sha": head}, "base": {"ref": "main", "sha": repo.git("rev-parse", "main")}}}
    (tmp_path / "event.json").write_text(json.dumps(event))
    for name, value in (("NAME", "pull_request"), ("PATH", str(tmp_path / "event.json"))):
        monkeypatch.setenv(f"GITHUB_EVENT_{name}", value)
    monkeypatch.setenv("CI", "true")


def write_verify(repo: Clone, block: Mapping[str, object] | None) -> None:
    lock = yaml.safe_load((repo.path / "floe.lock").read_text())
    lock.pop("verify", None)
    (repo.path / "floe.lock").write_text(yaml.safe_dump({**lock, **({"verify": block} if block else {})}))


@pytest.mark.parametrize("trick", ["left out", "not required", "another key"])
def test_a_change_cannot_lift_what_its_base_requires(
    trick: str, product: Clone, floe: Floe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, public = make_key(tmp_path / "ours.key")
    _, stranger = make_key(tmp_path / "theirs.key")
    write_verify(product, {"required": True, "key": public})
    product.commit()
    product.switch("change", "main")
    if trick == "another key":
        reference = yaml.safe_load((product.path / "floe.yaml").read_text())["platform"]
        assert floe("platform", "sign", reference, "--key", str(tmp_path / "theirs.key")).code == 0
    write_verify(
        product, {"left out": None, "not required": {"required": False}}.get(trick, {"required": True, "key": stranger})
    )
    product.commit()
    pull_request(product, tmp_path, monkeypatch)
    ran = floe("compile")
    assert (ran.code, "FLOE-E574" in ran.out) == (2, True), ran


def test_the_action_tells_what_a_moved_reference_changes(
    product: Clone, floe: Floe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    product.switch("change", "main")
    edit(product.path / "floe.yaml", "v1.2.3", "v1.3.0")
    assert floe("platform", "lock", "--update").code == 0
    product.commit()
    pull_request(product, tmp_path, monkeypatch)
    for name in ("OUTPUT", "STEP_SUMMARY"):
        monkeypatch.setenv(f"GITHUB_{name}", str(tmp_path / name))
    monkeypatch.setenv("GITHUB_WORKSPACE", str(product.path))
    monkeypatch.setenv("RUNNER_TEMP", str(tmp_path / "runner"))
    ran = floe("action", "compile")
    assert ran.code == 0, ran
    (report,) = (tmp_path / "runner").rglob("*.json")
    notes = json.loads(report.read_text())["notes"]
    assert "stricter: governance.quality_gates.threshold 80 -> 85" in notes, notes
    assert "affects floe.yaml" in notes, notes


def test_the_action_publishes_with_a_note_of_the_commit(
    server: RegistryServer, floe: Floe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiers = write_tiers(tmp_path / "tiers", server, "by-action")
    inputs = {
        "INPUT_VERSION": "v1.2.3",
        "INPUT_MANIFEST": "manifest.yaml",
        "INPUT_WORKING_DIRECTORY": "tiers/enterprise",
    }
    for name, value in inputs.items():
        monkeypatch.setenv(f"FLOE_{name}", value)
    job = {"OUTPUT": str(tmp_path / "out"), "WORKSPACE": str(tmp_path), "REPOSITORY": "acme/platform", "SHA": "0f1e2d"}
    for name, value in job.items():
        monkeypatch.setenv(f"GITHUB_{name}", value)
    ran = floe("action", "publish")
    assert ran.code == 0, ran
    reference = f"oci://{server.host}/by-action/platform:v1.2.3"
    assert f"{reference}@{digest_in(ran)}" in (tmp_path / "out").read_text()
    notes = json.loads(floe("platform", "show", reference, "--format", "json").out)["annotations"]
    assert notes["org.opencontainers.image.revision"] == "0f1e2d"
    assert notes["org.opencontainers.image.source"] == "https://github.com/acme/platform"
    edit(tiers / "enterprise/manifest.yaml", "threshold: 80", "threshold: 81")
    assert floe("action", "publish").code == 1


def test_the_hook_asks_no_registry(product: Clone, floe: Floe, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def look() -> list[str]:
        report = check_products(".", ["floe.yaml"], (), utc_today())
        assert report.verdict == "pass"
        return [item.message for item in report.all_findings() if item.rule == "cannot-tell"]

    assert look() == []
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "elsewhere"))
    (message,) = look()
    assert "not in the cache of this machine" in message
