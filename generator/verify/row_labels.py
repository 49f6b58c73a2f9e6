"""What rows of tables are called: each is named for what its counts are parts of."""

from collections.abc import Callable, Iterator
from typing import Any

from generator.verify.lexicon import Words
from generator.verify.page_tables import PageCell, PageTable, bare_text
from generator.verify.result import Finding
from generator.verify.shown import Published

_COLUMNS = {
    "n": None,
    **{name: f"times.columns.{name}" for name in ("missing", "zero", "saturated")},
    **{f"{name}_ms": f"times.columns.{name}" for name in ("min", "max", "mean", "s")},
    "q1_ms": "Q1",
    "p50_ms": "p50",
    "q3_ms": "Q3",
    "p90_ms": "p90",
    "p95_ms": "p95",
    "p99_ms": "p99",
}
"""Columns of a table of strata, with the key of their word, or the sign that they have in both languages."""

_MEASURES = ("tokens", "time", "cost")
_BOUNDARIES = ("call", "following", "pair", "run")
_UNITS_OF_MEASURES = {"tokens": "tokens", "time": "ms", "cost": "usd"}


class PageWords:
    """Words as a page has them, without spaces: in one language, or in both where `lang` is None."""

    def __init__(self, words: Words, lang: str | None) -> None:
        self._words = words
        self.languages = ("zh", "en") if lang is None else (lang,)

    def text(self, text: dict[str, str]) -> str:
        """A text of a definition; once where both languages say the same."""
        return "".join(dict.fromkeys(bare_text(text[lang]) for lang in self.languages))

    def word(self, key: str, **values: str) -> str:
        found = {lang: str(self._words[lang][key]) for lang in self.languages}
        return self.text({lang: text.format(**values) if values else text for lang, text in found.items()})

    def named(self, group: str, code: str) -> str:
        """The word for a code; the code itself where there is none."""
        key = f"{group}.{code}"
        return self.word(key) if key in self._words[self.languages[0]] else bare_text(code)


