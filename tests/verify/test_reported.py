"""A harness's own headline stands beside the number, and damage to it is found."""

from pathlib import Path
from typing import Any

import pytest

from generator.verify import verify_site
from tests.support.once import small_site_once
from tests.support.small_source import BATCH_ID
from tests.validate.rule_cases import put
from tests.verify.forging import BATCH, Forged, api_disagreements, places
from tests.verify.test_times import RESULT

METRIC = "call_relation_pass_rate"


def own(value: str, **changes: Any) -> dict[str, Any]:
    given = {"metric": METRIC, "variant": "full", "name": "exact/accuracy", "file": "log.eval"}
    return given | {"value": value} | changes


@pytest.fixture(scope="module")
def headline_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    headlines = [
        own("0.123", stated="12.3", denominator=4, reasons=["reduced_first", "partial_credit"]),
        own("0.456", numerator=41, denominator=90, reasons=["one_of_several_files"]),
    ]
    edit = put(lambda source: source.batch.head, "published_aggregates", headlines)
    return small_site_once(tmp_path_factory, "headlines", edit)


@pytest.fixture
def forged(headline_site: Path, tmp_path: Path) -> Forged:
    return Forged(headline_site, tmp_path / "site")


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en/", ("12.3", "it puts the repeats of a case together first", "it counts parts of a score", "log.eval")),
        ("", ("12.3", "框架先把同一用例的重复合并", "框架的数字只属于其中一个文件")),
    ],
)
def test_headline_and_number_stand_together(headline_site: Path, language: str, texts: tuple[str, ...]) -> None:
    assert verify_site(headline_site).agrees
    page = (headline_site / language / RESULT).read_text(encoding="utf-8")
    section = page[page.index('id="reported"') : page.index('id="charts"')]
    for part in (*texts, f'data-num="{BATCH_ID}/full/{METRIC}"'):
        assert part in section


@pytest.mark.parametrize(
    "change", [{"reasons": []}, {"metric": "no_such_metric"}, {"variant": "nobody"}, {"slice": "category-none"}]
)
def test_a_headline_that_belongs_to_nothing_or_is_not_explained(forged: Forged, change: dict[str, Any]) -> None:
    head = forged.json(BATCH)
    head["published_aggregates"][0] |= change
    forged.write_json(BATCH, head)
    forged.renew()
    assert "published_aggregates[0]" in {found.what for found in api_disagreements(forged.root)}


def test_a_headline_that_the_page_states_otherwise(forged: Forged) -> None:
    forged.replace(f"en/{RESULT}", ">12.3<", ">98.7<")
    assert f"en/{RESULT}" in places(forged)
