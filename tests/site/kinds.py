"""The kinds of page that a site has, and how to find one of each from the site's own API.

The tests visit one page of each kind, because a site has thousands. A kind that the site lacks is an error, so that
no test passes for want of a page.
"""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

Record = dict[str, Any]


@dataclass(frozen=True)
class Index:
    """What the API of a site says. `root` is the folder of the site."""

    root: Path
    _read: dict[str, Any] = field(default_factory=dict)

    def load(self, address: str) -> Any:
        if address not in self._read:
            self._read[address] = json.loads((self.root / address).read_text(encoding="utf-8"))
        return self._read[address]

    @property
    def batches(self) -> list[Record]:
        batches: list[Record] = self.load("api/v1/index.json")["batches"]
        return batches

    @cached_property
    def numbers(self) -> list[Record]:
        return [number for batch in self.batches for number in self.load(batch["numbers"])]

    @cached_property
    def aggregates(self) -> dict[str, str]:
        return {metric["id"]: metric["aggregate"] for metric in self.load("api/v1/metrics.json")["metrics"]}

    def runs(self) -> Iterator[tuple[str, Record]]:
        """Address of the page and evidence of each run."""
        for path in sorted(self.root.glob("runs/*/*.json")):
            yield path.with_suffix(".html").relative_to(self.root).as_posix(), json.loads(path.read_bytes())


@dataclass(frozen=True)
class Kind:
    """`find` gives the address below the root. Stamped pages exist once and carry both languages."""

    name: str
    find: Callable[[Index], str]
    stamped: bool = False

    def address(self, index: Index, lang: str) -> str:
        found = self.find(index)
        if lang == "zh" or self.name == "not found":
            return found
        return f"{found}#en" if self.stamped else f"en/{found}"


def _page(address: str) -> Callable[[Index], str]:
    return lambda _: address


def _experiment(index: Index) -> str:
    return f"experiments/{index.batches[0]['experiment']}.html"


def _result(of: Callable[[Record], bool]) -> Callable[[Index], str]:
    return lambda index: next(str(batch["page"]) for batch in index.batches if of(batch))


def _statistics(of: Callable[[Record], bool]) -> Callable[[Index], str]:
    page = _result(of)
    return lambda index: page(index).removesuffix(".html") + "/statistics.html"


def _number(is_meant: Callable[[Record, str], bool]) -> Callable[[Index], str]:
    """The first number for which `is_meant(number, aggregate)` holds."""
    return lambda index: next(
        str(number["page"]) for number in index.numbers if is_meant(number, index.aggregates[number["metric"]])
    )


def _whole(aggregate: str) -> Callable[[Index], str]:
    """The first value of this aggregate over a whole group."""
    return _number(
        lambda number, its: (
            its == aggregate and number["slice"] is None and number["compares"] is None and number["value"] is not None
        )
    )


def _run(state: str) -> Callable[[Index], str]:
    return lambda index: next(page for page, evidence in index.runs() if evidence["state"] == state)


def _run_list(index: Index) -> str:
    return next(path.relative_to(index.root).as_posix() for path in sorted(index.root.glob("runs/*/lists/*.html")))


READ = [
    Kind("home", _page("index.html")),
    Kind("experiments", _page("experiments/index.html")),
    Kind("experiment, published", _experiment),
    Kind("experiment, not published", _page("experiments/max-agent-steps-stability.html")),
    Kind("experiment, private", _page("experiments/compression-method-comparison.html")),
    Kind("result, two variants", _result(lambda batch: len(batch["variants"]) == 2)),
    Kind("result, many variants", _result(lambda batch: 2 < len(batch["variants"]) < 6)),
    Kind("statistics, variants", _statistics(lambda batch: str(batch["id"]) == "gov-2026-11")),
    Kind("statistics, mutants", _statistics(lambda batch: str(batch["experiment"]) == "agent-mutation")),
    Kind("statistics, relations", _statistics(lambda batch: str(batch["experiment"]) == "metamorphic-relations")),
    Kind("runs", _page("runs/index.html")),
    Kind("comparison", _page("compare/index.html")),
    Kind("metrics", _page("metrics.html")),
    Kind("methods", _page("methods.html")),
    Kind("verify", _page("verify.html")),
    Kind("data", _page("data.html")),
    Kind("changes", _page("changes.html")),
    Kind("not found", _page("404.html")),
]
NUMBERS = [
    Kind("number, proportion", _whole("proportion"), stamped=True),
    Kind("number, mean", _whole("mean"), stamped=True),
    Kind("number, quantile", _whole("quantile"), stamped=True),
    Kind("number, count", _whole("count"), stamped=True),
    Kind("number, pass^k", _whole("pass_hat"), stamped=True),
    Kind("number, skipped cells", _number(lambda it, _: it["metric"] == "runs_skipped" and it["value"]), stamped=True),
    Kind("number, category", _number(lambda it, _: (it["slice"] or "").startswith("category-")), stamped=True),
    Kind("number, case", _number(lambda it, _: (it["slice"] or "").startswith("case-")), stamped=True),
    Kind("number, difference", _number(lambda it, of: it["compares"] and of == "proportion"), stamped=True),
    Kind("number, difference of means", _number(lambda it, of: it["compares"] and of == "mean"), stamped=True),
    Kind("number, no value", _number(lambda it, _: it["value"] is None), stamped=True),
]
EVIDENCE = [
    Kind("evidence, complete", _run("COMPLETE"), stamped=True),
    Kind("evidence, failed", _run("FAILED"), stamped=True),
    Kind("evidence, invalid", _run("INVALID"), stamped=True),
    Kind("evidence, cancelled", _run("CANCELLED"), stamped=True),
]
STAMPED = [*NUMBERS, *EVIDENCE, Kind("run list", _run_list, stamped=True)]
KINDS = {kind.name: kind for kind in [*READ, *STAMPED]}

SOAK = os.environ.get("RUNCITE_SOAK") == "1"
FURTHER = (
    *("number, mean", "number, quantile", "number, count", "number, pass^k", "number, category", "number, case"),
    *("number, difference of means", "evidence, failed", "evidence, cancelled"),
)
"""Stamped pages of a template of which other kinds are tried; they all are where there is time."""
TRIED = [name for name in KINDS if SOAK or name not in FURTHER]
FRAMES = (
    *("home", "experiments", "result, many variants", "statistics, variants", "methods"),
    *("number, proportion", "evidence, complete", "run list", "not found"),
)
"""A page of each frame and depth: what belongs to the frame is tried on these, and on all where there is time."""
FRAMED = [name for name in TRIED if SOAK or name in FRAMES]
TRIED_STAMPED = [kind.name for kind in STAMPED if kind.name in TRIED]
