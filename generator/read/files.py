"""The files of a source: names, bytes, and the hash over all that were read."""

import hashlib
from pathlib import Path

from generator.errors import Finding, Place
from generator.model.rules import finding
from generator.read.yaml_file import MAX_BYTES

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
            raw = inside(self.root, name, MAX_BYTES).read_bytes()
        except FileNotFoundError:
            self.findings.append(finding("RC001", Place(name), "a file", "nothing", remedy))
            return None
        except (OSError, Unusable) as error:
            self.findings.append(_unreadable(name, error))
            return None
        self.hashes[name] = hashlib.sha256(raw).hexdigest()
        return raw

    def hash_file(self, name: str) -> str | None:
        """The SHA-256 (hex) of a file, read as a stream; None with a finding where it cannot be read."""
        try:
            with inside(self.root, name).open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
        except (OSError, Unusable) as error:
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


class Unusable(Exception):
    """A file that is not opened. `reason` is the code, what was expected, what was found, and the remedy."""

    def __init__(self, *reason: str) -> None:
        super().__init__(*reason)
        self.reason = reason


def inside(root: Path, name: str, limit: int | None = None) -> Path:
    """The path of a file of a source that may be opened; `limit` in bytes.

    A link could lead to a key on this machine, of which a finding would quote the beginning; a pipe never ends.

    Raises
    ------
    Unusable, OSError
        With the reason.
    """
    path = (root / name).resolve(strict=True)
    if not path.is_relative_to(root.resolve()):
        raise Unusable("RC017", "a file in the source", "a link that leads out of it", "copy the file into the source")
    if not (path.is_file() or path.is_dir()):
        raise Unusable("RC017", "a file", "a device, a pipe or a socket", "write its content into a file")
    if limit is not None and (size := path.stat().st_size) > limit:
        raise Unusable("RC006", f"at most {limit} bytes", f"{size} bytes", "split the file")
    return path


def _unreadable(name: str, error: OSError | Unusable) -> Finding:
    if isinstance(error, Unusable):
        code, expected, found, remedy = error.reason
        return finding(code, Place(name), expected, found, remedy)
    found = "a folder" if isinstance(error, IsADirectoryError) else (error.strerror or "an error").lower()
    return finding("RC001", Place(name), "a file that can be read", found, "check the file and its permissions")
