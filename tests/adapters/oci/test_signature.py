"""Signatures in cosign's layout: whose they are, what they cover, and where they are required."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
import yaml
from support.needs import needs
from support.published import digest_in, make_key, publish_tiers, write_tiers
from support.registries import RegistryServer
from support.running import Floe, fresh_floe

from floe_contracts.adapters.oci.signature import ArtifactSignature, check_signatures, public_pem, sign_digest
from floe_contracts.errors import FloeError

DIGEST, OTHER = (f"sha256:{digit * 64}" for digit in "ab")


def test_only_this_key_and_this_digest(tmp_path: Path) -> None:
    key, public = make_key(tmp_path / "a.key")
    strange, stranger = make_key(tmp_path / "b.key")
    mine, theirs = sign_digest("host/repo", DIGEST, key), sign_digest("host/repo", DIGEST, strange)
    check_signatures(DIGEST, (theirs, mine), public, "it")
    refused = {
        "unsigned": (DIGEST, (), public),
        "by another key": (DIGEST, (theirs,), public),
        "of another digest": (OTHER, (mine,), public),
        "moved to another digest": (
            OTHER,
            (ArtifactSignature(mine.payload.replace(b"aaa", b"bbb"), mine.text),),
            public,
        ),
        "not base64": (DIGEST, (ArtifactSignature(mine.payload, "***"),), public),
        "no payload": (DIGEST, (ArtifactSignature(b"{}", mine.text),), public),
        "checked with another key": (DIGEST, (mine,), stranger),
    }
    for name, (digest, signatures, required) in refused.items():
        with pytest.raises(FloeError) as caught:
            check_signatures(digest, signatures, required, "it")
        assert caught.value.code.id == "FLOE-E574", name


def test_what_is_no_key_is_said(tmp_path: Path) -> None:
    with pytest.raises(FloeError, match="not a private EC key"):
        sign_digest("host/repo", DIGEST, b"nonsense")
    with pytest.raises(FloeError, match="not a public EC key"):
        check_signatures(DIGEST, (), "nonsense", "it")


def test_without_the_extra_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.key").write_text("x")
    before = "import sys; sys.modules['cryptography'] = None; sys.modules['cryptography.hazmat'] = None\n"
    code = "from floe_contracts.adapters.oci.signature import _library\n_library()"
    ran = fresh_floe("--version", cwd=tmp_path, before=f"{before}{catching(code)}")
    assert "floe-contracts[sign]" in ran.out, ran


def catching(code: str) -> str:
    inner = "\n".join(f"    {line}" for line in code.splitlines())
    return f"try:\n{inner}\nexcept Exception as error:\n    print(error.fix)"


@pytest.mark.service
def test_sign_verify_and_require(server: RegistryServer, tmp_path: Path, floe: Floe) -> None:
    tiers = write_tiers(tmp_path / "tiers", server, "signed")
    publish_tiers(floe, tiers, server, "signed")
    _, public = make_key(tmp_path / "platform.key")
    (tmp_path / "platform.pub").write_text(public)
    references = [f"oci://{server.host}/signed/platform:v1.2.3", f"oci://{server.host}/signed/sales:v2.0.0"]
    product = tiers / "products/customer-360"
    assert floe("compile", str(product)).code == 0
    lock = yaml.safe_load((product / "floe.lock").read_text())
    (product / "floe.lock").write_text(yaml.safe_dump({**lock, "verify": {"required": True, "key": public}}))
    unsigned = floe("compile", str(product))
    assert (unsigned.code, "FLOE-E574" in unsigned.out, "not signed" in unsigned.out) == (2, True, True), unsigned
    assert floe("platform", "verify", references[0], "--key", "platform.pub").code == 2
    for reference in references:
        assert floe("platform", "sign", reference, "--key", "platform.key").code == 0
    again = floe("platform", "sign", references[0], "--key", "platform.key")
    assert (again.code, "nothing was sent" in again.err) == (0, True)
    assert floe("compile", str(product)).code == 0
    server.stop()
    try:
        assert floe("compile", str(product)).code == 0, "the signature is cached, too"
    finally:
        server.start()
    good = floe("platform", "verify", str(product / "floe.yaml"))
    assert (good.code, good.out.count("as locked, signature valid")) == (0, 2), good
    make_key(tmp_path / "stranger.key")
    (tmp_path / "stranger.pub").write_text(public_pem((tmp_path / "stranger.key").read_bytes()))
    bad = floe("platform", "verify", references[0], "--key", "stranger.pub")
    assert (bad.code, "FLOE-E574" in bad.err) == (2, True)
    tag = f"{digest_in(good).replace(':', '-')}.sig"
    assert (
        json.loads(server_get(server, "signed/platform", tag))["layers"][0]["mediaType"]
        == "application/vnd.dev.cosign.simplesigning.v1+json"
    )


def server_get(server: RegistryServer, repository: str, tag: str) -> str:
    source = f"docker://{server.host}/{repository}:{tag}"
    command = [needs("skopeo"), "inspect", "--raw", "--tls-verify=false", source]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout
