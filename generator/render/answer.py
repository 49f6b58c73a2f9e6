"""The answer of a run, with the places that its judges found marked."""

from collections.abc import Callable

from markupsafe import Markup

from generator.model.assertions import Assertion
from generator.model.evidence import Evidence
from generator.render.environment import Words
from generator.render.escape import foreign, line_kept, marked

_MARKS = {"unmatched": "st-unsourced", "violations": "st-violation"}
"""Lists of places in the details of assertions, and the class of their marks in the answer."""


def answer_block(evidence: Evidence, macros: dict[str, Callable[..., Markup]], words: Words) -> Markup:
    """Nothing where there is no answer."""
    answer = evidence.answer
    if answer is None:
        return Markup()
    text = answer["text"]
    if not isinstance(text, str):
        return macros["cut"](answer)
    spans = _spans(evidence.assertions)
    kinds = {kind for _, _, kind in spans}
    legend = [(kind, words.both(f"evidence.{key}")) for key, kind in _MARKS.items() if kind in kinds]
    return macros["answer_text"](line_kept(marked(text, spans) if spans else foreign(text)), legend, answer)


def _spans(assertions: dict[str, Assertion]) -> list[tuple[int, int, str]]:
    """Where the answer states a number that no source holds, or violates a policy."""
    spans = []
    for assertion in assertions.values():
        for key, places in assertion.detail.items():
            if not places or key not in _MARKS or not isinstance(places, list):
                continue
            kind = _MARKS[key]
            for place in places:
                start, end = (place.get("start"), place.get("end")) if isinstance(place, dict) else (None, None)
                if isinstance(start, int) and isinstance(end, int):
                    spans.append((start, end, kind))
    return spans
