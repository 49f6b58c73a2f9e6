"""What somebody else's site may not do to the machine that verifies it."""

import json
import os
import time
from fractions import Fraction
from pathlib import Path

import pytest

from generator.verify.json_files import load, parse, within
from generator.verify.result import UNREADABLE


@pytest.mark.parametrize("token", ["1e401", "1e-401", "1e999999999", "-1.5e999999999", "1e-99999999999999999999"])
def test_a_number_that_would_fill_the_memory_is_refused(token: str) -> None:
    started = time.process_time()
    with pytest.raises(UNREADABLE):
        parse(f"[{token}]")
    assert time.process_time() - started < 1


def test_numbers_of_a_double_are_exact() -> None:
    assert parse("[1.7976931348623157e308, 5e-324, 0.0, -0.1, 0e5]") == [
        Fraction(17976931348623157 * 10**292),
        Fraction(5, 10**324),
        0,
        Fraction(-1, 10),
        0,
    ]


@pytest.mark.parametrize(
    "address", ["../secret.json", "/etc/hostname", "a/../../secret.json", "link.json", "folder", ""]
)
def test_an_address_that_leads_out_of_the_site_is_not_read(address: str, tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "folder").mkdir(parents=True)
    (tmp_path / "secret.json").write_text("{}", encoding="utf-8")
    (site / "link.json").symlink_to(tmp_path / "secret.json")
    with pytest.raises(ValueError, match="leads out of the site"):
        within(site, address)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="leads out of the site"):
        within(tmp_path, "pipe")


def test_a_file_of_the_site_is_read(tmp_path: Path) -> None:
    (tmp_path / "real" / "api").mkdir(parents=True)
    (tmp_path / "real" / "api" / "a.json").write_text(json.dumps({"a": [1]}), encoding="utf-8")
    (tmp_path / "site").symlink_to(tmp_path / "real")
    assert load(within(tmp_path / "site", "api/a.json")) == {"a": [1]}
    with pytest.raises(FileNotFoundError):
        load(within(tmp_path / "site", "api/b.json"))
