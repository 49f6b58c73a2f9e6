"""File names and run set names, derived a second time from the published rules."""

import hashlib
import re
import unicodedata
from functools import lru_cache

_DEVICES = {"con", "prn", "aux", "nul", "index", "readme", "404"}
_DEVICES |= {f"{port}{number}" for port in ("com", "lpt") for number in range(10)}


@lru_cache(maxsize=65536)
def file_name(identifier: str) -> str:
    """The id itself where it is plain, else a slug and ten hex digits of its SHA-256."""
    is_plain = re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,63}", identifier) is not None
    if is_plain and identifier not in _DEVICES:
        return identifier
    digest = hashlib.sha256(identifier.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    plain = unicodedata.normalize("NFKD", identifier).encode("ascii", "ignore").decode().lower()
    slug = "-".join(re.findall(r"[a-z0-9]+", plain))[:48].strip("-")
    return (slug or "id") + "-" + digest


def runset_name(run_ids: set[str]) -> str | None:
    """`rs-` and 16 hex digits of the SHA-256 of the sorted ids, one a line; null for no run."""
    if not run_ids:
        return None
    text = "\n".join(sorted(run_ids))
    return "rs-" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def variant_name(variant: str) -> str:
    """As `file_name`; hashed too where `vs` stands between hyphens or a hyphen is doubled: these join names."""
    name = file_name(variant)
    words = [word for word in name.split("-") if word not in ("", "vs")]
    if "-".join(words) == name:
        return name
    digest = hashlib.sha256(variant.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return ("-".join(words)[:48].strip("-") or "id") + "-" + digest


def number_id(batch: str, group: str, metric: str, part: str | None) -> str:
    """The address of a number without folder and suffix."""
    return f"{file_name(batch)}/{group}/{metric}" + ("" if part is None else f"--{part}")
