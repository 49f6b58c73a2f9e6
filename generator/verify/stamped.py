"""Pages of numbers, runs and lists of runs: what they show of the evidence."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from generator.verify.evidence import EvidenceRun
from generator.verify.evidence_number_pages import evidence_page_findings
from generator.verify.evidence_pages import EvidencePages
from generator.verify.found import Found
from generator.verify.json_files import parse_as_written
from generator.verify.lexicon import Lexicon
from generator.verify.number_pages import NumberPages
from generator.verify.published import Api
from generator.verify.result import Finding
from generator.verify.run_lists import list_groups, run_list_findings

_FURTHER = re.compile(r"--page-(\d+)\.html$")
_LIST_PAGE = re.compile(r"-(\d+)\.html$")


class StampedPages:
    """Checks pages that belong together: all of a number, all of a list, one of a run."""

    def __init__(self, root: Path, api: Api) -> None:
        self._root = root
        self._numbers = {known.number["page"]: known for known in api.numbers.values()}
        self._runs = {
            listed["page"]: (name, run)
            for name, batch in api.batches.items()
            for listed, run in _paired(batch.head["runs"], batch.runs)
        }
        self._lists = {
            base: (batch, variant) for batch in api.batches.values() for base, variant in list_groups(batch).items()
        }
        self._lexicon = Lexicon(api.words, api.metrics)
        self._entries = {entry["id"]: entry for entry in api.register.entries}
        counted = _counted(api)
        self._number_pages = {
            name: NumberPages(batch, api.runsets[name], api.metrics, self._lexicon)
            for name, batch in api.batches.items()
        }
        self._evidence_pages = {
            name: EvidencePages(root, batch, counted[name], self._lexicon) for name, batch in api.batches.items()
        }

    def check(self, base: str, pages: list[tuple[str, list[Found]]]) -> Iterator[tuple[str, Finding]]:
        """What is wrong on which page; `base` is what `group_pages` calls them, `pages` are addresses and what
        was found."""
        if base in self._numbers:
            known = self._numbers[base]
            if known.number["evidence"] is not None:
                for finding in evidence_page_findings(known, self._entries[known.number["evidence"]], pages[0][1]):
                    yield pages[0][0], finding
                return
            yield from self._number_pages[base.split("/")[1]].check(known, pages)
        elif base in self._runs:
            name, run = self._runs[base]
            address, found = pages[0]
            evidence = parse_as_written((self._root / address).with_suffix(".json").read_bytes().decode("utf-8"))
            for finding in self._evidence_pages[name].check(run, evidence, found):
                yield address, finding
        elif base in self._lists:
            batch, variant = self._lists[base]
            yield from run_list_findings(batch, variant, pages, self._lexicon)
        else:
            for address, _ in pages:
                yield address, ("a page", "of no number, run or list", "none")

    @property
    def expected(self) -> set[str]:
        """Every group of pages that must be there."""
        return {*self._numbers, *self._runs, *self._lists}


def group_pages(addresses: Iterable[str]) -> dict[str, list[str]]:
    """Pages that belong together, in order, by the address of the first one of a number or run, the beginning of that
    of a list; any other page alone."""
    groups: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for address in addresses:
        further, listed = _FURTHER.search(address), _LIST_PAGE.search(address)
        if address.startswith("numbers/") and further is not None:
            groups[address[: further.start()] + ".html"].append((int(further[1]), address))
        elif address.startswith("runs/") and "/lists/" in address and listed is not None:
            groups[address[: listed.start()]].append((int(listed[1]), address))
        else:
            groups[address].append((1, address))
    return {base: [address for _, address in sorted(pages)] for base, pages in groups.items()}


def _paired(listed: list[dict[str, Any]], runs: list[EvidenceRun]) -> Iterator[tuple[dict[str, Any], EvidenceRun]]:
    by_id = {run.run_id: run for run in runs}
    return ((entry, by_id[entry["run_id"]]) for entry in listed if entry["run_id"] in by_id)


def _counted(api: Api) -> dict[str, dict[str, set[str]]]:
    """The ids of the numbers whose run set holds a run, by batch and run."""
    found: dict[str, dict[str, set[str]]] = {name: defaultdict(set) for name in api.batches}
    for known in api.numbers.values():
        if known.number["evidence"] is not None:
            continue
        name = known.number["page"].split("/")[1]
        for run_id in api.runsets[name].get(known.number["runset"] or "", ()):
            found[name][run_id].add(known.number["id"])
    return found
