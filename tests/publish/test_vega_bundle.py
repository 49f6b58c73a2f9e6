"""The script that draws charts live is that of the installed package, made once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.publish import vega_bundle
from generator.publish.vega_bundle import ADDRESS, LICENCES, head, is_packaged, script, vega_files


@pytest.fixture
def _nothing_made() -> Iterator[None]:
    script.cache_clear()
    yield
    script.cache_clear()


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, _nothing_made: None) -> list[bytes]:
    """What was bundled, in an installation of its own."""
    bundles: list[bytes] = []

    def bundled() -> bytes:
        bundles.append(head().encode() + b"the script")
        return bundles[-1]

    monkeypatch.setattr(vega_bundle, "_bundled", bundled)
    monkeypatch.setattr(vega_bundle, "resource", lambda name: tmp_path / name)
    (tmp_path / "site_src/assets").mkdir(parents=True)
    return bundles


def test_it_is_of_the_installed_versions_and_comes_with_its_licences() -> None:
    files = dict(vega_files())
    assert set(files) == {ADDRESS, LICENCES}
    assert files[ADDRESS].startswith(head().encode())
    assert b"runcite.live" in files[ADDRESS]
    assert b"Redistribution" in files[LICENCES]
    assert is_packaged(ADDRESS, files[ADDRESS])
    assert not is_packaged(ADDRESS, files[ADDRESS] + b"x")


def test_it_is_made_once_and_kept(made: list[bytes], tmp_path: Path) -> None:
    first = script()
    script.cache_clear()
    assert script() == first == (tmp_path / "site_src" / ADDRESS).read_bytes()
    assert len(made) == 1


def test_another_version_is_made_again(made: list[bytes], tmp_path: Path) -> None:
    kept = tmp_path / "site_src" / ADDRESS
    kept.parent.mkdir()
    kept.write_bytes(b"/* Vega 1 */\n")
    assert script() == kept.read_bytes() == made[0]


def test_where_nothing_can_be_kept_it_is_made_for_the_process(made: list[bytes], tmp_path: Path) -> None:
    (tmp_path / "site_src/assets/vega").write_text("a file, not a folder", encoding="utf-8")
    assert script() == script() == made[0]
    assert len(made) == 1
