"""The bearer flow against a real registry and an issuer of tokens: who may push, who may pull, and what is printed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.published import write_tiers
from support.registries import USERS, RegistryServer, guarded_registry, log_in
from support.running import fresh_floe

pytestmark = pytest.mark.service


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RegistryServer]:
    with guarded_registry(tmp_path_factory.mktemp("guarded")) as running:
        yield running


def test_publisher_reader_and_anonymous(server: RegistryServer, tmp_path: Path) -> None:
    tiers = write_tiers(tmp_path / "tiers", server, "acme")
    manifest, reference = str(tiers / "enterprise/manifest.yaml"), f"oci://{server.host}/acme/platform:v1.2.3"
    logins = {user: str(log_in(tmp_path / user, server.host, user)) for user in USERS}
    logins["anonymous"] = str(tmp_path / "nobody")
    written = {path: path.read_bytes() for user in USERS for path in (tmp_path / user).iterdir()}
    printed = []

    def floe(user: str, *arguments: str) -> tuple[int, str, str]:
        cache = {"XDG_CACHE_HOME": str(tmp_path / "caches" / user), "DOCKER_CONFIG": logins[user]}
        ran = fresh_floe("--verbose", "platform", *arguments, cwd=tmp_path, **cache)
        printed.append(ran.out + ran.err)
        return ran.code, ran.out, ran.err

    assert floe("reader", "publish", "1.2.3", manifest)[0] == 2
    assert "FLOE-E571" in printed[-1]
    code, out, err = floe("publisher", "publish", "1.2.3", manifest)
    assert code == 0, err
    assert floe("reader", "pull", reference, "--output", "pulled")[0] == 0, printed[-1]
    assert out.strip() in printed[-1]
    assert floe("anonymous", "pull", reference, "--output", "nothing")[0] == 2
    assert "FLOE-E571" in printed[-1]
    assert not (tmp_path / "nothing").exists()
    text = "".join(printed)
    assert not any(secret in text for secret in (*USERS.values(), "Bearer", "Basic", "eyJ")), text
    assert {path: path.read_bytes() for path in written} == written
