"""Rules of the head of a batch: what it says it used is what the source has."""

import re
from collections.abc import Iterator

from generator.errors import Finding, Place
from generator.model.batches import MAX_CELLS, Batch, Versioned
from generator.model.cases import CaseBank
from generator.model.experiments import Experiment
from generator.model.rules import finding, visible_id
from generator.model.source import BatchSource, Source
from generator.model.words import did_you_mean, in_words, one_of
from generator.validate.common import cell_count, is_reason, repeated, unique_ids
from generator.validate.experiments import unknown_metric
from generator.validate.waivers import check_waivers

_SHA256 = re.compile(r"sha256:[0-9a-f]{64}")
_DECIMAL = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,12})?")


def check_head(source: Source, item: BatchSource) -> Iterator[Finding]:
    batch, file = item.batch, item.head_name
    experiment = source.experiments.get(batch.experiment)
    yield from check_experiment(batch, file, source, experiment)
    yield from check_metric_table_version(batch, file, source)
    yield from check_versions(batch, file, source)
    yield from check_grid(batch, file, experiment, source.case_banks.get(batch.case_bank.id))
    yield from check_skips(batch, file)
    yield from check_waivers(batch, file)
    yield from check_catalogs(batch, file, source)
    yield from check_provenance(batch, file)
    yield from check_published_aggregates(batch, file, source)


def check_experiment(batch: Batch, file: str, source: Source, experiment: Experiment | None) -> Iterator[Finding]:
    """RC301, RC302."""
    place = Place(file, field="experiment")
    if experiment is None:
        expected = one_of(source.experiments, "an experiment of experiments.yaml")
        remedy = "correct the id, or register the experiment in experiments.yaml"
        remedy = did_you_mean(batch.experiment, source.experiments, remedy)
        yield finding("RC301", place, expected, f"`{visible_id(batch.experiment)}`", remedy)
    elif experiment.visibility == "private":
        remedy = "take the batch out of publication.yaml"
        yield finding("RC302", place, "a public experiment", f"`{experiment.id}`, which is private", remedy)


def check_metric_table_version(batch: Batch, file: str, source: Source) -> Iterator[Finding]:
    """RC303: a past or a future version; numbers of one site have one table."""
    own, table = batch.metric_table_version, source.metrics.version
    if own != table:
        place = Place(file, field="metric_table_version")
        remedy = "rejudge the batch under this table, or publish it with the table it was judged under"
        if own > table:
            remedy = "update metrics.yaml to that version, or rejudge the batch under this one"
        yield finding("RC303", place, f"version {table} (metrics.yaml)", f"version {own}", remedy)


def check_versions(batch: Batch, file: str, source: Source) -> Iterator[Finding]:
    """RC304: case bank, catalogue, fixtures and judges are those of the source."""
    banks = {bank.id: bank.version for bank in source.case_banks.values()}
    catalogs = {catalog.id: catalog.version for catalog in source.catalogs.values()}
    fixtures = {fixture.id: fixture.version for fixture in source.fixtures.values()}
    yield from _version(file, "case_bank", batch.case_bank, banks, "cases")
    yield from _version(file, "catalog", batch.catalog, catalogs, "catalogs")
    yield from _version(file, "fixtures", batch.fixtures, fixtures, "fixtures")
    for judge, version in batch.judges.items():
        policy = source.policies.get(judge)
        if policy is not None and policy.version != version:
            place = Place(file, field=f"judges.{judge}")
            expected = f"version {policy.version} (policies/{judge}.yaml)"
            yield finding("RC304", place, expected, f"version {version}", "rejudge the batch, or restore that version")


def _version(file: str, field: str, used: Versioned | None, there: dict[str, int], folder: str) -> Iterator[Finding]:
    if used is None:
        return
    if used.id not in there:
        place, expected = Place(file, field=f"{field}.id"), one_of(sorted(there), f"a file of {folder}/")
        name = visible_id(used.id)
        remedy = did_you_mean(used.id, sorted(there), f"correct the id, or add {folder}/{name}.yaml")
        yield finding("RC304", place, expected, f"`{name}`", remedy)
    elif there[used.id] != used.version:
        place = Place(file, field=f"{field}.version")
        expected = f"version {there[used.id]} ({folder}/{used.id}.yaml)"
        remedy = "publish the batch with the version it was executed with"
        yield finding("RC304", place, expected, f"version {used.version}", remedy)