class RowLabels:
    """Holds the heads of rows and columns against numbers, on pages in one language or in both."""

    def __init__(
        self,
        numbers: dict[str, Published],
        metrics: dict[str, Any],
        parts: dict[str, dict[str, dict[str, str]]],
        words: PageWords,
    ) -> None:
        """`parts` are the names of slices, by batch or entry of the register and by slice (`category-…`); those of the
        factors of the box stand under an empty text."""
        self._numbers = numbers
        self._metrics = metrics
        self._parts = parts
        self._words = words
        self._naming: dict[str, Callable[[dict[str, Any], list[str]], str | None]] = {
            "strata": self._stratum,
            "pooled": lambda number, path: self._whole(number, path, "times.pooled"),
            "sensitivity": lambda number, path: self._whole(number, path, "times.sensitivity"),
            "categories": self._category,
            "cases": self._case,
            "features": self._metric,
            "differences": self._metric,
            "products": self._product,
            "factors": self._factor,
        }

    def findings(self, table: PageTable) -> Iterator[Finding]:
        """What a table calls otherwise than the API."""
        if any(part.startswith(tuple(f"detail.{name}." for name in _MEASURES)) for _, part in table.parts):
            yield from self._of_boundaries(table)
            return
        for row in table.rows:
            yield from self._of_row(table, row)
        if any(part.endswith(".q1_ms") for _, part in table.parts):
            yield from self._of_columns(table)

    def _of_row(self, table: PageTable, row: list[PageCell]) -> Iterator[Finding]:
        heads = [cell for cell in row if cell.tag == "th"]
        named = {name for cell in row for name in cell.counts if name[1].startswith("detail.")}
        if not heads or not named:
            return
        for number, part in sorted(named):
            expected = self._label(table, number, part)
            shown = heads[-1].text.removesuffix(self._words.word("gate.waives_nothing"))
            if expected is not None and shown != expected:
                yield f"head of the row of {number} {part}", shown or "nothing", expected
                return

    def _label(self, table: PageTable, number: str, part: str) -> str | None:
        """What the row of a part is called; None where the row is not named for it."""
        known, path = self._numbers.get(number), part.split(".")[1:]
        naming = self._naming.get(path[0])
        if known is None or naming is None or len(path) < 2:
            return None
        is_of_variants = path[0] == "pooled" and not any(".strata." in other for _, other in table.parts)
        return None if is_of_variants else naming(known.number, path)

    def _stratum(self, number: dict[str, Any], path: list[str]) -> str | None:
        if number["metric"] == "time_within":
            return path[1]
        found = number["detail"]["strata"][path[1]]
        clock = found["authority"]
        event = found["event"]
        is_run = number["detail"]["unit"] == "run"
        state = ("states", found["state"].upper()) if is_run else ("evidence.status", found["state"])
        return "·".join(
            (
                self._words.word(f"times.authority.{clock}" if clock else "times.unresolved_authority"),
                self._words.word(f"evidence.event.{event}" if event else "times.unresolved_event"),
                self._words.named(*state),
            )
        )

    def _whole(self, number: dict[str, Any], path: list[str], key: str) -> str | None:
        return self._words.word(key) if "strata" in (number["detail"] or {}) else None

    def _category(self, number: dict[str, Any], path: list[str]) -> str | None:
        known = self._parts.get(number["batch"], {}).get(f"category-{path[1]}")
        return None if known is None else self._words.word("common.category") + self._words.text(known)

    def _product(self, number: dict[str, Any], path: list[str]) -> str:
        if path[1] == "sum":
            return self._words.word("audit.mix.sum")
        part = self._numbers[number["detail"]["parts"][int(path[1])]["rate"]].number
        known = self._parts[part["evidence"]].get(part["slice"] or "")
        return self._words.word("common.whole") if known is None else self._words.text(known)

    def _factor(self, number: dict[str, Any], path: list[str]) -> str | None:
        known = self._parts[""].get(path[1])
        return None if known is None else self._words.text(known)

    def _case(self, number: dict[str, Any], path: list[str]) -> str | None:
        cases = number["detail"]["cases"]
        return bare_text(cases[path[1]]["case"]) if isinstance(cases, dict) else None

    def _metric(self, number: dict[str, Any], path: list[str]) -> str | None:
        metric = self._metrics.get(path[1])
        return None if metric is None else self._words.text(metric["name"])

    def _of_columns(self, table: PageTable) -> Iterator[Finding]:
        """Each column of a table of strata has the head that its parts ask for."""
        heads = [cell.text for cell in table.head[0]] if table.head else []
        for row in table.rows:
            for place, cell in enumerate(row):
                name = cell.counts[0][1].rpartition(".")[2] if cell.counts and cell.tag == "td" else ""
                key = _COLUMNS.get(name)
                if key is None:
                    continue
                expected = self._words.word(key) if "." in key else key
                shown = heads[place] if place < len(heads) else "nothing"
                if shown != expected:
                    yield f"head of the column of {name}", shown, expected
                    return

    def _of_boundaries(self, table: PageTable) -> Iterator[Finding]:
        """All rows of a table of boundaries in their order, with why some have no amount."""
        name = next(number for number, part in table.parts if part.startswith("detail."))
        known = self._numbers.get(name)
        if known is None:
            return
        expected = list(self._boundary_rows(known.number))
        shown = [[cell.text for cell in row if not cell.counts] for row in table.rows]
        if len(shown) != len(expected):
            yield f"rows of {name}", f"{len(shown)} rows", f"{len(expected)} rows"
        for row, wanted in zip(shown, expected, strict=False):
            if row != wanted:
                yield f"words of a row of {name}", ", ".join(row), ", ".join(wanted)

    def _boundary_rows(self, number: dict[str, Any]) -> Iterator[list[str]]:
        words = self._words
        for measure in _MEASURES:
            for boundary in _BOUNDARIES:
                found = number["detail"][measure][boundary]
                heads = [words.word(f"boundaries.measures.{measure}")] if boundary == _BOUNDARIES[0] else []
                heads.append(words.word(f"boundaries.names.{boundary}"))
                amounts = [found[f"{side}_{_UNITS_OF_MEASURES[measure]}"] for side in ("own", "baseline")]
                heads += ["—" for amount in amounts if amount is None]
                if found["reason"] is not None:
                    lead = "total_not_established" if boundary == "run" else "not_established"
                    reason = words.word(f"boundaries.reason.{found['reason']}")
                    heads.append(words.word(f"boundaries.{lead}") + words.word("common.colon") + reason)
                yield heads
