"""Makes one mutant again and shows what came of it, or tries many, one line of JSON each."""

import argparse
import json
import subprocess
import sys
import warnings
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.fuzz.trial import Outcome, lift_memory_limit, limit_memory, try_mutant


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--number", type=int, default=0, help="the first mutant")
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--whole", type=int, default=0, help="of those that pass, one in so many goes the whole way")
    parser.add_argument("--keep", type=Path, help="a folder that receives the source and the site")
    given = parser.parse_args()
    warnings.simplefilter("error")
    if given.whole == 1:
        lift_memory_limit()
    else:
        limit_memory()
    broken = passed = 0
    with TemporaryDirectory(prefix="runcite-fuzz-") as scratch:
        folder = given.keep or Path(scratch) / "mutant"
        for number in range(given.number, given.number + given.count):
            outcome = try_mutant(given.seed, number, folder)
            passed += outcome.end == "passed"
            if outcome.end == "passed" and given.whole == 1:
                outcome = try_mutant(given.seed, number, folder, whole=True)
            elif outcome.end == "passed" and given.whole and passed % given.whole == 1:
                outcome = _apart(given.seed, number)
            broken += outcome.end == "broken"
            _show(outcome, given.count > 1)
    return 1 if broken else 0


def _apart(seed: int, number: int) -> Outcome:
    """The whole way in a process of its own. The library that draws the charts ends a process whose memory is limited,
    so that there the peak is measured instead."""
    command = [sys.executable, "-m", "tests.fuzz", f"--seed={seed}", f"--number={number}", "--whole=1"]
    ran = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    try:
        return Outcome(**json.loads(ran.stdout))
    except ValueError:
        return Outcome(
            number, ["see it again with --whole 1"], whole=True, error=f"{ran.stderr}\nended with {ran.returncode}"
        )


def _show(outcome: Outcome, as_line: bool) -> None:
    error = outcome.error
    print(json.dumps(asdict(outcome), ensure_ascii=True, indent=None if as_line else 1), flush=True)
    if error and not as_line:
        print(error, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
