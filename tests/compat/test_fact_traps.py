"""Changes that `datacontract breaking` misses or misjudges, as YAML that people write."""

from __future__ import annotations

import pytest
from support.builders import told
from support.reading import read_text

from floe_contracts.compat.facts import facts_between
from floe_contracts.contract.model import Contract, Dialect
from floe_contracts.contract.source import read_document

DOCUMENT = """\
apiVersion: v3.2.0
kind: DataContract
id: shop-orders
name: orders
version: 1.0.0
status: active
schema:
  - name: orders
    physicalType: table
    properties:
      - name: __op
        logicalType: string
        physicalType: VARCHAR
      - name: quality
        logicalType: string
        required: true
      - name: required
        logicalType: object
        properties:
          - name: by
            logicalType: string
      - name: net.amount
        logicalType: number
        physicalType: DECIMAL(12, 2)
      - name: status
        logicalType: string
        enum:
          - value: open
          - value: paid
        quality:
          - metric: invalidValues
            arguments:
              validValues: [open, paid]
            mustBe: 0
      - name: tags
        logicalType: array
        items:
          logicalType: string
      - name: attrs
        logicalType: map
        map:
          key:
            logicalType: string
          value:
            logicalType: integer
            physicalType: INT
      - name: a
        logicalType: integer
      - name: b
        logicalType: integer
      - name: updated_at
        logicalType: timestamp
      - name: placed_at
        logicalType: timestamp
    relationships:
      - id: fk
        from: [orders.a, orders.b]
        to: [parts.x, parts.y]
  - name: parts
    properties:
      - name: x
        logicalType: integer
      - name: y
        logicalType: integer
slaProperties:
  - property: freshness
    value: 1.25
    unit: h
    element: orders.updated_at
  - property: freshness
    value: 2
    unit: d
    element: orders.placed_at
  - property: availability
    value: 99.9
    unit: percent
  - property: latency
    value: 5
    unit: s
  - property: frequency
    value: 1
    unit: h
  - property: retention
    value: 7
    unit: y
"""

# what, edits as (old text, new text), facts
TRAPS: tuple[tuple[str, tuple[tuple[str, str], ...], list[str]], ...] = (
    (
        "a column that starts with two underscores is removed",
        (("      - name: __op\n        logicalType: string\n        physicalType: VARCHAR\n", ""),),
        ["property-removed orders.__op"],
    ),
    ("such a column is retyped", (("physicalType: VARCHAR", "physicalType: INT"),), ["type-changed orders.__op"]),
    ("VARCHAR to varchar", (("physicalType: VARCHAR", "physicalType: varchar"),), []),
    ("DECIMAL(12, 2) to decimal(12,2)", (("DECIMAL(12, 2)", "decimal(12,2)"),), []),
    (
        "a column called quality becomes nullable",
        (("        required: true\n", ""),),
        ["property-became-nullable orders.quality"],
    ),
    (
        "a column called required is removed",
        (
            (
                (
                    "      - name: required\n        logicalType: object\n        properties:\n"
                    "          - name: by\n            logicalType: string\n"
                ),
                "",
            ),
        ),
        ["property-removed orders.required"],
    ),
    (
        "a field below a column called required is retyped",
        (
            (
                "          - name: by\n            logicalType: string",
                "          - name: by\n            logicalType: date",
            ),
        ),
        ["type-changed orders.required.by"],
    ),
    (
        "a column with a dot in its name is removed",
        (("      - name: net.amount\n        logicalType: number\n        physicalType: DECIMAL(12, 2)\n", ""),),
        ['property-removed orders."net.amount"'],
    ),
    (
        "a column with a dot in its name is narrowed",
        (("DECIMAL(12, 2)", "DECIMAL(10, 2)"),),
        ['type-narrowed orders."net.amount"'],
    ),
    (
        "a string becomes a UUID",
        (("physicalType: VARCHAR", "physicalType: VARCHAR\n        logicalTypeOptions: {format: uuid}"),),
        ["format-added orders.__op"],
    ),
    (
        "freshness by a fraction of an hour",
        (("value: 1.25", "value: 1.75"),),
        ["sla-relaxed sla:freshness(orders.updated_at)"],
    ),
    ("freshness in other units", (("value: 1.25\n    unit: h", "value: PT75M"),), []),
    ("the other of two freshnesses", (("value: 2\n", "value: 3\n"),), ["sla-relaxed sla:freshness(orders.placed_at)"]),
    ("a bare element", (("element: orders.placed_at", "element: placed_at"),), []),
    ("availability", (("value: 99.9", "value: 99"),), ["sla-relaxed sla:availability"]),
    ("latency", (("value: 5\n", "value: 50\n"),), ["sla-relaxed sla:latency"]),
    ("frequency", (("value: 1\n    unit: h", "value: 1\n    unit: d"),), ["sla-relaxed sla:frequency"]),
    ("retention", (("value: 7\n    unit: y", "value: 7\n    unit: d"),), ["sla-relaxed sla:retention"]),
    (
        "an SLA removed",
        (("  - property: availability\n    value: 99.9\n    unit: percent\n", ""),),
        ["sla-removed sla:availability"],
    ),
    (
        "an enum value added",
        (("- value: paid\n", "- value: paid\n          - value: sent\n"),),
        ["enum-value-added orders.status"],
    ),
    ("an enum value removed", (("          - value: paid\n", ""),), ["enum-value-removed orders.status"]),
    (
        "a valid value added",
        (("[open, paid]", "[open, paid, sent]"),),
        ["enum-value-added quality:orders.status#invalidValues"],
    ),
    ("a count of 0 and of at most 0", (("mustBe: 0", "mustBeLessOrEqualTo: 0"),), []),
    (
        "array items",
        (("        items:\n          logicalType: string", "        items:\n          logicalType: integer"),),
        ["type-changed orders.tags[]"],
    ),
    ("map values", (("physicalType: INT\n", "physicalType: BIGINT\n"),), ["type-widened orders.attrs{value}"]),
    (
        "own columns of a composite foreign key swapped",
        (("[orders.a, orders.b]", "[orders.b, orders.a]"),),
        ["relationship-target-changed relationship:orders#fk"],
    ),
    (
        "both sides of a composite foreign key swapped",
        (("[orders.a, orders.b]", "[orders.b, orders.a]"), ("[parts.x, parts.y]", "[parts.y, parts.x]")),
        [],
    ),
    ("explicit defaults", (("- name: a\n", "- name: a\n        required: false\n        unique: false\n"),), []),
    ("another apiVersion", (("v3.2.0", "v3.1.0"),), []),
    ("another version", (("version: 1.0.0", "version: 2.0.0"),), []),
)


