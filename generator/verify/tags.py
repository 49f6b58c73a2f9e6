"""What the start of an element means: how its text is read, where it leads, what it loads."""

from collections.abc import Iterator
from dataclasses import dataclass

from generator.verify.active import Forbidden, element_problems, link_problems
from generator.verify.found import Fact
from generator.verify.html_tokens import VOID, Attributes, attributes_of

NUMBER, COUNT, REF, HEADING = "num", "count", "ref", "heading"

LOOK = "look"
"""Kind of a fact: classes for which the style sheet has a colour or a mark."""

_TELLING = {"a": "href", "tr": "", "tbody": "id", "main": "", "section": "aria-labelledby"}
_TONES = frozenset(("st-good", "st-bad", "st-open", "st-soft"))
_SHAPED = frozenset(("st-hit", "st-miss", "st-value", "st-none", "st-out"))

Shape = tuple[str, str, str, str]
"""(name, kind, part, region): all that matters for what stands inside.

`kind` says as what its text is kept (`num`, `count`, `ref`, `heading`, `zh`, `en`, or `code`, `pre`, `time`; empty for
not at all), `part` which part of a number it is, `region` is `main`, `nav`, `exempt` or empty.
"""

_OF_A_NUMBER = frozenset(("rc-verdict", "rc-change"))
"""Classes of words that stand for a value of a number."""
_KEPT_TAGS = frozenset(("code", "pre", "time"))
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_LANGUAGES = {"zh-CN": "zh", "en": "en"}
_EXEMPT_TAGS = frozenset(("pre", "bdi", "time"))
_CHART = frozenset(("svg", "g", "text", "tspan"))
_SHAPES = frozenset(("path", "line", "rect", "circle", "ellipse", "polygon", "polyline", "use", "stop", "image"))
_LOADING = ("src", "srcset", "poster", "data", "background", "imagesrcset", "manifest")
_LOADING_RELS = frozenset(("stylesheet", "icon", "preload", "prefetch", "modulepreload", "preconnect", "manifest"))
_LOADING_RELS |= {"dns-prefetch", "prerender", "apple-touch-icon", "mask-icon"}
_SPOKEN_ATTRIBUTES = ("title", "alt", "aria-label", "placeholder", "aria-description", "aria-valuetext", "label")


@dataclass(slots=True)
class Tag:
    """One start tag. `subject` is the number that a number or count is of. `said` are texts of attributes that readers
    see or hear; `sort` is the key by which a cell is sorted; `policy` the content of a `meta` with `http-equiv`;
    `facts` are what it tells about what follows."""

    name: str
    kind: str
    shape: Shape
    is_open: bool
    subject: str
    part: str
    href: str
    anchor: str
    links: tuple[str, ...]
    loads: tuple[str, ...]
    said: tuple[str, ...]
    problems: tuple[Forbidden, ...]
    sort: str | None
    policy: str | None
    facts: tuple[Fact, ...]
    is_noted: bool


def read_tag(written_name: str, written: str) -> Tag:
    """The meaning of a start tag as written."""
    name = written_name.lower()
    attributes = attributes_of(written)
    closes_itself = written.endswith("/")
    problems = list(element_problems(name, attributes))
    if closes_itself and name not in VOID | _SHAPES:
        problems.append(("an element that closes itself", f"<{name}/>"))
    links, loads = _addresses(name, attributes)
    problems += [problem for link in links for problem in link_problems(link)]
    kind = _kind(name, attributes)
    if "num" in attributes.get("class", "").split() and kind != NUMBER:
        problems.append(("a number that names none", f'<{name} class="num">'))
    if _OF_A_NUMBER.intersection(attributes.get("class", "").split()) and kind != COUNT:
        problems.append(("a word of a number that names none", f"<{name}>"))
    anchor = attributes.get("id", "") or (attributes.get("name", "") if name == "a" else "")
    policy = attributes.get("content", "") if name == "meta" and "http-equiv" in attributes else None
    said = tuple(attributes[said] for said in _SPOKEN_ATTRIBUTES if attributes.get(said)) + _description(
        name, attributes
    )
    sort = attributes.get("data-sort")
    facts = tuple(_facts(name, attributes))
    noted = (facts, anchor, links, loads, said, problems, sort is not None, policy is not None)
    return Tag(
        name=name,
        kind=kind,
        shape=(name, kind, attributes.get("data-part", "") if kind != COUNT else "", _region(name, kind, attributes)),
        is_open=name not in VOID and not closes_itself,
        subject=attributes.get("data-num" if kind == NUMBER else "data-of", ""),
        part=attributes.get("data-part", ""),
        href=attributes.get("href", ""),
        anchor=anchor,
        links=tuple(links),
        loads=tuple(loads),
        said=said,
        problems=tuple(problems),
        sort=sort,
        policy=policy,
        facts=facts,
        is_noted=any(noted),
    )


def _facts(name: str, attributes: Attributes) -> Iterator[Fact]:
    """What the start of an element tells about what follows."""
    attribute = _TELLING.get(name)
    if attribute is not None:
        yield name, attributes.get(attribute, "")
    look = [given.removeprefix("st-") for given in attributes.get("class", "").split() if given in _TONES | _SHAPED]
    if not _SHAPED.isdisjoint(attributes.get("class", "").split()):
        yield LOOK, " ".join(look)


def _kind(name: str, attributes: Attributes) -> str:
    if "data-num" in attributes:
        return NUMBER
    if "data-of" in attributes:
        return COUNT
    if name in _KEPT_TAGS:
        return name
    if name == "bdi" or "ref" in attributes.get("class", "").split():
        return REF
    if name in _HEADINGS:
        return HEADING
    return _LANGUAGES.get(attributes.get("lang", ""), "") if name in ("span", "a") else ""


def _region(name: str, kind: str, attributes: Attributes) -> str:
    if name in ("main", "nav"):
        return name
    classes = attributes.get("class", "").split()
    is_label = ("axis" in classes and name in _CHART) or ("headerlink" in classes and name == "a")
    return "exempt" if kind in (NUMBER, COUNT) or name in _EXEMPT_TAGS or "ref" in classes or is_label else ""


def _addresses(name: str, attributes: Attributes) -> tuple[list[str], list[str]]:
    """Where an element leads, and what a browser fetches because of it."""
    loads = [attributes[loading] for loading in _LOADING if attributes.get(loading)]
    if "srcset" in attributes or "imagesrcset" in attributes:
        loads = [address for load in loads for address in _candidates(load)]
    hrefs = [attributes[href] for href in ("href", "xlink:href") if href in attributes]
    if name in ("a", "area"):
        return hrefs, loads
    if name == "link" and _LOADING_RELS.isdisjoint(attributes.get("rel", "").lower().split()):
        return hrefs, loads
    return [], loads + [href for href in hrefs if href]


def _candidates(source_set: str) -> list[str]:
    """Addresses of `a.png 1x, b.png 2x`; of a plain address itself."""
    return [candidate.split()[0] for candidate in source_set.split(",") if candidate.strip()]


def _description(name: str, attributes: Attributes) -> tuple[str, ...]:
    is_said = name == "meta" and attributes.get("name", "").lower() in ("description", "author", "keywords", "title")
    return (attributes.get("content", ""),) if is_said else ()
