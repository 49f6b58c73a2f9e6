"""Builds a site of N synthetic runs and prints what each step costs, against the plain writing of the same bytes.

`python tests/benchmarks/bench_build.py [RUNS …] [--jobs N]`; 1,500 and 6,000 runs without arguments. The runs are those
of a sample batch, repeated under other ids. Read ratios, not seconds: machines differ and are noisy.
"""

import argparse
import itertools
import json
import multiprocessing
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path

from generator.pipeline import Built, build_site

ROOT = Path(__file__).resolve().parents[2]
BATCH = "temp-2026-11"
REPEATS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", nargs="*", type=int, default=[1500, 6000])
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    print(f"{'runs':>8} {'step':<34} {'seconds':>8} {'µs a run':>9} {'× writing':>9}")
    for runs in options.runs:
        # A process of its own for each size, so that its peak memory is its own.
        process = multiprocessing.get_context("spawn").Process(target=measure, args=(runs, options.jobs))
        process.start()
        process.join()
        if process.exitcode != 0:
            sys.exit(1)


def measure(wanted: int, jobs: int) -> None:
    """Build once, and print a line a step."""
    with tempfile.TemporaryDirectory(prefix="runcite-bench-") as folder:
        source, site = Path(folder) / "source", Path(folder) / "site"
        make_source(source, wanted)
        steps: list[tuple[str, float]] = []
        started = time.perf_counter()
        built = build_site(
            source, site, jobs=jobs, export=None, progress=lambda step: steps.append((step, time.perf_counter()))
        )
        ended = time.perf_counter()
        writing = time_of_writing(site, Path(folder) / "copy")
    report(built, [*steps, ("", ended)], ended - started, writing)


def report(built: Built, steps: list[tuple[str, float]], total: float, writing: float) -> None:
    lines = [(step, after - begun) for (step, begun), (_, after) in itertools.pairwise(steps)]
    for step, seconds in [*lines, ("whole build", total), ("plain writing of the site's bytes", writing)]:
        print(
            f"{built.runs:>8} {step:<34} {seconds:>8.2f} {seconds / built.runs * 1e6:>9.0f} {seconds / writing:>9.1f}"
        )
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    workers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"{built.runs:>8} peak memory: {own // 1024} MB, largest worker {workers // 1024} MB; {built.files} files")


def make_source(target: Path, wanted: int) -> None:
    """The sample source with one batch, whose runs are repeated until there are about `wanted`."""
    shutil.copytree(ROOT / "data", target, ignore=shutil.ignore_patterns("batches"))
    folder = target / "batches" / BATCH
    folder.mkdir(parents=True)
    origin = ROOT / "data" / "batches" / BATCH
    lines = [json.loads(line) for line in (origin / "runs.jsonl").read_text(encoding="utf-8").splitlines()]
    copies = max(1, round(wanted / len(lines)))
    head = (origin / "batch.yaml").read_text(encoding="utf-8")
    (folder / "batch.yaml").write_text(repeated_head(head, copies), encoding="utf-8")
    with (folder / "runs.jsonl").open("w", encoding="utf-8", newline="\n") as stream:
        for copy in range(copies):
            for run in lines:
                stream.write(json.dumps(repeated_run(run, copy, len(lines)), ensure_ascii=False) + "\n")
    edit_definitions(target)


def repeated_run(run: dict[str, object], copy: int, count: int) -> dict[str, object]:
    repeat, sequence = run["repeat_index"], run["sequence"]
    assert isinstance(repeat, int)
    assert isinstance(sequence, int)
    changed = {"run_id": f"{run['run_id']}-{copy}", "repeat_index": repeat + copy * REPEATS}
    return {**run, **changed, "sequence": sequence + copy * count * 2}


def repeated_head(text: str, copies: int) -> str:
    """The head with `copies` times the repeats and skipped cells."""
    import yaml

    head = yaml.safe_load(text)
    head["planned"]["repeats"] = REPEATS * copies
    head["skipped"] = [
        {**cell, "repeat_index": cell["repeat_index"] + copy * REPEATS}
        for copy in range(copies)
        for cell in head.get("skipped", [])
    ]
    return yaml.safe_dump(head, allow_unicode=True, sort_keys=False)


def edit_definitions(target: Path) -> None:
    """Publish the one batch, in whatever order it was executed."""
    import yaml

    publication = target / "publication.yaml"
    content = yaml.safe_load(publication.read_text(encoding="utf-8"))
    content["published"] = [entry for entry in content["published"] if entry["batch"] == BATCH]
    publication.write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")
    experiments = target / "experiments.yaml"
    content = yaml.safe_load(experiments.read_text(encoding="utf-8"))
    for experiment in content["experiments"]:
        experiment["schedule"] = {"method": "as_recorded"}
    experiments.write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")


def time_of_writing(site: Path, copy: Path) -> float:
    """Seconds to write all files of the site into a fresh folder, from memory, in one process."""
    files = [(path.relative_to(site), path.read_bytes()) for path in sorted(site.rglob("*")) if path.is_file()]
    started = time.perf_counter()
    for path, data in files:
        target = copy / path
        try:
            target.write_bytes(data)
        except FileNotFoundError:
            target.parent.mkdir(parents=True)
            target.write_bytes(data)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
