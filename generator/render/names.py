"""Names of metrics, variants, categories, cases and slices, in both languages."""

from fractions import Fraction
from functools import lru_cache

from markupsafe import Markup

from generator.model.addresses import slice_name
from generator.model.batches import Batch
from generator.model.cases import Case, CaseBank
from generator.model.formatting import decimal_text
from generator.model.report import BatchReport
from generator.model.source import Source
from generator.render.environment import Words, say_text, spans
from generator.render.escape import foreign
from generator.render.marking import with_values

_CACHED = 4096


def ref_of(text: str) -> Markup:
    """A configured value."""
    return Markup('<span class="ref">{}</span>').format(text)


def identifier(text: str) -> Markup:
    """An id, which may hold anything."""
    return Markup('<bdi class="ref" lang="und" translate="no">{}</bdi>').format(foreign(text))


class Names:
    """Names of one batch."""

    def __init__(self, source: Source, words: Words, batch: Batch) -> None:
        self.words = words
        self.metrics = source.metrics.by_id()
        self.batch = batch
        profile = self.profile = source.box_profile
        self._factors = {} if profile is None else {factor.name: factor.title for factor in profile.factors}
        self.experiment = source.experiments[batch.experiment]
        self.bank: CaseBank | None = source.case_banks.get(batch.case_bank.id)
        self._variants = {variant.id: variant.name for variant in self.experiment.variants}
        self._cases = {} if self.bank is None else {case.id: case for case in self.bank.cases}
        self._categories = {} if self.bank is None else {entry.id: entry.name for entry in self.bank.categories}
        self.code = lru_cache(maxsize=_CACHED)(words.name_of)
        self.metric = lru_cache(maxsize=_CACHED)(self._metric)

    def _metric(self, metric_id: str) -> Markup:
        metric = self.metrics.get(metric_id)
        return identifier(metric_id) if metric is None else say_text(metric.name, None)

    def variant(self, variant_id: str) -> Markup:
        """Id and name, once where they are the same."""
        name = self._variants.get(variant_id)
        if name is None:
            return identifier(variant_id)
        zh, en = (Markup() if text == variant_id else with_values(text) for text in (name.zh, name.en))
        return Markup("{} {}").format(identifier(variant_id), spans(zh, en)) if zh or en else identifier(variant_id)

    def case(self, case_id: str) -> Case | None:
        return self._cases.get(case_id)

    def category(self, category: str) -> Markup:
        """Its id where the bank does not name it."""
        name = self._categories.get(category)
        return identifier(category) if name is None else say_text(name, None)

    def factor(self, name: str) -> Markup:
        """Of the box profile in force."""
        title = self._factors.get(name)
        return identifier(name) if title is None else say_text(title, None)

    def slice_kind(self, slice_: str | None) -> Markup:
        """Whole group, category, case or relation; a stratum, a family or a factor with its name."""
        if slice_ is None:
            return self.words.both("common.whole")
        kind, _, rest = slice_.partition("-")
        heading = self.words.name_of("common", kind)
        if kind == "within":
            return self.words.both("times.within.at_most", n=ref_of(decimal_text(Fraction(int(rest)), 0)))
        if kind == "family":
            return Markup("{} {}").format(heading, self.words.name_of("kinds.family", rest))
        if kind == "factor":
            return Markup("{} {}").format(heading, self.factor(rest))
        return Markup("{} {}").format(heading, identifier(rest)) if kind == "stratum" else heading


class SliceNames:
    """Which category or case a slice of a batch is of; slices hold file names, which may be hashed."""

    def __init__(self, names: Names, batch: BatchReport) -> None:
        self._names = names
        categories = {row.category for row in batch.rows}
        cases = {row.case_id for row in batch.rows} | set(batch.batch.planned.cases)
        self._categories = {slice_name("category", category): category for category in categories}
        self._cases = {slice_name("case", case_id): case_id for case_id in cases}
        variants = (variant.id for variant in batch.experiment.variants if variant.relation is not None)
        self._relations = {slice_name("relation", variant): variant for variant in variants}
        self.title = lru_cache(maxsize=_CACHED)(self._title)

    def _title(self, slice_: str | None) -> Markup:
        """`category Basic`, `case basic-01`, `stratum server-execution-complete`, `whole group`."""
        kind = self._names.slice_kind(slice_)
        if slice_ in self._categories:
            return Markup("{} {}").format(kind, self._names.category(self._categories[slice_]))
        if slice_ in self._cases:
            return Markup("{} {}").format(kind, identifier(self._cases[slice_]))
        if slice_ in self._relations:
            return Markup("{} {}").format(kind, self._names.variant(self._relations[slice_]))
        return kind
