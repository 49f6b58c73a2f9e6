"""The operations of the reference, each by the project's own functions, with results in the reference's own shape."""

from collections.abc import Callable
from fractions import Fraction
from statistics import NormalDist
from typing import Any

from generator.model.formatting import MINUS, decimal_text
from generator.stats.arithmetic import evaluate
from generator.stats.box import AT_LIMIT, BoxFactor, box_loss, box_score
from generator.stats.changes import change_word
from generator.stats.coverage import coverage5
from generator.stats.dimension import effective_dimension
from generator.stats.gate import gate
from generator.stats.holm import holm
from generator.stats.hotelling import HotellingTest, hotelling
from generator.stats.missingness import missingness_bounds
from generator.stats.moments import frequency_table
from generator.stats.mutation import MutantCounts, mutation_score
from generator.stats.power import PowerMethod, power_two_proportions
from generator.stats.proportions import clopper_pearson_interval, wilson_interval
from generator.stats.quantiles import percentile_cont, quantile_rank
from generator.stats.ratios import difference, ratio, relative_change
from generator.stats.regression import regression_verdict
from generator.stats.richness import chao1
from generator.stats.rms_loss import rms_loss
from generator.stats.sample_size import SampleSizeForm, sample_size
from generator.stats.sequential import SprtPlan, sprt_plan, sprt_run
from generator.stats.thresholds import threshold_verdict
from generator.stats.two_proportions import compare_proportions
from generator.stats.verdicts import Verdict

Fields = dict[str, Any]

VERDICTS: dict[str, Verdict] = {"PASS": "pass", "FAIL": "fail", "INCONCLUSIVE": "inconclusive"}
VERDICT_WORDS = {word: name for name, word in VERDICTS.items()} | {"continue": "CONTINUE"}
CHANGE_WORDS = {
    "improved": "改善",
    "regressed": "回归",
    "unchanged": "持平",
    "up": "上升",
    "down": "下降",
    "incomparable": "不可比",
}
SAMPLE_SIZE_FORMS: dict[str, SampleSizeForm] = {
    "eq1_two_sided_2pq": "two_sided_baseline_variance",
    "eq6_one_sided_unpooled": "one_sided_unpooled",
    "one_sided_pooled_mean": "one_sided_pooled_mean",
    "one_sided_worst_case": "one_sided_worst_case",
    "one_sample_one_sided": "one_sample_one_sided",
}
POWER_METHODS: tuple[PowerMethod, ...] = ("unpooled", "pooled_null", "arcsine", "fisher_exact")


def exact_number(value: int | str | None) -> Fraction | None:
    return None if value is None else Fraction(value)


def quotient(value: Fraction | None) -> str | None:
    """As the reference writes fractions: p/q, also for whole numbers."""
    return None if value is None else f"{value.numerator}/{value.denominator}"


def number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def digits(value: Fraction, decimals: int) -> str:
    """The displayed digits, with the reference's minus and without the separators of thousands."""
    return decimal_text(value, decimals).replace(MINUS, "-").replace(",", "")


def percent(value: Fraction | None, decimals: int = 2) -> str | None:
    return None if value is None else digits(value * 100, decimals) + "%"


def _ratio(data: Fields) -> Fields:
    value = ratio(data["num"], data["den"])
    return {"fraction": quotient(value), "value": number(value), "percent": percent(value, data["decimals"])}


def _pp_difference(data: Fields) -> Fields:
    value = difference((data["a"][0], data["a"][1]), (data["b"][0], data["b"][1]))
    assert value is not None
    return {"fraction": quotient(value), "value": float(value), "points": digits(value * 100, data["decimals"])}


def _relative_change(data: Fields) -> Fields:
    result = relative_change(data["before"], data["after"])
    return {
        "sum_before": float(result.before),
        "sum_after": float(result.after),
        "change_fraction": quotient(result.change),
        "change": number(result.change),
        "reduction": number(result.reduction),
        "change_percent": percent(result.change, data["decimals"]),
        "reduction_percent": percent(result.reduction, data["decimals"]),
    }


def _arithmetic(data: Fields) -> Fields:
    value = evaluate(data["expr"])
    assert value is not None
    return {"fraction": quotient(value), "value": float(value), "rounded": digits(value, data["decimals"])}


