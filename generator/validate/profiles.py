"""Rules of box profiles."""

import re
from collections.abc import Iterator

from generator.errors import Finding, Place
from generator.model.profiles import RECORDED_COLUMNS, Factor, Profile
from generator.model.rules import finding, visible_id
from generator.model.source import Source
from generator.model.words import did_you_mean, one_of
from generator.validate.common import unique_ids
from generator.validate.publication import FILE

SMALLEST, LARGEST = 0.000001, 1_000_000
"""Of a limit, a steepness and a weight that are not 0: their squares, products and sums stay within a double."""

_NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")


def check_profiles(source: Source) -> Iterator[Finding]:
    yield from check_profile_name(source)
    for profile in source.profiles.values():
        file = f"profiles/{profile.id}.yaml"
        yield from unique_ids(file, "factors", (factor.name for factor in profile.factors), key="name")
        yield from _check_whole(file, profile)
        for position, factor in enumerate(profile.factors):
            path = f"factors[{position}]"
            yield from _check_name(file, path, factor)
            yield from check_column(file, path, factor, source)
            yield from check_limit(file, path, factor)
            yield from check_steepness(file, path, factor)


def check_profile_name(source: Source) -> Iterator[Finding]:
    """RC150: the profile in force is there."""
    named, there = source.publication.box_profile, sorted(source.profiles)
    if named is not None and named not in source.profiles:
        place, name = Place(FILE, field="box_profile"), visible_id(named)
        remedy = did_you_mean(named, there, f"correct the id, or add profiles/{name}.yaml")
        yield finding("RC150", place, one_of(there, "a file of profiles/"), f"`{name}`", remedy)


def check_column(file: str, path: str, factor: Factor, source: Source) -> Iterator[Finding]:
    """RC151: a column is recorded by runs, or judged; where higher is better it must lie between 0 and 1."""
    rows = [metric for metric in source.metrics.metrics if metric.is_judged and metric.family is None]
    shares = [metric.id for metric in rows if metric.aggregate == "proportion"]
    place = Place(file, field=f"{path}.column")
    known = [*RECORDED_COLUMNS, *(metric.id for metric in rows)]
    if factor.column not in known:
        remedy = did_you_mean(factor.column, known, "name what runs record, or a metric that is judged run by run")
        yield finding("RC151", place, f"one of {', '.join(known)}", f"`{visible_id(factor.column)}`", remedy)
    elif factor.direction == "higher" and factor.column not in shares:
        expected = f"a column of values from 0 to 1, because higher is better: {', '.join(shares)}"
        remedy = "name a ratio, or say `direction: lower`"
        yield finding("RC151", place, expected, f"`{factor.column}`", remedy)


def check_limit(file: str, path: str, factor: Factor) -> Iterator[Finding]:
    """RC152: badness is v ÷ τ or (1 − v) ÷ (1 − τ)."""
    place, found = Place(file, field=f"{path}.tau"), str(factor.tau)
    if factor.direction == "lower" and factor.tau <= 0:
        yield finding("RC152", place, "above 0, because lower is better", found, "correct `tau` or `direction`")
    elif factor.direction == "lower" and not SMALLEST <= factor.tau <= LARGEST**2:
        yield finding("RC152", place, f"{SMALLEST} to {LARGEST**2:,}", found, "correct `tau`, or its unit")
    elif factor.direction == "higher" and not 0 <= factor.tau < 1:
        expected = "from 0 to below 1, because higher is better"
        yield finding("RC152", place, expected, found, "correct `tau` or `direction`")


def check_steepness(file: str, path: str, factor: Factor) -> Iterator[Finding]:
    """RC153: neither steepness nor weight is negative, and neither is beyond what doubles can square and add."""
    for name, value in (("k", factor.k), ("lambda", factor.weight)):
        if not (value == 0 or SMALLEST <= value <= LARGEST):
            expected = f"0, or {SMALLEST} to {LARGEST:,}"
            yield finding("RC153", Place(file, field=f"{path}.{name}"), expected, str(value), f"correct `{name}`")


def _check_whole(file: str, profile: Profile) -> Iterator[Finding]:
    if profile.version < 1:
        place, found = Place(file, field="version"), str(profile.version)
        yield finding("RC108", place, "1 or more", found, "count versions from 1")
    if not any(factor.weight > 0 for factor in profile.factors):
        found = "weights that are all 0" if profile.factors else "no factor"
        place, expected = Place(file, field="factors"), "factors whose weights add up to more than 0"
        yield finding("RC153", place, expected, found, "give a factor a `lambda` above 0")


def _check_name(file: str, path: str, factor: Factor) -> Iterator[Finding]:
    """RC154: names are parts of addresses."""
    if _NAME.fullmatch(factor.name) is None:
        place, found = Place(file, field=f"{path}.name"), f"`{visible_id(factor.name)}`"
        expected = "a lower case letter, then letters, digits and `_`, at most 32"
        yield finding("RC154", place, expected, found, "rename the factor")
