"""Time of stamping: `python -m tests.benchmarks.bench_stamp [RUNS]`.

Evidence of a realistic size (about 2.5 KB of JSON: eight steps, an answer, every assertion) of RUNS runs; prints the
microseconds that one evidence page takes besides decoding its JSON, those of one row of a number page, and the ratio to
writing the same bytes to the same folder.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec

from generator.model.evidence import Evidence
from generator.model.rows import RunRow
from generator.model.runs import Run
from generator.project import encode
from tests.render.sample import Sample, make_sample, sample

Item = TypeVar("Item")
Made = TypeVar("Made")
_CHUNKS = 40
_REASONING = "查询结果如下，单位为元，数据截至昨日收盘；请以交易所公布为准。"


def main(runs: int) -> None:
    large = _enlarged(runs)
    stamper = large.stamper()
    encoded = [encode(evidence) for evidence in large.evidence.values()]
    decoder = msgspec.json.Decoder(Evidence)
    rows = [large.rows[run_id] for run_id in large.evidence]
    decoded = [decoder.decode(data) for data in encoded]

    stamp_seconds, pages = _best(
        list(zip(decoded, rows, strict=True)), lambda pair: _page(stamper.evidence_page, large, *pair)
    )
    numbers_seconds, numbers = _best(
        list(large.batch.numbers.values()), lambda number: list(stamper.number_pages(large.batch, number))
    )
    number_rows = sum(len(large.batch.runsets[n.runset]) for n in large.batch.numbers.values() if n.runset is not None)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write_seconds, _ = _best(list(enumerate(pages)), lambda file: (root / f"{file[0]}.html").write_bytes(file[1]))
    count = len(pages)
    print(f"runs                     {count}")
    print(f"evidence JSON, mean      {sum(map(len, encoded)) / count:.0f} bytes")
    print(f"evidence page, mean      {sum(map(len, pages)) / count:.0f} bytes")
    print(f"stamping, a run          {stamp_seconds / count * 1e6:.0f} µs")
    print(f"writing them, a run      {write_seconds / count * 1e6:.0f} µs")
    print(f"stamping ÷ writing       {stamp_seconds / write_seconds:.2f}")
    print(f"number pages             {len(numbers)}, {number_rows} rows")
    print(f"number page              {numbers_seconds / len(numbers) * 1e6:.0f} µs")
    print(f"number page, a row       {numbers_seconds / number_rows * 1e6:.1f} µs")


def _page(stamp: Callable[..., bytes], large: Sample, evidence: Evidence, row: RunRow) -> bytes:
    return stamp(evidence, row, large.index.context(evidence.run_id))


def _best(items: list[Item], work: Callable[[Item], Made]) -> tuple[float, list[Made]]:
    """CPU seconds for all items, at the pace of the best tenth (others use this machine too); and the results."""
    paces, made = [], []
    size = max(1, len(items) // _CHUNKS)
    for start in range(0, len(items), size):
        chunk = items[start : start + size]
        started = time.process_time()
        made += [work(item) for item in chunk]
        paces.append((time.process_time() - started) / len(chunk))
    best = sorted(paces)[: max(1, len(paces) // 10)]
    return sum(best) / len(best) * len(items), made


def _enlarged(runs: int) -> Sample:
    """The small sample, repeated until it has so many runs; every run has texts and times of its own."""
    small = sample()
    copies: list[tuple[int, Run]] = []
    while len(copies) < runs:
        for run in small.runs[: runs - len(copies)]:
            line = len(copies) + 1
            copies.append((line, _copy(run, line)))
    return make_sample(small.source, copies)


def _copy(run: Run, line: int) -> Run:
    data = msgspec.to_builtins(run)
    data["run_id"] = f"{run.run_id[:-4]}{line:06}"
    data["sequence"] = line
    data["timing"]["duration_ms"] = 900 + line % 997
    trace = data["trace"] or []
    while trace and len(trace) < 8:
        trace = [*trace[:-1], dict(trace[0]), dict(trace[min(1, len(trace) - 1)]), *trace[-1:]]
    for place, step in enumerate(trace):
        step["duration_ms"] = 200 + (line * 7 + place) % 501
    data["trace"] = trace
    if data["answer"] is not None:
        data["answer"] += _REASONING + str(line)
    return msgspec.convert(data, Run)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
