"""`--against-registry` of compile and gate: registered versions bind, also those that this repository's git forgot."""

from __future__ import annotations

import base64
import shutil
import subprocess
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from support.builds import ROOT
from support.ports import free_port

from floe_contracts import load_catalog
from floe_contracts.cli.main import main
from floe_contracts.identity.document import pack_document, read_document_text
from floe_contracts.identity.index import MOST_CHARACTERS
from floe_contracts.identity.names import contract_marker

FOLDER = "products/customer-360"
PRODUCT = "sales.customer_360"
Run = Callable[..., tuple[int, str]]
COLUMN = "      - name: city\n        type: string\n        description: Where it lives\n"


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    def call(*argv: str) -> tuple[int, str]:
        code = main(list(argv))
        printed = capfd.readouterr()
        return code, printed.out + printed.err

    return call


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose contract is registered as 1.0.0, 1.1.0 (a new column) and 2.0.0 (the email is gone)."""
    place = tmp_path_factory.mktemp("registry") / "p"
    shutil.copytree(ROOT / "examples/platform", place)
    shutil.rmtree(place / "products/revenue")
    with pytest.MonkeyPatch.context() as patch:
        go_to(place, patch)
        git("init", "-q", "-b", "main")
        configure("register")
        first = Path(FOLDER, "floe.yaml").read_text("utf-8")
        for version, text in (("1.0.0", first), ("1.1.0", with_city(first)), ("2.0.0", without_email(first))):
            write(text, version)
            commit()
            assert main(["compile", FOLDER]) == 0
    return place


@pytest.fixture
def released(history: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that repository to change."""
    place = tmp_path / "p"
    shutil.copytree(history, place)
    go_to(place, monkeypatch)
    return place


def go_to(place: Path, patch: pytest.MonkeyPatch) -> None:
    patch.chdir(place)
    for name in ("CI", "GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH", "GITHUB_REPOSITORY", "GITHUB_REF", "GITLAB_CI"):
        patch.delenv(name, raising=False)


def git(*argv: str) -> None:
    subprocess.run(["git", "-c", "user.name=Ann", "-c", "user.email=ann@acme.com", *argv], check=True)


def commit() -> None:
    git("add", "-A")
    git("commit", "-q", "--allow-empty", "-m", "x")


def configure(level: str, *more: str) -> None:
    path = Path("enterprise/manifest.yaml")
    before = path.read_text("utf-8").partition("identity:\n")[0]
    path.write_text(f"{before}identity:\n  enforcement: {level}\n" + "".join(f"  {line}\n" for line in more), "utf-8")


def with_city(text: str) -> str:
    return text.replace("      - name: updated_at\n", f"{COLUMN}      - name: updated_at\n")


def without_email(text: str) -> str:
    before, _, rest = text.partition("      - name: email\n")
    return f"{before}      - name: updated_at\n{rest.partition('      - name: updated_at' + chr(10))[2]}"


def as_it_is(text: str) -> str:
    return text


def with_another_format(text: str) -> str:
    return text.replace("format: email", "format: phone")


def with_other_words(text: str) -> str:
    return text.replace("Where invoices go", "Where invoices are sent")


def write(text: str, version: str) -> None:
    port = "  - name: customers\n"
    Path(FOLDER, "floe.yaml").write_text(text.replace(port, f"{port}    version: {version}\n"), "utf-8")


CASES = [
    pytest.param("1.1.0", with_city, "", id="registered as it is"),
    pytest.param("1.0.0", as_it_is, "", id="an earlier one as it is"),
    pytest.param("1.1.0", with_another_format, "FLOE-E524", id="a number that stands for something else"),
    pytest.param("1.0.0", without_email, "FLOE-E524", id="an earlier number that stands for something else"),
    pytest.param("1.0.5", as_it_is, "FLOE-E523", id="a number below the newest of its MAJOR"),
    pytest.param("1.2.0", without_email, "FLOE-E520", id="a break in a MINOR version"),
    pytest.param("1.1.1", with_city, "", id="nothing but a number"),
    pytest.param("1.1.1", lambda text: with_other_words(with_city(text)), "", id="other words in a PATCH version"),
    pytest.param("2.0.1", as_it_is, "FLOE-E522", id="a new column in a PATCH version"),
    pytest.param("2.1.0", as_it_is, "", id="a new column in a MINOR version"),
    pytest.param("3.0.0", with_another_format, "", id="a MAJOR version that nobody has"),
]


