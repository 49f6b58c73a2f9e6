"""A source that a recorder begins in a folder where there is none."""

from collections.abc import Mapping
from pathlib import Path

from generator.errors import Finding, SiteError
from generator.source.init import init_source
from generator.source.yaml_file import replace_file

_PUBLICATION = "publication.yaml"
_FIRST_LEVEL = "  min_valid_per_group: 5\n"


def begin_source(root: Path, levels: Mapping[str, float]) -> list[Finding]:
    """Make a source in `root` unless there is one, with the levels (theta, alpha, …) of its publication.

    Raises
    ------
    SiteError
        The folder cannot be written.
    """
    path = root / _PUBLICATION
    if path.exists():
        return []
    findings = init_source(root)
    if findings or not levels:
        return findings
    text = path.read_text(encoding="utf-8")
    wanted = {"min_valid_per_group": 5, **levels}
    lines = "".join(f"  {name}: {value}\n" for name, value in wanted.items())
    try:
        replace_file(path, text.replace(_FIRST_LEVEL, lines).encode())
    except OSError as error:
        raise SiteError(f"{root}: the source could not be written ({error.strerror})") from error
    return []
