"""Rules of the evidence register."""

import re
from collections.abc import Iterator

from generator.errors import Finding, Place
from generator.model.base import LANGS, Text
from generator.model.bound_text import SETTINGS, unbound_figures, unknown_settings
from generator.model.number_words import number_words
from generator.model.prose import figures
from generator.model.register import EVIDENCE_BATCH, REGISTER_FILE, WITH_DATA, EvidenceEntry, HashAlgorithm
from generator.model.rules import finding, visible_id
from generator.model.source import Source
from generator.model.words import in_words, one_of
from generator.validate.evidence_data import check_data

MAX_ENTRIES = 500

_ID = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,31}")
_RESERVED = ("con", "prn", "aux", "nul", "index", "readme")
_DIGITS: dict[HashAlgorithm, int] = {"sha256": 64, "md5": 32, "git_blob": 40}


def check_register(source: Source) -> Iterator[Finding]:
    """All rules of `evidence.yaml` and its data."""
    yield from check_reserved(source)
    if source.register is None:
        return
    entries = source.register.evidence
    yield from _check_size(len(entries))
    yield from _check_ids(entries)
    for place, entry in enumerate(entries):
        path = f"evidence[{place}]"
        yield from check_hashes(entry, path)
        yield from check_texts(entry, path)
        yield from check_kind(entry, path)
        if entry.data is not None:
            yield from check_data(entry, path, source.metrics)


def check_reserved(source: Source) -> Iterator[Finding]:
    """RC168: numbers on aggregate evidence stand where those of a batch of this name would."""
    for item in source.batches:
        if item.batch.id == EVIDENCE_BATCH:
            place, expected = Place(item.head_name, field="id"), f"another id than `{EVIDENCE_BATCH}`"
            remedy = "rename the batch: numbers that rest on aggregate evidence have this word in their place"
            yield finding("RC168", place, expected, f"`{EVIDENCE_BATCH}`", remedy)


def _check_size(count: int) -> Iterator[Finding]:
    if count > MAX_ENTRIES:
        place, remedy = Place(REGISTER_FILE, field="evidence"), "one entry for what is alike"
        yield finding("RC178", place, f"at most {MAX_ENTRIES} entries", str(count), remedy)


def _check_ids(entries: list[EvidenceEntry]) -> Iterator[Finding]:
    """RC160: ids are parts of addresses, in lower case."""
    first: dict[str, int] = {}
    for place, entry in enumerate(entries):
        field = Place(REGISTER_FILE, field=f"evidence[{place}].id")
        if _ID.fullmatch(entry.id) is None or entry.id.lower() in _RESERVED or "--" in entry.id:
            expected = "a letter, then letters, digits and single hyphens, at most 32"
            yield finding("RC160", field, expected, f"`{visible_id(entry.id)}`", "choose an id such as E01")
        earlier = first.setdefault(entry.id.lower(), place)
        if earlier != place:
            found = f"`{visible_id(entry.id)}` again, as in evidence[{earlier}] (upper and lower case are the same)"
            yield finding("RC160", field, "each id once", found, "rename one of them")


def check_hashes(entry: EvidenceEntry, path: str) -> Iterator[Finding]:
    """RC161: a hash has the form that its algorithm gives."""
    for place, known in enumerate(entry.hashes):
        digits = _DIGITS[known.algorithm]
        if re.fullmatch(rf"[0-9a-f]{{{digits}}}", known.value) is None:
            field = Place(REGISTER_FILE, field=f"{path}.hashes[{place}].value")
            expected = f"{digits} hex digits in lower case, for {known.algorithm}"
            found = f"{len(known.value)} characters"
            yield finding("RC161", field, expected, found, "copy the hash whole, and name its algorithm")


def check_texts(entry: EvidenceEntry, path: str) -> Iterator[Finding]:
    """RC173: texts of the register state no figure, and bind none."""
    named = {
        "title": entry.title,
        "scope": entry.scope,
        "cannot_show": entry.cannot_show,
        "no_runs": entry.no_runs,
    }
    for name, text in named.items():
        if text is not None:
            yield from _stated(f"{path}.{name}", text)


def _stated(path: str, text: Text) -> Iterator[Finding]:
    for lang in LANGS:
        words = text.in_language(lang)
        found = [*figures(words), *number_words(words)]
        if found:
            quoted = in_words(f"`{visible_id(figure)}`" for figure in found)
            remedy = "leave the figure to `data`: these texts bind no numbers"
            yield finding("RC173", Place(REGISTER_FILE, field=f"{path}.{lang}"), "no figures", quoted, remedy)


def unbound(file: str, path: str, text: Text) -> Iterator[Finding]:
    """RC173: a figure outside of `num()` and `ref()`, in digits or in words, or a `ref()` of no setting."""
    for lang in LANGS:
        place, words = Place(file, field=f"{path}.{lang}"), text.in_language(lang)
        found = unbound_figures(words)
        if found:
            quoted = in_words(f"`{visible_id(figure)}`" for figure in found)
            remedy = "write num(<id of the number>) for a result, ref(<setting>) for a threshold, or leave it out"
            yield finding("RC173", place, "figures through num() alone, in digits as in words", quoted, remedy)
        for name in unknown_settings(words):
            expected, said = f"ref() of {one_of(SETTINGS, 'a setting')}", f"`{visible_id(name)}`"
            yield finding("RC173", place, expected, said, "name the setting; a value is never typed")


def check_kind(entry: EvidenceEntry, path: str) -> Iterator[Finding]:
    """RC162: an entry has data where its kind says so, and then says why there are no runs."""
    place = Place(REGISTER_FILE, field=path)
    if entry.kind in WITH_DATA and entry.data is None:
        remedy = "add `data`, or `file` with the name of a file in evidence/"
        yield finding("RC162", place, f"data for the kind {entry.kind}", "none", remedy)
    if entry.kind not in WITH_DATA and entry.data is not None:
        expected = f"no data for the kind {entry.kind}"
        remedy = f"make it one of {', '.join(WITH_DATA)}, or move the data to an entry of its own"
        yield finding("RC162", place, expected, "data", remedy)
    if entry.data is not None and entry.no_runs is None:
        remedy = "say why the single runs are not available: every number page of this evidence shows it"
        yield finding("RC162", Place(REGISTER_FILE, field=f"{path}.no_runs"), "a reason", "none", remedy)
