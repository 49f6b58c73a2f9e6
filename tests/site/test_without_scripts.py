"""Scripts add comfort only: without them everything can be read, and every link leads on."""

import json
import re

import pytest

from tests.site.kinds import TRIED, TRIED_STAMPED
from tests.site.visiting import Visitor

SAME = ["home", "result, two variants", "number, proportion", "number, quantile", "evidence, complete", "metrics"]
_TEXT = "main => main.innerText.replace(/\\s+/g, ' ')"


@pytest.mark.parametrize("kind", TRIED)
def test_content_can_be_read(visit: Visitor, kind: str) -> None:
    page, problems = visit.open(kind, java_script_enabled=False)
    assert problems.all == []
    assert page.locator("main h1").is_visible()
    assert len(page.locator("main").inner_text()) > 50
    for found in page.locator("main :is(table, figure svg)").all():
        inside_fold = found.evaluate("it => Boolean(it.closest('details:not([open])'))")
        assert inside_fold or found.is_visible()
    assert page.locator("nav a:visible").count() >= 5


@pytest.mark.parametrize("kind", SAME)
def test_scripts_add_no_content(visit: Visitor, kind: str) -> None:
    """A button that recomputes and a chooser are no content: they are not there without scripts."""
    plain, _ = visit.open(kind, java_script_enabled=False)
    scripted, _ = visit.open(kind)
    without = str(plain.locator("main").evaluate(_TEXT))
    scripted.evaluate("document.querySelectorAll('.st-recompute, .rc-by-group').forEach((it) => it.remove())")
    with_scripts = str(scripted.locator("main").evaluate(_TEXT)).replace(" ↕", "")
    assert without == with_scripts


@pytest.mark.parametrize("kind", TRIED_STAMPED)
def test_the_address_chooses_the_language(visit: Visitor, kind: str) -> None:
    page, _ = visit.open(kind, "en", java_script_enabled=False)
    assert page.locator("main [lang=zh-CN]:visible").count() == 0
    assert page.locator("main [lang=en]:visible").count() > 5
    page.locator("a.st-language[lang=zh-CN]").click()
    assert page.locator("main [lang=en]:visible").count() == 0
    assert page.locator("main [lang=zh-CN]:visible").count() > 5


def test_from_home_to_the_evidence_by_clicks(visit: Visitor) -> None:
    """Home → result → number → evidence → its JSON, which says what the page says."""
    page, problems = visit.open("home", java_script_enabled=False)
    page.locator("main a[href*='-2026-11.html']").first.click()
    assert re.search(r"/experiments/[\w-]+/[\w-]+\.html$", page.url)
    page.locator("main table a.num[data-num$='/call_relation_pass_rate']").first.click()
    assert re.search(r"/numbers/[\w-]+/[\w-]+/call_relation_pass_rate\.html$", page.url)
    page.locator("main td a.ref[href*='/runs/']").first.click()
    assert re.search(r"/runs/[\w-]+/[\w-]+\.html$", page.url)
    title = page.locator("h1").inner_text()
    with page.expect_response(lambda response: response.url.endswith(".json")) as answered:
        page.locator("main a[href$='.json']").first.click()
    evidence = json.loads(answered.value.body())
    assert evidence["run_id"] == title
    # A browser asks for the icon of a host when it shows a file that names none.
    assert [said for said in problems.all if "favicon.ico" not in said] == []


def test_folds_open(visit: Visitor) -> None:
    page, _ = visit.open("evidence, complete", java_script_enabled=False)
    fold = page.locator("details").first
    fold.locator("summary").click()
    assert fold.locator("table, pre").first.is_visible()


def test_the_matrix_shows_failures_alone(visit: Visitor) -> None:
    page, _ = visit.open("result, many variants", java_script_enabled=False)
    rows = page.locator(".rc-matrix tbody tr:not(.rc-group):visible")
    before = rows.count()
    page.locator("#only-failures").check()
    assert 0 < rows.count() < before
