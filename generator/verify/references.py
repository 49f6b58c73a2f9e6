"""References that look like results: they must be configured values, or parts of names."""

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from generator.verify.exact import all_digits, decimal_text, value_text
from generator.verify.published import Api
from generator.verify.reported import stated_texts
from generator.verify.shown import Published
from generator.verify.vocabulary import texts_of_record

_LIKE_RESULT = re.compile("[+\u2212-]?[\\d,]*(?:\\.\\d+%?|\\d%)|[+\u2212][\\d,]+")
"""A percentage, a decimal number, or one with a sign. Whole numbers are places, versions and counts of pages too."""
_PAGE_OF_CHANGES = "changes.html"
_AROUND = "()[]（），,;；、"
_TOKEN_IN_NAME = re.compile(r"\d[\d.,]*%?")


class References:
    """`records` hold names and definitions."""

    def __init__(self, records: Iterable[Any], api: Api) -> None:
        self._known = set(_configured(api.index["thresholds"]))
        for metric in api.metrics.values():
            for value in (metric["p"], metric.get("target")):
                self._known.update(() if value is None else _as_configured(Fraction(value)))
        for factor in (api.profile or {"factors": []})["factors"]:
            self._known.update(all_digits(Fraction(factor[name])) for name in ("tau", "k", "lambda"))
        for text in (text for record in records for text in texts_of_record(record)):
            self._known.update(token.rstrip(".,") for token in _TOKEN_IN_NAME.findall(text))
        for known in api.numbers.values():
            self._known.update(_earlier(known))
        self._known.update(*map(_stated_values, api.register.entries))
        for batch in api.batches.values():
            self._known.update(*{run.configured for run in batch.runs})
            self._known.update(stated_texts(batch.head))
        # As the API writes them: their metrics may be gone too.
        self._withdrawn = {repr(float(entry["old"])) for entry in api.index["withdrawn"] if entry["old"] is not None}

    def is_strange(self, text: str, address: str) -> bool:
        """Whether a word of a reference looks like a result and is nothing that was configured, nor on the page of
        changes what was withdrawn."""
        known = self._known | self._withdrawn if address.removeprefix("en/") == _PAGE_OF_CHANGES else self._known
        words = (word.strip(_AROUND) for word in text.split())
        return any(_LIKE_RESULT.fullmatch(word) and word not in known for word in words)


def _configured(thresholds: dict[str, Any]) -> Iterator[str]:
    alpha, beta, delta, theta = (Fraction(thresholds[name]) for name in ("alpha", "beta", "delta", "theta"))
    epsilon = Fraction(thresholds["epsilon"])
    for value in (alpha, 1 - alpha, beta, 1 - beta, delta, theta, theta - delta, epsilon, epsilon + delta):
        yield from _as_configured(value)


def _as_configured(value: Fraction) -> Iterator[str]:
    """A configured value as a decimal number and in percent, with as many zeros as somebody might write."""
    for shown, unit in ((value, ""), (value * 100, "%")):
        for decimals in range(5):
            if (shown * 10**decimals).denominator == 1:
                yield decimal_text(shown, decimals) + unit


def _stated_values(entry: dict[str, Any]) -> Iterator[str]:
    """Values that aggregate evidence states, as they are written and with commas between thousands."""
    data = entry["data"] or {"figures": [], "tables": []}
    values = [figure["value"] for figure in data["figures"]]
    values += [value for table in data["tables"] for value, _ in table["rows"]]
    for text in (str(value) for value in values if value is not None):
        decimals = len(text.partition(".")[2])
        yield from (text, decimal_text(Fraction(text), decimals))


def _earlier(known: Published) -> Iterator[str]:
    """What a number was before a restatement."""
    number, metric = known.number, known.metric
    for entry in number["restated"]:
        old = None if entry["old"] is None else Fraction(entry["old"])
        yield value_text(old, metric["unit"], metric["decimals"], number["compares"] is not None)
