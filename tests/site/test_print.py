"""On paper: no frame, all content, and ink that shows on white."""

import pytest

from tests.site.kinds import TRIED
from tests.site.reading import SCHEMES, text_contrasts, turn
from tests.site.visiting import Served, Visitor

FRAME = (
    ".md-header, .md-tabs, .md-sidebar, .md-search, .md-top, .headerlink, "
    ".st-nav, .st-language, .st-palette, .st-recompute, .st-skip, .st-foot"
)
_ADDED = """() => [...document.querySelectorAll("main a")]
  .flatMap((it) => ["::before", "::after"].map((where) => getComputedStyle(it, where).content))
  .map((content) => content.replace(" / \\"\\"", ""))
  .filter((content) => /attr|http|html|[/()]/.test(content))"""


@pytest.mark.parametrize("kind", TRIED)
def test_paper_shows_the_content_without_the_frame(visit: Visitor, kind: str) -> None:
    page, _ = visit.open(kind)
    # What filters runs is of no use on paper; the lists below it are there.
    page.evaluate("() => document.querySelector('#explorer')?.remove()")
    on_screen = page.locator("main :is(table, svg[role=img], figure, pre):visible").count()
    page.emulate_media(media="print")
    assert page.locator(f":is({FRAME}):visible").count() == 0
    assert page.locator("main :is(table, svg[role=img], figure, pre):visible").count() >= on_screen
    assert page.locator("h1").first.is_visible()
    assert page.evaluate(_ADDED) == []


SOME = ["home", "result, two variants", "number, proportion", "evidence, failed", "metrics"]


@pytest.mark.parametrize("kind", SOME)
def test_ink_shows_on_white_though_the_reader_chose_dark(visit: Visitor, sample: Served, kind: str) -> None:
    """Printers leave out grounds, and browsers print under the light preference: a chosen dark scheme must give way."""
    page, _ = visit.open("home")
    for _ in SCHEMES:
        page.locator("form[data-md-component=palette] label:visible").click()
    assert page.locator("body").get_attribute("data-md-color-scheme") == "slate"
    page.goto(sample.address(kind))
    page.emulate_media(media="print")
    turn(page, "light")
    assert [contrast for contrast in text_contrasts(page, on_paper=True) if contrast.ratio < 4.5] == []


@pytest.mark.parametrize("kind", SOME)
def test_nothing_leaves_the_paper(visit: Visitor, kind: str) -> None:
    """A4 with margins of 10 mm is 718 pixels wide; what is wider is cut off, because paper does not scroll."""
    page, _ = visit.open(kind, viewport={"width": 718, "height": 1000})
    page.emulate_media(media="print")
    cut = page.evaluate(
        """() => [...document.querySelectorAll("main :is(table, svg, pre, p, h1, h2, dl)")]
             .filter(it => it.checkVisibility() && it.getBoundingClientRect().right > innerWidth + 1)
             .map(it => it.outerHTML.slice(0, 80))"""
    )
    assert cut == []
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 718


_FOLDED = """[...document.querySelectorAll("main details > :last-child")]
  .filter((it) => !it.checkVisibility({contentVisibilityAuto: true}) || it.getBoundingClientRect().height < 1).length"""


@pytest.mark.parametrize("kind", ["result, many variants", "metrics", "number, quantile", "evidence, complete"])
def test_folded_parts_unfold_on_paper_without_a_script(visit: Visitor, kind: str) -> None:
    page, _ = visit.open(kind, java_script_enabled=False)
    assert page.evaluate(_FOLDED) > 0
    page.emulate_media(media="print")
    # What was skipped is laid out with the next frame, not with the change of the style.
    page.wait_for_timeout(300)
    assert page.evaluate(_FOLDED) == 0


def test_folded_parts_unfold_on_paper_in_browsers_that_lack_the_rule(visit: Visitor) -> None:
    page, _ = visit.open("evidence, complete")
    assert page.locator("details:not([open])").count() > 0
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details[open]").count() == 0
