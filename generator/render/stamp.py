"""Stamped pages: evidence, numbers, lists of runs. They never pass through Markdown or MkDocs."""

from markupsafe import Markup, escape

from generator.model.base import LANGS
from generator.model.evidence import Evidence
from generator.model.rows import RunRow
from generator.model.source import Source
from generator.render.environment import Texts, Words, make_environment
from generator.render.escape import visible
from generator.render.evidence import BatchEvidence
from generator.render.names import Names
from generator.render.shell import Shell, make_shell, placed
from generator.views.evidence import RunContext

__all__ = ["Shell", "Stamper", "make_shell"]
_RUN_DEPTH = 2


class Stamper:
    """Fills the shell. Made once in each worker; keeps what the pages of a batch share."""

    def __init__(self, source: Source, shell: Shell, texts: Texts) -> None:
        self._source = source
        self._shell = shell
        self._words = Words(texts)
        self._environment = make_environment(texts, source.metrics)
        self._english = "en/" if set(LANGS) <= set(source.publication.languages) else ""
        self._batches = {entry.batch.id: entry.batch for entry in source.batches}
        self._synthetic = Markup(self._environment.get_template("partials/synthetic.html.j2").render())
        self._evidence: dict[str, BatchEvidence] = {}

    def evidence_page(self, evidence: Evidence, row: RunRow, context: RunContext) -> bytes:
        """The page of one run."""
        pages = self._evidence.get(evidence.batch)
        if pages is None:
            pages = self._evidence[evidence.batch] = BatchEvidence(
                self._environment, self._names(evidence.batch), self._english
            )
        title = escape(visible(evidence.run_id))
        body = pages.body(evidence, row, context)
        return placed(self._shell, _RUN_DEPTH).fill(title, self._banner(evidence.batch), body)

    def _names(self, batch_id: str) -> Names:
        return Names(self._source, self._words, self._batches[batch_id])

    def _banner(self, batch_id: str) -> Markup:
        return self._synthetic if self._batches[batch_id].synthetic else Markup()
