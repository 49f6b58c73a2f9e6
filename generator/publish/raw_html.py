"""Keeps the raw HTML of a page away from what reads it slowly.

Nearly all of a page is HTML when MkDocs gets it. Markdown would parse it to leave it as it is, and the search of the
theme parses every tag of every table and drawing to take it away again: together half the time of building pages.
"""

import re
from typing import Any

from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority
from mkdocs.structure.pages import Page

_BLOCK_TAGS = "article|aside|details|div|dl|figure|footer|form|header|main|nav|ol|p|pre|section|svg|table|tbody|tr|ul"
_BLOCK = re.compile(rf"(?ms)(?:\A|(?<=\n\n))</?(?:{_BLOCK_TAGS})\b(?:(?!\n\n).)*>(?=\n\n|\n?\Z)")
"""What stands between blank lines, and begins and ends as a block of HTML."""

_PLACE = re.compile(r"<!--raw (\d+)-->")
_WORDS = re.compile(r"(?s)<!--words (\d+)-->.*?<!--end of words-->")
_IS_READ_WHOLE = re.compile(r"data-search-exclude|<(?:script|style|object)\b|<h[1-6][^>]*\bid=")
"""Where the search needs the tags: what it shall leave out, and where another section of a page begins."""

_LEFT_OUT = re.compile(r"</?(?!(?:p|code|pre|li|ol|ul|sub|sup)\b)[a-zA-Z][^>]*>")
"""Tags that the search takes away. Templates write `>` in attributes as an entity."""


class RawHtml(BasePlugin):  # type: ignore[type-arg, no-untyped-call]
    """Of each page, blocks of raw HTML pass Markdown as comments, and the search as their words."""

    def __init__(self) -> None:
        super().__init__()
        self._blocks: dict[str, list[str]] = {}

    def on_page_markdown(self, markdown: str, /, *, page: Page, config: Any, files: Any) -> str:
        blocks = self._blocks[page.file.src_uri] = []

        def keep(block: re.Match[str]) -> str:
            blocks.append(block[0])
            return f"<!--raw {len(blocks) - 1}-->"

        return _BLOCK.sub(keep, markdown)

    @event_priority(50)
    def _before_the_search(self, context: Any, /, *, page: Page, config: Any, nav: Any) -> None:
        blocks = self._blocks[page.file.src_uri]

        def read(place: re.Match[str]) -> str:
            block = blocks[int(place[1])]
            if _IS_READ_WHOLE.search(block):
                return block
            return f"<!--words {place[1]}-->{_LEFT_OUT.sub('', block)}<!--end of words-->"

        page.content = _PLACE.sub(read, page.content or "")

    @event_priority(-50)
    def _after_the_search(self, context: Any, /, *, page: Page, config: Any, nav: Any) -> None:
        blocks = self._blocks.pop(page.file.src_uri)
        page.content = _WORDS.sub(lambda words: blocks[int(words[1])], page.content or "")

    on_page_context = CombinedEvent(_before_the_search, _after_the_search)