def _missingness_bounds(data: Fields) -> Fields:
    bounds = missingness_bounds(data["count_le"], data["observed"], data["missing"])
    values = {"lower": bounds.low, "upper": bounds.high, "observed_only": bounds.observed_only}
    shown: Fields = {"total": bounds.total} | {name: number(value) for name, value in values.items()}
    if bounds.total == 0:
        return shown
    for name, value in {"lower": bounds.low, "upper": bounds.high, "observed": bounds.observed_only}.items():
        shown[f"{name}_fraction"] = quotient(value)
        shown[f"{name}_percent"] = percent(value)
    return shown | {"width": number(bounds.width)}


def _quantile_rank(data: Fields) -> Fields:
    rank = quantile_rank(data["n"], Fraction(data["p"]))
    assert rank is not None
    return {"h": float(rank.h), "h_fraction": quotient(rank.h), "j": rank.low, "a": float(rank.weight)}


def _quantiles(data: Fields) -> Fields:
    rows = data.get("table") or [[value, 1] for value in data["values"]]
    table = frequency_table((exact_number(value), frequency) for value, frequency in rows)
    records = [value for value, frequency in rows for _ in range(frequency) if value is not None]
    plain = [float(value) if isinstance(value, str) else value for value in records]
    found = [percentile_cont(plain, Fraction(p)) for p in data["p"]]
    assert found == [table.quantile(Fraction(p)) for p in data["p"]]
    return {
        "n": table.n,
        "missing": table.missing,
        "quantiles": [number(value) for value in found],
        "fractions": [quotient(value) for value in found],
    }


def _freq_moments(data: Fields) -> Fields:
    table = frequency_table((exact_number(value), frequency) for value, frequency in data["table"])
    named = {"q1": "0.25", "median": "0.5", "q3": "0.75", "p90": "0.9", "p95": "0.95", "p99": "0.99"}
    quantiles = {name: table.quantile(Fraction(p)) for name, p in named.items()}
    upper, lower = quantiles["q3"], quantiles["q1"]
    return {
        "n": table.n,
        "missing": table.missing,
        "distinct": len(table.values),
        "S1": _plain(table.sum),
        "S2": _plain(table.sum_of_squares),
        "mean_fraction": quotient(table.mean),
        "variance_fraction": quotient(table.variance),
        "mean": number(table.mean),
        "variance": number(table.variance),
        "std": table.standard_deviation,
        "min": number(table.quantile(Fraction(0))),
        "max": number(table.quantile(Fraction(1))),
        "iqr": None if upper is None or lower is None else float(upper - lower),
    } | {name: number(value) for name, value in quantiles.items()}


def _plain(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)


def _wilson(data: Fields) -> Fields:
    interval = wilson_interval(data["k"], data["n"], Fraction(data["confidence"]))
    z = NormalDist().inv_cdf((1 + float(data["confidence"])) / 2)
    if interval is None:
        return dict.fromkeys(("lower", "upper", "center", "half_width"))
    low, high = interval
    # The interval lies evenly about its centre, pinned ends included.
    middle, half = (low + high) / 2, (high - low) / 2
    return {
        "z": z,
        "point": data["k"] / data["n"],
        "center": middle,
        "half_width": half,
        "lower": low,
        "upper": high,
    }


def _clopper_pearson(data: Fields) -> Fields:
    interval = clopper_pearson_interval(data["k"], data["n"], Fraction(data["confidence"]))
    assert interval is not None
    return {"point": data["k"] / data["n"], "lower": interval[0], "upper": interval[1]}


def _threshold_verdict(data: Fields) -> Fields:
    verdict = threshold_verdict(
        data["k"], data["n"], Fraction(data["theta"]), Fraction(data["alpha"]), data["interval"]
    )
    return {"lower": verdict.low, "upper": verdict.high, "verdict": VERDICT_WORDS[verdict.outcome]}


def _two_proportion(data: Fields) -> Fields:
    result = compare_proportions(data["kb"], data["nb"], data["kc"], data["nc"])
    assert result is not None
    return {
        "baseline_rate": float(result.baseline_rate),
        "current_rate": float(result.current_rate),
        "difference": float(result.difference),
        "difference_fraction": quotient(result.difference),
        "fisher_p": float(result.fisher_p),
        "z_pooled": result.z_pooled,
        "p_pooled": result.p_pooled,
        "z_unpooled": result.z_unpooled,
        "p_unpooled": result.p_unpooled,
        "cohens_h": result.cohens_h,
        "odds_ratio": number(result.odds_ratio),
    }


