"""The names that a program may import from floe_contracts, what they do, and that importing the package stays cheap."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.builds import ROOT
from support.git_sandbox import Sandbox

import floe_contracts
from floe_contracts import compare, gate, load_contract
from floe_contracts.cli.main import main
from floe_contracts.errors import FloeError
from floe_contracts.results import decide

ORDERS = ROOT / "examples/contracts/orders.yaml"
WITHOUT_COUPON = ORDERS.read_text("utf-8").replace("  - name: coupon\n    type: STRING\n", "")
PUBLIC = [
    "CatalogPlugin",
    "CompiledArtifacts",
    "ContractMetadata",
    "ContractMonitor",
    "ContractValidationResult",
    "ContractViolation",
    "DataContractPlugin",
    "DataProduct",
    "IdentityResult",
    "ImmutableVersionError",
    "Manifest",
    "MonitoringConfig",
    "OrchestratorPlugin",
    "Policy",
    "PolicyEnforcer",
    "PolicyViolationError",
    "RegistrationResult",
    "SLACheckResult",
    "SchemaComparisonResult",
    "__version__",
    "compare",
    "gate",
    "load_catalog",
    "load_contract",
    "merge_manifests",
    "validate_policy_inheritance",
]


def test_the_public_names_are_these() -> None:
    assert sorted(floe_contracts.__all__) == PUBLIC
    assert set(PUBLIC) <= set(dir(floe_contracts))


def test_the_guide_names_each_of_them() -> None:
    guide = (ROOT / "docs/guides/python.md").read_text("utf-8")
    assert [name for name in PUBLIC if name != "__version__" and f"`{name}" not in guide] == []


@pytest.mark.parametrize("name", PUBLIC)
def test_every_name_leads_to_its_own_thing(name: str) -> None:
    thing = getattr(floe_contracts, name)
    assert isinstance(thing, str) or thing.__name__ == name


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'compair'"):
        _ = floe_contracts.compair  # type: ignore[attr-defined]


def test_importing_the_package_imports_nothing_else() -> None:
    script = "import sys; before = {*sys.modules}; import floe_contracts; print(*sorted({*sys.modules} - before))"
    # -S -I: the machinery of an editable install imports modules of its own.
    source = f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r}); {script}"
    ran = subprocess.run([sys.executable, "-S", "-I", "-c", source], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["floe_contracts"]


def test_a_contract_is_loaded() -> None:
    assert load_contract(ORDERS).version == "2.1.0"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("a: 1\n", "orders.yaml:1:1: ", id="no contract"),
        pytest.param(WITHOUT_COUPON.replace('"2.1.0"', "two"), "orders.yaml:3:", id="a contract with an error"),
        pytest.param(None, "orders.yaml: ", id="no file"),
    ],
)
def test_what_cannot_be_loaded_says_why(text: str | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "orders.yaml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(FloeError) as raised:
        load_contract(path)
    assert message in raised.value.message
    assert raised.value.fix


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        pytest.param(ORDERS.read_text("utf-8"), "pass", id="no change"),
        pytest.param(WITHOUT_COUPON, "blocked", id="a break"),
        pytest.param(WITHOUT_COUPON.replace("2.1.0", "3.0.0"), "pass", id="a break with its version"),
        pytest.param("a: 1\n", "blocked", id="no contract"),
        pytest.param(None, "error", id="no file"),
    ],
)
def test_two_files_are_compared_as_by_floe_diff(
    text: str | None, verdict: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = tmp_path / "orders.yaml"
    if text is not None:
        new.write_text(text)
    report = compare(ORDERS, new)
    code = main(["diff", str(ORDERS), str(new), "--format", "json"])
    printed = json.loads(capsys.readouterr().out)
    assert (report.verdict, decide(report)) == (verdict, code)
    assert printed["verdict"] == verdict
    assert [item["message"] for result in printed["results"] for item in result["findings"]] == [
        item.message for item in report.all_findings()
    ]


def test_two_contracts_are_compared_as_their_files(tmp_path: Path) -> None:
    new = tmp_path / "orders.yaml"
    new.write_text(WITHOUT_COUPON)
    by_file, by_value = compare(ORDERS, new), compare(load_contract(ORDERS), load_contract(new))
    assert [item.message for item in by_value.all_findings()] == [item.message for item in by_file.all_findings()]
    assert [result.version for result in by_value.results] == [result.version for result in by_file.results]
    assert by_value.verdict == "blocked"


def test_an_unknown_profile_is_refused() -> None:
    with pytest.raises(FloeError, match="flow"):
        compare(ORDERS, ORDERS, profile="flow")


def test_the_gate_looks_at_the_repository_around_the_folder(tmp_path: Path) -> None:
    shop = Sandbox(tmp_path).init("shop")
    shop.commit({"contracts/orders.yaml": ORDERS.read_text("utf-8")})
    shop.switch("rework", "main")
    shop.write({"contracts/orders.yaml": WITHOUT_COUPON})
    shop.git("add", "--all")
    assert gate(shop.path / "contracts").verdict == "blocked"
    assert gate(shop.path, base="main").verdict == "blocked"
