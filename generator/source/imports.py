"""An imported batch becomes part of a source, whole or not at all."""

import datetime
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from ruamel.yaml.comments import CommentedMap

from generator.errors import Finding, Place, SiteError
from generator.model.base import Json
from generator.model.batches import Batch, Versioned
from generator.model.imported import ImportedBatch
from generator.model.rules import finding
from generator.model.runs import Run
from generator.source.banks import BankPlan, plan_bank
from generator.source.experiments import match_experiment, template
from generator.source.insertion import with_item
from generator.source.yaml_file import CHECK, YamlFile, commented, dump, load, plain, replace_file

_PLAIN_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True)
class _Files:
    """The files of the source that an import reads or changes."""

    metrics: YamlFile
    experiments: YamlFile
    publication: YamlFile


def write_import(
    root: Path, imported: ImportedBatch, since: datetime.date | None = None, others: Sequence[Finding] = ()
) -> list[Finding]:
    """Write the batch, register its experiment and case bank where they are missing, and publish it.

    Parameters
    ----------
    root : Path
        Folder of the source.
    since : date, optional
        Day of publication; the day of execution where it is not given.
    others : Sequence[Finding]
        What was found in the runs of the source, which are not read here.

    Returns
    -------
    findings : `others` among them; where there is one, nothing was written.

    Raises
    ------
    SiteError
        A file of the source cannot be written. There is no batch then; what else was added does no harm.
    """
    findings = [*others, *_check_ids(imported.batch)]
    files = _load(root, findings)
    if files is None:
        return findings
    findings += _check_new(root, files.publication, imported.batch.id)
    match = match_experiment(files.experiments.items("experiments"), imported.experiment)
    bank = plan_bank(root, imported.bank)
    findings += match.findings
    if isinstance(bank, Finding):
        return [*findings, bank]
    if findings:
        return findings
    batch, runs = _fitted(imported, match.variants, bank, _version(files.metrics))
    definitions = {} if bank.content is None else {f"cases/{bank.id}.yaml": bank.content}
    if not match.registered:
        definitions["experiments.yaml"] = with_item(files.experiments, "experiments", template(imported)).encode()
    entry: Json = {"batch": batch.id, "since": (since or batch.executed_on).isoformat()}
    definitions["publication.yaml"] = with_item(files.publication, "published", commented(entry)).encode()
    try:
        _write(root, batch, runs, definitions)
    except OSError as error:
        raise SiteError(f"{root}: the source could not be written ({error.strerror})") from error
    return []


def _load(root: Path, findings: list[Finding]) -> _Files | None:
    lists = {"metrics": "metrics", "experiments": "experiments", "publication": "published"}
    files: dict[str, YamlFile] = {}
    for stem, key in lists.items():
        file = load(root, f"{stem}.yaml")
        if isinstance(file, Finding):
            findings.append(file)
        elif not isinstance(file.items(key), list):
            findings.append(finding("RC008", Place(file.name, field=key), "a list", "something else", CHECK))
        else:
            files[stem] = file
    return _Files(**files) if len(files) == len(lists) else None


def _check_ids(batch: Batch) -> list[Finding]:
    """Ids that import writes are plain, so that they stand in addresses as they are."""
    expected = "1 to 64 lower case letters, digits, - and _, a letter or digit first"
    return [
        finding("RC102", Place("import", field=f"--{name}"), expected, "another form", "choose a plain id")
        for name, value in (("batch", batch.id), ("experiment", batch.experiment))
        if _PLAIN_ID.fullmatch(value) is None
    ]


def _check_new(root: Path, publication: YamlFile, batch_id: str) -> list[Finding]:
    """A batch is immutable: nothing is imported over one."""
    published = [plain(entry) for entry in publication.items("published")]
    names = {entry.get("batch") for entry in published if isinstance(entry, dict)}
    remedy = "choose another batch id; to import again, remove the folder and its line in publication.yaml"
    if (root / "batches" / batch_id).exists():
        return [finding("RC511", Place(f"batches/{batch_id}/"), "no such batch", "one of that id", remedy)]
    if batch_id in names:
        place = Place("publication.yaml", field="published")
        return [finding("RC511", place, "no such batch", f"`{batch_id}`", remedy)]
    return []


def _version(metrics: YamlFile) -> int:
    version = plain(metrics.content.get("version"))
    return version if isinstance(version, int) else 0


def _fitted(
    imported: ImportedBatch, variants: dict[str, str], bank: BankPlan, table_version: int
) -> tuple[Batch, list[Run]]:
    """Head and runs with the versions of the source, and the variant ids under which they are registered."""
    batch = imported.batch
    planned = msgspec.structs.replace(batch.planned, variants=[variants[variant] for variant in batch.planned.variants])
    head = msgspec.structs.replace(
        batch,
        metric_table_version=table_version,
        case_bank=Versioned(id=bank.id, version=bank.version),
        planned=planned,
        skipped=[msgspec.structs.replace(cell, variant=variants[cell.variant]) for cell in batch.skipped],
        variant_catalogs={variants[variant]: tools for variant, tools in batch.variant_catalogs.items()},
        published_aggregates=[
            msgspec.structs.replace(reported, variant=variants[reported.variant])
            for reported in batch.published_aggregates
        ],
    )
    return head, [msgspec.structs.replace(run, variant=variants[run.variant]) for run in imported.runs]


def _write(root: Path, batch: Batch, runs: list[Run], definitions: dict[str, bytes]) -> None:
    """The folder of the batch appears with all its files or not at all; publication.yaml is the last to speak of it."""
    folder, partial = root / "batches" / batch.id, root / "batches" / f".{batch.id}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    try:
        replace_file(partial / "batch.yaml", _head_bytes(batch))
        with (partial / "runs.jsonl").open("wb") as stream:
            for run in runs:
                stream.write(msgspec.json.encode(run) + b"\n")
        partial.rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    try:
        for name, content in definitions.items():
            replace_file(root / name, content)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _head_bytes(batch: Batch) -> bytes:
    content: Json = msgspec.to_builtins(batch)
    head: CommentedMap = commented(content)
    head.yaml_set_start_comment("Written by runcite import. A published batch is never changed.\n")
    return dump(head).encode()
