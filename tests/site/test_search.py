"""The search of each language finds its words."""

import pytest
from playwright.sync_api import Page

from tests.site.visiting import Visitor


def search(page: Page, query: str) -> None:
    """Type the query as soon as the index has been read; the search listens to keys."""
    page.wait_for_function("() => /键入|Type/.test(document.querySelector('.md-search-result__meta').textContent)")
    page.locator(".md-search__input").fill(query)
    page.locator(".md-search__input").press("End")


@pytest.mark.parametrize(
    ("lang", "query"), [("zh", "智能体"), ("zh", "无效运行"), ("en", "threshold"), ("en", "temperature")]
)
def test_a_word_is_found_on_a_page_that_holds_it(visit: Visitor, lang: str, query: str) -> None:
    page, problems = visit.open("methods", lang)
    search(page, query)
    first = page.locator(".md-search-result__link").first
    first.wait_for(state="visible")
    first.click()
    page.wait_for_load_state("load")
    assert query in page.locator("main").inner_text().lower()
    assert ("/en/" in page.url) == (lang == "en")
    assert problems.all == []


@pytest.mark.parametrize(("lang", "query"), [("zh", "threshold"), ("en", "阈值")])
def test_the_languages_are_not_mixed(visit: Visitor, lang: str, query: str) -> None:
    page, _ = visit.open("methods", lang)
    search(page, query)
    page.wait_for_function("() => /没有|No match/.test(document.querySelector('.md-search-result__meta').textContent)")
    assert page.locator(".md-search-result__link").count() == 0
