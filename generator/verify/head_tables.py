"""What the page of a batch repeats of its file: measurement contracts with their counts, and waivers."""

from collections.abc import Iterator
from typing import Any

from generator.verify.page_tables import PageTable, bare_text
from generator.verify.result import Finding
from generator.verify.row_labels import PageWords

_CONTRACTS = "rc-measured"


def contract_findings(
    head: dict[str, Any], metrics: dict[str, Any], tables: list[PageTable], words: PageWords
) -> Iterator[Finding]:
    """Every table of contracts, its counts and its words: the batch file says what they are."""
    alike: list[list[dict[str, Any]]] = []
    for entry in head["measurement"]:
        same = [group for group in alike if _recorded_alike(group[0]) == _recorded_alike(entry)]
        if same:
            same[0].append(entry)
        else:
            alike.append([entry])
    expected = [_contract(group, metrics, words) for group in alike]
    shown = [
        [table.caption.text, *("|".join(cell.text for cell in row) for row in table.rows)]
        for table in tables
        if _CONTRACTS in table.classes
    ]
    if len(shown) != len(expected):
        yield "tables of measurement contracts", f"{len(shown)} tables", f"{len(expected)} tables"
    for found, wanted in zip(shown, expected, strict=False):
        if len(found) != len(wanted):
            yield f"rows of the contract {wanted[0]}", f"{len(found)} rows", f"{len(wanted)} rows"
        for text, made in zip(found, wanted, strict=False):
            if text != made:
                yield "a row of the measurement contracts", text, made


def _recorded_alike(entry: dict[str, Any]) -> tuple[Any, ...]:
    return entry["valid"], entry["recorded"], entry["fields"]


def _contract(group: list[dict[str, Any]], metrics: dict[str, Any], words: PageWords) -> list[str]:
    """Caption and rows of one table."""
    first = group[0]
    named = words.word("common.comma").join(words.text(metrics[entry["metric"]]["name"]) for entry in group)
    counts = {name: f"{first[name]:,}" for name in ("recorded", "valid", "missing")}
    caption = named + words.word("common.colon") + bare_text(words.word("measured.records", **counts))
    rows = []
    for name, seen in first["fields"].items():
        says = dict.fromkeys(words.text(metrics[entry["metric"]]["contract"][name]) for entry in group)
        found = "".join(words.named("measured.values", value) + f"{n:,}" for value, n in seen["values"].items())
        if seen["unresolved"]:
            found += words.word("measured.unresolved") + f"{seen['unresolved']:,}"
        status = "recorded" if not seen["unresolved"] else "partly" if seen["values"] else "unresolved"
        field = words.word(f"metrics.contract.{name}")
        rows.append("|".join((field, "".join(says), found, words.word(f"measured.status.{status}"))))
    return [caption, *rows]


def waiver_findings(head: dict[str, Any], tables: list[PageTable], words: PageWords) -> Iterator[Finding]:
    """Case, day and reason of each waiver, in the order of the batch file."""
    shown = [
        "|".join(cell.text for cell in row[:3])
        for table in tables
        if any(part.startswith("detail.cases.") for _, part in table.parts)
        for row in table.rows
        if len(row) > 3
    ]
    if shown:
        nothing = words.word("gate.waives_nothing")
        shown = [text.replace(f"{nothing}|", "|", 1) for text in shown]
        expected = [
            "|".join((bare_text(waiver["case"]), waiver["since"], words.text(waiver["reason"])))
            for waiver in head["waivers"]
        ]
        if shown != expected:
            yield "waivers", "; ".join(shown), "; ".join(expected)
