"""How an outcome looks: a shape and a word, and a tone that only repeats what the word says."""

from functools import lru_cache

import msgspec

from generator.model.assertions import Outcome
from generator.model.metrics import Direction


class Verdict(msgspec.Struct, frozen=True):
    """`tone` is good, bad, open or soft; `shape` is hit, miss, value, none or out; `word` the key of a text. Tone and
    shape are classes, for which the style sheet has a colour and a mark."""

    tone: str
    shape: str
    word: str


NOT_JUDGED = Verdict("soft", "out", "common.outcome.not_counted")
"""Of a run that is not valid."""


@lru_cache(maxsize=64)
def verdict(outcome: Outcome, direction: Direction) -> Verdict:
    """A hit is the event that the metric names: good where higher is better, bad where lower is.

    So `met` and `not_met` are said of the one kind, `occurred` and `not_occurred` of the other; the shape says hit or
    miss for both.
    """
    if outcome == "value":
        return Verdict("soft", "value", "common.outcome.value")
    if outcome == "not_applicable":
        return Verdict("soft", "none", "common.outcome.not_applicable")
    hit = outcome == "hit"
    shape = "hit" if hit else "miss"
    if direction == "higher":
        return Verdict("good" if hit else "bad", shape, f"common.outcome.{'met' if hit else 'not_met'}")
    if direction == "lower":
        return Verdict("bad" if hit else "good", shape, f"common.outcome.{'occurred' if hit else 'not_occurred'}")
    return Verdict("soft", shape, f"common.outcome.{outcome}")
