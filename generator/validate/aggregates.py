"""Values that came with a batch, compared with the recomputed ones."""

from fractions import Fraction

from generator.errors import Finding, Place
from generator.model.addresses import variant_name
from generator.model.batches import PublishedAggregate
from generator.model.formatting import decimal_text, round_half_away
from generator.model.numbers import Number
from generator.model.report import BatchReport, Report
from generator.model.rules import finding, visible_id
from generator.model.words import did_you_mean, one_of


def check_aggregates(report: Report) -> list[Finding]:
    """RC403, RC404, RC520: every published aggregate is a number of its batch and agrees with it; a harness's
    own headline may differ where it is explained."""
    heads = {item.batch.id: item.head_name for item in report.source.batches}
    findings: list[Finding] = []
    for batch in report.batches:
        for position, published in enumerate(batch.batch.published_aggregates):
            place = Place(heads[batch.batch.id], field=f"published_aggregates[{position}]")
            problem = _compare(batch, published, place)
            if problem is not None:
                findings.append(problem)
    return findings


def _compare(batch: BatchReport, published: PublishedAggregate, place: Place) -> Finding | None:
    number = batch.number(variant_name(published.variant), published.metric, published.slice)
    if number is None:
        number = batch.number(published.variant, published.metric, published.slice)
    if number is None:
        return _unknown(batch, published, place)
    exact = _exact(number)
    if agrees(published.value, exact) or published.reasons:
        return None
    decimals = len(published.value.partition(".")[2])
    recomputed = f"no value ({number.reason})" if exact is None else _plain(exact, decimals)
    where = Place(place.file, field=f"{place.field}.value")
    if published.name is not None:
        return _unexplained(published, number, recomputed, where)
    remedy = "find out which of them is wrong: the runs, the judge or the published value"
    return finding("RC404", where, f"{recomputed} (recomputed from the runs)", published.value, remedy)


def agrees(published: str, exact: Fraction | None) -> bool:
    """Whether a recomputed value, rounded to the decimals of the published text, equals it."""
    if exact is None:
        return False
    return round_half_away(exact, len(published.partition(".")[2])) == Fraction(published)


def _unexplained(published: PublishedAggregate, number: Number, recomputed: str, where: Place) -> Finding:
    """RC520, with both counts where they are known."""
    expected = f"{recomputed}{_counts(number.numerator, number.denominator)} (recomputed from the runs)"
    found = f"{published.value}{_counts(published.numerator, published.denominator)}"
    remedy = (
        "find out why the harness counts otherwise, and say so under `reasons` of this entry; if nobody knows, the "
        "runs are not all those that its headline is of"
    )
    return finding("RC520", where, expected, found, remedy)


def _counts(numerator: int | None, denominator: int | None) -> str:
    if denominator is None:
        return ""
    return f", {'?' if numerator is None else numerator} of {denominator}"


def _unknown(batch: BatchReport, published: PublishedAggregate, place: Place) -> Finding:
    """RC403: which of metric, variant and slice is the one that the batch does not have."""
    variants = dict.fromkeys(number.variant for number in batch.numbers.values())
    of_variant = [number for number in batch.numbers.values() if number.variant == published.variant]
    if not of_variant:
        field, wanted, options = "variant", published.variant, list(variants)
    elif published.slice is not None:
        field, wanted = "slice", published.slice
        options = [number.slice for number in of_variant if number.metric == published.metric and number.slice]
    else:
        field, wanted, options = "metric", published.metric, list(dict.fromkeys(item.metric for item in of_variant))
    expected = one_of(options, f"a {field} that has numbers in the batch")
    remedy = did_you_mean(wanted, options, f"correct the {field}, or remove the entry")
    where = Place(place.file, field=f"{place.field}.{field}")
    return finding("RC403", where, expected, f"`{visible_id(wanted)}`", remedy)


def _exact(number: Number) -> Fraction | None:
    if number.exact is not None or number.value is None:
        return number.exact
    return Fraction(str(number.value))


def _plain(value: Fraction, decimals: int) -> str:
    """As the published text writes it: a hyphen for minus, no separators."""
    return decimal_text(value, decimals).replace(",", "").replace("\N{MINUS SIGN}", "-")
