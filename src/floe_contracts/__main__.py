"""`python -m floe_contracts` is the `floe` command."""

from .cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
