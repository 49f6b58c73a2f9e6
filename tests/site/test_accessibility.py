"""axe finds nothing on any kind of page in Chinese and light, and on the main ones in English and dark.

Contrast takes axe most of its time on a wide table. `test_colours` measures it on every kind of page in both schemes,
so axe measures it once more only where there is time.
"""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.site.kinds import SOAK, TRIED
from tests.site.reading import turn
from tests.site.visiting import Visitor

STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
MAIN = ["home", "number, proportion", "evidence, complete"]
EXCEPTIONS: dict[str, str] = {} if SOAK else {"color-contrast": "measured by test_colours"}
"""Rule of axe and why it is not asked for."""
OPTIONS = {
    "runOnly": {"type": "tag", "values": STANDARDS},
    "rules": {rule: {"enabled": False} for rule in EXCEPTIONS},
    "resultTypes": ["violations"],
}


def violations(page: Page) -> list[str]:
    """Rule, element and what is wrong with it, one line each."""
    found: list[dict[str, Any]] = Axe().run(page, options=OPTIONS).response["violations"]
    return [
        f"{violation['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for violation in found
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("kind", TRIED)
def test_axe_finds_nothing(visit: Visitor, kind: str) -> None:
    page, _ = visit.open(kind)
    assert violations(page) == []


@pytest.mark.parametrize("kind", TRIED if SOAK else MAIN)
def test_axe_finds_nothing_in_english_and_dark(visit: Visitor, kind: str) -> None:
    page, _ = visit.open(kind, "en")
    turn(page, "dark")
    assert violations(page) == []


def test_axe_would_find_something(visit: Visitor) -> None:
    """The proof that this test can fail."""
    page, _ = visit.open("home")
    page.locator("main h1").evaluate("it => it.insertAdjacentHTML('afterend', '<img src=\"assets/logo.svg\">')")
    assert [line.split(":")[0] for line in violations(page)] == ["image-alt"]
