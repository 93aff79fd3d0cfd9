"""`floe platform lock`: what is added, what only --update changes, and what is never locked."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest
from support.platform_example import copy_platform

from floe_contracts.cli.main import main

PRODUCT = "products/customer-360/floe.yaml"
LOCK = "products/customer-360/floe.lock"
REFERENCE = "ref/sales/v2.0.0"


@pytest.fixture
def platform(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example of three tiers, its domain referred to by name."""
    folder = tmp_path / "platform"
    copy_platform(folder)
    domain = folder / "refs/sales/v2.0.0/manifest.yaml"
    domain.parent.mkdir(parents=True)
    shutil.move(str(folder / "domains/sales/manifest.yaml"), domain)
    edit(domain, "../../enterprise/manifest.yaml", "../../../enterprise/manifest.yaml")
    edit(folder / PRODUCT, "../../domains/sales/manifest.yaml", REFERENCE)
    monkeypatch.chdir(folder)
    monkeypatch.delenv("CI", raising=False)
    return folder


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def lock(capsys: pytest.CaptureFixture[str], *more: str, path: str = PRODUCT) -> tuple[int, str]:
    code = main(["platform", "lock", path, "--refs", "refs", *more])
    captured = capsys.readouterr()
    return code, captured.out + captured.err


def digest(platform: Path) -> str:
    return f"sha256:{hashlib.sha256((platform / 'refs/sales/v2.0.0/manifest.yaml').read_bytes()).hexdigest()}"


def test_a_reference_is_added_and_then_stays(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = lock(capsys)
    assert (code, f"{REFERENCE} {digest(platform)} (added)" in text) == (0, True), text
    written = (platform / LOCK).read_text()
    assert written == f"version: 1\nreferences:\n  {REFERENCE}:\n    digest: {digest(platform)}\n"
    code, text = lock(capsys)
    assert (code, "(unchanged)" in text, "Written" in text) == (0, True, False)


def test_other_bytes_need_update(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lock(capsys)
    before = digest(platform)
    edit(platform / "refs/sales/v2.0.0/manifest.yaml", "threshold: 90", "threshold: 91")
    code, text = lock(capsys)
    assert (code, "floe platform lock --update" in text, before in (platform / LOCK).read_text()) == (2, True, True)
    assert main(["compile", "products/customer-360", "--refs", "refs"]) == 2
    code, text = lock(capsys, "--update")
    assert (code, f"{digest(platform)} (was {before})" in text) == (0, True), text
    assert main(["compile", "products/customer-360", "--refs", "refs"]) == 0


def test_what_else_the_file_says_is_kept(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = f"version: 1\nreferences:\n  ref/gone/v1.0.0: {{digest: sha256:{'0' * 64}}}\nrefs: [../../refs]\n"
    (platform / LOCK).write_text(old + "verify: {required: false}\n")
    assert main(["platform", "lock", PRODUCT]) == 0
    text = (platform / LOCK).read_text()
    assert all(words in text for words in ("ref/gone/v1.0.0", REFERENCE, "../../refs", "required: false")), text
    capsys.readouterr()
    assert main(["platform", "lock", PRODUCT, "--update"]) == 0
    assert "ref/gone/v1.0.0" in capsys.readouterr().out
    text = (platform / LOCK).read_text()
    assert ("ref/gone" in text, REFERENCE in text, "../../refs" in text) == (False, True, True), text


def test_nothing_is_trusted_for_the_first_time_in_ci(
    platform: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    code, text = lock(capsys)
    assert (code, "trusts nothing for the first time" in text, (platform / LOCK).exists()) == (2, True, False)
    assert lock(capsys, "--update")[0] == 0
    assert lock(capsys)[0] == 0


REFUSED = [
    pytest.param("refs/sales/v2.0.0/manifest.yaml", "scope: domain", "scope: domian", id="a manifest with a mistake"),
    pytest.param("refs/sales/v2.0.0/manifest.yaml", "version: 2.0.0", "version: 2.0.1", id="another version inside"),
    pytest.param(PRODUCT, REFERENCE, "ref/sales/v3.0.0", id="a name that is not there"),
]


@pytest.mark.parametrize(("path", "old", "new"), REFUSED)
def test_what_cannot_be_used_is_not_locked(
    path: str, old: str, new: str, platform: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(platform / path, old, new)
    for more in ((), ("--update",)):
        code, text = lock(capsys, *more)
        assert (code, (platform / LOCK).exists()) == (2, False), text


def test_paths_are_not_locked(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = lock(capsys, path="refs/sales/v2.0.0/manifest.yaml")
    assert (code, "nothing to lock" in text) == (0, True)
    assert not (platform / "refs/sales/v2.0.0/floe.lock").exists()


BASE = "apiVersion: v3.0.2\nkind: DataContract\nname: base\nversion: 1.0.0\nowner: x@acme.com\n"
BROUGHT = [
    pytest.param("base.yaml", id="a base contract"),
    pytest.param("above/top.yaml", id="the parent of a base contract"),
    pytest.param("manifest.yaml", id="the manifest itself"),
]


@pytest.mark.parametrize("changed", BROUGHT)
def test_the_digest_covers_what_the_reference_brings(
    changed: str, platform: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = platform / "refs/sales/v2.0.0"
    edit(folder / "manifest.yaml", "data_contracts:\n", "data_contracts:\n  base: [base.yaml]\n")
    (folder / "base.yaml").write_text(BASE + "parent: above/top.yaml\n")
    (folder / "above").mkdir()
    (folder / "above/top.yaml").write_text(BASE.replace("name: base", "name: top"))
    listed = "".join(
        f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n"
        for name in ("above/top.yaml", "base.yaml", "manifest.yaml")
    )
    assert lock(capsys)[0] == 0
    assert hashlib.sha256(listed.encode()).hexdigest() in (platform / LOCK).read_text()
    assert main(["compile", "products/customer-360", "--refs", "refs"]) == 0
    (folder / changed).write_text((folder / changed).read_text() + "# other bytes\n")
    capsys.readouterr()
    assert main(["compile", "products/customer-360", "--refs", "refs"]) == 2
    assert "floe.lock says sha256:" in capsys.readouterr().out
    assert lock(capsys)[0] == 2
    assert lock(capsys, "--update")[0] == 0
    assert main(["compile", "products/customer-360", "--refs", "refs"]) == 0


def test_a_base_that_is_not_there_is_not_locked(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(platform / "refs/sales/v2.0.0/manifest.yaml", "data_contracts:\n", "data_contracts:\n  base: [base.yaml]\n")
    code, text = lock(capsys)
    assert (code, "brings the base contract base.yaml" in text, (platform / LOCK).exists()) == (2, True, False), text
