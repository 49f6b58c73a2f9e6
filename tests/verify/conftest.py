"""One small site, for all tests that damage it."""

from pathlib import Path

import pytest

from generator.pipeline import build_site
from generator.verify import verify_site
from tests.support.small_source import write_small_source


@pytest.fixture(scope="session")
def small_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two variants, sixteen metrics, differences, quantiles, pass^k, runs that are excluded, both languages."""
    folder = tmp_path_factory.mktemp("verified")
    write_small_source(folder / "source")
    build_site(folder / "source", folder / "site", jobs=1, export=None, progress=lambda step: None)
    assert verify_site(folder / "site").agrees
    return folder / "site"
