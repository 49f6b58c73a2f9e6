"""Raw HTML passes Markdown and the search as it is, and the search reads its words."""

from types import SimpleNamespace
from typing import Any

import pytest

from generator.publish.raw_html import RawHtml

TABLE = '<div class="rc-scroll"><table>\n<tr><td><a href="x">one</a></td> <td>two</td></tr>\n</table></div>'
HEADED = '<section><h2 id="own">A section</h2>\n<p>of its own</p></section>'
HIDDEN = "<p data-search-exclude>not for the search</p>"


def _page() -> Any:
    return SimpleNamespace(file=SimpleNamespace(src_uri="page.md"), content=None)


def _passed(plugin: RawHtml, page: Any, markdown: str) -> str:
    return plugin.on_page_markdown(markdown, page=page, config=None, files=None)


def _run(plugin: RawHtml, page: Any, name: str) -> str:
    getattr(plugin, name)({}, page=page, config=None, nav=None)
    content: str = page.content
    return content


def test_blocks_are_comments_for_markdown_and_prose_is_not() -> None:
    text = f"{TABLE}\n\n# A heading\n\nProse with <b>tags</b>.\n\n<b>Bold</b> prose begins with a tag.\n\n{HIDDEN}\n"
    expected = text.replace(TABLE, "<!--raw 0-->").replace(HIDDEN, "<!--raw 1-->")
    assert _passed(RawHtml(), _page(), text) == expected


def test_text_behind_a_block_is_left_to_markdown() -> None:
    text = "<p>one</p>\nand *more*\n"
    assert _passed(RawHtml(), _page(), text) == text


def test_the_search_reads_words_and_the_page_keeps_its_tags() -> None:
    plugin, page = RawHtml(), _page()
    page.content = _passed(plugin, page, f"# A heading\n\n{TABLE}\n")
    seen = _run(plugin, page, "_before_the_search")
    assert "td" not in seen
    assert "one two" in seen
    assert _run(plugin, page, "_after_the_search") == f"# A heading\n\n{TABLE}\n"


@pytest.mark.parametrize("block", [HEADED, HIDDEN])
def test_where_the_search_needs_the_tags_it_gets_them(block: str) -> None:
    plugin, page = RawHtml(), _page()
    page.content = _passed(plugin, page, block)
    assert _run(plugin, page, "_before_the_search") == block
    assert _run(plugin, page, "_after_the_search") == block


def test_two_pages_do_not_mix() -> None:
    plugin, first, second = RawHtml(), _page(), _page()
    second.file.src_uri = "other.md"
    first.content, second.content = _passed(plugin, first, TABLE), _passed(plugin, second, "<p>other</p>")
    for page in (second, first):
        _run(plugin, page, "_before_the_search")
        _run(plugin, page, "_after_the_search")
    assert (first.content, second.content) == (TABLE, "<p>other</p>")
