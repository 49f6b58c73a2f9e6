"""Findings as text for people, JSON, JUnit XML and annotations of GitHub Actions."""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from generator.errors import Finding
from generator.finding_groups import Group, grouped


class FindingFormat(StrEnum):
    text = "text"
    json = "json"
    junit = "junit"
    github = "github"


def format_findings(
    findings: Sequence[Finding], form: FindingFormat, source: Path, outcome: str = "nothing was written"
) -> str:
    """All findings, with a newline at the end; an empty list gives an empty text, list or suite. People are also told
    the `outcome`.

    People and annotations get findings that say the same many times as one, programs get all. Annotations name files
    as the repository does: `source` is the folder that findings are relative to.
    """
    if form is FindingFormat.json:
        return _as_json(findings)
    if form is FindingFormat.junit:
        return _as_junit(findings)
    return _as_github(findings, source) if form is FindingFormat.github else _as_text(findings, outcome)


def format_error(message: str, form: FindingFormat) -> str:
    """What stopped a command though its input has no findings: a folder that cannot be written, a site that does not
    verify."""
    if form is FindingFormat.json:
        return json.dumps({"findings": [], "error": message}, ensure_ascii=False, indent=1) + "\n"
    if form is FindingFormat.junit:
        error = f'<error message="stopped">{escape(_visible(message))}</error>'
        suite = (
            f'<testsuite name="runcite" tests="1" errors="1"><testcase name="runcite">{error}</testcase></testsuite>'
        )
        return f'<?xml version="1.0" encoding="utf-8"?>\n{suite}\n'
    if form is FindingFormat.github:
        return f"::error title=runcite::{_escape_data(message)}\n"
    return f"{message}\n"


def _as_text(findings: Sequence[Finding], outcome: str) -> str:
    if not findings:
        return ""
    count = f"{len(findings)} finding{'s' if len(findings) != 1 else ''}; {outcome}"
    return "\n".join([*map(str, grouped(findings)), count]) + "\n"


def _as_json(findings: Sequence[Finding]) -> str:
    return json.dumps({"findings": [asdict(finding) for finding in findings]}, ensure_ascii=False, indent=1) + "\n"


def _as_junit(findings: Sequence[Finding]) -> str:
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<testsuite name="runcite" tests="{max(1, len(findings))}" failures="{len(findings)}">',
    ]
    for finding in findings:
        name = quoteattr(_visible(f"{finding.code} {finding.rule}"))
        place = quoteattr(_visible(str(finding.place)))
        message = quoteattr(_visible(f"expected {finding.expected}, found {finding.found}"))
        line = "" if finding.place.line is None else f' line="{finding.place.line}"'
        file = quoteattr(_visible(finding.place.file))
        lines.append(f"  <testcase classname={place} name={name} file={file}{line}>")
        lines.append(f"    <failure message={message}>{escape(_visible(finding.remedy))}</failure>")
        lines.append("  </testcase>")
    if not findings:
        lines.append('  <testcase classname="source" name="no findings"/>')
    return "\n".join([*lines, "</testsuite>"]) + "\n"


def _as_github(findings: Sequence[Finding], source: Path) -> str:
    return "".join(f"{_annotation(group, source)}\n" for group in grouped(findings))


def _annotation(group: Group, source: Path) -> str:
    finding = group.finding
    properties = {"file": _in_repository(finding.place.file, source), "title": f"{finding.code} {finding.rule}"}
    if finding.place.line is not None:
        properties["line"] = str(finding.place.line)
    given = ",".join(f"{name}={_escape_property(value)}" for name, value in properties.items())
    return f"::error {given}::{_escape_data(str(group))}"


def _in_repository(file: str, source: Path) -> str:
    """The file as GitHub knows it; one that is no file of the source stays as it is."""
    if not (source / file).exists():
        return file
    return Path(os.path.relpath(source / file, os.environ.get("GITHUB_WORKSPACE") or Path.cwd())).as_posix()


def _escape_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape_data(text).replace(":", "%3A").replace(",", "%2C")


def _visible(text: str) -> str:
    """XML has no way to write most control characters and no lone surrogates."""
    return "".join(
        character
        if character in "\t\n" or (ord(character) >= 32 and not 0xD800 <= ord(character) <= 0xDFFF)
        else f"⟦U+{ord(character):04X}⟧"
        for character in text
    )
