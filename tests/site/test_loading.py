"""Every kind of page loads whole, from its own host alone: at a root, below a path, and as a file."""

from pathlib import Path

import pytest

from tests.site.kinds import FRAMED, STAMPED, TRIED
from tests.site.serving import serve
from tests.site.visiting import Origin, Served, Visitor

ONCE = "not found"
"""Exists once, for all languages, and is the one page with absolute addresses: it serves the host that it was built
for, and says so in the publication's address."""
ELSEWHERE = [kind for kind in FRAMED if kind != ONCE]


@pytest.mark.parametrize("kind", TRIED)
def test_a_page_loads_without_complaint(visit: Visitor, kind: str) -> None:
    page, problems = visit.open(kind)
    page.wait_for_load_state("networkidle")
    assert problems.all == []


PLACES: list[tuple[str, Origin]] = [("en", "subpath"), ("zh", "file")]


@pytest.mark.parametrize(("lang", "origin"), PLACES)
@pytest.mark.parametrize("kind", ELSEWHERE)
def test_a_page_loads_below_a_path_and_as_a_file(visit: Visitor, kind: str, lang: str, origin: Origin) -> None:
    page, problems = visit.open(kind, lang, origin)
    page.wait_for_load_state("networkidle")
    assert problems.all == []
    heading = page.locator("h1").first
    assert heading.is_visible()
    ink = heading.evaluate("it => [getComputedStyle(it).color, getComputedStyle(document.body).backgroundColor]")
    assert ink == ["rgb(27, 31, 36)", "rgb(255, 255, 255)"], "the style sheets apply"


@pytest.mark.parametrize("origin", ["subpath", "file"])
def test_links_lead_from_page_to_page(visit: Visitor, origin: Origin) -> None:
    """Home → result → number → evidence → its list, and over to English, by clicks."""
    page, problems = visit.open("home", origin=origin)
    for step in ("main a[href*='experiments/'][href$='-2026-11.html']", "a.num", "main a[href*='/runs/']"):
        page.locator(step).first.click()
        page.wait_for_load_state("load")
        assert page.locator("h1").first.is_visible()
    assert "/runs/" in page.url
    page.locator("a.st-language[lang=en]").click()
    page.locator(".st-nav a[lang=en]").first.click()
    page.wait_for_load_state("load")
    assert "/en/" in page.url
    assert page.locator("html").get_attribute("lang") == "en"
    assert problems.all == []


def test_what_is_not_there_gets_the_page_that_says_so(visit: Visitor, sample: Served) -> None:
    page, problems = visit.at(sample.at("numbers/no/such/number.html"))
    assert page.locator("main").get_by_text("没有这个页面").is_visible()
    assert page.locator("main").get_by_text("No such page").is_visible()
    assert [said for said in problems.all if "number.html" not in said] == []
    page.locator(".md-content [lang=en] a").first.click()
    page.wait_for_load_state("load")
    assert page.url == sample.at("en/index.html")


def test_below_a_path_the_page_of_missing_addresses_knows_the_way(visit_hostile: Visitor) -> None:
    """The publication of this site names the path that the site is served from."""
    page, problems = visit_hostile.at(visit_hostile.served.at("runs/nobody.html", "subpath"), "subpath")
    assert [said for said in problems.all if "nobody.html" not in said] == []
    page.locator(".md-content a").first.click()
    page.wait_for_load_state("load")
    assert page.url == visit_hostile.served.at("index.html", "subpath")


def test_the_watch_sees_what_is_missing_and_what_is_elsewhere(visit: Visitor, tmp_path: Path) -> None:
    """The proof that these tests can fail."""
    (tmp_path / "404.html").write_text("no")
    (tmp_path / "page.html").write_text(
        "<!doctype html><title>x</title><img src=gone.png><script>nothing.at.all()</script>"
        f"<link rel=stylesheet href='{visit.served.http}assets/tokens.css'>"
    )
    with serve(tmp_path) as root:
        page, problems = visit.elsewhere(f"{root}page.html", root)
        page.wait_for_load_state("networkidle")
    assert any("gone.png: 404" in said for said in problems.failed)
    assert any("nothing is not defined" in said for said in problems.console)
    assert problems.elsewhere == [f"{visit.served.http}assets/tokens.css"]


def test_every_stamped_kind_has_its_language_in_its_address(sample: Served) -> None:
    assert all(kind.address(sample.index, "en").endswith(".html#en") for kind in STAMPED)
