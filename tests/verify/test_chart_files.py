"""What somebody changes in a chart to take along is found."""

from pathlib import Path

import pytest

from generator.verify import verify_site
from tests.support.small_source import BATCH_ID
from tests.verify.forging import Forged

BASE = f"charts/{BATCH_ID}/en/proportions"


@pytest.mark.parametrize(
    ("suffix", "old", "new"),
    [
        ("svg", 'fill="#2454c4"', 'fill="#b35c00"'),
        ("svg", "Tool selection", "Tool rejection"),
        ("csv", ",11,", ",12,"),
        ("csv", "Tool selection", "Tool rejection"),
        ("csv", f",{BATCH_ID}/full/", f",{BATCH_ID}/budgeted/"),
        ("vl.json", '"Tool selection', '"Tool rejection'),
        ("vl.json", '"title": {', '"datasets": {"url": "//example.org/"}, "title": {'),
    ],
    ids=["colour", "label", "count", "row", "number", "label of Vega", "address"],
)
def test_a_change_is_found(small_site: Path, tmp_path: Path, suffix: str, old: str, new: str) -> None:
    forged = Forged(small_site, tmp_path / "site")
    forged.replace(f"{BASE}.{suffix}", old, new)
    forged.renew()
    assert {it.place for it in verify_site(forged.root).disagreements} == {f"{BASE}.{suffix}"}


def test_a_file_of_no_figure_and_one_that_is_gone(small_site: Path, tmp_path: Path) -> None:
    forged = Forged(small_site, tmp_path / "site")
    forged.write(f"charts/{BATCH_ID}/en/other.csv", b"row")
    (forged.root / f"{BASE}.csv").unlink()
    forged.renew()
    found = {(it.place, it.what) for it in verify_site(forged.root).disagreements}
    assert (f"charts/{BATCH_ID}/en/other", "a file of a chart") in found
    assert (f"en/experiments/context-strategy-comparison/{BATCH_ID}.html", "files of a chart") in found
