"""A register, its data and a ledger beside the small source.

| figure | value |   | table `times` (ms, cap 900) | count |
|---|---|---|---|---|
| all | 10 cases |   | 0 | 1 |
| passed | 7 cases |   | 10 | 4 |
| easy, easy_passed | 4, 4 cases |   | 20 | 3 |
| before, after | 200, 50 tokens |   | 900 | 2 |
| broken_out | 3 events |   | missing | 2 |

So the pass rate is 7/10, that of the hard part 3/6, their difference 20 points, the reduction 75%; n = 10 of 12 times,
mean (0 + 40 + 60 + 1800) ÷ 10 = 190, median 15, p95: rank 8.55 between 900 and 900.
"""

import json
from typing import Any

import yaml

from tests.support.small_definitions import text
from tests.support.small_source import BATCH_ID, SmallSource

Dict = dict[str, Any]
REGISTER, DATA, CLAIMS = "evidence.yaml", "evidence/E02.yaml", "claims.yaml"
PASS_RATE = "evidence/e02/case_pass_rate"
OF_BATCH = f"{BATCH_ID}/full/call_relation_pass_rate"


def row(identifier: str, unit: str, operation: str, **changes: Any) -> Dict:
    """A row of the metric table on aggregate evidence."""
    return {
        "id": identifier,
        "name": text(f"{identifier} 的名", f"name of {identifier}"),
        "definition": text("定义", "Definition"),
        "source": "derived",
        "unit": unit,
        "direction": "neutral",
        "aggregate": "evidence",
        "operation": operation,
        "numerator": text("分子", "Numerator"),
        "denominator": text("分母", "Denominator"),
        "decimals": 2,
        "extension": True,
        "since": 1,
        **changes,
    }


def rows() -> list[Dict]:
    return [
        row("case_count", "cases", "published_sum", decimals=0),
        row("case_pass_rate", "ratio", "published_ratio"),
        row("case_part", "ratio", "published_ratio"),
        row("gap", "ratio", "evidence_difference"),
        row("reduction", "ratio", "relative_reduction"),
        row("growth", "ratio", "relative_change"),
        row("seconds", "days", "published_quotient"),
        row("quoted_median", "ms", "published_value"),
        row("time_mean", "ms", "table_mean"),
        row("time_deviation", "ms", "table_deviation"),
        row("time_p95", "ms", "table_quantile", p=0.95),
        row("time_missing", "records", "table_missing", decimals=0),
        row("time_saturated", "records", "table_saturated", decimals=0),
        row("time_low", "ratio", "table_share_low"),
        row("time_high", "ratio", "table_share_high"),
    ]


def figure(identifier: str, value: int | str | None, unit: str, **more: Any) -> Dict:
    return {
        "id": identifier,
        "name": text(f"{identifier}（数目）", f"{identifier} (figure)"),
        "value": value,
        "unit": unit,
        **more,
    }


