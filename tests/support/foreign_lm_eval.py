"""Small evaluations of lm-evaluation-harness, with words that must never be published."""

import json
from pathlib import Path
from typing import Any

Dict = dict[str, Any]
TIME = "2026-05-06T14-30-51.983293"


def lm_row(doc: Any = 0, acc: Any = 1, **changes: Any) -> Dict:
    """One document that was answered with a generated text."""
    row: Dict = {
        "doc_id": doc,
        "doc": {"question": "SECRET-USER-SCRIPT", "answer": "SECRET-GOLD-ACTION"},
        "target": "SECRET-GOLD-ACTION",
        "arguments": {"gen_args_0": {"arg_0": "Q: What is it?", "arg_1": {"until": ["\n"]}}},
        "resps": [["It is."]],
        "filtered_resps": ["It is."],
        "filter": "none",
        "metrics": ["bleu_max", "acc"],
        "doc_hash": f"hash-{doc}",
        "bleu_max": 41.1,
        "acc": acc,
    }
    return row | changes


def lm_results(value: Any = 1.0, count: int = 1, model_args: Any = None, **changes: Any) -> Dict:
    """The results of the task `quiz`, whose accuracy is `value`."""
    arguments = "pretrained=/home/me/SECRET-RAW-DATA/neo,dtype=float16,api_key=SECRET-LAUNCH-KEY"
    head: Dict = {
        "results": {"quiz": {"alias": "quiz", "acc,none": value, "bleu_max,none": 41.1}},
        "group_subtasks": {"quiz": []},
        "configs": {"quiz": {"doc_to_text": "SECRET-ASSERTION", "generation_kwargs": {"temperature": 0}}},
        "n-shot": {"quiz": 2},
        "higher_is_better": {"quiz": {"acc": True}},
        "n-samples": {"quiz": {"original": 800, "effective": count}},
        "config": {"model": "hf", "model_args": model_args or arguments, "random_seed": 0},
        "git_hash": "32d1a85",
        "date": 1778078400.5,
        "pretty_env_info": "SECRET-TRACEBACK",
        "model_name": "/home/me/models/neo",
    }
    return head | changes


def write_evaluation(folder: Path, rows: list[Dict], head: Dict, *, time: str = TIME, task: str = "quiz") -> Path:
    """Results and samples as they stand beside each other; the path of the results."""
    folder.mkdir(exist_ok=True)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / f"samples_{task}_{time}.jsonl").write_text(text, encoding="utf-8")
    results = folder / f"results_{time}.json"
    results.write_text(json.dumps(head), encoding="utf-8")
    return results
