"""Evidence pages: what they show of a run is what its evidence JSON holds."""

import posixpath
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from generator.verify.box_pages import box_section
from generator.verify.compared import Neighbours
from generator.verify.evidence import EvidenceRun
from generator.verify.evidence_texts import FOLDED, Expected, Texts, differing_paths, fits, leaves, value_said
from generator.verify.found import Fact, Found
from generator.verify.lexicon import Lexicon
from generator.verify.names import file_name
from generator.verify.page_parts import HEAD, Row, blocks_of, facts_of, said_text, sections_of
from generator.verify.recompute import Batch
from generator.verify.result import Finding
from generator.verify.vocabulary import unmarked

REPEATS_SHOWN = 20
"""Repeats of the same case that stand side by side on one page."""
_SECTION_KINDS = frozenset(("zh", "en", "look", "code", "pre", "time"))


class EvidencePages:
    """Checks the evidence pages of one batch. `counted` are the ids of the numbers that count each run."""

    def __init__(self, root: Path, batch: Batch, counted: dict[str, set[str]], lexicon: Lexicon) -> None:
        self._neighbours = Neighbours(root, batch, lexicon)
        self._batch = batch
        self._counted = counted
        self._lexicon = lexicon
        self._prompts = {case["id"]: case["prompt"] for case in batch.head["cases"]}
        self._listed = {run["run_id"]: run for run in batch.head["runs"]}
        self._order = [run["run_id"] for run in batch.head["runs"]]
        self._place = {run_id: place for place, run_id in enumerate(self._order)}
        self._cells = {(run.case, run.variant, run.repeat): run for run in batch.runs}
        self._repeats = max((run.repeat + 1 for run in batch.runs), default=0)

    def check(self, run: EvidenceRun, evidence: dict[str, Any], found: list[Found]) -> Iterator[Finding]:
        """What the page of a run says otherwise than its evidence, read with numbers as they are written."""
        by_name = sections_of(found)
        sections = {name: facts_of(section) for name, section in by_name.items()}
        texts = Texts(evidence, self._lexicon)
        for name, expected in texts.sections():
            yield from _compare(name, _said_in(sections.get(name, [])), expected)
        yield from _compare("prompt", _said_in(sections.get("prompt", [])), self._prompt(run.case))
        boxed = list(box_section(run, self._batch.profile, self._lexicon))
        yield from _compare("box", _said_in(sections.get("box", [])), boxed)
        yield from self._check_head(run, evidence, sections.get(HEAD, []))
        yield from self._check_source(evidence, sections.get("source", []))
        yield from self._check_same_case(run, by_name.get("same-case", []))
        yield from self._neighbours.check(run, by_name.get("compared", []))
        shown = {text for kind, text in sections.get("numbers", []) if kind == "num"}
        counted = self._counted.get(run.run_id, set())
        for number in sorted(shown ^ counted):
            yield "numbers that count the run", *(("shown", "no") if number in shown else ("not shown", number))

    def _prompt(self, case: str) -> list[Expected]:
        prompt = self._prompts[case]
        return [] if prompt is None else [*self._lexicon.word("evidence.prompt"), ("pre", prompt)]

    def _check_head(self, run: EvidenceRun, evidence: dict[str, Any], facts: list[Fact]) -> Iterator[Finding]:
        lexicon, head = self._lexicon, self._batch.head
        codes = [text for kind, text in facts if kind == "code"]
        expected: list[Any] = [evidence["state"]]
        for group, name in (("reasons", "reason"), ("evidence.modes", "mode")):
            unknown = evidence[name] is not None and not lexicon.has(f"{group}.{evidence[name]}")
            expected += [evidence[name]] if unknown else []
            expected += [evidence["repeat_index"], evidence["sequence"]] if name == "reason" else []
        expected += [evidence["config_hash"], *differing_paths(evidence["config"])]
        effective, requested = (dict(leaves(evidence["config"].get(name, {}))) for name in ("effective", "requested"))
        for path in [*effective, *(path for path in requested if path not in effective)]:
            value = effective.get(path, "")
            expected += [path, value] + ([requested[path]] if requested.get(path, value) != value else [])
        yield from _compare("head", [("code", code) for code in codes], [("code", value) for value in expected])
        state = [*lexicon.named("states", run.state), ("code", run.state), *lexicon.named("common", run.validity)]
        state += [] if run.reason is None else lexicon.named("reasons", run.reason)
        said = _said_in(facts)
        if not _holds(said, state):
            yield "state", "other words", said_text(state)
        references = iter(unmarked(text) for kind, text in facts if kind == "ref")
        follows = [] if evidence["source_run_id"] is None else [evidence["source_run_id"]]
        for name in (head["id"], head["id"], run.variant, run.run_id, run.variant, run.case, *follows):
            if unmarked(name) not in references:
                yield "references", "another one", name
        if bool(follows) != _holds(said, lexicon.word("evidence.follows")):
            yield "run that it follows", "said" if not follows else "not said", follows or "none"
        links = [href for kind, href in facts if kind == "a" and href.startswith("./")]
        is_linked = bool(follows) and head["kind"] != "comparison"
        if links != [f"./{file_name(follows[0])}.html" for _ in follows if is_linked]:
            yield "link to the run that it follows", ", ".join(links) or "none", follows[0] if is_linked else "none"
        mode = [*lexicon.word("evidence.mode"), *lexicon.named("evidence.modes", evidence["mode"])]
        if not _holds(said, mode):
            yield "mode", "other words", said_text(mode)
        yield from self._check_neighbours(run, facts)

    def _check_neighbours(self, run: EvidenceRun, facts: list[Fact]) -> Iterator[Finding]:
        place = self._place[run.run_id]
        neighbours = [self._order[other] for other in (place - 1, place + 1) if 0 <= other < len(self._order)]
        expected = [file_name(other) + ".html" for other in neighbours]
        links = [href for kind, href in facts if kind == "a" and "/" not in href and not href.startswith("#")]
        if links != expected * 2:
            yield "neighbouring runs", ", ".join(links), ", ".join(expected * 2)

    def _check_source(self, evidence: dict[str, Any], facts: list[Fact]) -> Iterator[Finding]:
        source, listed = evidence["source"], self._listed[evidence["run_id"]]
        expected: list[Any] = [
            f"sha256:{listed['sha256']}",
            f"{source['file']}:{source['line']}",
            f"sha256:{source['sha256'].removeprefix('sha256:')}",
            f"{evidence['schema']} · {evidence['projection_version']}",
            source["withheld"],
            *(f"{pattern} × {count}" for pattern, count in source["redactions"].items()),
        ]
        codes = [("code", text) for kind, text in facts if kind == "code"]
        yield from _compare("source", codes, [("code", value) for value in expected])
        links = [href for kind, href in facts if kind == "a"]
        if links != [posixpath.basename(listed["evidence"])]:
            yield "link to the evidence", ", ".join(links), posixpath.basename(listed["evidence"])

    def _check_same_case(self, run: EvidenceRun, section: list[Row]) -> Iterator[Finding]:
        first = run.repeat // REPEATS_SHOWN * REPEATS_SHOWN
        repeats = range(first, max(first + 1, min(first + REPEATS_SHOWN, self._repeats)))
        rows = [row for _, rows in blocks_of(section) for row in rows]
        variants = [variant["id"] for variant in self._batch.head["variants"]]
        if len(rows) != len(variants):
            yield "same case", f"{len(rows)} rows", f"{len(variants)} variants"
            return
        for variant, row in zip(variants, rows, strict=True):
            expected: list[Fact] = [("ref", variant)]
            for repeat in repeats:
                expected += self._cell(self._cells.get((run.case, variant, repeat)))
            shown = [(kind, unmarked(text)) for kind, text in facts_of([row])]
            if shown != [(kind, unmarked(text)) for kind, text in expected]:
                yield f"same case {variant}", said_text(facts_of([row])), said_text(expected)

    def _cell(self, run: EvidenceRun | None) -> list[Fact]:
        """A run of the same case: its link, and what was judged, or else its state."""
        if run is None:
            return self._lexicon.word("common.skipped")
        metric = self._batch.head["pass_metric"]
        judged = run.assertions.get(metric)
        link: Fact = ("a", file_name(run.run_id) + ".html")
        if judged is None:
            return [link, ("look", "open out"), *self._lexicon.named("states", run.state)]
        return [link, *self._lexicon.verdict(judged.outcome, 0, metric)]


