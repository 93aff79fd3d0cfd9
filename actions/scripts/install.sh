#!/usr/bin/env bash
# Installs floe from this action's own commit into an environment below the runner's temporary folder.
set -euo pipefail

case "$FLOE_INPUT_INSTALL" in
    auto) ;;
    skip) exit ;;
    *) echo '::error title=floe::the input install is neither auto nor skip' && exit 2 ;;
esac

source="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)"
venv="$RUNNER_TEMP/floe-contracts"
if [[ -f "$venv/.source" && "$(<"$venv/.source")" == "$source" ]]; then
    exit # an earlier step of this job did it
fi

cd "$RUNNER_TEMP" # where no pip.py, yaml.py or uv.toml of a pull request can lie in wait
if command -v uv >/dev/null; then
    uv --no-config venv --quiet --clear --python "$FLOE_INPUT_PYTHON" "$venv"
    uv --no-config pip install --quiet --python "$venv/bin/python" --constraint "$source/constraints.txt" "$source"
else
    "$FLOE_INPUT_PYTHON" -I -m venv --clear "$venv"
    "$venv/bin/python" -I -m pip install --quiet --disable-pip-version-check --no-input \
        --constraint "$source/constraints.txt" "$source"
fi
printf '%s' "$source" >"$venv/.source"
