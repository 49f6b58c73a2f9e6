"""Which pages of a long list a page of it links to, and their addresses."""

NEIGHBOURS = 2


def linked_pages(page: int, count: int) -> list[int | None]:
    """Places (from 1) of the first page, the last and those around `page`, in order; None where some are left out.

    A page that linked all others would make the pages of a list together grow with the square of its length.
    """
    near = {1, count, *range(max(1, page - NEIGHBOURS), min(count, page + NEIGHBOURS) + 1)}
    shown: list[int | None] = []
    last = 0
    for place in sorted(near):
        if place - last == 2:
            shown.append(place - 1)
        elif place - last > 2:
            shown.append(None)
        shown.append(place)
        last = place
    return shown


def page_path(path: str, page: int) -> str:
    """Address of a further page of a number or list; the first keeps the number's own."""
    return path if page == 1 else f"{path.removesuffix('.html')}--page-{page}.html"
