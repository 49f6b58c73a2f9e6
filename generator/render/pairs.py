"""What number pages show of mutants and of pairs of runs."""

from typing import Any

from markupsafe import Markup

from generator.model.addresses import relative, run_page, variant_name
from generator.model.metrics import OF_KIND
from generator.model.numbers import Number
from generator.model.report import BatchReport
from generator.model.rows import Judged
from generator.render.names import Names
from generator.render.outcomes import verdict
from generator.views.frame import shown_variants
from generator.views.kinds import PAIRS_SHOWN, Mutant, Pair, Pairs, mutants_of


class KindTables:
    """Of one batch; `here` stands for any number page."""

    def __init__(self, names: Names, batch: BatchReport, here: str) -> None:
        self._names, self._batch, self._here = names, batch, here
        self._pairs = Pairs(batch)

    def variants(self, number: Number) -> tuple[str, ...]:
        """Those whose runs a score or a violation rate rests on; none for any other number."""
        operation = self._names.metrics[number.metric].operation
        experiment, detail = self._batch.experiment, number.detail or {}
        if operation not in OF_KIND:
            return ()
        named: Any = detail["mutants" if operation == "mutation_score" else "relations"]
        own = (variant.id for variant in shown_variants(self._batch) if variant_name(variant.id) in named)
        return (experiment.baseline, *own)

    def mutants(self, number: Number) -> list[tuple[Mutant, Markup]]:
        """Each with its name."""
        return [(mutant, self._names.variant(mutant.variant.id)) for mutant in mutants_of(self._batch, number)]

    def pairs(self, number: Number) -> list[dict[str, Any]]:
        """The first of the pairs behind a violation rate."""
        if self._batch.experiment.kind != "metamorphic":
            return []
        return [self._pair(pair) for pair in self._pairs.of(number)[:PAIRS_SHOWN]]

    def _pair(self, pair: Pair) -> dict[str, Any]:
        return {
            "id": pair.follow_up.run_id,
            "follow_up": self._href(pair.follow_up.run_id),
            "outcome": self._word(pair, pair.of_follow_up),
            "source_id": pair.source.run_id,
            "source": self._href(pair.source.run_id),
            "source_outcome": self._word(pair, pair.of_source),
            "case": pair.follow_up.case_id,
            "is_violated": pair.is_violated,
        }

    def _word(self, pair: Pair, judged: Judged) -> Markup:
        direction = self._names.metrics[pair.metric].direction
        return self._names.words.both(verdict(judged.outcome, direction).word)

    def _href(self, run_id: str) -> str:
        return relative(run_page(self._batch.batch.id, run_id), self._here)
