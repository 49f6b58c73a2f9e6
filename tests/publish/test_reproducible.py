"""Two builds that differ in everything that is not the source write the same bytes."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.support.small_source import write_small_source
from tests.support.whole_sites import Snapshot, build_command, environment, snapshot


def _build(folder: Path, jobs: int, umask: int, **surroundings: str) -> Path:
    """Source and site in a folder of their own; whatever the build would keep at home goes there too."""
    source, site, home = folder / "source", folder / "out" / "site", folder / "home"
    home.mkdir(parents=True)
    write_small_source(source)
    changes = {"HOME": str(home), "XDG_CACHE_HOME": str(home), "TMPDIR": str(home), **surroundings}
    subprocess.run(
        build_command(source, site, jobs),
        cwd=folder,
        env=environment(changes),
        umask=umask,
        check=True,
        capture_output=True,
    )
    assert [path.name for path in home.iterdir() if not path.name.startswith("pymp-")] == []
    return site


def _locale() -> str:
    """A locale with other rules than C, where the machine has one."""
    listed = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.split()
    return next((name for name in ("de_DE.utf8", "tr_TR.utf8", "zh_CN.utf8") if name in listed), "C.UTF-8")


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("builds")
    first = _build(
        folder / "first", 1, 0o022, TZ="UTC", LC_ALL="C", LANG="C", PYTHONHASHSEED="1", USER="first", COLUMNS="80"
    )
    second = _build(
        folder / "another folder (二)",
        2,
        0o077,
        TZ="Asia/Kathmandu",
        LC_ALL=_locale(),
        LANG="tr_TR.UTF-8",
        PYTHONHASHSEED="4242",
        USER="second",
        COLUMNS="200",
        SOURCE_DATE_EPOCH="1",
    )
    return first, second


def test_every_byte_is_the_same(sites: tuple[Path, Path]) -> None:
    first, second = (snapshot(site) for site in sites)
    assert _differing(first, second) == []
    assert len(first) > 100


def _differing(first: Snapshot, second: Snapshot) -> list[str]:
    return sorted(path for path in first | second if first.get(path) != second.get(path))


def test_no_file_names_the_machine(sites: tuple[Path, Path]) -> None:
    """Neither the folder of a build nor its home stands in what it wrote."""
    for site in sites:
        marks = [os.fsencode(site.parent.parent), os.fsencode(site.parent.parent.parent)]
        named = [
            path.name for path in site.rglob("*") if path.is_file() and any(mark in path.read_bytes() for mark in marks)
        ]
        assert named == []


def test_a_site_can_be_read_by_others_as_far_as_the_umask_allows(sites: tuple[Path, Path]) -> None:
    """The folder that becomes the site is made private for as long as the build lasts, the site is not."""
    for site, others in zip(sites, (0o055, 0), strict=True):
        assert site.stat().st_mode & 0o077 == others
        assert (site / "index.html").stat().st_mode & 0o077 == others & 0o044
