"""Runs of a batch, partition by partition: files of any size, in a memory that does not grow with them."""

from collections.abc import Iterator

import msgspec

from generator.errors import Finding, Place
from generator.model.rules import finding
from generator.model.runs import Run
from generator.model.source import RunsFile
from generator.read.run_lines import decode_line
from generator.read.streams import MAX_LINE_BYTES, Unreadable, open_runs, too_long
from generator.read.yaml_file import ENCODING_REMEDY, foreign_encoding

MAX_BLANK_LINES = 100_000
MAX_PARTITION_BYTES = 32 * 1024**2
"""A partition ends here even where it has fewer lines than asked for."""


class Partition(msgspec.Struct, frozen=True, kw_only=True):
    """Consecutive lines of a runs file, small enough to be handed to a worker.

    `first_line` counts from 1; a line that cannot be used is empty here and has a finding.
    """

    file: str
    first_line: int
    lines: list[bytes]
    findings: tuple[Finding, ...] = ()


def partitions(runs: RunsFile, size: int) -> Iterator[Partition]:
    """Split the runs file into partitions of at most `size` lines, in order. Findings travel with the partitions."""
    if runs.path.suffix == ".parquet":
        from generator.read.parquet import parquet_lines

        lines = parquet_lines(runs.path, runs.name, size)
    else:
        lines = _text_lines(runs)
    yield from _grouped(runs.name, lines, size)


def decode_runs(partition: Partition) -> tuple[list[tuple[int, Run]], list[Finding]]:
    """(line, run) of each line that is a run, and the findings of all others. Blank lines are nothing."""
    decoded: list[tuple[int, Run]] = []
    findings = list(partition.findings)
    for number, line in enumerate(partition.lines, start=partition.first_line):
        if not line.strip():
            continue
        run, problems = decode_line(line, Place(partition.file, number))
        findings += problems
        if run is not None:
            decoded.append((number, run))
    return decoded, findings


def _grouped(file: str, lines: Iterator[bytes | Finding], size: int) -> Iterator[Partition]:
    """Group lines; a finding without a line of its own ends the file, one with a line stands for this line."""
    group: list[bytes] = []
    findings: list[Finding] = []
    first, held = 1, 0
    for item in lines:
        if isinstance(item, Finding):
            findings.append(item)
            line = b""
            if item.place.line is None:
                continue
        else:
            line = item
        group.append(line)
        held += len(line)
        if len(group) >= size or held >= MAX_PARTITION_BYTES:
            yield Partition(file=file, first_line=first, lines=group, findings=tuple(findings))
            first, held = first + len(group), 0
            group, findings = [], []
    if group or findings:
        yield Partition(file=file, first_line=first, lines=group, findings=tuple(findings))


def _text_lines(runs: RunsFile) -> Iterator[bytes | Finding]:
    try:
        with open_runs(runs.path, runs.name) as stream:
            line = stream.readline(MAX_LINE_BYTES + 1)
            number = 1
            encoding = foreign_encoding(line[:4])
            if encoding is not None:
                yield finding("RC002", Place(runs.name, 1), "UTF-8", encoding, ENCODING_REMEDY)
                return
            blank = 0
            while line:
                blank += not line.strip()
                if blank > MAX_BLANK_LINES:
                    expected, remedy = f"at most {MAX_BLANK_LINES} blank lines", "remove them"
                    yield finding("RC023", Place(runs.name), expected, "more", remedy)
                    return
                if len(line) > MAX_LINE_BYTES:
                    yield too_long(Place(runs.name, number))
                    while line and not line.endswith(b"\n"):
                        line = stream.readline(MAX_LINE_BYTES)
                else:
                    yield line
                line = stream.readline(MAX_LINE_BYTES + 1)
                number += 1
    except Unreadable as error:
        yield error.problem
    except OSError as error:
        found = (error.strerror or "an error").lower()
        yield finding("RC001", Place(runs.name), "a file that can be read", found, "check the file")
