"""What is found in a piece of a page."""

from dataclasses import dataclass
from typing import Any

Fact = tuple[str, str]
"""Kind and text. Where an element begins: `main`, `tr` (without text), `section` (what labels it), `tbody` (its id),
`a` (its link), `look` (how it looks); `end` of a `table` or `section`. Where an element ends whose text is kept: its
kind and that text, of a number its id."""


@dataclass(slots=True)
class ShownNumber:
    """The text of a number: of the value, and of each part that follows it; `sort` is the key of its cell."""

    number: str
    href: str
    value: str
    parts: dict[str, str]
    sort: str | None


@dataclass(slots=True)
class ShownCount:
    """A count that stands alone but belongs to a number."""

    number: str
    part: str
    text: str


class Found:
    """What is checked of a piece. Most pieces hold little, and what they do not hold costs nothing.

    `loads` are addresses that a browser fetches by itself. `loose_digits` are texts of the main content that hold
    digits and are neither number nor reference; `named_digits` are those outside of it and in navigation, with the
    address of the link that they stand in, and texts of attributes. `words` are all texts of the main content that are
    neither; `scripts` are the hashes of inline scripts, `facts`
    what stands there in order.

    A line of several `pieces` repeats of them only what a page is asked for as a whole (then `is_of_page`): ids,
    headings, titles, scripts, policies; and facts. `checked` keeps what was said of it in
    each folder, `is_structured` whether its facts are more than a row.
    """

    numbers: tuple[ShownNumber, ...] = ()
    counts: tuple[ShownCount, ...] = ()
    links: tuple[str, ...] = ()
    loads: tuple[str, ...] = ()
    loose_digits: tuple[str, ...] = ()
    named_digits: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()
    ids: tuple[str, ...] = ()
    headings: tuple[tuple[str, str], ...] = ()
    titles: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    policies: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    pieces: tuple["Found", ...] = ()
    checked: dict[str, Any] | None = None
    is_of_page: bool = False
    is_structured: bool | None = None

    def __bool__(self) -> bool:
        return bool(self.__dict__)


def joined(pieces: list[Found]) -> Found | None:
    """What is found in a line made of these pieces."""
    if len(pieces) < 2:
        return pieces[0] if pieces else None
    line = Found()
    line.pieces = tuple(pieces)
    line.facts = tuple([fact for piece in pieces for fact in piece.facts])
    for piece in pieces:
        if piece.is_of_page:
            line.is_of_page = True
            line.ids += piece.ids
            line.headings += piece.headings
            line.titles += piece.titles
            line.scripts += piece.scripts
            line.policies += piece.policies
    return line
