"""A strict tokenizer for the HTML of a site: faster than a lenient parser, and it refuses what it does not understand.

A browser mends broken HTML in ways of its own; a page that needs no mending reads the same in both.
"""

import re
from html import unescape

Attributes = dict[str, str]

Token = tuple[str, str, str, str, str, str, str, str]
"""(whole, text, end, start, its attributes, element, its attributes, its content): `whole` and those of one kind.

`text` is still escaped; `end` and `start` are names of tags; `element` is one whose `content` is text. Names and
attributes are as written. A comment or doctype has no kind.
"""

VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])
_ATTRIBUTES = r"""((?:[^<>"']|"[^"]*"|'[^']*')*)"""
_TOKEN = re.compile(
    rf"""(([^<]+)                                                            # text
    |</([a-z][^\s/>]*)\s*>                                                   # end tag
    |<(?!(?:script|style|textarea|title)[\s>])([a-z][^\s/>]*){_ATTRIBUTES}>  # start tag
    |<(script|style|textarea|title)\b{_ATTRIBUTES}>(.*?)</\6\s*>             # an element whose content is text
    |<!(?:--.*?--|doctype[^<>]*)>)""",
    re.DOTALL | re.VERBOSE | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?""")


class MalformedHtml(ValueError):
    """Something that is no tag, no comment and no text; `offset` counts characters."""

    def __init__(self, offset: int) -> None:
        super().__init__(f"no HTML at character {offset}")
        self.offset = offset


def tokens(html: str) -> list[Token]:
    """All tokens of a page, in order.

    Raises
    ------
    MalformedHtml
    """
    found = _TOKEN.findall(html)
    if sum(len(token[0]) for token in found) != len(html):
        raise MalformedHtml(_first_gap(html))
    return found


def _first_gap(html: str) -> int:
    position = 0
    for match in _TOKEN.finditer(html):
        if match.start() != position:
            break
        position = match.end()
    return position


def attributes_of(written: str) -> Attributes:
    """Names and values of attributes; the first of two of one name counts, as in a browser."""
    found: Attributes = {}
    for name, double, single, bare in _ATTRIBUTE.findall(written):
        value = double or single or bare
        found.setdefault(name.lower(), unescape(value) if "&" in value else value)
    return found
