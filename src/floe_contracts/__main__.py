"""The program `floe`, and `python -m floe_contracts`."""

import sys


def main() -> int:
    """Run `floe` and return its exit code."""
    from .cli import fast_path

    words = sys.argv[1:]
    if fast_path.is_plain(words):
        return fast_path.main(words)
    from .cli.main import main as run

    return run()


if __name__ == "__main__":
    raise SystemExit(main())
