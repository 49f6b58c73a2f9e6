"""What the recorded runs of a case decide, by the rules of the site."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from generator.errors import Finding
from generator.model.formatting import decimal_text, exact
from generator.model.publication import Thresholds
from generator.model.rules import visible_id
from generator.source.recordings import RecordedRun
from generator.source.yaml_file import load, plain
from generator.stats.sequential import sprt_plan, sprt_run
from generator.stats.thresholds import runs_to_decide, threshold_verdict
from generator.stats.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Levels:
    """θ, α, β, δ of a case, how its interval is made, and how few runs decide nothing."""

    theta: float
    alpha: float
    beta: float
    delta: float
    interval: str
    min_runs: int


@dataclass
class CaseVerdict:
    """`outcomes`: passed or not, one a valid run, in the order of their start. `more_runs` is null where no number of
    runs decides at this rate. `stopped_at`: after how many runs the sequential test would have decided, if it would."""

    case: str
    variant: str
    levels: Levels
    outcomes: list[bool] = field(default_factory=list)
    excluded: dict[str, int] = field(default_factory=dict)
    outcome: Verdict = "inconclusive"
    low: float | None = None
    high: float | None = None
    more_runs: int | None = None
    stopped_at: int | None = None


def levels_of(root: Path, own: Mapping[str, float]) -> Levels:
    """The levels that the mark gives, then those of the source's publication, then the usual ones."""
    usual = _published_levels(root)
    return Levels(
        theta=own.get("theta", usual.theta),
        alpha=own.get("alpha", usual.alpha),
        beta=own.get("beta", usual.beta),
        delta=own.get("delta", usual.delta),
        interval=usual.interval,
        min_runs=usual.min_valid_per_group,
    )


def _published_levels(root: Path) -> Thresholds:
    """The usual ones where there is no source, or one of which the build will speak."""
    if not (root / "publication.yaml").is_file():
        return Thresholds()
    file = load(root, "publication.yaml")
    if isinstance(file, Finding):
        return Thresholds()
    try:
        return msgspec.convert(plain(file.content.get("thresholds") or {}), Thresholds)
    except msgspec.ValidationError:
        return Thresholds()


def case_verdicts(runs: list[RecordedRun], levels: Mapping[str, Levels], usual: Levels) -> list[CaseVerdict]:
    """One for each case and variant, in the order of their first run; `levels` by case."""
    found: dict[tuple[str, str], CaseVerdict] = {}
    for run in runs:
        key = (run.case, run.variant)
        verdict = found.setdefault(key, CaseVerdict(*key, levels=levels.get(run.case, usual)))
        if run.ended.state in ("COMPLETE", "FAILED"):
            verdict.outcomes.append(run.ended.passed is True)
        else:
            reason = f"{run.ended.state.lower()}:{run.ended.reason}"
            verdict.excluded[reason] = verdict.excluded.get(reason, 0) + 1
    return [_decided(verdict) for verdict in found.values()]


def _decided(verdict: CaseVerdict) -> CaseVerdict:
    """As the release decision decides: below the fewest runs nothing is decided."""
    levels, n = verdict.levels, len(verdict.outcomes)
    hits, theta, alpha = sum(verdict.outcomes), exact(levels.theta), exact(levels.alpha)
    method = "clopper_pearson" if levels.interval == "clopper_pearson" else "wilson"
    found = threshold_verdict(hits, n, theta, alpha, method)  # type: ignore[arg-type]
    verdict.outcome, verdict.low, verdict.high = found.outcome, found.low, found.high
    verdict.more_runs = runs_to_decide(hits, n, theta, alpha, method)  # type: ignore[arg-type]
    if n < levels.min_runs:
        verdict.outcome, verdict.more_runs = "inconclusive", max(levels.min_runs - n, verdict.more_runs or 0)
    if levels.delta < levels.theta and levels.alpha + levels.beta < 1:
        plan = sprt_plan(theta, exact(levels.delta), alpha, exact(levels.beta))
        walked = sprt_run(plan, verdict.outcomes)
        if walked.decision in ("pass", "fail") and walked.n_used < n:
            verdict.stopped_at = walked.n_used
    return verdict


def verdict_lines(verdicts: list[CaseVerdict]) -> Iterator[tuple[CaseVerdict, str]]:
    """`pass  test_agent::test_refund  95.0% (19/20) [76.4, 99.1] against 75.0%` …, with what more runs would do.

    Returns
    -------
    (verdict, line) : one or more lines a verdict; those that follow its first one are indented.
    """
    many = len({verdict.variant for verdict in verdicts}) > 1
    for verdict in verdicts:
        n, hits = len(verdict.outcomes), sum(verdict.outcomes)
        name = visible_id(verdict.case) + (f" · {visible_id(verdict.variant)}" if many else "")
        rate = "no valid run" if n == 0 else f"{_percent(hits / n)}% ({hits}/{n})"
        ends = ""
        if verdict.low is not None and verdict.high is not None:
            ends = f" [{_percent(verdict.low)}, {_percent(verdict.high)}]"
        yield verdict, f"{verdict.outcome:<12}  {name}  {rate}{ends} against {_percent(verdict.levels.theta)}%"
        excluded = [f"{reason} {count}" for reason, count in sorted(verdict.excluded.items())]
        for further in (*_further(verdict, n), *excluded):
            yield verdict, f"    {further}"


def _further(verdict: CaseVerdict, n: int) -> Iterator[str]:
    if verdict.outcome == "inconclusive":
        if n < verdict.levels.min_runs:
            yield f"at least {_runs(verdict.more_runs or 0, 'more valid ')} for any verdict"
        elif verdict.more_runs is None:
            yield "no number of runs decides at this rate"
        else:
            yield f"{_runs(verdict.more_runs, 'more ')} would decide at this rate"
    if verdict.stopped_at is not None:
        yield f"the sequential test would have stopped after {_runs(verdict.stopped_at, '')}"


def _runs(count: int, kind: str) -> str:
    return f"{count} {kind}run" + ("" if count == 1 else "s")


def _percent(share: float) -> str:
    return decimal_text(exact(share) * 100, 1)
