"""The example's GitLab job from its installation to its note, run by gitlab-ci-local in a merge request."""

from __future__ import annotations

import json
import shutil
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import yaml
from support.builds import ROOT
from support.environments import wheel
from support.git_sandbox import Sandbox
from support.gitlab_runs import JOB, notes, runner
from support.toy_contracts import PATH, orders, without_total

GITLAB = ROOT / "examples/ci/gitlab-ci.yml"


def failed(junit: Path) -> list[str | None]:
    """The names of the test cases that failed, as GitLab lists them."""
    cases = list(ElementTree.parse(junit).iter("testcase"))
    assert cases
    return [case.get("name") for case in cases if case.find("failure") is not None]


@pytest.mark.slow
def test_a_break_ends_red_with_its_artefacts_and_the_fix_green(tmp_path: Path) -> None:
    (tmp_path / "sandbox").mkdir()
    sandbox = Sandbox(tmp_path / "sandbox")
    ran_by = runner(tmp_path, wheel(tmp_path / "built").parent, sandbox.environ)
    text = GITLAB.read_text("utf-8").replace("/tmp/floe", str(tmp_path / "floe"))
    reports = yaml.safe_load(text)[JOB]["artifacts"]["reports"]
    repo = sandbox.init()
    base = repo.commit({PATH: orders(), ".gitlab-ci.yml": text})
    repo.git("remote", "add", "origin", "git@gitlab.example.com:acme/shop.git")
    repo.switch("feature", "main")

    with notes() as page:
        told = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": base, **page.variables}
        head = repo.commit({PATH: without_total()})
        red = ran_by.run(repo, CI_COMMIT_SHA=head, **told)
        assert red.code == 1, red.log
        assert failed(red.workplace / reports["junit"]) == ['property-removed: "shop.orders".total']
        (issue,) = json.loads((red.workplace / reports["codequality"]).read_text("utf-8"))
        assert (issue["severity"], issue["location"]["path"]) == ("critical", PATH)
        assert "BLOCKED: `shop.orders` needs version `2.0.0`" in (red.artefacts / "floe-note.md").read_text("utf-8")
        assert "BLOCKED" in page.texts[1]

        shutil.rmtree(repo.path / ".gitlab-ci-local")
        head = repo.commit({PATH: without_total("2.0.0")})
        green = ran_by.run(repo, CI_COMMIT_SHA=head, **told)
        assert green.code == 0, green.log
        assert failed(green.workplace / reports["junit"]) == []
        (issue,) = json.loads((green.workplace / reports["codequality"]).read_text("utf-8"))
        assert issue["severity"] == "info"
        assert [text.split("\n")[1] for text in page.texts.values()] == ["### ✅ PASS: 1 contract checked, no errors."]
        assert page.calls == ["GET", "POST", "GET", "PUT"]
