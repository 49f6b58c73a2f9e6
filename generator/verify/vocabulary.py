"""Names that hold digits: they may stand where no number may, in navigation, titles and texts of attributes."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

_DIGITS = re.compile(r"\d")
_IS_NO_NUMBER = re.compile(r"[^\W\d_]|\d{4}-\d\d-\d\d")
"""Such a name may be a part of a text; one that is a number itself must be the whole of it."""
_WORD = re.compile("[A-Za-z0-9_]")
_MARK = re.compile("\u27e6U\\+([0-9A-F]{4,6})\u27e7")
_SKIPPED = frozenset(("runs", "numbers", "runsets", "config_hashes", "sha256"))
"""Lists of a batch file that are long, and name nothing that stands outside of the content."""


def unmarked(text: str) -> str:
    """A shown text without the marks for characters that cannot be seen: with those characters."""
    return _MARK.sub(lambda mark: chr(int(mark[1], 16)), text) if "\u27e6" in text else text


def spaced(text: str) -> str:
    """With one space for each stretch of them."""
    return " ".join(unmarked(text).split())


class Vocabulary:
    """Every text of some records that holds a digit."""

    def __init__(self, records: Iterable[Any]) -> None:
        self._names = {
            name for record in records for name in map(spaced, texts_of_record(record)) if _DIGITS.search(name)
        }
        self._any = _any_of({name for name in self._names if _IS_NO_NUMBER.search(name)})

    def explains(self, text: str, *others: str) -> bool:
        """Whether all digits of a text belong to names, or to one of `others`."""
        rest = spaced(text)
        if rest in self._names:
            return True
        own = sorted({spaced(other) for other in others if _DIGITS.search(other)}, key=len, reverse=True)
        # Names of the page may hold names of the site, and those may hold what its numbers look like.
        for name in own:
            rest = _without(rest, name) if _IS_NO_NUMBER.search(name) else rest
        rest = rest if self._any is None else self._any.sub(" ", rest)
        for name in own:
            rest = _without(rest, name)
        return not _DIGITS.search(rest)


def _without(text: str, name: str) -> str:
    """A text without a name where that stands as a whole: `1` is no part of `21`."""
    before, found, after = text.partition(name)
    if not found:
        return text
    is_part = _WORD.match(before[-1:]) or _WORD.match(after[:1])
    return before + (name if is_part else " ") + _without(after, name)


def _any_of(names: set[str]) -> re.Pattern[str] | None:
    """Longest first, because a name may begin with another one."""
    ordered = sorted(names, key=lambda name: (-len(name), name))
    any_name = "|".join(map(re.escape, ordered))
    return re.compile(rf"(?<!{_WORD.pattern})(?:{any_name})(?!{_WORD.pattern})") if ordered else None


def texts_of_record(record: Any) -> Iterator[str]:
    """Every text in a record, without those of long lists that name nothing."""
    if isinstance(record, str):
        yield record
    elif isinstance(record, dict):
        for key, value in record.items():
            if key not in _SKIPPED:
                yield from texts_of_record(value)
    elif isinstance(record, list):
        for value in record:
            yield from texts_of_record(value)
