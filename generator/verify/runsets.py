"""The run sets of a batch."""

from pathlib import Path

from generator.verify.json_files import load
from generator.verify.names import runset_name
from generator.verify.result import VerifyResult


class RunSets:
    """By name. Remembers which were asked for, because none may stand there unused."""

    def __init__(self, by_name: dict[str, list[str]], files: list[str]) -> None:
        self.by_name = by_name
        self._used: set[str] = set()
        self.files = files

    def check(self, place: str, what: str, name: str | None, runs: set[str] | None, result: VerifyResult) -> None:
        """`name` is that of these runs, and is published; no runs have no name."""
        result.compare("references to run sets", place, what, name, runset_name(runs or set()))
        if name is not None:
            self._used.add(name)
            if name not in self.by_name:
                result.differ(place, what, name, "no run set of that name")

    def check_all_used(self, result: VerifyResult) -> None:
        for name in sorted(set(self.by_name) - self._used):
            result.differ(f"run set {name}", "use", "none", "a number that rests on it")


def load_runsets(root: Path, batch: str, run_ids: set[str], result: VerifyResult) -> RunSets:
    """Every set is named by its content, sorted, without repetition, in the file of its first digit, and of runs."""
    by_name: dict[str, list[str]] = {}
    files = sorted((root / "api/v1/runsets" / batch).glob("*.json"))
    for path in files:
        for name, runs in load(path).items():
            place = f"run set {name}"
            result.compare("run sets", place, "name", name, runset_name(set(runs)))
            if runs != sorted(set(runs)) or name.removeprefix("rs-")[:1] != path.stem:
                result.differ(place, "order", "run ids out of order, repeated or misfiled", "sorted")
            for run_id in sorted(set(runs) - run_ids):
                result.differ(place, "a run", run_id, "no such run")
            by_name[name] = runs
    return RunSets(by_name, [path.relative_to(root).as_posix() for path in files])
