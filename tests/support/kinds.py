"""The small source as a batch of mutants, and as one of related pairs.

Its variant `full` becomes the original, or the source; `budgeted` a mutant, or the runs that follow. By `PLOT` of
`small_source`, on the pass metric (+ met, - not, . no valid run), repeats 0 to 3:

| case | full | budgeted |
|---|---|---|
| basic-01 | + + + + | + + + . |
| basic-02 | + - + - | - - + + |
| safety-01 | + - + . | + + + (skipped) |

So 8 of 11 and 8 of 10; of the ten pairs three differ (basic-02 at 0 and 3, safety-01 at 1), two are met where the
source is not (basic-02 at 3, safety-01 at 1), and of the seven whose source is met one is not (basic-02 at 0).
"""

import copy
from typing import Any

from tests.support.small_source import SmallSource
from tests.validate.rule_cases import Edit

Dict = dict[str, Any]

AGENT: Dict = {
    "prompt": {"edit": "none"},
    "tool": {"order": "catalogue"},
    "model": "scripted-policy-1",
    "context": {"noise": "none"},
}
EQUIVALENT = {"zh": "没有可改的。", "en": "There is nothing to change."}


def as_mutation(operator: str = "prompt_drop", changes: Dict | None = None, equivalent: Dict | None = None) -> Edit:
    """`changes` to the original agent, key by key."""
    mutant = {**copy.deepcopy(AGENT), **({"prompt": {"edit": "drop"}} if changes is None else changes)}

    def edit(source: SmallSource) -> None:
        experiment = source.experiment()
        experiment |= {"kind": "mutation", "independent_variable": "agent"}
        experiment["main_metrics"] = ["mutation_score"]
        mutation = {"operator": operator} | ({} if equivalent is None else {"equivalent": equivalent})
        for variant in experiment["variants"]:
            variant["value"] = None
            if variant["id"] == "budgeted":
                variant["mutation"] = mutation
        for run in source.batch.runs:
            for name in ("requested", "effective"):
                config = run["config"][name]
                config["context"] = {"strategy": "full", "budget_tokens": 1200}
                del config["model"]
                config["agent"] = mutant if run["variant"] == "budgeted" else AGENT

    return edit


def as_metamorphic(expects: str = "same", family: str = "permutation", metric: str | None = None) -> Edit:
    """Each run of `budgeted` follows the run of `full` of its case and repeat."""

    def edit(source: SmallSource) -> None:
        experiment = source.experiment()
        experiment |= {"kind": "metamorphic", "main_metrics": ["violation_rate"]}
        relation = {"family": family, "expects": expects} | ({} if metric is None else {"metric": metric})
        next(variant for variant in experiment["variants"] if variant["id"] == "budgeted")["relation"] = relation
        for run in source.batch.runs:
            if run["variant"] == "budgeted":
                followed = source.batch.cell(run["case_id"], "full", run["repeat_index"])
                run["source_run_id"] = followed["run_id"]

    return edit
