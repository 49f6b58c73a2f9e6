"""On a desk nothing is cut: tables that fit a screen stand there whole."""

import pytest

from tests.site.visiting import Visitor

_CUT = """() => [...document.querySelectorAll("main :is(.rc-scroll, .st-scroll)")]
  .filter((it) => it.checkVisibility() && it.scrollWidth > it.clientWidth + 1)
  .map((it) => it.textContent.trim().slice(0, 60))"""


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("kind", ["home", "runs", "result, many variants", "data", "changes", "number, proportion"])
def test_tables_stand_there_whole(visit: Visitor, kind: str, lang: str) -> None:
    page, _ = visit.open(kind, lang)
    assert page.evaluate(_CUT) == []


@pytest.mark.parametrize("kind", ["result, many variants", "runs", "number, proportion"])
def test_ids_in_tables_stay_in_one_piece(visit: Visitor, kind: str) -> None:
    page, _ = visit.open(kind)
    broken = page.evaluate(
        """() => [...document.querySelectorAll("main td[lang=und], main td .ref")]
             .filter(it => it.checkVisibility() && it.getClientRects().length > 1).map(it => it.textContent)"""
    )
    assert broken == []
