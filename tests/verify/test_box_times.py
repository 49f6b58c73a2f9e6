"""A box with a time among its factors pools strata, and says so; marks of times are those of that factor alone."""

from pathlib import Path

import pytest

from generator.verify import verify_site
from tests.support.clock_source import with_clocks
from tests.support.once import small_site_once
from tests.support.profiles import factor, profile, with_profile
from tests.support.small_source import BATCH_ID, SmallSource
from tests.verify.forging import NUMBERS, Forged, api_disagreements, number_page
from tests.verify.test_times import RESULT


def _edit(source: SmallSource) -> None:
    with_clocks(source)
    with_profile(source, profile(factor("time", "duration_ms"), factor("tokens", "total_tokens")))


@pytest.fixture(scope="module")
def timed_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_site_once(tmp_path_factory, "box and times", _edit)


def test_the_site_agrees(timed_site: Path) -> None:
    assert verify_site(timed_site).agrees


@pytest.mark.parametrize(
    ("name", "is_warned"),
    [
        ("full/box_rmsl", True),
        ("full/box_badness--factor-time", True),
        ("full/box_badness--factor-tokens", False),
        ("budgeted/box_rmsl", False),
    ],
)
def test_a_number_over_strata_that_differ_stands_with_them(timed_site: Path, name: str, is_warned: bool) -> None:
    page = (timed_site / number_page(name)).read_text(encoding="utf-8")
    assert ('id="strata"' in page) is is_warned


@pytest.mark.parametrize("name", ["box_rmsl", "box_margin"])
def test_a_comparison_says_that_its_sides_pool(timed_site: Path, name: str) -> None:
    page = (timed_site / number_page(f"budgeted-vs-full/{name}")).read_text(encoding="utf-8")
    assert "A pooled value is an overview" in page


def test_the_section_of_the_box_says_it(timed_site: Path) -> None:
    page = (timed_site / f"en/{RESULT}").read_text(encoding="utf-8")
    section = page[page.index('id="box"') : page.index('id="times"')]
    assert "A pooled value is an overview" in section


@pytest.mark.parametrize(("factor_name", "marks"), [("time", []), ("tokens", ["censored"])])
def test_a_mark_of_another_factor(timed_site: Path, tmp_path: Path, factor_name: str, marks: list[str]) -> None:
    forged = Forged(timed_site, tmp_path / "site")
    numbers, name = forged.json(NUMBERS), f"{BATCH_ID}/full/box_badness--factor-{factor_name}"
    next(number for number in numbers if number["id"] == name)["marks"] = marks
    forged.write_json(NUMBERS, numbers)
    forged.renew()
    assert name in {wrong.place for wrong in api_disagreements(forged.root)}
