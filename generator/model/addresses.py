"""Where each page and file of a site stands. Addresses are for ever.

All addresses are relative to the root of the site, with forward slashes.
"""

import hashlib
import re
import unicodedata
from functools import lru_cache

_PLAIN = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", "index", "readme", "404"]
    + [f"com{digit}" for digit in range(10)]
    + [f"lpt{digit}" for digit in range(10)]
)


@lru_cache(maxsize=65536)
def file_name(identifier: str) -> str:
    """A file name for an id: itself where that is plain and safe everywhere, else a readable slug and ten hex digits.

    Names are lower case, so they stay apart on file systems that fold case; ids that hold upper case get a hash.
    """
    if _PLAIN.fullmatch(identifier) and identifier not in _RESERVED:
        return identifier
    folded = unicodedata.normalize("NFKD", identifier).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", folded).strip("-")[:48].strip("-")
    return f"{slug or 'id'}-{_short_hash(identifier)}"


def variant_name(variant: str) -> str:
    """The file name of a variant; one that holds `vs` between hyphens, or `--`, is hashed, because those join names."""
    name = file_name(variant)
    parts = name.split("-")
    words = [word for word in parts if word not in ("", "vs")]
    if words == parts:
        return name
    return "-".join(["-".join(words)[:48].strip("-") or "id", _short_hash(variant)])


def difference_variant(variant: str, baseline: str) -> str:
    """The `variant` of a difference."""
    return f"{variant_name(variant)}-vs-{variant_name(baseline)}"


def slice_name(kind: str, identifier: str) -> str:
    """`category-<c>`, `case-<id>` or `stratum-<s>`."""
    return f"{kind}-{file_name(identifier)}"


def number_id(batch: str, group: str, metric: str, slice_: str | None = None) -> str:
    """The id of a number, which is also its `data-num`. `group` is a `variant_name` or a `difference_variant`."""
    tail = metric if slice_ is None else f"{metric}--{slice_}"
    return f"{file_name(batch)}/{group}/{tail}"


def number_page(number: str) -> str:
    return f"numbers/{number}.html"


def run_page(batch: str, run: str) -> str:
    return f"runs/{file_name(batch)}/{file_name(run)}.html"


def run_evidence(batch: str, run: str) -> str:
    return f"runs/{file_name(batch)}/{file_name(run)}.json"


def run_list_page(batch: str, variant: str, page: int) -> str:
    """Static lists of runs; pages count from 1."""
    return f"runs/{file_name(batch)}/lists/{variant_name(variant)}-{page}.html"


COMPARISON_PAGE = "compare/index.html"


def comparison(batch: str, run: str, other_batch: str, other: str) -> str:
    """Two runs side by side: a page that reads from its fragment which."""
    names = (f"{file_name(of)}/{file_name(it)}" for of, it in ((batch, run), (other_batch, other)))
    return f"{COMPARISON_PAGE}#a={next(names)}&b={next(names)}"


def experiment_page(experiment: str) -> str:
    return f"experiments/{file_name(experiment)}.html"


def result_page(experiment: str, batch: str) -> str:
    return f"experiments/{file_name(experiment)}/{file_name(batch)}.html"


def statistics_page(experiment: str, batch: str) -> str:
    return f"experiments/{file_name(experiment)}/{file_name(batch)}/statistics.html"


def chart_file(batch: str, lang: str, name: str, suffix: str) -> str:
    """A chart to take along; `suffix` is `svg`, `csv` or `vl.json`."""
    return f"charts/{file_name(batch)}/{lang}/{name}.{suffix}"


def _short_hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:10]


def relative(target: str, page: str) -> str:
    """`target` as a link from `page`, both relative to the root of the site."""
    here = page.split("/")[:-1]
    there = target.split("/")
    shared = 0
    while shared < len(here) and shared < len(there) - 1 and here[shared] == there[shared]:
        shared += 1
    return "../" * (len(here) - shared) + "/".join(there[shared:])
