"""What a registry may not do to us: hang, drip, send too little, too much or elsewhere, or get our credentials."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from support.misbehaving import Behaviour, drip, hang, misbehaving, reply

from floe_contracts.adapters.oci.artifact import (
    ARTIFACT_TYPE,
    Artifact,
    build_artifact,
    compact_json,
    describe,
    digest_of,
    read_platform,
)
from floe_contracts.adapters.oci.cache import ArtifactCache
from floe_contracts.adapters.oci.credentials import Credentials, find_credentials
from floe_contracts.adapters.oci.source import ArtifactSource
from floe_contracts.adapters.oci.transport import Limits, RegistryAccess, Session
from floe_contracts.errors import FloeError
from floe_contracts.product.reference import OciReference

PLATFORM = build_artifact({"manifest.json": b'{"kind": "Manifest"}' * 40}, {"a": "b"})
RAW = PLATFORM.manifest.raw
QUICK = Limits(0.3, 0.8)


def fetch(
    host: str, tmp_path: Path, *, limits: Limits = QUICK, locked: str = "", credentials: Credentials | None = None
) -> Artifact:
    access = RegistryAccess((), lambda _: credentials or Credentials(), limits)
    source = ArtifactSource(ArtifactCache(str(tmp_path / "cache")), access)
    return source.fetch(OciReference(host, "platform", "v1.0.0"), locked)


def serves(manifest: bytes, blob: bytes) -> Behaviour:
    """Two answers, as they are."""

    def behave(client: socket.socket, asked: bytes) -> None:
        client.sendall(manifest if b"/manifests/" in asked else blob)

    return behave


BLOB = PLATFORM.files["manifest.json"]
GOOD = reply("200 OK", RAW)
CASES = [
    pytest.param(hang, "FLOE-E570", id="it hangs"),
    pytest.param(drip, "FLOE-E570", id="it drips"),
    pytest.param(serves(reply("500 Broken"), b""), "FLOE-E570", id="it is broken"),
    pytest.param(serves(b"SSH-2.0-OpenSSH\r\n", b""), "FLOE-E570", id="it is not a web server"),
    pytest.param(serves(reply("404 Not Found"), b""), "FLOE-E570", id="there is no such tag"),
    pytest.param(serves(reply("401 No", WWW_Authenticate='Basic realm="x"'), b""), "FLOE-E571", id="it wants a user"),
    pytest.param(serves(reply("200 OK", RAW[:-9], Content_Length=str(len(RAW))), b""), "FLOE-E574", id="cut manifest"),
    pytest.param(serves(reply("200 OK", b" " * 4_000_001), b""), "FLOE-E576", id="a manifest of over 4 MB"),
    pytest.param(
        serves(reply("200 OK", RAW, Docker_Content_Digest=digest_of(b"x")), b""), "FLOE-E574", id="altered manifest"
    ),
    pytest.param(serves(GOOD, reply("200 OK", BLOB[:-1])), "FLOE-E574", id="a blob that is too short"),
    pytest.param(
        serves(GOOD, reply("200 OK", BLOB[:-9], Content_Length=str(len(BLOB)))), "FLOE-E574", id="a blob cut off"
    ),
    pytest.param(serves(GOOD, reply("200 OK", BLOB + b"x" * 9_000)), "FLOE-E574", id="a blob that is too long"),
    pytest.param(serves(GOOD, reply("200 OK", b"x" * len(BLOB))), "FLOE-E574", id="a blob that is another"),
    pytest.param(serves(GOOD, reply("404 Not Found")), "FLOE-E570", id="a blob that is gone"),
    pytest.param(
        serves(reply("307 Go", Location="http://192.0.2.1/x"), b""),
        "FLOE-E570",
        id="a redirect to plain http elsewhere",
    ),
    pytest.param(
        serves(reply("307 Go", Location="/v2/again/manifests/"), b""), "FLOE-E570", id="a redirect in a circle"
    ),
    pytest.param(serves(reply("307 Go", Location="file:///etc/passwd"), b""), "FLOE-E570", id="a redirect to a file"),
]


@pytest.mark.parametrize(("behave", "code"), CASES)
def test_a_registry_that_misbehaves(behave: Behaviour, code: str, tmp_path: Path) -> None:
    started = time.monotonic()
    limits = QUICK if behave in (hang, drip) else Limits(10, 20)
    with misbehaving(behave) as (host, _), pytest.raises(FloeError) as caught:
        fetch(host, tmp_path, limits=limits)
    assert (caught.value.code.id, caught.value.exit_code) == (code, 2), caught.value.message
    assert not (tmp_path / "cache").exists()
    if behave in (hang, drip):
        assert time.monotonic() - started < 15, "the deadline holds, with room for a loaded machine"


def test_the_limits_are_those_that_are_promised() -> None:
    assert (RegistryAccess().limits.idle_s, RegistryAccess().limits.total_s) == (30.0, 120.0)


def test_a_registry_that_recovers_is_asked_again(tmp_path: Path) -> None:
    answers = [reply("503 Busy"), reply("503 Busy")]

    def behave(client: socket.socket, asked: bytes) -> None:
        client.sendall(answers.pop() if answers else GOOD if b"/manifests/" in asked else reply("200 OK", BLOB))

    with misbehaving(behave) as (host, requests):
        assert fetch(host, tmp_path, limits=Limits(10, 60)).digest == PLATFORM.digest
    assert len(requests) == 4


def test_a_redirect_gets_no_credentials(tmp_path: Path) -> None:
    """The storage behind a registry sends the blob, and learns nothing."""

    def store(client: socket.socket, _: bytes) -> None:
        client.sendall(reply("200 OK", BLOB))

    with misbehaving(store) as (elsewhere, seen):

        def behave(client: socket.socket, asked: bytes) -> None:
            if b"Authorization: Basic" not in asked:
                client.sendall(reply("401 No", WWW_Authenticate='Basic realm="x"'))
            elif b"/manifests/" in asked:
                client.sendall(GOOD)
            else:
                client.sendall(reply("307 Go", Location=f"http://{elsewhere}/signed?x=1"))

        with misbehaving(behave) as (host, _):
            artifact = fetch(host, tmp_path, limits=Limits(10, 20), credentials=Credentials("me", "s3cret"))
    assert artifact.digest == PLATFORM.digest
    assert len(seen) == 1
    assert b"authorization" not in seen[0].lower()


def test_a_realm_without_encryption_is_not_told_the_password(tmp_path: Path) -> None:
    challenge = 'Bearer realm="http://192.0.2.1/token",service="x"'
    behave = serves(reply("401 No", WWW_Authenticate=challenge), b"")
    with misbehaving(behave) as (host, _), pytest.raises(FloeError) as caught:
        fetch(host, tmp_path, limits=Limits(10, 20), credentials=Credentials("me", "s3cret"))
    assert "not be encrypted" in caught.value.message
    assert "s3cret" not in str(caught.value)


@pytest.fixture
def through(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Set the proxy of the environment."""

    def set_proxy(host: str) -> None:
        for name in ("NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.delenv(name, raising=False)
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
            monkeypatch.setenv(name, f"http://ann:pr0xy@{host}")

    return set_proxy


def test_a_proxy_that_refuses_is_named_without_its_password(through: Callable[[str], None], tmp_path: Path) -> None:
    refuse = serves(reply("407 Proxy Authentication Required"), reply("407 Proxy Authentication Required"))
    with misbehaving(refuse) as (host, seen):
        through(host)
        with pytest.raises(FloeError, match="the proxy of the environment answers 407") as caught:
            fetch("reg.acme.com", tmp_path, limits=Limits(10, 20), credentials=Credentials("me", "s3cret"))
    assert seen[0].startswith(b"CONNECT reg.acme.com:443 ")
    assert b"proxy-authorization: basic " in seen[0].lower()
    assert not any(b"\r\nauthorization:" in asked.lower() for asked in seen)
    assert "pr0xy" not in str(caught.value)


def test_a_registry_behind_a_proxy_is_read(
    through: Callable[[str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    access = RegistryAccess(("reg.invalid",), limits=Limits(10, 20))
    source = ArtifactSource(ArtifactCache(str(tmp_path / "cache")), access)
    with misbehaving(serves(GOOD, reply("200 OK", BLOB))) as (host, seen):
        through(host)
        assert source.fetch(OciReference("reg.invalid:5000", "platform", "v1.0.0")).digest == PLATFORM.digest
        assert seen[0].startswith(b"GET http://reg.invalid:5000/v2/platform/manifests/v1.0.0 ")
        monkeypatch.setenv("no_proxy", "reg.invalid")
        asked = len(seen)
        with pytest.raises(FloeError, match="cannot be used as a registry"):
            ArtifactSource(ArtifactCache(str(tmp_path / "other")), access).fetch(
                OciReference("reg.invalid:5000", "platform", "v1.0.0")
            )
        assert len(seen) == asked


@pytest.mark.parametrize("host", ["127.0.0.1:1", "localhost:1", "127.9.8.7:1"])
def test_what_is_on_this_machine_needs_no_proxy(through: Callable[[str], None], tmp_path: Path, host: str) -> None:
    with misbehaving(serves(GOOD, reply("200 OK", BLOB))) as (proxy, seen):
        through(proxy)
        with pytest.raises(FloeError, match="nothing listens"):
            fetch(host, tmp_path, limits=Limits(10, 20))
    assert seen == []


@pytest.mark.parametrize("host", ["docker.io", "index.docker.io", "registry-1.docker.io"])
def test_docker_hub_answers_at_one_of_its_names(host: str) -> None:
    session = Session(host, RegistryAccess())
    assert session.locate("/v2/").url == "https://registry-1.docker.io:443/v2"


def test_an_identity_token_is_exchanged(tmp_path: Path) -> None:
    def behave(client: socket.socket, asked: bytes) -> None:
        if asked.startswith(b"POST /token"):
            body = b'{"access_token": "abc"}' if b"refresh_token=s3cret" in asked else b"{}"
            client.sendall(reply("200 OK", body))
        elif b"Authorization: Bearer abc" in asked:
            client.sendall(GOOD if b"/manifests/" in asked else reply("200 OK", BLOB))
        else:
            own = f"http://127.0.0.1:{client.getsockname()[1]}/token"
            client.sendall(reply("401 No", WWW_Authenticate=f'Bearer realm="{own}",service="x"'))

    with misbehaving(behave) as (host, _):
        artifact = fetch(host, tmp_path, limits=Limits(10, 20), credentials=Credentials(identity_token="s3cret"))
    assert artifact.digest == PLATFORM.digest


def layer(title: str, size: int = 2) -> dict[str, object]:
    return {
        **describe("application/vnd.floe.manifest.v1+json", b"{}"),
        "size": size,
        "annotations": {"org.opencontainers.image.title": title},
    }


UNSAFE = [
    pytest.param([layer("manifest.json"), layer("../evil.json")], id="a way up"),
    pytest.param([layer("manifest.json"), layer("a/../../evil.json")], id="a way up inside"),
    pytest.param([layer("manifest.json"), layer("/etc/evil.json")], id="a root"),
    pytest.param([layer("manifest.json"), layer("C:\\evil.json")], id="a drive"),
    pytest.param([layer("manifest.json"), layer("a\nb.json")], id="a line break"),
    pytest.param([layer("manifest.json"), layer(".hidden.json")], id="a hidden file"),
    pytest.param([layer("manifest.json"), layer("")], id="no title"),
    pytest.param([layer("manifest.json"), layer("manifest.json")], id="a title twice"),
    pytest.param([layer("manifest.json"), layer("Manifest.JSON")], id="a title twice for some systems"),
    pytest.param([layer("manifest.json"), layer("A/x.json"), layer("a/X.json")], id="twice in folders"),
    pytest.param(
        [layer("manifest.json"), layer("caf\u00e9.json"), layer("cafe\u0301.json")], id="an accent in two ways"
    ),
    pytest.param([layer("manifest.json"), layer("\ufb01.json"), layer("fi.json")], id="a ligature"),
    pytest.param([layer("manifest.json"), layer("..\\evil.json")], id="a way up elsewhere"),
    pytest.param([layer("manifest.json"), layer("a/..")], id="a way up at the end"),
    pytest.param([layer("manifest.json"), layer("a\0b.json")], id="a NUL"),
    pytest.param([layer("manifest.json"), layer("a\u202ejson.x")], id="a direction turned round"),
    pytest.param([layer("manifest.json"), layer(".git/hooks/pre-commit")], id="a hook of git"),
    pytest.param(
        [layer("manifest.json/x.json"), layer("Manifest.json"), layer("manifest.json")], id="a file below a file"
    ),
    pytest.param([layer("manifest.json"), layer("x.json", 10**30)], id="an absurd size"),
    pytest.param([layer("manifest.json"), layer("manifest.json/x.json")], id="a file as a folder"),
    pytest.param([layer("other.json")], id="no manifest"),
    pytest.param([layer("manifest.json", 16_000_001)], id="a file of over 16 MB"),
    pytest.param([layer("manifest.json", -1)], id="a negative size"),
    pytest.param([layer("manifest.json"), *(layer(f"{n}.json") for n in range(64))], id="65 layers"),
]


@pytest.mark.parametrize("layers", UNSAFE)
def test_an_unsafe_artifact_is_refused_before_a_file_is_fetched(layers: list[object], tmp_path: Path) -> None:
    raw = compact_json({"schemaVersion": 2, "artifactType": ARTIFACT_TYPE, "layers": layers})
    with misbehaving(serves(reply("200 OK", raw), b"")) as (host, requests), pytest.raises(FloeError) as caught:
        fetch(host, tmp_path, limits=Limits(10, 20))
    assert (caught.value.code.id, len(requests)) == ("FLOE-E576", 1), caught.value.message


@pytest.mark.parametrize("raw", [b"", b"[]", b"{}", b'{"layers": 1}', b'{"layers": [{}]}', b"[" * 100_000])
def test_what_is_no_manifest_is_refused(raw: bytes) -> None:
    with pytest.raises(FloeError) as caught:
        read_platform(raw, "it")
    assert caught.value.code.id == "FLOE-E576"


def test_another_kind_of_artifact_is_refused() -> None:
    with pytest.raises(FloeError, match="is not a platform"):
        read_platform(compact_json({"layers": [layer("manifest.json")], "artifactType": "x"}), "it")


HELPED = '#!/bin/sh\nread host\n[ "$host" = reg.acme.com ] && echo \'{"Username": "u", "Secret": "p"}\' || exit 1\n'
CONFIGS = [
    pytest.param({"auths": {"reg.acme.com": {"auth": "dTpw"}}}, Credentials("u", "p"), id="a host"),
    pytest.param({"auths": {"https://reg.acme.com/v2/": {"auth": "dTpw"}}}, Credentials("u", "p"), id="an address"),
    pytest.param({"auths": {"reg.acme.com": {"username": "u", "password": "p"}}}, Credentials("u", "p"), id="in clear"),
    pytest.param({"auths": {"reg.acme.com": {"identitytoken": "t"}}}, Credentials(identity_token="t"), id="a token"),
    pytest.param({"auths": {"reg.acme.com:5000": {"auth": "dTpw"}}}, Credentials(), id="another port"),
    pytest.param({"auths": {"evil-reg.acme.com": {"auth": "dTpw"}}}, Credentials(), id="another host"),
    pytest.param({"auths": {"reg.acme.com": {"auth": "not base64"}}}, Credentials(), id="nonsense"),
    pytest.param({"credHelpers": {"reg.acme.com": "test"}}, Credentials("u", "p"), id="a helper of the host"),
    pytest.param({"credsStore": "test", "auths": {"reg.acme.com": {}}}, Credentials("u", "p"), id="a helper of all"),
    pytest.param({"credHelpers": {"other.acme.com": "test"}}, Credentials(), id="a helper of another host"),
    pytest.param({}, Credentials(), id="nothing"),
]


@pytest.mark.parametrize(("config", "expected"), CONFIGS)
def test_credentials_are_dockers(config: Mapping[str, object], expected: Credentials, tmp_path: Path) -> None:
    helper = tmp_path / "docker-credential-test"
    helper.write_text(HELPED)
    helper.chmod(0o755)
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config))
    before = path.read_bytes()
    environ = {"DOCKER_CONFIG": str(tmp_path), "PATH": f"{tmp_path}:/usr/bin:/bin"}
    assert find_credentials("reg.acme.com", environ) == expected
    assert path.read_bytes() == before
    assert "p" not in repr(expected).removeprefix("Credentials")


@pytest.mark.parametrize("name", ["absent", "../../bin/sh", "x;reboot"])
def test_a_helper_that_is_not_there_is_named(name: str, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"credsStore": name}))
    with pytest.raises(FloeError, match="credential helper") as caught:
        find_credentials("reg.acme.com", {"DOCKER_CONFIG": str(tmp_path), "PATH": "/usr/bin:/bin"})
    assert caught.value.code.id == "FLOE-E571"


PLAIN = [
    pytest.param("127.0.0.1:5000", (), True, id="loopback"),
    pytest.param("127.9.8.7", (), True, id="all of loopback"),
    pytest.param("[::1]:5000", (), True, id="loopback of IPv6"),
    pytest.param("localhost:5000", (), True, id="its name"),
    pytest.param("localhost.evil.com", (), False, id="a name that begins so"),
    pytest.param("127.0.0.1.evil.com", (), False, id="an address that begins so"),
    pytest.param("reg.lan:5000", (), False, id="elsewhere"),
    pytest.param("reg.lan:5000", ("reg.lan",), True, id="allowed at every port"),
    pytest.param("reg.lan:5000", ("reg.lan:5000",), True, id="allowed at this port"),
    pytest.param("reg.lan:5001", ("reg.lan:5000",), False, id="allowed at another port"),
]


@pytest.mark.parametrize(("host", "allowed", "plain"), PLAIN)
def test_who_may_be_asked_without_encryption(host: str, allowed: tuple[str, ...], plain: bool) -> None:
    assert RegistryAccess(allowed).plain(host) is plain
