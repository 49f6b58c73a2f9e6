"""Whether the copies that pages read in a folder are what they copy, and nothing more."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from generator.verify.json_files import within
from generator.verify.names import file_name
from generator.verify.result import VerifyResult

_FOLDER = "copies/"
_BEFORE, _AFTER = "runcite.copy(", ");\n"


def check_copies(root: Path, heads: list[dict[str, Any]], result: VerifyResult) -> None:
    """Every file that a number page may need has one copy, in the script where the page looks for it; no copy holds
    anything else. `heads` are the batch files."""
    expected = {f"{_FOLDER}metrics.js": {"api/v1/metrics.json"}}
    present = sorted(path.relative_to(root).as_posix() for path in root.glob(f"{_FOLDER}**/*") if path.is_file())
    for head in heads:
        batch = file_name(head["id"])
        runsets = {path.relative_to(root).as_posix() for path in root.glob(f"api/v1/runsets/{batch}/*.json")}
        expected[f"{_FOLDER}{batch}/head.js"] = {
            f"api/v1/batches/{batch}.json",
            f"api/v1/numbers/{batch}.json",
            *runsets,
        }
    missing = {run["evidence"] for head in heads for run in head["runs"]}
    numbered = {f"{_FOLDER}{file_name(head['id'])}/{part}.js" for head in heads for part in _parts(head, present)}
    for address in sorted(set(present) | set(expected)):
        with result.reading(address):
            copied = set(_check_script(root, address, result))
            if address in expected:
                result.compare("lists of copies", address, "files", sorted(copied), sorted(expected[address]))
            elif address not in numbered or copied - missing:
                result.differ(address, "copies", "not of evidence, in the wrong place, or twice", "evidence, once")
            missing -= copied
    for address in sorted(missing):
        result.differ(address, "a copy", "none", "one that a page in a folder can read")


def _parts(head: dict[str, Any], present: list[str]) -> Iterator[int]:
    """The parts that a page asks for: from 1, up to the first that is absent."""
    part = 1
    while f"{_FOLDER}{file_name(head['id'])}/{part}.js" in present:
        yield part
        part += 1


def _check_script(root: Path, address: str, result: VerifyResult) -> Iterator[str]:
    """The files that a script copies. It must be written as it would be from its own content, all of which is used."""
    written = (root / address).read_bytes().decode("utf-8")
    copied = json.loads(written.removeprefix(_BEFORE).removesuffix(_AFTER))
    again = f"{_BEFORE}{json.dumps(copied, ensure_ascii=False, separators=(',', ':'))}{_AFTER}"
    if written != again or copied.keys() != {"pieces", "files"}:
        result.differ(address, "form", "something besides copies", "pieces and files alone")
    used: set[int] = set()
    for path, file in copied["files"].items():
        places = [int(place) for place in file["pieces"].split(" ")]
        used.update(places)
        text = "".join(copied["pieces"][place] for place in places)
        sha256 = hashlib.sha256(within(root, path).read_bytes()).hexdigest()
        result.compare("copies", f"{address} {path}", "SHA-256 of the copy", _sha256(text), sha256)
        result.compare("copies", f"{address} {path}", "SHA-256 in its line", file["sha256"], sha256)
        if file.keys() != {"sha256", "pieces"} or file["pieces"] != " ".join(map(str, places)):
            result.differ(f"{address} {path}", "form", "something besides a copy", "sha256 and pieces alone")
        yield path
    result.compare("scripts of copies", address, "pieces that no file has", len(copied["pieces"]) - len(used), 0)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
