import pytest

from generator.views.paging import linked_pages


@pytest.mark.parametrize(
    ("page", "count", "linked"),
    [
        (1, 1, [1]),
        (1, 2, [1, 2]),
        (1, 4, [1, 2, 3, 4]),
        (1, 9, [1, 2, 3, None, 9]),
        (4, 9, [1, 2, 3, 4, 5, 6, None, 9]),
        (5, 9, [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        (6, 12, [1, None, 4, 5, 6, 7, 8, None, 12]),
        (12, 12, [1, None, 10, 11, 12]),
    ],
)
def test_first_last_and_neighbours(page: int, count: int, linked: list[int | None]) -> None:
    assert linked_pages(page, count) == linked


def test_a_page_never_links_more_than_a_few() -> None:
    assert max(len(linked_pages(page, 1000)) for page in range(1, 1001)) == 9