def edited(*edits: tuple[str, str]) -> str:
    text = DOCUMENT
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(("edits", "facts"), [row[1:] for row in TRAPS], ids=[row[0] for row in TRAPS])
def test_a_trap_is_seen_for_what_it_is(edits: tuple[tuple[str, str], ...], facts: list[str]) -> None:
    old, new = read_text(DOCUMENT, Dialect.ODCS), read_text(edited(*edits), Dialect.ODCS)
    assert told(old, new) == facts


# what, edit, line of the old document, line of the new document (as text)
LINES = (
    ("a deleted line points at the column", ("        required: true\n", ""), "required: true", "- name: quality"),
    (
        "a changed type points at its line",
        ("DECIMAL(12, 2)", "DATE"),
        "physicalType: DECIMAL(12, 2)",
        "physicalType: DATE",
    ),
    (
        "a changed logical type points at its line",
        ("- name: a\n        logicalType: integer", "- name: a\n        logicalType: date"),
        "logicalType: integer",
        "logicalType: date",
    ),
    (
        "a removed SLA points at the list of them",
        ("  - property: availability\n    value: 99.9\n    unit: percent\n", ""),
        "- property: availability",
        "slaProperties:",
    ),
    (
        "a removed table points at the schema",
        (DOCUMENT[DOCUMENT.index("  - name: parts") : DOCUMENT.index("slaProperties:")], ""),
        "- name: parts",
        "schema:",
    ),
    ("a changed SLA points at its value", ("value: 99.9", "value: 99"), "value: 99.9", "value: 99"),
    (
        "a removed column points at the table's list",
        ("      - name: a\n        logicalType: integer\n", ""),
        "- name: a",
        "- name: orders",
    ),
)


@pytest.mark.parametrize(("edit", "old_line", "new_line"), [row[1:] for row in LINES], ids=[row[0] for row in LINES])
def test_a_fact_leads_to_the_line_that_was_edited(edit: tuple[str, str], old_line: str, new_line: str) -> None:
    texts = (DOCUMENT, edited(edit))
    documents = [read_document(text.encode()) for text in texts]
    (fact, *_) = facts_between(*(_read(text) for text in texts))
    for text, document, pointer, expected in zip(
        texts, documents, (fact.old_at, fact.new_at), (old_line, new_line), strict=True
    ):
        place = document.locate(pointer, key=True)
        assert place is not None
        assert text.splitlines()[place[0] - 1].strip() == expected


def _read(text: str) -> Contract:
    return read_text(text, Dialect.ODCS)
