#!/usr/bin/env bash
# Runs one action by the floe that install.sh made, or by the one on PATH if it was told to skip.
set -euo pipefail

export PYTHONSAFEPATH=1 GIT_PAGER=cat
if [[ "$FLOE_INPUT_INSTALL" == skip ]]; then
    exec floe action "$1"
fi
exec "$RUNNER_TEMP/floe-contracts/bin/python" -I -m floe_contracts action "$1"
