"""Pages are HTML by the letter of the specification: a strict parser has nothing to mend."""

import pytest
from html5lib import HTMLParser
from html5lib.constants import E

from tests.site.kinds import KINDS
from tests.site.visiting import Served

OF_THE_THEME = frozenset[str]()
"""Codes of what the theme itself writes otherwise."""
PARSED = (
    *("home", "experiments", "experiment, published", "result, two variants", "statistics, variants", "runs"),
    *("comparison", "methods", "verify", "data", "changes", "not found", "number, proportion", "number, difference"),
    *("evidence, complete", "evidence, invalid", "run list"),
)


@pytest.mark.parametrize("kind", PARSED)
def test_nothing_has_to_be_mended(sample: Served, kind: str) -> None:
    parser = HTMLParser()
    parser.parse((sample.root / KINDS[kind].address(sample.index, "zh")).read_bytes())
    found = {(E[code] % told, code, place) for place, code, told in parser.errors if code not in OF_THE_THEME}
    assert found == set()


def test_the_parser_sees_what_is_wrong() -> None:
    parser = HTMLParser()
    parser.parse("<!doctype html><title>x</title><p><table><p>no</p></table><div id=a id=b>")
    assert {code for _, code, _ in parser.errors} >= {
        "unexpected-start-tag-implies-table-voodoo",
        "duplicate-attribute",
    }
