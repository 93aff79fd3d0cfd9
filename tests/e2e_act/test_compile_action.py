"""actions/compile by act: a product that weakens its platform fails on its line."""

from __future__ import annotations

from support.act_runs import Workshop, workflow
from support.builds import ROOT
from support.fake_github import FakeGithub
from support.git_sandbox import Sandbox
from support.pull_requests import pull_request

PRODUCT = "products/customer-360/floe.yaml"


def test_a_product_that_weakens_its_platform(shop: Workshop, sandbox: Sandbox, github: FakeGithub) -> None:
    example = ROOT / "examples/platform"
    paths = (path.relative_to(example) for path in example.rglob("*.yaml"))
    files = {path.as_posix(): (example / path).read_text() for path in paths if "revenue" not in path.parts}
    broken = files[PRODUCT].replace("transforms:", "compute: spark\ntransforms:")
    scene = pull_request(sandbox, {**files}, {PRODUCT: broken})
    ran = shop.act(scene.checkout, "pull_request", scene.event(), workflow(action="/actions/compile"), github)
    (error,) = ran.commands("error")
    assert (ran.status, error["kvPairs"]["file"]) == (1, PRODUCT)
    assert (ran.outputs["verdict"], ran.outputs["artifacts"]) == ("blocked", "[]")