def check_grid(batch: Batch, file: str, experiment: Experiment | None, bank: CaseBank | None) -> Iterator[Finding]:
    """RC305: cases and variants are known and named once, the baseline is among them, and the grid has cells."""
    planned = batch.planned
    known_cases = [case.id for case in bank.cases] if bank else planned.cases
    known_variants = [variant.id for variant in experiment.variants] if experiment else planned.variants
    for name, ids, known in (("cases", planned.cases, known_cases), ("variants", planned.variants, known_variants)):
        yield from unique_ids(file, f"planned.{name}", ids, key="")
        options = frozenset(known)
        for position, identifier in enumerate(ids):
            if identifier not in options:
                place = Place(file, field=f"planned.{name}[{position}]")
                owner = "of the experiment" if name == "variants" else f"of cases/{batch.case_bank.id}.yaml"
                remedy = did_you_mean(identifier, known, f"correct the id, or add it to the {name} {owner}")
                expected = one_of(known, f"one of the {name} {owner}")
                yield finding("RC305", place, expected, f"`{visible_id(identifier)}`", remedy)
    if experiment is not None and experiment.baseline in known_variants and experiment.baseline not in planned.variants:
        place, expected = Place(file, field="planned.variants"), f"the baseline `{experiment.baseline}` among them"
        remedy = "add the baseline, or register a template with another one"
        yield finding("RC305", place, expected, in_words(planned.variants), remedy)
    cells = cell_count(planned)
    if planned.repeats < 1 or not 1 <= cells <= MAX_CELLS:
        place, expected = Place(file, field="planned"), f"1 to {MAX_CELLS} cells (cases × variants × repeats)"
        yield finding("RC305", place, expected, str(cells), "correct the grid")


def check_skips(batch: Batch, file: str) -> Iterator[Finding]:
    """RC306."""
    planned = batch.planned
    options = {"case": frozenset(planned.cases), "variant": frozenset(planned.variants)}
    for position, skip in enumerate(batch.skipped):
        path = f"skipped[{position}]"
        for name, value, known in (("case", skip.case, planned.cases), ("variant", skip.variant, planned.variants)):
            if value not in options[name]:
                remedy = did_you_mean(value, known, f"name a planned {name}, or remove the cell")
                place, expected = Place(file, field=f"{path}.{name}"), one_of(known, f"a planned {name}")
                yield finding("RC306", place, expected, f"`{visible_id(value)}`", remedy)
        if not 0 <= skip.repeat_index < planned.repeats:
            place, expected = Place(file, field=f"{path}.repeat_index"), f"0 to {planned.repeats - 1}"
            remedy = "count repeats from 0, or remove the cell"
            yield finding("RC306", place, expected, str(skip.repeat_index), remedy)
        if not is_reason(skip.reason):
            place, remedy = (
                Place(file, field=f"{path}.reason"),
                "name the reason as a code such as token_budget_reached",
            )
            yield finding("RC306", place, "a reason in snake_case", f"`{visible_id(skip.reason)}`", remedy)


def check_catalogs(batch: Batch, file: str, source: Source) -> Iterator[Finding]:
    """RC319: catalogues belong to planned variants and hold tools of the catalogue that the batch names."""
    catalog = source.catalogs.get(batch.catalog.id) if batch.catalog else None
    tools = [tool.name for tool in catalog.tools] if catalog else None
    for name in ("variant_catalogs", "variant_meta_tools"):
        for variant, listed in getattr(batch, name).items():
            place = Place(file, field=f"{name}.{variant}")
            if variant not in batch.planned.variants:
                expected = one_of(batch.planned.variants, "a planned variant")
                remedy = did_you_mean(variant, batch.planned.variants, "name a planned variant, or remove the entry")
                yield finding("RC319", place, expected, f"`{visible_id(variant)}`", remedy)
            for again in repeated(listed):
                found = f"`{visible_id(again.id)}` twice"
                yield finding("RC319", place, "each tool once", found, "remove one of them")
            unknown = sorted(set(listed) - set(tools)) if tools is not None and name == "variant_catalogs" else []
            if unknown and catalog is not None:
                found = in_words(f"`{visible_id(tool)}`" for tool in unknown)
                remedy = did_you_mean(unknown[0], tools or [], "correct the names, or add the tools to the catalogue")
                expected = f"tools of catalogs/{catalog.id}.yaml: {in_words(tools or [], 'there is none')}"
                yield finding("RC319", place, expected, found, remedy)


def check_provenance(batch: Batch, file: str) -> Iterator[Finding]:
    """RC320."""
    for position, named in enumerate(batch.provenance.files):
        path = f"provenance.files[{position}]"
        if _SHA256.fullmatch(named.sha256) is None:
            place, remedy = (
                Place(file, field=f"{path}.sha256"),
                "write the hash as sha256sum prints it, after `sha256:`",
            )
            yield finding("RC320", place, "sha256: and 64 hex digits", "another form", remedy)
        if named.bytes < 0:
            place = Place(file, field=f"{path}.bytes")
            yield finding("RC320", place, "0 or more", str(named.bytes), "give the size of the file")
        if "/" in named.name or "\\" in named.name:
            place, remedy = Place(file, field=f"{path}.name"), "name the file without its folder"
            yield finding("RC320", place, "a base name", "a path", remedy)


def check_published_aggregates(batch: Batch, file: str, source: Source) -> Iterator[Finding]:
    """RC105, RC403: an aggregate that came with the batch names a metric and a decimal value."""
    rows = {metric.id for metric in source.metrics.metrics}
    for position, published in enumerate(batch.published_aggregates):
        path = f"published_aggregates[{position}]"
        if published.metric not in rows:
            yield unknown_metric(Place(file, field=f"{path}.metric"), published.metric, source.metrics)
        if _DECIMAL.fullmatch(published.value) is None:
            place, remedy = Place(file, field=f"{path}.value"), 'write it as a text, such as "0.875"'
            yield finding("RC403", place, "a decimal number", f"`{visible_id(published.value)}`", remedy)
