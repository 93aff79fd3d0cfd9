"""The job after a pipeline's run: every check on what the run wrote, keyed by the orchestrator's run id.

spark-submit batch/post_run.py --contracts contracts/orders.yaml --run-id '{{ dag.dag_id }}/{{ run_id }}'
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path


def main(argv: Sequence[str] | None = None) -> int:
    from floe_contracts.cli.jobs import run_after

    return run_after(argv)


if __name__ == "__main__":
    if find_spec("floe_contracts") is None:  # started from a checkout, without installation or --py-files
        sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
    sys.exit(main())
