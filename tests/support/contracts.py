"""The smallest contracts that tests of commands and adapters need."""

from __future__ import annotations

ORDERS = """\
apiVersion: v3.1.0
kind: DataContract
id: orders
name: orders
version: 1.2.0
status: active
schema:
  - name: orders
    physicalType: table
    properties:
      - name: order_id
        logicalType: string
        required: true
        primaryKey: true
      - name: placed_at
        logicalType: timestamp
"""
MISSPELT = ORDERS.replace("required: true", "requird: true")
DANGLING = ORDERS + "slaProperties:\n  - property: freshness\n    value: 6\n    unit: h\n    element: sales.placed_at\n"
COMPOSE = "services:\n  web:\n    image: nginx\n"
FIELDS = """\
schema: customers
version: 2.0.0
owner: crm
fields:
  - name: customer_id
    type: string
    nullable: false
"""
