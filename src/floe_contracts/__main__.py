"""The program `floe`, and `python -m floe_contracts`."""

import gc
import sys


def main() -> int:
    """Run `floe` and return its exit code."""
    gc.disable()  # loading makes no garbage, and looking for it took a twelfth of the time of a short command
    from .cli import fast_path as plain

    words = sys.argv[1:]
    if plain.is_plain(words):
        gc.enable()
        return plain.main(words)
    from .cli.main import main as run

    gc.enable()
    return run()


if __name__ == "__main__":
    raise SystemExit(main())
