"""The one list of the keys that a manifest may set: how parent and child meet, what is stricter, and what is usual.

Merge, enforcement of the order, `floe policy explain` and docs/policy.md read this table and nothing else.
"""

from __future__ import annotations

from enum import Enum

from ..contract.meaning.sla_kinds import KNOWN_PROPERTIES
from ..contract.model import Pointer
from ..product.data_contracts import Enforcement
from ..product.words import IdentityEnforcement, NamingEnforcement, Ownership, SqlLinting, SqlTrust
from .row import KeyRow, Order, Strategy


def row_of(pointer: Pointer) -> KeyRow | None:
    """The row of a key; None for a key that no tier can set."""
    return next((row for row in ROWS if row.covers(pointer)), None)


def _words(kind: type[Enum]) -> tuple[str, ...]:
    return tuple(str(member.value) for member in kind)


_O, _E, _I, _S = Strategy.OVERRIDE, Strategy.EXTEND, Strategy.INTERSECT, Strategy.OVERRIDE_IF_STRICTER
_CATEGORIES = ("compute", "orchestrator", "catalog", "semantic_layer", "ingestion")
_GATES, _MONITORING = "governance.quality_gates", "data_contracts.monitoring"
_INTERVALS = {
    "availability": "PT5M",
    "freshness": "PT15M",
    "schema_drift": "PT1H",
    "quality": "PT6H",
    "lifecycle": "P1D",
}
_SLA_NAMES = f"One of {', '.join(KNOWN_PROPERTIES)}, or a kind of your own."