def _regression_verdict(data: Fields) -> Fields:
    delta, alpha, beta = (Fraction(data[name]) for name in ("delta", "alpha", "beta"))
    counts = (data["kb"], data["nb"], data["kc"], data["nc"])
    result = regression_verdict(*counts, delta=delta, alpha=alpha, beta=beta)
    shown = {
        "p_value": number(result.p_value),
        "difference": number(result.difference),
        "power": result.power,
        "verdict": VERDICT_WORDS[result.outcome],
    }
    return shown if data["nb"] == 0 else shown | {"planned_alternative": number(result.planned_alternative)}


def _power(data: Fields) -> Fields:
    rates = Fraction(data["baseline"]), Fraction(data["current"])
    sizes = data["n_baseline"], data["n_current"]
    return {method: power_two_proportions(*rates, *sizes, Fraction(data["alpha"]), method) for method in POWER_METHODS}


def _sample_size(data: Fields) -> Fields:
    given = (Fraction(data[name]) for name in ("p", "delta", "alpha", "beta"))
    rate, delta, alpha, beta = given
    sizes = {name: sample_size(rate, delta, alpha, beta, form) for name, form in SAMPLE_SIZE_FORMS.items()}
    return {"raw": {name: size.raw for name, size in sizes.items()}, "n": {name: s.n for name, s in sizes.items()}}


def _holm(data: Fields) -> Fields:
    result = holm([Fraction(p) for p in data["p"]], Fraction(data["alpha"]))
    return {"adjusted": [float(p) for p in result.adjusted], "reject": list(result.reject)}


def _plan(data: Fields) -> SprtPlan:
    theta, delta, alpha, beta = (Fraction(data[name]) for name in ("theta", "delta", "alpha", "beta"))
    return sprt_plan(theta, delta, alpha, beta)


def _sprt_plan(data: Fields) -> Fields:
    plan = _plan(data)
    names = ("lower", "upper", "step_pass", "step_fail", "asn_h0", "asn_h1", "all_pass_n", "all_fail_n")
    return {name: getattr(plan, name) for name in names}


def _sprt_run(data: Fields) -> Fields:
    result = sprt_run(_plan(data), (mark == "1" for mark in data["sequence"]), data.get("n_max"))
    return {"decision": VERDICT_WORDS[result.decision], "n_used": result.n_used, "llr": result.llr}


def _hotelling_test(test: HotellingTest | None) -> Fields:
    assert test is not None
    return {
        "T2": float(test.t_squared),
        "T2_fraction": quotient(test.t_squared),
        "mahalanobis_sq": float(test.mahalanobis_squared),
        "df1": test.df1,
        "df2": test.df2,
        "F": test.f,
        "p_value": test.p_value,
        "reject": test.reject,
    }


def _hotelling(data: Fields) -> Fields:
    baseline, candidate = ([[Fraction(v) for v in row] for row in data[side]] for side in ("baseline", "candidate"))
    result = hotelling(baseline, candidate, Fraction(data["alpha"]))
    assert result is not None
    assert result.covariance is not None
    shown: Fields = {
        "n_baseline": result.baseline_n,
        "n_candidate": result.candidate_n,
        "p": result.features,
        "mean_difference": [float(value) for value in result.mean_difference],
        "pooled_covariance": [[float(value) for value in row] for row in result.covariance],
        "rank": result.rank,
        "status": result.status,
    }
    if result.status == "ok":
        return shown | _hotelling_test(result.test)
    assert result.test is None
    return shown | {
        "difference_in_range": result.difference_in_range,
        "independent_columns": list(result.independent),
        "T2": None,
        "F": None,
        "p_value": None,
        "reduced": None if result.reduced is None else _hotelling_test(result.reduced),
    }


def _effective_dimension(data: Fields) -> Fields:
    result = effective_dimension(data["rows"], Fraction(data["threshold"]))
    assert result is not None
    return {
        "eigenvalues": list(result.eigenvalues),
        "cumulative": list(result.cumulative),
        "d_eff": result.d_eff,
    }


def _chao1(data: Fields) -> Fields:
    result = chao1(data["counts"])
    shown: Fields = {"d": result.observed, "n": result.n, "f1": result.singletons, "f2": result.doubletons}
    for name in ("classic", "bias_corrected", "classic_n_corrected"):
        value: Fraction | None = getattr(result, name)
        shown[name] = number(value)
        if value is not None:
            shown[f"{name}_fraction"] = quotient(value)
    shown["coverage_classic"] = number(result.coverage_classic)
    shown["coverage_bias_corrected"] = number(result.coverage)
    return shown


