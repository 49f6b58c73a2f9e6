"""Links between the pages of a long list."""

from collections.abc import Sequence
from typing import NamedTuple

from generator.model.addresses import relative
from generator.views.paging import linked_pages


class PageLink(NamedTuple):
    page: int
    href: str


def page_links(page: int, paths: Sequence[str], here: str) -> list[PageLink | None]:
    """From `page` of a list whose pages have these addresses; None for a gap, nothing where there is one page."""
    if len(paths) == 1:
        return []
    return [
        None if place is None else PageLink(place, relative(paths[place - 1], here))
        for place in linked_pages(page, len(paths))
    ]