ROWS = (
    KeyRow("plugins.*", _O, "The plugin of a category, with its config; must be approved.", names=_CATEGORIES),
    KeyRow("secrets_backend", _O, "Where secrets come from; must be approved."),
    KeyRow("shared_services", _O, "Services that all products may use; carried into the artifact."),
    KeyRow("catalog_namespace", _O, "The namespace of a domain in the catalog."),
    KeyRow("registration.max_attempts", _O, "How often registering is tried.", default=3),
    KeyRow("registration.initial_backoff", _O, "The first wait between two tries.", default="PT1S"),
    KeyRow("registration.max_backoff", _O, "The longest wait between two tries.", default="PT10S"),
    KeyRow("registration.jitter", _O, "The share by which a wait varies.", default=0.2),
    KeyRow("data_architecture.pattern", _O, "medallion, kimball, data_vault or custom; no pattern, no layers."),
    KeyRow("data_architecture.layers", _O, "Layers of the pattern custom, each with globs of names."),
    KeyRow(
        "data_architecture.naming.enforcement",
        _S,
        "What a name outside the layers does.",
        Order.WORDS,
        words=_words(NamingEnforcement),
        default="strict",
    ),
    KeyRow("naming_conventions", _E, "Globs; a name must match one of every tier that has any."),
    KeyRow(
        "classification_levels",
        _E,
        "Levels beside PUBLIC 0, INTERNAL 10, CONFIDENTIAL 20, RESTRICTED 30.",
        Order.EQUAL_RANK,
    ),
    KeyRow(
        "classification_categories.*",
        _S,
        "The level that a category such as pii stands for.",
        Order.LEVEL,
        default={"pii": "RESTRICTED", "phi": "RESTRICTED", "sensitive": "CONFIDENTIAL", "identifier": "INTERNAL"},
    ),
    KeyRow("pii_names", _E, "Globs of names of columns that hold personal data."),
    KeyRow(
        "approved_plugins.*",
        _I,
        "What may be chosen in a category; categories without a list are free.",
        names=(*_CATEGORIES, "secrets_backend"),
        label="approved_plugins",
    ),
    KeyRow("approved_sources", _I, "Sources that ingestions and dbt may read."),
    KeyRow("access.roles", _I, "Roles that output ports may be opened to."),
    KeyRow(
        f"{_GATES}.threshold",
        _S,
        "The least quality that a contract may promise; one that is silent inherits it.",
        Order.LARGER,
        label="quality gate",
    ),
    KeyRow(
        f"{_GATES}.minimum_test_coverage.*",
        _S,
        "The share of models with a test: a number over all models, or by layer.",
        Order.LARGER,
        default={"all": 80},
        label="test coverage",
    ),
    KeyRow(f"{_GATES}.block_on_failure", _S, "Whether a gate that is missed is an error.", Order.TRUE, default=True),
    KeyRow(f"{_GATES}.required_tests.*", _S, "Tests that every model of a layer must have.", Order.SUPERSET),
    KeyRow(
        "governance.sql_linting",
        _S,
        "What findings of the SQL linter do.",
        Order.WORDS,
        words=_words(SqlLinting),
        default="DISABLED",
    ),
    KeyRow("governance.schedule.minimum_interval", _S, "The shortest time between two runs.", Order.LONGER),
    KeyRow("governance.schedule.allowed_hours", _S, "When runs may start, as HH:MM-HH:MM.", Order.NARROWER),
    KeyRow("governance.schedule.timezone", _S, "The time zone of the hours.", Order.SAME_ZONE, default="UTC"),
    KeyRow(
        "sla_minimums.*",
        _S,
        f"The least that a contract must promise; one that is silent inherits it. {_SLA_NAMES}",
        Order.SLA,
    ),
    KeyRow(
        "data_contracts.enforcement",
        _S,
        "What a violation at run time does.",
        Order.WORDS,
        words=_words(Enforcement),
        default="alert_only",
    ),
    KeyRow("data_contracts.standard", _O, "The standard of contracts.", default="odcs_v3"),
    KeyRow("data_contracts.plugin.type", _O, "Who runs the checks.", default="odcs"),
    KeyRow("data_contracts.auto_generation.enabled", _O, "Whether contracts are made from ports.", default=True),
    KeyRow("data_contracts.auto_generation.from_ports", _O, "Contracts take columns from ports.", default=True),
    KeyRow("data_contracts.auto_generation.from_dbt_manifest", _O, "Contracts are enriched from dbt.", default=True),
    KeyRow("data_contracts.alerting.openlineage_events", _O, "Violations are sent as lineage events.", default=True),
    KeyRow("data_contracts.alerting.prometheus_metrics", _O, "Violations are counted as metrics.", default=True),
    KeyRow(f"{_MONITORING}.mode", _O, "What starts a check.", default="scheduled"),
    KeyRow(f"{_MONITORING}.enabled", _S, "Whether contracts are checked at run time.", Order.TRUE, default=True),
    *(
        KeyRow(
            f"{_MONITORING}.{check}.check_interval", _S, f"How often {check} is checked.", Order.SHORTER, default=usual
        )
        for check, usual in _INTERVALS.items()
    ),
    KeyRow("data_contracts.requirements.owner", _S, "Every contract has an owner.", Order.TRUE, default=False),
    KeyRow(
        "data_contracts.requirements.pii_classified",
        _S,
        "Personal data has a classification.",
        Order.TRUE,
        default=False,
    ),
    KeyRow("data_contracts.requirements.required_fields", _E, "Columns that every table must have."),
    KeyRow("data_contracts.base", _E, "Parent contracts of all contracts, as paths beside the manifest."),
    KeyRow(
        "data_contracts.validators",
        _E,
        "Entry points of the group floe_contracts.validators that judge every contract.",
    ),
    KeyRow(
        "data_contracts.sql_trust",
        _S,
        "How far SQL rules may reach.",
        Order.WORDS,
        words=_words(SqlTrust),
        default="restricted",
    ),
    KeyRow("observability.traces", _O, "Whether runs are traced.", default=True),
    KeyRow("observability.metrics", _O, "Whether metrics are sent.", default=True),
    KeyRow("observability.lineage", _O, "Whether lineage events are sent.", default=True),
    KeyRow("observability.namespace", _O, "The namespace in lineage; by the mode when nobody writes one."),
    KeyRow("observability.mode", _O, "simple, centralized, mesh or managed; by the reference when nobody writes it."),
    KeyRow("observability.domain", _O, "The domain in lineage."),
    KeyRow("observability.product.name", _O, "The product in lineage."),
    KeyRow("observability.product.version", _O, "Its version."),
    KeyRow("observability.enterprise", _O, "The enterprise in telemetry."),
    KeyRow("observability.tenant_id", _O, "The tenant of the mode managed."),
    KeyRow("observability.project_slug", _O, "The project of the mode managed."),
    KeyRow(
        "identity.enforcement",
        _S,
        "What compile does about the namespace of a product.",
        Order.WORDS,
        words=_words(IdentityEnforcement),
        default="warn",
    ),
    KeyRow(
        "identity.auto_register",
        _O,
        "Whether an unclaimed namespace is claimed under enforce.",
        Order.UNDER_ENFORCE,
        default=True,
    ),
    KeyRow(
        "identity.on_outage", _O, "Whether a catalog that does not answer is a warning or a failure.", default="warn"
    ),
    KeyRow(
        "identity.ownership",
        _S,
        "How a repository shows that it owns a namespace.",
        Order.WORDS,
        words=_words(Ownership),
        default="declared",
    ),
    KeyRow("identity.oidc.issuers", _O, "Whose tokens are trusted."),
    KeyRow("identity.oidc.audience", _O, "The audience that a job's token must name, as the job asks for it."),
    KeyRow("identity.catalog", _O, "The catalog that holds the claims; plugins.catalog.config when absent."),
)
