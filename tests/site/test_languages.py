"""Both languages are whole: each page speaks one, says which, and leads to itself in the other."""

import re

import pytest
from playwright.sync_api import expect

from tests.site.kinds import FRAMED, READ, TRIED, TRIED_STAMPED
from tests.site.reading import accessible_names, visible_texts
from tests.site.visiting import Served, Visitor

CHINESE = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
LATIN = re.compile(r"[A-Za-z]{2,}")
BOTH = "not found"
"""Carries both languages at once, because a host shows it for every address."""
READ_NAMES = [kind.name for kind in READ if kind.name in FRAMED and kind.name != BOTH]
ONE_LANGUAGE = [kind for kind in TRIED if kind != BOTH]

SAME_IN_BOTH = {"BibTeX", "CSV", "JSON", "Markdown", "Parquet", "SHA", "Schema", "RSS", "ms", "pp"}
"""Words that Chinese pages write in Latin letters too."""
CODE = re.compile(r"[A-Za-z0-9]+(?:[-_^./][A-Za-z0-9]+)+")
"""Ids, addresses and names of metrics: no words of a language."""
_LABELS = """() => [...document.querySelectorAll(
    "h1, h2, h3, th, dt, summary, caption, figcaption > strong, nav a, button, label")]
  .filter((it) => it.checkVisibility())
  .map((it) => {
    const copy = it.cloneNode(true);
    copy.querySelectorAll(".ref, bdi, code, pre, a.num, .rc-sort, [lang=en]").forEach((other) => other.remove());
    return it.closest(".ref, bdi, [lang=en], .rc-language") ? "" : copy.textContent.trim();
  })
  .filter(Boolean)"""


def is_english(label: str) -> bool:
    """Whether a label of a Chinese page says in Latin letters what is no name that both languages share."""
    words = set(LATIN.findall(CODE.sub("", label)))
    return bool(words - SAME_IN_BOTH) and not CHINESE.search(label)


@pytest.mark.parametrize("kind", ONE_LANGUAGE)
def test_english_pages_hold_no_chinese(visit: Visitor, kind: str) -> None:
    page, _ = visit.open(kind, "en")
    assert page.locator("html").get_attribute("lang") == "en"
    texts = visible_texts(page)
    assert len(texts) > 10
    assert [text for text, _ in texts if CHINESE.search(text)] == []
    assert {lang for _, lang in texts} <= {"en", "und"}
    assert [name for name in accessible_names(page) if CHINESE.search(name)] == []


@pytest.mark.parametrize("kind", ONE_LANGUAGE)
def test_chinese_pages_have_chinese_labels(visit: Visitor, kind: str) -> None:
    page, _ = visit.open(kind)
    assert page.locator("html").get_attribute("lang") == "zh-CN"
    labels: list[str] = page.evaluate(_LABELS)
    assert len([label for label in labels if CHINESE.search(label)]) > 3
    assert {label for label in labels if is_english(label)} == set()
    assert {name for name in accessible_names(page) if is_english(name)} == set()
    assert {lang for _, lang in visible_texts(page)} <= {"zh-CN", "und"}


@pytest.mark.parametrize("kind", READ_NAMES)
def test_the_language_link_leads_to_the_same_page(visit: Visitor, sample: Served, kind: str) -> None:
    """There and back; the title of the window is in the language of the page."""
    page, _ = visit.open(kind)
    assert CHINESE.search(page.title())
    for lang, other in (("en", "zh"), ("zh", "en")):
        page.locator(".rc-language").first.click()
        page.wait_for_load_state("load")
        assert page.url == sample.address(kind, lang)
        assert bool(CHINESE.search(page.title())) == (other == "en")


@pytest.mark.parametrize("kind", TRIED_STAMPED)
def test_a_stamped_page_turns_from_one_language_to_the_other(visit: Visitor, kind: str) -> None:
    page, _ = visit.open(kind)
    html = page.locator("html")
    for link, lang, other in (("a.st-language[lang=en]", "en", "zh-CN"), ("a.st-language[lang=zh-CN]", "zh-CN", "en")):
        page.locator(link).click()
        # The script hears of the new address after the click has returned.
        expect(html).to_have_attribute("lang", lang)
        assert page.locator(f"main [lang={lang}]:visible").count() > 5
        assert page.locator(f"main [lang={other}]:visible").count() == 0
        assert page.locator("h1:visible").count() == 1


def test_the_chosen_language_is_kept_on_stamped_pages(visit: Visitor, sample: Served) -> None:
    page, _ = visit.open("number, proportion", "en")
    page.goto(sample.address("evidence, complete"))
    assert page.locator("html").get_attribute("lang") == "en"
    page.goto(sample.address("evidence, failed") + "#zh")
    assert page.locator("html").get_attribute("lang") == "zh-CN"


def test_a_link_from_an_english_page_opens_the_english_half(visit: Visitor) -> None:
    page, _ = visit.open("result, two variants", "en")
    page.locator("a.num").first.click()
    page.wait_for_load_state("load")
    assert page.locator("html").get_attribute("lang") == "en"
    assert not CHINESE.search(page.locator("h1").inner_text())


def test_the_page_of_missing_addresses_marks_its_halves(visit: Visitor) -> None:
    page, _ = visit.open(BOTH)
    halves = page.locator("main article > [lang]")
    assert halves.evaluate_all("halves => halves.map(half => half.lang)") == ["zh-CN", "en"]
    assert CHINESE.search(halves.nth(0).inner_text())
    assert not CHINESE.search(halves.nth(1).inner_text())
