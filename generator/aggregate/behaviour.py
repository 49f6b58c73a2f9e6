"""How much of an agent's behaviour the valid runs of a variant have reached, in five dimensions."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from generator.aggregate.made import Detail, Made
from generator.model.batches import Batch
from generator.model.behaviour import boundaries
from generator.model.formatting import exact, published_float
from generator.model.rows import RunRow
from generator.model.source import Source
from generator.stats.coverage import overall_coverage, state_coverage
from generator.stats.richness import chao1

Cover = Callable[[Source, Batch, str, Sequence[RunRow]], Made]


def tools(source: Source, batch: Batch, variant: str, runs: Sequence[RunRow]) -> Made:
    """Never-called tools are named only where the catalogue is public."""
    available, traced = source.tools_of(batch, variant), _traced(runs)
    if not available or not traced:
        return Made(None, traced, _why(runs, traced, "catalog_unknown"))
    called = {tool for run in traced for tool in run.behaviour.tools}
    never = sorted(available - called) if _is_public(source, batch) else None
    detail: Detail = {
        "reached": sorted(called & available),
        "outside": sorted(called - available),
        "total": len(available),
        "never": never,
    }
    return Made(Fraction(len(called & available), len(available)), traced, None, detail)


def paths(source: Source, batch: Batch, variant: str, runs: Sequence[RunRow]) -> Made:
    """Chao1, bias-corrected."""
    traced = _traced(runs)
    found = chao1(Counter(run.behaviour.path for run in traced).values())
    if found.bias_corrected is None or found.classic is None:
        return Made(None, traced, _why(runs, traced, ""))
    detail: Detail = {
        "observed": found.observed,
        "singletons": found.singletons,
        "doubletons": found.doubletons,
        "estimated": published_float(found.bias_corrected),
        "classic": published_float(found.classic),
    }
    return Made(found.coverage, traced, None, detail)


def states(source: Source, batch: Batch, variant: str, runs: Sequence[RunRow]) -> Made:
    traced = _traced(runs)
    if not traced:
        return Made(None, traced, _why(runs, traced, ""))
    reached = {state for run in traced for state in run.behaviour.states}
    scale = source.publication.coverage.state_scale
    value = exact(published_float(state_coverage(len(reached), exact(scale))))
    return Made(
        value, traced, None, {"reached": len(reached), "scale": int(scale) if float(scale).is_integer() else scale}
    )


def input_boundaries(source: Source, batch: Batch, variant: str, runs: Sequence[RunRow]) -> Made:
    """Of the tools that the variant had. Boundaries are named only where the catalogue is public."""
    catalog, available, traced = source.catalog_of(batch), source.tools_of(batch, variant), _traced(runs)
    schemas = [] if catalog is None else [tool for tool in catalog.tools if tool.name in (available or ())]
    all_there_are = {point for tool in schemas for point in boundaries(tool.name, tool.parameters)}
    if not all_there_are or not traced:
        return Made(None, traced, _why(runs, traced, "schemas_unknown"))
    met = all_there_are & {point for run in traced for point in run.behaviour.points}
    is_public = _is_public(source, batch)
    detail: Detail = {
        "count": len(met),
        "total": len(all_there_are),
        "reached": sorted(met) if is_public else None,
        "never": sorted(all_there_are - met) if is_public else None,
    }
    return Made(Fraction(len(met), len(all_there_are)), traced, None, detail)


def models(source: Source, batch: Batch, variant: str, runs: Sequence[RunRow]) -> Made:
    aimed = set(source.publication.coverage.models)
    counted = tuple(run for run in runs if run.behaviour.model is not None)
    if not aimed or not counted:
        return Made(
            None, counted, "no_valid_runs" if not runs else "models_not_configured" if not aimed else "no_record"
        )
    used = {run.behaviour.model for run in counted if run.behaviour.model is not None}
    detail: Detail = {
        "reached": sorted(used & aimed),
        "outside": sorted(used - aimed),
        "total": len(aimed),
        "never": sorted(aimed - used),
    }
    return Made(Fraction(len(used & aimed), len(aimed)), counted, None, detail)


DIMENSIONS: dict[str, Cover] = {
    "coverage_tools": tools,
    "coverage_paths": paths,
    "coverage_states": states,
    "coverage_boundaries": input_boundaries,
    "coverage_models": models,
}


def overall(source: Source, batch: Batch, variant: str, runs: Sequence[RunRow]) -> Made:
    made = {name: cover(source, batch, variant, runs) for name, cover in DIMENSIONS.items()}
    value = overall_coverage([part.value for part in made.values()])
    detail: Detail = {name: None if part.value is None else published_float(part.value) for name, part in made.items()}
    reason = None if value is not None else "no_valid_runs" if not runs else "dimension_unknown"
    return Made(None if value is None else exact(published_float(value)), tuple(runs), reason, detail)


COVERAGES: dict[str, Cover] = {**DIMENSIONS, "coverage": overall}


def _traced(runs: Iterable[RunRow]) -> tuple[RunRow, ...]:
    return tuple(run for run in runs if run.behaviour.path is not None)


def _is_public(source: Source, batch: Batch) -> bool:
    catalog = source.catalog_of(batch)
    return catalog is not None and catalog.public


def _why(runs: Sequence[RunRow], traced: Sequence[RunRow], unknown: str) -> str:
    if not runs:
        return "no_valid_runs"
    return unknown if traced else "no_record"
