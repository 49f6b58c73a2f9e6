"""Derived numbers once more: the shift of behaviour and its dimension, and coverage."""

import math
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from generator.verify.assumptions import checked
from generator.verify.batches import NOT_GIVEN
from generator.verify.boundaries import call_tokens, changes_within
from generator.verify.box import BOX_EXACT, BOX_INSIDE, BOX_MARGIN, BOX_OPERATIONS, BoxNumbers, BoxRules
from generator.verify.budget import Planning
from generator.verify.coverage import covered
from generator.verify.evidence import EvidenceRun
from generator.verify.feature_moves import effective_directions, effective_test, f_test, feature_moves, scatter_of
from generator.verify.kinds import KIND_OF, KindDerivation
from generator.verify.levels import Levels
from generator.verify.linear import pivots
from generator.verify.made import DerivedDetail, Made, why
from generator.verify.names import variant_name
from generator.verify.recompute import Batch, Recomputed
from generator.verify.result import VerifyResult
from generator.verify.times import TIMES, TimeDerivation
from generator.verify.waived import GATES, GateDerivation

PAIRED = ("hotelling", "fidelity", "boundary_change", BOX_MARGIN)
_ASSUMED = ("order_drift", "identical_answers", "judge_agreement", "effective_runs")
_LARGEST_DENOMINATOR = 5000
_DIMENSIONS = ("coverage_tools", "coverage_paths", "coverage_states", "coverage_boundaries", "coverage_models")
_NEAR, _TINY = Fraction(1, 10**8), Fraction(1, 10**13)


