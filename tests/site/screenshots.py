"""Pictures of the five pages that readers see most, for the documentation: `python -m tests.site.screenshots SITE DIR`.

On a desk in light and dark, on a phone, on paper. A picture that is too large as PNG is written as JPEG.
"""

import shutil
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.site.conftest import ARGUMENTS, CHROMIUM
from tests.site.kinds import KINDS, Index
from tests.site.serving import serve

PAGES = {
    "home": "home",
    "result": "result, two variants",
    "number": "number, proportion",
    "evidence": "evidence, failed",
    "runs": "runs",
}
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1280, "height": 860}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 860}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"},
    "print": {"viewport": {"width": 794, "height": 1123}, "color_scheme": "light"},
}
MOST_BYTES = 150_000


def take(site: Path, folder: Path, lang: str = "en") -> list[Path]:
    """The pictures of a built site, written into a folder; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.*"):
        if old.suffix in (".png", ".jpg"):
            old.unlink()
    written = []
    index = Index(site)
    with serve(site) as root, sync_playwright() as started:
        system = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
        browser = started.chromium.launch(executable_path=system, args=ARGUMENTS)
        for look, options in LOOKS.items():
            page = browser.new_context(**options).new_page()
            page.emulate_media(media="print" if look == "print" else "screen", color_scheme=options["color_scheme"])
            for name, kind in PAGES.items():
                page.goto(root + KINDS[kind].address(index, lang))
                page.wait_for_load_state("networkidle")
                page.evaluate("() => document.getAnimations().forEach((it) => it.finish())")
                written.append(_take_one(page, folder / f"{name}-{look}"))
        browser.close()
    return written


def _take_one(page: Page, path: Path) -> Path:
    file = path.with_suffix(".png")
    if len(page.screenshot(path=file)) <= MOST_BYTES:
        return file
    file.unlink()
    file = path.with_suffix(".jpg")
    for quality in (85, 70, 55):
        if len(page.screenshot(path=file, type="jpeg", quality=quality)) <= MOST_BYTES:
            break
    return file


if __name__ == "__main__":
    for taken in take(Path(sys.argv[1]), Path(sys.argv[2])):
        sys.stdout.write(f"{taken} {taken.stat().st_size}\n")
