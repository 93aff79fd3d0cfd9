"""`floe init --platform`: a product that compiles at once, below a platform or a domain, and nothing half-made."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from support.published import publish_tiers, write_tiers
from support.registries import RegistryServer, registry_server
from support.running import Floe, floe_here

from floe_contracts.app.init.product import name_product
from floe_contracts.identity.names import levels_of

pytestmark = pytest.mark.service


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RegistryServer]:
    with registry_server(tmp_path_factory.mktemp("registry")) as running:
        yield running


@pytest.fixture
def floe(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Floe:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path / "docker"))
    for name in ("CI", "GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH", "FLOE_ALLOW_HTTP", "FLOE_PLATFORM_REGISTRY"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "Customer 360"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return floe_here(capsys)


@pytest.fixture
def published(floe: Floe, server: RegistryServer, tmp_path: Path) -> RegistryServer:
    publish_tiers(floe, write_tiers(tmp_path / "tiers", server, "acme"), server, "acme")
    return server


def test_a_product_compiles_at_once(floe: Floe, published: RegistryServer) -> None:
    made = floe("init", "--platform=v1.2.3", "--registry", f"oci://{published.host}/acme/platform", "--owner", "sales")
    assert made.code == 0, made
    assert sorted(str(path) for path in Path().rglob("*") if path.is_file()) == [
        "datacontract.yaml",
        "floe.lock",
        "floe.yaml",
        "models/.gitkeep",
        "tests/.gitkeep",
    ]
    product = yaml.safe_load(Path("floe.yaml").read_text())
    reference = f"oci://{published.host}/acme/platform:v1.2.3"
    assert (product["metadata"]["name"], product["platform"]) == ("customer-360", reference)
    ran = floe("compile")
    todo = sum("TODO" in line for line in Path("datacontract.yaml").read_text().splitlines()[1:])
    assert (ran.code, ran.out.count("is still to be filled in")) == (0, todo), ran
    again = floe("init", f"--platform={reference}")
    assert (again.code, "floe.yaml is here already" in again.err) == (2, True)


def test_below_a_domain_the_required_fields_are_there(floe: Floe, published: RegistryServer) -> None:
    made = floe("init", f"--platform=oci://{published.host}/acme/sales:v2.0.0", "--name", "orders", "--owner", "a@b.c")
    assert made.code == 0, made
    assert "domain" in yaml.safe_load(Path("floe.yaml").read_text())
    assert len(yaml.safe_load(Path("floe.lock").read_text())["references"]) == 2
    contract = yaml.safe_load(Path("datacontract.yaml").read_text())
    assert [column["name"] for column in contract["schema"][0]["properties"]] == ["id", "updated_at"]
    assert floe("compile").code == 0


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("My Product (2)", "my-product-2"),
        ("360", "product-360"),
        ("a--b", "a-b"),
        ("a -_b", "a-b"),
        ("a__b", "a-b"),
        ("__x_y", "x_y"),
        ("Ünï", "n"),
        ("-", "product"),
    ],
)
def test_a_folder_of_any_name_makes_a_name_that_can_be_registered(folder: str, name: str) -> None:
    assert name_product(folder) == name
    assert levels_of(name)


def write_registering(folder: Path, level: str) -> Path:
    """A platform that claims names."""
    path = folder / "registering/manifest.yaml"
    path.parent.mkdir()
    head = "apiVersion: floe.dev/v1\nkind: Manifest\nmetadata: {name: acme, version: 1.0.0}\nscope: enterprise\n"
    path.write_text(f"{head}identity: {{enforcement: {level}}}\n")
    return path


@pytest.mark.parametrize("level", ["warn", "register", "enforce"])
def test_below_a_platform_that_registers_it_compiles_and_claims_nothing_yet(
    floe: Floe, server: RegistryServer, tmp_path: Path, level: str
) -> None:
    to = f"oci://{server.host}/registers/{level}"
    assert floe("platform", "publish", "1.0.0", str(write_registering(tmp_path, level)), "--to", to).code == 0
    git_init()
    assert floe("init", f"--platform={to}:v1.0.0").code == 0
    commit_all()
    ran = floe("compile")
    assert (ran.code, "metadata.repository is still to be filled in" in ran.out) == (0, True), ran
    assert not Path(".floe").exists()
    assert level == "warn" or "Not registered: metadata.repository is still to be filled in" in ran.out
    assert floe("identity", "claim").code == 2


def test_a_remote_says_the_repository(floe: Floe, server: RegistryServer, tmp_path: Path) -> None:
    to = f"oci://{server.host}/registers/here"
    assert floe("platform", "publish", "1.0.0", str(write_registering(tmp_path, "register")), "--to", to).code == 0
    git_init("https://ann:s3cret@github.com/acme/orders.git")
    assert floe("init", f"--platform={to}:v1.0.0").code == 0
    assert yaml.safe_load(Path("floe.yaml").read_text())["metadata"]["repository"] == "github.com/acme/orders"
    commit_all()
    ran = floe("compile")
    assert (ran.code, "Registered customer_360" in ran.out) == (0, True), ran


def git_init(remote: str = "") -> None:
    run_git("init", "-q", "-b", "main")
    if remote:
        run_git("remote", "add", "origin", remote)


def commit_all() -> None:
    run_git("add", "-A")
    run_git("-c", "user.name=Ann", "-c", "user.email=ann@acme.com", "commit", "-q", "-m", "x")


def run_git(*argv: str) -> None:
    subprocess.run(["git", *argv], check=True, capture_output=True, timeout=60)


def test_the_registry_may_be_in_the_environment(
    floe: Floe, published: RegistryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLOE_PLATFORM_REGISTRY", f"oci://{published.host}/acme/platform")
    assert floe("init", "--platform=1.2.3").code == 0


@pytest.mark.parametrize(
    ("platform", "words"),
    [
        pytest.param("v1.2.3", "no registry of platforms is named", id="no registry"),
        pytest.param("latest", "is not a version", id="no version"),
        pytest.param("oci://127.0.0.1:1/acme/platform:v1.2.3", "nothing listens", id="nobody there"),
        pytest.param("oci://127.0.0.1:1/acme/platform", "not an OCI reference", id="no tag"),
    ],
)
def test_nothing_is_left_behind(platform: str, words: str, floe: Floe) -> None:
    ran = floe("init", f"--platform={platform}")
    assert (ran.code, words in ran.err, list(Path().iterdir())) == (2, True, []), ran