class Derivation:
    """Recomputes the derived numbers of one batch."""

    def __init__(self, batch: Batch, metrics: dict[str, Any], levels: Levels, result: VerifyResult) -> None:
        self._batch, self._levels, self._result = batch, levels, result
        self.of_kind = KindDerivation(batch, metrics, levels)
        self.of_times = TimeDerivation(batch, levels)
        self.of_gate = GateDerivation(batch, metrics)
        valid: dict[str, list[EvidenceRun]] = {variant: [] for variant in batch.head["grid"]["variants"]}
        for run in batch.runs:
            if run.validity == "valid":
                valid.setdefault(run.variant, []).append(run)
        self._planning = Planning(batch, levels, valid)
        self._box = (
            None if batch.profile is None else BoxNumbers(BoxRules(batch.profile), valid, levels.times["caps_ms"])
        )
        self._features = [name for name, metric in metrics.items() if metric["family"] == "fingerprint"]

    def slices(self, operation: str) -> list[str | None]:
        """Those that each variant must have a number of; None stands for the whole group."""
        if operation not in BOX_OPERATIONS:
            return [None]
        return [] if self._box is None else self._box.slices(operation)

    def drawn_interval(self, number: dict[str, Any], level: float) -> tuple[float, float] | None:
        """Of a difference of RMSL."""
        names = {variant_name(variant): variant for variant in self._batch.head["grid"]["variants"]}
        own, base = (names[side.split("/")[1]] for side in number["compares"])
        return None if self._box is None else self._box.rmsl_interval(own, base, number["id"], level)

    def of_operation(self, operation: str) -> "KindDerivation | TimeDerivation | GateDerivation | None":
        """What knows which numbers an operation has; None where it has one a variant, or a pair of variants."""
        if operation in KIND_OF:
            return self.of_kind
        if operation in TIMES:
            return self.of_times
        return self.of_gate if operation in GATES else None

    def recompute(self, number: dict[str, Any], metric: dict[str, Any]) -> tuple[Recomputed, DerivedDetail]:
        """The number, and its detail."""
        if metric["operation"] in TIMES:
            return self.of_times.recompute(number, metric["operation"], self._result)
        if metric["operation"] in GATES:
            return self.of_gate.recompute(number, metric["operation"])
        if metric["operation"] in KIND_OF:
            return self.of_kind.recompute(number, metric["operation"], self._result)
        sides = self._sides(number, metric)
        group = [run for run in self._batch.runs if run.variant in sides]
        valid = {side: [run for run in group if run.variant == side and run.validity == "valid"] for side in sides}
        value, counted, reason, detail = self._made(metric["operation"], [valid[side] for side in sides], sides, number)
        ids = {run.run_id for run in counted}
        excluded: dict[str, set[str]] = defaultdict(set)
        for run in group:
            if run.validity != "valid":
                excluded[f"{run.validity}:{run.reason or NOT_GIVEN}"].add(run.run_id)
        smallest = min((sum(run.variant == side for run in counted) for side in sides), default=0)
        is_small = value is not None and smallest < self._batch.head["threshold"]
        is_exact = metric["operation"] in BOX_EXACT
        recomputed = Recomputed(
            value=value if isinstance(value, Fraction) and is_exact else _settled(number["value"], value),
            denominator=len(ids),
            runs=ids,
            excluded=dict(excluded),
            missing={run.run_id for run in group if run.validity == "valid"} - ids,
            reason=reason,
            marks=["small_n"] if is_small else [],
        )
        if metric["operation"] in BOX_OPERATIONS and self._box is not None and value is not None:
            recomputed.marks += self._box.marks(counted, number["slice"])
        if metric["operation"] == BOX_INSIDE and self._box is not None:
            recomputed.numerator_runs = self._box.inside(sides[0])
            recomputed.numerator = len(recomputed.numerator_runs)
            recomputed.interval = self._levels.interval_of(recomputed.numerator, len(ids))
            recomputed.method = self._levels.interval
        return recomputed, detail

    def _sides(self, number: dict[str, Any], metric: dict[str, Any]) -> list[str]:
        if metric["operation"] not in PAIRED:
            return [number["variant"]]
        baseline = self._batch.head["baseline"]
        name = variant_name(baseline)
        own = [
            variant
            for variant in self._batch.head["grid"]["variants"]
            if f"{variant_name(variant)}-vs-{name}" == number["variant"]
        ]
        return [*own, baseline]

    def _made(self, operation: str, groups: list[list[EvidenceRun]], sides: list[str], number: dict[str, Any]) -> Made:
        detail = number["detail"] or {}
        if operation in BOX_OPERATIONS:
            if self._box is None or number["slice"] not in self._box.slices(operation):
                raise ValueError("a number of a box that is not there")
            return self._box.made(operation, sides, number["slice"])
        operations: dict[str, Callable[[], Made]] = {
            "hotelling": lambda: self._shift(*groups),
            "effective_dimension": lambda: self._dimension(groups[0]),
            "tokens_per_call": lambda: call_tokens(groups[0]),
            "boundary_change": lambda: changes_within(groups[0], groups[1], self._levels),
            "coverage": lambda: self._overall(groups[0], number),
            "runs_needed": lambda: self._planning.needed(sides[0]),
            "warm_start_runs": lambda: self._planning.warm(sides[0]),
            "fidelity": lambda: self._planning.fidelity(sides),
            "against_earlier": lambda: self._planning.since(sides[0]),
        }
        if operation in _ASSUMED:
            return checked(operation, self._batch, sides[0], groups[0], self._levels)
        if operation in operations:
            return operations[operation]()
        return covered(operation, groups[0], detail, self._levels, self._result)

    def _complete(self, groups: list[list[EvidenceRun]]) -> tuple[list[str], list[list[EvidenceRun]]]:
        recorded = [[run for run in runs if self._has(run, name)] for name in self._features for runs in groups]
        pairs = [recorded[start : start + len(groups)] for start in range(0, len(recorded), len(groups))]
        used = [name for name, of_groups in zip(self._features, pairs, strict=True) if all(of_groups)]
        return used, [[run for run in runs if all(self._has(run, name) for name in used)] for runs in groups]

    @staticmethod
    def _has(run: EvidenceRun, name: str) -> bool:
        return name in run.assertions and run.assertions[name].value is not None

    def _missing(self, used: list[str]) -> list[str]:
        return [name for name in self._features if name not in used]

    def _dimension(self, runs: list[EvidenceRun]) -> Made:
        used, (counted,) = self._complete([runs])
        if not used or len(counted) < 2:
            return None, counted, why(runs, "single_run" if used and counted else "no_record"), {}
        columns = [[_value(run, name) for run in counted] for name in used]
        scatter = scatter_of([columns])
        n = len(counted)
        spread = {
            name: {"mean": sum(column) / n, "deviation": math.sqrt(scatter[place][place] / (n - 1))}
            for place, (name, column) in enumerate(zip(used, columns, strict=True))
        }
        detail = {"threshold": Fraction(95, 100), "unrecorded": self._missing(used), "features": spread}
        return effective_directions(scatter), counted, None, detail

    def _shift(self, own: list[EvidenceRun], base: list[EvidenceRun]) -> Made:
        used, (counted, counted_base) = self._complete([own, base])
        both = counted + counted_base
        if not used or not counted or not counted_base:
            runs = own if not counted else base
            return None, both, why(runs, "no_record"), {}
        names = [name for name in used if len({_value(run, name) for run in both}) > 1]
        detail: DerivedDetail = {
            "n": len(counted),
            "baseline_n": len(counted_base),
            "unrecorded": self._missing(used),
            "constant": [name for name in used if name not in names],
            "differences": {},
        }
        nothing = dict.fromkeys(("t_squared", "f", "df1", "df2", "p"))
        if not names:
            status = "no_feature_varies"
            ranks = dict.fromkeys(("rank", "independent", "shifted", "reduced", "effective", "moved"))
            return None, both, status, detail | nothing | ranks | {"status": status, "tested": 0}
        groups = [[[_value(run, name) for run in runs] for name in names] for runs in (counted_base, counted)]
        means = [[sum(column, Fraction(0)) / len(column) for column in columns] for columns in groups]
        return self._tested(names, groups, means, both, detail | nothing)

    def _tested(
        self,
        names: list[str],
        groups: list[list[list[Fraction]]],
        means: list[list[Fraction]],
        both: list[EvidenceRun],
        detail: DerivedDetail,
    ) -> Made:
        scatter = scatter_of(groups)
        apart = [other - one for one, other in zip(*means, strict=True)]
        n1, n2 = len(groups[0][0]), len(groups[1][0])
        df = n1 + n2 - 2
        found = pivots(scatter, apart)
        status = "ok" if len(found.columns) == len(names) else "singular"
        if df + 1 - len(names) <= 0:
            status = "insufficient_df"
        t_squared = found.distance * df * n1 * n2 / (n1 + n2)
        test = f_test(t_squared, len(found.columns), df) if found.columns and status != "insufficient_df" else None
        is_reduced = status == "singular" and found.in_range
        detail |= {
            "status": status,
            "tested": len(names),
            "rank": len(found.columns),
            "independent": [names[column] for column in found.columns],
            "shifted": [name for j, name in enumerate(names) if not scatter[j][j] and apart[j]],
            "reduced": test if is_reduced else None,
            "effective": effective_test(scatter, apart, n1, n2),
        }
        moves = feature_moves(scatter, apart, n1, n2)
        detail["moved"] = [
            name for name, p in zip(names, moves, strict=True) if p is not None and p < self._levels.alpha
        ]
        detail["differences"] = {
            name: {
                "baseline": means[0][j],
                "variant": means[1][j],
                "standardised": float(apart[j]) / math.sqrt(scatter[j][j] / df) if scatter[j][j] else None,
                "p": moves[j],
            }
            for j, name in enumerate(names)
        }
        if status != "ok" or test is None:
            return None, both, status, detail
        return test["p"], both, None, detail | test

    def _overall(self, runs: list[EvidenceRun], number: dict[str, Any]) -> Made:
        """Of the dimensions as they are recomputed, with what the site says of catalogues."""
        parts = {}
        for name in _DIMENSIONS:
            said = self._batch.details.get((number["variant"], name), {})
            parts[name] = covered(name, runs, said, self._levels, self._result)[0]
        known = [float(value) for value in parts.values() if value is not None]
        value = math.prod(known) ** (1 / len(parts)) if len(known) == len(parts) else None
        return value, list(runs), None if value is not None else why(runs, "dimension_unknown"), dict(parts)


def _value(run: EvidenceRun, name: str) -> Fraction:
    """The share that was meant: the nearest fraction with a small denominator."""
    return Fraction(run.assertions[name].value or 0).limit_denominator(_LARGEST_DENOMINATOR)


def _settled(published: Any, made: int | float | Fraction | None) -> Fraction | None:
    """The published value where the recomputed one, which may have gone through floats, is near enough to it."""
    if made is None:
        return None
    value = Fraction(made)
    if isinstance(published, int | Fraction) and abs(published - value) <= _NEAR * abs(value) + _TINY:
        return Fraction(published)
    return value
