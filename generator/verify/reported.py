"""Headlines of a harness: each belongs to a number of its batch, and agrees with it or says why it need not."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from generator.verify.exact import rounded
from generator.verify.names import file_name, variant_name
from generator.verify.result import VerifyResult


def check_headlines(head: dict[str, Any], numbers: list[dict[str, Any]], result: VerifyResult) -> None:
    """Of one batch file, against the published numbers, which are recomputed elsewhere."""
    place = f"api/v1/batches/{file_name(head['id'])}.json"
    for position, own in enumerate(head["published_aggregates"]):
        field = f"published_aggregates[{position}]"
        result.checked["headlines of a harness"] += 1
        number = _headline_number(own, numbers)
        if number is None:
            result.differ(place, field, f"{own['variant']} {own['metric']}", "a number of the batch")
        elif not own["reasons"] and not _headline_agrees(own["value"], number["value"]):
            result.differ(place, field, own["value"], f"{number['value']}, or a reason")


def stated_texts(head: dict[str, Any]) -> Iterator[str]:
    """Values that a harness stated, which pages show as they are written."""
    for own in head["published_aggregates"]:
        yield from (text for text in (own["value"], own["stated"]) if text is not None)


def _headline_number(own: dict[str, Any], numbers: list[dict[str, Any]]) -> dict[str, Any] | None:
    variants = (own["variant"], variant_name(own["variant"]))
    for number in numbers:
        if (number["metric"], number["slice"]) == (own["metric"], own["slice"]) and number["variant"] in variants:
            return number
    return None


def _headline_agrees(text: str, value: Fraction | int | None) -> bool:
    """At the decimals that the headline has."""
    return value is not None and rounded(Fraction(value), len(text.partition(".")[2])) == Fraction(text)
