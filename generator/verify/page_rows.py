"""Pages whose tables are held against the API row by row: labels, contracts, waivers, figures of evidence."""

from collections.abc import Iterator
from typing import Any

from generator.verify.evidence_names import evidence_name_findings
from generator.verify.head_tables import contract_findings, waiver_findings
from generator.verify.number_heads import NumberHeads
from generator.verify.page_tables import tables_of
from generator.verify.published import Api
from generator.verify.result import Finding
from generator.verify.row_labels import PageWords, RowLabels

_NAMING_PARTS = (
    *("strata", "pooled", "sensitivity", "categories", "cases", "features"),
    *("differences", "products", "factors", "tokens", "time", "cost"),
)
_KEYED = tuple(f'"detail.{name}.'.encode() for name in _NAMING_PARTS)
"""What stands in the HTML of pages whose rows are named for parts."""


class PageRows:
    """Checks the rows of the pages of one site."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._heads = {batch.head["page"]: batch.head for batch in api.batches.values()}
        self._heads |= {
            f"{page.removesuffix('.html')}/statistics.html": head for page, head in list(self._heads.items())
        }
        self._entries = {entry["id"]: entry for entry in api.register.entries}
        self._numbers = {
            known.number["page"]: known.number for known in api.numbers.values() if known.number["evidence"] is not None
        }
        names: dict[str, dict[str, Any]] = {
            batch.head["id"]: {f"category-{entry['id']}": entry["name"] for entry in batch.head["categories"]}
            for batch in api.batches.values()
        }
        for entry in (entry for entry in api.register.entries if entry["data"] is not None):
            names[entry["id"]] = {f"{one['kind']}-{one['id']}": one["name"] for one in entry["data"]["groups"]}
        names[""] = {factor["name"]: factor["title"] for factor in (api.profile or {"factors": []})["factors"]}
        self._words = {lang: PageWords(api.words, lang) for lang in ("zh", "en", None)}
        self._labels = {lang: RowLabels(api.numbers, api.metrics, names, words) for lang, words in self._words.items()}

    def findings(self, address: str, raw: bytes) -> Iterator[Finding]:
        """What the tables of a page say otherwise."""
        page = address.removeprefix("en/")
        head, number = self._heads.get(page), self._numbers.get(address)
        if head is None and number is None and not any(key in raw for key in _KEYED):
            return
        html = raw.decode("utf-8")
        lang = None if address.startswith("numbers/") else "en" if address.startswith("en/") else "zh"
        tables = tables_of(html)
        for table in tables:
            yield from self._labels[lang].findings(table)
        if head is not None:
            words = self._words[lang]
            heads = NumberHeads(self._api.numbers, self._api.metrics, head["variants"], words)
            for table in tables:
                yield from heads.findings(table)
            if page == head["page"]:
                yield from contract_findings(head, self._api.metrics, tables, words)
            yield from waiver_findings(head, tables, words)
        if number is not None:
            entry = self._entries[number["evidence"]]
            metric = self._api.metrics[number["metric"]]
            yield from evidence_name_findings(number, metric, entry, html, tables, self._words[None])
