"""Charts to take along, and live on request."""

import json
from pathlib import Path

import pytest

from tests.site.visiting import Served, Visitor


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_chart_offers_its_drawing_its_numbers_and_its_specification(
    visit: Visitor, sample: Served, lang: str
) -> None:
    page, _ = visit.open("result, two variants", lang, java_script_enabled=False)
    figures = page.locator("figure.rc-chart")
    for at in range(figures.count()):
        links = [it.get_attribute("href") or "" for it in figures.nth(at).locator(".rc-chart-files a").all()]
        assert [link.split("/")[-1].partition(".")[2] for link in links] == ["svg", "csv", "vl.json"]
        assert all(f"/{lang}/" in link for link in links)


def test_png_is_made_here(visit: Visitor, tmp_path: Path) -> None:
    page, problems = visit.open("result, two variants", "en")
    figure = page.locator("#chart-proportions")
    figure.locator("summary").click()
    with page.expect_download() as download:
        figure.get_by_role("button", name="PNG").click()
    download.value.save_as(tmp_path / "chart.png")
    data = (tmp_path / "chart.png").read_bytes()
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20]) == 3 * 380
    assert problems.all == []


def test_a_live_chart_is_loaded_on_request_alone(visit: Visitor, sample: Served) -> None:
    page, problems = visit.open("result, two variants", "en")
    page.wait_for_load_state("networkidle")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(sample.http)))
    loaded = page.evaluate("() => performance.getEntriesByType('resource').map((it) => it.name)")
    assert not any("vega" in address for address in loaded)
    figure = page.locator("#chart-proportions")
    figure.locator("summary").click()
    figure.get_by_role("button", name="Live chart").click()
    page.wait_for_selector(".rc-live svg")
    assert [address.split("/")[-1] for address in asked] == ["proportions.vl.json", "live.js"]
    marks = page.locator(".rc-live svg .mark-symbol path")
    assert marks.count() > 2
    marks.last.hover(force=True)
    specification = json.loads((sample.root / asked[0]).read_bytes())
    assert (page.locator(".rc-live").get_attribute("aria-label") or "").startswith(specification["title"]["text"])
    assert page.evaluate("() => [typeof vega, typeof vegaEmbed, typeof vegaLite]") == ["undefined"] * 3
    assert problems.all == [], "no code is made from texts, nothing is asked for elsewhere"


def test_from_a_folder_there_is_no_live_chart(visit: Visitor) -> None:
    page, problems = visit.open("result, two variants", "en", "file")
    assert page.get_by_role("button", name="PNG", include_hidden=True).count() > 0
    assert page.get_by_role("button", name="Live chart", include_hidden=True).count() == 0
    assert problems.all == []
