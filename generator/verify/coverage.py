"""Dimensions of coverage once more: tools, paths, states, boundaries, models."""

import math
from collections import Counter
from fractions import Fraction

from generator.verify.evidence import EvidenceRun
from generator.verify.levels import Levels
from generator.verify.made import DerivedDetail, Made, why
from generator.verify.result import VerifyResult


def covered(
    operation: str, runs: list[EvidenceRun], detail: DerivedDetail, levels: Levels, result: VerifyResult
) -> Made:
    """A dimension of coverage of valid runs. `detail` is what the site says of the catalogue."""
    if operation == "coverage_models":
        return _models(runs, levels)
    traced = [run for run in runs if run.reached.path is not None]
    if not traced:
        return None, traced, why(runs, "no_record"), {}
    if operation == "coverage_paths":
        return _paths(traced)
    if operation == "coverage_states":
        states = len({state for run in traced for state in run.reached.states})
        scale = levels.state_scale
        return 1 - math.exp(-states / float(scale)), traced, None, {"reached": states, "scale": scale}
    if not detail:
        result.limits["coverage that rests on what the site does not publish of a catalogue"] += 1
        unknown = {"coverage_tools": "catalog_unknown", "coverage_boundaries": "schemas_unknown"}
        return None, traced, unknown[operation], {}
    if detail["never"] is None:
        result.limits["coverage whose catalogue is not public, taken at its size"] += 1
    made = _tools if operation == "coverage_tools" else _boundaries
    return made(traced, detail)


def _models(runs: list[EvidenceRun], levels: Levels) -> Made:
    counted, aimed = [run for run in runs if run.reached.model is not None], set(levels.models)
    if not counted or not aimed:
        return None, counted, why(runs, "no_record" if aimed else "models_not_configured"), {}
    used = {run.reached.model for run in counted if run.reached.model is not None}
    detail = {
        "reached": sorted(used & aimed),
        "outside": sorted(used - aimed),
        "total": len(aimed),
        "never": sorted(aimed - used),
    }
    return Fraction(len(used & aimed), len(aimed)), counted, None, detail


def _paths(traced: list[EvidenceRun]) -> Made:
    counts = list(Counter(run.reached.path for run in traced).values())
    d, once, twice = len(counts), counts.count(1), counts.count(2)
    estimated = d + Fraction(once * (once - 1), 2 * (twice + 1))
    classic = d + (Fraction(once**2, 2 * twice) if twice else Fraction(once * (once - 1), 2))
    detail = {"observed": d, "singletons": once, "doubletons": twice, "estimated": estimated, "classic": classic}
    return d / estimated, traced, None, detail


def _tools(traced: list[EvidenceRun], said: DerivedDetail) -> Made:
    """A tool that was called is in the catalogue or outside it; which, the site says. Never-called ones were not."""
    called = {tool for run in traced for tool in run.reached.tools}
    inside = called - set(said["outside"])
    never = None if said["never"] is None else sorted(set(said["never"]) - called)
    total = said["total"] if never is None else len(inside) + len(never)
    detail = {"reached": sorted(inside), "outside": sorted(called - inside), "total": total, "never": never}
    return Fraction(len(inside), total) if total else None, traced, None, detail


def _boundaries(traced: list[EvidenceRun], said: DerivedDetail) -> Made:
    if said["never"] is None or said["reached"] is None:
        return Fraction(said["count"], said["total"]), traced, None, said
    points = {point for run in traced for point in run.reached.points}
    named = {*said["reached"], *said["never"]}
    met = named & points
    detail = {"count": len(met), "total": len(named), "reached": sorted(met), "never": sorted(named - met)}
    return Fraction(len(met), len(named)), traced, None, detail
