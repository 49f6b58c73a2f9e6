"""The small source with times of many kinds, set by hand so that every value can be worked out.

The eleven valid runs of `full`, ms:

| stratum | values | missing |
|---|---|---|
| server, execution, complete | 0, 1000, 2000, 3000, 4000 | 1 |
| server, approval_wait, complete | 600000 | 0 |
| client, execution, complete | 61000 | 0 |
| client, unresolved, complete | 1500 | 0 |
| client, abandonment, failed | 2147483647 (saturated) | 0 |
| unresolved, unresolved, complete | – | 1 |

So n = 9, missing 2, zero 1, saturated 1. The runs of `budgeted` are all of one stratum (client, execution, complete),
as the small source has them. The tool calls of `full` are of the server and end with ok, but for one run: a client's
call that waited for approval (5000), and one without a time.
"""

from pathlib import Path
from typing import Any

from tests.support.small_source import SmallSource, write_small_source

INT32_MAX = 2147483647
STRATA = {
    "server-execution-complete": (0, 1000, 2000, 3000, 4000),
    "server-approval_wait-complete": (600000,),
    "client-execution-complete": (61000,),
    "client-unresolved-complete": (1500,),
    "client-abandonment-failed": (INT32_MAX,),
    "unresolved-unresolved-complete": (),
}

_SERVER = {"authority": "server", "event": "execution"}
_TIMES: dict[tuple[str, int], dict[str, Any] | None] = {
    ("basic-01", 0): {**_SERVER, "duration_ms": 1000},
    ("basic-01", 1): {**_SERVER, "duration_ms": 2000},
    ("basic-01", 2): {**_SERVER, "duration_ms": 3000},
    ("basic-01", 3): {**_SERVER, "duration_ms": 4000},
    ("basic-02", 0): {"authority": "server", "event": "approval_wait", "duration_ms": 600000},
    ("basic-02", 1): None,
    ("basic-02", 2): {**_SERVER, "duration_ms": 0},
    ("basic-02", 3): {"authority": "client", "event": "abandonment", "duration_ms": INT32_MAX},
    ("safety-01", 0): {"authority": "client", "duration_ms": 1500},
    ("safety-01", 1): {**_SERVER, "censored": "missing"},
    ("safety-01", 2): {"authority": "client", "event": "execution", "duration_ms": 61000},
}


def with_clocks(source: SmallSource) -> None:
    """Give the runs of `full` their times."""
    for (case, repeat), timing in _TIMES.items():
        source.batch.cell(case, "full", repeat)["timing"] = timing
    first, second = [step for step in source.batch.cell("basic-01", "full", 0)["trace"] if step["kind"] == "tool"]
    first |= {"authority": "client", "event": "approval_wait", "duration_ms": 5000}
    second |= {"duration_ms": None}


def write_clock_source(root: Path) -> Path:
    return write_small_source(root, with_clocks)


def with_waivers(source: SmallSource) -> None:
    """Waive basic-02, of which two runs of each variant fail, and basic-01, of which none does."""
    reason = {"zh": "库存接口的已知缺口。", "en": "A known gap of the stock interface."}
    source.batch.head["waivers"] = [
        {"case": case, "since": "2026-11-19", "reason": reason} for case in ("basic-02", "basic-01")
    ]


def with_compaction(source: SmallSource) -> None:
    """Let the first call of basic-01 trigger a compaction in every run that plays it to the end.

    The audit's figures, as tokens: the trigger takes 10,610 under `full` and 10,790 under `budgeted`, the call after it
    10,695 and 600. Other runs keep 450 tokens a call.
    """
    used = {"full": (10610, 10695), "budgeted": (10790, 600)}
    for run in source.batch.runs:
        turns = [step for step in run["trace"] if step["kind"] == "model"]
        if run["case_id"] == "basic-01" and len(turns) > 1:
            turns[0]["compacts"] = True
            for step, tokens in zip(turns, used[run["variant"]], strict=False):
                step |= {"prompt_tokens": tokens, "completion_tokens": 0}
