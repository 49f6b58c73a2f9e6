"""lm-eval: results with their samples, the metric that is the verdict, aggregates alone."""

import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from generator.read.importers.lm_eval_metrics import main_metric
from tests.read.importers.support import imported, refused
from tests.support.foreign import SECRETS
from tests.support.foreign_lm_eval import TIME, lm_results, lm_row, write_evaluation


def test_a_document(tmp_path: Path) -> None:
    batch = imported("lm-eval", write_evaluation(tmp_path, [lm_row()], lm_results()), date=None)
    (run,) = batch.runs
    assert (run.run_id, run.case_id) == (f"a-batch/samples_quiz_{TIME}/0/none", "quiz/0")
    assert (run.answer, run.trace, run.usage, run.timing) == ("It is.", None, None, None)
    assert run.extra == {"reward": 1, "scores": {"bleu_max": 41.1, "acc": 1}}
    assert run.context is not None
    assert [entry.text for entry in run.context.entries] == ["Q: What is it?"]
    assert run.config.effective == {
        "harness": "lm-eval",
        "model": "neo",
        "backend": "hf",
        "model_args": {"dtype": "float16"},
        "sampling": {"temperature": 0},
        "num_fewshot": {"quiz": 2},
        "seeds": {"random_seed": 0},
        "environment_info": {"domain_name": "quiz"},
    }
    assert batch.batch.executed_on == datetime.date(2026, 5, 6)
    assert [file.name for file in batch.batch.provenance.files] == [
        f"results_{TIME}.json",
        f"samples_quiz_{TIME}.jsonl",
    ]


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize(
    "arguments", [None, {"pretrained": "neo", "dtype": "SECRET-LAUNCH-KEY", "token": "SECRET-LAUNCH-KEY"}]
)
def test_no_secret_is_handed_on(tmp_path: Path, secret: str, arguments: Any) -> None:
    batch = imported("lm-eval", write_evaluation(tmp_path, [lm_row()], lm_results(model_args=arguments)))
    assert secret.encode() not in msgspec.json.encode(batch)
    assert any("may hold keys" in note.en for note in batch.batch.notes)


def test_either_file_finds_the_other(tmp_path: Path) -> None:
    results = write_evaluation(tmp_path, [lm_row()], lm_results())
    samples = tmp_path / f"samples_quiz_{TIME}.jsonl"
    for files in ([results], [samples], [results, samples], [samples, results]):
        assert len(imported("lm-eval", *files).runs) == 1


def test_several_tasks_and_filters(tmp_path: Path) -> None:
    rows = [lm_row(0, filter="strict"), lm_row(0, 0, filter="loose")]
    write_evaluation(tmp_path, [lm_row(7)], lm_results(), task="other_task")
    batch = imported("lm-eval", write_evaluation(tmp_path, rows, lm_results()))
    assert {run.case_id for run in batch.runs} == {"quiz/0/strict", "quiz/0/loose", "other_task/7"}
    assert batch.batch.published_aggregates == []


def test_evaluations_of_one_configuration_are_repeats_in_the_order_of_their_time(tmp_path: Path) -> None:
    second = write_evaluation(tmp_path, [lm_row(0, 0)], lm_results(0.0), time="2026-05-07T10-00-00")
    first = write_evaluation(tmp_path, [lm_row(0, 1)], lm_results(1.0), time="2026-05-06T10-00-00")
    batch = imported("lm-eval", second, first)
    assert {run.repeat_index: run.extra["reward"] for run in batch.runs} == {0: 1, 1: 0}
    assert len(batch.experiment.variants) == 1
    assert all(own.reasons == ["one_of_several_files"] for own in batch.batch.published_aggregates)


def test_aggregates_alone_are_refused_with_what_to_do(tmp_path: Path) -> None:
    results = write_evaluation(tmp_path, [lm_row()], lm_results())
    (tmp_path / f"samples_quiz_{TIME}.jsonl").unlink()
    (finding,) = refused("lm-eval", results)
    assert (finding.code, finding.place.file) == ("RC507", results.name)
    assert "aggregates alone" in finding.found
    assert "--log_samples" in finding.remedy


def test_samples_alone_are_refused(tmp_path: Path) -> None:
    write_evaluation(tmp_path, [lm_row()], lm_results()).unlink()
    (finding,) = refused("lm-eval", tmp_path / f"samples_quiz_{TIME}.jsonl")
    assert (finding.code, finding.found[:13]) == ("RC502", "samples alone")


@pytest.mark.parametrize(
    ("values", "metric"),
    [
        ({"bleu": [41.0, 3.0], "acc": [1, 0]}, "acc"),
        ({"own": [1, 0], "acc_norm": [1, 1]}, "acc_norm"),
        ({"own": [0.5, 0.25]}, "own"),
        ({"f1": [0.5, 1], "own": [0, 1]}, "own"),
        ({"mae": [12.5, "Infinity"]}, None),
        ({}, None),
    ],
)
def test_the_metric_that_is_the_verdict(values: dict[str, list[Any]], metric: str | None) -> None:
    rows = [{"metrics": list(values)} | {name: given[at] for name, given in values.items()} for at in range(2)]
    assert main_metric(rows) == metric


def test_infinite_and_missing_values_are_no_verdict(tmp_path: Path) -> None:
    rows = [lm_row(0, float("inf"), metrics=["acc"]), lm_row(1, float("nan"), metrics=["acc"])]
    batch = imported("lm-eval", write_evaluation(tmp_path, rows, lm_results(float("nan"))))
    assert [run.extra for run in batch.runs] == [{}, {}]
    assert batch.batch.published_aggregates == []


@pytest.mark.parametrize(
    ("rows", "value", "count", "reasons"),
    [
        ([1, 0], 0.5, 2, []),
        ([1, 0], 0.4, 20, ["other_runs"]),
        ([1, 0.5], 0.75, 2, ["partial_credit"]),
        ([1, 0], 0.7, 2, []),
    ],
)
def test_headlines(tmp_path: Path, rows: list[float], value: float, count: int, reasons: list[str]) -> None:
    documents = [lm_row(doc, acc) for doc, acc in enumerate(rows)]
    batch = imported("lm-eval", write_evaluation(tmp_path, documents, lm_results(value, count)))
    (own,) = batch.batch.published_aggregates
    assert (own.name, own.value, own.denominator, own.reasons) == ("quiz/acc,none", str(value), count, reasons)


def test_likelihoods_are_no_answer_and_their_choices_no_context(tmp_path: Path) -> None:
    requests = [["Q: What is it?", "SECRET-GOLD-ACTION"], ["Q: What is it?", "b"]]
    row = lm_row(arguments=requests, filtered_resps=[[-1.5, False], [-2.5, True]])
    (run,) = imported("lm-eval", write_evaluation(tmp_path, [row], lm_results())).runs
    assert run.answer is None
    assert run.context is not None
    assert [entry.text for entry in run.context.entries] == ["Q: What is it?"]


def test_a_document_without_id(tmp_path: Path) -> None:
    (finding,) = refused("lm-eval", write_evaluation(tmp_path, [lm_row(None)], lm_results()))
    assert (finding.code, finding.place.field) == ("RC503", "[0].doc_id")


def test_a_colon_in_the_name_is_no_hindrance(tmp_path: Path) -> None:
    results = write_evaluation(tmp_path, [lm_row()], lm_results())
    odd = results.rename(tmp_path / f"results_NEO-1:2026-05-06T1430_{TIME}.json")
    assert len(imported("lm-eval", odd).runs) == 1
