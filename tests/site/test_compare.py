"""Two runs side by side: from evidence pages and the list of runs, under `file://`, and without scripts."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.site.visiting import Origin, Served, Visitor

SIGNS = {
    "rc-compare-same": "=",
    "rc-compare-arguments_differ": "≠",
    "rc-compare-only_first": "−",
    "rc-compare-only_second": "+",
}


def _ready(page: Page) -> None:
    expect(page.locator("#compare [role=status]")).to_contain_text(re.compile("[✓⚠✗]"))


def _pair(sample: Served) -> tuple[str, str]:
    """Addresses of two runs of a case, under two variants, whose calls are not the same."""
    batch = sample.root / "runs" / "gov-2026-11"
    by_cell = {}
    for path in sorted(batch.glob("*.json")):
        run = json.loads(path.read_bytes())
        tools = [step["tool"] for step in run["trace"] or () if step["kind"] == "tool"]
        by_cell[run["case_id"], run["repeat_index"], run["variant"]] = (f"gov-2026-11/{path.stem}", tools)
    variants = sorted({variant for _, _, variant in by_cell})
    for case, repeat, variant in by_cell:
        one, other = by_cell[case, repeat, variant], by_cell.get((case, repeat, variants[-1]))
        if variant != variants[-1] and other and one[1] and other[1] and one[1] != other[1]:
            return one[0], other[0]
    raise AssertionError("no two runs that differ")


@pytest.mark.parametrize("origin", ["http", "subpath", "file"])
def test_calls_stand_side_by_side_with_a_sign(visit: Visitor, sample: Served, origin: Origin) -> None:
    one, other = _pair(sample)
    page, problems = visit.at(sample.at(f"en/compare/index.html#a={one}&b={other}", origin), origin)
    _ready(page)
    runs = [json.loads((sample.root / "runs" / f"{it}.json").read_bytes()) for it in (one, other)]
    table = page.locator(".rc-compare-table").last
    assert table.locator("thead bdi").all_inner_texts() == [run["run_id"] for run in runs]
    for at, run in enumerate(runs, start=1):
        calls = [step["tool"] for step in run["trace"] if step["kind"] == "tool"]
        shown = table.locator(f"tbody tr > td:nth-of-type({at + 1}) > code").all_inner_texts()
        assert shown == calls, "every call stands in its column, in order"
    for cell in table.locator("tbody td.rc-compare-sign").all():
        name = (cell.get_attribute("class") or "").split()[-1]
        assert cell.inner_text().startswith(SIGNS[name]), "a sign, not a colour alone"
    assert "The hashes of both files" in page.locator("#compare [role=status]").inner_text()
    assert problems.all == []


def test_what_the_evidence_page_says_the_script_says_too(visit: Visitor, sample: Served) -> None:
    """Two alignments, one in Python and one in the browser."""
    one, _ = _pair(sample)
    page, _ = visit.at(sample.at(f"runs/{one}.html#en"))
    rows = page.locator("table.st-compared tbody tr").all()
    told = []
    for row in rows:
        signs = "".join(row.locator(".st-cmp").all_inner_texts())
        link = row.locator("td a[lang=en]").last.get_attribute("href") or ""
        told.append((link, int(re.findall(r"= (\d+)", signs)[0]), [signs.count(sign) for sign in "≠−+"]))
    assert told
    for link, same, changes in told:
        page.goto(sample.at("en/compare/index.html") + "#" + link.partition("#")[2])
        _ready(page)
        figures = re.findall(r"\d+", page.locator(".rc-compare-sum").inner_text())
        assert [int(it) for it in figures] == [same, *changes]


def test_run_ids_can_be_typed_and_sides_changed(visit: Visitor, sample: Served) -> None:
    one, other = (address.split("/")[1] for address in _pair(sample))
    page, problems = visit.at(sample.at("compare/index.html"))
    expect(page.locator("#compare [role=status]")).to_contain_text("填入两个运行编号")
    page.locator("input[name=first]").fill(one)
    page.locator("input[name=second]").fill(other)
    page.keyboard.press("Enter")
    _ready(page)
    page.locator("#compare button[type=button]").click()
    page.wait_for_function(
        "([a]) => document.querySelector('.rc-compare-table thead bdi')?.textContent === a", arg=[other]
    )
    assert page.locator("input[name=first]").input_value() == other
    page.locator("input[name=first]").fill("nobody")
    page.keyboard.press("Enter")
    expect(page.locator("#compare [role=status]")).to_contain_text("没有编号为 nobody 的运行")
    assert problems.all == []


def test_the_list_of_runs_leads_to_two_of_them(visit: Visitor, sample: Served) -> None:
    page, problems = visit.at(sample.at("en/runs/index.html#batch=gov-2026-11"))
    page.wait_for_function("() => document.querySelectorAll('.rc-explorer-pick').length > 1")
    buttons = page.locator(".rc-explorer-pick")
    buttons.nth(0).click()
    assert buttons.nth(0).get_attribute("aria-pressed") == "true"
    names = [page.locator(".rc-explorer-table tbody th a").nth(at).inner_text() for at in (0, 1)]
    assert names[0] in page.locator(".rc-explorer-hint").inner_text()
    buttons.nth(1).click()
    page.wait_for_load_state("load")
    _ready(page)
    assert page.locator(".rc-compare-table").first.locator("thead bdi").all_inner_texts() == names
    assert problems.all == []


def test_without_scripts_the_page_says_where_differences_stand(visit: Visitor, sample: Served) -> None:
    page, _ = visit.at(sample.at("en/compare/index.html"), java_script_enabled=False)
    assert "needs scripts" in page.locator("main").inner_text()
    page, _ = visit.at(sample.at(f"runs/{_pair(sample)[0]}.html#en"), java_script_enabled=False)
    assert page.locator("table.st-compared tbody tr").count() > 0
