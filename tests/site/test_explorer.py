"""The page of all runs: filters in the address, counts that follow them, rows by keyboard, and under `file://`."""

import json
from collections import Counter

import pytest
from playwright.sync_api import Page, expect

from tests.site.visiting import Origin, Served, Visitor

STATUS = ".rc-explorer-status"


def _ready(page: Page) -> None:
    page.wait_for_function("() => document.querySelectorAll('.rc-explorer-table tbody th').length > 0")
    expect(page.locator(STATUS)).not_to_contain_text("…")


def _states(sample: Served) -> Counter[str]:
    heads = [sample.index.load(batch["file"]) for batch in sample.index.batches]
    return Counter(run["state"] for head in heads for run in head["runs"])


def _first(sample: Served) -> tuple[str, str]:
    """The newest batch and its first run, whose id ends in a number that no other has."""
    newest = sample.index.batches[0]
    return newest["id"], sample.index.load(newest["file"])["runs"][0]["run_id"]


@pytest.mark.parametrize("origin", ["http", "file"])
def test_all_runs_are_there(visit: Visitor, sample: Served, origin: Origin) -> None:
    page, problems = visit.open("runs", "en", origin)
    _ready(page)
    total = sum(_states(sample).values())
    assert page.locator(STATUS).inner_text() == f"{total:,} of {total:,} runs"
    assert page.locator(".rc-explorer-table tbody th").count() < 60, "only rows in sight are drawn"
    assert problems.all == []


def test_the_filter_stands_in_the_address_and_counts_follow(visit: Visitor, sample: Served) -> None:
    page, _ = visit.open("runs", "en")
    _ready(page)
    states = _states(sample)
    page.locator("select[name=state]").select_option("FAILED")
    assert page.url.endswith("#state=FAILED")
    assert page.locator(STATUS).inner_text().startswith(f"{states['FAILED']} of ")
    options = page.locator("select[name=state] option").all_inner_texts()
    assert f"invalid ({states['INVALID']})" in options, "what another choice would show stays in sight"
    shown = page.locator(".rc-explorer-table tbody td.rc-explorer-state").all_inner_texts()
    assert all(text.startswith("failed") for text in shown)
    page.locator("button", has_text="Clear").click()
    assert page.url.endswith("index.html#")
    assert page.locator(STATUS).inner_text().startswith(f"{sum(states.values()):,} of ")


def test_an_address_with_a_filter_shows_what_it_says(visit: Visitor, sample: Served) -> None:
    batch, run = _first(sample)
    page, _ = visit.at(sample.at(f"runs/index.html#batch={batch}&text={run.rpartition('-')[2]}"))
    _ready(page)
    link = page.locator(".rc-explorer-table tbody th a")
    assert link.all_inner_texts() == [run]
    link.click()
    page.wait_for_load_state("load")
    assert page.locator("h1").inner_text() == run
    assert page.locator("html").get_attribute("lang") == "zh-CN"


def test_a_metric_and_its_outcome(visit: Visitor, sample: Served) -> None:
    """Counted from the evidence."""
    metric = "hallucinated_tool_rate"
    evidence = [json.loads(path.read_bytes()) for path in sample.root.glob("runs/*/*.json")]
    hits = sum(run["assertions"].get(metric, {}).get("outcome") == "hit" for run in evidence)
    page, _ = visit.at(sample.at(f"en/runs/index.html#metric={metric}&outcome=hit"))
    _ready(page)
    assert hits > 0
    assert page.locator(STATUS).inner_text().startswith(f"{hits} of ")
    assert page.locator("select[name=metric]").input_value() == metric


def test_rows_answer_to_keys(visit: Visitor) -> None:
    page, _ = visit.open("runs", "en")
    _ready(page)
    page.locator(".rc-explorer-rows").focus()
    focused = "() => document.activeElement.closest('tr')?.getAttribute('aria-rowindex')"
    for key, row in (("ArrowDown", "2"), ("ArrowDown", "3"), ("PageDown", "13"), ("Home", "2")):
        page.keyboard.press(key)
        assert page.evaluate(focused) == row, key
    page.keyboard.press("End")
    last = page.locator(".rc-explorer-table").get_attribute("aria-rowcount")
    assert page.evaluate(focused) == last
    assert page.evaluate("() => document.activeElement.getBoundingClientRect().bottom <= innerHeight")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.locator("h1").is_visible()


def test_without_scripts_there_is_nothing_but_the_lists(visit: Visitor) -> None:
    page, _ = visit.open("runs", java_script_enabled=False)
    assert not page.locator("#explorer").is_visible()
    assert page.locator("main a[href*='lists/']").count() > 1


def test_a_result_page_leads_to_the_runs_of_its_batch(visit: Visitor, sample: Served) -> None:
    page, _ = visit.open("result, two variants", "en")
    batch = page.locator("h1 small").inner_text()
    page.locator(f"main a[href$='#batch={batch}']").click()
    page.wait_for_load_state("load")
    _ready(page)
    runs = next(entry["runs"] for entry in sample.index.batches if entry["id"] == batch)
    assert page.locator(STATUS).inner_text().startswith(f"{runs:,} of ")


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_run_id_in_the_search_leads_to_its_run(visit: Visitor, sample: Served, lang: str) -> None:
    _, run = _first(sample)
    page, problems = visit.open("methods", lang)
    page.locator(".md-search__input").fill(run)
    link = page.locator(".rc-search-runs")
    assert run in link.inner_text()
    link.click()
    page.wait_for_load_state("load")
    _ready(page)
    assert page.locator(".rc-explorer-table tbody th a").all_inner_texts() == [run]
    assert ("/en/" in page.url) == (lang == "en")
    assert problems.all == []
