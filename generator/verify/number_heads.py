"""Variants and metrics that head the rows and columns of a table: the numbers beside and below are theirs."""

from collections.abc import Iterator
from typing import Any

from generator.verify.names import file_name, variant_name
from generator.verify.page_tables import PageCell, PageTable
from generator.verify.result import Finding
from generator.verify.row_labels import PageWords
from generator.verify.shown import Published


class NumberHeads:
    """Of the page of one batch. `variants` are those of its file."""

    def __init__(
        self,
        numbers: dict[str, Published],
        metrics: dict[str, Any],
        variants: list[dict[str, Any]],
        words: PageWords,
    ) -> None:
        self._numbers = numbers
        self._metrics = metrics
        self._words = words
        self._names: dict[str, str] = {}
        for variant in variants:
            # A number of all relations is one of the source; of one relation, its row is that of the variant.
            groups = (variant_name(variant["id"]), f"relation-{file_name(variant['id'])}")
            self._names |= dict.fromkeys(groups, words.text(variant["name"]))

    def findings(self, table: PageTable) -> Iterator[Finding]:
        """A head that names another variant or metric than that of a number."""
        columns = table.head[-1] if table.head else []
        for row in table.rows:
            headed = [cell for cell in row if cell.variants]
            if len(headed) == 1:
                yield from self._of_variant(headed[0], row)
            elif not headed and len(row) == len(columns):
                for head, cell in zip(columns, row, strict=True):
                    if len(head.variants) == 1:
                        yield from self._of_variant(head, [cell])
            if row and row[0].tag == "th" and len(row[0].metrics) == 1:
                metric, words = row[0].metrics[0]
                if row[0].text.startswith(words):
                    yield from self._of_metric(metric, words, row)

    def _of_variant(self, head: PageCell, cells: list[PageCell]) -> Iterator[Finding]:
        for number in self._beside(cells):
            of_relation = (number["slice"] or "").startswith("relation-")
            name = self._names.get(number["slice"] if of_relation else number["variant"].partition("-vs-")[0])
            if len(head.variants) == 1 and name is not None and head.variants[0] != name:
                yield f"the variant that heads {number['id']}", head.variants[0], name
                return

    def _of_metric(self, metric: str, words: str, cells: list[PageCell]) -> Iterator[Finding]:
        named = None if metric not in self._metrics else self._words.text(self._metrics[metric]["name"])
        if words != named:
            yield f"the name of {metric}", words, named or "no such metric"
        for number in self._beside(cells):
            if number["metric"] != metric:
                yield f"the metric that heads {number['id']}", metric, number["metric"]
                return

    def _beside(self, cells: list[PageCell]) -> Iterator[dict[str, Any]]:
        return (self._numbers[name].number for cell in cells for name in cell.numbers if name in self._numbers)
