"""`manifest.json`: every file of the site but itself, with bytes and SHA-256."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Manifest:
    """The bytes of the manifest, the digest in it, and how many files it lists."""

    data: bytes
    digest: str
    files: int


def site_files(root: Path) -> list[str]:
    """Addresses of all files of a site, sorted, without the manifest."""
    found = (path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    return sorted(address for address in found if address != MANIFEST)


def make_manifest(root: Path) -> Manifest:
    """The manifest of the files below `root`; `digest` is the SHA-256 of the lines `sha256 path`, sorted by path."""
    files = []
    lines = hashlib.sha256()
    for address in site_files(root):
        data = (root / address).read_bytes()
        sha256 = hashlib.sha256(data).hexdigest()
        files.append({"path": address, "bytes": len(data), "sha256": sha256})
        lines.update(f"{sha256} {address}\n".encode())
    manifest = {"files": files, "digest": lines.hexdigest()}
    data = (json.dumps(manifest, ensure_ascii=False, indent=1) + "\n").encode()
    return Manifest(data, lines.hexdigest(), len(files))
