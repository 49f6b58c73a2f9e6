"""A strict tokenizer for the HTML of a site: faster than a lenient parser, and it refuses what it does not understand.

A browser mends broken HTML in ways of its own; a page that needs no mending reads the same in both.
"""

import re
from html import unescape

Attributes = dict[str, str]

Token = tuple[str, str, str, str, str, str]
"""(kind, name, attributes, text after the tag, text, what is nothing).

`kind` is empty for the start of an element, a slash for its end, and `=` for an element whose content is text: then
that content is `text`. Without a name there is only `text`. Texts are still escaped; names and attributes as written.
"""

VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])
_ATTRIBUTES = r"""((?:[^<>"']|"[^"]*"|'[^']*')*)"""
_TAG = rf"<(/(?=[a-z][^\s/>]*\s*>)|)([a-z][^\s/>]*){_ATTRIBUTES}>([^<]*)|([^<]+)"
_WHOLE = rf"<(script|style|textarea|title)\b{_ATTRIBUTES}>(.*?)</\1\s*>([^<]*)|<!(?:--.*?--|doctype[^<>]*)>([^<]*)"
_TOKEN = re.compile(f"{_TAG}|(<)", re.DOTALL | re.IGNORECASE)
_NO_WHOLE = r"(?!<(?:script|style|textarea|title)[\s/>])"
_ANY_TOKEN = re.compile(f"{_WHOLE}|{_NO_WHOLE}(?:{_TAG})|(<)", re.DOTALL | re.IGNORECASE)
_MAYBE_WHOLE = re.compile(r"<(?:!|script|style|textarea|title)", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?""")


class MalformedHtml(ValueError):
    """Something that is no tag, no comment and no text."""


def tokens(html: str) -> list[Token]:
    """All tokens of a text, in order. A token whose last part is not empty is no HTML."""
    if not _MAYBE_WHOLE.search(html):
        return _TOKEN.findall(html)
    found: list[Token] = []
    for element, written, content, after, after_comment, *plain in _ANY_TOKEN.findall(html):
        if element:
            found.append(("=", element, written, after, content, ""))
        elif any(plain):
            found.append(tuple(plain))
        else:
            found.append(("", "", "", "", after_comment, ""))
    return found


def attributes_of(written: str) -> Attributes:
    """Names and values of attributes; the first of two of one name counts, as in a browser."""
    found: Attributes = {}
    for name, double, single, bare in _ATTRIBUTE.findall(written):
        value = double or single or bare
        found.setdefault(name.lower(), unescape(value) if "&" in value else value)
    return found
