"""`floe platform diff`: which keys become stricter or weaker, for whom, and why a side cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from floe_contracts.app.platform_diff import compare_platforms
from floe_contracts.cli.main import main
from floe_contracts.errors import FloeError

HEAD = "apiVersion: floe.dev/v1\nkind: Manifest\nmetadata: {{name: acme, version: {version}}}\nscope: enterprise\n"
PRODUCT = "apiVersion: floe.dev/v1\nkind: DataProduct\nmetadata: {name: orders, version: 1.0.0, owner: a@acme.com}\n"


@pytest.fixture
def refs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "1.0.0", "governance: {quality_gates: {threshold: 80}}\n")
    return tmp_path


def write(folder: Path, version: str, text: str) -> None:
    path = folder / f"refs/acme/v{version}/manifest.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(HEAD.format(version=version) + text)


def lines(new: str) -> list[str]:
    return compare_platforms("ref/acme/v1.0.0", new, ("refs",)).lines()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{threshold: 85}", ["1 stricter, 0 weaker", "stricter: governance.quality_gates.threshold 80 -> 85"]),
        ("{threshold: 70}", ["0 stricter, 1 weaker", "weaker: governance.quality_gates.threshold 80 -> 70"]),
        ("{threshold: 80}", ["0 stricter, 0 weaker"]),
    ],
)
def test_what_becomes_stricter_or_weaker(refs: Path, text: str, expected: list[str]) -> None:
    write(refs, "2.0.0", f"governance: {{quality_gates: {text}}}\n")
    head, *changes = expected
    told = lines("ref/acme/v2.0.0")
    assert told == [f"ref/acme/v1.0.0 -> ref/acme/v2.0.0: {head}", *changes, "affects no product of this folder"]


def test_products_below_any_version_are_named(refs: Path) -> None:
    (refs / "orders").mkdir()
    (refs / "orders/floe.yaml").write_text(f"{PRODUCT}platform: ref/acme/v0.9.0\n")
    (refs / "floe.yaml").write_text(PRODUCT.replace("orders", "alone"))
    assert lines("ref/acme/v1.0.0")[-1] == "affects orders (orders/floe.yaml)"


@pytest.mark.parametrize(
    ("new", "code", "words"),
    [
        ("ref/acme/v7.0.0", "FLOE-E592", "ref/acme/v7.0.0 cannot be found (refs/acme/v7.0.0/manifest.yaml)"),
        ("nowhere/manifest.yaml", "FLOE-E592", "nowhere/manifest.yaml cannot be resolved: there is no such file"),
        ("oci://127.0.0.1:1/acme:v7.0.0", "FLOE-E570", "nothing listens at its address"),
    ],
)
def test_a_side_that_cannot_be_read_says_why(refs: Path, new: str, code: str, words: str) -> None:
    with pytest.raises(FloeError) as caught:
        lines(new)
    assert (caught.value.code.id, words in caught.value.message) == (code, True), caught.value.message


def test_a_side_that_is_no_manifest_says_where(refs: Path) -> None:
    write(refs, "2.0.0", "governance: {quality_gates: {threshold: many}}\n")
    with pytest.raises(FloeError, match=r"refs/acme/v2\.0\.0/manifest\.yaml:5:"):
        lines("ref/acme/v2.0.0")


def test_the_command_takes_any_path_of_a_manifest(refs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(refs, "2.0.0", "governance: {quality_gates: {threshold: 85}}\n")
    paths = [str(refs / f"refs/acme/v{version}/manifest.yaml") for version in ("1.0.0", "2.0.0")]
    assert main(["platform", "diff", *paths]) == 0
    assert "refs/acme/v1.0.0/manifest.yaml -> refs/acme/v2.0.0/manifest.yaml: 1 stricter" in capsys.readouterr().out


def test_a_manifest_that_is_wrong_is_said_with_its_line(refs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(refs, "2.0.0", "governence: {}\n")
    for command in ("diff", "lock", "verify"):
        given = ["refs/acme/v1.0.0/manifest.yaml"] if command == "diff" else []
        assert main(["platform", command, *given, "refs/acme/v2.0.0/manifest.yaml"]) == 2, command
        assert "FLOE-E501 refs/acme/v2.0.0/manifest.yaml:5:1:" in capsys.readouterr().err
