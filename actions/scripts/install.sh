#!/usr/bin/env bash
# Installs floe into an environment below the runner's temporary folder: wheels that have the hashes of requirements.txt,
# then floe itself from this action's own commit, built by the backend among them. Nothing else is looked for or run.
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

locked=(--require-hashes --only-binary :all: --requirement "$source/actions/scripts/requirements.txt")
own=(--no-deps --no-build-isolation "$source")
cd "$RUNNER_TEMP" # where no pip.py, yaml.py or uv.toml of a pull request can lie in wait
if command -v uv >/dev/null; then
    uv --no-config venv --quiet --clear --python "$FLOE_INPUT_PYTHON" "$venv"
    uv --no-config pip install --quiet --python "$venv/bin/python" "${locked[@]}"
    uv --no-config pip install --quiet --python "$venv/bin/python" "${own[@]}"
else
    "$FLOE_INPUT_PYTHON" -I -m venv --clear "$venv"
    pip=("$venv/bin/python" -I -m pip install --quiet --disable-pip-version-check --no-input)
    "${pip[@]}" "${locked[@]}"
    "${pip[@]}" "${own[@]}"
fi
printf '%s' "$source" >"$venv/.source"
