"""How what a number decides is written: p-values, chances, run counts, bounds."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from generator.model.formatting import decimal_text, exact, signed_text
from generator.model.numbers import CaseTest, Number, Sequential, Verdict

COVERAGE_PARTS = ("coverage_tools", "coverage_paths", "coverage_states", "coverage_boundaries", "coverage_models")
SMALLEST_P = Fraction(1, 10_000)
MOST_DECIMALS = 12

_Value = int | float
_Writer = Callable[[_Value], str]


def p_text(p: _Value) -> str:
    """Four decimals; below 0.0001 that bound."""
    value = exact(p)
    return f"<{decimal_text(SMALLEST_P, 4)}" if value < SMALLEST_P else decimal_text(value, 4)


def _count(value: _Value) -> str:
    return decimal_text(exact(value), 0)


def _chance(value: _Value) -> str:
    """Also for the ends of an interval of a difference, whose points are percent."""
    return decimal_text(exact(value) * 100, 1) + "%"


def _points(value: _Value) -> str:
    return decimal_text(exact(value) * 100, 1)


def _change(value: _Value) -> str:
    return signed_text(exact(value) * 100, 1)


def _relative(value: _Value) -> str:
    return signed_text(exact(value) * 100, 2) + "%"


def _ratio(value: _Value) -> str:
    return decimal_text(exact(value), 2)


def _runs(value: _Value) -> str:
    return decimal_text(exact(value), 1)


def _cost(value: _Value) -> str:
    return "$" + decimal_text(exact(value), 4)


def significant_text(value: _Value) -> str:
    """Three significant digits, and all those before the point: of what may be a fraction of a cent or a minute."""
    exactly = abs(exact(value))
    decimals = 0
    while exactly and exactly * 10**decimals < 100 and decimals < MOST_DECIMALS:
        decimals += 1
    return decimal_text(exact(value), decimals)


_VERDICT: Mapping[str, _Writer] = {
    "p": p_text,
    "p_adjusted": p_text,
    "power": _chance,
    "more_runs": _count,
    "family_size": _count,
}
_TEST: Mapping[str, _Writer] = {
    "p": p_text,
    "lost": _count,
    "gained": _count,
    "cases": _count,
    "replicates": _count,
    "low": _points,
    "high": _points,
}
_SEQUENTIAL: Mapping[str, _Writer] = {
    "recorded": _count,
    "stopped_at": _count,
    "saved": _count,
    "ratio": _ratio,
    "lower": _ratio,
    "upper": _ratio,
    "expected_pass": _runs,
    "expected_fail": _runs,
}


_DETAIL: Mapping[str, _Writer] = {
    "p": p_text,
    "drop": _points,
    **dict.fromkeys(("t_squared", "f", "mean", "deviation", "baseline", "variant", "standardised"), _ratio),
    **dict.fromkeys(("estimated", "classic"), _runs),
    **dict.fromkeys((*COVERAGE_PARTS, "low", "high", "observed", "power", "agreement"), _chance),
    **dict.fromkeys(("weight", "baseline_weight"), _chance),
    **dict.fromkeys(("smallest_p", "p_adjusted"), p_text),
    **dict.fromkeys(("correlation", "design_effect", "start", "lower", "upper", "discount", "cost_ratio"), _ratio),
    **dict.fromkeys(("cost", "cost_fixed"), _cost),
    **dict.fromkeys(("own_tokens", "baseline_tokens", "own_ms", "baseline_ms"), _runs),
    **dict.fromkeys(("own_usd", "baseline_usd"), _cost),
    "relative_change": _relative,
    **dict.fromkeys(("change", "composition_part", "rate_part"), _change),
    **dict.fromkeys(("tau_down", "tau_up", "lambda_down", "lambda_up"), significant_text),
}
"""How a value of a detail is written, by its name; counts, and the lengths of lists, as they are."""


def as_stated(value: _Value) -> str:
    """With all the decimals that it has."""
    shown = exact(value)
    decimals = next(count for count in range(40) if (shown * 10**count).denominator == 1)
    return decimal_text(shown, decimals)


def decision_text(number: Number, part: str) -> str:
    """`part` is `verdict.<field>`, `tests.<method>.<field>` or `sequential.<field>`, or
    `detail.<path>` of a derived number.

    Raises KeyError if the number has no such part, or the part no value.
    """
    of, _, name = part.partition(".")
    if of == "detail":
        return _detail(number, part)
    if of == "verdict" and number.verdict is not None:
        return _written(part, _VERDICT, name, _verdict(number.verdict))
    if of == "sequential" and number.sequential is not None:
        return _written(part, _SEQUENTIAL, name, _sequential(number.sequential))
    method, _, field = name.partition(".")
    for test in number.tests:
        if of == "tests" and test.method == method:
            return _written(part, _TEST, field, _test(test))
    raise KeyError(part)


def _detail(number: Number, part: str) -> str:
    """`detail.<path>`: written by what the last name of the path is."""
    *path, name = part.split(".")[1:]
    found: Any = number.detail
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    value = found.get(name) if isinstance(found, dict) else None
    if isinstance(value, list):
        value = len(value)
    if value is None or isinstance(value, bool | str | dict):
        raise KeyError(part)
    if path == ["figures"]:
        return as_stated(value)
    if path == ["products"]:
        return decimal_text(exact(value) * 100, 2) + "%"
    return _DETAIL.get(name, _count)(value)


def _written(part: str, writers: Mapping[str, _Writer], name: str, values: Mapping[str, _Value | None]) -> str:
    value = values.get(name)
    if value is None:
        raise KeyError(part)
    return writers[name](value)


def _verdict(verdict: Verdict) -> dict[str, _Value | None]:
    return {name: getattr(verdict, name) for name in _VERDICT}


def _test(test: CaseTest) -> dict[str, _Value | None]:
    ends = {} if test.interval is None else {"low": test.interval.low, "high": test.interval.high}
    return {name: getattr(test, name) for name in _TEST if name not in ("low", "high")} | ends


def _sequential(sequential: Sequential) -> dict[str, _Value | None]:
    saved = None if sequential.stopped_at is None else sequential.recorded - sequential.stopped_at
    return {name: getattr(sequential, name) for name in _SEQUENTIAL if name != "saved"} | {"saved": saved}
