"""How an outcome looks: a mark and a word, and a tone that only repeats what the word says."""

from functools import lru_cache

import msgspec

from generator.model.assertions import Outcome
from generator.model.metrics import Direction


class Verdict(msgspec.Struct, frozen=True):
    """`tone` is good, bad, open or soft; `mark` a shape; `word` the key of a text."""

    tone: str
    mark: str
    word: str


NOT_JUDGED = Verdict("soft", "×", "common.outcome.not_counted")
"""Of a run that is not valid."""


@lru_cache(maxsize=64)
def verdict(outcome: Outcome, direction: Direction) -> Verdict:
    """A hit is the event that the metric names: good where higher is better, bad where lower is.

    So `met` and `not_met` are said of the one kind, `occurred` and `not_occurred` of the other; the shape says hit or
    miss for both.
    """
    if outcome == "value":
        return Verdict("soft", "■", "common.outcome.value")
    if outcome == "not_applicable":
        return Verdict("soft", "–", "common.outcome.not_applicable")
    hit = outcome == "hit"
    mark = "●" if hit else "○"
    if direction == "higher":
        return Verdict("good" if hit else "bad", mark, f"common.outcome.{'met' if hit else 'not_met'}")
    if direction == "lower":
        return Verdict("bad" if hit else "good", mark, f"common.outcome.{'occurred' if hit else 'not_occurred'}")
    return Verdict("soft", mark, f"common.outcome.{outcome}")
