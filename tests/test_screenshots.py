"""The pictures of the documentation are all there, small, and shown."""

import re
from pathlib import Path

from tests.site.screenshots import LOOKS, MOST_BYTES, PAGES

DOCS = Path(__file__).resolve().parents[1] / "docs"
MOST_TOGETHER = 3_000_000


def test_each_page_in_each_look_is_shown_by_the_documentation() -> None:
    text = (DOCS / "reading.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"\(screenshots/([a-z-]+\.(?:png|jpg))\)", text))
    assert {name.partition(".")[0] for name in shown} == {f"{page}-{look}" for page in PAGES for look in LOOKS}
    assert shown == {path.name for path in (DOCS / "screenshots").iterdir()}


def test_they_are_small() -> None:
    sizes = [path.stat().st_size for path in (DOCS / "screenshots").iterdir()]
    assert max(sizes) <= MOST_BYTES
    assert sum(sizes) <= MOST_TOGETHER
