"""A source that says hostile things wherever somebody else's words may stand.

Each text stands in the answer and in a tool's name, argument, return and error of a run of its own; where an id may
hold it, in that run's id; and in the definitions: in a fixed condition of the experiment, in a metric, and, where it
states no figure, in a note of the batch. What other definitions say is put together from some of them.
"""

import itertools
from pathlib import Path

from generator.model.prose import figures
from generator.model.schedule import interleaved_order
from tests.site.attacks import FENCE, RAN, TEXTS, Hostile
from tests.support.small_definitions import text
from tests.support.small_source import (
    AUTO_HASH,
    EXPERIMENT_ID,
    Dict,
    SmallSource,
    effective_config,
    write_small_source,
)

SCRIPT = TEXTS["element 0"].raw
ATTRIBUTE = TEXTS["handler 19"].raw
LINK = TEXTS["scheme 0"].raw
INLINE = TEXTS["markdown 8"].raw
TEMPLATE = TEXTS["template 4"].raw
PROMPTS = (SCRIPT, ATTRIBUTE, TEXTS["template 0"].raw)
CASES = {
    "basic-01": f'case/<b onclick="{RAN}">--{{{{ 7 }}}}',
    "basic-02": "案例 & \u202e 'x' `y` | [z](javascript:1)",
    "safety-01": "WORD" * 20,
}
VARIANTS = {"full": f"full--of-vs-<svg/onload={RAN}>", "budgeted": 'b" onfocus="x {{ 1 }} | *a* \u200b'}
REPEATS = len(TEXTS) // (len(CASES) * len(VARIANTS))
NAMES = list(TEXTS)
DEFINABLE = [said for said in TEXTS.values() if not set(said.raw) & set(map(chr, range(0xD800, 0xE000)))]
"""YAML has no lone surrogates."""
FIGURELESS = [said for said in DEFINABLE if not figures(said.raw)]
METRIC_TEXTS = ("definition", "numerator", "denominator", "not_applicable")


def write_hostile_source(root: Path) -> Path:
    """Write the source. Returns `root`."""
    return write_small_source(root, _edit)


def run_id(name: str) -> str:
    """The id of the run that says this text."""
    said = TEXTS[name]
    return f"run {NAMES.index(name)} {said.raw if said.id else ''}".strip()


def _edit(source: SmallSource) -> None:
    _rename_definitions(source)
    head = source.batch.head
    head["planned"] = {"cases": list(CASES.values()), "variants": list(VARIANTS.values()), "repeats": REPEATS}
    head["skipped"] = []
    head["model"] = SCRIPT
    head["title"] = text(f"批次 {SCRIPT}", f"Batch {INLINE}")
    head["notes"] = _in_pairs(FIGURELESS)
    head["provenance"] = {"harness": ATTRIBUTE, "harness_version": "{{ 1 }}", "revision": "*r* <b>"}
    head["variant_catalogs"] = {VARIANTS[name]: tools for name, tools in head["variant_catalogs"].items()}
    cells = [(case, variant, index) for case in CASES for variant in VARIANTS for index in range(REPEATS)]
    renamed = {(CASES[case], VARIANTS[variant], index): variant for case, variant, index in cells}
    order = interleaved_order(list(renamed), source.experiment()["schedule"]["seed"])
    runs = [
        _run(sequence, cell, renamed[cell], name)
        for sequence, (cell, name) in enumerate(zip(order, NAMES, strict=True), start=1)
    ]
    source.batch.runs[:] = runs


