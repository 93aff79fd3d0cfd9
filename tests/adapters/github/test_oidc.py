"""GitHub's OIDC token against an issuer of our own on loopback: what proves a repository, and what does not."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Iterator

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from support.oidc_issuer import KEY, STRANGER, Issuer, oidc_issuer

from floe_contracts.adapters.github.oidc import TokenRules, fetch_token, verify_token
from floe_contracts.errors import FloeError
from floe_contracts.identity.claim import NameClaim
from floe_contracts.identity.protocol import CatalogRefused, CatalogUnreachable
from floe_contracts.identity.repository import same_repository

OURS = "github.com/acme/sales"


@pytest.fixture(scope="module")
def issuer() -> Iterator[Issuer]:
    with oidc_issuer() as issuer:
        yield issuer


@pytest.mark.parametrize("written", ["acme/sales", "Acme/Sales"])
def test_a_token_proves_its_repository_in_any_case(issuer: Issuer, written: str) -> None:
    proof = verify_token(issuer.sign(repository=written), issuer.rules)
    assert same_repository(proof.repository, OURS)
    assert (proof.repository_id, proof.owner_id) == ("42", "7")
    assert NameClaim("sales.x", OURS, repository_id="42").belongs_to(OURS, proof)


def test_a_token_of_another_repository_owns_nothing_here(issuer: Issuer) -> None:
    proof = verify_token(issuer.sign(repository="acme/other", repository_id="43"), issuer.rules)
    assert not same_repository(proof.repository, OURS)
    assert not NameClaim("sales.x", OURS).belongs_to(proof.repository, proof)


def test_a_recycled_name_owns_nothing(issuer: Issuer) -> None:
    proof = verify_token(issuer.sign(repository_id="99"), issuer.rules)
    assert not NameClaim("sales.x", OURS, repository_id="42").belongs_to(OURS, proof)


def _public() -> str:
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return KEY.public_key().public_bytes(serialization.Encoding.PEM, form).decode()


def _encode(value: object) -> str:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _with_public_key_as_secret(issuer: Issuer) -> str:
    import hashlib
    import hmac

    text = f"{_encode({'alg': 'HS256', 'typ': 'JWT', 'kid': 'one'})}.{_encode(issuer.claims())}"
    return f"{text}.{_encode(hmac.new(_public().encode(), text.encode(), hashlib.sha256).digest())}"


def _altered(issuer: Issuer) -> str:
    header, _, signature = issuer.sign().split(".")
    return f"{header}.{_encode(issuer.claims(repository='acme/other'))}.{signature}"


REFUSED: dict[str, tuple[Callable[[Issuer], str], str]] = {
    "another audience": (lambda issuer: issuer.sign(aud="somebody"), "another audience"),
    "another issuer": (lambda issuer: issuer.sign(iss="https://issuer.example"), "issuer is not on the list"),
    "expired": (lambda issuer: issuer.sign(exp=int(time.time()) - 60), "expired"),
    "not valid yet": (lambda issuer: issuer.sign(nbf=int(time.time()) + 600), "not valid yet"),
    "no end": (lambda issuer: issuer.sign(exp=None), "lacks a claim"),
    "no repository id": (lambda issuer: issuer.sign(repository_id=None), "lacks a claim"),
    "unknown key": (lambda issuer: issuer.sign(kid="two"), "no such key"),
    "a stranger's key": (lambda issuer: issuer.sign(key=STRANGER), "signature is not the issuer's"),
    "no signature": (lambda issuer: jwt.encode(issuer.claims(), "", algorithm="none"), "not signed by RS256"),
    "the public key as a secret": (_with_public_key_as_secret, "not signed by RS256"),
    "altered": (_altered, "signature is not the issuer's"),
    "a pull request": (lambda issuer: issuer.sign(event_name="pull_request"), "pull request"),
    "a pull request's target": (lambda issuer: issuer.sign(event_name="pull_request_target"), "pull request"),
    "garbage": (lambda issuer: "not.a.token", "not a token"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_token_that_proves_nothing(issuer: Issuer, name: str) -> None:
    make, why = REFUSED[name]
    token = make(issuer)
    with pytest.raises(CatalogRefused, match=why) as caught:
        verify_token(token, issuer.rules)
    assert token not in caught.value.message


def test_the_runner_gives_a_token_for_the_audience(issuer: Issuer) -> None:
    environ = {
        "ACTIONS_ID_TOKEN_REQUEST_URL": f"{issuer.url}/token?v=1",
        "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "runner",
    }
    assert verify_token(fetch_token(environ, "floe"), issuer.rules).repository == OURS
    assert issuer.asked.count("/token?v=1&audience=floe") == 1
    with pytest.raises(CatalogRefused, match="refuses"):
        fetch_token({**environ, "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "wrong"}, "floe")
    with pytest.raises(CatalogRefused, match="can get no OIDC token"):
        fetch_token({}, "floe")


def test_an_issuer_needs_https_and_must_answer() -> None:
    token = jwt.encode({"iss": "http://issuer.example"}, KEY, algorithm="RS256", headers={"kid": "one"})
    with pytest.raises(FloeError, match="https"):
        verify_token(token, TokenRules(("http://issuer.example",)))
    token = jwt.encode({"iss": "http://127.0.0.1:1"}, KEY, algorithm="RS256", headers={"kid": "one"})
    with pytest.raises(CatalogUnreachable, match="does not answer"):
        verify_token(token, TokenRules(("http://127.0.0.1:1",)))