def data() -> Dict:
    hard, hard_passed = ["all", "-easy"], ["passed", "-easy_passed"]
    return {
        "figures": [
            figure("all", 10, "cases"),
            figure("passed", 7, "cases"),
            figure("easy", 4, "cases"),
            figure("easy_passed", 4, "cases"),
            figure("before", 200, "tokens"),
            figure("after", 50, "tokens"),
            figure("events", 3, "events"),
            figure("median", "15.5", "ms", quoted=True),
            figure("sample", 10, "records"),
            figure("lost", None, "tokens", why=text("没有给出", "It is not given")),
        ],
        "tables": [
            {
                "id": "times",
                "name": text("时长", "Times"),
                "counts": "records",
                "unit": "ms",
                "cap": 900,
                "rows": [[10, 4], [0, 1], [None, 2], [20, 3], [900, 2]],
            }
        ],
        "groups": [
            {"id": "easy", "kind": "category", "name": text("易", "Easy")},
            {"id": "hard", "kind": "category", "name": text("难", "Hard")},
            {"id": "whole", "kind": "category", "name": text("全程", "All of it")},
        ],
        "numbers": [
            {"metric": "case_count", "terms": ["all"]},
            {"metric": "case_count", "group": "hard", "terms": hard, "said": "6"},
            {
                "metric": "case_pass_rate",
                "numerator": ["passed"],
                "denominator": ["all"],
                "said": "70.0",
                "interval": True,
            },
            {"metric": "case_pass_rate", "group": "easy", "numerator": ["easy_passed"], "denominator": ["easy"]},
            {"metric": "case_pass_rate", "group": "hard", "numerator": hard_passed, "denominator": hard},
            {"metric": "case_part", "group": "easy", "numerator": ["easy"], "denominator": ["all"]},
            {"metric": "case_part", "group": "hard", "numerator": hard, "denominator": ["all"]},
            {
                "metric": "gap",
                "compares": ["case_pass_rate", "case_pass_rate--category-hard"],
                "said": "20",
                "parts": [
                    {"rate": f"case_pass_rate--category-{part}", "weight": f"case_part--category-{part}"}
                    for part in ("easy", "hard")
                ],
            },
            {"metric": "reduction", "before": ["before"], "after": ["after"], "said": "75"},
            {"metric": "reduction", "group": "whole", "before": ["before", "lost"], "after": ["after"]},
            {"metric": "growth", "before": ["before"], "after": ["after", "before"]},
            {"metric": "seconds", "numerator": ["before"], "denominator": ["median"]},
            {"metric": "quoted_median", "figure": "median", "sample": "sample"},
            {"metric": "time_mean", "tables": ["times"]},
            {"metric": "time_deviation", "tables": ["times"]},
            {"metric": "time_p95", "tables": ["times"]},
            {"metric": "time_missing", "tables": ["times"]},
            {"metric": "time_saturated", "tables": ["times"]},
            {"metric": "time_low", "tables": ["times"], "at_most": 10},
            {"metric": "time_high", "tables": ["times"], "at_most": "10.5"},
        ],
    }


def register() -> Dict:
    return {
        "evidence": [
            {
                "id": "E01",
                "title": text("源码", "Source code"),
                "kind": "file",
                "where": "metrics.yaml",
                "revision": "83d29cf5",
                "retrieved": "2026-11-01",
                "scope": text("定义", "Definitions"),
                "cannot_show": text("结果", "Results"),
                "hashes": [{"algorithm": "md5", "value": "5ce45a9ba6e845bde047f7e1d9ac6120", "of": "another file"}],
            },
            {
                "id": "E02",
                "title": text("报告", "Report"),
                "kind": "published_counts",
                "where": "report.json",
                "scope": text("计数", "Counts"),
                "cannot_show": text("逐条结果", "Single results"),
                "no_runs": text("只公布了合计。", "Only totals were published."),
                "file": "E02.yaml",
            },
        ]
    }


def claims() -> Dict:
    return {
        "claims": [
            {
                "id": "C01",
                "text": text(
                    f"通过率 num({PASS_RATE})，见 ref(alpha)。", f"The pass rate is num({PASS_RATE}), see ref(alpha)."
                ),
                "status": "VERIFIED",
                "does_not_show": text("谁更好。", "Who is better."),
                "evidence": ["E02"],
                "numbers": [OF_BATCH],
            },
            {
                "id": "C02",
                "text": text("别处也一样。", "It is the same elsewhere."),
                "status": "HYPOTHESIS",
                "does_not_show": text("没有试过。", "It was not tried."),
            },
        ],
        "disagreements": [
            {
                "id": "D01",
                "text": text(f"num({PASS_RATE}) 与 num({OF_BATCH})。", f"num({PASS_RATE}) and num({OF_BATCH})."),
                "why": text("两件事。", "Two things."),
                "evidence": ["E02"],
            }
        ],
    }


def copied(record: Dict) -> Dict:
    """Without objects that stand in two places: YAML would write anchors."""
    found: Dict = json.loads(json.dumps(record))
    return found


class Audit:
    """What `with_audit` writes, to be edited first."""

    def __init__(self) -> None:
        self.rows = rows()
        self.register = register()
        self.data = data()
        self.claims = claims()

    def number(self, place: int) -> Dict:
        found: Dict = self.data["numbers"][place]
        return found

    def write(self, source: SmallSource) -> None:
        source.metrics["metrics"] += self.rows
        for name, record in ((REGISTER, self.register), (DATA, self.data), (CLAIMS, self.claims)):
            source.files[name] = yaml.safe_dump(copied(record), allow_unicode=True, sort_keys=False).encode()


def with_audit(source: SmallSource) -> None:
    """Give a small source a register and a ledger."""
    Audit().write(source)
