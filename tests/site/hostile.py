"""A source that says hostile things wherever somebody else's words may stand.

Each text stands in the answer, a tool's name, argument, return and error of a run of its own, and, where an id may hold
it, in that run's id. What a page must show for it is written beside it by hand: the text itself, with the characters
that cannot be seen named by code point.
"""

from pathlib import Path
from typing import NamedTuple

from generator.model.schedule import interleaved_order
from tests.support.small_definitions import text
from tests.support.small_source import (
    AUTO_HASH,
    BATCH_ID,
    EXPERIMENT_ID,
    Dict,
    SmallSource,
    effective_config,
    write_small_source,
)


class Hostile(NamedTuple):
    """A text, what a page shows for it (None: the text itself), and whether an id may hold it."""

    raw: str
    shown: str | None = None
    id: bool = True

    @property
    def seen(self) -> str:
        return self.raw if self.shown is None else self.shown


RAN = "window.hostile=true"
"""What every script among the texts would do."""

TEXTS: dict[str, Hostile] = {
    "script": Hostile(f"<script>{RAN}</script>"),
    "closing script": Hostile(f"</script><script>{RAN}//"),
    "closing pre": Hostile(f"</pre></bdi></code></td></table><script>{RAN}</script>"),
    "image error": Hostile(f'<img src="/nothing.png" onerror="{RAN}">'),
    "svg load": Hostile(f"<svg/onload={RAN}>"),
    "details toggle": Hostile(f"<details open ontoggle={RAN}>x</details>"),
    "attribute": Hostile(f'" onmouseover="{RAN}" autofocus onfocus="{RAN}'),
    "single quotes": Hostile(f"' onfocus='{RAN}' x='"),
    "frame": Hostile(f'<iframe srcdoc="<script>{RAN}</script>"></iframe>'),
    "base and meta": Hostile('<base href="http://example.org/"><meta http-equiv="refresh" content="0;url=/">'),
    "style": Hostile("<style>body{display:none}</style><link rel=stylesheet href=//example.org/x.css>"),
    "form": Hostile('<form action="http://example.org/"><input name=q><button>ok</button></form>'),
    "script link": Hostile(f"javascript:{RAN}"),
    "markdown link": Hostile(f"[press](javascript:{RAN}) <javascript:{RAN}> [x]: javascript:{RAN}"),
    "markdown image": Hostile("![x](http://example.org/x.png) ![y][z]\n\n[z]: http://example.org/z.png", id=False),
    "markdown block": Hostile(
        "# heading\n\n| a | b |\n|---|---|\n| c | d |\n\n```\nfence\n```\n---\n> quote", id=False
    ),
    "markdown inline": Hostile("*a* __b__ ~~c~~ `d` \\e &amp; &lt;b&gt; &#x3c; a | b {: onclick=x #y } --- [^a] *[x]"),
    "template": Hostile("{{ 7 * 7 }} {% include '/etc/hostname' %} {# gone #} ${7*7} <%= 7 %> {{ config }} #{7}"),
    "snippet": Hostile('--8<-- "/etc/hostname" [TOC] !!! note'),
    "comment": Hostile("<!-- gone --> ]]> <![CDATA[ gone ]]> <!doctype html>"),
    "text direction": Hostile(
        "order \u202egnp.exe\u202c \u2066x\u2069", "order ⟦U+202E⟧gnp.exe⟦U+202C⟧ ⟦U+2066⟧x⟦U+2069⟧"
    ),
    "zero width": Hostile("a\u200bb\u200dc\ufeffd\u00ade", "a⟦U+200B⟧b⟦U+200D⟧c⟦U+FEFF⟧d⟦U+00AD⟧e"),
    "tags": Hostile("x\U000e0041\U000e007f", "x⟦U+E0041⟧⟦U+E007F⟧"),
    "terminal": Hostile("\x1b[31mred\x1b[0m\x07", "⟦U+001B⟧[31mred⟦U+001B⟧[0m⟦U+0007⟧", id=False),
    "null": Hostile("a\x00b\x9bc", "a⟦U+0000⟧b⟦U+009B⟧c", id=False),
    "lone surrogate": Hostile("a\ud800b\udfffc", "a⟦U+D800⟧b⟦U+DFFF⟧c", id=False),
    "line separators": Hostile("a\u2028b\u2029c\rd", "a⟦U+2028⟧b⟦U+2029⟧c⟦U+000D⟧d", id=False),
    "a mark of our own": Hostile("⟦U+0041⟧", "⟦U+27E6⟧U+0041⟧", id=False),
    "long word": Hostile("W" * 200),
    "first line empty": Hostile("\n\n  indented\ttab\n", id=False),
}

