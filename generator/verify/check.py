"""The whole verification: files, published JSON with its evidence, pages."""

from pathlib import Path

from generator.verify.json_files import load
from generator.verify.manifest import check_manifest
from generator.verify.published import check_api
from generator.verify.result import VerifyResult
from generator.verify.site_pages import check_pages


def verify_site(root: Path, jobs: int = 1) -> VerifyResult:
    """Recompute everything that the public evidence of the site below `root` suffices for, in `jobs` processes."""
    result = VerifyResult()
    with result.reading("manifest.json"):
        check_manifest(root, load(root / "manifest.json"), result)
    with result.reading("api/v1/index.json"):
        check_pages(root, check_api(root, jobs, result), jobs, result)
    result.settle()
    return result
