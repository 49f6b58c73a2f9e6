"""The machine-readable side of a site: `api/v1/`."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

import generator
from generator.model.addresses import experiment_page, file_name, result_page, run_evidence, run_page, variant_name
from generator.model.base import Text
from generator.model.cases import Case, CaseBank
from generator.model.experiments import Variant
from generator.model.numbers import publish_number
from generator.model.profiles import Profile
from generator.model.report import BatchReport, Report
from generator.model.restatements import changes
from generator.model.source import Source
from generator.publish.api_records import (
    Addresses,
    Index,
    IndexedBatch,
    IndexedExperiment,
    IndexedProfile,
    PublishedBatchFile,
    PublishedCase,
    PublishedCategory,
    PublishedProjection,
    PublishedRun,
    PublishedVariant,
    TimeSettings,
    WithdrawnNumber,
)
from generator.publish.json_text import json_bytes, plain
from generator.publish.register_api import CLAIMS, EVIDENCE_NUMBERS, indexed_evidence, register_files
from generator.publish.schemas import SCHEMAS, detail_address, schema_address, schema_files

API = "api/v1"


def api_files(report: Report, details: Mapping[str, type]) -> Iterator[tuple[str, bytes]]:
    """Address and bytes of every file of the API.

    Parameters
    ----------
    report : Report
    details : mapping
        Metric id → record of the `detail` of its assertions. Only metrics of the table are published.
    """
    table = report.source.metrics
    known = {metric.id: details[metric.id] for metric in table.metrics if metric.id in details}
    yield f"{API}/index.json", json_bytes(plain(_index(report, known)))
    yield f"{API}/metrics.json", json_bytes(plain(table))
    yield f"{API}/projection.json", json_bytes(plain(_projection(report.source, known)))
    if report.source.box_profile is not None:
        yield _profile_address(report.source.box_profile.id), json_bytes(plain(report.source.box_profile))
    yield from schema_files(known).items()
    yield from register_files(report)
    for batch in report.batches:
        yield from _batch_files(batch, report.source)


def _batch_files(report: BatchReport, source: Source) -> Iterator[tuple[str, bytes]]:
    batch = report.batch.id
    yield _batch_address(batch), json_bytes(plain(_batch_file(report, source)), depth=2)
    numbers = [publish_number(number) for number in report.numbers.values()]
    yield _numbers_address(batch), json_bytes(numbers, depth=1)
    for address, runsets in _runset_files(report).items():
        yield address, json_bytes(runsets, depth=1)


def _runset_files(report: BatchReport) -> dict[str, dict[str, list[str]]]:
    """Run sets by name, shared out by the first hex digit of the name."""
    files: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for name in sorted(report.runsets):
        digit = name.removeprefix("rs-")[0]
        files[f"{API}/runsets/{file_name(report.batch.id)}/{digit}.json"][name] = list(report.runsets[name])
    return dict(sorted(files.items()))


def _index(report: Report, details: Mapping[str, type]) -> Index:
    source, profile = report.source, report.source.box_profile
    schemas = {name: schema_address(name) for name in SCHEMAS}
    schemas |= {f"detail-{metric}": detail_address(metric) for metric in sorted(details)}
    return Index(
        generator_version=generator.__version__,
        source_hash=source.hash,
        metric_table_version=source.metrics.version,
        projection_version=source.projection.version,
        title=source.publication.title,
        address=source.publication.address,
        thresholds=source.publication.thresholds,
        coverage=source.publication.coverage,
        box_profile=None if profile is None else _indexed_profile(profile),
        times=TimeSettings(
            thresholds_ms=source.publication.thresholds_ms,
            thresholds_configured=bool(source.publication.time_thresholds_ms),
            caps_ms=list(source.time_caps),
        ),
        experiments=[
            IndexedExperiment(id=experiment.id, title=experiment.title, page=experiment_page(experiment.id))
            for experiment in source.experiments.values()
        ],
        batches=[_indexed(batch, source) for batch in report.batches],
        withdrawn=list(_withdrawn(report)),
        evidence=indexed_evidence(report),
        evidence_numbers=None if source.register is None else EVIDENCE_NUMBERS,
        claims=None if source.claims is None else CLAIMS,
        credit=None if source.register is None else source.register.credit,
        addresses=Addresses(
            index=f"{API}/index.json",
            metrics=f"{API}/metrics.json",
            projection=f"{API}/projection.json",
            manifest="manifest.json",
            schemas=schemas,
        ),
    )


def _indexed_profile(profile: Profile) -> IndexedProfile:
    return IndexedProfile(id=profile.id, version=profile.version, file=_profile_address(profile.id))


def _withdrawn(report: Report) -> Iterator[WithdrawnNumber]:
    """Oldest change first, number by number; validation refuses a change without a note."""
    there = {name for batch in report.batches for name in batch.numbers} | report.evidence_numbers.keys()
    for change in changes(report):
        if change.number not in there and change.note is not None:
            note, old = report.source.publication.restatements[change.note], change.old
            yield WithdrawnNumber(
                number=change.number,
                date=note.date,
                old=old.value,
                old_numerator=old.numerator,
                old_denominator=old.denominator,
                reason=note.reason,
            )


def _indexed(report: BatchReport, source: Source) -> IndexedBatch:
    batch = report.batch
    return IndexedBatch(
        id=batch.id,
        experiment=batch.experiment,
        title=title_of(report),
        executed_on=batch.executed_on,
        published_since=source.publication.since(batch.id),
        synthetic=batch.synthetic,
        variants=list(report.accounting),
        planned=sum(account.planned for account in report.accounting.values()),
        runs=len(report.rows),
        page=result_page(batch.experiment, batch.id),
        file=_batch_address(batch.id),
        numbers=_numbers_address(batch.id),
        runsets=list(_runset_files(report)),
    )


def _projection(source: Source, details: Mapping[str, type]) -> PublishedProjection:
    return PublishedProjection(
        version=source.projection.version,
        fields=source.projection.fields,
        details={metric: detail_address(metric) for metric in details},
    )


def _batch_file(report: BatchReport, source: Source) -> PublishedBatchFile:
    batch, experiment = report.batch, report.experiment
    bank = source.case_banks.get(batch.case_bank.id)
    return PublishedBatchFile(
        id=batch.id,
        experiment=batch.experiment,
        kind=experiment.kind,
        title=title_of(report),
        executed_on=batch.executed_on,
        published_since=source.publication.since(batch.id),
        synthetic=batch.synthetic,
        page=result_page(batch.experiment, batch.id),
        independent_variable=experiment.independent_variable,
        baseline=experiment.baseline,
        pass_metric=experiment.pass_metric,
        threshold=source.min_valid(experiment),
        contract=source.contract_of(experiment),
        alpha=source.publication.thresholds.alpha,
        metric_table_version=batch.metric_table_version,
        projection_version=source.projection.version,
        case_bank=batch.case_bank,
        catalog=batch.catalog,
        fixtures=batch.fixtures,
        judges=batch.judges,
        model=batch.model,
        provenance=batch.provenance,
        notes=batch.notes,
        waivers=batch.waivers,
        published_aggregates=batch.published_aggregates,
        variants=_variants(report),
        categories=_categories(report, bank),
        cases=_cases(report, bank),
        grid=batch.planned,
        skipped=batch.skipped,
        accounting=report.accounting,
        measurement=report.measurement,
        numbers=list(report.numbers),
        runs=_runs(report),
    )


def title_of(report: BatchReport) -> Text:
    return report.batch.title or report.experiment.title


def _variants(report: BatchReport) -> list[PublishedVariant]:
    known = {variant.id: variant for variant in report.experiment.variants}
    unknown = (Variant(id=variant, name=Text(zh=variant, en=variant)) for variant in report.accounting)
    return [
        PublishedVariant(
            id=variant.id,
            file_name=variant_name(variant.id),
            name=variant.name,
            config_hashes=[seen.config_hash for seen in report.configs if seen.variant == variant.id],
            mutation=variant.mutation,
            relation=variant.relation,
        )
        for variant in (known.get(variant.id, variant) for variant in unknown)
    ]


def _categories(report: BatchReport, bank: CaseBank | None) -> list[PublishedCategory]:
    """Those that a planned case or a run has, in the order of the bank."""
    used = {case.category for case in _planned(report, bank)} | {row.category for row in report.rows}
    named = {} if bank is None else {category.id: category.name for category in bank.categories}
    known = [category for category in named if category in used]
    return [
        PublishedCategory(id=category, name=named.get(category, Text(zh=category, en=category)))
        for category in known + sorted(used.difference(known))
    ]


def _cases(report: BatchReport, bank: CaseBank | None) -> list[PublishedCase]:
    return [
        PublishedCase(id=case.id, category=case.category, title=case.title, prompt=case.prompt)
        for case in _planned(report, bank)
    ]


def _planned(report: BatchReport, bank: CaseBank | None) -> list[Case]:
    """The planned cases that the bank has, in the order of the plan."""
    known = {} if bank is None else {case.id: case for case in bank.cases}
    return [known[case] for case in report.batch.planned.cases if case in known]


def _runs(report: BatchReport) -> list[PublishedRun]:
    batch = report.batch.id
    return [
        PublishedRun(
            run_id=row.run_id,
            variant=row.variant,
            case_id=row.case_id,
            repeat_index=row.repeat_index,
            sequence=row.sequence,
            state=row.state,
            validity=row.validity,
            reason=row.reason,
            page=run_page(batch, row.run_id),
            evidence=run_evidence(batch, row.run_id),
            sha256=row.evidence_sha256,
        )
        for row in report.rows
    ]


def _batch_address(batch: str) -> str:
    return f"{API}/batches/{file_name(batch)}.json"


def _numbers_address(batch: str) -> str:
    return f"{API}/numbers/{file_name(batch)}.json"


def _profile_address(profile: str) -> str:
    return f"{API}/profiles/{file_name(profile)}.json"