PLAIN = ("script", "attribute", "template", "markdown inline", "zero width", "long word")
CASES = {
    "basic-01": f'case/<b onclick="{RAN}">--{{{{ 7 }}}}',
    "basic-02": "案例 & \u202e 'x' `y` | [z](javascript:1)",
    "safety-01": "WORD" * 20,
}
VARIANTS = {"full": f"full--of-vs-<svg/onload={RAN}>", "budgeted": 'b" onfocus="x {{ 1 }} | *a* \u200b'}
REPEATS = len(TEXTS) // (len(CASES) * len(VARIANTS))
NAMES = list(TEXTS)


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
    head["model"] = TEXTS["script"].raw
    head["provenance"] = {"harness": TEXTS["attribute"].raw, "harness_version": "{{ 1 }}", "revision": "*r* <b>"}
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
    experiment["title"] = text(f"实验 {TEXTS['script'].raw}", f"Experiment {TEXTS['markdown inline'].raw}")
    experiment["purpose"] = text(f"目的 {TEXTS['markdown link'].raw}", f"Purpose {TEXTS['comment'].raw}")
    experiment["fixed_conditions"] = [text(f"条件 {TEXTS['snippet'].raw}", f"Condition {TEXTS['template'].raw}")]
    experiment["baseline"] = VARIANTS[experiment["baseline"]]
    experiment["repeats"] = REPEATS
    for variant, name in zip(experiment["variants"], ("image error", "closing script"), strict=True):
        variant["id"] = VARIANTS[variant["id"]]
        variant["name"] = text(f"变体 {TEXTS[name].raw}", f"Variant {TEXTS[name].raw}")
    bank = source.cases["bank-small"]
    for category in bank["categories"]:
        category["name"] = text(f"类别 {TEXTS['svg load'].raw}", f"Category {TEXTS['single quotes'].raw}")
    for case, name in zip(bank["cases"], PLAIN, strict=False):
        case["id"] = CASES[case["id"]]
        case["title"] = text(f"用例 {TEXTS[name].raw}", f"Case {TEXTS[name].raw}")
        case["prompt"] = TEXTS[name].raw
    source.publication["title"] = text("报告 <i>&amp;</i> {{ x }} `x`", "Report <i>&amp;</i> {{ x }} `x`")
    source.publication["summary"] = text(f"摘要 {TEXTS['markdown image'].raw}", f"Summary {TEXTS['script'].raw}")
    source.publication["address"] = "https://example.org/some/where/"


def _run(sequence: int, cell: tuple[str, str, int], strategy: str, name: str) -> Dict:
    case, variant, index = cell
    said = TEXTS[name].raw
    effective = effective_config(strategy)
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
        "usage": {"prompt_tokens": 900, "completion_tokens": 100, "estimated": False, "cost_usd": 0.01},
        "timing": {
            "started_at": f"2026-11-20T08:{sequence:02}:00Z",
            "ended_at": f"2026-11-20T08:{sequence:02}:02Z",
            "duration_ms": 1500 + sequence,
        },
    }


__all__ = ["BATCH_ID", "CASES", "EXPERIMENT_ID", "NAMES", "RAN", "TEXTS", "VARIANTS", "run_id", "write_hostile_source"]
