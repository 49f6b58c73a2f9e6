"""What an import leaves in a source: a batch that can be read and checked, or nothing at all."""

import datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from generator.errors import Finding, Place, SiteError
from generator.model.imported import ImportedBatch
from generator.model.rules import finding as make_finding
from generator.model.runs import Run
from generator.model.source import BatchSource, Source
from generator.project import config_projection
from generator.read.runs import decode_runs, partitions
from generator.read.source import read_source
from generator.source import imports as imports_module
from generator.source import init_source, write_import
from generator.source.yaml_file import replace_file
from generator.validate.guard import check_guard
from generator.validate.runs import check_run, make_run_rules
from tests.read.importers.support import imported
from tests.support.checking import configs_of
from tests.support.foreign import (
    OTHER_POLICY,
    SECRETS,
    tau2_file,
    tau2_simulation,
    tau2_task,
    write_json,
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    init_source(tmp_path / "source")
    return tmp_path / "source"


def batch_of(folder: Path, *, tasks: int = 2, second: dict[str, Any] | None = None, **changes: Any) -> ImportedBatch:
    """Two policies over `tasks` tasks; `second` changes the header of the second file."""
    files = []
    for stem, info in (
        ("first", {}),
        ("second", {"environment_info": {"domain_name": "airline_tight", "policy": OTHER_POLICY}} | (second or {})),
    ):
        runs = [tau2_simulation(str(task), id=f"{stem}-{task}") for task in range(tasks)]
        files.append(write_json(folder / f"{stem}.json", tau2_file(runs, info=info)))
    return imported("tau2-bench", *files, **({"variant": "environment_info"} | changes))


def read(root: Path) -> Source:
    source, findings = read_source(root)
    assert findings == []
    assert source is not None
    return source


def runs_of(batch: BatchSource) -> list[Run]:
    runs: list[Run] = []
    for partition in partitions(batch.runs, 100):
        decoded, findings = decode_runs(partition)
        assert findings == []
        runs += [run for _, run in decoded]
    return runs


def snapshot(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def codes(findings: list[Finding]) -> list[str]:
    return [finding.code for finding in findings]


def test_the_batch_is_read_as_it_was_imported(root: Path, tmp_path: Path) -> None:
    batch = batch_of(tmp_path)
    assert write_import(root, batch) == []
    source = read(root)
    (written,) = source.batches

    assert written.batch.metric_table_version == source.metrics.version
    assert (written.batch.case_bank.id, written.batch.case_bank.version) == ("tau2-airline", 1)
    assert written.batch.provenance == batch.batch.provenance
    assert written.batch.planned == batch.batch.planned
    assert source.experiments["an-experiment"] == batch.experiment
    assert source.case_banks["tau2-airline"] == batch.bank
    runs = runs_of(written)
    assert runs == batch.runs
    rules = make_run_rules(written, source)
    assert [finding for line, run in enumerate(runs, 1) for finding in check_run(run, line, rules)] == []


def test_publication_names_the_batch_and_its_day(root: Path, tmp_path: Path) -> None:
    write_import(root, batch_of(tmp_path))
    write_import(root, batch_of(tmp_path, batch="b-batch"), datetime.date(2026, 7, 8))
    assert [(entry.batch, entry.since.isoformat()) for entry in read(root).publication.published] == [
        ("a-batch", "2026-05-06"),
        ("b-batch", "2026-07-08"),
    ]


def test_the_same_import_writes_the_same_bytes(tmp_path: Path) -> None:
    batch = batch_of(tmp_path)
    for name in ("one", "two"):
        init_source(tmp_path / name)
        write_import(tmp_path / name, batch)
    assert snapshot(tmp_path / "one") == snapshot(tmp_path / "two")


@pytest.mark.parametrize("secret", [*SECRETS, "Refund within 24 hours."])
def test_nothing_private_is_written_beside_the_runs(root: Path, tmp_path: Path, secret: str) -> None:
    write_import(root, batch_of(tmp_path))
    holding = [name for name, content in snapshot(root).items() if secret.encode() in content]
    assert holding == ([] if secret in SECRETS else ["batches/a-batch/runs.jsonl"])


def test_lines_that_people_wrote_stay(root: Path, tmp_path: Path) -> None:
    own = "# Mine.\nexperiments:\n\n  # Old.\n  - id: old   # keep\n    title: {zh: 旧, en: old}\n"
    (root / "experiments.yaml").write_text(own, encoding="utf-8")
    write_import(root, batch_of(tmp_path))
    text = (root / "experiments.yaml").read_text(encoding="utf-8")
    assert text.startswith(own)
    assert [entry["id"] for entry in yaml.safe_load(text)["experiments"]] == ["old", "an-experiment"]


def test_what_else_differs_stands_as_a_comment(root: Path, tmp_path: Path) -> None:
    second = {"agent_info": {"llm": "vendor/model-2"}, "user_info": {"llm": "vendor/user-2"}}
    write_import(root, batch_of(tmp_path, second=second))
    text = (root / "experiments.yaml").read_text(encoding="utf-8")
    assert "# These differ between the variants as well: model, user_simulator.llm." in text
    assert read(root).experiments["an-experiment"].accepted_differences == []


def test_without_its_signs_the_comment_accepts_every_difference(root: Path, tmp_path: Path) -> None:
    second = {"agent_info": {"llm": "vendor/model-2"}, "user_info": {"llm": "vendor/user-2"}}
    write_import(root, batch_of(tmp_path, second=second))
    lines = (root / "experiments.yaml").read_text(encoding="utf-8").split("\n")
    start = next(number for number, line in enumerate(lines) if "# accepted_differences:" in line)
    end = next(number for number, line in enumerate(lines) if number > start and "#" not in line)
    block = [line.replace("# ", "", 1) for line in lines[start:end]]
    (root / "experiments.yaml").write_text("\n".join([*lines[:start], *block, *lines[end:]]), encoding="utf-8")
    source = read(root)
    experiment = source.experiments["an-experiment"]
    assert [accepted.path for accepted in experiment.accepted_differences] == ["model", "user_simulator.llm"]
    (batch,) = source.batches
    configs = configs_of(list(enumerate(runs_of(batch), 1)), config_projection(source))
    assert check_guard(batch, experiment, configs) == []


def test_the_guard_names_all_that_differs(root: Path, tmp_path: Path) -> None:
    second = {"agent_info": {"llm": "vendor/model-2"}, "user_info": {"llm": "vendor/user-2"}}
    write_import(root, batch_of(tmp_path, second=second))
    source = read(root)
    (batch,) = source.batches
    configs = configs_of(list(enumerate(runs_of(batch), 1)), config_projection(source))
    findings = check_guard(batch, source.experiments["an-experiment"], configs)
    assert codes(findings) == ["RC314"]
    assert "model (" in findings[0].found
    assert "user_simulator.llm (" in findings[0].found


def test_variants_may_be_renamed_between_imports(root: Path, tmp_path: Path) -> None:
    write_import(root, batch_of(tmp_path))
    path = root / "experiments.yaml"
    text = path.read_text(encoding="utf-8")
    text = text.replace("- id: airline_tight\n", "- id: strict\n").replace("- id: airline\n", "- id: usual\n")
    path.write_text(text.replace("baseline: airline", "baseline: usual"), encoding="utf-8")

    assert write_import(root, batch_of(tmp_path, batch="b-batch")) == []
    batch = read(root).batches[1]
    assert batch.batch.planned.variants == ["usual", "strict"]
    assert {run.variant for run in runs_of(batch)} == {"usual", "strict"}
    assert path.read_text(encoding="utf-8").count("independent_variable") == 1


def test_a_variant_without_a_value_is_recognised_by_its_id(root: Path, tmp_path: Path) -> None:
    write_import(root, batch_of(tmp_path))
    path = root / "experiments.yaml"
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    for variant in content["experiments"][0]["variants"]:
        del variant["value"]
    path.write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")
    assert write_import(root, batch_of(tmp_path, batch="b-batch")) == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"variant": "environment_info.policy"}, "`environment_info` as independent variable"),
        (
            {"second": {"environment_info": {"domain_name": "new"}}},
            "one variant for each of airline, airline_tight",
        ),
    ],
)
def test_a_batch_of_another_shape_does_not_fit(
    root: Path, tmp_path: Path, changes: dict[str, Any], expected: str
) -> None:
    write_import(root, batch_of(tmp_path))
    before = snapshot(root)
    (finding,) = write_import(root, batch_of(tmp_path, batch="b-batch", **changes))
    assert (finding.code, finding.place.field, finding.expected) == ("RC512", "experiments[0]", expected)
    assert snapshot(root) == before


