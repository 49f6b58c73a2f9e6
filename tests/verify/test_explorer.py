"""What somebody changes in the data of the page of all runs is found."""

from pathlib import Path

import pytest

from generator.verify import verify_site
from generator.verify.explorer import is_filter
from tests.support.small_source import BATCH_ID
from tests.verify.forging import Forged

PART = f"explorer/{BATCH_ID}/1.js"


@pytest.mark.parametrize(
    ("address", "old", "new"),
    [
        (PART, '"state":"CCC', '"state":"CFC'),
        (PART, '"call_relation_pass_rate":"hm', '"call_relation_pass_rate":"hh'),
        ("explorer/index.js", '"runs":23', '"runs":24'),
        (PART, "runcite.runs(", "alert();runcite.runs("),
    ],
    ids=["state", "outcome", "count", "script"],
)
def test_a_change_is_found(small_site: Path, tmp_path: Path, address: str, old: str, new: str) -> None:
    forged = Forged(small_site, tmp_path / "site")
    forged.replace(address, old, new)
    forged.renew()
    assert {it.place for it in verify_site(forged.root).disagreements} == {address}


def test_a_fragment_is_a_filter_of_that_page_alone() -> None:
    assert is_filter("en/runs/index.html", "batch=b&outcome=miss")
    for target, fragment in (("runs/index.html", "batch"), ("runs/index.html", "gone=1"), ("index.html", "batch=b")):
        assert not is_filter(target, fragment)


def test_a_file_that_is_gone_and_one_of_no_batch(small_site: Path, tmp_path: Path) -> None:
    forged = Forged(small_site, tmp_path / "site")
    forged.write("explorer/other/1.js", (forged.root / PART).read_bytes())
    (forged.root / PART).unlink()
    forged.renew()
    assert {it.place for it in verify_site(forged.root).disagreements} == {PART, "explorer/other/1.js"}
