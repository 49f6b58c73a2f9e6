"""The second lock: nothing private stands in the finished site.

Patterns of secrets, canaries, system prompts and gold answers are looked for in every file; the private values of a run
in all that it put out, and in every page that is not a run's. A gold answer counts only where the run itself has not
said it. Findings name the file and where the secret comes from, never the secret.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from generator.errors import Finding, Place
from generator.model.rules import finding, visible_id
from generator.model.runs import Run
from generator.model.source import Source
from generator.publish.leak_archives import Unsearchable, members
from generator.publish.leak_search import (
    Anchors,
    Hashes,
    HashSet,
    Lengths,
    Needles,
    PublicText,
    anchor_hashes,
    windows,
)
from generator.publish.leak_secrets import (
    CANARY,
    GOLD,
    Public,
    Secret,
    defined_secrets,
    public_numbers,
    public_words,
    run_secrets,
    said_by,
)
from generator.publish.leak_text import SiteText, TextReader, in_context, normal
from generator.publish.theme_files import is_of_the_theme
from generator.publish.vega_bundle import is_packaged

FindPatterns = Callable[[str], list[tuple[str, str]]]
"""Id of the pattern and what it matched, for every match in a text."""
Suspect = tuple[str, int]
"""Address of a shared file, and the hash of a piece of some run's private value that occurs in it."""

SEARCH_INDEX = "search/search_index.json"
"""Made by MkDocs, which joins the digits of neighbouring elements; the pages that it is made of are searched."""
_MOST_REMEMBERED, _MOST_CHARACTERS = 2048, 20_000
"""Secrets whose anchors are kept, and the length of the longest."""

_EXPECTED = {
    "RC602": "no canary",
    "RC603": "no private value of a run",
    "RC604": "no system prompt",
    "RC605": "no gold answer outside what the run itself said",
}
_REMEDY = {
    "RC602": "find out how the canary came there: what stands beside it in the source came along",
    "RC603": "take it out of what is published; if it may be read by everybody, it does not belong under `private`",
    "RC604": "take it out of what is published, or give its path in projection.yaml the treatment `hash`",
    "RC605": "take it out of what is published: whoever reads it can prepare for the case",
}


@dataclass(frozen=True, slots=True)
class _Part:
    """A file of the site, or a member of an archive."""

    address: str
    data: bytes
    text: SiteText
    windows: Hashes


