"""Small result files of foreign harnesses, in their own shapes, with words that must never be published."""

import json
from pathlib import Path
from typing import Any

Dict = dict[str, Any]

SECRETS = (
    "SECRET-GOLD-ACTION",
    "SECRET-USER-SCRIPT",
    "SECRET-ASSERTION",
    "SECRET-TRACEBACK",
    "SECRET-LAUNCH-KEY",
    "SECRET-GUIDELINES",
    "SECRET-RAW-DATA",
)
"""What stands in the files, and may stand nowhere in what an import writes."""

POLICY = "# Airline Agent Policy\n" + "Refund within 24 hours. " * 20
OTHER_POLICY = POLICY + "Never upgrade."


def write_json(path: Path, content: object) -> Path:
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def tau_record(task_id: Any = 0, trial: Any = 0, reward: Any = 1.0, **changes: Any) -> Dict:
    """One run of τ-bench: two model calls, one tool call that worked, an answer."""
    record: Dict = {
        "task_id": task_id,
        "trial": trial,
        "reward": reward,
        "info": {
            "task": {"instruction": "SECRET-USER-SCRIPT", "actions": [{"name": "SECRET-GOLD-ACTION"}]},
            "user_cost": 0.25,
            "reward_info": {
                "reward": reward,
                "info": {"r_actions": 1.0, "gt_data_hash": "SECRET-GOLD-ACTION"},
                "actions": [{"name": "SECRET-GOLD-ACTION"}],
            },
        },
        "traj": [
            {"role": "system", "content": POLICY},
            {"role": "user", "content": "Cancel booking 77."},
            tau_calls(("c1", "get_booking", '{"id": 77}')),
            {"role": "tool", "tool_call_id": "c1", "name": "get_booking", "content": '{"fee": 30}'},
            {"role": "assistant", "content": "Cancelled; the fee is 30.", "tool_calls": None},
            {"role": "user", "content": "###STOP###"},
        ],
    }
    return record | changes


def tau_calls(*calls: tuple[str, str, str]) -> Dict:
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
            for call_id, name, arguments in calls
        ],
    }


def tau_error(task_id: int, trial: int, error: str) -> Dict:
    """An attempt that raised."""
    info = {"error": error, "traceback": "SECRET-TRACEBACK"}
    return {"task_id": task_id, "trial": trial, "reward": 0.0, "info": info, "traj": []}


def tau2_simulation(task_id: Any = "0", trial: Any = 0, reward: Any = 1.0, **changes: Any) -> Dict:
    """One run of τ²-bench: a greeting, two model calls, one tool call that failed, an answer."""
    simulation: Dict = {
        "id": f"sim-{task_id}-{trial}",
        "task_id": task_id,
        "trial": trial,
        "timestamp": "2026-05-06T10:00:09.5",
        "start_time": f"2026-05-06T10:00:0{trial if isinstance(trial, int) else 0}.0",
        "duration": 1.2345678,
        "termination_reason": "user_stop",
        "agent_cost": 0.5,
        "user_cost": 0.125,
        "seed": 11,
        "reward_info": {
            "reward": reward,
            "reward_breakdown": {"DB": reward, "COMMUNICATE": 1.0},
            "action_checks": [{"action": {"name": "SECRET-GOLD-ACTION"}}],
            "nl_assertions": [{"nl_assertion": "SECRET-ASSERTION", "justification": "SECRET-ASSERTION"}],
        },
        "messages": [
            {"role": "assistant", "content": "Hi!", "usage": None, "raw_data": None, "tool_calls": None},
            {"role": "user", "content": "Cancel booking 77.", "usage": {"prompt_tokens": 9, "completion_tokens": 9}},
            tau2_calls(("c1", "get_booking", {"id": 77}), prompt=100, completion=10),
            {"role": "tool", "id": "c1", "requestor": "assistant", "content": "Error: no such booking", "error": True},
            tau2_says("There is no booking 77.", prompt=120, completion=12),
            {"role": "user", "content": "###STOP###"},
        ],
    }
    return simulation | changes


def tau2_calls(
    *calls: tuple[str, str, Dict], prompt: int = 1, completion: int = 1, requestor: str = "assistant"
) -> Dict:
    return {
        "role": "assistant" if requestor == "assistant" else "user",
        "content": None,
        "usage": {"prompt_tokens": prompt, "completion_tokens": completion},
        "raw_data": {"message": "SECRET-RAW-DATA"},
        "tool_calls": [
            {"id": call_id, "name": name, "arguments": arguments, "requestor": requestor}
            for call_id, name, arguments in calls
        ],
    }


def tau2_says(text: str, prompt: int = 1, completion: int = 1) -> Dict:
    usage = {"prompt_tokens": prompt, "completion_tokens": completion}
    return {"role": "assistant", "content": text, "usage": usage, "raw_data": {"x": "SECRET-RAW-DATA"}}


def tau2_task(task_id: str = "0", **changes: Any) -> Dict:
    task: Dict = {
        "id": task_id,
        "description": {"purpose": "SECRET-GOLD-ACTION"},
        "user_scenario": {"instructions": {"task_instructions": "SECRET-USER-SCRIPT"}},
        "evaluation_criteria": {"actions": [{"name": "SECRET-GOLD-ACTION"}], "nl_assertions": ["SECRET-ASSERTION"]},
    }
    return task | changes


def tau2_file(simulations: list[Dict], **changes: Any) -> Dict:
    """A result file. `changes` of `info` are merged into it, part by part."""
    info: Dict = {
        "git_commit": "abc123",
        "num_trials": 1,
        "max_steps": 200,
        "max_errors": 10,
        "user_info": {
            "implementation": "user_simulator",
            "llm": "vendor/user-1",
            "llm_args": {"temperature": 0.0, "api_key": "SECRET-LAUNCH-KEY"},
            "global_simulation_guidelines": "SECRET-GUIDELINES",
        },
        "agent_info": {
            "implementation": "llm_agent",
            "llm": "vendor/model-1",
            "llm_args": {"temperature": 0.5, "api_key": "SECRET-LAUNCH-KEY", "top_p": "SECRET-LAUNCH-KEY"},
        },
        "environment_info": {"domain_name": "airline", "policy": POLICY, "tool_defs": None},
        "seed": 300,
    }
    for name, value in changes.pop("info", {}).items():
        info[name] = info[name] | value if isinstance(value, dict) else value
    tasks = [tau2_task(task_id) for task_id in dict.fromkeys(item.get("task_id", "0") for item in simulations)]
    return {"timestamp": "2026-05-06T10:00:10", "info": info, "tasks": tasks, "simulations": simulations} | changes
