"""Every ratio of the metric table says what it counts, and says what its aggregate counts. Of aggregate evidence each
datum says it."""

from typing import Any

from generator.verify.result import VerifyResult

_OF_AGGREGATE = {"proportion": "run", "pass_hat": "case"}
_OF_OPERATION = {"violation_rate": "pair", "mutation_score": "mutant", "time_within": "run"}


def check_units(place: str, metrics: dict[str, Any], result: VerifyResult) -> None:
    for name, metric in metrics.items():
        what = f"counts of {name}"
        if metric["unit"] != "ratio" or metric["aggregate"] == "evidence":
            result.compare("units of ratios", place, what, metric["counts"], None)
            continue
        known = _OF_OPERATION.get(metric["operation"] or "") or _OF_AGGREGATE.get(metric["aggregate"])
        result.compare("units of ratios", place, what, metric["counts"], known or metric["counts"] or "a unit")
