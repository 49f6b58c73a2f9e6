"""Names on the page of a number without runs: of figures and tables, in its formula, in its title."""

import re
from collections.abc import Iterator
from typing import Any

from generator.verify.page_tables import PageTable, bare_text, untagged, words_before_counts
from generator.verify.result import Finding
from generator.verify.row_labels import PageWords

_SIGNS_BEFORE = "()+\N{MINUS SIGN}÷=1"
"""What may stand in a formula before the name of a figure."""

_FORMULA = re.compile(r'<p class="st-formula">(.*?)</p>', re.DOTALL)
_TITLE = re.compile(r"<h1\b[^>]*>(.*?)</h1>", re.DOTALL)
_FIGURE = "detail.figures."


def evidence_name_findings(
    number: dict[str, Any],
    metric: dict[str, Any],
    entry: dict[str, Any],
    html: str,
    tables: list[PageTable],
    words: PageWords,
) -> Iterator[Finding]:
    """What the page calls otherwise than the evidence."""
    data, detail = entry["data"], number["detail"]
    figures = {figure["id"]: figure for figure in data["figures"]}
    names = {name: words.text(figure["name"]) for name, figure in figures.items()}
    used = [name for name in figures if name in detail.get("figures", {})]
    expected = [f"{names[name]} {words.word('metrics.units.' + figures[name]['unit'])}" for name in used]
    rows = [row for table in tables if table.section == "figures" for row in table.rows]
    yield from _names_differing("names of figures", [f"{row[0].text} {row[-1].text}" for row in rows], expected)
    shown = [row[0].text for table in tables if table.section == "frequencies" for row in table.rows if len(row) == 1]
    further = words.word("audit.number.more_rows")
    of_tables = [words.text(table["name"]) for table in data["tables"] if table["id"] in detail.get("tables", ())]
    yield from _names_differing("names of tables", [name for name in shown if name != further], of_tables)
    yield from _of_formula(html, names)
    groups = [group["name"] for group in data["groups"] if f"{group['kind']}-{group['id']}" == number["slice"]]
    title = "·".join([words.text(metric["name"]), bare_text(entry["id"]), *map(words.text, groups)])
    titles = [untagged(found) for found in _TITLE.findall(html)]
    yield from _names_differing("the title", titles, [title])


def _of_formula(html: str, names: dict[str, str]) -> Iterator[Finding]:
    """Each figure in the formula has its name before it; sums and ranks, which have none, are not figures."""
    for formula in _FORMULA.findall(html):
        for part, text in words_before_counts(formula):
            name = names.get(part.removeprefix(_FIGURE))
            if name is None or not part.startswith(_FIGURE):
                continue
            if not text.endswith(name) or text.removesuffix(name).strip(_SIGNS_BEFORE):
                yield f"the name of {part} in the formula", text.strip(_SIGNS_BEFORE), name


def _names_differing(what: str, shown: list[str], expected: list[str]) -> Iterator[Finding]:
    if shown != expected:
        yield what, ", ".join(shown) or "nothing", ", ".join(expected) or "nothing"
