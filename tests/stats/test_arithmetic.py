from fractions import Fraction

import pytest

from generator.stats.arithmetic import Expression, evaluate


def test_expressions_by_hand() -> None:
    # 0.1 + 0.2 is 3/10; 10 − 3 − 2 = 5 and 100/5/2 = 10, from left to right.
    assert evaluate(["+", "0.1", "0.2"]) == Fraction(3, 10)
    assert evaluate(["-", 10, 3, 2]) == 5
    assert evaluate(["/", 100, 5, 2]) == 10
    assert evaluate(["*", ["-", 1, ["/", 1, 3]], 3]) == 2
    assert evaluate(0.1) == Fraction(1, 10)
    assert evaluate(["/", 1, ["-", 2, 2]]) is None


@pytest.mark.parametrize("expression", [["^", 2, 3], ["+", 1], []])
def test_other_expressions_are_refused(expression: Expression) -> None:
    with pytest.raises(ValueError, match=r"expected one of \+ - \* / and two operands or more"):
        evaluate(expression)


def test_texts_that_are_no_number_are_refused() -> None:
    with pytest.raises(ValueError, match="not a decimal number: twelve"):
        evaluate(["+", 1, "twelve"])
