"""An issuer of OIDC tokens on loopback, which publishes one key and gives out tokens as GitHub's runner does."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

from floe_contracts.adapters.github.oidc import TokenRules

KEY, STRANGER = (rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2))


class Issuer:
    """Its key, the tokens it signs, and what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.given: dict[str, Any] = {}  # claims of the tokens that it gives out, where they are not the usual ones
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
                    value = {"value": issuer.sign(**{"aud": self.path.partition("audience=")[2], **issuer.given})}
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


@contextmanager
def oidc_issuer() -> Iterator[Issuer]:
    """An issuer while the block runs."""
    issuer = Issuer()
    try:
        yield issuer
    finally:
        issuer.server.shutdown()
        issuer.server.server_close()
