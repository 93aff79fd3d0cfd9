"""What the manifests decide about identity: the level, the catalog, and how it is called."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ...checks.moments import SECOND
from ...contract.meaning.duration import Duration
from ...errors import SettingsError
from ...frozen import dataclass
from ...identity.retry import RetryPolicy
from ...product.governance import IdentitySettings, RegistrationRetries
from ...product.manifest import Manifest
from ...product.words import IdentityEnforcement, Ownership

CATALOG_FILE = ".floe/catalog.db"
_KINDS = {"sqlite": "sql", "postgres": "sql", "postgresql": "sql", "jdbc": "sql", "hms": "hive", "aws-glue": "glue"}
_TYPES = ("sql", "rest", "hive", "glue")


@dataclass(frozen=True, slots=True)
class IdentityPlan:
    """Everything that steps 2 and 5 need to know of the manifests."""

    level: IdentityEnforcement = IdentityEnforcement.OFF
    catalog: Mapping[str, Any] | None = None  # None: nobody says, so the file beside the settings
    auto_register: bool = True
    on_outage: str = "warn"
    attested: bool = False
    issuers: tuple[str, ...] = ()
    audience: str = ""
    retries: RetryPolicy = RetryPolicy()
    note: str = ""

    @property
    def strict(self) -> bool:
        """Whether what is wrong is an error."""
        return self.level in (IdentityEnforcement.REGISTER, IdentityEnforcement.ENFORCE)

    @property
    def off(self) -> bool:
        return self.level is IdentityEnforcement.OFF

    def catalog_for(self, top: str) -> dict[str, Any]:
        """The properties of the catalog; files of a catalog lie below the top of the repository."""
        if self.catalog is None:
            if self.strict and os.environ.get("CI", "").strip().lower() == "true":
                raise SettingsError(
                    f"no catalog is configured, and {CATALOG_FILE} of a CI job is thrown away with it",
                    fix="Set identity.catalog in the manifest of the platform.",
                )
            return {
                "name": "floe",
                "type": "sql",
                "uri": f"sqlite:///{os.path.join(os.path.abspath(top), CATALOG_FILE)}",
            }
        return {"name": "floe", **_anchored(self.catalog, top)}


def plan_identity(manifest: Manifest | None) -> IdentityPlan:
    """What the merged manifest says; without an identity block and a catalog, identity is off."""
    if manifest is None:
        return IdentityPlan(note=_NO_CATALOG)
    plugin = manifest.plugins.get("catalog")
    if "identity" not in manifest.model_fields_set and plugin is None:
        return IdentityPlan(note=_NO_CATALOG)
    config = {"type": plugin.type, **plugin.config} if plugin is not None and plugin.config else None
    return _plan(manifest.identity, manifest.registration, config)


_NO_CATALOG = "No manifest has an identity block or a catalog: the namespace is not checked"


def _plan(
    identity: IdentitySettings, registration: RegistrationRetries, plugin: Mapping[str, Any] | None
) -> IdentityPlan:
    return IdentityPlan(
        IdentityEnforcement(identity.enforcement),
        identity.catalog or (_with_kind(plugin) if plugin else None),
        identity.auto_register,
        identity.on_outage,
        Ownership(identity.ownership) is Ownership.ATTESTED,
        tuple(identity.oidc.issuers),
        identity.oidc.audience,
        RetryPolicy(
            registration.max_attempts,
            _seconds(registration.initial_backoff),
            _seconds(registration.max_backoff),
            registration.jitter,
        ),
    )


def _with_kind(config: Mapping[str, Any]) -> dict[str, Any]:
    """A plugin names its product, such as polaris, where PyIceberg wants to know the protocol."""
    kind = str(config.get("type", "")).lower()
    return {**config, "type": kind if kind in _TYPES else _KINDS.get(kind, "rest")}


def _anchored(catalog: Mapping[str, Any], top: str) -> dict[str, Any]:
    uri = catalog.get("uri")
    if isinstance(uri, str) and uri.startswith("sqlite:///") and not uri.startswith("sqlite:////"):
        return {**catalog, "uri": f"sqlite:///{os.path.join(os.path.abspath(top), uri.removeprefix('sqlite:///'))}"}
    return dict(catalog)


def _seconds(duration: Duration | None) -> float:
    return duration.microseconds / SECOND if duration else 0.0
