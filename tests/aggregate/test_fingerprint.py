"""The shift of behaviour, against the values of the reference; and what refuses it."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from scipy.stats import ttest_ind

from generator.aggregate.derived import OPERATIONS, SLICED
from generator.aggregate.fingerprint import dimension, feature_value, shift
from generator.aggregate.kinds import KINDS
from generator.model.box import BOX_OPERATIONS
from generator.model.metrics import OPERATIONS as LISTED
from generator.model.rows import Judged, RunRow
from tests.aggregate.build import make_row

NAMES = ("one", "two", "three")
BASELINE = [[1, 2], [2, 3], [3, 3], [4, 5], [5, 5]]
CANDIDATE = [[1, 0], [2, 1], [3, 1], [4, 2]]
# Entry hotelling.p2 of the reference.
T_SQUARED = 10514 / 153
P_VALUE = 0.0007900967913941415


def rows(table: Sequence[Sequence[float | None]], variant: str = "full") -> list[RunRow]:
    made = []
    for sequence, values in enumerate(table, start=1):
        row = make_row(sequence, variant, run_id=f"{variant}-{sequence}")
        judged = {name: Judged("value", value) for name, value in zip(NAMES, values, strict=False)}
        made.append(msgspec.structs.replace(row, assertions=judged))
    return made


def shifted(own: Sequence[Sequence[float | None]], base: Sequence[Sequence[float | None]]) -> Any:
    return shift(NAMES[: len(base[0])], 0.05, rows(own, "budgeted"), rows(base))


def test_the_list_of_operations_is_what_has_code() -> None:
    assert {*OPERATIONS, *KINDS, *SLICED, *BOX_OPERATIONS} == set(LISTED)


def test_a_shift_of_two_features() -> None:
    made = shifted(CANDIDATE, BASELINE)
    assert made.reason is None
    assert made.detail["status"] == "ok"
    assert (made.detail["df1"], made.detail["df2"], made.detail["rank"]) == (2, 6, 2)
    assert made.detail["t_squared"] == pytest.approx(T_SQUARED, rel=1e-9)
    assert float(made.value) == pytest.approx(P_VALUE, rel=1e-9)
    one = made.detail["differences"]["one"]
    # The pooled variance of 1 … 5 and 1 … 4 is (10 + 5)/7.
    assert (one["baseline"], one["variant"]) == (3, 2.5)
    assert one["standardised"] == pytest.approx(-0.5 / (15 / 7) ** 0.5)


def test_features_that_moved_are_named() -> None:
    """SciPy's t-tests of each feature, times two and one by Holm."""
    made = shifted(CANDIDATE, BASELINE)
    plain = [ttest_ind([row[i] for row in CANDIDATE], [row[i] for row in BASELINE]).pvalue for i in range(2)]
    assert plain[1] < 0.025 < plain[0]
    assert made.detail["differences"]["two"]["p"] == pytest.approx(2 * plain[1])
    assert made.detail["differences"]["one"]["p"] == pytest.approx(plain[0])
    assert made.detail["moved"] == ["two"]
    nothing = shifted([[0, 3], [1, 4]], [[0, 3], [1, 4]])
    assert nothing.detail["moved"] == []
    assert nothing.detail["effective"]["p"] == pytest.approx(1)


def test_the_shift_along_the_effective_directions() -> None:
    """Two features of 1 and 1 have one direction, along which the test is the t-test of either."""
    made = shifted([[1, 1], [2, 2], [3, 3], [5, 5]], [[4, 4], [5, 5], [6, 6], [9, 9]])
    effective = made.detail["effective"]
    assert made.reason == "singular"
    assert (effective["status"], effective["directions"], effective["df1"], effective["df2"]) == ("ok", 1, 1, 6)
    assert effective["p"] == pytest.approx(ttest_ind([1, 2, 3, 5], [4, 5, 6, 9]).pvalue)


