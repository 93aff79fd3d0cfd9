"""The stream job: every batch of new rows judged once, for topics, folders of files and tables with a log.

spark-submit batch/stream.py --contracts contracts/ --checkpoint /var/lib/floe/streams --trigger 30s
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path


def main(argv: Sequence[str] | None = None) -> int:
    from floe_contracts.cli.stream_job import run_stream

    return run_stream(argv)


if __name__ == "__main__":
    if find_spec("floe_contracts") is None:  # started from a checkout, without installation or --py-files
        sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
    sys.exit(main())
