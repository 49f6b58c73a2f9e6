"""Other shapes of τ²-bench: the folder of τ³-bench (a header, a file for each run), and a bare list of runs."""

from dataclasses import dataclass, field
from pathlib import Path

from generator.errors import Finding
from generator.model.base import Json
from generator.model.batches import SourceFile
from generator.model.words import kind_of
from generator.read.importers.files import ForeignFile, visible
from generator.read.importers.harness import wrong_format
from generator.read.importers.values import as_list, as_object

HEADER, RUNS = "results.json", "simulations"
_SHAPE = "an object with simulations (a list of runs), and with info and tasks beside it"


@dataclass(frozen=True, slots=True)
class Part:
    """A run with the place that it is named by: `file` and the path in it."""

    file: str
    path: str
    content: dict[str, Json]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One evaluation, whatever files it stood in. `bare`: nothing but the name of the file says what was run."""

    file: ForeignFile
    head: dict[str, Json]
    runs: list[Part]
    others: list[SourceFile] = field(default_factory=list)
    bare: bool = False


def companions(path: Path) -> list[Path]:
    """The runs of a header, and the header of a run."""
    if path.name == HEADER:
        return sorted((path.parent / RUNS).glob("*.json"))
    header = path.parent.parent / HEADER
    return [header] if path.parent.name == RUNS and header.is_file() else []


def evaluations(foreign: list[ForeignFile]) -> tuple[list[Evaluation], list[Finding]]:
    """Files → evaluations, in the order of their headers."""
    single = {file.path: file for file in foreign if is_single_run(file.value)}
    found: list[Evaluation] = []
    findings: list[Finding] = []
    taken: set[Path] = set()
    for file in foreign:
        if file.path in single:
            continue
        if is_header(file.value):
            mine = [run for path, run in single.items() if path.parent == file.path.parent / RUNS]
            taken |= {run.path for run in mine}
            found.append(_folder(file, mine))
        elif (problem := _problem(file)) is not None:
            findings.append(problem)
        else:
            found.append(_whole(file))
    findings += [_without_header(run) for path, run in single.items() if path not in taken]
    return found, findings


def is_single_run(value: Json) -> bool:
    """A run as the folder format has it."""
    content = as_object(value)
    return "simulations" not in content and isinstance(content.get("ticks", content.get("messages")), list)


def is_header(value: Json) -> bool:
    """The header of the folder format."""
    content = as_object(value)
    return isinstance(content.get("info"), dict) and content.get("simulations") is None


def _folder(file: ForeignFile, runs: list[ForeignFile]) -> Evaluation:
    parts = [Part(run.name, "", as_object(run.value)) for run in runs]
    return Evaluation(file, as_object(file.value), parts, [run.source for run in runs])


def _whole(file: ForeignFile) -> Evaluation:
    content = file.value
    bare = isinstance(content, list)
    head = {} if bare else as_object(content)
    items = as_list(content) if bare else as_list(head["simulations"])
    prefix = "" if bare else "simulations"
    parts = [Part(file.name, f"{prefix}[{index}]", as_object(item)) for index, item in enumerate(items)]
    return Evaluation(file, head, parts, bare=bare)


def bare_config(file: ForeignFile) -> dict[str, Json]:
    """What a list without a header was run with: nobody knows more than the name of the file."""
    return {"file": {"name": visible(file.path.stem)}}


def _problem(file: ForeignFile) -> Finding | None:
    content = file.value
    if isinstance(content, list):
        return _list_problem(file, content)
    if not isinstance(content, dict):
        return wrong_format(file.name, _SHAPE, kind_of(content))
    simulations = content.get("simulations")
    if isinstance(simulations, list) and all(isinstance(item, dict) for item in simulations):
        return None
    found = "an object without simulations" if simulations is None else "simulations that are no list of objects"
    return wrong_format(file.name, _SHAPE, found)


def _list_problem(file: ForeignFile, content: list[Json]) -> Finding | None:
    if any("traj" in as_object(item) for item in content):
        return wrong_format(file.name, _SHAPE, "a list of runs as `tau-bench` writes it")
    if not content or not all("termination_reason" in as_object(item) for item in content):
        return wrong_format(file.name, _SHAPE, "a list of other things than runs")
    return None


def _without_header(run: ForeignFile) -> Finding:
    found = f"a single run of the folder format of τ³-bench, without its {HEADER} in the folder above"
    return wrong_format(run.name, _SHAPE, found)
