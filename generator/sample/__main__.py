"""`python -m generator.sample [ROOT]`: write the sample batches into a source, `data` by default."""

import sys
from pathlib import Path

from generator.resources import resource
from generator.sample.batches import SPECS
from generator.sample.definitions import read_definitions
from generator.sample.writer import write_batch


def main(arguments: list[str]) -> int:
    root = Path(arguments[0]) if arguments else resource("data")
    definitions = read_definitions(root)
    for spec in SPECS:
        written = write_batch(spec, definitions)
        folder = root / "batches" / spec.id
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "batch.yaml").write_bytes(written.head)
        (folder / "runs.jsonl").write_bytes(written.runs)
        runs = len(written.runs.splitlines())
        print(f"{spec.id}: {runs} runs, {len(written.runs)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
