"""The script that draws charts live is the one of the installed package."""

import os

import pytest

from generator.publish.vega_bundle import ADDRESS, bundle, head, is_packaged, packaged, vega_files


def test_it_is_of_the_installed_versions() -> None:
    assert packaged().read_text(encoding="utf-8").startswith(head())


@pytest.mark.skipif(os.environ.get("RUNCITE_SOAK") != "1", reason="takes seconds")
def test_it_is_what_the_package_makes() -> None:
    assert packaged().read_text(encoding="utf-8") == bundle()


def test_it_comes_with_its_licences() -> None:
    files = dict(vega_files())
    assert set(files) == {ADDRESS, "assets/vega/LICENSE.txt"}
    assert is_packaged(ADDRESS, files[ADDRESS])
    assert not is_packaged(ADDRESS, files[ADDRESS] + b"x")
