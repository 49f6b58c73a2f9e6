"""`copies/`: what the button of a number page reads where a page may read no file by itself, in a folder.

A browser lets a page that was opened from a folder load scripts beside it, and nothing else. So each copy is a script
that hands over files with their lines of the manifest. Texts are cut at the commas of JSON and each piece stands once:
evidence repeats most of what it says, and copies take a third of the files that they copy. Reasons and figures:
docs/decisions/copies-for-folders.md.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from generator.model.addresses import file_name

FOLDER = "copies/"
_CUT = re.compile(r'(?<=[,\[ ])(?=["{\d])')


def copy_script(files: Mapping[str, bytes]) -> bytes:
    """The script with the files of these addresses; the same for the same files.

    It calls `runcite.copy({"pieces": […], "files": {address: {"sha256": …, "pieces": "0 7 1"}}})`; the text of a file
    is its pieces joined, frequent ones first in the list.
    """
    cut = {address: _CUT.split(data.decode("utf-8")) for address, data in files.items()}
    frequency = Counter(piece for pieces in cut.values() for piece in pieces)
    places = {piece: str(place) for place, (piece, _) in enumerate(frequency.most_common())}
    copied = {
        "pieces": list(places),
        "files": {
            address: {
                "sha256": hashlib.sha256(files[address]).hexdigest(),
                "pieces": " ".join(places[piece] for piece in pieces),
            }
            for address, pieces in cut.items()
        },
    }
    return f"runcite.copy({json.dumps(copied, ensure_ascii=False, separators=(',', ':'))});\n".encode()


def api_copies(root: Path, batches: list[str]) -> Iterator[tuple[str, bytes]]:
    """Address and bytes of the copies of the API below `root`: the metric table, and of each batch what a number of it
    rests on besides evidence."""
    yield f"{FOLDER}metrics.js", _copied(root, ["api/v1/metrics.json"])
    for batch in map(file_name, batches):
        runsets = sorted(path.relative_to(root).as_posix() for path in root.glob(f"api/v1/runsets/{batch}/*.json"))
        own = [f"api/v1/batches/{batch}.json", f"api/v1/numbers/{batch}.json", *runsets]
        yield f"{FOLDER}{batch}/head.js", _copied(root, own)


def evidence_copy(batch: str, part: int) -> str:
    """Address of the copies of some runs' evidence. Parts count from 1 and leave none out: a page asks for one after
    another."""
    return f"{FOLDER}{file_name(batch)}/{part}.js"


def _copied(root: Path, addresses: list[str]) -> bytes:
    return copy_script({address: (root / address).read_bytes() for address in addresses})
