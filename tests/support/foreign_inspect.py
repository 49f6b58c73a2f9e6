"""Small Inspect logs, as JSON and as `.eval` archives, with words that must never be published."""

import json
import struct
import zlib
from pathlib import Path
from typing import Any

import zstandard

Dict = dict[str, Any]
STORED, DEFLATED, ZSTANDARD = 0, 8, 93
SYSTEM = "You are the support bot. " * 5


def inspect_sample(case: Any = "a/1", epoch: int = 1, value: Any = "C", **changes: Any) -> Dict:
    """One sample: two model calls, one tool call, an answer."""
    sample: Dict = {
        "id": case,
        "epoch": epoch,
        "uuid": f"uuid-{case}-{epoch}",
        "input": f"Check order {case}.",
        "target": "SECRET-GOLD-ACTION",
        "messages": [
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": [{"type": "text", "text": "Check."}, {"type": "image", "image": "data:x"}]},
            {
                "role": "assistant",
                "content": "Let me check.",
                "tool_calls": [{"id": "c1", "function": "lookup", "arguments": {"id": "77"}}],
            },
            {"role": "tool", "tool_call_id": "c1", "function": "lookup", "content": "attachment://abc"},
            {
                "role": "assistant",
                "content": [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "It has shipped."}],
            },
        ],
        "output": {"completion": "It has shipped."},
        "scores": {"exact": {"value": value, "explanation": "SECRET-ASSERTION"}, "tone": {"value": 0.4}},
        "metadata": {"note": "SECRET-GOLD-ACTION"},
        "store": {"note": "SECRET-RAW-DATA"},
        "events": [{"event": "model", "tools": [{"name": "lookup"}, {"name": "refund"}], "call": "SECRET-RAW-DATA"}],
        "model_usage": {
            "m/one": {"input_tokens": 30, "output_tokens": 4, "total_tokens": 34},
            "m/grader": {"input_tokens": 900, "output_tokens": 1},
        },
        "started_at": f"2026-05-06T10:00:0{epoch}+00:00",
        "total_time": 0.5,
        "attachments": {"abc": "shipped on Monday"},
        "error_retries": [],
    }
    return sample | changes


def inspect_log(samples: list[Dict], model: str = "m/one", **changes: Any) -> Dict:
    """A log of these samples whose headline is `exact/accuracy`."""
    ids = list(dict.fromkeys(sample["id"] for sample in samples))
    log: Dict = {
        "version": 2,
        "status": "success",
        "eval": {
            "task": "orders",
            "task_id": "t1",
            "model": model,
            "created": "2026-05-06T12:00:00+02:00",
            "task_args": {"difficulty": "hard", "api_key": "SECRET-LAUNCH-KEY"},
            "model_args": {"base_url": "https://SECRET-LAUNCH-KEY.example"},
            "model_generate_config": {"temperature": 0.5, "extra_headers": {"x": "SECRET-LAUNCH-KEY"}},
            "dataset": {"sample_ids": ids, "samples": len(ids)},
            "config": {"epochs": max((sample["epoch"] for sample in samples), default=1), "message_limit": 12},
            "revision": {"commit": "abc123"},
            "scorers": [{"name": "exact"}],
        },
        "plan": {"steps": [{"solver": "generate", "params": {"template": "SECRET-GUIDELINES"}}]},
        "results": {"total_samples": len(samples), "scores": []},
        "samples": samples,
    }
    return log | changes


def headline(value: float, scored: int | None = None) -> Dict:
    """What `results.scores` says of `exact/accuracy`."""
    return {"name": "exact", "scored_samples": scored, "metrics": {"accuracy": {"name": "accuracy", "value": value}}}


def write_archive(path: Path, log: Dict, *, method: int = ZSTANDARD, header: bool = True) -> Path:
    """The log as Inspect writes an archive; without `header` as a killed run leaves it."""
    head = {key: value for key, value in log.items() if key not in ("samples", "reductions")}
    entries: Dict = {"_journal/start.json": {key: head[key] for key in ("version", "eval", "plan")}}
    entries |= {f"samples/{s['id']}_epoch_{s['epoch']}.json": s for s in log["samples"]}
    if "reductions" in log:
        entries["reductions.json"] = log["reductions"]
    if header:
        entries["header.json"] = head
    return write_zip(path, {name: json.dumps(value).encode() for name, value in entries.items()}, method)


def write_zip(path: Path, entries: dict[str, bytes], method: int) -> Path:
    """Python's own zipfile writes no Zstandard entries."""
    body, listing = b"", b""
    for name, content in entries.items():
        packed, raw_name = _packed(content, method), name.encode()
        fields = struct.pack(
            "<HHHHLLLHH", 0x800, method, 0, 33, zlib.crc32(content), len(packed), len(content), len(raw_name), 0
        )
        listing += b"PK\x01\x02" + struct.pack("<HH", 63, 63) + fields
        listing += struct.pack("<HHHLL", 0, 0, 0, 0, len(body)) + raw_name
        body += b"PK\x03\x04" + struct.pack("<H", 63) + fields + raw_name + packed
    count = len(entries)
    end = struct.pack("<HHHHLLH", 0, 0, count, count, len(listing), len(body), 0)
    path.write_bytes(body + listing + b"PK\x05\x06" + end)
    return path


def _packed(content: bytes, method: int) -> bytes:
    if method == ZSTANDARD:
        return zstandard.ZstdCompressor().compress(content)
    if method == DEFLATED:
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        return packer.compress(content) + packer.flush()
    return content
