"""Rules of the whitelist, of publication.yaml, and of texts in both languages."""

import re
from collections.abc import Iterator

import msgspec

from generator.errors import Finding, Place
from generator.model.base import LANGS, Text
from generator.model.formatting import exact
from generator.model.projection import ProjectedField
from generator.model.rules import finding, visible_id
from generator.model.runs import Run
from generator.model.source import Source
from generator.model.words import did_you_mean
from generator.validate.common import unique_ids

WHITELIST = "projection.yaml"
FILE = "publication.yaml"

PRIVATE = ("private", "context", "snapshot", "authorization")
"""Fields of a run that hold what nobody may read: prompts, accounts, frozen data, restricted values."""
COMPUTED = ("turns",)
"""What a run has besides its own fields."""
EVIDENCE = (
    *("run_id", "case_id", "variant", "repeat_index", "sequence", "state", "config_hash", "mode", "reason"),
    *("source_run_id", "config", "telemetry", "trace", "answer"),
)
"""Fields of the evidence that the whitelist fills; the others are made, not let through."""
CONTAINERS = frozenset(["config", "config.*", "config.effective", "config.requested", "extra", "trace", "trace[]"])
RETURNS = re.compile(r"trace\[\]\.(result|error)($|[.\[])")
MAX_SUMMARY = 2000
"""Characters of a tool's return: more would be the return itself."""
NAMES = ("title", "name", "publisher")
"""Fields of which the texts stand on many pages, in headings and tables."""
LONGEST_NAME, LONGEST_TEXT = 300, 20_000
SHORTEST_SECRET, LONGEST_SECRET, LONGEST_PASSAGE = 8, 64, 10_000

_ADDRESS = re.compile(r"https?://[^\s/?#]+(/[^\s?#]*)?")


def check_whitelist(source: Source) -> Iterator[Finding]:
    fields = source.projection.fields
    yield from unique_ids(WHITELIST, "fields", (field.field for field in fields), key="field")
    for position, field in enumerate(fields):
        yield from check_field(field, f"fields[{position}]")


def check_field(field: ProjectedField, path: str) -> Iterator[Finding]:
    """RC130, RC131, RC132, RC134, RC109: what no whitelist may let through, and the length of what is shown."""
    place = Place(WHITELIST, field=f"{path}.path")
    public = [name for name in (*Run.__struct_fields__, *COMPUTED) if name not in PRIVATE]
    if _head(field.path) not in public:
        found = f"`{visible_id(field.path)}`"
        remedy = "name a field that runs have and that may be read by everybody"
        if _head(field.path) in PRIVATE:
            found += ", which is never published"
        else:
            remedy = did_you_mean(_head(field.path), public, remedy)
        yield finding("RC130", place, f"one of {', '.join(public)}", found, remedy)
    if _head(field.field) not in EVIDENCE:
        expected = f"one of {', '.join(EVIDENCE)}, or a name below one of them"
        remedy = did_you_mean(_head(field.field), EVIDENCE, "put the field under one of them")
        target = Place(WHITELIST, field=f"{path}.field")
        yield finding("RC134", target, expected, f"`{visible_id(field.field)}`", remedy)
    open_end = field.type == "json" or field.path.endswith("*")
    if field.path.removesuffix(".*") in CONTAINERS and open_end:
        remedy = "name each field that may pass: whatever a harness adds later would pass too"
        yield finding("RC131", place, "single fields", f"all of `{field.path}`", remedy)
    if RETURNS.match(field.path) and not _is_summary(field):
        expected = f"`summarise` with a limit of at most {MAX_SUMMARY}, or `hash`"
        remedy = "tool returns are never shown whole: set treatment and limit"
        found = f"`{field.treatment}`" + ("" if field.limit is None else f" with a limit of {field.limit}")
        yield finding("RC132", Place(WHITELIST, field=path), expected, found, remedy)
    limit = Place(WHITELIST, field=f"{path}.limit")
    if field.treatment == "summarise" and field.limit is None:
        yield finding("RC109", limit, "a number of characters for `summarise`", "none", "add `limit`")
    if field.limit is not None and field.limit < 1:
        yield finding("RC109", limit, "1 or more", str(field.limit), "correct `limit`")


def _head(path: str) -> str:
    return re.split(r"[.\[]", path, maxsplit=1)[0]


def _is_summary(field: ProjectedField) -> bool:
    if field.treatment == "hash":
        return True
    return field.treatment == "summarise" and (field.limit or 0) <= MAX_SUMMARY


def check_publication(source: Source) -> Iterator[Finding]:
    """RC401, RC402, RC405, RC406, RC407, RC109."""
    publication = source.publication
    published = publication.published
    first: dict[str, int] = {}
    for position, entry in enumerate(published):
        if first.setdefault(entry.batch, position) != position:
            place = Place(FILE, field=f"published[{position}].batch")
            found = f"`{visible_id(entry.batch)}` again, as in published[{first[entry.batch]}]"
            yield finding("RC401", place, "each batch once", found, "remove one of the entries")
    executed = {item.batch.id: item.batch.executed_on for item in source.batches}
    for position, entry in enumerate(published):
        if entry.batch in executed and entry.since < executed[entry.batch]:
            place, found = Place(FILE, field=f"published[{position}].since"), entry.since.isoformat()
            expected = f"{executed[entry.batch].isoformat()} (the execution) or later"
            yield finding("RC402", place, expected, found, "correct one of the dates")
    if publication.address is not None and _ADDRESS.fullmatch(publication.address) is None:
        place, found = Place(FILE, field="address"), f"`{visible_id(publication.address)}`"
        remedy = "give the address under which the site will be read, such as https://example.org/report/"
        yield finding("RC405", place, "https://host/path", found, remedy)
    if publication.languages != LANGS:
        expected = "[zh, en]: every site is built in both, Chinese at its root and English below en/"
        found = f"[{', '.join(publication.languages)}]"
        yield finding("RC406", Place(FILE, field="languages"), expected, found, "remove `languages`, or list both")
    yield from check_thresholds(source)
    yield from check_leak_scan(source)


