"""Changes to a built site, made as somebody would who wants them to pass unnoticed."""

import hashlib
import json
import os
import re
import shutil
from html import escape
from pathlib import Path
from typing import Any

from generator.model.addresses import file_name
from generator.verify import Disagreement, verify_site
from generator.verify.published import INDEX, check_api
from generator.verify.result import VerifyResult
from tests.support.small_source import BATCH_ID

Json = Any
KeyPath = tuple[str | int, ...]
"""Keys and places that lead to a value."""

BATCH = f"api/v1/batches/{BATCH_ID}.json"
NUMBERS = f"api/v1/numbers/{BATCH_ID}.json"


def api_disagreements(root: Path) -> list[Disagreement]:
    """What is found in the published JSON and its evidence alone: enough for a damage to what the API says of them, and
    four times as fast as to read every page as well."""
    result = VerifyResult()
    with result.reading(INDEX):
        check_api(root, 1, result)
    result.settle()
    return result.disagreements


class Forged:
    """A copy of a site that shares the files that are not changed."""

    def __init__(self, site: Path, copy: Path) -> None:
        shutil.copytree(site, copy, copy_function=os.link)
        self.root = copy

    def write(self, address: str, data: bytes) -> None:
        """Put other bytes into a file, without touching those of the site it was copied from."""
        path = self.root / address
        path.unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def text(self, address: str) -> str:
        return (self.root / address).read_bytes().decode("utf-8")

    def json(self, address: str) -> Json:
        return json.loads(self.text(address))

    def write_json(self, address: str, value: Json) -> None:
        """As the product writes: keys in their order, numbers as they are read."""
        self.write(address, (json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n").encode())

    def replace(self, address: str, old: str, new: str, count: int = 1) -> None:
        text = self.text(address)
        assert old in text, f"{address} does not hold {old}"
        self.write(address, text.replace(old, new, count).encode())

    def renew(self) -> None:
        """Make everything again that anybody can make from the changed files: hashes, copies, manifest."""
        self._renew_evidence_hashes()
        self._renew_copies()
        self.renew_manifest()

    def renew_manifest(self) -> None:
        entries = []
        for path in sorted(self.root.rglob("*")):
            address = path.relative_to(self.root).as_posix()
            if path.is_file() and address != "manifest.json":
                data = path.read_bytes()
                entries.append({"path": address, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()})
        entries.sort(key=lambda entry: str(entry["path"]))
        lines = "".join(f"{entry['sha256']} {entry['path']}\n" for entry in entries)
        self.write_json("manifest.json", {"files": entries, "digest": hashlib.sha256(lines.encode()).hexdigest()})

    def _renew_evidence_hashes(self) -> None:
        """In the list of the batch file, and on the page of the run."""
        head = self.json(BATCH)
        is_changed = False
        for run in head["runs"]:
            if not (self.root / run["evidence"]).is_file():
                continue
            sha256 = hashlib.sha256((self.root / run["evidence"]).read_bytes()).hexdigest()
            if sha256 != run["sha256"]:
                if (self.root / run["page"]).is_file():
                    self.write(run["page"], self.text(run["page"]).replace(run["sha256"], sha256).encode())
                run["sha256"], is_changed = sha256, True
        if is_changed:
            self.write_json(BATCH, head)

    def _renew_copies(self) -> None:
        for script in sorted(self.root.glob("copies/**/*.js")):
            copied = json.loads(script.read_text(encoding="utf-8").removeprefix("runcite.copy(").removesuffix(");\n"))
            paths = [path for path in copied["files"] if (self.root / path).is_file()]
            if all(copied["files"][path]["sha256"] == self._sha256(path) for path in paths):
                continue
            files = {path: {"sha256": self._sha256(path), "pieces": str(place)} for place, path in enumerate(paths)}
            again = {"pieces": [self.text(path) for path in paths], "files": files}
            written = json.dumps(again, ensure_ascii=False, separators=(",", ":"))
            self.write(script.relative_to(self.root).as_posix(), f"runcite.copy({written});\n".encode())

    def _sha256(self, address: str) -> str:
        return hashlib.sha256((self.root / address).read_bytes()).hexdigest()


def evidence_of(run_id: str) -> str:
    return f"runs/{BATCH_ID}/{file_name(run_id)}.json"


def page_of(run_id: str) -> str:
    return f"runs/{BATCH_ID}/{file_name(run_id)}.html"


def number_page(name: str) -> str:
    return f"numbers/{BATCH_ID}/{name}.html"


def runset_name(run_ids: list[str]) -> str:
    return "rs-" + hashlib.sha256("\n".join(sorted(run_ids)).encode()).hexdigest()[:16]


def leaves_of(value: Json, path: KeyPath = ()) -> list[KeyPath]:
    """Every value that is no object and no list, and every list and object that is empty."""
    if isinstance(value, dict) and value:
        return [leaf for key, item in value.items() for leaf in leaves_of(item, (*path, key))]
    if isinstance(value, list) and value:
        return [leaf for place, item in enumerate(value) for leaf in leaves_of(item, (*path, place))]
    return [path]


def lists_of(value: Json, path: KeyPath = ()) -> list[KeyPath]:
    """Every list with two entries that differ."""
    if isinstance(value, dict):
        return [found for key, item in value.items() for found in lists_of(item, (*path, key))]
    if isinstance(value, list):
        below = [found for place, item in enumerate(value) for found in lists_of(item, (*path, place))]
        return ([path] if len(value) > 1 and value[0] != value[-1] else []) + below
    return []


def value_at(value: Json, path: KeyPath) -> Json:
    for key in path:
        value = value[key]
    return value


def with_value(value: Json, path: KeyPath, new: Json) -> Json:
    """`value`, changed in place."""
    if not path:
        return new
    value_at(value, path[:-1])[path[-1]] = new
    return value


def another(value: Json, turn: int) -> Json:
    """A value of the same kind that says something else."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1 + turn % 3
    if isinstance(value, float):
        return value * 1.01 if value else 0.01
    if isinstance(value, str) and value:
        return another_text(value, turn)
    return "x" if not isinstance(value, list | dict) else [1]


def another_text(text: str, turn: int) -> str:
    """With one letter or digit, at a place that `turn` chooses, changed into another one."""
    places = [place for place, character in enumerate(text) if character.isalnum()]
    if not places:
        return text + "x"
    place = places[turn % len(places)]
    old = text[place]
    new = str((int(old) + 1) % 10) if old.isascii() and old.isdigit() else ("q" if old != "q" else "k")
    return text[:place] + new + text[place + 1 :]


_TEXT = re.compile(r">([^<>]*[^\W_][^<>]*)<")


def texts_of(html: str) -> list[tuple[int, int]]:
    """Where the texts of the main content begin and end."""
    start = html.index("<main")
    end = html.index("</main>")
    return [match.span(1) for match in _TEXT.finditer(html, start, end)]


def escaped(text: str) -> str:
    return escape(text, quote=False)


def places(forged: Forged) -> set[str]:
    """Where verification finds something once all hashes are renewed."""
    forged.renew()
    return {disagreement.place for disagreement in verify_site(forged.root).disagreements}


def api_places(forged: Forged) -> set[str]:
    """As `places`, in the published JSON alone."""
    forged.renew()
    return {disagreement.place for disagreement in api_disagreements(forged.root)}