def test_a_batch_without_one_of_the_variants_does_not_fit(root: Path, tmp_path: Path) -> None:
    write_import(root, batch_of(tmp_path))
    alone = imported("tau2-bench", tmp_path / "first.json", variant="environment_info", batch="b-batch")
    (finding,) = write_import(root, alone)
    assert (finding.code, finding.found) == ("RC512", "airline (airline)")


@pytest.mark.parametrize("published", [True, False])
def test_a_batch_is_never_imported_over(root: Path, tmp_path: Path, published: bool) -> None:
    if published:
        write_import(root, batch_of(tmp_path))
    else:
        (root / "batches" / "a-batch").mkdir(parents=True)
    before = snapshot(root)
    assert codes(write_import(root, batch_of(tmp_path))) == ["RC511"]
    assert snapshot(root) == before


@pytest.mark.parametrize("name", ["", "../x", "A", "a b", "-a", "a" * 65, "测", "a.b", "con/x", "a\n"])
def test_ids_are_plain(root: Path, tmp_path: Path, name: str) -> None:
    before = snapshot(root)
    findings = write_import(root, batch_of(tmp_path, batch=name, experiment=name))
    assert [(finding.code, finding.place.field) for finding in findings] == [
        ("RC102", "--batch"),
        ("RC102", "--experiment"),
    ]
    assert snapshot(root) == before


