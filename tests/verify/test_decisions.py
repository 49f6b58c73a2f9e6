"""The second way to decide, against values worked by hand and against SciPy."""

from fractions import Fraction

import pytest
from scipy import stats

from generator.verify.decision_texts import decision_part
from generator.verify.distributions import beta_share, clopper_pearson, student_quantile


@pytest.mark.parametrize(("a", "b"), [(1, 1), (2.5, 7), (180, 21), (0.5, 11), (40, 0.5)])
@pytest.mark.parametrize("x", [0.001, 0.2, 0.5, 0.9, 0.999])
def test_the_incomplete_beta_function(a: float, b: float, x: float) -> None:
    assert beta_share(a, b, x) == pytest.approx(float(stats.beta.cdf(x, a, b)), rel=1e-10, abs=1e-14)


@pytest.mark.parametrize("degrees", [1, 2, 5, 22, 400])
@pytest.mark.parametrize("tail", [0.025, 0.005, 0.2])
def test_quantiles_of_student(degrees: int, tail: float) -> None:
    assert student_quantile(tail, degrees) == pytest.approx(float(stats.t.ppf(tail, degrees)), rel=1e-9)


def test_clopper_pearson_of_the_reference() -> None:
    assert clopper_pearson(45, 50, 0.95) == pytest.approx((0.7819, 0.9667), abs=5e-5)
    assert clopper_pearson(0, 10, 0.95) == pytest.approx((0, 0.3085), abs=5e-5)
    assert clopper_pearson(10, 10, 0.95) == pytest.approx((0.6915, 1), abs=5e-5)


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("verdict.p", "<0.0001"),
        ("verdict.p_adjusted", "0.0123"),
        ("verdict.power", "52.3%"),
        ("verdict.more_runs", "no such part"),
        ("tests.mcnemar.lost", "1,208"),
        ("tests.cluster_bootstrap.low", "\u221227.4"),
        ("tests.stratified.p", "no such part"),
        ("sequential.saved", "24"),
        ("sequential.ratio", "\u22122.26"),
        ("sequential.expected_pass", "77.5"),
        ("verdict.kind", "no such part"),
        ("other.p", "no such part"),
    ],
)
def test_how_a_decision_must_be_written(part: str, text: str) -> None:
    number = {
        "verdict": {
            "kind": "regression",
            "p": Fraction(99, 10**6),
            "p_adjusted": Fraction(1225, 10**5),
            "power": Fraction(523, 1000),
            "more_runs": None,
        },
        "tests": [
            {"method": "mcnemar", "lost": 1208, "interval": None},
            {"method": "cluster_bootstrap", "interval": {"low": Fraction(-274, 1000), "high": Fraction(1, 10)}},
        ],
        "sequential": {
            "recorded": 90,
            "stopped_at": 66,
            "ratio": Fraction(-2255, 1000),
            "expected_pass": Fraction(7746, 100),
        },
    }
    assert decision_part(number, part) == text
