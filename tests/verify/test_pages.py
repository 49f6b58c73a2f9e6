"""What is read of a page."""

from pathlib import Path

import pytest

from generator.verify.found import Found
from generator.verify.html_tokens import MalformedHtml, attributes_of
from generator.verify.pages import Page, PageReader, read_page


def _read(html: str, *, is_evidence: bool = False) -> Page:
    return PageReader(is_evidence=is_evidence).read(html.encode())


def _pieces(html: str) -> list[Found]:
    return [piece for found in _read(html).found for piece in found.pieces or (found,)]


def _problems(html: str) -> list[tuple[str, str]]:
    return [problem for piece in _pieces(html) for problem in piece.problems]


def test_a_number_is_its_value_and_the_parts_that_follow() -> None:
    page = _read(
        '<table><tr><td data-sort="0.556"><a class="num" data-num="b/v/m" href="x.html">55.<b>6</b>%'
        '<span data-part="count">\n 10/18</span><span data-part="interval"> [33.7, <i>75.4</i>]</span></a></td></tr>'
        "</table>"
    )
    (number,) = page.numbers
    assert (number.number, number.href, number.value, number.sort) == ("b/v/m", "x.html", "55.6%", "0.556")
    assert number.parts == {"count": "\n 10/18", "interval": " [33.7, 75.4]"}


def test_a_count_that_stands_alone() -> None:
    (count,) = _read('<a class="ref" data-of="b/v/m" data-part="numerator" href="#n">1<b>0</b></a>').counts
    assert (count.number, count.part, count.text) == ("b/v/m", "numerator", "10")


def test_digits_in_the_main_content_need_a_number_or_a_reference() -> None:
    page = _read(
        "<p>1</p><main><p>2 and</p><pre>4</pre><bdi>5</bdi><time>6</time><p class='a ref'>7<i>8</i></p>"
        "<svg><g class='axis'><text>9</text></g><text>10</text></svg><code>11</code><p>&#49;2</p>"
        "<header>13</header><p class='axis'>14</p><p class='num'>15</p><textarea>16</textarea></main><p>17</p>"
    )
    assert page.loose_digits == ["2 and", "10", "11", "12", "13", "14", "15", "16"]


def test_digits_outside_of_the_main_content_are_those_of_names() -> None:
    html = (
        '<header>1</header><nav><a href="x.html">\n <b>batch</b>\n 2\n</a></nav><main><nav><i>3</i></nav>'
        '<img alt="4" src="a.png"><p title="5">five</p></main><footer>6</footer><meta name="description" content="7">'
    )
    named = [text for piece in _pieces(html) for text in piece.named_digits]
    assert named == [("1", ""), ("batch 2", "x.html"), ("3", ""), ("4", ""), ("5", ""), ("6", ""), ("7", "")]
    assert _read(html).loose_digits == []


def test_on_an_evidence_page_code_is_a_measurement_of_the_run() -> None:
    assert _read("<main><code>11</code>12</main>", is_evidence=True).loose_digits == ["12"]


def test_links_are_not_loads() -> None:
    pieces = _pieces(
        '<link rel="stylesheet" href="a.css"><link rel=alternate href=b.html><script src="c.js"></script>'
        '<img src="d.svg" srcset="e.png 1x, f.png 2x" alt=""><a href="e.html?x=1&amp;y=2#f">e</a><p id="f"></p>'
        '<svg><image xlink:href="g.svg"/></svg>'
    )
    assert {load for piece in pieces for load in piece.loads} == {"a.css", "c.js", "d.svg", "e.png", "f.png", "g.svg"}
    assert {link for piece in pieces for link in piece.links} == {"b.html", "e.html?x=1&y=2#f"}
    assert {name for piece in pieces for name in piece.ids} == {"f"}


@pytest.mark.parametrize(
    "html",
    [
        *("<p", "a < b", "<!-- never closed", "<script>alert(1)", '<a href="x>y</a>', "<?php ?>", "<p>\0</p>"),
        *("<p>never closed", "closed</p>", "<b><i>crossed</b></i>", "<code>\n\n\n", "<td data-sort='1'>", "</p x>"),
    ],
)
def test_what_a_browser_would_have_to_mend_is_refused(html: str) -> None:
    with pytest.raises(MalformedHtml):
        _read(html)