def test_a_bank_with_the_cases_is_used_with_all_that_people_added(root: Path, tmp_path: Path) -> None:
    write_import(root, batch_of(tmp_path, tasks=2))
    path = root / "cases" / "tau2-airline.yaml"
    edited = path.read_text(encoding="utf-8").replace(
        "prompt: null\n", "prompt: null\n    gold: {expected_tools: [a]}\n", 1
    )
    path.write_text(edited, encoding="utf-8")
    assert write_import(root, batch_of(tmp_path, tasks=1, batch="b-batch")) == []
    assert path.read_text(encoding="utf-8") == edited
    assert read(root).batches[1].batch.case_bank.id == "tau2-airline"


def test_a_bank_that_lacks_cases_is_left_alone(root: Path, tmp_path: Path) -> None:
    write_import(root, batch_of(tmp_path, tasks=1))
    before = (root / "cases" / "tau2-airline.yaml").read_bytes()
    write_import(root, batch_of(tmp_path, tasks=2, batch="b-batch"))
    assert (root / "cases" / "tau2-airline.yaml").read_bytes() == before
    assert [batch.batch.case_bank.id for batch in read(root).batches] == ["tau2-airline", "tau2-airline-2"]


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("metrics.yaml", None, "RC001"),
        ("experiments.yaml", "experiments: [", "RC003"),
        ("experiments.yaml", "experiments: some", "RC008"),
        ("experiments.yaml", "experiments: [{id: an-experiment}]", "RC512"),
        ("publication.yaml", "- a", "RC008"),
        ("cases/tau2-airline.yaml", "{", "RC003"),
    ],
)
def test_a_broken_source_is_told_and_left_as_it_is(
    root: Path, tmp_path: Path, name: str, content: str | None, code: str
) -> None:
    path = root / name
    path.parent.mkdir(exist_ok=True)
    if content is None:
        path.unlink()
    else:
        path.write_text(content, encoding="utf-8")
    before = snapshot(root)
    (finding,) = write_import(root, batch_of(tmp_path))
    assert (finding.code, finding.place.file) == (code, name)
    assert snapshot(root) == before


@pytest.mark.parametrize("name", ["batch.yaml", "tau2-airline.yaml", "experiments.yaml", "publication.yaml"])
def test_a_full_disk_leaves_no_batch(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def fail(path: Path, content: bytes) -> None:
        if path.name == name:
            raise OSError(28, "No space left on device")
        replace_file(path, content)

    before = (root / "publication.yaml").read_bytes()
    monkeypatch.setattr(imports_module, "replace_file", fail)
    with pytest.raises(SiteError, match="No space left on device"):
        write_import(root, batch_of(tmp_path))
    assert (root / "publication.yaml").read_bytes() == before
    assert list((root / "batches").glob("*")) == []
    monkeypatch.undo()
    assert write_import(root, batch_of(tmp_path)) == []
    assert len(read(root).batches) == 1


def test_what_was_found_elsewhere_is_told_with_the_rest_and_nothing_is_written(root: Path, tmp_path: Path) -> None:
    other = make_finding("RC312", Place("batches/x/runs.jsonl", 1), "another id", "this one", "import others")
    before = snapshot(root)
    assert write_import(root, batch_of(tmp_path), others=[other]) == [other]
    assert codes(write_import(root, batch_of(tmp_path, batch="A"), others=[other])) == ["RC312", "RC102"]
    assert snapshot(root) == before


def test_strange_ids_of_cases_survive(root: Path, tmp_path: Path) -> None:
    strange = [
        "no",
        "12:30",
        "[mms]a|b: c #d",
        "a/../b",
        "用例 一",
        "'",
        '"',
        "0x10",
        "~",
        "a\u2028b",
        "\u202ea",
        "é" * 300,
    ]
    runs = [tau2_simulation(case) for case in strange]
    content = tau2_file(runs, tasks=[tau2_task(case) for case in strange])
    batch = imported("tau2-bench", write_json(tmp_path / "x.json", content))
    assert write_import(root, batch) == []
    source = read(root)
    assert [case.id for case in source.case_banks["tau2-airline"].cases] == strange
    assert runs_of(source.batches[0]) == batch.runs
