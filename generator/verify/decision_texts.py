"""How what a number decides must be written on every page."""

from fractions import Fraction
from typing import Any

from generator.verify.exact import decimal_text, rounded

_NO_PART = "no such part"
_DECIMALS: dict[str, dict[str, int | str]] = {
    "verdict": {"p": "p", "p_adjusted": "p", "power": "%", "more_runs": 0, "family_size": 0},
    "tests": {"p": "p", "lost": 0, "gained": 0, "cases": 0, "replicates": 0, "low": "points", "high": "points"},
    "sequential": {
        **dict.fromkeys(("recorded", "stopped_at", "saved"), 0),
        **dict.fromkeys(("expected_pass", "expected_fail"), 1),
        **dict.fromkeys(("ratio", "lower", "upper"), 2),
    },
}
_DETAIL: dict[str, int | str] = {
    "p": "p",
    **dict.fromkeys(("t_squared", "f", "mean", "deviation", "baseline", "variant", "standardised"), 2),
    "drop": "points",
    **dict.fromkeys(("estimated", "classic"), 1),
    **dict.fromkeys(("smallest_p", "p_adjusted"), "p"),
    **dict.fromkeys(("low", "high", "observed", "power", "agreement", "weight", "baseline_weight"), "%"),
    **dict.fromkeys(("correlation", "design_effect", "start", "lower", "upper", "discount", "cost_ratio"), 2),
    **dict.fromkeys(("cost", "cost_fixed"), "usd"),
    **dict.fromkeys(("own_tokens", "baseline_tokens", "own_ms", "baseline_ms"), 1),
    **dict.fromkeys(("own_usd", "baseline_usd"), "usd"),
    "relative_change": "signed %",
    **dict.fromkeys(("change", "composition_part", "rate_part"), "signed points"),
    **dict.fromkeys(("tau_down", "tau_up", "lambda_down", "lambda_up"), "significant"),
    **{f"coverage_{name}": "%" for name in ("tools", "paths", "states", "boundaries", "models")},
}


def decision_part(number: dict[str, Any], part: str) -> str:
    """The text of `verdict.<field>`, `tests.<method>.<field>` or `sequential.<field>`."""
    of, *names = part.split(".")
    if of == "detail":
        return _detail_part(number["detail"], names)
    source: dict[str, Any] = number.get(of) or {}
    if of == "tests":
        found = [test for test in number["tests"] if test["method"] == names[0]]
        source = found[0] | (found[0]["interval"] or {}) if found else {}
    elif of == "sequential" and source.get("stopped_at") is not None:
        source = source | {"saved": source["recorded"] - source["stopped_at"]}
    value, rule = source.get(names[-1]), _DECIMALS.get(of, {}).get(names[-1])
    if value is None or rule is None:
        return _NO_PART
    return _decision_text(Fraction(value), rule)


def _detail_part(found: Any, names: list[str]) -> str:
    of = names[0] if len(names) == 2 else ""
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    value = len(found) if isinstance(found, list) else found
    if not isinstance(value, int | Fraction) or isinstance(value, bool):
        return _NO_PART
    if of == "figures":
        return decimal_text(Fraction(value), places_of(Fraction(value)))
    if of == "products":
        return decimal_text(Fraction(value) * 100, 2) + "%"
    return _decision_text(Fraction(value), _DETAIL.get(names[-1], 0))


def places_of(value: Fraction) -> int:
    """Decimals of a value that JSON wrote."""
    return next(count for count in range(400) if (value * 10**count).denominator == 1)


def _decision_text(value: Fraction, rule: int | str) -> str:
    if rule == "p":
        return "<0.0001" if value < Fraction(1, 10_000) else decimal_text(value, 4)
    if rule == "%":
        return decimal_text(value * 100, 1) + "%"
    if rule == "significant":
        places = [count for count in range(12) if abs(value) * 10**count >= 100 or not value]
        return decimal_text(value, places[0] if places else 12)
    if rule == "usd":
        return "$" + decimal_text(value, 4)
    if rule == "signed %":
        return ("+" if rounded(value * 100, 2) > 0 else "") + decimal_text(value * 100, 2) + "%"
    if rule == "signed points":
        return ("+" if rounded(value * 100, 1) > 0 else "") + decimal_text(value * 100, 1)
    return decimal_text(value * 100, 1) if rule == "points" else decimal_text(value, int(rule))
