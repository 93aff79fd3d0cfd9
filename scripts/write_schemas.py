"""Writes the published schemas of the platform half from their models: python scripts/write_schemas.py"""

from __future__ import annotations

import json
from pathlib import Path

from floe_contracts.compiler.artifacts import ARTIFACT_SCHEMA
from floe_contracts.product.schema import SCHEMAS

for schema in (*SCHEMAS, ARTIFACT_SCHEMA):
    Path(schema.folder, schema.name).write_text(
        json.dumps(schema.generate(), indent=2, ensure_ascii=False) + "\n", "utf-8"
    )
