"""Numbers that rest on aggregate evidence, against the figures and tables that the site publishes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from generator.verify.exact import same
from generator.verify.frequencies import FROM_TABLE, OF_SAMPLE, OF_TAIL, one_table, stated
from generator.verify.levels import Levels
from generator.verify.result import VerifyResult

_NEAR_BOUND = Fraction(1, 10**9)


@dataclass
class FromEvidence:
    """What a number must say."""

    value: Fraction | None
    detail: dict[str, Any]
    numerator: int | None = None
    denominator: int | None = None
    missing: int | None = None
    reason: str | None = None
    marks: list[str] = field(default_factory=list)


class EvidenceNumbers:
    """Recomputes the numbers of one entry. `entry` is its file, `metrics` rows of the metric table by id."""

    def __init__(self, entry: dict[str, Any], metrics: dict[str, Any]) -> None:
        self._data = entry["data"]
        self._metrics = metrics
        self._figures = {figure["id"]: figure for figure in self._data["figures"]}
        self._values: dict[str, Fraction | None] = {}
        self.prefix = f"evidence/{entry['id'].lower()}/"

    def made(self, wanted: dict[str, Any]) -> FromEvidence:
        """Of one entry of `numbers` of the data. Differences come after what they compare."""
        metric = self._metrics[wanted["metric"]]
        operation = metric["operation"]
        if operation in FROM_TABLE:
            found = self._of_tables(operation, wanted, metric)
        elif operation == "evidence_difference":
            found = self._difference(wanted)
        else:
            found = _ON_FIGURES[operation](self, wanted)
            found.detail["operation"] = operation
        self._values[self.tail(wanted)] = found.value
        return found

    def tail(self, wanted: dict[str, Any]) -> str:
        """What stands behind the entry in the id."""
        slice_ = self.slice_of(wanted)
        return str(wanted["metric"]) + ("" if slice_ is None else f"--{slice_}")

    def slice_of(self, wanted: dict[str, Any]) -> str | None:
        if wanted["group"] is None:
            return None
        kinds = {group["id"]: group["kind"] for group in self._data["groups"]}
        return f"{kinds[wanted['group']]}-{wanted['group']}"

    def _stated(self, name: str) -> Fraction | None:
        value = self._figures[name]["value"]
        return None if value is None else stated(value)

    def _sum(self, terms: Sequence[str]) -> Fraction | None:
        values = [(self._stated(term.removeprefix("-")), term[0] == "-") for term in terms]
        if any(value is None for value, _ in values):
            return None
        return sum((-value if minus else value for value, minus in values if value is not None), Fraction(0))

    def _shown(self, *lists: Sequence[str]) -> dict[str, Fraction | None]:
        return {name: self._stated(name) for terms in lists for name in (term.removeprefix("-") for term in terms)}

    def _counted(self, term: str) -> str:
        return str(self._figures[term.removeprefix("-")]["unit"])

    def _value(self, wanted: dict[str, Any]) -> FromEvidence:
        figure = self._figures[wanted["figure"]]
        names = [name for name in (wanted["sample"], wanted["missing"]) if name is not None]
        counts = self._counted(wanted["sample"] or figure["id"])
        detail = {"counts": counts, "figure": figure["id"], "figures": self._shown([figure["id"], *names])}
        sample, missing = (
            None if wanted[name] is None else self._stated(wanted[name]) for name in ("sample", "missing")
        )
        is_given = figure["value"] is not None
        return FromEvidence(
            self._stated(figure["id"]),
            detail,
            denominator=None if sample is None else int(sample),
            missing=None if missing is None else int(missing),
            reason=None if is_given else "not_in_source",
            marks=["quoted"] if figure["quoted"] and is_given else [],
        )

    def _total(self, wanted: dict[str, Any]) -> FromEvidence:
        terms, value = wanted["terms"], self._sum(wanted["terms"])
        detail = {"counts": self._counted(terms[0]), "terms": terms, "figures": self._shown(terms)}
        return FromEvidence(value, detail, reason="not_in_source" if value is None else None)

    def _two(self, wanted: dict[str, Any], first: str, last: str) -> tuple[list[Fraction | None], dict[str, Any]]:
        lists = [wanted[first], wanted[last]]
        detail = {"counts": self._counted(lists[1][0]), first: lists[0], last: lists[1], "figures": self._shown(*lists)}
        return [self._sum(terms) for terms in lists], detail

    def _ratio(self, wanted: dict[str, Any]) -> FromEvidence:
        (hits, whole), detail = self._two(wanted, "numerator", "denominator")
        value = hits / whole if hits is not None and whole else None
        reason = "not_in_source" if hits is None or whole is None else None if whole else "no_denominator"
        counted = None if hits is None else int(hits)
        return FromEvidence(value, detail, counted, None if whole is None else int(whole), reason=reason)

    def _quotient(self, wanted: dict[str, Any]) -> FromEvidence:
        return self._divided(wanted, "numerator", "denominator", sign=0)

    def _reduction(self, wanted: dict[str, Any]) -> FromEvidence:
        return self._divided(wanted, "before", "after", sign=-1)

    def _change(self, wanted: dict[str, Any]) -> FromEvidence:
        return self._divided(wanted, "before", "after", sign=1)

    def _divided(self, wanted: dict[str, Any], first: str, last: str, sign: int) -> FromEvidence:
        """The quotient of two sums; with a sign, the change from the first to the last relative to the first."""
        (one, other), detail = self._two(wanted, first, last)
        detail["figures"] |= {f"sum_of_{first}": one, f"sum_of_{last}": other}
        if one is None or other is None:
            return FromEvidence(None, detail, reason="not_in_source")
        below = one if sign else other
        if not below:
            return FromEvidence(None, detail, reason="no_denominator")
        return FromEvidence(sign * (other - one) / one if sign else one / other, detail)

    def _of_tables(self, operation: str, wanted: dict[str, Any], metric: dict[str, Any]) -> FromEvidence:
        tables = [table for table in self._data["tables"] if table["id"] in wanted["tables"]]
        table = one_table(tables)
        with_what = Fraction(metric["p"] or 0) if operation == "table_quantile" else stated(wanted["at_most"] or 0)
        found = FROM_TABLE[operation](table, with_what)
        detail = {
            "operation": operation,
            "counts": tables[0]["counts"],
            "tables": [entry["id"] for entry in tables],
            "figures": dict(found.figures),
        }
        is_tail = operation in OF_TAIL and table.saturated > 0 and found.value is not None
        hits, whole = found.counts or (None, table.n if operation in OF_SAMPLE else None)
        missing = table.missing if operation in OF_SAMPLE else None
        reason, marks = None if found.value is not None else "no_record", ["censored"] if is_tail else []
        return FromEvidence(found.value, detail, hits, whole, missing, reason, marks)

    def _difference(self, wanted: dict[str, Any]) -> FromEvidence:
        own, other = (self._values[tail] for tail in wanted["compares"])
        parts = [(part["rate"], part["weight"]) for part in wanted["parts"]]
        pairs = [(self._values[rate], self._values[weight]) for rate, weight in parts]
        products = [None if one is None or other is None else one * other for one, other in pairs]
        known = [product for product in products if product is not None]
        whole = sum(known, Fraction(0)) if len(known) == len(products) else None
        total = {"sum": whole} if products else {}
        detail = {
            "operation": "evidence_difference",
            "parts": [{"rate": self.prefix + rate, "weight": self.prefix + weight} for rate, weight in parts],
            "products": {**{str(place): product for place, product in enumerate(products)}, **total},
        }
        value = None if own is None or other is None else own - other
        return FromEvidence(value, detail, reason="not_in_source" if value is None else None)


_ON_FIGURES = {
    "published_value": EvidenceNumbers._value,
    "published_sum": EvidenceNumbers._total,
    "published_ratio": EvidenceNumbers._ratio,
    "published_quotient": EvidenceNumbers._quotient,
    "relative_reduction": EvidenceNumbers._reduction,
    "relative_change": EvidenceNumbers._change,
}


def check_evidence_interval(
    number: dict[str, Any], wanted: dict[str, Any], made: FromEvidence, levels: Levels, result: VerifyResult
) -> None:
    """Arithmetic on two counts, where the data asks for it, and nowhere else."""
    interval, place = number["interval"], number["id"]
    ends = None
    if wanted["interval"] and made.numerator is not None and made.denominator is not None:
        ends = levels.interval_of(made.numerator, made.denominator)
    if interval is None or ends is None:
        result.compare("intervals", place, "interval", interval is None, ends is None)
        return
    result.compare("methods of intervals", place, "interval method", interval["method"], levels.interval)
    for name, bound in (("low", Fraction(ends[0])), ("high", Fraction(ends[1])), ("level", 1 - levels.alpha)):
        result.checked["intervals"] += 1
        if abs(interval[name] - bound) > _NEAR_BOUND:
            result.differ(place, f"interval {name}", interval[name], bound)


def check_evidence_detail(place: str, what: str, published: Any, made: Any, result: VerifyResult) -> None:
    """Values to the published digits, all else as it is."""
    result.checked["details"] += 1
    if isinstance(made, dict) and isinstance(published, dict):
        result.compare("details", place, f"{what}: names", sorted(published), sorted(made))
        for name in sorted(published.keys() & made.keys()):
            check_evidence_detail(place, f"{what}.{name}", published[name], made[name], result)
    elif isinstance(made, int | Fraction) and not isinstance(made, bool):
        if not same(published, Fraction(made)):
            result.differ(place, what, published, made)
    elif published != made:
        result.differ(place, what, published, made)