def check_thresholds(source: Source) -> Iterator[Finding]:
    """RC109: levels lie strictly between 0 and 1; a threshold of no run would publish nothing as something."""
    thresholds = source.publication.thresholds
    for name in ("alpha", "beta", "delta", "theta"):
        value = getattr(thresholds, name)
        if not 0 < value < 1:
            place = Place(FILE, field=f"thresholds.{name}")
            yield finding("RC109", place, "a number between 0 and 1", str(value), f"correct `{name}`")
    if not 0 <= exact(thresholds.epsilon) < 1 - exact(thresholds.delta):
        place, expected = (
            Place(FILE, field="thresholds.epsilon"),
            f"0 or more, less than 1 − delta ({thresholds.delta})",
        )
        yield finding(
            "RC109", place, expected, str(thresholds.epsilon), "correct `epsilon`: violations are held to ε + δ"
        )
    if thresholds.delta >= thresholds.theta:
        place, expected = Place(FILE, field="thresholds.delta"), f"less than theta ({thresholds.theta})"
        yield finding("RC109", place, expected, str(thresholds.delta), "lower `delta`: it is a drop from `theta`")
    if thresholds.alpha < 1 and thresholds.beta < 1 and exact(thresholds.alpha) + exact(thresholds.beta) >= 1:
        place, expected = Place(FILE, field="thresholds.beta"), f"less than 1 − alpha ({thresholds.alpha})"
        yield finding("RC109", place, expected, str(thresholds.beta), "lower `alpha` or `beta`")
    if thresholds.min_valid_per_group < 1:
        place, found = Place(FILE, field="thresholds.min_valid_per_group"), str(thresholds.min_valid_per_group)
        yield finding("RC109", place, "1 or more", found, "correct the threshold")


def check_leak_scan(source: Source) -> Iterator[Finding]:
    """RC109, RC407: what is looked for is long enough not to be found everywhere."""
    lengths = source.publication.leak_scan
    if not SHORTEST_SECRET <= lengths.min_characters <= LONGEST_SECRET:
        place, expected = Place(FILE, field="leak_scan.min_characters"), f"{SHORTEST_SECRET} to {LONGEST_SECRET}"
        yield finding("RC109", place, expected, str(lengths.min_characters), "correct `min_characters`")
    elif not lengths.min_characters < lengths.passage_characters <= LONGEST_PASSAGE:
        place = Place(FILE, field="leak_scan.passage_characters")
        expected = f"more than min_characters ({lengths.min_characters}), at most {LONGEST_PASSAGE}"
        yield finding("RC109", place, expected, str(lengths.passage_characters), "correct `passage_characters`")
    for position, canary in enumerate(source.publication.canaries):
        length = len("".join(canary.split()))
        if length < lengths.min_characters:
            place = Place(FILE, field=f"canaries[{position}]")
            expected = f"at least {lengths.min_characters} characters without white space"
            yield finding("RC407", place, expected, str(length), "plant a longer canary")


def check_texts(source: Source) -> Iterator[Finding]:
    """RC110, RC117: whatever is shown is there in both languages, and names can stand on every page."""
    records: list[tuple[str, str, object]] = [
        ("metrics.yaml", "", source.metrics),
        ("redaction.yaml", "", source.redaction),
        (FILE, "", source.publication),
        ("experiments.yaml", "experiments", list(source.experiments.values())),
    ]
    for folder, found in (
        ("cases", source.case_banks),
        ("catalogs", source.catalogs),
        ("policies", source.policies),
        ("contracts", source.contracts),
        ("profiles", source.profiles),
        ("sessions", source.sessions),
    ):
        records += [(f"{folder}/{name}.yaml", "", record) for name, record in found.items()]
    records += [(item.head_name, "", item.batch) for item in source.batches]
    for file, path, record in records:
        for where, lang, text in _texts(record, path):
            place = Place(file, field=where)
            limit = LONGEST_NAME if where.rsplit(".", 2)[-2] in NAMES else LONGEST_TEXT
            if not text.strip(" \t\n.…"):
                yield finding("RC110", place, "a text", "none, or dots in its place", f"write the text in `{lang}`")
            elif len(text) > limit:
                length = f"{len(text)} characters"
                yield finding("RC117", place, f"at most {limit} characters", length, "say it in fewer words")


def _texts(value: object, path: str) -> Iterator[tuple[str, str, str]]:
    """Place, language and words of each text."""
    if isinstance(value, Text):
        yield f"{path}.zh", "zh", value.zh
        yield f"{path}.en", "en", value.en
    elif isinstance(value, msgspec.Struct):
        for name, shown in zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True):
            yield from _texts(getattr(value, name), f"{path}.{shown}" if path else shown)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            if isinstance(item, msgspec.Struct):
                yield from _texts(item, f"{path}[{number}]")
