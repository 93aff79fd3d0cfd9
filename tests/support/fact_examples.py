"""One example for every kind of fact: the smallest pair of contracts between which it is the only fact."""

from __future__ import annotations

from typing import Any

from floe_contracts.compat.kinds import FactKind
from floe_contracts.contract.model import (
    Consumer,
    Contract,
    CustomProperty,
    Deprecation,
    EnumValue,
    Property,
    QualityRule,
    Relationship,
    Role,
    Server,
    Sla,
    Terms,
    Threshold,
)
from support.builders import column, contract, server, table

Example = tuple[Contract, Contract, str]  # old, new, element


def about_contract(field: str, old: Any, new: Any, element: str = "") -> Example:
    return contract(**{field: old}), contract(**{field: new}), element or f"contract:{field}"


def about_column(field: str, old: Any, new: Any, kind: str = "string") -> Example:
    return contract(column(kind=kind, **{field: old})), contract(column(kind=kind, **{field: new})), "orders.amount"


def types(old: str | None, new: str | None, logical: str = "number") -> Example:
    return about_column("physical_type", old, new, logical)


def about_table(field: str, old: Any, new: Any) -> Example:
    return contract(table(**{field: old})), contract(table(**{field: new})), "orders"


def rules(old: QualityRule | None, new: QualityRule | None, name: str = "r") -> Example:
    sides = [contract(table(quality=(rule,) if rule else ())) for rule in (old, new)]
    return sides[0], sides[1], f"quality:orders#{name}"


def rule(operator: Threshold = Threshold.MUST_BE, operand: Any = 0, **more: Any) -> QualityRule:
    metric = more.pop("metric", "nullValues")
    return QualityRule("library", name="r", metric=metric, thresholds=((operator, operand),), **more)


def levels(old: Sla | None, new: Sla | None, element: str) -> Example:
    columns = (column(), column("updated_at", "timestamp"), column("placed_at", "timestamp"))
    sides = [contract(*columns, slas=(sla,) if sla else ()) for sla in (old, new)]
    return sides[0], sides[1], element


def servers(old: Server | None, new: Server | None) -> Example:
    sides = [contract(servers=(item,) if item else ()) for item in (old, new)]
    return sides[0], sides[1], "server:prod"


def roles(old: Role | None, new: Role | None) -> Example:
    sides = [contract(roles=(item,) if item else ()) for item in (old, new)]
    return sides[0], sides[1], "role:reader"


def links(old: Relationship | None, new: Relationship | None, name: str = "customer") -> Example:
    sides = [contract(column("customer", relationships=(item,) if item else ())) for item in (old, new)]
    return sides[0], sides[1], f"relationship:orders#{name}"


def _keyed(name: str, field: str, chosen: tuple[str, ...]) -> Property:
    more: dict[str, Any] = {field: True, f"{field}_position": chosen.index(name)} if name in chosen else {}
    return column(name, **more)


def keys(old: tuple[str, ...], new: tuple[str, ...], field: str = "primary_key", **more: Any) -> Example:
    sides = [
        contract(
            *(_keyed(name, field, side) for name in ("a", "b")),
            **more,
        )
        for side in (old, new)
    ]
    return sides[0], sides[1], "orders"


def partitions(*servers_: Server) -> Example:
    old = contract(column("day", partitioned=True), column("region"), servers=servers_)
    new = contract(column("day"), column("region", partitioned=True), servers=servers_)
    return old, new, "orders"


K = FactKind
FRESH = Sla("freshness", "PT6H", element="updated_at")
TWO_TABLES = (table(), table(column("id", "integer"), column("at", "timestamp"), name="visits"))

