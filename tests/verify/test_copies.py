"""Verification finds every copy that is not what it copies."""

from pathlib import Path
from typing import Any

import pytest

from generator.publish.copies import copy_script
from generator.verify.copies import check_copies
from generator.verify.result import VerifyResult

FILES = {
    "api/v1/metrics.json": b'{"version": 1}\n',
    "api/v1/batches/b.json": b'{"id": "b"}\n',
    "api/v1/numbers/b.json": b'[{"id": "b/v/m"}]\n',
    "api/v1/runsets/b/0.json": b'{"rs-0": ["r-1", "r-2"]}\n',
    "runs/b/r-1.json": b'{"run_id":"r-1","answer":"one"}\n',
    "runs/b/r-2.json": b'{"run_id":"r-2","answer":"two"}\n',
}
COPIES = {
    "copies/metrics.js": ["api/v1/metrics.json"],
    "copies/b/head.js": ["api/v1/batches/b.json", "api/v1/numbers/b.json", "api/v1/runsets/b/0.json"],
    "copies/b/1.js": ["runs/b/r-1.json"],
    "copies/b/2.js": ["runs/b/r-2.json"],
}
HEAD: dict[str, Any] = {"id": "b", "runs": [{"evidence": "runs/b/r-1.json"}, {"evidence": "runs/b/r-2.json"}]}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    scripts = {address: copy_script({path: FILES[path] for path in paths}) for address, paths in COPIES.items()}
    for address, data in {**FILES, **scripts}.items():
        (tmp_path / address).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / address).write_bytes(data)
    return tmp_path


def places(site: Path) -> list[str]:
    result = VerifyResult()
    check_copies(site, [HEAD], result)
    return [disagreement.place for disagreement in result.disagreements]


def test_exact_copies_agree(site: Path) -> None:
    result = VerifyResult()
    check_copies(site, [HEAD], result)
    assert result.disagreements == []
    assert result.checked["copies"] == 2 * len(FILES)


@pytest.mark.parametrize(
    ("address", "old", "new"),
    [
        ("copies/b/1.js", "one", "two"),
        ("copies/b/head.js", "r-2", "r-3"),
        ("copies/metrics.js", '"sha256":"', '"sha256":"0'),
        ("copies/b/2.js", '"pieces":"0 ', '"pieces":"1 '),
        ("copies/b/2.js", '"pieces":"0 ', '"pieces":"00 '),
        ("copies/b/2.js", '"pieces":[', '"pieces":["a secret",'),
        ("copies/b/2.js", '{"pieces":[', '{"note":"a secret","pieces":['),
        ("copies/b/2.js", '{"sha256":', '{"note":"a secret","sha256":'),
        ("copies/b/2.js", ");\n", "); alert(1);\n"),
        ("copies/b/2.js", ");\n", "); // a secret\n"),
        ("copies/b/2.js", "runcite.copy(", "runcite.copy( "),
    ],
)
def test_any_change_of_a_copy_is_found(site: Path, address: str, old: str, new: str) -> None:
    text = (site / address).read_text(encoding="utf-8")
    assert old in text
    (site / address).write_text(text.replace(old, new, 1), encoding="utf-8")
    assert address in {place.split(" ")[0] for place in places(site)}


def test_a_change_of_what_is_copied_is_found(site: Path) -> None:
    (site / "runs/b/r-1.json").write_bytes(FILES["runs/b/r-1.json"].replace(b"one", b"two"))
    assert places(site) == ["copies/b/1.js runs/b/r-1.json"] * 2


def test_a_copy_that_lacks_is_found(site: Path) -> None:
    (site / "copies/b/2.js").unlink()
    assert places(site) == ["runs/b/r-2.json"]


def test_a_part_that_no_page_asks_for_is_found(site: Path) -> None:
    (site / "copies/b/1.js").rename(site / "copies/b/3.js")
    assert "runs/b/r-1.json" not in places(site)
    assert places(site) == ["copies/b/2.js", "copies/b/3.js"]


def test_a_copy_of_something_else_is_found(site: Path) -> None:
    (site / "copies/b/3.js").write_bytes(copy_script({"api/v1/metrics.json": FILES["api/v1/metrics.json"]}))
    (site / "copies/more.txt").write_text("a secret", encoding="utf-8")
    assert places(site) == ["copies/b/3.js", "copies/more.txt"]
    (site / "copies/b/3.js").write_bytes(copy_script({"runs/b/r-1.json": FILES["runs/b/r-1.json"]}))
    assert "copies/b/3.js" in places(site)
