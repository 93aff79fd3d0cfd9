"""The base install is what every pre-commit and action environment pays for: it stays small and free of engines."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.builds import Built, run

pytestmark = pytest.mark.slow

MOST_MEGABYTES = 72  # 42 for lint, gate, checks and the platform half (docs/adr/0047), 30 to read SQL (docs/adr/0065)


@pytest.fixture(scope="module")
def environment(uv: tuple[str, ...], built: Built, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """A fresh environment with floe in it, and the bytes that it took, with byte code as pip leaves it."""
    place = tmp_path_factory.mktemp("base") / "venv"
    run(*uv, "venv", "-q", str(place))
    before = size_of(place)
    options = ("-q", "--compile-bytecode", "--link-mode", "copy", "--constraint", "constraints.txt")
    run(*uv, "pip", "install", "--python", str(place), *options, str(built.wheel))
    return place, size_of(place) - before


def size_of(folder: Path) -> int:
    """Bytes of the files themselves: how many blocks they take depends on the disk."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def test_base_install_is_small(environment: tuple[Path, int]) -> None:
    assert environment[1] / 1_000_000 <= MOST_MEGABYTES


@pytest.mark.parametrize("engine", ["datacontract", "pyspark", "openlineage", "prometheus_client"])
def test_base_install_leaves_out(environment: tuple[Path, int], engine: str) -> None:
    seen = run(
        str(environment[0] / "bin/python"), "-c", f"from importlib.util import find_spec; print(find_spec('{engine}'))"
    )
    assert seen.strip() == "None"


def test_base_install_runs(environment: tuple[Path, int]) -> None:
    assert run(str(environment[0] / "bin/floe"), "--version").startswith("floe ")
