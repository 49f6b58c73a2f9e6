"""What is installed from a wheel works far from the checkout: templates, pages and definitions are inside of it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from generator.verify import verify_site
from tests.support.whole_sites import ROOT

MADE_OF = (
    "generator",
    "runcite",
    "templates",
    "site_src",
    "data",
    "mkdocs.yml",
    "pyproject.toml",
    "setup.py",
    "README.md",
)
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the packages of the wheel; its dependencies are those of this environment."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in MADE_OF:
        if (ROOT / name).is_dir():
            unwanted = shutil.ignore_patterns("__pycache__", "batches", "published")
            shutil.copytree(ROOT / name, folder / "checkout" / name, ignore=unwanted)
        else:
            shutil.copy(ROOT / name, folder / "checkout" / name)
    _run([*PIP, "wheel", "--no-deps", "--no-index", "--no-build-isolation", "-w", ".", "./checkout"], folder)
    (wheel,) = folder.glob("runcite-*.whl")
    shutil.rmtree(folder / "checkout")
    _run([*PIP, "install", "--no-deps", "--no-index", "--target", "packages", wheel.name], folder)
    return folder / "packages"


def _run(command: list[str], folder: Path, **variables: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | variables
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _runcite(installed: Path, folder: Path, *arguments: str) -> str:
    script = "import sys, generator; from generator.cli import main; sys.argv[0] = 'runcite'; main()"
    return _run([sys.executable, "-P", "-c", script, *arguments], folder, PYTHONPATH=str(installed))


def test_every_template_page_and_asset_is_inside(installed: Path) -> None:
    bundle = installed / "generator" / "bundle"
    for name in ("templates", "site_src"):
        inside = {path.relative_to(bundle) for path in (bundle / name).rglob("*") if path.is_file()}
        beside = {path.relative_to(ROOT) for path in (ROOT / name).rglob("*") if path.is_file()}
        assert inside == beside
    for name in ("mkdocs.yml", "data/metrics.yaml", "data/projection.yaml", "data/redaction.yaml"):
        assert (bundle / name).read_bytes() == (ROOT / name).read_bytes()


def test_what_others_import_is_inside(installed: Path, tmp_path: Path) -> None:
    script = (
        "import importlib.metadata, runcite; "
        "(plugin,) = importlib.metadata.entry_points(group='pytest11', name='runcite'); "
        "print(runcite.__file__, plugin.load().__file__)"
    )
    said = _run([sys.executable, "-P", "-c", script], tmp_path, PYTHONPATH=str(installed))
    assert [Path(file).is_relative_to(installed) for file in said.split()] == [True, True]


def test_a_new_source_is_made_and_built(installed: Path, tmp_path: Path) -> None:
    where = _run(
        [sys.executable, "-P", "-c", "import generator; print(generator.__file__)"], tmp_path, PYTHONPATH=str(installed)
    )
    assert Path(where.strip()).is_relative_to(installed)
    _runcite(installed, tmp_path, "init", "report")
    said = _runcite(installed, tmp_path, "build", "--source", "report", "--jobs", "1")
    assert said.startswith("site: 0 batches, 0 runs, 0 numbers, ")
    assert verify_site(tmp_path / "site").agrees
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report", "site"]
