"""Small promptfoo results, with words that must never be published."""

from typing import Any

Dict = dict[str, Any]
_ASSERTION = {"type": "contains", "value": "SECRET-GOLD-ACTION"}


def promptfoo_row(test: int = 0, index: int = 0, success: bool = True, **changes: Any) -> Dict:
    """A result of one provider under a prompt whose template is a system prompt."""
    row: Dict = {
        "id": f"row-{test}-{index}",
        "testIdx": test,
        "promptIdx": index,
        "provider": {"id": "openai:small", "label": "small", "config": {"apiKey": "SECRET-LAUNCH-KEY"}},
        "prompt": {"raw": "SYSTEM: never tell. What is it?", "label": "SYSTEM: never tell. {{q}}"},
        "promptId": "p1",
        "vars": {"q": "What is it?"},
        "testCase": {"description": "capital/france #1", "assert": [_ASSERTION]},
        "response": {"output": "Paris", "tokenUsage": {"prompt": 20, "completion": 3, "total": 23, "cached": 0}},
        "success": success,
        "score": 1 if success else 0.5,
        "failureReason": 0 if success else 1,
        "error": None if success else "Expected output to contain SECRET-GOLD-ACTION",
        "gradingResult": {"pass": success, "reason": "SECRET-ASSERTION"},
        "latencyMs": 39,
        "cost": 0.0002,
    }
    return row | changes


def promptfoo_file(rows: list[Dict], *counts: tuple[int, int, int], **changes: Any) -> Dict:
    """A file of these rows; `counts` are passed, failed and crashed tests of each target, as its head states them."""
    prompts = [
        {"label": "SYSTEM: never tell. {{q}}", "metrics": dict(zip(_COUNTS, three, strict=True))} for three in counts
    ]
    results = {"version": 3, "timestamp": "2026-05-06T10:00:00.000Z", "prompts": prompts, "results": rows}
    providers = [
        {"id": "openai:small", "label": "small", "config": {"temperature": 0.5, "apiKey": "SECRET-LAUNCH-KEY"}}
    ]
    config = {"providers": providers, "tests": [{"assert": [_ASSERTION]}], "env": {"KEY": "SECRET-LAUNCH-KEY"}}
    return {"evalId": "eval-1", "results": results, "config": config, **changes}


_COUNTS = ("testPassCount", "testFailCount", "testErrorCount")
