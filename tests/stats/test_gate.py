from itertools import product
from typing import get_args

import pytest

from generator.stats.gate import EXIT_CODES, gate
from generator.stats.verdicts import Verdict

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


@pytest.mark.parametrize("verdicts", list(product(VERDICTS, repeat=3)))
@pytest.mark.parametrize("coverage", [None, 0.69, 0.7, 1])
def test_every_decision(verdicts: tuple[Verdict, ...], coverage: float | None) -> None:
    result = gate(verdicts, coverage, 0.7)
    if "fail" in verdicts:
        expected = "block"
    elif "inconclusive" in verdicts or coverage is None or coverage < 0.7:
        expected = "human"
    else:
        expected = "deploy"
    assert result.decision == expected
    assert result.exit_code == EXIT_CODES[result.decision] == {"deploy": 0, "block": 1, "human": 2}[expected]
    assert result.coverage_reached == (None if coverage is None else coverage >= 0.7)


def test_no_scenario_is_no_evidence() -> None:
    assert gate([], 1, 0).suite == "inconclusive"
    assert gate([], 1, 0).decision == "human"


def test_values_outside_their_range_are_refused() -> None:
    with pytest.raises(ValueError, match=r"coverage must lie in \[0, 1\], got 75"):
        gate(["pass"], 75, 0.7)
    with pytest.raises(ValueError, match=r"minimum must lie in \[0, 1\], got 70"):
        gate(["pass"], 0.75, 70)
