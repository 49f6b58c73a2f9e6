import statistics
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.stats.moments import frequency_table
from generator.stats.quantiles import percentile_cont

ROWS = st.lists(st.tuples(st.none() | st.integers(-50, 50), st.integers(0, 6)), max_size=12)


@settings(deadline=None, derandomize=True, max_examples=100)
@given(ROWS, st.fractions(0, 1, max_denominator=20))
def test_a_table_is_its_records_written_out(rows: list[tuple[int | None, int]], p: Fraction) -> None:
    table = frequency_table(rows)
    records = [value for value, frequency in rows for _ in range(frequency) if value is not None]
    assert table.n == len(records)
    assert table.missing == sum(frequency for value, frequency in rows if value is None)
    assert table.values == tuple(sorted(set(records)))
    assert table.sum == sum(records)
    assert table.sum_of_squares == sum(value**2 for value in records)
    assert table.mean == (Fraction(sum(records), len(records)) if records else None)
    assert table.quantile(p) == percentile_cont(records, p)
    if len(records) > 1:
        assert table.variance == statistics.variance(map(Fraction, records))
        assert table.standard_deviation == pytest.approx(statistics.stdev(records))
    else:
        assert (table.variance, table.standard_deviation) == (None, None)


def test_decimals_are_taken_as_written() -> None:
    assert frequency_table([(0.1, 3)]).sum == Fraction(3, 10)


def test_impossible_tables_are_refused() -> None:
    with pytest.raises(ValueError, match="a frequency must not be negative, got -1"):
        frequency_table([(3, -1)])
    with pytest.raises(ValueError, match=r"p must lie in \[0, 1\]"):
        frequency_table([(3, 1)]).quantile(Fraction(2))
