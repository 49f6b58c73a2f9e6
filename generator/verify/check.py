"""The whole verification: files, published JSON with its evidence, pages."""

from pathlib import Path

from generator.verify.chart_files import check_chart_files
from generator.verify.json_files import load
from generator.verify.manifest import MANIFEST, check_manifest
from generator.verify.other_files import check_other_files
from generator.verify.published import INDEX, check_api
from generator.verify.result import VerifyResult
from generator.verify.site_pages import check_pages


class NoSite(Exception):
    """There is nothing to verify; the message is one line."""


def verify_site(root: Path, jobs: int = 1) -> VerifyResult:
    """Recompute everything that the public evidence of the site below `root` suffices for, in `jobs` processes.

    Raises
    ------
    NoSite
        `root` is no folder, or holds neither a manifest nor an index.
    """
    if not root.is_dir():
        raise NoSite(f"{root}: expected the folder of a built site, found {'a file' if root.exists() else 'nothing'}")
    if not any((root / name).is_file() for name in (MANIFEST, INDEX)):
        raise NoSite(f"{root}: expected a built site, found neither {MANIFEST} nor {INDEX}")
    result = VerifyResult()
    with result.reading(MANIFEST):
        check_manifest(root, load(root / MANIFEST), result)
    with result.reading(INDEX):
        api = check_api(root, jobs, result)
        files = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
        check_pages(root, files, api, jobs, result)
        check_other_files(root, files, api, result)
        check_chart_files(root, files, api, result)
    result.settle()
    return result
