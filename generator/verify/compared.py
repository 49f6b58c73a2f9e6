"""Runs beside their neighbours: what an evidence page says of them, aligned once more from the evidence."""

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from generator.verify.evidence import EvidenceRun
from generator.verify.found import Fact
from generator.verify.lexicon import Lexicon
from generator.verify.names import file_name
from generator.verify.page_parts import Row, blocks_of, facts_of, said_text
from generator.verify.recompute import Batch
from generator.verify.result import Finding
from generator.verify.vocabulary import unmarked

COMPARISON = "compare/index.html"
_OTHERS_SHOWN = 4
_LONGEST_ALIGNMENT = 40_000
_IMPOSSIBLE = 1 << 30
_PAIR = re.compile(r"a=([a-z0-9_/-]+)&b=([a-z0-9_/-]+)")
_CUT_TEXT = {"text", "truncated", "length", "sha256"}


class ToolCall(NamedTuple):
    step: int
    tool: str
    arguments: Any
    written: str


class Traced(NamedTuple):
    """Calls (None: no trace) and answer of a run."""

    calls: list[ToolCall] | None
    answer: Any


def is_comparison(target: str, fragment: str, pages: dict[str, Any]) -> bool:
    """Whether a fragment names two runs, which the page of comparisons shows."""
    named = _PAIR.fullmatch(fragment)
    return (
        named is not None
        and target.removeprefix("en/") == COMPARISON
        and all(f"runs/{address}.html" in pages for address in named.groups())
    )


class Neighbours:
    """The section of the pages of one batch; its evidence stands in the site below `root`."""

    def __init__(self, root: Path, batch: Batch, lexicon: Lexicon) -> None:
        self._batch = batch
        self._lexicon = lexicon
        self._cells = {(run.case, run.variant, run.repeat): run for run in batch.runs}
        self._ids = {run.run_id: run for run in batch.runs}
        self._folder = root / "runs" / file_name(batch.head["id"])
        self._traced = lru_cache(maxsize=4096)(self._read)

    def check(self, run: EvidenceRun, section: list[Row]) -> Iterator[Finding]:
        """What the section says otherwise than the evidence of both runs."""
        expected = [self._row(run, other) for other in self._beside(run)]
        rows = [row for _, rows in blocks_of(section) for row in rows]
        if len(rows) != len(expected):
            yield "neighbours compared", f"{len(rows)} rows", f"{len(expected)} runs"
            return
        for row, told in zip(rows, expected, strict=True):
            shown = [(kind, unmarked(text)) for kind, text in facts_of([row])]
            if shown != [(kind, unmarked(text)) for kind, text in told]:
                yield "a neighbour compared", said_text(facts_of([row])), said_text(told)

    def _beside(self, run: EvidenceRun) -> list[EvidenceRun]:
        variants = [variant["id"] for variant in self._batch.head["variants"] if variant["id"] != run.variant]
        found = [it for other in variants if (it := self._cells.get((run.case, other, run.repeat))) is not None]
        found = found[:_OTHERS_SHOWN]
        repeat = self._cells.get((run.case, run.variant, run.repeat - 1 if run.repeat else 1))
        found += [] if repeat is None else [repeat]
        followed = self._ids.get(run.follows) if run.follows else None
        return found if followed is None else [followed, *(it for it in found if it is not followed)]

    def _row(self, run: EvidenceRun, other: EvidenceRun) -> list[Fact]:
        here, there = self._traced(run.run_id), self._traced(other.run_id)
        page, word = file_name(other.run_id) + ".html", self._lexicon.word
        facts: list[Fact] = [("a", page), ("ref", other.run_id), ("ref", other.variant), ("ref", str(other.repeat))]
        if here.calls is None or there.calls is None:
            facts += word("compare.no_trace")
        elif len(here.calls) * len(there.calls) > _LONGEST_ALIGNMENT:
            facts += word("compare.long")
        else:
            facts += _aligned_facts(here.calls, there.calls, page)
        return [*facts, *word(f"compare.answers.{_answers_told(here.answer, there.answer)}"), *self._link(run, other)]

    def _link(self, run: EvidenceRun, other: EvidenceRun) -> list[Fact]:
        batch = file_name(self._batch.head["id"])
        a, b = (f"{batch}/{file_name(it.run_id)}" for it in (run, other))
        facts: list[Fact] = []
        for lang, folder in (("zh", ""), ("en", "en/")):
            text = next(text for kind, text in self._lexicon.word("compare.open") if kind == lang)
            facts += [("a", f"../../{folder}{COMPARISON}#a={a}&b={b}"), (lang, text)]
        return facts

    def _read(self, run_id: str) -> Traced:
        evidence = json.loads((self._folder / f"{file_name(run_id)}.json").read_bytes())
        if evidence["trace"] is None:
            return Traced(None, evidence["answer"])
        steps = enumerate(evidence["trace"], start=1)
        calls = [
            ToolCall(place, step["tool"], step.get("arguments"), _one_text(step.get("arguments")))
            for place, step in steps
            if step.get("kind") != "model"
        ]
        return Traced(calls, evidence["answer"])


def _one_text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _aligned_facts(here: list[ToolCall], there: list[ToolCall], page: str) -> list[Fact]:
    same, differences = 0, []
    for one, other in _aligned(here, there):
        if one is not None and other is not None:
            if one.written == other.written:
                same += 1
                continue
            names = [("code", name) for name in _differing_names(one.arguments, other.arguments)]
            differences += [("a", f"#step-{one.step}"), ("code", one.tool), *names]
        elif one is not None:
            differences += [("a", f"#step-{one.step}"), ("code", one.tool)]
        elif other is not None:
            differences += [("a", f"{page}#step-{other.step}"), ("code", other.tool)]
    return [("code", str(same)), *differences]


def _aligned(
    here: list[ToolCall], there: list[ToolCall]
) -> Iterator[tuple[ToolCall, ToolCall] | tuple[ToolCall, None] | tuple[None, ToolCall]]:
    """As few changes as can be; of several ways, both together as early as can be, and then what is here alone."""
    costs = {(len(here), len(there)): 0}

    def together(i: int, j: int) -> int:
        if i == len(here) or j == len(there) or here[i].tool != there[j].tool:
            return _IMPOSSIBLE
        return costs[i + 1, j + 1] + (here[i].written != there[j].written)

    for i in reversed(range(len(here) + 1)):
        for j in reversed(range(len(there) + 1)):
            if (i, j) not in costs:
                alone = [costs[at] + 1 for at in ((i + 1, j), (i, j + 1)) if at in costs]
                costs[i, j] = min([*alone, together(i, j)])
    i = j = 0
    while (i, j) != (len(here), len(there)):
        cost = costs[i, j]
        if cost == together(i, j):
            yield here[i], there[j]
            i, j = i + 1, j + 1
        elif i < len(here) and cost == costs[i + 1, j] + 1:
            yield here[i], None
            i += 1
        else:
            yield None, there[j]
            j += 1


def _differing_names(here: Any, there: Any) -> list[str]:
    if not all(isinstance(it, dict) and it.keys() != _CUT_TEXT for it in (here, there)):
        return []
    told_here, told_there = ({name: _one_text(value) for name, value in it.items()} for it in (here, there))
    return [name for name in {**told_here, **told_there} if told_here.get(name) != told_there.get(name)]


def _answers_told(here: Any, there: Any) -> str:
    if here is None and there is None:
        return "none"
    if here is None or there is None:
        return "there" if here is None else "here"
    return "same" if here == there else "other"
