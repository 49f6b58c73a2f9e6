"""Cases × variants: sorted, filtered by category, every cell a link; without scripts in the order of the report."""

from playwright.sync_api import Page

from tests.site.visiting import Visitor

RESULT = "result, two variants"
_ROWS = """() => [...document.querySelectorAll(".rc-matrix tbody")].filter((it) => it.checkVisibility())
  .map((body) => [...body.rows].map((row) => row.cells[0].innerText.trim()))"""
_COLUMN = """() => [...document.querySelectorAll(".rc-matrix tbody")].map((body) =>
  [...body.querySelectorAll("tr:not(.rc-group)")].map((row) => row.cells[1].dataset.sort)
    .filter(Boolean).map(Number))"""


def _groups(page: Page) -> list[list[str]]:
    rows: list[list[str]] = page.evaluate(_ROWS)
    return rows


def test_a_category_alone(visit: Visitor) -> None:
    page, problems = visit.open(RESULT, "en")
    every = _groups(page)
    assert len(every) > 1
    chooser = page.locator(".rc-by-group select")
    chooser.select_option(index=2)
    assert _groups(page) == [every[1]]
    chooser.select_option(index=0)
    assert _groups(page) == every
    assert problems.all == []


def test_rows_are_sorted_within_their_category(visit: Visitor) -> None:
    page, _ = visit.open(RESULT, "en")
    before = _groups(page)
    button = page.locator(".rc-matrix thead .rc-sort").nth(1)
    for turn in range(2):
        button.click()
        for column in page.evaluate(_COLUMN):
            assert column == sorted(column, reverse=bool(turn))
    assert [sorted(group) for group in _groups(page)] == [sorted(group) for group in before]


def test_without_scripts_the_table_is_whole_and_every_cell_leads_to_its_number(visit: Visitor) -> None:
    page, _ = visit.open(RESULT, "en", java_script_enabled=False)
    assert not page.locator(".rc-by-group").is_visible()
    cells = page.locator(".rc-matrix tbody tr:not(.rc-group) td")
    told = [text for text in cells.all_inner_texts() if text.strip() != "—"]
    links = page.locator(".rc-matrix tbody tr:not(.rc-group) td a.num").count()
    assert links == len(told) > 0
