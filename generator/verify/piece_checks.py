"""What is checked of a piece of a page, once for all pages of a folder that hold it."""

from dataclasses import dataclass, field

from generator.verify.active import is_foreign
from generator.verify.found import Found
from generator.verify.links import Links
from generator.verify.result import Finding
from generator.verify.shown import Published, count_findings, number_findings
from generator.verify.vocabulary import Vocabulary, spaced
from generator.verify.word_checks import WordChecks

_ALONE = "#"
"""Behind a folder: of a piece by itself, not of the line that it may be."""

Fragment = tuple[str, str]
"""A page and a fragment of it."""


@dataclass(eq=False, slots=True)
class Checked:
    """`counts` says what was checked. `own` are fragments of whichever page holds the piece, `named` texts with digits
    that are no known names, with the link that they stand in. `strange` are words that nobody published, `unpaired`
    those of one language that do not go with those of the other, `foreign` links to other hosts. Where `is_plain`, a
    page has nothing to do about it."""

    counts: dict[str, int]
    findings: list[Finding] = field(default_factory=list)
    own: list[str] = field(default_factory=list)
    fragments: list[Fragment] = field(default_factory=list)
    named: list[tuple[str, str]] = field(default_factory=list)
    strange: list[str] = field(default_factory=list)
    unpaired: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    is_plain: bool = True

    def settle(self) -> "Checked":
        self.is_plain = not (
            self.findings or self.own or self.fragments or self.named or self.strange or self.unpaired or self.foreign
        )
        return self


class PieceChecks:
    """Checks pieces against what is published. `address` is the address of the site, `files` are all of its files."""

    def __init__(
        self,
        published: dict[str, Published],
        vocabulary: Vocabulary,
        words: WordChecks,
        links: Links,
        address: str,
    ) -> None:
        self._published = published
        self._words = words
        self._vocabulary = vocabulary
        self._links = links
        self._address = address.rstrip("/") + "/" if address else ""

    def check(self, found: Found, folder: str, *, absolute: bool) -> Checked:
        """What there is to say of a piece on the pages of a folder; `absolute` is for the page of missing addresses."""
        if found.checked is None:
            found.checked = {}
        checked: Checked | None = found.checked.get(folder)
        if checked is None:
            checked = found.checked[folder] = self._check_line(found, folder, absolute)
        return checked

    def _check_line(self, found: Found, folder: str, absolute: bool) -> Checked:
        pieces = [self._check_piece(piece, folder, absolute) for piece in found.pieces or (found,)]
        checked = pieces[0] if len(pieces) == 1 else _together(pieces)
        checked.unpaired = list(self._words.strange_pairs(found.facts))
        return checked.settle()

    def _check_piece(self, found: Found, folder: str, absolute: bool) -> Checked:
        """A piece stands in many lines."""
        if found.checked is None:
            found.checked = {}
        known: Checked | None = found.checked.get(folder + _ALONE)
        if known is None:
            known = found.checked[folder + _ALONE] = self._check_alone(found, folder, absolute)
        return known

    def _check_alone(self, found: Found, folder: str, absolute: bool) -> Checked:
        checked = Checked({"pieces of pages": 1})
        if found.numbers or found.counts:
            self._check_numbers(found, folder, checked)
        if found.links or found.loads:
            self._check_links(found, folder, absolute, checked)
        if found.problems:
            checked.findings += [(what, value, "none") for what, value in found.problems]
        for text in found.loose_digits:
            checked.findings.append(("a quantity without a number", text, "a link to a number, or a reference"))
        if found.named_digits:
            checked.counts["texts with digits outside the content"] = len(found.named_digits)
            explains = self._vocabulary.explains
            checked.named = [(text, href) for text, href in found.named_digits if not explains(text)]
        if found.words:
            checked.counts["words"] = len(found.words)
            checked.strange = [spaced(text) for text in found.words if not self._words.is_said(text)]
        return checked.settle()

    def _check_numbers(self, found: Found, folder: str, checked: Checked) -> None:
        for number in found.numbers:
            checked.findings += number_findings(number, self._published.get(number.number), folder)
        for count in found.counts:
            checked.findings += count_findings(count, self._published.get(count.number))
        counts = {
            "shown values": len(found.numbers),
            "number links": len(found.numbers),
            "shown counts": len(found.counts) + sum("count" in number.parts for number in found.numbers),
            "shown intervals": sum("interval" in number.parts for number in found.numbers),
        }
        checked.counts |= {kind: count for kind, count in counts.items() if count}

    def _check_links(self, found: Found, folder: str, absolute: bool, checked: Checked) -> None:
        checked.counts["links"] = len(found.links)
        checked.counts["loads"] = len(found.loads)
        for link in found.links:
            if self._address and (link + "/").startswith(self._address):
                self._check_link(link.removeprefix(self._address[:-1]).removeprefix("/") or "./", "", link, checked)
            elif is_foreign(link):
                checked.foreign.append(link)
            else:
                self._check_link(link, folder, link, checked, absolute=absolute)
        for load in found.loads:
            problem = self._links.load_problem(folder, load, absolute=absolute)
            if problem is not None:
                checked.findings.append((problem, load, "none" if is_foreign(load) else "a file of the site"))

    def _check_link(self, path: str, folder: str, link: str, checked: Checked, *, absolute: bool = False) -> None:
        target, fragment = self._links.target(folder, path, absolute=absolute)
        if target is None:
            checked.findings.append(("a link", link, "no such file"))
        elif fragment and not target:
            checked.own.append(fragment)
        elif fragment:
            checked.fragments.append((target, fragment))


def _together(every: list[Checked]) -> Checked:
    together = Checked({})
    counts = together.counts
    for checked in every:
        for kind, count in checked.counts.items():
            counts[kind] = counts.get(kind, 0) + count
        if not checked.is_plain:
            together.findings += checked.findings
            together.own += checked.own
            together.fragments += checked.fragments
            together.named += checked.named
            together.strange += checked.strange
            together.foreign += checked.foreign
            together.is_plain = False
    return together
