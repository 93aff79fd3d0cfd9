"""The files beside a contract that `floe init` writes, as text."""

from __future__ import annotations

from ...contract.model import Json, JsonMap
from .entries import Entry

PRE_COMMIT = ".pre-commit-config.yaml"
WORKFLOW = ".github/workflows/contracts.yml"
REPOSITORY = "https://github.com/floe-dev/floe-contracts"

# The same text as examples/workflows/contracts.yml, which is tested with act; tests compare both.
WORKFLOW_TEXT = """\
# The gate for pull requests from branches of this repository. Forks get verdict, annotations and summary as well;
# for their comments see fork-safe/. Required checks and code owners for .github/ and .floe/ make it binding.
name: Data contracts

on:
  pull_request:

permissions: {}

concurrency:
  group: ${{ github.workflow }}-${{ github.ref }}
  cancel-in-progress: true

jobs:
  gate:
    name: Contract gate
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: read # the commits that are compared
      pull-requests: write # the comment and the suggestions
    steps:
      - name: Check out the pull request, merged with its base
        uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          fetch-depth: 2 # the merge and its first parent, which is the base
          persist-credentials: false
      - name: Check the contracts
        uses: floe-dev/floe-contracts@a737517fa78e9ab515ef9946db868c922fbf8c61 # v0.1.0
"""


def hooks_entry(version: str) -> Entry:
    """The hooks that check contracts at every commit."""
    hooks: Json = [{"id": "floe-contract-lint"}, {"id": "floe-contract-gate"}]
    return Entry("repos", "repo", {"repo": REPOSITORY, "rev": f"v{version}", "hooks": hooks}, in_list=True)


def connection_entry(key: str, said: JsonMap) -> Entry:
    """Where the data of a contract is, for `.floe/monitoring.yaml`; secrets are references in there."""
    return Entry("connections", key, said)
