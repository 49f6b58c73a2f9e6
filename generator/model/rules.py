"""All rules that input must keep, by code. Codes are stable: a retired code is not used again.

RC0xx reading files, RC1xx definitions, RC2xx runs, RC3xx batches, RC4xx publication, RC5xx import,
RC6xx leaks in the finished site, RC7xx the release decision.
"""

import itertools
from collections.abc import Iterable

from generator.errors import Finding, Place

RULES: dict[str, str] = {
    "RC001": "required file is there",
    "RC002": "file is UTF-8 without a byte order mark",
    "RC003": "file is well-formed YAML",
    "RC004": "keys are unique",
    "RC005": "no anchors, aliases or tags",
    "RC006": "file is within the limits",
    "RC007": "values are those of JSON",
    "RC008": "value has the type of its field",
    "RC009": "value is one of the allowed options",
    "RC010": "keys are known",
    "RC011": "required keys are there",
    "RC012": "file name equals the id",
    "RC013": "published batch is there",
    "RC014": "batch has one runs file",
    "RC015": "batch id can name a folder",
    "RC016": "definition file ends in .yaml",
    "RC017": "file lies in the source",
    "RC020": "line is well-formed JSON",
    "RC021": "line is a JSON object",
    "RC022": "numbers are finite",
    "RC023": "line is within the limits",
    "RC024": "field of a run has its type",
    "RC025": "required field of a run is there",
    "RC026": "compressed file can be read",
    "RC027": "compressed file expands within the limits",
    "RC028": "Parquet file can be read",
    "RC029": "findings are few enough to be listed",
    "RC101": "ids are unique",
    "RC102": "ids have their form",
    "RC103": "metric of the table has code",
    "RC104": "aggregate has its parameters, and no others",
    "RC105": "metric that is shown is in the table",
    "RC106": "metric with code is in the table",
    "RC107": "telemetry metric has a measurement contract",
    "RC108": "version is known and explained",
    "RC109": "number is within its range",
    "RC110": "text is there in both languages",
    "RC111": "baseline is one of the variants",
    "RC112": "values of the variants are distinct",
    "RC113": "path is well-formed",
    "RC114": "accepted difference is another path than the independent variable",
    "RC115": "pass metric is a judged proportion",
    "RC116": "prose states no figure",
    "RC117": "text is short enough for its place",
    "RC118": "variants fit the kind of the experiment",
    "RC119": "relation can be judged",
    "RC120": "category is known",
    "RC121": "gold reference names an entry",
    "RC122": "gold entry can be met",
    "RC123": "tool is in the catalogue",
    "RC124": "key and stale facts do not conflict",
    "RC125": "session is known",
    "RC126": "contract is known",
    "RC127": "clause has one form and can be broken",
    "RC130": "whitelist names a public field of a run",
    "RC131": "whitelist lets no whole container pass",
    "RC132": "tool returns are summarised",
    "RC133": "whitelist field has a place of its own",
    "RC134": "whitelist field belongs to the evidence",
    "RC140": "pattern compiles and matches something",
    "RC150": "box profile is known",
    "RC151": "column of a factor is known",
    "RC152": "limit of a factor fits its direction",
    "RC153": "steepness and weights of a profile can be used",
    "RC154": "name of a factor can stand in addresses",
    "RC160": "id of evidence has its form and stands once",
    "RC161": "hash has the form of its algorithm",
    "RC162": "evidence has the data of its kind",
    "RC163": "figures of evidence are exact and named",
    "RC164": "frequency table counts records",
    "RC165": "number of evidence names what is there",
    "RC166": "units are not mixed",
    "RC167": "number of evidence stands once",
    "RC168": "batch id is not reserved",
    "RC169": "share of evidence is one of counts",
    "RC170": "id of a claim has its form and stands once",
    "RC171": "claim binds published numbers",
    "RC172": "claim names evidence of the register",
    "RC173": "figures of a claim are bound to numbers",
    "RC174": "verified claim binds a number with a value",
    "RC175": "claim of improvement has its verdict",
    "RC176": "both languages bind the same numbers",
    "RC177": "parts make up the pooled number",
    "RC178": "register and ledger are within their limits",
    "RC179": "printed value of evidence agrees with the recomputed one",
    "RC180": "threshold or cap of times is a time",
    "RC181": "only a time saturates",
    "RC182": "waived case is planned",
    "RC183": "case is waived once",
    "RC184": "waiver is older than the execution",
    "RC185": "ratio says what it counts",
    "RC186": "amount says over what it is accounted",
    "RC201": "run id can be used",
    "RC202": "variant is one of the experiment's",
    "RC203": "case is in the bank",
    "RC204": "repeat index is in the grid",
    "RC205": "reason fits the state",
    "RC206": "configuration has an RFC 8785 form",
    "RC207": "configuration hash is the recomputed one",
    "RC208": "amounts are not negative",
    "RC209": "times are ISO 8601 in UTC",
    "RC210": "harness verdict has its type",
    "RC211": "what is missing has no value",
    "RC301": "experiment is registered",
    "RC302": "private experiments are never published",
    "RC303": "metric table version is the source's",
    "RC304": "versions are the source's",
    "RC305": "planned grid is sound",
    "RC306": "skipped cell is in the grid, with a reason",
    "RC307": "every planned cell is a run or a skip",
    "RC308": "no cell twice",
    "RC309": "no run outside the grid",
    "RC310": "sequence is unique",
    "RC311": "executed order is the interleaving of the seed",
    "RC312": "run ids are unique in the source",
    "RC313": "batch has runs",
    "RC314": "variants differ only at the independent variable",
    "RC315": "runs of a variant share one configuration",
    "RC316": "effective value is the variant's",
    "RC317": "variants really differ at the independent variable",
    "RC318": "every variant reaches the threshold of valid runs",
    "RC319": "catalogue of a variant is known",
    "RC320": "provenance names its files by hash",
    "RC321": "grid and threshold can be checked",
    "RC322": "mutant changes one component of the original",
    "RC323": "run that follows names its source",
    "RC401": "batch is published once",
    "RC402": "publication date is not before the execution",
    "RC403": "published aggregate is a number of the batch",
    "RC404": "published aggregate agrees with the recomputed value",
    "RC405": "address is a web address",
    "RC406": "site is in both languages",
    "RC407": "canary can be searched for",
    "RC410": "published number changes with a note",
    "RC411": "restatement note belongs to a change",
    "RC412": "ledger of published numbers can be read",
    "RC413": "recorded site is of the source",
    "RC501": "result file can be read",
    "RC502": "result file is of the named harness",
    "RC503": "run of a result file can be placed",
    "RC504": "no run twice in the result files",
    "RC505": "independent variable is in the configuration",
    "RC506": "day of execution is known",
    "RC507": "there are runs to import",
    "RC508": "tasks are the same in all result files",
    "RC509": "grid is within the limits",
    "RC510": "new source starts in an empty folder",
    "RC511": "batch is new to the source",
    "RC512": "imported batch fits the registered experiment",
    "RC513": "harness of a result file is known",
    "RC520": "headline of a harness agrees, or its difference is explained",
    "RC601": "no redaction pattern matches in the site",
    "RC602": "no canary is in the site",
    "RC603": "no private value is in the site",
    "RC604": "no system prompt is in the site",
    "RC605": "no gold answer is in the site",
    "RC606": "file of the site can be searched",
    "RC701": "batch of the decision is published",
    "RC702": "variant of the decision was planned",
    "RC703": "baseline is an earlier batch of the experiment",
    "RC704": "decision rests on ratios that have a direction",
    "RC705": "baseline may be compared",
    "RC706": "what the policy says is changed is there",
}