def _coverage5(data: Fields) -> Fields:
    result = coverage5(
        tools=(data["tools_used"], data["tools_available"]),
        path_counts=data["path_counts"],
        states=data["abstract_states"],
        state_scale=data["lam"],
        boundaries=(data["boundaries_tested"], data["boundaries_total"]),
        models=(data["models_tested"], data["models_target"]),
    )
    return {
        "tool": number(result.tool),
        "path": number(result.path),
        "state": result.state,
        "boundary": number(result.boundary),
        "model": number(result.model),
        "overall_geometric_mean": result.overall,
    }


def _gate(data: Fields) -> Fields:
    coverage = exact_number(data["coverage_overall"])
    result = gate((VERDICTS[name] for name in data["scenario_verdicts"]), coverage, Fraction(data["coverage_min"]))
    # The reference's `manual` is the project's `human`.
    decision = {"human": "manual"}.get(result.decision, result.decision)
    return {"suite": VERDICT_WORDS[result.suite], "decision": decision, "exit_code": result.exit_code}


def _mutation(data: Fields) -> Fields:
    mutants = [MutantCounts(m["id"], m["passes"], m["trials"], m.get("equivalent", False)) for m in data["mutants"]]
    original = (data["original"][0], data["original"][1])
    result = mutation_score(original, mutants, delta=Fraction(data["delta"]), alpha=Fraction(data["alpha"]))
    shown: list[Fields] = []
    for mutant in result.mutants:
        shown.append({"id": mutant.id, "killed": mutant.killed, "p_value": number(mutant.p_value)})
        if mutant.drop is not None:
            shown[-1]["drop"] = float(mutant.drop)
    return {
        "mutants": shown,
        "killed": result.killed,
        "non_equivalent": result.judged,
        "score": number(result.score),
        "score_fraction": quotient(result.score),
    }


def _box_loss(data: Fields) -> Fields:
    loss = box_loss(Fraction(data["x"]), Fraction(data["k"]))
    return {"loss": loss, "relative_to_threshold": loss / AT_LIMIT}


def _box_trace(data: Fields) -> Fields:
    factors = {
        name: BoxFactor(
            direction="lower" if limit["direction"] == "lower_is_better" else "higher",
            tau=Fraction(limit["tau"]),
            k=Fraction(limit["k"]),
            weight=Fraction(limit["lambda"]),
        )
        for name, limit in data["config"].items()
    }
    result = box_score(factors, {name: Fraction(value) for name, value in data["trace"].items()}, data["method"])
    return {
        "metrics": {
            name: {"x": float(f.x), "loss": f.loss, "weighted_loss": f.weighted_loss, "inside": f.inside}
            for name, f in result.factors.items()
        },
        "reference_score": result.reference,
        "score": result.score,
        "inside_box": result.inside,
    }


def _rms_loss(data: Fields) -> Fields:
    result = rms_loss(Fraction(score) for score in data["scores"])
    names = ("rmsl", "mean", "median", "log1p_mean", "log1p_std")
    return {name: None if result is None else getattr(result, name) for name in names}


def _change_label(data: Fields) -> Fields:
    before, after = exact_number(data["before"]), exact_number(data["after"])
    word = CHANGE_WORDS[change_word(before, after, data["better"])]
    return {"label": word, "delta": None if before is None or after is None else float(after - before)}


OPERATIONS: dict[str, Callable[[Fields], Fields]] = {
    "arithmetic": _arithmetic,
    "box_loss": _box_loss,
    "box_trace": _box_trace,
    "change_label": _change_label,
    "chao1": _chao1,
    "clopper_pearson": _clopper_pearson,
    "coverage5": _coverage5,
    "effective_dimension": _effective_dimension,
    "freq_moments": _freq_moments,
    "gate": _gate,
    "holm": _holm,
    "hotelling": _hotelling,
    "missingness_bounds": _missingness_bounds,
    "mutation": _mutation,
    "power_two_proportion": _power,
    "pp_difference": _pp_difference,
    "quantile_rank": _quantile_rank,
    "quantiles": _quantiles,
    "ratio": _ratio,
    "regression_verdict": _regression_verdict,
    "relative_change": _relative_change,
    "rms_loss": _rms_loss,
    "sample_size": _sample_size,
    "sprt_plan": _sprt_plan,
    "sprt_run": _sprt_run,
    "threshold_verdict": _threshold_verdict,
    "two_proportion": _two_proportion,
    "wilson": _wilson,
}
