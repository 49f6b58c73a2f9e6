"""Many mutants in processes of their own, and the figures of what came of them."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.fuzz.trial import MAX_BYTES, MAX_SECONDS, WHOLE_SECONDS, Outcome

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Campaign:
    """Mutants 0 to `count` − 1 of a seed; of those that pass, the first and then one in `whole` goes the
    whole way, through all pages (0: none)."""

    seed: int
    count: int
    whole: int = 0
    jobs: int = 1

    def run(self) -> "Figures":
        share = -(-self.count // self.jobs)
        with TemporaryDirectory(prefix="runcite-fuzz-") as folder:
            # Into files: a process whose output nobody reads would wait.
            files = [Path(folder) / str(first) for first in range(0, self.count, share)]
            started = [self._start(int(file.name), min(share, self.count - int(file.name)), file) for file in files]
            for process in started:
                process.wait()
            outcomes = [outcome for file in files for outcome in _outcomes(file)]
        return Figures(self, outcomes)

    def _start(self, first: int, count: int, file: Path) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "tests.fuzz", f"--seed={self.seed}", f"--number={first}", f"--count={count}"]
        # Threads of the linear algebra would each reserve memory that counts.
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
        with file.open("wb") as out:
            return subprocess.Popen([*command, f"--whole={self.whole}"], cwd=ROOT, env=environment, stdout=out)


def _outcomes(file: Path) -> Iterator[Outcome]:
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield Outcome(**json.loads(line))


@dataclass(frozen=True)
class Figures:
    campaign: Campaign
    outcomes: list[Outcome]

    @property
    def broken(self) -> list[str]:
        """What to type to see each again, what was changed, and the last line of its traceback."""
        return [
            f"python -m tests.fuzz --seed {self.campaign.seed} --number {outcome.number}"
            f"{' --whole 1' if outcome.whole else ''}\n  {outcome.changes}\n  {outcome.error.strip().splitlines()[-1]}"
            for outcome in self.outcomes
            if outcome.end == "broken"
        ]

    def share(self, counted: int) -> float:
        return counted / len(self.outcomes)

    @property
    def judged(self) -> float:
        """The share of mutants of which runs were judged."""
        return self.share(sum(outcome.judged > 0 for outcome in self.outcomes))

    @property
    def reached(self) -> float:
        """The share of mutants of which a changed run was judged."""
        return self.share(sum(outcome.reached > 0 for outcome in self.outcomes))

    @property
    def codes(self) -> Counter[str]:
        return Counter(code for outcome in self.outcomes for code in outcome.codes)

    def __str__(self) -> str:
        outcomes = self.outcomes
        ends = Counter(outcome.end for outcome in outcomes)
        whole = [outcome for outcome in outcomes if outcome.whole]
        sites = sum(outcome.end == "passed" for outcome in whole)
        slowest = max(outcome.seconds for outcome in outcomes if not outcome.whole)
        slowest_whole = max((outcome.seconds for outcome in whole), default=0.0)
        largest = max(outcome.megabytes for outcome in outcomes)
        lines = (
            f"seed {self.campaign.seed}: {len(outcomes)} mutants",
            f"{ends['passed']} passed, {ends['refused']} refused, {ends['broken']} broke the program",
            f"{len(self.codes)} rules found something",
            f"runs were judged in {self.judged:.1%}, a changed run in {self.reached:.1%}",
            f"{len(whole)} went the whole way, {sites} to a verified site",
            f"slowest {slowest:.1f} s of {MAX_SECONDS} s; the whole way {slowest_whole:.1f} s of {WHOLE_SECONDS} s",
            f"largest {largest} MB of {MAX_BYTES // 1024**2} MB",
        )
        return "\n".join(["; ".join(lines), *self.broken])
