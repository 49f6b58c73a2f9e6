"""The capability tables of `docs/importers.md`, made of what the importers declare."""

from collections.abc import Iterable

from generator.read.importers.capabilities import FEATURES, NEEDS, NEVER, SIGNS, TITLES, Extent, extent_for
from generator.read.importers.importer import Importer

BEGIN, END = "<!-- capabilities: begin -->", "<!-- capabilities: end -->"


def capability_tables(importers: Iterable[Importer]) -> str:
    """Markdown: what each harness records, which metric each can feed, and what lacks where and why."""
    listed = list(importers)
    return "\n\n".join([_records(listed), _metrics(listed), _reasons(listed)]) + "\n"


def _records(importers: list[Importer]) -> str:
    """Features by harness."""
    rows = [["recorded", *(f"`{importer.harness.id}`" for importer in importers)]]
    for feature in FEATURES:
        rows.append([TITLES[feature], *(SIGNS[importer.feeds[feature].extent] for importer in importers)])
    return _table(rows)


def _metrics(importers: list[Importer]) -> str:
    """Metrics by who can feed them."""
    rows = [["metric", "needs", "fed by", "in part", "not by"]]
    for metric, needs in NEEDS.items():
        wanted = ", ".join(TITLES[feature] for feature in needs.features)
        wanted += f"; {needs.source}, which a person adds" if needs.source is not None else ""
        rows.append([f"`{metric}`", wanted, *(_names(importers, metric, extent) for extent in _EXTENTS)])
    for metric, why in NEVER.items():
        rows.append([f"`{metric}`", why, "–", "–", "all"])
    return _table(rows)


_EXTENTS: tuple[Extent, ...] = ("yes", "part", "no")


def _names(importers: list[Importer], metric: str, extent: Extent) -> str:
    named = [importer.harness.id for importer in importers if extent_for(importer.feeds, metric) == extent]
    return ", ".join(f"`{name}`" for name in named) if len(named) < len(importers) else "all"


def _reasons(importers: list[Importer]) -> str:
    """What each harness lacks, and why."""
    lines = []
    for importer in importers:
        lacks = [
            f"{TITLES[feature]} {SIGNS[importer.feeds[feature].extent]}: {why}"
            for feature in FEATURES
            if (why := importer.feeds[feature].why) is not None
        ]
        lines.append(f"- `{importer.harness.id}`: " + ("; ".join(lacks) or "records all of it") + ".")
    return "\n".join(lines)


def _table(rows: list[list[str]]) -> str:
    cells = [[cell or "–" for cell in row] for row in rows]
    ruled = [cells[0], ["---"] * len(cells[0]), *cells[1:]]
    return "\n".join("| " + " | ".join(row) + " |" for row in ruled)
