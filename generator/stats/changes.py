"""What became of a value: a word, decided on exact values."""

from fractions import Fraction

from generator.model.metrics import Direction
from generator.model.numbers import ChangeWord


def change_word(before: Fraction | None, after: Fraction | None, direction: Direction) -> ChangeWord:
    """The word for the step from `before` to `after`.

    Parameters
    ----------
    before, after : Fraction or None
        Exact values on one scale; None where there is no value.
    direction : str
        Which way is better; `neutral` for telemetry, which is never right or wrong.

    Returns
    -------
    `incomparable` if one side is None; `unchanged` if equal (0 to 0 included); `up` or `down` where neutral; else
    `improved` or `regressed`.

    Source
    ------
    Method page (0% → 0% is unchanged); equality is of rationals, never of rounded texts.
    """
    if before is None or after is None:
        return "incomparable"
    if before == after:
        return "unchanged"
    rises = after > before
    if direction == "neutral":
        return "up" if rises else "down"
    return "improved" if rises == (direction == "higher") else "regressed"