EXAMPLES: dict[FactKind, Example] = {
    K.CONTRACT_ID_CHANGED: about_contract("id", "a-1", "a-2"),
    K.CONTRACT_NAME_CHANGED: (contract(name="orders"), contract(name="sales"), "contract:name"),
    K.CONTRACT_DOMAIN_CHANGED: about_contract("domain", "sales", "shop"),
    K.CONTRACT_PRODUCT_CHANGED: about_contract("product", None, "orders-360"),
    K.TENANT_CHANGED: about_contract("tenant", "acme", "globex"),
    K.PARENT_CHANGED: about_contract("parent", None, "base.yaml"),
    K.STATUS_PROMOTED: about_contract("status", "draft", "active"),
    K.STATUS_DEMOTED: about_contract("status", "active", "draft"),
    K.STATUS_DEPRECATED: about_contract("status", "active", "deprecated"),
    K.STATUS_SUNSET: about_contract("status", "deprecated", "sunset"),
    K.STATUS_RETIRED: about_contract("status", "sunset", "retired"),
    K.STATUS_REACTIVATED: about_contract("status", "deprecated", "active"),
    K.STATUS_CHANGED: about_contract("status", "draft", "proposed"),
    K.DEPRECATION_ADDED: about_contract("deprecation", None, Deprecation(sunset_date="2026-02-03")),
    K.DEPRECATION_REMOVED: about_contract("deprecation", Deprecation(sunset_date="2026-02-03"), None),
    K.DEPRECATION_SUNSET_EARLIER: about_contract(
        "deprecation", Deprecation(sunset_date="2026-02-03"), Deprecation(sunset_date="2026-01-31")
    ),
    K.DEPRECATION_SUNSET_LATER: about_contract(
        "deprecation", Deprecation(sunset_date="2026-02-03"), Deprecation(sunset_date="2026-03-01")
    ),
    K.DEPRECATION_CHANGED: about_contract("deprecation", Deprecation(), Deprecation(replacement="orders-v2")),
    K.CONSUMER_ADDED: about_contract("consumers", (), (Consumer("billing"),), "consumer:billing"),
    K.CONSUMER_REMOVED: about_contract("consumers", (Consumer("billing"),), (), "consumer:billing"),
    K.CONSUMER_CHANGED: about_contract(
        "consumers", (Consumer("billing"),), (Consumer("billing", owner="finance"),), "consumer:billing"
    ),
    K.OWNER_CHANGED: about_contract("owner", "ann@acme.example", "bob@acme.example"),
    K.TEAM_CHANGED: about_contract("team", {"name": "shop"}, {"name": "web shop"}),
    K.SUPPORT_CHANGED: about_contract("support", [{"channel": "#shop"}], [{"channel": "#orders"}]),
    K.PRICE_CHANGED: about_contract("price", {"priceAmount": 5}, {"priceAmount": 6}),
    K.TERMS_CHANGED: about_contract("terms", Terms(usage="internal"), Terms(usage="public")),
    K.TAGS_CHANGED: about_contract("tags", ("gold",), ("gold", "pii")),
    K.DOCS_CHANGED: about_column("docs", {"description": "gross"}, {"description": "net"}),
    K.CUSTOM_PROPERTY_CHANGED: (
        contract(column(custom=(CustomProperty("cost", 1),))),
        contract(column(custom=(CustomProperty("cost", 2),))),
        "custom:orders.amount#cost",
    ),
    K.UNKNOWN_FIELD_CHANGED: (
        contract(column(extras={"shoeSize": 1})),
        contract(column(extras={"shoeSize": 2})),
        "unknown:orders.amount#shoeSize",
    ),
    K.OBJECT_REMOVED: (contract(*TWO_TABLES), contract(TWO_TABLES[0]), "visits"),
    K.OBJECT_ADDED: (contract(TWO_TABLES[0]), contract(*TWO_TABLES), "visits"),
    K.OBJECT_RENAMED: (
        contract(table(column("a"), column("b"))),
        contract(table(column("a"), column("b"), name="sales")),
        "orders",
    ),
    K.OBJECT_PHYSICAL_NAME_CHANGED: about_table("physical_name", "shop.orders", "shop.orders_v2"),
    K.OBJECT_DEPRECATED: about_table("deprecated", False, True),
    K.OBJECT_UNDEPRECATED: about_table("deprecated", True, False),
    K.OBJECT_KIND_CHANGED: about_table("physical_type", "table", "topic"),
    K.OBJECT_SURFACE_CHANGED: about_table("physical_type", "table", "view"),
    K.OBJECT_GRANULARITY_ADDED: about_table("granularity", None, "one row per order"),
    K.OBJECT_GRANULARITY_CHANGED: about_table("granularity", "one row per order", "one row per order line"),
    K.PROPERTY_REMOVED: (contract(column(), column("note")), contract(column()), "orders.note"),
    K.PROPERTY_RENAMED: (contract(column("user_id")), contract(column("userId")), "orders.user_id"),
    K.PROPERTY_ADDED_OPTIONAL: (contract(column()), contract(column(), column("note")), "orders.note"),
    K.PROPERTY_ADDED_REQUIRED: (contract(column()), contract(column(), column("note", required=True)), "orders.note"),
    K.PROPERTY_MOVED: (
        contract(column("street"), column("address", "object", properties=(column("city"),))),
        contract(column("address", "object", properties=(column("city"), column("street")))),
        "orders.street",
    ),
    K.PROPERTY_PHYSICAL_NAME_CHANGED: about_column("physical_name", None, "amt"),
    K.PROPERTY_ENCRYPTED_NAME_CHANGED: about_column("encrypted_name", None, "amount_enc"),
    K.PROPERTY_ORDER_CHANGED: (
        contract(column("a"), column("b"), servers=(server("file", "s3", format="csv"),)),
        contract(column("b"), column("a"), servers=(server("file", "s3", format="csv"),)),
        "orders",
    ),
    K.PROPERTY_DEPRECATED: about_column("deprecated", False, True),
    K.PROPERTY_UNDEPRECATED: about_column("deprecated", True, False),
    K.PROPERTY_CRITICAL_CHANGED: about_column("critical", False, True),
    K.TYPE_CHANGED: (contract(column(kind="string")), contract(column(kind="integer")), "orders.amount"),
    K.TYPE_WIDENED: types("INT", "BIGINT", "integer"),
    K.TYPE_NARROWED: types("BIGINT", "INT", "integer"),
    K.DECIMAL_SCALE_CHANGED: types("DECIMAL(12,2)", "DECIMAL(12,4)"),
    K.STRING_LENGTH_INCREASED: types("VARCHAR(20)", "VARCHAR(40)", "string"),
    K.STRING_LENGTH_DECREASED: types("VARCHAR(40)", "VARCHAR(20)", "string"),
    K.TIMESTAMP_ZONE_CHANGED: types("TIMESTAMP_TZ", "TIMESTAMP_NTZ", "timestamp"),
    K.TIMESTAMP_PRECISION_CHANGED: types("TIMESTAMP(3)", "TIMESTAMP(6)", "timestamp"),
    K.TEMPORAL_FORMAT_CHANGED: about_column("format", "yyyy-MM-dd", "dd.MM.yyyy", "date"),
    K.VECTOR_SHAPE_CHANGED: types("VECTOR(768)", "VECTOR(1024)", "vector"),
    K.LOGICAL_TYPE_ADDED: (
        contract(column(kind=None, physical_type="INT")),
        contract(column(kind="integer", physical_type="INT")),
        "orders.amount",
    ),
    K.LOGICAL_TYPE_REMOVED: (
        contract(column(kind="integer", physical_type="INT")),
        contract(column(kind=None, physical_type="INT")),
        "orders.amount",
    ),
    K.PHYSICAL_TYPE_ADDED: types(None, "INT", "integer"),
    K.PHYSICAL_TYPE_REMOVED: types("INT", None, "integer"),
    K.PROPERTY_BECAME_NULLABLE: about_column("required", True, False),
    K.PROPERTY_BECAME_REQUIRED: about_column("required", False, True),
    K.UNIQUE_ADDED: about_column("unique", False, True),
    K.UNIQUE_REMOVED: about_column("unique", True, False),
    K.PRIMARY_KEY_ADDED: keys((), ("a",)),
    K.PRIMARY_KEY_REMOVED: keys(("a", "b"), ()),
    K.PRIMARY_KEY_CHANGED: keys(("a",), ("a", "b")),
    K.PRIMARY_KEY_REORDERED: keys(("a", "b"), ("b", "a")),
    K.PARTITION_CHANGED: partitions(server("lake", "s3", format="delta")),
    K.PARTITION_PATH_CHANGED: partitions(server("lake", "s3", format="parquet")),
    K.ENUM_VALUE_ADDED: about_column("enum", (EnumValue("new"),), (EnumValue("new"), EnumValue("paid"))),
    K.ENUM_VALUE_REMOVED: about_column("enum", (EnumValue("new"), EnumValue("paid")), (EnumValue("paid"),)),
    K.ENUM_INTRODUCED: about_column("enum", None, (EnumValue("new"),)),
    K.ENUM_REMOVED: about_column("enum", (EnumValue("new"),), None),
    K.ENUM_DOCS_CHANGED: about_column("enum", (EnumValue("new"),), (EnumValue("new", docs={"label": "New"}),)),
    K.FORMAT_ADDED: about_column("format", None, "uuid"),
    K.FORMAT_CHANGED: about_column("format", "uuid", "email"),
    K.FORMAT_REMOVED: about_column("format", "uuid", None),
    K.PATTERN_ADDED: about_column("pattern", None, "^[a-z]+$"),
    K.PATTERN_CHANGED: about_column("pattern", "^[a-z]+$", "^[a-z]*$"),
    K.PATTERN_REMOVED: about_column("pattern", "^[a-z]+$", None),
    K.BOUND_RELAXED: about_column("minimum", 5, 4, "integer"),
    K.BOUND_TIGHTENED: about_column("maximum", None, 10, "integer"),
    K.BOUND_INCOMPARABLE: about_column("multiple_of", 4, 6, "integer"),
    K.UNIT_ADDED: about_column("unit", None, "EUR"),
    K.UNIT_CHANGED: about_column("unit", "USD", "cents"),
    K.UNIT_REMOVED: about_column("unit", "EUR", None),
    K.TIMEZONE_ADDED: about_column("timezone", None, "UTC", "timestamp"),
    K.TIMEZONE_CHANGED: about_column("timezone", "UTC", "Europe/Berlin", "timestamp"),
    K.SEMANTIC_TYPE_ADDED: about_column("semantic_type", None, "measure"),
    K.SEMANTIC_TYPE_CHANGED: about_column("semantic_type", "measure", "dimension"),
    K.TRANSFORM_CHANGED: about_column("transform", {"transformLogic": "a + b"}, {"transformLogic": "a - b"}),
    K.CLASSIFICATION_ADDED: about_column("classification", None, "pii"),
    K.CLASSIFICATION_REMOVED: about_column("classification", "pii", None),
    K.CLASSIFICATION_RAISED: about_column("classification", "internal", "RESTRICTED"),
    K.CLASSIFICATION_LOWERED: about_column("classification", "pii", "public"),
    K.CLASSIFICATION_CHANGED: about_column("classification", "secret", "hush"),
    K.QUALITY_ADDED: rules(None, rule()),
    K.QUALITY_REMOVED: rules(rule(), None),
    K.QUALITY_THRESHOLD_TIGHTENED: rules(rule(Threshold.LESS_THAN, 5), rule(Threshold.LESS_THAN, 3)),
    K.QUALITY_THRESHOLD_RELAXED: rules(rule(), rule(Threshold.LESS_THAN, 5)),
    K.QUALITY_THRESHOLD_INCOMPARABLE: rules(rule(Threshold.LESS_THAN, 5), rule(Threshold.GREATER_THAN, 3), "r"),
    K.QUALITY_SEVERITY_RAISED: rules(rule(severity="warning"), rule(severity="error")),
    K.QUALITY_SEVERITY_LOWERED: rules(rule(), rule(severity="info")),
    K.QUALITY_METRIC_CHANGED: rules(rule(), rule(metric="duplicateValues")),
    K.QUALITY_ARGUMENTS_CHANGED: rules(rule(), rule(arguments={"properties": ["a", "b"]})),
    K.QUALITY_QUERY_CHANGED: rules(
        QualityRule("sql", name="r", query="select 1"), QualityRule("sql", name="r", query="select 2")
    ),
    K.QUALITY_SCHEDULE_CHANGED: rules(rule(schedule="0 6 * * *"), rule(schedule="0 7 * * *")),
    K.QUALITY_DOCS_CHANGED: rules(rule(), rule(dimension="completeness")),
    K.SLA_ADDED: levels(None, FRESH, "sla:freshness(updated_at)"),
    K.SLA_REMOVED: levels(FRESH, None, "sla:freshness(updated_at)"),
    K.SLA_RELAXED: levels(FRESH, Sla("freshness", 12, unit="h", element="updated_at"), "sla:freshness(updated_at)"),
    K.SLA_TIGHTENED: levels(
        Sla("availability", "99.5%"), Sla("availability", 99.9, unit="percent"), "sla:availability"
    ),
    K.SLA_INCOMPARABLE: levels(Sla("colour", "blue"), Sla("colour", "green"), "sla:colour"),
    K.SLA_ELEMENT_ADDED: levels(Sla("freshness", "PT6H"), FRESH, "sla:freshness"),
    K.SLA_ELEMENT_CHANGED: levels(FRESH, Sla("freshness", "PT6H", element="placed_at"), "sla:freshness(updated_at)"),
    K.SLA_DOCS_CHANGED: levels(Sla("latency", "5s"), Sla("latency", "5s", driver="regulatory"), "sla:latency"),
    K.SERVER_ADDED: servers(None, server()),
    K.SERVER_REMOVED: servers(server(), None),
    K.SERVER_RENAMED: servers(server(), server("production")),
    K.SERVER_TYPE_CHANGED: servers(server(), server(kind="mysql")),
    K.SERVER_LOCATION_CHANGED: servers(server(host="db1"), server(host="db2")),
    K.SERVER_FORMAT_CHANGED: servers(server(kind="s3", format="json"), server(kind="s3", format="parquet")),
    K.SERVER_FORMAT_ADDED: servers(server(kind="s3", location="x"), server(kind="s3", location="x", format="parquet")),
    K.SERVER_ENVIRONMENT_ADDED: servers(server(), Server("prod", "postgres", "test", coordinates=server().coordinates)),
    K.SERVER_ENVIRONMENT_CHANGED: servers(
        Server("prod", "postgres", "prod", coordinates=server().coordinates),
        Server("prod", "postgres", "test", coordinates=server().coordinates),
    ),
    K.SERVER_DOCS_CHANGED: servers(
        server(), Server("prod", "postgres", coordinates=server().coordinates, docs={"description": "main"})
    ),
    K.ROLE_ADDED: roles(None, Role("reader", "read")),
    K.ROLE_REMOVED: roles(Role("reader", "read"), None),
    K.ROLE_ACCESS_REDUCED: roles(Role("reader", "read/write"), Role("reader", "read")),
    K.ROLE_ACCESS_WIDENED: roles(Role("reader", "read"), Role("reader", "readwrite")),
    K.ROLE_ACCESS_CHANGED: roles(Role("reader", "read"), Role("reader", "sometimes")),
    K.ROLE_DOCS_CHANGED: roles(Role("reader"), Role("reader", docs={"description": "analysts"})),
    K.RELATIONSHIP_ADDED: links(None, Relationship(("customers.id",))),
    K.RELATIONSHIP_REMOVED: links(Relationship(("customers.id",)), None),
    K.RELATIONSHIP_TARGET_CHANGED: links(Relationship(("customers.id",)), Relationship(("clients.id",))),
    K.RELATIONSHIP_DOCS_CHANGED: links(Relationship(("customers.id",)), Relationship(("customers.id",), id="fk")),
}
