"""Copies for pages in a folder: scripts that hand over exactly the files they copy."""

import hashlib
import json
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from generator.publish.copies import api_copies, copy_script, evidence_copy

EVIDENCE = '{"run_id":"r-1","values":[1,2],"answer":{"text":"行情, \\"ok\\"","sha256":null}}\n'


def read(script: bytes) -> dict[str, Any]:
    """What `runcite.copy` is called with."""
    text = script.decode("utf-8")
    assert text.startswith("runcite.copy(")
    assert text.endswith(");\n")
    copied: dict[str, Any] = json.loads(text[len("runcite.copy(") : -len(");\n")])
    return copied


def files_of(copied: dict[str, Any]) -> dict[str, str]:
    return {
        address: "".join(copied["pieces"][int(place)] for place in file["pieces"].split(" "))
        for address, file in copied["files"].items()
    }


def test_files_come_back_as_they_were_with_their_hashes() -> None:
    files = {"runs/b/r-1.json": EVIDENCE.encode(), "runs/b/r-2.json": EVIDENCE.replace("r-1", "r-2").encode()}
    copied = read(copy_script(files))
    assert files_of(copied) == {address: data.decode() for address, data in files.items()}
    hashes = {address: file["sha256"] for address, file in copied["files"].items()}
    assert hashes == {address: hashlib.sha256(data).hexdigest() for address, data in files.items()}


def test_what_files_have_in_common_stands_once() -> None:
    one, two = EVIDENCE, EVIDENCE.replace("r-1", "r-2")
    pieces = read(copy_script({"1.json": one.encode(), "2.json": two.encode()}))["pieces"]
    assert len(pieces) == len(set(pieces))
    assert [piece for piece in pieces if "r-" in piece] == ['{"run_id":"r-1",', '{"run_id":"r-2",']
    assert sum("行情" in piece for piece in pieces) == 1


@settings(deadline=None, derandomize=True, database=None)
@given(st.dictionaries(st.text(min_size=1), st.text(st.characters(codec="utf-8")), min_size=1))
def test_any_text_comes_back(files: dict[str, str]) -> None:
    assert files_of(read(copy_script({address: text.encode() for address, text in files.items()}))) == files


def test_of_each_batch_there_is_what_its_numbers_rest_on(tmp_path: Path) -> None:
    api = {
        "api/v1/metrics.json": "{}",
        "api/v1/batches/ctx.json": '{"id": "ctx"}',
        "api/v1/numbers/ctx.json": "[]",
        "api/v1/runsets/ctx/0.json": "{}",
        "api/v1/runsets/ctx/f.json": '{"rs-f": ["r-1"]}',
        "api/v1/runsets/other/0.json": "{}",
        "api/v1/texts.json": "{}",
    }
    for address, text in api.items():
        (tmp_path / address).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / address).write_text(text, encoding="utf-8")
    made = {address: list(files_of(read(data))) for address, data in api_copies(tmp_path, ["ctx"])}
    assert made == {
        "copies/metrics.js": ["api/v1/metrics.json"],
        "copies/ctx/head.js": [
            "api/v1/batches/ctx.json",
            "api/v1/numbers/ctx.json",
            "api/v1/runsets/ctx/0.json",
            "api/v1/runsets/ctx/f.json",
        ],
    }


def test_parts_stand_where_the_script_of_the_pages_looks() -> None:
    assert evidence_copy("ctx-2026-11", 2) == "copies/ctx-2026-11/2.js"
