"""What is read of a page."""

from pathlib import Path

import pytest

from generator.verify.html_tokens import MalformedHtml, attributes_of
from generator.verify.pages import Page, read_page


def _read(tmp_path: Path, html: str, *, is_evidence: bool = False) -> Page:
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    return read_page(tmp_path / "page.html", is_evidence=is_evidence)


def test_a_number_is_its_value_and_the_parts_that_follow(tmp_path: Path) -> None:
    page = _read(
        tmp_path,
        '<a class="num" data-num="b/v/m" href="x.html">55.<b>6</b>%<span data-part="count"> 10/18</span>'
        '<span data-part="interval"> [33.7, <i>75.4</i>]</span></a>',
    )
    (number,) = page.numbers
    assert (number.number, number.href, number.value) == ("b/v/m", "x.html", "55.6%")
    assert number.parts == {"count": " 10/18", "interval": " [33.7, 75.4]"}


def test_digits_in_the_main_content_need_a_number_or_a_reference(tmp_path: Path) -> None:
    page = _read(
        tmp_path,
        "<p>1</p><main><p>2 and</p><nav>3</nav><pre>4</pre><bdi>5</bdi><time>6</time><p class='a ref'>7<i>8</i></p>"
        "<svg><g class='axis'><text>9</text></g><text>10</text></svg><code>11</code><p>&#49;2</p></main><p>13</p>",
    )
    assert page.loose_digits == ["2 and", "10", "11", "12"]


def test_on_an_evidence_page_code_is_a_measurement_of_the_run(tmp_path: Path) -> None:
    assert _read(tmp_path, "<main><code>11</code>12</main>", is_evidence=True).loose_digits == ["12"]


def test_links_are_not_loads(tmp_path: Path) -> None:
    page = _read(
        tmp_path,
        '<link rel="stylesheet" href="a.css"><link rel=alternate href=b.html><script src="c.js">if (1 < 2) {}</script>'
        '<img src="d.svg" alt=""><a href="e.html?x=1&amp;y=2#f">e</a><p id="f">',
    )
    assert page.loads == {"a.css", "c.js", "d.svg"}
    assert page.links == {"b.html", "e.html?x=1&y=2#f"}
    assert page.ids == {"f"}


@pytest.mark.parametrize(
    "html", ["<p", "a < b", "<!-- never closed", "<script>alert(1)", '<a href="x>y</a>', "<?php ?>"]
)
def test_what_a_browser_would_have_to_mend_is_refused(tmp_path: Path, html: str) -> None:
    with pytest.raises(MalformedHtml):
        _read(tmp_path, html)


def test_the_first_of_two_attributes_counts() -> None:
    assert attributes_of(' HREF="a" href=\'b\' data-x hidden="" y=z') == {
        "href": "a",
        "data-x": "",
        "hidden": "",
        "y": "z",
    }
