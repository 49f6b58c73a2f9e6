"""The split of a difference into composition and rates, once more."""

from collections import defaultdict
from fractions import Fraction
from typing import Any

from generator.verify.made import DerivedDetail
from generator.verify.names import file_name, variant_name
from generator.verify.recompute import Batch


def composition_of(batch: Batch, number: dict[str, Any], metric: dict[str, Any]) -> DerivedDetail | None:
    """The detail of a difference between a variant and the baseline; None where categories have the same weights."""
    if metric["aggregate"] != "proportion":
        return None
    baseline: str = batch.head["baseline"]
    tail = f"-vs-{variant_name(baseline)}"
    own = [name for name in batch.head["grid"]["variants"] if variant_name(name) + tail == number["variant"]]
    counts: dict[str, dict[str, list[int]]] = {side: defaultdict(lambda: [0, 0]) for side in (*own, baseline)}
    for run in batch.runs:
        judged = run.assertions.get(metric["id"])
        if run.variant in counts and run.validity == "valid" and judged and judged.outcome in ("hit", "miss"):
            counts[run.variant][run.category][0] += judged.outcome == "hit"
            counts[run.variant][run.category][1] += 1
    if len(own) != 1:
        return None
    ours, theirs = counts[own[0]], counts[baseline]
    totals = [sum(n for _, n in side.values()) for side in (ours, theirs)]
    if 0 in totals:
        return None
    categories = {
        file_name(category): _parts_of_category(category, ours.get(category), theirs.get(category), totals)
        for category in {*ours, *theirs}
    }
    if all(part["weight"] == part["baseline_weight"] for part in categories.values()):
        return None
    whole = {
        name: sum((part[name] for part in categories.values()), Fraction(0))
        for name in ("composition_part", "rate_part")
    }
    return whole | {"categories": categories}


def _parts_of_category(
    category: str, ours: list[int] | None, theirs: list[int] | None, totals: list[int]
) -> dict[str, Any]:
    """One that a group lacks has no rate there: it is composition alone."""
    first, second = ours or theirs or [0, 1], theirs or ours or [0, 1]
    p, q = Fraction(first[0], first[1]), Fraction(second[0], second[1])
    w = Fraction(ours[1] if ours else 0, totals[0])
    v = Fraction(theirs[1] if theirs else 0, totals[1])
    return {
        "category": category,
        "weight": w,
        "baseline_weight": v,
        "composition_part": (w - v) * (p + q) / 2,
        "rate_part": (p - q) * (w + v) / 2,
    }
