"""Numbers on all runs of a batch of mutants or of related pairs: the mutation score, and the violation rate."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from generator.aggregate.groups import Setting
from generator.aggregate.made import Detail, Ground, Made
from generator.aggregate.measures import make_interval
from generator.model.addresses import slice_name, variant_name
from generator.model.experiments import Variant
from generator.model.formatting import exact, published_float
from generator.model.kinds import COMPONENTS, RELATION_FAMILIES, Relation
from generator.model.metrics import Metric
from generator.model.numbers import Verdict
from generator.model.rows import RunRow
from generator.stats.metamorphic import is_kept, violation_verdict
from generator.stats.mutation import MutantCounts, MutantResult, MutationScore, mutation_score

Judged = tuple[RunRow, bool]


@dataclass(frozen=True)
class Group:
    """`variants` are those whose runs the number rests on; `members` the mutants, or the variants that follow, that it
    is about, in the order of the template."""

    slice: str | None
    variants: tuple[str, ...]
    members: tuple[Variant, ...]


_SILENT = {"follows": "source_missed", "not_better": "source_passed"}
"""Why a pair cannot violate what its relation expects."""
_OUTCOMES = {True: "killed", False: "survived", None: "not_judged"}
_EQUIVALENT = {True: "doubtful_equivalent", False: "equivalent", None: "equivalent"}
"""Of a mutant that is declared to be equivalent: a killing drop speaks against the declaration."""


def mutant_groups(setting: Setting) -> Iterator[Group]:
    """All mutants, and those of each component."""
    if setting.experiment.kind != "mutation":
        return
    mutants = [variant for variant in _planned(setting) if variant.mutation is not None]
    yield _mutants(setting, None, mutants)
    for component in COMPONENTS:
        own = [variant for variant in mutants if variant.mutation and variant.mutation.component == component]
        if own:
            yield _mutants(setting, slice_name("family", component), own)


def relation_groups(setting: Setting) -> Iterator[Group]:
    """All pairs, those of each family, and those of each relation."""
    if setting.experiment.kind != "metamorphic":
        return
    following = [variant for variant in _planned(setting) if variant.relation is not None]
    yield _relations(None, following)
    for family in RELATION_FAMILIES:
        own = [variant for variant in following if variant.relation and variant.relation.family == family]
        if own:
            yield _relations(slice_name("family", family), own)
    for variant in following:
        yield _relations(slice_name("relation", variant.id), [variant])


def score(ground: Ground, group: Group) -> Made:
    """Mutants killed ÷ mutants that can be: equivalents, and mutants without judged runs, are not."""
    levels, original = ground.source.publication.thresholds, ground.setting.experiment.baseline
    every = (original, *(variant.id for variant in group.members))
    judged = {variant: list(_judged(ground, variant)) for variant in every}
    counts = {variant: _counts(runs) for variant, runs in judged.items()}
    result = mutation_score(
        counts[original],
        [
            MutantCounts(variant.id, *counts[variant.id], equivalent=_is_equivalent(variant))
            for variant in group.members
        ],
        delta=exact(levels.delta),
        alpha=exact(levels.alpha),
    )
    counted = tuple(row for variant in group.variants for row, _ in judged[variant])
    # What is declared is held against the runs too, though it stays out of the score.
    as_if_not_declared = mutation_score(
        counts[original],
        [MutantCounts(variant.id, *counts[variant.id]) for variant in group.members],
        delta=exact(levels.delta),
        alpha=exact(levels.alpha),
    )
    detail = _score_detail(ground, group, result, as_if_not_declared.mutants, counts)
    return Made(result.score, counted, _why_no_score(group, result), detail)


def violations(ground: Ground, group: Group) -> Made:
    """Pairs that violate their relation ÷ pairs that could be judged. The run that follows stands for its pair.

    All pairs together have no verdict: relations that hold would cover up one that does not.
    """
    levels, level = ground.source.publication.thresholds, ground.setting.level
    sources = {row.run_id: row for row in ground.runs[ground.setting.experiment.baseline]}
    pairs: dict[str, list[Judged]] = {}
    unpaired: Counter[str] = Counter()
    for variant in group.members:
        relation = variant.relation
        assert relation is not None
        metric = _metric(ground, relation.metric)
        found = [(row, _kept(relation, metric, sources, row)) for row in ground.runs[variant.id]]
        pairs[variant.id] = [(row, kept) for row, kept in found if isinstance(kept, bool)]
        unpaired.update(kept for _, kept in found if isinstance(kept, str))
    judged = [pair for of in pairs.values() for pair in of]
    violated = tuple(row for row, kept in judged if not kept)
    found_verdict = violation_verdict(
        len(violated),
        len(judged),
        epsilon=exact(levels.epsilon),
        delta=exact(levels.delta),
        alpha=exact(levels.alpha),
        method=ground.setting.interval_method,
    )
    ends = None if found_verdict.low is None or found_verdict.high is None else (found_verdict.low, found_verdict.high)
    verdict = Verdict(
        kind="relation",
        outcome=found_verdict.outcome,
        method=found_verdict.method,
        alpha=levels.alpha,
        delta=levels.delta,
        epsilon=levels.epsilon,
        more_runs=found_verdict.more_pairs,
    )
    detail: Detail = {
        "relations": {variant_name(v.id): _relation_detail(ground, v, pairs[v.id]) for v in group.members},
        "unpaired": {reason: unpaired[reason] for reason in sorted(unpaired)},
    }
    return Made(
        value=Fraction(len(violated), len(judged)) if judged else None,
        counted=tuple(row for row, _ in judged),
        reason=None if judged else _why_no_pairs(ground, group),
        detail=detail,
        hits=violated,
        interval=None if ends is None else make_interval(found_verdict.method, level, ends),
        verdict=verdict if group.slice is not None else None,
    )


KINDS: dict[str, tuple[Callable[[Setting], Iterable[Group]], Callable[[Ground, Group], Made]]] = {
    "mutation_score": (mutant_groups, score),
    "violation_rate": (relation_groups, violations),
}
"""Operation → the groups that have a number in a batch, none where it is of another kind, and what it makes of one."""


def _planned(setting: Setting) -> list[Variant]:
    return [variant for variant in setting.experiment.ordered_variants if variant.id in setting.variants]


def _is_equivalent(variant: Variant) -> bool:
    return variant.mutation is not None and variant.mutation.equivalent is not None


def _mutants(setting: Setting, slice_: str | None, members: list[Variant]) -> Group:
    judged = [variant.id for variant in members if not _is_equivalent(variant)]
    return Group(slice_, (setting.experiment.baseline, *judged), tuple(members))


def _relations(slice_: str | None, members: list[Variant]) -> Group:
    return Group(slice_, tuple(variant.id for variant in members), tuple(members))


def _judged(ground: Ground, variant: str) -> Iterator[Judged]:
    """The runs that meet or miss the pass metric, and whether that was good."""
    metric = _metric(ground, None)
    for row in ground.runs[variant]:
        met = _meets(row, metric)
        if met is not None:
            yield row, met


def _metric(ground: Ground, named: str | None) -> Metric:
    """The pass metric, where none is named."""
    return ground.source.metrics.metric(named or ground.setting.experiment.pass_metric)


def _meets(row: RunRow, metric: Metric) -> bool | None:
    """Whether a run does what the metric's direction calls good; None where it does not apply."""
    judged = row.assertions.get(metric.id)
    if judged is None or judged.outcome not in ("hit", "miss"):
        return None
    return (judged.outcome == "hit") == (metric.direction != "lower")


