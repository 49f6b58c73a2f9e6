"""Mutation scores and violation rates once more, from outcomes of runs and what the batch file says of its variants."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from generator.verify.batches import NOT_GIVEN
from generator.verify.case_tests import drop_p
from generator.verify.evidence import EvidenceRun
from generator.verify.levels import Levels
from generator.verify.made import DerivedDetail
from generator.verify.names import file_name, number_id, variant_name
from generator.verify.recompute import Batch, Recomputed
from generator.verify.result import VerifyResult

KIND_OF = {"mutation_score": "mutation", "violation_rate": "metamorphic"}
_FAMILIES = {
    "mutation_score": ("prompt", "tool", "model", "context"),
    "violation_rate": ("permutation", "perturbation", "composition", "oracle"),
}
_SAYS = {"mutation_score": "mutation", "violation_rate": "relation"}

_Variant = dict[str, Any]


@dataclass(frozen=True)
class KindDerivation:
    """Recomputes the numbers on all runs of a batch of its kind."""

    batch: Batch
    metrics: dict[str, Any]
    levels: Levels

    def needed(self, operation: str, metric: str) -> list[str]:
        """Ids of the numbers that the batch must have, sorted."""
        head = self.batch.head
        base = variant_name(head["baseline"])
        return sorted(number_id(head["id"], base, metric, part) for part in self._groups(operation))

    def recompute(
        self, number: dict[str, Any], operation: str, result: VerifyResult
    ) -> tuple[Recomputed, DerivedDetail]:
        groups = self._groups(operation)
        if number["slice"] not in groups:
            result.differ(number["id"], "number", number["value"], "none: the batch has no such group")
            return Recomputed(), {}
        members = groups[number["slice"]]
        return self._score(members) if operation == "mutation_score" else self._violations(members)

    def _groups(self, operation: str) -> dict[str | None, list[_Variant]]:
        """Slice → variants that it is about, in the order of the batch file."""
        if self.batch.head["kind"] != KIND_OF[operation]:
            return {}
        says = _SAYS[operation]
        members = [variant for variant in self.batch.head["variants"] if variant[says] is not None]
        groups: dict[str | None, list[_Variant]] = {None: members}
        for family in _FAMILIES[operation]:
            own = [variant for variant in members if _family(variant[says]) == family]
            if own:
                groups[f"family-{family}"] = own
        if operation == "violation_rate":
            groups |= {f"relation-{file_name(variant['id'])}": [variant] for variant in members}
        return groups

    def _of(self, variant: str, validity: str = "valid") -> list[EvidenceRun]:
        return [run for run in self.batch.runs if run.variant == variant and run.validity == validity]

    def _good(self, run: EvidenceRun, metric: str) -> bool | None:
        found = run.assertions.get(metric)
        if found is None or found.outcome not in ("hit", "miss"):
            return None
        is_hit = found.outcome == "hit"
        return not is_hit if self.metrics[metric]["direction"] == "lower" else is_hit

    def _tried(self, variant: str) -> list[tuple[EvidenceRun, bool]]:
        outcomes = ((run, self._good(run, self.batch.head["pass_metric"])) for run in self._of(variant))
        return [(run, good) for run, good in outcomes if good is not None]

    def _score(self, members: list[_Variant]) -> tuple[Recomputed, DerivedDetail]:
        original: str = self.batch.head["baseline"]
        able = [variant for variant in members if variant["mutation"]["equivalent"] is None]
        sides = [original, *(variant["id"] for variant in able)]
        tried = {variant: self._tried(variant) for variant in {*sides, *(member["id"] for member in members)}}
        mutants = {
            member["file_name"]: self._mutant(member, tried[original], tried[member["id"]]) for member in members
        }
        words = Counter(mutant["outcome"] for mutant in mutants.values())
        judged = words["killed"] + words["survived"]
        reason = None
        if not judged:
            reason = "no_mutant_judged" if able else "all_mutants_equivalent" if members else "no_mutant_planned"
        passes, trials = _passes(tried[original])
        detail = {
            "killed": words["killed"],
            "survived": words["survived"],
            "judged": judged,
            "equivalent": words["equivalent"] + words["doubtful_equivalent"],
            "original": {"passes": passes, "trials": trials},
            "mutants": mutants,
        }
        counted = {run.run_id for side in sides for run, _ in tried[side]}
        value = Fraction(words["killed"], judged) if judged else None
        made = self._number(sides, counted, value, reason)
        if value is not None and min(len(tried[side]) for side in sides) < self.batch.head["threshold"]:
            made.marks = ["small_n"]
        return made, detail

    def _mutant(
        self, variant: _Variant, original: list[tuple[EvidenceRun, bool]], own: list[tuple[EvidenceRun, bool]]
    ) -> dict[str, Any]:
        mutation, (passes, trials), (before, before_n) = variant["mutation"], _passes(own), _passes(original)
        found: dict[str, Any] = {
            "operator": mutation["operator"],
            "family": _family(mutation),
            "outcome": "not_judged",
            "passes": passes,
            "trials": trials,
            "drop": None,
            "p": None,
        }
        is_declared = mutation["equivalent"] is not None
        if not trials or not before_n:
            return found | ({"outcome": "equivalent"} if is_declared else {})
        drop = Fraction(before, before_n) - Fraction(passes, trials)
        p = drop_p([(before, before_n, passes, trials)])
        is_killed = p < self.levels.alpha and drop >= self.levels.delta
        words = ("equivalent", "doubtful_equivalent") if is_declared else ("survived", "killed")
        return found | {"outcome": words[is_killed], "drop": drop, "p": p}

    def _violations(self, members: list[_Variant]) -> tuple[Recomputed, DerivedDetail]:
        sources = {run.run_id: run for run in self._of(self.batch.head["baseline"])}
        relations: dict[str, Any] = {}
        silent: Counter[str] = Counter()
        violated: set[str] = set()
        counted: set[str] = set()
        for member in members:
            relation = member["relation"]
            metric = relation["metric"] or self.batch.head["pass_metric"]
            kept = {run.run_id: self._kept(relation["expects"], metric, sources, run) for run in self._of(member["id"])}
            silent.update(why for why in kept.values() if isinstance(why, str))
            own = {run for run, is_kept in kept.items() if not isinstance(is_kept, str)}
            broken = {run for run in own if not kept[run]}
            counted, violated = counted | own, violated | broken
            relations[member["file_name"]] = {
                "family": relation["family"],
                "expects": relation["expects"],
                "metric": metric,
                "pairs": len(own),
                "violated": len(broken),
            }
        sides = [member["id"] for member in members]
        value = Fraction(len(violated), len(counted)) if counted else None
        is_there = any(self._of(side) for side in sides)
        reason = None if counted else "no_pair_judged" if is_there else "no_valid_runs"
        made = self._number(sides, counted, value, reason)
        made.numerator, made.numerator_runs = len(violated), violated
        made.interval = self.levels.interval_of(len(violated), len(counted))
        made.method = self.levels.interval
        if counted and len(counted) < self.batch.head["threshold"]:
            made.marks = ["small_n"]
        return made, {"relations": relations, "unpaired": dict(silent)}

    def _kept(self, expects: str, metric: str, sources: dict[str, EvidenceRun], run: EvidenceRun) -> bool | str:
        source = sources.get(run.follows or "")
        if source is None:
            return "source_not_valid"
        before, after = self._good(source, metric), self._good(run, metric)
        if before is None or after is None:
            return "pair_not_judged"
        if expects == "follows" and not before:
            return "source_missed"
        if expects == "not_better" and before:
            return "source_passed"
        return {"same": before is after, "not_better": not after}.get(expects, after)

    def _number(self, sides: list[str], counted: set[str], value: Fraction | None, reason: str | None) -> Recomputed:
        excluded: dict[str, set[str]] = defaultdict(set)
        valid: set[str] = set()
        for run in self.batch.runs:
            if run.variant in sides:
                left_out = f"{run.validity}:{run.reason or NOT_GIVEN}"
                (valid if run.validity == "valid" else excluded[left_out]).add(run.run_id)
        return Recomputed(
            value=value,
            denominator=len(counted),
            runs=counted,
            excluded=dict(excluded),
            missing=valid - counted,
            reason=reason,
        )


def _family(said: dict[str, Any]) -> str:
    """Of a relation its own; of a mutation the component that its operator begins with."""
    return str(said["family"] if "family" in said else said["operator"].partition("_")[0])


def _passes(tried: list[tuple[EvidenceRun, bool]]) -> tuple[int, int]:
    return sum(good for _, good in tried), len(tried)
