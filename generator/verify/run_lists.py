"""Lists of the runs of a variant: all of them, in executed order."""

from collections.abc import Iterator

from generator.verify.found import Found
from generator.verify.lexicon import Lexicon
from generator.verify.names import file_name, variant_name
from generator.verify.number_pages import link_findings, row_findings
from generator.verify.page_parts import HEAD, blocks_of, sections_of
from generator.verify.recompute import Batch
from generator.verify.result import Finding
from generator.verify.run_rows import listed_run, split_row


def list_groups(batch: Batch) -> dict[str, str]:
    """Variants by the address of their lists, without page and suffix."""
    folder = f"runs/{file_name(batch.head['id'])}/lists"
    return {f"{folder}/{variant_name(variant)}": variant for variant in batch.head["grid"]["variants"]}


def run_list_findings(
    batch: Batch, variant: str, pages: list[tuple[str, list[Found]]], lexicon: Lexicon
) -> Iterator[tuple[str, Finding]]:
    """What is wrong on which page; `pages` are addresses of and what was found in all pages of a list, in order."""
    runs = sorted((run for run in batch.runs if run.variant == variant), key=lambda run: (run.sequence, run.run_id))
    page_of = {run["run_id"]: run["page"] for run in batch.head["runs"]}
    rows = [
        (address, row)
        for address, found in pages
        for _, rows in blocks_of(sections_of(found).get(HEAD, []))
        for row in rows
    ]
    if len(rows) != len(runs):
        yield pages[0][0], (f"runs of {variant}", f"{len(rows)} rows", f"{len(runs)} runs")
        return
    for (address, row), run in zip(rows, runs, strict=True):
        expected = listed_run(run, batch.head["pass_metric"], lexicon)
        findings = [*row_findings(split_row(row), expected, run.run_id)]
        findings += link_findings(address, row, page_of[run.run_id], run.run_id)
        yield from ((address, finding) for finding in findings)
