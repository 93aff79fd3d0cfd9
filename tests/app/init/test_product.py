"""`floe init --platform`: a product that compiles at once, below a platform or a domain, and nothing half-made."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from support.published import publish_tiers, write_tiers
from support.registries import RegistryServer, registry_server
from support.running import Floe, floe_here

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
    made = floe("init", "--platform=v1.2.3", "--registry", f"oci://{published.host}/acme/platform")
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


def test_the_registry_may_be_in_the_environment(
    floe: Floe, published: RegistryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLOE_PLATFORM_REGISTRY", f"oci://{published.host}/acme/platform")
    assert floe("init", "--platform=1.2.3").code == 0


@pytest.mark.parametrize(
    ("platform", "words"),
    [
        pytest.param("v1.2.3", "nobody says where", id="no registry"),
        pytest.param("latest", "is no version", id="no version"),
        pytest.param("oci://127.0.0.1:1/acme/platform:v1.2.3", "nobody listens", id="nobody there"),
        pytest.param("oci://127.0.0.1:1/acme/platform", "no OCI reference", id="no tag"),
    ],
)
def test_nothing_is_left_behind(platform: str, words: str, floe: Floe) -> None:
    ran = floe("init", f"--platform={platform}")
    assert (ran.code, words in ran.err, list(Path().iterdir())) == (2, True, []), ran
