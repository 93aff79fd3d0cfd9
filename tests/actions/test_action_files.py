"""The action files do what they say: no logic, no splicing, every input passed on and every output declared."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.action_files import ACTIONS, SCRIPTS, WORKFLOWS, Object, action, load, shown, used
from support.builds import ROOT, run

from floe_contracts.cli import action_comment
from floe_contracts.cli.action_bump import BUMP_OUTPUTS
from floe_contracts.cli.action_checks import GATE_OUTPUTS, LINT_OUTPUTS
from floe_contracts.cli.action_compile import COMPILE_OUTPUTS
from floe_contracts.cli.action_publish import PUBLISH_OUTPUTS

OUTPUTS = {
    "gate": GATE_OUTPUTS,
    "lint": LINT_OUTPUTS,
    "bump": BUMP_OUTPUTS,
    "compile": COMPILE_OUTPUTS,
    "publish": PUBLISH_OUTPUTS,
    "comment": action_comment.OUTPUTS,
}
FILES = [*ACTIONS.values(), *WORKFLOWS]
OURS = "floe-dev/floe-contracts"
every_action = pytest.mark.parametrize("name", ACTIONS)
every_file = pytest.mark.parametrize("path", FILES, ids=shown)
every_workflow = pytest.mark.parametrize("path", WORKFLOWS, ids=shown)


def tool(name: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name(name)), *map(str, words)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def steps_of(document: Object) -> list[Object]:
    jobs = document.get("jobs") or {"": document["runs"]}
    return [step for job in jobs.values() for step in job.get("steps", ())]  # a job that calls a workflow has none


@every_file
def test_nothing_is_spliced_into_a_script(path: Path) -> None:
    scripts = [step["run"] for step in steps_of(load(path)) if "run" in step]
    assert [script for script in scripts if "${{" in script] == []


@every_action
def test_each_step_calls_one_script_of_ours(name: str) -> None:
    folder = "actions/scripts" if name == "gate" else "../scripts"
    assert [step["run"] for step in action(name).steps] == [
        f'bash "$GITHUB_ACTION_PATH/{folder}/install.sh"',
        f'bash "$GITHUB_ACTION_PATH/{folder}/run.sh" {name}',
    ]


@every_action
def test_every_input_is_passed_on_and_nothing_else(name: str) -> None:
    passed = {variable: value for step in action(name).steps for variable, value in step["env"].items()}
    wanted = {
        "GITHUB_TOKEN" if each == "github-token" else f"FLOE_INPUT_{each.upper().replace('-', '_')}": each
        for each in action(name).inputs
    }
    assert passed == {variable: f"${{{{ inputs.{each} }}}}" for variable, each in wanted.items()}


@every_action
def test_every_output_is_one_that_floe_always_writes(name: str) -> None:
    values = {each: output["value"] for each, output in action(name).outputs.items()}
    assert values == {each: f"${{{{ steps.{name}.outputs.{each} }}}}" for each in OUTPUTS[name]}


def test_the_gate_has_the_inputs_and_outputs_that_were_promised() -> None:
    assert " ".join(action("gate").inputs) == (
        "contracts base-ref fail-on profile comment comment-key annotations summary sarif-file report-dir "
        "github-token python install working-directory"
    )
    assert " ".join(action("gate").outputs) == (
        "verdict required-bump breaking-count change-count changed-contracts report-json report-markdown "
        "sarif-file comment-url"
    )


@every_action
def test_an_action_nests_no_other(name: str) -> None:
    document = action(name).document
    assert document["runs"]["using"] == "composite"
    assert {"branding", "description", "name"} <= document.keys()
    assert [step for step in action(name).steps if "uses" in step] == []


@pytest.mark.parametrize("path", SCRIPTS, ids=shown)
def test_a_script_is_short_and_changes_no_later_step(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= 35
    assert re.findall(r"GITHUB_(?:ENV|PATH|OUTPUT)\b", text) == []


def test_shellcheck_finds_nothing() -> None:
    found = tool("shellcheck", *SCRIPTS)
    assert (found.returncode, found.stdout) == (0, "")


def test_zizmor_finds_nothing() -> None:
    found = tool("zizmor", "--offline", "--persona", "pedantic", "--no-progress", "--format", "plain", *FILES)
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize(
    ("schema", "files"),
    [
        pytest.param("github-actions", [*ACTIONS.values()], id="actions"),
        pytest.param("github-workflows", WORKFLOWS, id="workflows"),
    ],
)
def test_files_fit_the_published_schema(schema: str, files: list[Path]) -> None:
    found = tool("check-jsonschema", "--builtin-schema", f"vendor.{schema}", *files)
    assert found.returncode == 0, found.stdout + found.stderr


@every_workflow
def test_a_workflow_has_no_more_rights_than_its_jobs_name(path: Path) -> None:
    document = load(path)
    assert document["permissions"] == {}
    assert [
        name
        for name, job in document["jobs"].items()
        if not job["permissions"] or not {"timeout-minutes", "uses"} & job.keys()
    ] == []
    assert "concurrency" in document


@every_workflow
def test_a_workflow_pins_what_it_uses(path: Path) -> None:
    foreign = [(name, comment) for name, comment in used(path) if not name.startswith("$/")]
    loose = [name for name, comment in foreign if not re.search(r"@[0-9a-f]{40}$", name) or not comment.startswith("v")]
    assert loose == []


@every_workflow
def test_a_checkout_leaves_no_credentials_behind(path: Path) -> None:
    checkouts = [step for step in steps_of(load(path)) if step.get("uses", "").startswith("actions/checkout@")]
    assert [step for step in checkouts if step["with"]["persist-credentials"] is not False] == []


@every_workflow
def test_an_example_pins_a_commit_that_has_the_action(path: Path) -> None:
    if run("git", "rev-parse", "--is-shallow-repository").strip() == "true":
        pytest.skip("a shallow clone does not know the commits that examples are pinned to")
    for name, _ in used(path):
        if name.startswith(OURS):
            folder, _, commit = name.removeprefix(OURS).lstrip("/").rpartition("@")
            file = folder if folder.endswith(".yml") else f"{folder}/action.yml".lstrip("/")
            run("git", "cat-file", "-e", f"{commit}:{file}")