def test_directions_that_spread_alike_are_not_chosen_between() -> None:
    """Three features without correlation: two hold less than 95%, all three are needed, and none is left out."""
    cube = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    made = shifted(cube, [[x + 1, y, z] for x, y, z in cube])
    assert made.detail["effective"]["directions"] == 3
    assert made.detail["effective"]["t_squared"] == pytest.approx(made.detail["t_squared"])


def test_a_sum_of_features_is_refused_and_the_independent_ones_are_tested() -> None:
    def with_sum(table: list[list[int]]) -> list[list[int]]:
        return [[*row, sum(row)] for row in table]

    made = shifted(with_sum(CANDIDATE), with_sum(BASELINE))
    assert (made.value, made.reason) == (None, "singular")
    assert made.detail["independent"] == ["one", "two"]
    assert made.detail["reduced"]["t_squared"] == pytest.approx(T_SQUARED, rel=1e-9)
    assert made.detail["t_squared"] is None


def test_thirds_that_add_up_to_one_are_collinear() -> None:
    def shares(first: float, second: float) -> list[float]:
        return [round(first, 12), round(second, 12), round(1 - first - second, 12)]

    base = [shares(1 / 3, 1 / 3), shares(1 / 7, 2 / 7), shares(1 / 2, 1 / 6), shares(2 / 9, 4 / 9)]
    own = [shares(1 / 6, 1 / 3), shares(3 / 7, 2 / 7), shares(1 / 9, 1 / 6), shares(2 / 9, 1 / 9)]
    assert shifted(own, base).reason == "singular"


def test_a_constant_that_differs_is_told_and_not_tested() -> None:
    made = shifted([[*row, 1] for row in CANDIDATE], [[*row, 0] for row in BASELINE])
    assert (made.value, made.reason) == (None, "singular")
    assert made.detail["shifted"] == ["three"]
    assert made.detail["reduced"] is None
    assert made.detail["differences"]["three"]["standardised"] is None


def test_a_constant_that_is_equal_takes_no_part() -> None:
    made = shifted([[*row, 7] for row in CANDIDATE], [[*row, 7] for row in BASELINE])
    assert made.detail["constant"] == ["three"]
    assert float(made.value) == pytest.approx(P_VALUE, rel=1e-9)


def test_too_few_runs_for_the_features() -> None:
    assert shifted([[3, 5]], [[1, 2], [2, 1]]).reason == "insufficient_df"


def test_nothing_varies() -> None:
    made = shifted([[1, 1]] * 3, [[1, 1]] * 3)
    assert (made.value, made.reason) == (None, "no_feature_varies")


def test_runs_without_a_feature_are_left_out_and_features_of_one_group_alone_too() -> None:
    base = [[*row, None] for row in BASELINE]
    own = [[*row, 3] for row in CANDIDATE] + [[None, 2, 3]]
    made = shifted(own, base)
    assert made.detail["unrecorded"] == ["three"]
    assert made.detail["n"] == 4
    assert len(made.counted) == 9
    assert float(made.value) == pytest.approx(P_VALUE, rel=1e-9)


def test_no_valid_runs_and_no_record() -> None:
    assert shift(NAMES, 0.05, [], rows(BASELINE)).reason == "no_valid_runs"
    assert shift(NAMES, 0.05, rows([[None]]), rows(BASELINE)).reason == "no_record"


def test_two_features_that_move_together_have_one_direction() -> None:
    made = dimension(NAMES[:2], rows([[1, 10], [2, 20], [3, 30]]))
    assert made.value == 1
    assert made.detail["features"]["two"] == {"mean": 20, "deviation": 10}
    assert dimension(NAMES[:2], rows([[1, 10]])).reason == "single_run"


def test_a_share_is_read_back_as_it_was_counted() -> None:
    assert str(feature_value(0.333333333333)) == "1/3"
    assert str(feature_value(14.2857142857)) == "100/7"
    assert feature_value(1819) == 1819
