"""Every rule of the definitions, broken by one edit."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator.read.source import read_source
from generator.validate.definitions import check_definitions
from tests.support.checking import findings_of
from tests.support.small_definitions import text
from tests.support.small_source import SmallSource, write_small_source
from tests.validate.rule_cases import RuleCase, both, put, take

Dict = dict[str, Any]


def _metric(metric_id: str) -> Callable[[SmallSource], Dict]:
    return lambda source: source.metric(metric_id)


def _experiment(source: SmallSource) -> Dict:
    return source.experiment()


def _case(source: SmallSource) -> Dict:
    case: Dict = source.cases["bank-small"]["cases"][0]
    return case


def _gold(source: SmallSource) -> Dict:
    return source.gold("basic-01")


def _add_metric(**changes: Any) -> Callable[[SmallSource], None]:
    def edit(source: SmallSource) -> None:
        source.metrics["metrics"].append({**source.metric("runs_valid"), **changes})

    return edit


def _metric_at(metric_id: str, field: str) -> str:
    ids = [metric["id"] for metric in SmallSource().metrics["metrics"]]
    return f"metrics.yaml  metrics[{ids.index(metric_id)}].{field}"


_COUNT = len(SmallSource().metrics["metrics"])
_WHITELIST_COUNT = len(SmallSource().projection["fields"])


def _add_field(**field: Any) -> Callable[[SmallSource], None]:
    return lambda source: source.projection["fields"].append(field)


def _publication(source: SmallSource) -> Dict:
    return source.publication


_FIGURES = text("通过率 95%", "pass rate 95%")


_LANGUAGES = "publication.yaml  languages"
CASES = [
    RuleCase(
        "results typed into prose",
        both(
            put(_publication, "summary", _FIGURES),
            put(_publication, "title", text("报告", "Report of 12 runs")),
            put(_experiment, "purpose", text("比较 p95 与 C-1，见 2026-11。", "12 of 16 passed")),
            put(_case, "title", text("转账 500 元", "Transfer 500 CNY")),
            lambda source: source.metrics["changes"][0].update(reason=_FIGURES),
            lambda source: source.batch.head.update(notes=[text("由 gpt-4.1 执行", "mean 0.85, by v3.11")]),
        ),
        [
            ("RC116", "batches/ctx-small/batch.yaml  notes[0].en"),
            ("RC116", "experiments.yaml  experiments[0].purpose.en"),
            ("RC116", "metrics.yaml  changes[0].reason.en"),
            ("RC116", "metrics.yaml  changes[0].reason.zh"),
            ("RC116", "publication.yaml  summary.en"),
            ("RC116", "publication.yaml  summary.zh"),
            ("RC116", "publication.yaml  title.en"),
        ],
    ),
    RuleCase(
        "a typed result in the reason of an accepted difference and of a restatement",
        both(
            put(_experiment, "accepted_differences", [{"path": "model", "reason": _FIGURES}]),
            put(
                _publication,
                "restatements",
                [{"number": "ctx-small/full/avg_turns", "date": "2026-11-26", "reason": text("因", "was 3.5")}],
            ),
        ),
        [
            ("RC116", "experiments.yaml  experiments[0].accepted_differences[0].reason.en"),
            ("RC116", "experiments.yaml  experiments[0].accepted_differences[0].reason.zh"),
            ("RC116", "publication.yaml  restatements[0].reason.en"),
        ],
    ),
    RuleCase(
        "metric twice",
        _add_metric(id="avg_turns"),
        [("RC101", f"metrics.yaml  metrics[{_COUNT}].id")],
    ),
    RuleCase(
        "metric id that cannot stand in an address",
        _add_metric(id="Runs valid"),
        [("RC102", f"metrics.yaml  metrics[{_COUNT}].id")],
    ),
    RuleCase(
        "quantile without p",
        take(_metric("duration_p50"), "p"),
        [("RC104", _metric_at("duration_p50", "p"))],
    ),
    RuleCase(
        "p out of range",
        put(_metric("duration_p50"), "p", 50),
        [("RC104", _metric_at("duration_p50", "p"))],
    ),
    RuleCase("k below 1", put(_metric("pass_hat_2"), "k", 0), [("RC104", _metric_at("pass_hat_2", "k"))]),
    RuleCase(
        "p at a mean",
        put(_metric("avg_turns"), "p", 0.5),
        [("RC104", _metric_at("avg_turns", "p"))],
    ),
    RuleCase(
        "telemetry without a contract",
        take(_metric("avg_tokens"), "contract"),
        [("RC107", _metric_at("avg_tokens", "contract"))],
    ),
    RuleCase(
        "too many decimals",
        put(_metric("avg_turns"), "decimals", 7),
        [("RC109", _metric_at("avg_turns", "decimals"))],
    ),
    RuleCase("since the future", put(_metric("avg_turns"), "since", 9), [("RC109", _metric_at("avg_turns", "since"))]),
    RuleCase(
        "version without a reason",
        both(put(lambda s: s.metrics, "version", 2), put(lambda s: s.batch.head, "metric_table_version", 2)),
        [("RC108", "metrics.yaml  changes")],
    ),
    RuleCase(
        "version 0",
        put(lambda s: s.catalogs["shop"], "version", 0),
        [("RC304", "batches/ctx-small/batch.yaml  catalog.version"), ("RC108", "catalogs/shop.yaml  version")],
    ),
    RuleCase(
        "experiment twice",
        lambda s: s.experiments.append(s.experiment("temperature-stability")),
        [("RC101", "experiments.yaml  experiments[2].id")],
    ),
    RuleCase(
        "variant twice",
        put(lambda s: s.experiment("temperature-stability")["variants"][1], "id", "t-0-0"),
        [("RC101", "experiments.yaml  experiments[1].variants[1].id")],
    ),
    RuleCase(
        "main metric twice",
        put(_experiment, "main_metrics", ["avg_turns", "avg_turns"]),
        [("RC101", "experiments.yaml  experiments[0].main_metrics[1]")],
    ),
    RuleCase(
        "baseline unknown",
        put(lambda s: s.experiment("temperature-stability"), "baseline", "t-9"),
        [("RC111", "experiments.yaml  experiments[1].baseline")],
    ),
    RuleCase(
        "baseline of a published experiment unknown",
        put(_experiment, "baseline", "fulll"),
        [("RC111", "experiments.yaml  experiments[0].baseline")],
    ),
    RuleCase(
        "values equal, though written differently",
        put(lambda s: s.experiment("temperature-stability")["variants"][1], "value", 0.0),
        [("RC112", "experiments.yaml  experiments[1].variants[1].value")],
    ),
    RuleCase(
        "independent variable is no path",
        put(lambda s: s.experiment("temperature-stability"), "independent_variable", "sampling..x"),
        [("RC113", "experiments.yaml  experiments[1].independent_variable")],
    ),
    RuleCase(
        "the independent variable as an accepted difference",
        put(_experiment, "accepted_differences", [{"path": "context.strategy", "reason": text("因", "why")}]),
        [("RC114", "experiments.yaml  experiments[0].accepted_differences[0].path")],
    ),
    RuleCase("no repeats", put(_experiment, "repeats", 0), [("RC109", "experiments.yaml  experiments[0].repeats")]),
    RuleCase(
        "threshold of no run",
        put(_experiment, "min_valid_per_group", 0),
        [("RC109", "experiments.yaml  experiments[0].min_valid_per_group")],
    ),
    RuleCase(
        "main metric unknown",
        put(_experiment, "main_metrics", ["avg_turn"]),
        [("RC105", "experiments.yaml  experiments[0].main_metrics[0]")],
    ),
    RuleCase(
        "pass metric is a mean",
        put(_experiment, "pass_metric", "avg_turns"),
        [("RC115", "experiments.yaml  experiments[0].pass_metric")],
    ),
    RuleCase(
        "pass metric of which less is better",
        put(_experiment, "pass_metric", "hallucinated_tool_rate"),
        [("RC115", "experiments.yaml  experiments[0].pass_metric")],
    ),
    RuleCase(
        "metric of a policy unknown",
        put(lambda s: s.policies["c-1"], "metric", "high_risk"),
        [("RC105", "policies/c-1.yaml  metric")],
    ),
    RuleCase(
        "case twice",
        lambda s: s.cases["bank-small"]["cases"].append(_case(s)),
        [("RC101", "cases/bank-small.yaml  cases[3].id")],
    ),
    RuleCase("category unknown", put(_case, "category", "x"), [("RC120", "cases/bank-small.yaml  cases[0].category")]),
    RuleCase("session unknown", put(_case, "session", "x"), [("RC125", "cases/bank-small.yaml  cases[0].session")]),
    RuleCase(
        "title in one language only",
        put(_case, "title", text("查价格", " ")),
        [("RC110", "cases/bank-small.yaml  cases[0].title.en")],
    ),
    RuleCase(
        "title that is still to be written",
        put(_case, "title", text("…", "Find a price...")),
        [("RC110", "cases/bank-small.yaml  cases[0].title.zh")],
    ),
    RuleCase(
        "dependency from a call that is not expected",
        put(lambda s: _gold(s)["required_dependencies"][0], "from", "search"),
        [("RC121", "cases/bank-small.yaml  cases[0].gold.required_dependencies[0].from")],
    ),
    RuleCase(
        "gold path that cannot be read",
        put(lambda s: _gold(s)["required_dependencies"][0], "to_path", "sku"),
        [("RC113", "cases/bank-small.yaml  cases[0].gold.required_dependencies[0].to_path")],
    ),
    RuleCase(
        "alternatives without a call",
        put(_gold, "acceptable_alternatives", [{"id": "a", "groups": [[]]}]),
        [("RC122", "cases/bank-small.yaml  cases[0].gold.acceptable_alternatives[0].groups")],
    ),
    RuleCase(
        "fact without values",
        put(_gold, "key_facts", [{"id": "a", "values": []}]),
        [("RC122", "cases/bank-small.yaml  cases[0].gold.key_facts[0].values")],
    ),
    RuleCase(
        "tool that the catalogue lacks",
        put(_gold, "expected_tools", ["search_docs", "get_prise"]),
        [("RC123", "cases/bank-small.yaml  cases[0].gold.expected_tools[1]")],
    ),
    RuleCase(
        "preset excludes a tool that is not there",
        put(lambda s: s.catalogs["shop"]["presets"], "no-price", ["get_prise"]),
        [("RC123", "catalogs/shop.yaml  presets.no-price[0]")],
    ),
    RuleCase(
        "a value is wanted and stale, in other writing",
        put(_gold, "stale_facts", [{"id": "old", "values": ["1199", "1,234.50"]}]),
        [("RC124", "cases/bank-small.yaml  cases[0].gold.stale_facts[0].values[1]")],
    ),
    RuleCase(
        "whitelist names private data",
        _add_field(field="telemetry.account", path="private.account", type="text"),
        [("RC130", f"projection.yaml  fields[{_WHITELIST_COUNT}].path")],
    ),
    RuleCase(
        "whitelist names a field that runs do not have",
        _add_field(field="telemetry.cost", path="cost_usd", type="number"),
        [("RC130", f"projection.yaml  fields[{_WHITELIST_COUNT}].path")],
    ),
    RuleCase(
        "whitelist invents a part of the evidence",
        _add_field(field="assertions.extra", path="answer", type="text"),
        [("RC134", f"projection.yaml  fields[{_WHITELIST_COUNT}].field")],
    ),
    RuleCase(
        "whitelist lets the whole configuration pass",
        _add_field(field="config.effective", path="config.effective", type="json"),
        [("RC131", f"projection.yaml  fields[{_WHITELIST_COUNT}].path")],
    ),
    RuleCase(
        "whitelist lets every key of the configuration pass",
        _add_field(field="config.requested.*", path="config.requested.*", type="text"),
        [("RC131", f"projection.yaml  fields[{_WHITELIST_COUNT}].path")],
    ),
    RuleCase(
        "whitelist shows raw returns",
        _add_field(field="trace[].raw", path="trace[].result", type="json"),
        [("RC132", f"projection.yaml  fields[{_WHITELIST_COUNT}]")],
    ),
    RuleCase(
        "whitelist shows a part of raw returns",
        _add_field(field="trace[].raw", path="trace[].result.rows", type="json", treatment="summarise", limit=9999),
        [("RC132", f"projection.yaml  fields[{_WHITELIST_COUNT}]")],
    ),
    RuleCase(
        "summary without a length",
        _add_field(field="telemetry.answer", path="answer", type="text", treatment="summarise"),
        [("RC109", f"projection.yaml  fields[{_WHITELIST_COUNT}].limit")],
    ),
    RuleCase(
        "length below 1",
        _add_field(field="telemetry.answer", path="answer", type="text", limit=0),
        [("RC109", f"projection.yaml  fields[{_WHITELIST_COUNT}].limit")],
    ),
    RuleCase(
        "field twice",
        lambda s: s.projection["fields"].append(s.projection["fields"][0]),
        [("RC101", f"projection.yaml  fields[{_WHITELIST_COUNT}].field")],
    ),
    RuleCase(
        "pattern that a later Python reads in another way",
        put(lambda s: s.policies["c-1"]["patterns"], 0, "a[[]b]"),
        [("RC140", "policies/c-1.yaml  patterns[0]")],
    ),
    RuleCase(
        "pattern that repeats too often",
        put(lambda s: s.redaction["patterns"][0], "pattern", "a{99999999999}"),
        [("RC140", "redaction.yaml  patterns[0].pattern")],
    ),
    RuleCase(
        "id of a variant that is too long",
        put(lambda s: s.experiments[1]["variants"][1], "id", "x" * 201),
        [("RC102", "experiments.yaml  experiments[1].variants[1].id")],
    ),
    RuleCase(
        "id of a case that looks like a redaction",
        lambda s: s.cases["bank-small"]["cases"].append(s.cases["bank-small"]["cases"][0] | {"id": "⟦x⟧"}),
        [("RC102", "cases/bank-small.yaml  cases[3].id")],
    ),
    RuleCase(
        "id of a category of two lines",
        lambda s: s.cases["bank-small"]["categories"].append(
            {"id": "a\nb", "name": {"zh": "名", "en": "name"}},
        ),
        [("RC102", "cases/bank-small.yaml  categories[2].id")],
    ),
    RuleCase(
        "title that is no title",
        put(lambda s: s.publication["title"], "en", "x" * 301),
        [("RC117", "publication.yaml  title.en")],
    ),
    RuleCase(
        "name of a variant that is no name",
        put(lambda s: _experiment(s)["variants"][1]["name"], "zh", "词" * 301),
        [("RC117", "experiments.yaml  experiments[0].variants[1].name.zh")],
    ),
    RuleCase(
        "summary that is a book",
        put(lambda s: s.publication["summary"], "en", "x " * 10_001),
        [("RC117", "publication.yaml  summary.en")],
    ),
    RuleCase(
        "pattern that does not compile",
        put(lambda s: s.policies["c-1"], "patterns", ["(买入"]),
        [("RC140", "policies/c-1.yaml  patterns[0]")],
    ),
    RuleCase(
        "pattern that matches nothing",
        put(lambda s: s.redaction["patterns"][0], "pattern", "x*"),
        [("RC140", "redaction.yaml  patterns[0].pattern")],
    ),
    RuleCase(
        "blank negator",
        put(lambda s: s.policies["c-2"], "negators", ["不能", " "]),
        [("RC140", "policies/c-2.yaml  negators[1]")],
    ),
    RuleCase(
        "batch published twice",
        lambda s: s.publication["published"].append({"batch": "ctx-small", "since": "2026-11-25"}),
        [("RC401", "publication.yaml  published[1].batch")],
    ),
    RuleCase(
        "published before it was executed",
        put(lambda s: s.publication["published"][0], "since", "2026-11-19"),
        [("RC402", "publication.yaml  published[0].since")],
    ),
    RuleCase("address", put(_publication, "address", "www.example"), [("RC405", "publication.yaml  address")]),
    RuleCase(
        "short canary",
        put(_publication, "canaries", ["canary-12 \t3", "canary-1234-5"]),
        [("RC407", "publication.yaml  canaries[0]")],
    ),
    RuleCase(
        "secrets of a letter",
        put(_publication, "leak_scan", {"min_characters": 1}),
        [("RC109", "publication.yaml  leak_scan.min_characters")],
    ),
    RuleCase(
        "passages shorter than secrets",
        put(_publication, "leak_scan", {"passage_characters": 12}),
        [("RC109", "publication.yaml  leak_scan.passage_characters")],
    ),
    *(
        RuleCase(f"languages {languages}", put(_publication, "languages", languages), [("RC406", _LANGUAGES)])
        for languages in ([], ["en"], ["zh"], ["zh", "zh"], ["en", "zh"], ["zh", "en", "zh"])
    ),
    RuleCase(
        "a drop as large as the threshold",
        put(_publication, "thresholds", {"delta": 0.8, "theta": 0.8}),
        [("RC109", "publication.yaml  thresholds.delta")],
    ),
    RuleCase(
        "errors of both kinds as likely as not",
        put(_publication, "thresholds", {"alpha": 0.6, "beta": 0.4}),
        [("RC109", "publication.yaml  thresholds.beta")],
    ),
    RuleCase(
        "level out of range",
        put(_publication, "thresholds", {"alpha": 1, "min_valid_per_group": 0}),
        [
            ("RC109", "publication.yaml  thresholds.alpha"),
            ("RC109", "publication.yaml  thresholds.min_valid_per_group"),
        ],
    ),
    RuleCase(
        "thresholds_of_times",
        put(lambda source: source.publication, "time_thresholds_ms", [1000, 0, 1000]),
        [("RC180", "publication.yaml  time_thresholds_ms[1]"), ("RC180", "publication.yaml  time_thresholds_ms[2]")],
    ),
    RuleCase(
        "amount of nothing",
        take(_metric("avg_tokens"), "boundary"),
        [("RC186", _metric_at("avg_tokens", "boundary"))],
    ),
    RuleCase(
        "boundary of what is no amount",
        put(_metric("avg_turns"), "boundary", "one_call"),
        [("RC186", _metric_at("avg_turns", "boundary"))],
    ),
    RuleCase(
        "ratio of nothing",
        take(_metric("task_pass_rate"), "counts"),
        [("RC185", _metric_at("task_pass_rate", "counts"))],
    ),
    RuleCase(
        "count of what is no ratio",
        put(_metric("avg_turns"), "counts", "run"),
        [("RC185", _metric_at("avg_turns", "counts"))],
    ),
    RuleCase(
        "waivers",
        put(
            lambda source: source.batch.head,
            "waivers",
            [
                {"case": case, "since": since, "reason": text("已知缺口。", "A known gap.")}
                for case, since in (("basic-01", "2026-11-21"), ("basic-01", "2026-11-20"), ("basic-9", "2026-11-01"))
            ],
        ),
        [
            ("RC184", "batches/ctx-small/batch.yaml  waivers[0].since"),
            ("RC183", "batches/ctx-small/batch.yaml  waivers[1].case"),
            ("RC182", "batches/ctx-small/batch.yaml  waivers[2].case"),
        ],
    ),
    RuleCase(
        "cap_of_times",
        put(lambda source: source.publication, "time_caps_ms", [-1]),
        [("RC180", "publication.yaml  time_caps_ms[0]")],
    ),
    RuleCase(
        "cap_of_what_is_no_time",
        put(_metric("avg_tokens"), "saturates_at", 5),
        [("RC181", _metric_at("avg_tokens", "saturates_at"))],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_broken_rule_is_found_where_it_is(case: RuleCase, tmp_path: Path) -> None:
    findings = findings_of(write_small_source(tmp_path, case.edit))
    assert [(finding.code, str(finding.place)) for finding in findings] == case.expected


def test_small_source_keeps_every_rule(tmp_path: Path) -> None:
    assert findings_of(write_small_source(tmp_path)) == []


def test_metric_without_code_and_code_without_metric(tmp_path: Path) -> None:
    source, _ = read_source(write_small_source(tmp_path))
    assert source is not None
    judged = {metric.id for metric in source.metrics.metrics if metric.is_judged}
    findings = check_definitions(source, frozenset(judged - {"avg_turns"} | {"new_rate"}))
    assert [(finding.code, str(finding.place)) for finding in findings] == [
        ("RC103", _metric_at("avg_turns", "id")),
        ("RC106", "metrics.yaml  metrics"),
    ]
    assert findings[1].expected == "a row `new_rate`"


def test_text_of_an_unknown_metric_lists_every_option(tmp_path: Path) -> None:
    edit = put(_experiment, "main_metrics", ["avg_turn"])
    (finding,) = findings_of(write_small_source(tmp_path, edit))
    options = ", ".join(metric["id"] for metric in SmallSource().metrics["metrics"])
    assert str(finding) == (
        "experiments.yaml  experiments[0].main_metrics[0]  RC105 metric that is shown is in the table\n"
        f"  expected one of {options}, found `avg_turn`\n"
        "  did you mean `avg_turns`? If not, correct the id, or add the row to metrics.yaml"
    )


def test_gold_values_are_never_quoted(tmp_path: Path) -> None:
    edit = put(_gold, "stale_facts", [{"id": "old", "values": ["1234.5"]}])
    (finding,) = findings_of(write_small_source(tmp_path, edit))
    assert "1234" not in str(finding)
