"""Every page that tells commands is followed as a reader would, and everything happens as the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.builds import ROOT
from support.registries import registry_server
from support.told_commands import Command, File, before, followed, steps, told_pages


@pytest.mark.parametrize("path", [pytest.param(path, id=str(path.relative_to(ROOT))) for path in told_pages()])
def test_the_page_can_be_followed(path: Path, tmp_path: Path) -> None:
    assert followed(before(path) + path.read_text("utf-8"), tmp_path) == []


@pytest.mark.service
@pytest.mark.parametrize(
    "path", [pytest.param(path, id=str(path.relative_to(ROOT))) for path in told_pages("registry")]
)
def test_the_page_can_be_followed_with_a_registry(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """registry.acme.com is a real registry on loopback; the reader sits at a laptop, not in CI."""
    for name in ("CI", "XDG_CACHE_HOME", "DOCKER_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    with registry_server(tmp_path / "registry") as server:
        page = path.read_text("utf-8").replace("registry.acme.com", server.host)
        assert followed(page, tmp_path / "reader") == []


@pytest.mark.parametrize(
    ("shown", "code", "printed", "right"),
    [
        pytest.param("PASS: fine\n", 0, "PASS: fine\n", True, id="the same"),
        pytest.param("PASS: …\n", 0, "PASS: fine\n", True, id="anything in a line"),
        pytest.param("a\n…\nz\n", 0, "a\nb\nc\nz\n", True, id="any lines"),
        pytest.param("a\n…\nz\n", 0, "a\nb\nc\n", False, id="a last line that is missing"),
        pytest.param("", 0, "what it printed is not shown\n", True, id="nothing shown"),
        pytest.param("PASS: fine\n", 1, "PASS: fine\n", False, id="another exit code"),
        pytest.param("BLOCKED: …\n", 1, "BLOCKED: a break\n", True, id="blocked"),
        pytest.param("BLOCKED: …\n", 0, "BLOCKED: a break\n", False, id="blocked and exit 0"),
    ],
)
def test_how_a_page_is_compared(shown: str, code: int, printed: str, right: bool) -> None:
    assert (Command("floe gate", shown).problem(code, printed) == "") is right


def test_steps_in_a_list_are_steps() -> None:
    page = "1. First\n\n    ```console\n    $ floe lint\n    PASS\n    ```\n"
    assert list(steps(page)) == [Command("floe lint", "PASS\n")]


def test_every_python_block_of_the_python_guide_is_run() -> None:
    page = (ROOT / "docs/guides/python.md").read_text("utf-8")
    run = {step.words.split()[1] for step in steps(page) if isinstance(step, Command) and step.words[:7] == "python "}
    assert re.findall(r"^```python(?: title=\"(.+?)\")?$", page, re.MULTILINE) == [
        step.path for step in steps(page) if isinstance(step, File) and step.path in run
    ]
