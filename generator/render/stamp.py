"""Stamped pages: evidence, numbers, lists of runs. They never pass through Markdown or MkDocs."""

from collections.abc import Iterator, Sequence

from markupsafe import Markup, escape

from generator.model.evidence import Evidence
from generator.model.numbers import Number
from generator.model.report import BatchReport
from generator.model.rows import RunRow
from generator.model.source import Source
from generator.model.visible import visible_again
from generator.render.environment import Texts, Words, make_environment
from generator.render.evidence import BatchEvidence
from generator.render.names import Names
from generator.render.number import BatchNumbers
from generator.render.run_lists import RunLists
from generator.render.shell import Shell, english_folder, make_shell, placed
from generator.views.compared import Compared
from generator.views.evidence import RunContext

__all__ = ["Shell", "Stamper", "make_shell"]
_RUN_DEPTH, _NUMBER_DEPTH, _LIST_DEPTH = 2, 3, 3


class Stamper:
    """Fills the shell. Made once in each worker; keeps what the pages of a batch share."""

    def __init__(self, source: Source, shell: Shell, texts: Texts) -> None:
        self._source = source
        self._shell = shell
        self._texts = texts
        self._words = Words(texts)
        self._environment = make_environment(texts, source.metrics)
        self._english = english_folder(source.publication.languages)
        self._batches = {entry.batch.id: entry.batch for entry in source.batches}
        self._claims = {} if source.claims is None else source.claims.by_number()
        self._synthetic = Markup(self._environment.get_template("partials/synthetic.html.j2").render())
        self._evidence: dict[str, BatchEvidence] = {}
        self._numbers: dict[str, BatchNumbers] = {}

    def __reduce__(self) -> tuple[type["Stamper"], tuple[Source, Shell, Texts]]:
        """Pickled as what it was made of: compiled templates cannot travel."""
        return Stamper, (self._source, self._shell, self._texts)

    def evidence_page(
        self, evidence: Evidence, row: RunRow, context: RunContext, compared: Sequence[Compared] = ()
    ) -> bytes:
        """The page of one run; `compared` are its neighbours."""
        pages = self._evidence.get(evidence.batch)
        if pages is None:
            pages = self._evidence[evidence.batch] = BatchEvidence(
                self._environment, self._names(evidence.batch), self._english
            )
        title = escape(visible_again(evidence.run_id))
        body = pages.body(evidence, row, context, compared)
        return placed(self._shell, _RUN_DEPTH).fill(title, self._banner(evidence.batch), body, pages.shared)

    def number_pages(self, batch: BatchReport, number: Number) -> Iterator[tuple[str, bytes]]:
        """Addresses and pages of a number: one, and more where there are more runs than a page lists."""
        pages = self._numbers.get(batch.batch.id)
        if pages is None:
            pages = self._numbers[batch.batch.id] = BatchNumbers(
                self._environment, self._names(batch.batch.id), batch, self._english, self._claims
            )
        shell, banner = placed(self._shell, _NUMBER_DEPTH), self._banner(batch.batch.id)
        for path, title, body in pages.pages(number):
            yield path, shell.fill(title, banner, body)

    def run_list_pages(self, batch: BatchReport) -> Iterator[tuple[str, bytes]]:
        """Addresses and pages of the static lists of runs, variant by variant."""
        pages = RunLists(self._environment, self._names(batch.batch.id), batch, self._english)
        shell, banner = placed(self._shell, _LIST_DEPTH), self._banner(batch.batch.id)
        for path, title, body in pages.pages():
            yield path, shell.fill(title, banner, body)

    def _names(self, batch_id: str) -> Names:
        return Names(self._source, self._words, self._batches[batch_id])

    def _banner(self, batch_id: str) -> Markup:
        return self._synthetic if self._batches[batch_id].synthetic else Markup()
