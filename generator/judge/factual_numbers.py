"""Numeric hallucination: factual numbers of the answer that no source holds.

`number_scan` finds the numbers, `number_sources` reads the sources, `number_match` compares.
"""

from generator.judge.details import NumericHallucinationDetail, Span, decided
from generator.judge.json_values import leaves
from generator.judge.judgement import Judgement
from generator.judge.number_match import is_held
from generator.judge.number_mentions import Mention
from generator.judge.number_scan import scan
from generator.judge.number_sources import Values, values_in, values_of
from generator.judge.setting import snapshot_values
from generator.model.assertions import Assertion


def numeric_hallucination_rate(judgement: Judgement) -> Assertion:
    """The answer has at least one factual number that no source holds; no number, or no answer, is a miss.

    A number that only the user's prompt holds is not made up; it is listed as echoed.
    """
    answer = judgement.answer
    stated = [mention for mention in scan(answer) if mention.role == "factual"]
    sources = _sources(judgement) if stated else []
    echoed: list[Mention] = []
    unmatched: list[Mention] = []
    for mention in stated:
        if not is_held(mention.what, sources):
            (echoed if is_held(mention.what, judgement.setting.prompt) else unmatched).append(mention)
    detail = NumericHallucinationDetail(
        total=len(stated), unmatched=_spans(answer, unmatched), echoed=_spans(answer, echoed)
    )
    return decided(bool(unmatched), detail)


def _spans(answer: str, mentions: list[Mention]) -> list[Span]:
    return [
        Span(text=answer[mention.start : mention.end], start=mention.start, end=mention.end) for mention in mentions
    ]


def _sources(judgement: Judgement) -> list[Values]:
    """Results and errors of all calls, the snapshot, the built context, and what the case allows to be derived.

    The arguments of a call are the model's own words and no source.
    """
    run, setting = judgement.run, judgement.setting
    errors = [leaves(placed.call.error) for placed in judgement.calls or () if placed.call.error is not None]
    sources = [values for found in (*judgement.result_leaves, *errors) for values in values_of(found)]
    sources += setting.snapshot if run.snapshot is None else snapshot_values(run.snapshot)
    for entry in judgement.built_context:
        if (values := values_in(entry.text)) is not None:
            sources.append(values)
    return [*sources, *setting.allowed]
