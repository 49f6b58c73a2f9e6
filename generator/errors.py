"""What can be wrong: findings about the input, and the exceptions that carry them."""

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, order=True, slots=True)
class Place:
    """Where a finding is.

    Every part but `file` may be absent. `file` is relative to the source, with forward slashes; `line` counts from 1;
    `field` is a path such as `metrics[3].unit` or `config.effective.model`.
    """

    file: str
    line: int | None = None
    run: str | None = None
    field: str | None = None

    def __str__(self) -> str:
        where = self.file if self.line is None else f"{self.file}:{self.line}"
        parts = [where]
        if self.run is not None:
            parts.append(f"run {self.run}")
        if self.field is not None:
            parts.append(self.field)
        return "  ".join(parts)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong with the input: what was expected, what was found, what to do.

    `code` is stable (`RC203`); `rule` says in a few words which rule it is. Nothing here may quote the content of a
    field that the whitelist does not publish.
    """

    code: str
    rule: str
    place: Place
    expected: str
    found: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.place}  {self.code} {self.rule}\n  expected {self.expected}, found {self.found}\n  {self.remedy}"


def sort_key(finding: Finding) -> tuple[str, bool, int, str, str, str, str, str]:
    """Order of findings in every report: by place, then code. What is wrong with a line comes before what is wrong with
    the whole file, which may follow from it."""
    place = finding.place
    return (
        place.file,
        place.line is None,
        place.line or 0,
        place.run or "",
        place.field or "",
        finding.code,
        finding.expected,
        finding.found,
    )


class RunciteError(Exception):
    """Base of all errors that a person can do something about."""


@dataclass
class Refused(RunciteError):
    """The input has findings; nothing is published."""

    findings: list[Finding] = field(default_factory=list)

    def __str__(self) -> str:
        return "\n".join(str(finding) for finding in self.findings)


class SiteError(RunciteError):
    """The site could not be written or exchanged (disk full, read-only target, another build at work)."""


def refuse(findings: Iterable[Finding]) -> None:
    """Raise `Refused` with all findings in order, if there are any."""
    ordered = sorted(set(findings), key=sort_key)
    if ordered:
        raise Refused(ordered)