def _holds(said: list[Fact], some: list[Fact]) -> bool:
    """Whether some facts stand one behind the other among others."""
    return any(said[place : place + len(some)] == some for place in range(len(said)))


def _said_in(facts: Sequence[Fact]) -> list[Fact]:
    return [fact for fact in facts if fact[0] in _SECTION_KINDS]


def _compare(place: str, shown: list[Fact], expected: list[Expected]) -> Iterator[Finding]:
    """The first thing that a section says otherwise."""
    at = 0
    for kind, value in expected:
        if kind == FOLDED:
            at += _folded(shown[at:], value)
            continue
        if at >= len(shown) or shown[at][0] != kind or not fits(shown[at][1], value):
            found = f"{shown[at][0]} {shown[at][1]!r}" if at < len(shown) else "nothing"
            yield f"{place}, item {at + 1}", found, f"{kind} {value_said(value)!r}"
            return
        at += 1
    if at < len(shown):
        yield f"{place}, item {at + 1}", f"{shown[at][0]} {shown[at][1]!r}", "nothing"


def _folded(shown: list[Fact], word: list[Fact]) -> int:
    """How many facts say how long the JSON behind them is; none where it is not folded."""
    count = 1 + len(word)
    if len(shown) <= count or shown[0][0] != "code" or shown[1:count] != word or shown[count][0] != "pre":
        return 0
    text = shown[count][1]
    return count if shown[0][1] in (str(len(text)), str(len(unmarked(text)))) else 0