def _counts(runs: list[Judged]) -> tuple[int, int]:
    return sum(good for _, good in runs), len(runs)


def _why_no_score(group: Group, result: MutationScore) -> str | None:
    if result.score is not None:
        return None
    if not group.members:
        return "no_mutant_planned"
    return "no_mutant_judged" if len(group.variants) > 1 else "all_mutants_equivalent"


def _score_detail(
    ground: Ground,
    group: Group,
    result: MutationScore,
    found: Sequence[MutantResult],
    counts: Mapping[str, tuple[int, int]],
) -> Detail:
    passes, trials = counts[ground.setting.experiment.baseline]
    members = list(zip(group.members, found, strict=True))
    return {
        "killed": result.killed,
        "survived": result.judged - result.killed,
        "judged": result.judged,
        "equivalent": sum(map(_is_equivalent, group.members)),
        "original": {"passes": passes, "trials": trials},
        "mutants": {variant_name(variant.id): _mutant_detail(variant, one, counts) for variant, one in members},
    }


def _mutant_detail(variant: Variant, found: MutantResult, counts: Mapping[str, tuple[int, int]]) -> Detail:
    assert variant.mutation is not None
    passes, trials = counts[variant.id]
    words = _EQUIVALENT if _is_equivalent(variant) else _OUTCOMES
    return {
        "operator": variant.mutation.operator,
        "family": variant.mutation.component,
        "outcome": words[found.killed],
        "passes": passes,
        "trials": trials,
        "drop": None if found.drop is None else published_float(found.drop),
        "p": None if found.p_value is None else published_float(found.p_value),
    }


def _kept(relation: Relation, metric: Metric, sources: Mapping[str, RunRow], row: RunRow) -> bool | str:
    """Whether the pair keeps its relation, or why it says nothing."""
    source = sources.get(row.source_run_id or "")
    if source is None:
        return "source_not_valid"
    of_source, own = _meets(source, metric), _meets(row, metric)
    if of_source is None or own is None:
        return "pair_not_judged"
    kept = is_kept(relation.expects, of_source, own)
    return _SILENT[relation.expects] if kept is None else kept


def _relation_detail(ground: Ground, variant: Variant, pairs: list[Judged]) -> Detail:
    relation = variant.relation
    assert relation is not None
    return {
        "family": relation.family,
        "expects": relation.expects,
        "metric": _metric(ground, relation.metric).id,
        "pairs": len(pairs),
        "violated": sum(not kept for _, kept in pairs),
    }


def _why_no_pairs(ground: Ground, group: Group) -> str:
    return "no_pair_judged" if any(ground.runs[variant] for variant in group.variants) else "no_valid_runs"