@pytest.mark.parametrize(
    "html",
    [
        '<p onclick="x()">y</p>',
        "<base href='/'>",
        "<iframe src='a.html'></iframe>",
        "<object data='a.svg'></object>",
        '<meta http-equiv="refresh" content="0;url=https://example.org">',
        '<a href="javascript:x()">y</a>',
        '<a href="JavaScript:x()">y</a>',
        '<a href="java\tscript:x()">y</a>',
        '<a href="data:text/html,x">y</a>',
        '<form action="https://example.org"></form>',
        '<button formaction="//example.org/x">y</button>',
        '<a ping="https://example.org" href="x">y</a>',
        '<p style="background: url(https://example.org/x.png)">y</p>',
        '<p style="background: URL( //example.org/x.png )">y</p>',
        '<svg><path fill="url(https://example.org/x#y)"/></svg>',
        "<style>@import 'x.css';</style>",
        '<script type=\'application/json\'>{"base": "https://example.org"}</script>',
        "<script src='a.js'>alert(1)</script>",
        "<span class='ref'/>",
        "<span class='num'>5</span>",
        '<a data-num="b/v/m" href="x"><a data-num="b/v/n" href="y">5</a></a>',
    ],
)
def test_what_no_page_may_hold(html: str) -> None:
    assert len(_problems(html)) == 1


@pytest.mark.parametrize(
    "html",
    [
        '<p style="text-align: right">x</p>',
        '<svg><rect fill="url(#hatch)"/></svg>',
        '<a href="mailto:a@example.org">x</a><a href="https://example.org">y</a><a href="z.html">z</a>',
        '<script type="application/json">{"base": "../.."}</script>',
        '<img src="a.png" alt="an @ and a (">',
    ],
)
def test_what_pages_may_hold(html: str) -> None:
    assert _problems(html) == []


def test_what_was_read_before_is_found_again_at_the_same_place_only() -> None:
    reader = PageReader(is_evidence=False)
    row = '<table><tr><td>5</td><td><a class="num" data-num="b/v/m" href="x">6</a></td></tr></table>\n'
    html = f"{row}<main>\n{row}{row}<p class='ref'>\n{row}</p>\n</main>\n".encode()
    for _ in range(2):
        page = reader.read(html)
        assert page.loose_digits == ["5", "5"]
        assert len(page.numbers) == 4


def test_a_tag_and_a_text_may_go_on_in_the_next_line() -> None:
    page = _read('<p\n class="a"\n id="b">x</p>\n<pre>1\n\n2\n3</pre>\n<code>\n4\n</code>')
    assert [name for found in page.found for name in found.ids] == ["b"]
    assert page.facts == [("pre", "1\n\n2\n3"), ("code", "\n4\n")]


def test_facts_stand_in_order() -> None:
    page = _read(
        '<section aria-labelledby="x"><tbody id="numerator"><tr><td><a class="ref" href="r.html"><bdi>r</bdi></a></td>'
        '<td><span lang="zh-CN">中</span><span lang="en">in <code>c</code></span></td></tr></tbody>'
        '<b class="st-good st-mark st-hit">x</b><b class="st-soft">y</b>'
        '<a class="num" data-num="b/v/m" href="n.html">5</a></section>'
    )
    assert page.facts == [
        *(("section", "x"), ("tbody", "numerator"), ("tr", ""), ("a", "r.html"), ("ref", "r"), ("ref", "r")),
        *(("zh", "中"), ("code", "c"), ("en", "in c")),
        *(("look", "good hit"), ("a", "n.html"), ("num", "b/v/m"), ("end", "section")),
    ]


def test_pages_are_read_as_they_are_written(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes("<main>中 1</main>\r\n".encode())
    assert read_page(tmp_path / "page.html", is_evidence=False).loose_digits == ["中 1"]
    (tmp_path / "page.html").write_bytes(b"<main>\xff</main>")
    with pytest.raises(UnicodeDecodeError):
        read_page(tmp_path / "page.html", is_evidence=False)


def test_the_first_of_two_attributes_counts() -> None:
    assert attributes_of(' HREF="a" href=\'b\' data-x hidden="" y=z') == {
        "href": "a",
        "data-x": "",
        "hidden": "",
        "y": "z",
    }
