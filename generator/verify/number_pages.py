"""Number pages: the runs that they list are those of the number, each with what it contributed."""

import math
import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from generator.verify.box import BOX_INSIDE, BOX_MARGIN, BOX_OPERATIONS, BoxRules
from generator.verify.evidence import EvidenceRun
from generator.verify.found import Fact, Found
from generator.verify.lexicon import Lexicon
from generator.verify.names import file_name
from generator.verify.page_parts import Block, Row, blocks_of, said_text, sections_of
from generator.verify.recompute import Batch
from generator.verify.result import Finding
from generator.verify.run_rows import RunRow, contribution, split_row
from generator.verify.shown import Published
from generator.verify.vocabulary import unmarked
from generator.verify.waived import GATES

LISTED = ("time_within", *GATES)
"""Derived numbers that list their runs."""
_CELL_COUNTS = ("runs_planned", "runs_skipped")


@dataclass(frozen=True)
class Part:
    """Runs that a number page lists together, in order: `anchor` is the id of their block, `name` its heading."""

    anchor: str
    name: list[Fact]
    runs: list[str]
    defining: frozenset[str] = frozenset()


class NumberPages:
    """Checks the number pages of one batch. `runsets` are its run sets by name."""

    def __init__(self, batch: Batch, runsets: dict[str, list[str]], metrics: dict[str, Any], lexicon: Lexicon) -> None:
        self._batch = batch
        self._runsets = runsets
        self._metrics = metrics
        self._lexicon = lexicon
        self._box = None if batch.profile is None else BoxRules(batch.profile)
        self._right: dict[tuple[str, str, str | None, bool], Row] = {}
        """Rows that were found to be right, in pages that are all equally deep."""
        self._pages = {run["run_id"]: run["page"] for run in batch.head["runs"]}

    def check(self, known: Published, pages: list[tuple[str, list[Found]]]) -> Iterator[tuple[str, Finding]]:
        """What is wrong on which page; `pages` are addresses of and what was found in all pages of a number, in order.
        Differences list no runs, and of derived numbers only those that are of runs of one variant."""
        is_listed = known.metric["operation"] in LISTED or self._is_boxed(known)
        if known.number["compares"] is not None or (known.metric["aggregate"] == "derived" and not is_listed):
            return
        sections = [(address, sections_of(found)) for address, found in pages]
        if known.metric["id"] in _CELL_COUNTS:
            rows = [
                (address, row)
                for address, by_name in sections
                for _, rows in blocks_of(by_name.get("cells", []))
                for row in rows
            ]
            yield from self._check_cells(known, rows, pages[0][0])
            return
        for name, parts in (("denominator", self._counted(known)), ("excluded", list(self._excluded(known)))):
            blocks = [(address, block) for address, by_name in sections for block in blocks_of(by_name.get(name, []))]
            yield from self._check_blocks(known, parts, blocks, pages[0][0])

    def _metric_of(self, known: Published) -> dict[str, Any]:
        """The metric whose assertion counts."""
        if known.metric["operation"] == "time_within":
            rows = (row for row in self._metrics.values() if row["aggregate"] == "quantile" and row["unit"] == "ms")
            return next(rows, known.metric)
        is_pass = known.metric["aggregate"] == "pass_hat" or known.metric["operation"] in LISTED
        found: dict[str, Any] = self._metrics[self._batch.head["pass_metric"]] if is_pass else known.metric
        return found

    def _is_boxed(self, known: Published) -> bool:
        operation = known.metric["operation"]
        return self._box is not None and operation in BOX_OPERATIONS and operation != BOX_MARGIN

    def _as_counted(self, known: Published, run_id: str) -> EvidenceRun:
        """The run with what it contributed; to the box that is no assertion of its own."""
        run = self._batch.by_id[run_id]
        if self._box is None or not self._is_boxed(known) or run.validity != "valid":
            return run
        made = self._box.contribution(run, known.number, known.metric["operation"])
        return replace(run, assertions={known.metric["id"]: made})

    def _set(self, name: str | None) -> list[str]:
        return [] if name is None else self._runsets[name]

    def _counted(self, known: Published) -> list[Part]:
        number, aggregate, word = known.number, known.metric["aggregate"], self._lexicon.word
        runs = self._set(number["runset"])
        if self._is_boxed(known):
            aggregate = "proportion" if known.metric["operation"] == BOX_INSIDE else "box"
        if aggregate == "box":
            made = {run: self._as_counted(known, run).assertions[known.metric["id"]].value or 0 for run in runs}
            return [Part("sample", word("number.part_names.sample"), sorted(runs, key=lambda run: (-made[run], run)))]
        if aggregate in ("mean", "quantile"):
            value_of = {run: self._value(run, known.metric["id"]) for run in runs}
            ordered = sorted(runs, key=lambda run: (value_of[run], run))
            defining = _defining(ordered, known.metric["p"]) if aggregate == "quantile" else frozenset[str]()
            return [Part("sample", word("number.part_names.sample"), ordered, defining)]
        if aggregate == "proportion" or known.metric["operation"] in LISTED:
            hits = set(self._set(number["numerator_runset"]))
            of = {"numerator": [run for run in runs if run in hits], "misses": [run for run in runs if run not in hits]}
            return [Part(name, word(f"number.part_names.{name}"), some) for name, some in of.items()]
        return [Part("counted", word("number.part_names.counted"), runs)] if runs else []

    def _excluded(self, known: Published) -> Iterator[Part]:
        number, lexicon = known.number, self._lexicon
        if number["missing"] is not None:
            yield Part("missing", lexicon.word("number.part_names.missing"), self._set(number["missing"]["runset"]))
        for key, excluded in number["excluded"].items():
            kind, _, reason = key.partition(":")
            name = [*lexicon.named("common", kind), *lexicon.word("common.colon"), *lexicon.named("reasons", reason)]
            yield Part(f"{kind}-{file_name(reason)}", name, self._set(excluded["runset"]))

    def _value(self, run: str, metric: str) -> Fraction:
        return Fraction(self._batch.by_id[run].assertions[metric].value or 0)

    def _check_blocks(
        self, known: Published, parts: Iterable[Part], blocks: list[tuple[str, Block]], first: str
    ) -> Iterator[tuple[str, Finding]]:
        """Every part follows the other; one that goes on on the next page has no id there."""
        left = list(blocks)
        for part in parts:
            listed: list[tuple[str, Row]] = []
            while left and left[0][1][0] == ("" if listed else part.anchor):
                address, (_, rows) = left.pop(0)
                heading = [fact for fact in rows[0] if fact[0] in ("zh", "en", "code")] if rows else []
                if heading != part.name:
                    yield address, (f"heading of {part.anchor}", said_text(heading), said_text(part.name))
                listed += [(address, row) for row in rows[1:]]
            yield from self._check_rows(known, part, listed, first)
        for address, (anchor, _) in left:
            yield address, ("a list of runs", anchor or "one without an id", "none of this name here")

    def _check_rows(
        self, known: Published, part: Part, listed: list[tuple[str, Row]], first: str
    ) -> Iterator[tuple[str, Finding]]:
        metric, of_slice = self._metric_of(known), known.number["slice"] if self._is_boxed(known) else None
        if len(listed) != len(part.runs):
            address = listed[0][0] if listed else first
            yield address, (f"runs of {part.anchor}", f"{len(listed)} rows", f"{len(part.runs)} runs")
            return
        for (address, row), run_id in zip(listed, part.runs, strict=True):
            key = (run_id, metric["id"], of_slice, run_id in part.defining)
            if self._right.get(key) is row:
                continue
            expected = contribution(self._as_counted(known, run_id), metric, run_id in part.defining, self._lexicon)
            findings = [
                *row_findings(split_row(row), expected, f"{part.anchor} {run_id}"),
                *link_findings(address, row, self._pages[run_id], run_id),
            ]
            if not findings:
                self._right[key] = row
            yield from ((address, finding) for finding in findings)

    def _check_cells(self, known: Published, rows: list[tuple[str, Row]], first: str) -> Iterator[tuple[str, Finding]]:
        """Every planned cell, or every skipped one, in the order of cases and repeats."""
        grid, variant = self._batch.head["grid"], known.number["variant"]
        runs = {(run.case, run.repeat): run.run_id for run in self._batch.runs if run.variant == variant}
        skipped = {
            (cell["case"], cell["repeat_index"]): cell["reason"]
            for cell in self._batch.head["skipped"]
            if cell["variant"] == variant
        }
        cells = [(case, repeat) for case in grid["cases"] for repeat in range(grid["repeats"])]
        if known.metric["id"] == "runs_skipped":
            cells = [cell for cell in cells if cell in skipped]
        if len(rows) != len(cells):
            yield first, ("cells", f"{len(rows)} rows", f"{len(cells)} cells")
            return
        for (address, row), cell in zip(rows, cells, strict=True):
            references, said = [cell[0], str(cell[1])], list[Fact]()
            if cell in runs:
                references.append(runs[cell])
                for finding in link_findings(address, row, self._pages[runs[cell]], runs[cell]):
                    yield address, finding
            else:
                lexicon, reason = self._lexicon, skipped.get(cell) or "not_given"
                said = [*lexicon.word("common.skipped"), *lexicon.word("common.colon")]
                said += lexicon.named("reasons", reason)
            for finding in row_findings(split_row(row), RunRow(references, said), f"cell {cell[0]} {cell[1]}"):
                yield address, finding


