"""Everything that can be clicked can be reached and seen with the keyboard alone."""

import pytest
from playwright.sync_api import Page

from tests.site.visiting import Visitor

STOPS = 40
"""So many presses of the tab key are followed."""
_FOCUS = """() => {
  const it = document.activeElement;
  // The theme hides the buttons of its palette behind their labels, which show the focus for them.
  const seen = it.matches("input.md-option") ? it.parentElement.querySelector("label:not([hidden])") : it;
  const style = getComputedStyle(seen);
  const box = seen.getBoundingClientRect();
  return {
    name: it.localName + [...it.classList].map((name) => "." + name).join(""),
    text: (it.textContent || it.ariaLabel || "").trim().slice(0, 40),
    outlined: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1,
    shown: box.width > 0 && box.height > 0 && box.right > 0 && box.left < innerWidth && seen.checkVisibility(),
  };
}"""
Stop = dict[str, str | bool]


def walk(page: Page, presses: int = STOPS) -> list[Stop]:
    """Where the focus stands after each press of the tab key, up to the end of the page."""
    stops: list[Stop] = []
    for _ in range(presses):
        page.keyboard.press("Tab")
        stop: Stop = page.evaluate(_FOCUS)
        if str(stop["name"]).partition(".")[0] in ("body", "html"):
            break
        stops.append(stop)
    return stops


def place(stops: list[Stop], *names: str) -> int:
    """Of the first stop whose name holds one of `names`."""
    return next(at for at, stop in enumerate(stops) if any(name in str(stop["name"]) for name in names))


READ = ["home", "result, two variants", "experiments"]
STAMPED = ["number, proportion", "evidence, complete", "run list"]


@pytest.mark.parametrize("kind", READ)
def test_the_way_through_a_page_for_readers(visit: Visitor, kind: str) -> None:
    page, _ = visit.open(kind)
    stops = walk(page)
    assert "md-skip" in str(stops[0]["name"])
    assert 0 < place(stops, "md-logo") < place(stops, "md-tabs__link") < place(stops, "a.num", "a.rc-go", "a.ref")
    assert place(stops, "rc-language") < place(stops, "md-tabs__link")
    assert place(stops, "md-search__input") < place(stops, "md-tabs__link")


@pytest.mark.parametrize("kind", STAMPED)
def test_the_way_through_a_stamped_page(visit: Visitor, kind: str) -> None:
    page, _ = visit.open(kind)
    stops = walk(page)
    assert "st-skip" in str(stops[0]["name"])
    assert place(stops, "st-site") == 1
    assert (place(stops, "st-language"), place(stops, "st-palette")) == (11, 12)
    assert any(str(stop["name"]).startswith("a") for stop in stops[8:])


@pytest.mark.parametrize("kind", [*READ, *STAMPED])
def test_the_focus_can_be_seen(visit: Visitor, kind: str) -> None:
    page, _ = visit.open(kind)
    stops = walk(page)
    assert len(stops) > 10
    assert [stop for stop in stops if not stop["outlined"]] == []
    assert [stop for stop in stops if not stop["shown"]] == []


@pytest.mark.parametrize("kind", [*READ, *STAMPED])
def test_the_skip_link_leads_past_the_navigation(visit: Visitor, kind: str) -> None:
    page, _ = visit.open(kind)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.checkVisibility()")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("Boolean(document.activeElement.closest('main'))")


def test_a_fold_and_a_column_answer_to_keys(visit: Visitor) -> None:
    page, _ = visit.open("result, many variants")
    fold = page.locator("main details").first
    fold.locator("summary").focus()
    page.keyboard.press("Enter")
    assert fold.get_attribute("open") is not None
    button = page.locator("main .rc-sort").first
    button.focus()
    page.keyboard.press("Enter")
    assert button.evaluate("it => it.closest('th').ariaSort") == "ascending"
