"""Sessions of pytest in a process of their own, with nothing loaded but the plug-in."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.whole_sites import ROOT

PLUGIN = ("-p", "generator.recording.pytest_plugin", "-p", "no:cacheprovider")


@dataclass(frozen=True)
class Session:
    """What a session left. `source` is the folder that `--runcite` named."""

    code: int
    output: str
    source: Path

    def runs(self) -> list[dict[str, Any]]:
        """Of all batches, by case and repeat."""
        runs = [
            json.loads(line)
            for path in sorted(self.source.glob("batches/*/runs.jsonl"))
            for line in path.read_text(encoding="utf-8").splitlines()
        ]
        return sorted(runs, key=lambda run: (run["case_id"], run["variant"], run["repeat_index"]))

    def states(self, case: str) -> list[tuple[str, str | None]]:
        return [(run["state"], run["reason"]) for run in self.runs() if run["case_id"] == case]

    def verdicts(self) -> list[str]:
        """The lines between the heading of the plug-in and the line about the batch."""
        lines = self.output.splitlines()
        (start,) = [place for place, line in enumerate(lines) if line.strip("= ") == "runcite"]
        last = ("batch ", "no marked")
        end = next(place for place, line in enumerate(lines) if place > start and line.startswith(last))
        return lines[start + 1 : end]


def run_pytest(folder: Path, files: dict[str, str], *arguments: str, record: bool = True) -> Session:
    """`files` are written into `folder` first; the source is `folder/report`."""
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    environment = os.environ | {
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONPATH": str(ROOT),
        "PYTEST_ADDOPTS": "",
        "PYTHONWARNINGS": "error",
    }
    recording = ("--runcite", "report", "--runcite-batch", "a-batch") if record else ()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *PLUGIN, *recording, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return Session(done.returncode, done.stdout + done.stderr, folder / "report")