def row_findings(shown: RunRow, expected: RunRow, place: str) -> Iterator[Finding]:
    """What a row says otherwise. Names of metrics may hold references of their own, behind those of the run."""
    references = [unmarked(text) for text in shown.references[: len(expected.references)]]
    if references != [unmarked(text) for text in expected.references]:
        yield f"references of {place}", ", ".join(references), ", ".join(expected.references)
    said = [(kind, unmarked(text)) for kind, text in shown.said]
    if said != [(kind, unmarked(text)) for kind, text in expected.said]:
        yield f"words of {place}", said_text(shown.said), said_text(expected.said)


def link_findings(address: str, row: Row, page: str, run_id: str) -> Iterator[Finding]:
    """The link of a row of the page at `address` leads to the page of its run, and there is no other."""
    links = [posixpath.normpath(posixpath.join(posixpath.dirname(address), href)) for kind, href in row if kind == "a"]
    if links != [page]:
        yield f"link of {run_id}", ", ".join(links) or "none", page


def _defining(ordered: list[str], p: Fraction) -> frozenset[str]:
    """The runs at the ranks between which a quantile lies."""
    if not ordered:
        return frozenset()
    place = (len(ordered) - 1) * Fraction(p)
    return frozenset((ordered[math.floor(place)], ordered[math.ceil(place)]))
