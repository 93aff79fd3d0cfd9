"""GitHub's OIDC token of a workflow run: fetched from the runner, and verified with the issuer's keys.

Only RS256 is accepted, whatever the token's header says; the issuer must be on the platform's list, and its keys come
over TLS (plain http from this machine only). A pull request proves nothing: its code is not the repository's yet.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from ...errors import MissingExtra, SettingsError
from ...frozen import dataclass
from ...identity.protocol import Attestation, CatalogRefused, CatalogUnreachable
from ...identity.repository import normalise_repository
from ..http.client import LOOPBACK, Call, NoAnswer, address_of, send

ISSUER = "https://token.actions.githubusercontent.com"
AUDIENCE = "floe"
_REQUIRED = ("exp", "iat", "iss", "aud", "repository", "repository_id", "repository_owner_id", "event_name")
_LIMIT_S = 30.0
_MOST_BYTES = 256_000
_LEEWAY_S = 30
_GRANT = "Give the job `permissions: id-token: write`, and run it on a push."


@dataclass(frozen=True, slots=True)
class TokenRules:
    """Whose tokens are trusted, and for whom they must be made."""

    issuers: tuple[str, ...] = ()
    audience: str = ""

    @property
    def trusted(self) -> tuple[str, ...]:
        return tuple(issuer.rstrip("/") for issuer in self.issuers) or (ISSUER,)

    @property
    def expected_audience(self) -> str:
        return self.audience or AUDIENCE


def fetch_token(environ: Mapping[str, str], audience: str = "") -> str:
    """The token of this run, made for the audience."""
    url, secret = environ.get("ACTIONS_ID_TOKEN_REQUEST_URL", ""), environ.get("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "")
    if not url or not secret:
        raise CatalogRefused("ownership must be attested, and this run can get no OIDC token", fix=_GRANT)
    mark = "&" if urlsplit(url).query else "?"
    answer = _get(f"{url}{mark}audience={quote(audience or AUDIENCE, safe='')}", {"Authorization": f"Bearer {secret}"})
    token = answer.get("value")
    if not isinstance(token, str):
        raise CatalogRefused("the runner gives no OIDC token", fix=_GRANT)
    return token


def verify_token(token: str, rules: TokenRules) -> Attestation:
    """What a token proves; CatalogRefused says what is wrong with it, without a word of it."""
    try:
        import jwt
    except ModuleNotFoundError:
        raise MissingExtra("verifying tokens", "catalog") from None
    try:
        header = jwt.get_unverified_header(token)
        issuer = jwt.decode(token, options={"verify_signature": False}).get("iss")
    except jwt.PyJWTError:
        raise _refused("it is not a token") from None
    if not isinstance(issuer, str) or issuer.rstrip("/") not in rules.trusted:
        raise _refused("its issuer is not on the list identity.oidc.issuers")
    if header.get("alg") != "RS256":
        raise _refused("it is not signed by RS256")
    key = _key_of(issuer.rstrip("/"), str(header.get("kid", "")))
    try:
        claims = jwt.decode(
            token,
            key,
            algorithms=["RS256"],
            audience=rules.expected_audience,
            issuer=issuer,
            leeway=_LEEWAY_S,
            options={"require": list(_REQUIRED)},
        )
    except jwt.PyJWTError as error:
        raise _refused(_REASONS.get(type(error).__name__, "it is not valid")) from None
    return _attestation(claims, issuer)


_REASONS = {
    "ExpiredSignatureError": "it has expired",
    "ImmatureSignatureError": "it is not valid yet",
    "InvalidAudienceError": "it was made for another audience",
    "InvalidSignatureError": "its signature is not the issuer's",
    "MissingRequiredClaimError": "it lacks a claim",
}


def _attestation(claims: Mapping[str, Any], issuer: str) -> Attestation:
    event = str(claims["event_name"])
    if event.startswith("pull_request") or event == "merge_group":
        raise _refused("it was made for a pull request")
    host = "github.com" if issuer.rstrip("/") == ISSUER else urlsplit(str(claims.get("server_url") or "")).netloc
    repository = normalise_repository(f"https://{host or 'github.com'}/{claims['repository']}")
    ids = str(claims["repository_id"]), str(claims["repository_owner_id"])
    if not repository or not all(ids):
        raise _refused("it names no repository")
    return Attestation(repository, *ids)


def _key_of(issuer: str, key_id: str) -> Any:
    """The issuer's key of this id, asked for anew in every run."""
    import jwt

    place = _get(f"{issuer}/.well-known/openid-configuration").get("jwks_uri")
    if not isinstance(place, str) or urlsplit(place).netloc != urlsplit(issuer).netloc:
        raise _refused("its issuer names no keys of its own")
    for item in _get(place).get("keys") or ():
        if isinstance(item, dict) and item.get("kid") == key_id and item.get("kty") == "RSA":
            try:
                return jwt.PyJWK(item, algorithm="RS256").key
            except jwt.PyJWTError:
                break
    raise _refused("its issuer has no such key")


def _get(url: str, headers: Mapping[str, str] | None = None) -> dict[str, Any]:
    address = address_of(url, "the issuer of tokens")
    if not address.tls and address.host not in LOOPBACK:
        raise SettingsError("identity.oidc.issuers: an issuer needs https", fix="Write https://… .")
    try:
        answer = send(address, Call("GET", "", headers=headers or {}), _LIMIT_S, most_bytes=_MOST_BYTES)
    except NoAnswer as error:
        raise CatalogUnreachable(f"the issuer of tokens at {address.origin} does not answer: {error}") from None
    if answer.status in (401, 403):
        raise CatalogRefused("the runner refuses an OIDC token", fix=_GRANT)
    if not answer.taken or not answer.complete:
        raise CatalogUnreachable(f"the issuer of tokens at {address.origin} answers {answer.status}")
    try:
        value = json.loads(answer.body)
    except ValueError:
        value = None
    return value if isinstance(value, dict) else {}


def _refused(why: str) -> CatalogRefused:
    return CatalogRefused(f"the OIDC token of this run is refused: {why}", fix=_GRANT)
