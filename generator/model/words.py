"""Words that findings of all stages share: what a value is, which options there are, which one was probably meant."""

from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice

from generator.model.base import Json

LISTED = 20
"""So many entries of a list stand in a finding; the rest is counted."""
_COMPARED, _LONGEST = 1000, 100
"""Options that a name is compared with, and the length of a name that is: beyond them it would take long."""


def kind_of(value: Json) -> str:
    """What a value is, in words, without showing it."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int):
        return "an integer"
    if isinstance(value, float):
        return "a number with a fraction"
    if isinstance(value, str):
        return "a text"
    return "a list" if isinstance(value, list) else "an object"


def in_words(items: Iterable[str], empty: str = "none") -> str:
    """`a, b, c`; at most `LISTED` of them, the rest counted."""
    shown = list(items)
    rest = len(shown) - LISTED
    text = ", ".join(shown[:LISTED]) or empty
    return f"{text} and {rest} more" if rest > 0 else text


def one_of(options: Iterable[str], what: str) -> str:
    """`one of a, b`; where there is none, that is said of `what` (`a catalogue of catalogs/`)."""
    words = in_words(options, "")
    return f"one of {words}" if words else f"{what}, of which there is none"


def closest(name: str, options: Iterable[str]) -> str | None:
    """The option that was probably meant, whatever the case of its letters; None if nothing is close."""
    if len(name) > _LONGEST:
        return None
    by_folded = {option.casefold(): option for option in islice(options, _COMPARED)}
    found = get_close_matches(name.casefold(), by_folded, n=1)
    return by_folded[found[0]] if found else None


def did_you_mean(name: str, options: Iterable[str], remedy: str) -> str:
    """The remedy for an unknown name, after the option that was probably meant."""
    meant = closest(name, options)
    return remedy if meant is None else f"did you mean `{meant}`? If not, {remedy}"
