"""On a phone the page never scrolls sideways; what is wide scrolls inside itself."""

import pytest

from tests.site.kinds import TRIED
from tests.site.visiting import PHONE, Served, Visitor

_WIDE = """() => {
  const scrolls = (it) => {
    for (let at = it.parentElement; at && at !== document.body; at = at.parentElement)
      if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return at.getBoundingClientRect().right <= innerWidth;
    return false;
  };
  return [...document.querySelectorAll("main :is(table, pre, svg, p, li, dd, h1, h2, h3, nav)")]
    .filter((it) => it.checkVisibility() && it.getBoundingClientRect().right > innerWidth + 1 && !scrolls(it))
    .map((it) => it.outerHTML.slice(0, 100));
}"""


@pytest.mark.parametrize("kind", TRIED)
def test_no_page_is_wider_than_a_phone(visit: Visitor, sample: Served, kind: str) -> None:
    page, _ = visit.open(kind, viewport=PHONE, is_mobile=True, has_touch=True)
    for lang in ("zh", "en"):
        if lang == "en":
            page.goto(sample.address(kind, lang))
        assert page.evaluate("innerWidth") == PHONE["width"], lang
        assert page.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"], lang
        assert page.evaluate(_WIDE) == [], lang


@pytest.mark.parametrize("kind", ["result, many variants", "metrics", "number, proportion", "run list"])
def test_a_wide_table_scrolls_inside_itself(visit: Visitor, kind: str) -> None:
    page, _ = visit.open(kind, viewport=PHONE, is_mobile=True, has_touch=True)
    moved = page.evaluate(
        """() => [...document.querySelectorAll(".rc-scroll, .st-scroll")]
             .filter(it => it.checkVisibility() && it.scrollWidth > it.clientWidth + 1)
             .map(it => { it.scrollLeft = 40; return it.scrollLeft })"""
    )
    assert moved
    assert all(moved)
