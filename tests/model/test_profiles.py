"""The stamp of a profile, and the page of the box that documents it."""

import re
from pathlib import Path

import msgspec
import pytest

from generator.model.profiles import Profile
from generator.stats.box import AT_LIMIT, box_loss
from tests.support.profiles import factor, profile
from tests.support.small_definitions import text

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "box.md"


def made(**changes: object) -> Profile:
    return msgspec.convert(profile() | changes, Profile)


def test_the_stamp_holds_all_that_decides_a_score_and_nothing_else() -> None:
    stamp = made().stamp
    assert re.fullmatch(r"shop-box@1:[0-9a-f]{16}", stamp)
    assert made(title=text("别的", "Other")).stamp == stamp
    assert made(version=2).stamp.replace("@2", "@1") == stamp
    assert made(method="sum").stamp != stamp
    for name, value in (("tau", 999), ("k", 3), ("lambda", 2), ("column", "turns")):
        changed = profile(factor("tokens", "total_tokens") | {name: value}, profile()["factors"][1])
        assert msgspec.convert(changed, Profile).stamp != stamp


@pytest.mark.parametrize("k", [2, 10])
def test_the_worked_table_of_the_document(k: int) -> None:
    lines = DOCUMENT.read_text(encoding="utf-8").splitlines()
    head = next(line for line in lines if line.startswith("| x |"))
    row = next(line for line in lines if line.startswith(f"| k = {k} |"))
    for x, shown in zip(head.split("|")[2:-1], row.split("|")[2:-1], strict=True):
        assert float(shown) == pytest.approx(round(box_loss(float(x), k) / AT_LIMIT, 2), abs=1e-9)
