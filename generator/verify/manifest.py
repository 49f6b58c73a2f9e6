"""Whether the files of the site are those of its manifest."""

import hashlib
from pathlib import Path
from typing import Any

from generator.verify.result import VerifyResult

MANIFEST = "manifest.json"


def check_manifest(root: Path, manifest: dict[str, Any], result: VerifyResult) -> None:
    """Every file is listed with its size and hash, every listed file is there, and the digest is that of the list."""
    listed = {entry["path"]: entry for entry in manifest["files"]}
    present = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()} - {MANIFEST}
    for address in sorted(present - set(listed)):
        result.differ(address, "a file", f"absent from {MANIFEST}", "present")
    digest = hashlib.sha256()
    for address in sorted(listed):
        if address not in present:
            result.differ(address, "a file", f"in {MANIFEST}", "absent")
            continue
        data = (root / address).read_bytes()
        sha256 = hashlib.sha256(data).hexdigest()
        result.compare("files", address, "SHA-256", listed[address]["sha256"], sha256)
        if listed[address]["bytes"] != len(data):
            result.differ(address, "size in bytes", listed[address]["bytes"], len(data))
        digest.update(f"{sha256} {address}\n".encode())
    result.compare("digests", MANIFEST, "digest", manifest["digest"], digest.hexdigest())
