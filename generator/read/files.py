"""The files of a source: names, bytes, and the hash over all that were read."""

import hashlib
from pathlib import Path

from generator.errors import Finding, Place
from generator.model.rules import finding

_NOT_YAML = (".yml", ".json", ".toml")


class Files:
    """Reads files below `root` and remembers the hash of each.

    Names are relative to the root, with forward slashes.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.hashes: dict[str, str] = {}
        self.findings: list[Finding] = []

    def read(self, name: str, remedy: str) -> bytes | None:
        """The bytes of a required file; None with a finding where it cannot be read."""
        try:
            raw = (self.root / name).read_bytes()
        except FileNotFoundError:
            self.findings.append(finding("RC001", Place(name), "a file", "nothing", remedy))
            return None
        except OSError as error:
            self.findings.append(_unreadable(name, error))
            return None
        self.hashes[name] = hashlib.sha256(raw).hexdigest()
        return raw

    def hash_file(self, name: str) -> str | None:
        """The SHA-256 (hex) of a file, read as a stream; None with a finding where it cannot be read."""
        try:
            with (self.root / name).open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            self.findings.append(_unreadable(name, error))
            return None
        self.hashes[name] = digest
        return digest

    def entries(self, folder: str) -> list[str]:
        """Names of what stands in a folder, sorted, hidden ones aside; an absent folder holds nothing."""
        path = self.root / folder
        return sorted(entry.name for entry in path.iterdir() if entry.name[0] != ".") if path.is_dir() else []

    def definitions(self, folder: str) -> list[str]:
        """Names of the definition files of a folder, sorted; an absent folder has none."""
        names = self.entries(folder)
        for name in names:
            if name.endswith(_NOT_YAML):
                place, remedy = Place(f"{folder}/{name}"), "rename the file to `.yaml`, or move it elsewhere"
                self.findings.append(finding("RC016", place, "a name that ends in .yaml", "another ending", remedy))
        return [f"{folder}/{name}" for name in names if name.endswith(".yaml")]

    def source_hash(self) -> str:
        """SHA-256 (hex) of the lines `sha256␠name`, sorted by name: of every file that was read, and nothing else."""
        lines = "".join(f"{digest} {name}\n" for name, digest in sorted(self.hashes.items()))
        return hashlib.sha256(lines.encode("utf-8", "surrogateescape")).hexdigest()


def _unreadable(name: str, error: OSError) -> Finding:
    found = "a folder" if isinstance(error, IsADirectoryError) else (error.strerror or "an error").lower()
    return finding("RC001", Place(name), "a file that can be read", found, "check the file and its permissions")