class LeakScan:
    """What is looked for, made once in each worker.

    Parameters
    ----------
    find_patterns : callable
        The redaction patterns of the source.
    public : Public
        What is known to be no secret.
    """

    def __init__(self, source: Source, find_patterns: FindPatterns, public: Public) -> None:
        configured = source.publication.leak_scan
        self._find_patterns = find_patterns
        self._lengths = Lengths(configured.min_characters, configured.passage_characters)
        self._public = PublicText("\0".join(map(normal, (*public.words, *public_words(source)))), self._lengths)
        self._remembered = lru_cache(maxsize=_MOST_REMEMBERED)(self._anchors_of)
        self._defined = self._needles(defined_secrets(source))
        self._numbers = public.numbers
        self._reader = TextReader()

    def scan_shared(self, address: str, data: bytes, private: HashSet) -> tuple[list[Finding], list[Suspect]]:
        """A file that is no run's: findings, and what may be a private value (`confirm` tells). What everybody can
        install holds no secret."""
        findings: list[Finding] = []
        suspects: list[Suspect] = []
        if is_of_the_theme(address, data) or is_packaged(address, data):
            return findings, suspects
        for part in self._parts(address, data, findings):
            findings += self._patterns(part, self._numbers, None)
            findings += [_leak(secret, part.address) for secret in self._defined.find(part.text.normal, part.windows)]
            hashes = part.windows[private.places(part.windows)]
            suspects += [(address, hash_) for hash_ in np.unique(hashes).tolist()]
        return findings, suspects

    def scan_run(self, run: Run, files: Mapping[str, bytes]) -> list[Finding]:
        """The evidence and the page of a run, by address."""
        findings: list[Finding] = []
        own = self._needles(run_secrets(run))
        for address, data in files.items():
            for part in self._parts(address, data, findings):
                findings += self._patterns(part, self._numbers, run)
                found = [
                    secret
                    for needles in (self._defined, own)
                    for secret in needles.find(part.text.normal, part.windows)
                ]
                said = said_by(run) if any(secret.code == GOLD for secret in found) else ""
                findings += [
                    _leak(secret, part.address, run)
                    for secret in found
                    if secret.code != GOLD or secret.normal not in said
                ]
        return findings

    def private_hashes(self, run: Run) -> set[int]:
        """Anchors of the private values of a run, for the search in shared files."""
        return {hash_ for secret in run_secrets(run) for _, hash_ in self._anchors(secret)}

    def confirm(
        self, runs: Iterable[Run], suspects: Mapping[int, Sequence[str]], read: Callable[[str], bytes]
    ) -> list[Finding]:
        """Which suspects (hash → addresses of shared files) are private values of these runs: of one that several runs
        have, the first is named."""
        asked: dict[str, dict[Secret, Run]] = defaultdict(dict)
        for run in runs:
            for secret in run_secrets(run):
                addresses = {address for _, hash_ in self._anchors(secret) for address in suspects.get(hash_, ())}
                for address in addresses:
                    asked[address].setdefault(secret, run)
        confirmed: list[Finding] = []
        for address in sorted(asked):
            needles = self._needles(asked[address])
            for part in self._parts(address, read(address), []):
                found = needles.find(part.text.normal, part.windows)
                confirmed += [_leak(secret, part.address, asked[address][secret]) for secret in found]
        return confirmed

    def forget(self) -> None:
        """Read every file as if it were the first."""
        self._reader.forget()

    def _needles(self, secrets: Iterable[Secret]) -> Needles[Secret]:
        return Needles(((secret, self._anchors(secret)) for secret in secrets), self._lengths)

    def _anchors(self, secret: Secret) -> Anchors:
        return self._remembered(secret) if len(secret.normal) <= _MOST_CHARACTERS else self._anchors_of(secret)

    def _anchors_of(self, secret: Secret) -> Anchors:
        return anchor_hashes(secret.normal, self._lengths, None if secret.code == CANARY else self._public)

    def _parts(self, address: str, data: bytes, findings: list[Finding]) -> Iterator[_Part]:
        try:
            for name, content in members(address, data):
                text = self._reader.read(name, content)
                yield _Part(name, content, text, windows(text.normal, self._lengths.minimum))
        except Unsearchable as error:
            remedy = "publish the files themselves, or a smaller archive"
            findings.append(finding("RC606", _place(address), "a file that can be searched", str(error), remedy))

    def _patterns(self, part: _Part, numbers: frozenset[str], run: Run | None) -> list[Finding]:
        """RC601. What is found in a piece of a page counts if it is also found in its surroundings."""
        found = self._find_patterns(part.text.fresh)
        if part.address.endswith(SEARCH_INDEX):
            found = [(pattern, match) for pattern, match in found if any(map(str.isalpha, match))]
        if not found:
            return []
        self._reader.forget()
        configured = numbers if run is None else numbers | public_numbers(run.config)
        surroundings = set(self._find_patterns(in_context(part.address, part.data)))
        patterns = sorted({pattern for pattern, match in surroundings.intersection(found) if match not in configured})
        remedy = "correct the source where the text comes from; names, ids and definitions are published as they are"
        where = _place(part.address, run)
        return [
            finding("RC601", where, "no text that a redaction pattern matches", f"`{pattern}`", remedy)
            for pattern in patterns
        ]


def _leak(secret: Secret, address: str, run: Run | None = None) -> Finding:
    where = _place(address, run)
    return finding(secret.code, where, _EXPECTED[secret.code], f"that of {secret.place}", _REMEDY[secret.code])


def _place(address: str, run: Run | None = None) -> Place:
    return Place(f"site/{address}", run=None if run is None else visible_id(run.run_id))
