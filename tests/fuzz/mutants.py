"""Mutants of the small source. The same seed and number give the same mutant on every machine."""

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from generator.read.yaml_file import load_yaml
from tests.fuzz import damage, trees
from tests.support.small_source import AUTO_HASH, BATCH_ID, SmallSource, config_hash, small_source, write_small_source

Dict = dict[str, Any]

BATCH = f"batches/{BATCH_ID}"
RUNS = f"{BATCH}/runs.jsonl"
SECRET = "kanari"
"""Stands in every private value of the source: no finding may hold it."""
WEIGHTS = {"run": 46, "all runs": 16, "definition": 24, "bytes": 8, "packing": 2, "folder": 4}


@dataclass
class Mutant:
    """Files by name (None: a folder stands in the place of the file), what was changed, and the ids of the changed
    runs."""

    files: dict[str, bytes | None]
    changes: list[str] = field(default_factory=list)
    runs: set[str] = field(default_factory=set)
    private: bool = True
    """Whether what is private still stands only where the program knows it to be private."""

    def write(self, root: Path) -> None:
        for name, raw in self.files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if raw is None:
                path.mkdir()
            else:
                path.write_bytes(raw)


def unchanged() -> Mutant:
    """What mutants are made of."""
    return Mutant(dict(_base().files))


def make_mutant(seed: int, number: int) -> Mutant:
    """Mutant `number` of a seed: mostly of one change, sometimes of several."""
    making = _Making(Random(f"{seed}:{number}"))
    kinds = making.random.choices(list(WEIGHTS), list(WEIGHTS.values()), k=making.random.choice((1, 1, 1, 2, 3)))
    # Values first, because they are written anew; then the bytes that were written.
    for kind in sorted(kinds, key=list(WEIGHTS).index):
        making.change(kind)
    return making.mutant


@dataclass
class _Base:
    files: dict[str, bytes]
    definitions: dict[str, Any]
    runs: list[Dict]


@cache
def _base() -> _Base:
    with TemporaryDirectory() as folder:
        root = write_small_source(Path(folder), _plant)
        names = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
        files = {name: (root / name).read_bytes() for name in names}
    definitions = {}
    for name in names:
        located, _ = load_yaml(name, files[name]) if name.endswith(".yaml") else (None, [])
        if located is not None:
            definitions[name] = located.value
    source = small_source()
    _plant(source)
    return _Base(files, definitions, source.batch.runs)


def _plant(source: SmallSource) -> None:
    for number, run in enumerate(source.batch.runs):
        run["private"] = {"system_prompt": f"{SECRET}-prompt-{number}", f"{SECRET}-key": [f"{SECRET}-account"]}
        run["context"]["entries"].append({"id": "more", "region": "instruction", "text": f"{SECRET}-instruction"})
    source.gold("basic-01")["stale_facts"].append({"id": "old", "values": [f"{SECRET}-gold"]})


class _Making:
    """One mutant in the making."""

    def __init__(self, random: Random) -> None:
        base = _base()
        self.random = random
        self.mutant = unchanged()
        self.runs = copy.deepcopy(base.runs)
        self.definitions = copy.deepcopy(base.definitions)

    def change(self, kind: str) -> None:
        acts = {
            "run": self._one_run,
            "all runs": self._all_runs,
            "definition": self._definition,
            "bytes": self._bytes,
            "packing": self._packing,
            "folder": self._folder,
        }
        what = acts[kind]()
        self.mutant.changes.append(f"{kind}: {what}")
        self.mutant.private = not any(SECRET in json.dumps(value) for value in _public(self.runs, self.definitions))

    def _one_run(self) -> str:
        position = self.random.randrange(len(self.runs))
        what = trees.change(self.random, self.runs[position], self.random.choice(self.runs))
        self._write_runs([position])
        return f"line {position + 1}, {what}"

    def _all_runs(self) -> str:
        """The same change in each, so that the runs still agree with one another."""
        state = self.random.getstate()
        for run in self.runs:
            self.random.setstate(state)
            what = trees.change(self.random, run, self.runs[0])
        self._write_runs(range(len(self.runs)))
        return str(what)

    def _write_runs(self, changed: "range | list[int]") -> None:
        self.mutant.files[RUNS] = b"".join(map(_line, self.runs))
        ids = [self.runs[position].get("run_id") for position in changed]
        self.mutant.runs |= {identifier for identifier in ids if isinstance(identifier, str)}

    def _definition(self) -> str:
        name = self.random.choice(list(self.definitions))
        donor = self.definitions[self.random.choice(list(self.definitions))]
        what = trees.change(self.random, self.definitions[name], self.random.choice((donor, self.definitions[name])))
        self.mutant.files[name] = _encoded(self.definitions[name])
        return f"{name}, {what}"

    def _bytes(self) -> str:
        name = self.random.choice([name for name, raw in self.mutant.files.items() if raw])
        changed, what = damage.damaged(self.random, self.mutant.files[name] or b"")
        self.mutant.files[name] = changed
        return f"{name}, {what}"

    def _packing(self) -> str:
        raw = self.mutant.files.pop(RUNS, None) or b"{}\n"
        name, packed, what = damage.packed(self.random, raw)
        self.mutant.files[f"{BATCH}/{name}"] = packed
        return what

    def _folder(self) -> str:
        """A file is missing, is a folder, has another name, or stands there twice."""
        files, random = self.mutant.files, self.random
        name = random.choice(list(files))
        act = random.choice(("missing", "a folder", "renamed", "twice"))
        raw = files.get(name)
        if act in ("missing", "renamed"):
            del files[name]
        if act == "a folder":
            files[name] = None
        if act in ("renamed", "twice"):
            other = name.replace(".", random.choice((".2.", "..", ".JSON.", " .", "é.", ".parquet.")), 1)
            files[random.choice((other, name.replace(".yaml", ".yml"), f"{name}.parquet"))] = raw
        return f"{name}, {act}"


def _public(runs: list[Dict], definitions: dict[str, Any]) -> Iterator[Any]:
    """All values without those that are private by their place."""
    hidden = ("private", "context", "snapshot", "authorization")
    for run in runs:
        yield {name: value for name, value in run.items() if name not in hidden}
    for name, definition in definitions.items():
        if name.startswith("cases/") and isinstance(definition, dict):
            cases = definition.get("cases")
            yield {key: value for key, value in definition.items() if key != "cases"}
            every = cases if isinstance(cases, list | dict) else [cases]
            yield from ({**case, "gold": None} if isinstance(case, dict) else case for case in every)
        else:
            yield definition


def _line(run: Dict) -> bytes:
    filled = dict(run)
    if filled.get("config_hash") == AUTO_HASH:
        try:
            filled["config_hash"] = config_hash(filled["config"]["effective"])
        except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError):
            filled["config_hash"] = f"sha256:{'0' * 64}"
    return _encoded(filled, None) + b"\n"


def _encoded(value: Any, indent: int | None = 1) -> bytes:
    """JSON, which is YAML too. Lone surrogates have no form but an escape."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, indent=indent).encode()
