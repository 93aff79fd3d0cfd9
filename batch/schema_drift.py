"""The drift job: do the tables have the columns and types that were promised.

spark-submit batch/schema_drift.py --contracts contracts/ --slot '{{ data_interval_start }}'
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path


def main(argv: Sequence[str] | None = None) -> int:
    from floe_contracts.cli.jobs import run_job

    return run_job("schema_drift", argv)


if __name__ == "__main__":
    if find_spec("floe_contracts") is None:  # started from a checkout, without installation or --py-files
        sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
    sys.exit(main())