def _rename_definitions(source: SmallSource) -> None:
    experiment = source.experiment(EXPERIMENT_ID)
    experiment["title"] = text(f"实验 {SCRIPT}", f"Experiment {INLINE}")
    experiment["purpose"] = text(f"目的 {TEXTS['markdown 0'].raw}", f"Purpose {TEXTS['mutation 12'].raw}")
    experiment["fixed_conditions"] = _in_pairs(DEFINABLE)
    experiment["baseline"] = VARIANTS[experiment["baseline"]]
    experiment["repeats"] = REPEATS
    for variant, name in zip(experiment["variants"], ("handler 0", "element 2"), strict=True):
        variant["id"] = VARIANTS[variant["id"]]
        variant["name"] = text(f"变体 {TEXTS[name].raw}{FENCE}", f"Variant {TEXTS[name].raw}{FENCE}")
    bank = source.cases["bank-small"]
    bank["title"] = text(f"题库 {LINK}", f"Bank {SCRIPT}")
    for category in bank["categories"]:
        category["name"] = text(f"类别 {TEXTS['handler 5'].raw}{FENCE}", f"Category {TEXTS['handler 20'].raw}")
    for case, said in zip(bank["cases"], PROMPTS, strict=False):
        case["id"] = CASES[case["id"]]
        case["title"] = text(f"用例 {said}", f"Case {said}")
        case["prompt"] = said
    _rename_metrics(source)
    source.publication["title"] = text("报告 <i>&amp;</i> {{ x }} `x`", "Report <i>&amp;</i> {{ x }} `x`")
    source.publication["summary"] = text(f"摘要 {TEXTS['markdown 4'].raw}", f"Summary {SCRIPT}")
    source.publication["publisher"] = text(f"发布者 {SCRIPT}", f"Publisher {LINK}")
    source.publication["licence"] = f"CC <b> {ATTRIBUTE}"
    source.publication["address"] = "https://example.org/some/where/"
    for policy in source.policies.values():
        policy["title"] = text(f"策略 {SCRIPT}", f"Policy {TEMPLATE}")
    for field in source.projection["fields"]:
        if "reason" in field:
            field["reason"] = text(f"理由 {SCRIPT}", f"Reason {INLINE}")


def _rename_metrics(source: SmallSource) -> None:
    """The metrics say all of the texts, one after another; those that are left over begin again."""
    words = itertools.cycle(_in_pairs(DEFINABLE))
    for metric in source.metrics["metrics"]:
        metric |= {field: next(words) for field in METRIC_TEXTS}
        metric["name"] = text(f"指标 {metric['id']} <b>{{{{ x }}}}", f"Metric {metric['id']} `*a*` <i>")
    for change in source.metrics.get("changes", []):
        change["reason"] = text(f"变更 {SCRIPT}", f"Change {LINK}")


def _in_pairs(said: list[Hostile]) -> list[Dict]:
    """Each text once, in one language or the other."""
    raws = [it.raw for it in said]
    return [text(zh, en) for zh, en in zip(raws[::2], [*raws[1::2], "last"], strict=False)]


def _run(sequence: int, cell: tuple[str, str, int], strategy: str, name: str) -> Dict:
    case, variant, index = cell
    said = TEXTS[name].raw
    effective = effective_config(strategy) | {"provider": ATTRIBUTE, "agent_version": LINK, "excluded_tools": [SCRIPT]}
    call = {
        "kind": "tool",
        "call_id": said,
        "tool": said,
        "arguments": {said: [said]},
        "status": "error",
        "result": {said: said},
        "error": said,
        "duration_ms": 40,
        "authority": "server",
    }
    return {
        "run_id": run_id(name),
        "case_id": case,
        "variant": variant,
        "repeat_index": index,
        "sequence": sequence,
        "state": "COMPLETE",
        "reason": None,
        "config": {"requested": effective, "effective": effective},
        "config_hash": AUTO_HASH,
        "mode": "autonomous",
        "context": {"entries": []},
        "trace": [{"kind": "model", "duration_ms": 300, "prompt_tokens": 400, "completion_tokens": 50}, call],
        "answer": said,
        "source_run_id": said if TEXTS[name].id else None,
        "usage": {"prompt_tokens": 900, "completion_tokens": 100, "estimated": False, "cost_usd": 0.01},
        "timing": {
            "started_at": f"2026-11-20T{8 + sequence // 60:02}:{sequence % 60:02}:00Z",
            "ended_at": f"2026-11-20T{8 + sequence // 60:02}:{sequence % 60:02}:02Z",
            "duration_ms": 1500 + sequence,
        },
    }