MAX_PART = 1500
"""Characters of each part of a finding."""


def finding(code: str, place: Place, expected: str, found: str, remedy: str) -> Finding:
    """A finding under a registered rule; KeyError for a code that is not registered.

    What it quotes of a definition, and the name of a file, are made printable, and cut where nobody would read on.
    """
    field = place.field
    if not _is_printed(place.file) or (field is not None and not _is_printed(field)):
        place = Place(_printed(place.file), place.line, place.run, None if field is None else _printed(field))
    return Finding(code, RULES[code], place, _printed(expected), _printed(found), _printed(remedy))


def few(findings: Iterable[Finding], limit: int, place: Place) -> list[Finding]:
    """The first `limit` findings, and one that says that there are more: what is wrong in a hundred thousand places
    would be read by nobody, and fill the memory."""
    listed = list(itertools.islice(findings, limit + 1))
    if len(listed) > limit:
        remedy = "correct these first: the rest was not looked at"
        listed[limit] = finding("RC029", place, f"at most {limit} findings here", "more", remedy)
    return listed


def _is_printed(text: str) -> bool:
    return text.isprintable() and len(text) <= MAX_PART


def _printed(text: str) -> str:
    if _is_printed(text):
        return text
    shown = "".join(mark if mark.isprintable() else f"⟦U+{ord(mark):04X}⟧" for mark in text[:MAX_PART])
    return shown if len(text) <= MAX_PART else f"{shown[:MAX_PART]}…"


def visible_id(identifier: str) -> str:
    """An id for a message: what a terminal would act on, and what cannot be encoded, is escaped; at most 80 long."""
    shown = "".join(mark if mark.isprintable() else f"⟦U+{ord(mark):04X}⟧" for mark in identifier[:81])
    return shown if len(shown) <= 80 else shown[:79] + "…"
