"""Gate failures and waived failures once more, from outcomes of runs and the waivers of the batch file."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from generator.verify.batches import NOT_GIVEN
from generator.verify.made import DerivedDetail
from generator.verify.names import file_name, number_id, variant_name
from generator.verify.recompute import Batch, Recomputed

GATES = ("gate_failures", "waived_failures")


@dataclass(frozen=True)
class GateDerivation:
    """Recomputes the counts of failures of one batch; a batch without waivers has none."""

    batch: Batch
    metrics: dict[str, Any]

    def needed(self, operation: str, metric: str) -> list[str]:
        """Ids of the numbers that the batch must have."""
        head = self.batch.head
        variants = head["grid"]["variants"] if head["waivers"] else []
        return [number_id(head["id"], variant_name(variant), metric, None) for variant in variants]

    def recompute(self, number: dict[str, Any], operation: str) -> tuple[Recomputed, DerivedDetail]:
        waived = {waiver["case"] for waiver in self.batch.head["waivers"]}
        metric: str = self.batch.head["pass_metric"]
        good_is = "miss" if self.metrics[metric]["direction"] == "lower" else "hit"
        made = Recomputed()
        outcomes: dict[str, tuple[str, bool]] = {}
        valid = set()
        for run in self.batch.runs:
            if run.variant != number["variant"]:
                continue
            if run.validity != "valid":
                made.excluded.setdefault(f"{run.validity}:{run.reason or NOT_GIVEN}", set()).add(run.run_id)
                continue
            valid.add(run.run_id)
            outcome = run.assertions[metric].outcome
            if outcome in ("hit", "miss"):
                outcomes[run.run_id] = run.case, outcome == good_is
        is_waived = operation == "waived_failures"
        if not is_waived and all(case in waived for case, _ in outcomes.values()):
            outcomes = {}
        failed = {run for run, (case, good) in outcomes.items() if not good and (case in waived) is is_waived}
        made.runs, made.denominator = set(outcomes), len(outcomes)
        made.numerator_runs, made.numerator = failed, len(failed)
        made.missing = valid - set(outcomes)
        if not outcomes:
            made.reason = "not_judged" if valid else "no_valid_runs"
            return made, {}
        made.value = Fraction(len(failed))
        made.marks = ["small_n"] if len(outcomes) < self.batch.head["threshold"] else []
        if not is_waived:
            return made, {"decides": "fail" if failed else "pass", "waived_cases": len(waived)}
        return made, {"cases": {file_name(case): _of_case(case, list(outcomes.values())) for case in waived}}


def _of_case(case: str, outcomes: list[tuple[str, bool]]) -> dict[str, Any]:
    own = [good for of, good in outcomes if of == case]
    return {"case": case, "failures": own.count(False), "judged": len(own)}
