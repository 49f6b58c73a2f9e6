"""What no page may hold, whatever its policy says: a browser or a reader might not know the policy."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from generator.verify.html_tokens import Attributes

Forbidden = tuple[str, str]
"""What it is, and what was found."""

_ACTIVE = frozenset(
    ("base", "iframe", "frame", "frameset", "object", "embed", "applet", "portal", "fencedframe", "animate", "set")
)
_SENDING = frozenset(("action", "formaction", "ping", "attributionsrc"))
_HARMLESS = frozenset(("href", "class", "id", "lang", "data-num", "data-of", "data-part", "scope", "translate"))
"""Attributes that hold nothing that a browser would run or send. Addresses of links are looked at elsewhere."""
_FOLLOWED = frozenset(("", "http", "https", "mailto"))
_URL = re.compile(r"""url\(\s*["']?\s*([^"')\s]*)|(@import|expression\(|-moz-binding|image-set\()""", re.IGNORECASE)
_REQUEST = re.compile(r"https?:|//[a-z0-9\[]", re.IGNORECASE)
_PATH = re.compile(r"(?!//)[\w./#%?=&,+~-]*", re.ASCII)
_UNSEEN = re.compile("[\x00-\x20]")


def address_parts(address: str) -> tuple[str, str]:
    """Scheme and host of an address as a browser reads it: control characters and spaces in it do not count."""
    if _PATH.fullmatch(address):
        return "", ""
    try:
        parts = urlsplit(_UNSEEN.sub("", address).replace("\\", "/"))
    except ValueError:
        return "none", address
    return parts.scheme, parts.netloc


def is_foreign(address: str) -> bool:
    """Whether an address leads out of the site."""
    return any(address_parts(address))


def element_problems(name: str, attributes: Attributes) -> Iterator[Forbidden]:
    """Event handlers, elements that load pages or move addresses, and addresses of other hosts in attributes."""
    if name in _ACTIVE:
        yield "an element", f"<{name}>"
    if name == "meta" and attributes.get("http-equiv", "").lower() not in ("", "content-security-policy"):
        yield "a meta element", attributes["http-equiv"]
    for attribute, value in attributes.items():
        if attribute in _HARMLESS:
            continue
        if attribute.startswith("on"):
            yield "an event handler", attribute
        elif attribute == "srcdoc" or (attribute.startswith("xmlns:") and attribute != "xmlns:xlink"):
            yield "an attribute", attribute
        elif attribute in _SENDING and is_foreign(value):
            yield "an address to send to", value
        elif "(" in value or "@" in value:
            yield from ((f"a style in {attribute}", found) for found in style_problems(value, attribute == "style"))


def style_problems(style: str, is_style: bool = True) -> Iterator[str]:
    """What a style would load: anything but a fragment of the page and data that is an image."""
    for address, rule in _URL.findall(style):
        if address and not address.startswith(("#", "data:image/")) and is_foreign(address):
            yield address
        elif rule and is_style:
            yield rule


def link_problems(href: str) -> Iterator[Forbidden]:
    """A link is followed, or it is no link: nothing that runs."""
    scheme, _ = address_parts(href)
    if scheme not in _FOLLOWED:
        yield "a link that is not followed but run", href


def script_problems(content: str) -> Iterator[Forbidden]:
    """Data in a script element names no other host."""
    found = _REQUEST.search(content)
    if found is not None:
        yield "an address of another host in data", content[found.start() : found.start() + 80]
