"""Light and dark: who chooses, what changes, and whether it can be read."""

import re

import pytest
from playwright.sync_api import Page

from tests.site.kinds import TRIED
from tests.site.reading import SCHEMES, Contrast, mark_contrasts, text_contrasts, turn
from tests.site.visiting import Served, Visitor

TEXT, SHAPE = 4.5, 3.0
"""Smallest contrast of text and of what carries meaning without being text (WCAG 2.2, 1.4.3 and 1.4.11)."""
LIGHT_GROUND, DARK_GROUND = "rgb(255, 255, 255)", "rgb(20, 23, 27)"
MARKS = ", ".join(
    f"{drawing} :is(path, line, rect, circle)"
    ":not([stroke*='rc-line'], [stroke*='rc-line'] *, [fill*='rc-line'], [fill*='rc-line'] *, pattern *, .rc-axis)"
    for drawing in (".rc-chart svg", ".rc-interval", ".rc-strip")
)
"""Shapes of drawings; the lines of a grid and a shade within a frame carry nothing and may be faint, and a hatching
shows through its lines."""


def ground(page: Page) -> str:
    colour: str = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return colour


def below(contrasts: list[Contrast], least: float) -> list[Contrast]:
    return [contrast for contrast in contrasts if contrast.ratio < least]


@pytest.mark.parametrize("kind", TRIED)
def test_text_stands_out_in_light_and_dark(visit: Visitor, kind: str) -> None:
    page, _ = visit.open(kind)
    light = text_contrasts(page)
    turn(page, "dark")
    dark = text_contrasts(page)
    assert ground(page) == DARK_GROUND
    assert len(light) > 5
    assert below(light, TEXT) == []
    assert below(dark, TEXT) == []


@pytest.mark.parametrize("kind", ["home", "result, two variants", "result, many variants"])
def test_shapes_of_charts_stand_out_in_light_and_dark(visit: Visitor, kind: str) -> None:
    page, _ = visit.open(kind)
    light = mark_contrasts(page, MARKS)
    turn(page, "dark")
    dark = mark_contrasts(page, MARKS)
    assert light
    assert below(light, SHAPE) == []
    assert below(dark, SHAPE) == []
    assert {contrast.colour for contrast in light}.isdisjoint(contrast.colour for contrast in dark)


def test_charts_name_their_colours(visit: Visitor) -> None:
    """No colour of a chart is written down in it: each is a variable of the style sheet, or none."""
    page, _ = visit.open("result, many variants")
    charts = page.locator("figure.rc-chart svg")
    assert charts.count() >= 5
    inks: list[str] = charts.evaluate_all(
        """charts => charts.flatMap(chart => [chart, ...chart.querySelectorAll("*")]).flatMap(it =>
             ["fill", "stroke", "color", "stop-color", "style"].map(name => it.getAttribute(name)).filter(Boolean))"""
    )
    assert {
        ink for ink in inks if not re.fullmatch(r"var\(--rc-[a-z0-9]+\)|none|transparent|url\(#[\w-]+\)", ink)
    } == set()


@pytest.mark.parametrize("kind", ["home", "result, two variants", "number, proportion", "evidence, complete"])
def test_the_system_chooses_where_the_reader_has_not(visit: Visitor, kind: str) -> None:
    page, _ = visit.open(kind, color_scheme="dark")
    assert ground(page) == DARK_GROUND
    turn(page, "light")
    assert ground(page) == LIGHT_GROUND
    for scheme, expected in (("light", LIGHT_GROUND), ("dark", DARK_GROUND)):
        plain, _ = visit.open(kind, java_script_enabled=False, color_scheme=scheme)
        assert ground(plain) == expected


@pytest.mark.parametrize("system", ["light", "dark"])
def test_the_choice_of_the_reader_holds_on_stamped_pages(visit: Visitor, sample: Served, system: str) -> None:
    """The theme's button goes from the system's choice to light, to dark, and back to the system's."""
    page, _ = visit.open("home", color_scheme=system)
    own = {"light": LIGHT_GROUND, "dark": DARK_GROUND}[system]
    for expected in (LIGHT_GROUND, DARK_GROUND, own):
        page.locator("form[data-md-component=palette] label:visible").click()
        page.wait_for_function("ground => getComputedStyle(document.body).backgroundColor === ground", arg=expected)
        for kind in ("number, proportion", "evidence, complete"):
            page.goto(sample.address(kind))
            assert ground(page) == expected, kind
        page.goto(sample.address("home"))
        assert ground(page) == expected


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_stamped_pages_have_the_switch_of_the_theme(visit: Visitor, sample: Served, lang: str) -> None:
    """It goes the same way, and what is chosen holds on the pages of the theme."""
    page, problems = visit.open("number, proportion", lang)
    names = {"zh": ["浅色", "深色", "跟随系统"], "en": ["light", "dark", "as the system"]}[lang]
    for name, expected in zip(names, (LIGHT_GROUND, DARK_GROUND, LIGHT_GROUND), strict=True):
        page.locator("button.st-palette").click()
        assert ground(page) == expected
        assert name in (page.locator("button.st-palette").get_attribute("aria-label") or "")
        page.goto(sample.address("home", lang))
        assert ground(page) == expected
        page.goto(sample.address("number, proportion", lang))
    assert problems.all == []


def test_success_and_failure_have_the_same_weight(visit: Visitor) -> None:
    """Neither colour is paler than the other by more than a fifth."""
    page, _ = visit.open("result, two variants")
    for scheme in SCHEMES:
        turn(page, scheme)
        good, bad = (_of_variable(page, name) for name in ("--rc-good", "--rc-bad"))
        assert max(good, bad) / min(good, bad) < 1.25, scheme


def _of_variable(page: Page, name: str) -> float:
    page.evaluate(
        """name => {
          document.querySelector("#probe")?.remove();
          const probe = document.createElement("p");
          probe.id = "probe";
          probe.textContent = "probe";
          probe.style.color = `var(${name})`;
          document.body.append(probe);
        }""",
        name,
    )
    (contrast,) = text_contrasts(page, "#probe")
    return contrast.ratio
