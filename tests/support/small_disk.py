"""Run in a mount namespace of its own: `python -m tests.support.small_disk KIND FOLDER SOURCE SITE ROOM`.

A small file system is mounted on FOLDER, the site SITE copied there, and SOURCE built over it: with KIND `full` until
ROOM bytes are written, with `readonly` not at all. Prints as JSON what the build said and what it left; after `full` it
builds again with space enough.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.whole_sites import beside, build_command, environment, snapshot

AMPLE = "size=1g"


def _mount(folder: Path, options: str) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], check=True)


def _remount(folder: Path, options: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{options}", str(folder)], check=True)


def _build(source: Path, site: Path) -> dict[str, object]:
    ran = subprocess.run(
        build_command(source, site), capture_output=True, text=True, encoding="utf-8", env=environment(), check=False
    )
    return {"code": ran.returncode, "said": ran.stderr, "site": snapshot(site), "beside": beside(site)}


def main(kind: str, folder: Path, source: Path, built: Path, room: int) -> None:
    _mount(folder, AMPLE)
    site = folder / "site"
    shutil.copytree(built, site)
    if kind == "full":
        used = shutil.disk_usage(folder).used
        _remount(folder, f"size={used + room}")
    else:
        _remount(folder, "ro")
    report = {"stopped": _build(source, site)}
    if kind == "full":
        _remount(folder, AMPLE)
        report["next"] = _build(source, site)
    print(json.dumps(report))


if __name__ == "__main__":
    kind, folder, source, built, room = sys.argv[1:]
    main(kind, Path(folder), Path(source), Path(built), int(room))
