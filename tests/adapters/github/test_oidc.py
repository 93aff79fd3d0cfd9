"""GitHub's OIDC token against an issuer of our own on loopback: what proves a repository, and what does not."""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from floe_contracts.adapters.github.oidc import TokenRules, fetch_token, verify_token
from floe_contracts.errors import FloeError
from floe_contracts.identity.claim import NameClaim
from floe_contracts.identity.protocol import CatalogRefused, CatalogUnreachable
from floe_contracts.identity.repository import same_repository

OURS = "github.com/acme/sales"
KEY, STRANGER = (rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2))


class Issuer:
    """Publishes one key, and gives out tokens as GitHub's runner does."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key()))
        self.keys = [{**public, "kid": "one", "use": "sig", "alg": "RS256"}]
        issuer = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                """Nobody reads it."""

            def do_GET(self) -> None:
                issuer.asked.append(self.path)
                value: dict[str, Any] = {"keys": issuer.keys}
                if self.path.endswith("openid-configuration"):
                    value = {"jwks_uri": f"{issuer.url}/jwks"}
                if self.path.startswith("/token"):
                    value = {"value": issuer.sign(aud=self.path.partition("audience=")[2])}
                data = json.dumps(value).encode()
                denied = self.path.startswith("/token") and self.headers.get("authorization") != "Bearer runner"
                self.send_response(403 if denied else 200)
                self.end_headers()
                self.wfile.write(data)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    @property
    def rules(self) -> TokenRules:
        return TokenRules((self.url,), "floe")

    def claims(self, **changed: object) -> dict[str, object]:
        now = int(time.time())
        usual: dict[str, object] = {
            "iss": self.url,
            "aud": "floe",
            "iat": now,
            "nbf": now,
            "exp": now + 300,
            "event_name": "push",
            "repository": "acme/sales",
            "repository_id": "42",
            "repository_owner_id": "7",
        }
        return {key: value for key, value in {**usual, **changed}.items() if value is not None}

    def sign(self, key: Any = KEY, algorithm: str = "RS256", kid: str = "one", **changed: object) -> str:
        return jwt.encode(self.claims(**changed), key, algorithm=algorithm, headers={"kid": kid})


@pytest.fixture(scope="module")
def issuer() -> Iterator[Issuer]:
    issuer = Issuer()
    yield issuer
    issuer.server.shutdown()
    issuer.server.server_close()


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
    "garbage": (lambda issuer: "not.a.token", "no token"),
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
