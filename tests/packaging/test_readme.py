"""The README shows what floe really prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.builds import ROOT
from support.git_sandbox import Sandbox

from floe_contracts.cli.main import COMMANDS, main


def test_lint_example_is_current(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = (ROOT / "README.md").read_text()
    example = re.search(
        r"```yaml title=\"orders.yaml\"\n(.*?)```\s+```console\n\$ floe (.*?)\n(.*?)```", readme, re.DOTALL
    )
    assert example
    contract, arguments, output = example.groups()
    (tmp_path / "orders.yaml").write_text(contract)
    monkeypatch.chdir(tmp_path)
    assert main(arguments.split()) == 1
    assert capsys.readouterr().out == output


def test_every_command_it_lists_exists(capsys: pytest.CaptureFixture[str]) -> None:
    for command in re.findall(r"^\| `floe ([a-z ]+)", (ROOT / "README.md").read_text(), re.MULTILINE):
        assert main([*command.split(), "--help"]) == 0, command


def test_every_command_is_listed() -> None:
    """But for those that only explain the command line itself."""
    listed = {
        row.split()[0] for row in re.findall(r"^\| `floe ([a-z ]+)", (ROOT / "README.md").read_text(), re.MULTILINE)
    }
    shown = {name for name, command in COMMANDS.items() if not command.hidden}
    assert shown - listed == {"completion", "help"}


def test_every_guide_is_linked_from_the_first_page() -> None:
    page = (ROOT / "docs/index.md").read_text("utf-8")
    assert [guide.name for guide in (ROOT / "docs/guides").glob("*.md") if f"guides/{guide.name}" not in page] == []


def test_gate_example_is_current(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = re.search(r"```console\n\$ floe gate\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert shown
    contract = (ROOT / "examples/contracts/orders.yaml").read_text()
    shop = Sandbox(tmp_path).init("shop")
    shop.commit({"contracts/orders.yaml": contract})
    shop.switch("rework", "main")
    shop.write({"contracts/orders.yaml": contract.replace("  - name: coupon\n    type: STRING\n", "")})
    shop.git("add", "--all")
    monkeypatch.chdir(shop.path)
    assert main(["gate"]) == 1
    assert capsys.readouterr().out.startswith(shown.group(1).removesuffix("…\n"))
