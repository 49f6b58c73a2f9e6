"""What the evidence page of a run says of the box, written anew."""

from collections.abc import Iterator
from typing import Any

from generator.verify.box import BoxRules, BoxSaid, shown_value
from generator.verify.evidence import EvidenceRun
from generator.verify.evidence_texts import Expected
from generator.verify.lexicon import Lexicon
from generator.verify.tags import LOOK


def box_section(run: EvidenceRun, profile: dict[str, Any] | None, lexicon: Lexicon) -> Iterator[Expected]:
    """Nothing without a profile, and of a run that is not valid."""
    if profile is None or run.validity != "valid":
        return
    said = BoxRules(profile).said_of(run)
    titles = {factor["name"]: lexicon.text(factor["title"]) for factor in profile["factors"]}
    yield from lexicon.word("box.title")
    yield from _score(said, titles, lexicon)
    yield from lexicon.word("box.run.caption")
    for key in ("factor", "run.value", "limit", "run.badness", "run.loss", "run.weighted", "run.against"):
        yield from lexicon.word(f"box.{key}")
    for factor in profile["factors"]:
        if factor["name"] in said.factors:
            part = said.factors[factor["name"]]
            yield from titles[factor["name"]]
            yield "code", part.value
            for value in (part.x, part.loss, part.weighted):
                yield "code", shown_value(value)
            yield LOOK, "good hit" if part.is_inside else "bad miss"
            yield from lexicon.word(f"box.run.{'within' if part.is_inside else 'crossed'}")
    yield from lexicon.word("box.lead")


def _score(said: BoxSaid, titles: dict[str, Any], lexicon: Lexicon) -> Iterator[Expected]:
    if said.score is None:
        yield from lexicon.word("box.run.no_score")
        yield from lexicon.word("common.colon")
        for name, reason in said.lacking.items():
            yield from lexicon.word("box.run.lacks")
            yield from titles[name]
            yield from lexicon.named("reasons", reason)
        return
    yield from lexicon.word(f"box.run.{'inside' if said.is_inside else 'outside'}")
    yield from lexicon.word("box.run.score")
    yield "code", shown_value(said.score)
    if said.is_below_one and not said.is_inside:
        yield from lexicon.word("box.run.below_but_outside")