@pytest.mark.parametrize(("version", "change", "code"), CASES)
def test_registered_versions_bind(
    released: Path, run: Run, version: str, change: Callable[[str], str], code: str
) -> None:
    git("checkout", "-q", "-b", "change")
    write(change((ROOT / "examples/platform" / FOLDER / "floe.yaml").read_text("utf-8")), version)
    before = Path(FOLDER, "target/floe/compiled.json").read_bytes()
    compiled, text = run("compile", FOLDER, "--against-registry")
    assert (compiled, code in text) == (int(bool(code)), True), text
    assert not code or Path(FOLDER, "target/floe/compiled.json").read_bytes() == before
    gated, text = run("gate", "--against-registry", "--head", "worktree")
    assert (gated, code in text) == (int(bool(code)), True), text
    assert run("compile", FOLDER)[0] == 0  # nobody asked


@pytest.mark.parametrize("folder", [".", FOLDER])
def test_what_the_registry_says_is_at_the_version(
    released: Path, run: Run, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write((ROOT / "examples/platform" / FOLDER / "floe.yaml").read_text("utf-8"), "1.0.5")
    lines = Path(FOLDER, "floe.yaml").read_text("utf-8").splitlines()
    place = f"floe.yaml:{lines.index('    version: 1.0.5') + 1}:14"
    monkeypatch.chdir(folder)
    _, text = run("compile", "." if folder == FOLDER else FOLDER, "--against-registry")
    assert f"at {place}" in text or f"at {FOLDER}/{place}" in text
    _, text = run("gate", "--against-registry", "--head", "worktree")
    assert f"\n{FOLDER}/{place}: FLOE-E523" in text  # as all paths of the gate


def test_a_version_without_its_contract_is_held_by_its_hash(released: Path, run: Run) -> None:
    with closing(load_catalog({"type": "sql", "uri": "sqlite:///.floe/catalog.db"})) as registry:
        marker = contract_marker(PRODUCT, "customers", "1.1.0")
        registry.namespaces.update(marker, {"floe.contract.document": "no contract"})
    first = (ROOT / "examples/platform" / FOLDER / "floe.yaml").read_text("utf-8")
    for version, change, code, words in (
        ("1.2.0", without_email, 0, "cannot tell which bump"),
        ("1.0.5", as_it_is, 1, "FLOE-E523"),
        ("1.1.1", with_city, 0, "1.1.1"),
    ):
        write(change(first), version)
        found, text = run("compile", FOLDER, "--against-registry")
        assert (found, words in text) == (code, True), text


@pytest.mark.parametrize(
    ("level", "more", "words"),
    [
        pytest.param("off", (), "identity is off", id="off"),
        pytest.param("register", ("catalog:", "  type: rest", "  uri: http://127.0.0.1:{port}"), "E540", id="silent"),
    ],
)
def test_the_gate_cannot_pass_without_the_registry(
    released: Path, run: Run, level: str, more: tuple[str, ...], words: str
) -> None:
    configure(level, *(line.format(port=free_port()) for line in more))
    with Path("enterprise/manifest.yaml").open("a") as file:
        file.write("registration:\n  max_attempts: 1\n")
    code, text = run("gate", "--against-registry", "--head", "worktree")
    assert (code, words in text) == (2, True), text


@pytest.mark.parametrize(
    "text",
    ["", "{}", '{"ä": "ö"}', "".join(f"{number:x}" for number in range(20_000))],
    ids=["none", "small", "not ASCII", "long"],
)
def test_a_contract_comes_back_from_its_properties(text: str) -> None:
    parts = pack_document(text)
    assert all(len(part) <= MOST_CHARACTERS for part in parts.values())
    assert read_document_text({**parts, "floe.contract.id": "x"}) == text


@pytest.mark.parametrize("cut", ["", "!", "QUJD"], ids=["absent", "no base64", "no document"])
def test_properties_that_hold_no_contract(cut: str) -> None:
    assert read_document_text({"floe.contract.document": cut}) == ""


def test_a_small_property_becomes_no_large_contract() -> None:
    assert pack_document(" " * 4_000_001) == {}
    packed = base64.b64encode(zlib.compress(b" " * 4_000_001, 9)).decode()
    keys = ("floe.contract.document", *(f"floe.contract.document.{number}" for number in range(2, 99)))
    parts = [packed[start : start + MOST_CHARACTERS] for start in range(0, len(packed), MOST_CHARACTERS)]
    assert read_document_text(dict(zip(keys, parts, strict=False))) == ""
