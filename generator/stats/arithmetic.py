"""Expressions of the four operations on exact numbers, written as lists with the operator first."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from typing import TypeAlias

from generator.model.formatting import exact

Expression: TypeAlias = "int | float | str | Sequence[Expression]"
"""A number (a text holds a decimal), or `["+", e, e, …]` with an operator of `+ - * /`."""

_OPERATIONS: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": Fraction.__add__,
    "-": Fraction.__sub__,
    "*": Fraction.__mul__,
    "/": Fraction.__truediv__,
}


def evaluate(expression: Expression) -> Fraction | None:
    """The exact value; operands are taken from left to right.

    Parameters
    ----------
    expression : number, decimal text, or list
        `["-", ["/", 112, 139], ["/", 49, 76]]` is 112/139 − 49/76.

    Returns
    -------
    Fraction; None where something is divided by 0.

    Raises
    ------
    ValueError
        An unknown operator, fewer than two operands, or a text that is no decimal.
    """
    try:
        return _value(expression)
    except ZeroDivisionError:
        return None


def _value(expression: Expression) -> Fraction:
    if isinstance(expression, str):
        try:
            return exact(expression)
        except ArithmeticError as error:
            raise ValueError(f"not a decimal number: {expression}") from error
    if isinstance(expression, int | float):
        return exact(expression)
    if len(expression) < 3 or expression[0] not in _OPERATIONS:
        raise ValueError(f"expected one of {' '.join(_OPERATIONS)} and two operands or more, got {expression}")
    return reduce(_OPERATIONS[str(expression[0])], map(_value, expression[1:]))
