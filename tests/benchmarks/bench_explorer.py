"""The page of all runs with many of them: `python -m tests.benchmarks.bench_explorer SITE [RUNS]`.

SITE is any built site with a batch; a copy of it gets a batch of RUNS made-up runs (100,000 if not said) in its
explorer. Prints, from Chromium, the milliseconds until the first rows stand there, until all data have arrived, and of
a change of the filter (medians of nine), and the bytes of the data.
"""

import json
import random
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from generator.publish.explorer import FOLDER, ROWS_A_PART
from tests.site.conftest import ARGUMENTS, CHROMIUM
from tests.site.serving import serve

METRICS = ("call_relation_pass_rate", "tool_selection_accuracy", "hallucinated_tool_rate", "key_fact_presence_rate")
CHANGES: tuple[dict[str, str], ...] = (
    {"state": "FAILED"},
    {"category": "category-3"},
    {"outcome": "miss"},
    {"text": "777"},
    {"variant": "v2", "outcome": "hit"},
)


def main(site: Path, runs: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "site"
        shutil.copytree(site, copy, ignore=shutil.ignore_patterns("numbers", "copies", FOLDER.rstrip("/")))
        size = _write(copy, runs)
        system = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
        with serve(copy) as root, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=system, args=ARGUMENTS)
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            first, whole = _opened(page, f"{root}en/runs/index.html")
            print(f"runs                   {runs}")
            print(f"data                   {size / 1e6:.1f} MB")
            print(f"first rows             {first:.0f} ms")
            print(f"all data               {whole:.0f} ms")
            for change in CHANGES:
                print(f"filter {json.dumps(change):<36} {_filtered(page, change):.0f} ms")
            browser.close()


def _opened(page: Page, address: str) -> tuple[float, float]:
    page.goto(address, wait_until="commit")
    page.wait_for_function("() => document.querySelectorAll('.rc-explorer-table tbody th').length > 5")
    first = page.evaluate("performance.now()")
    page.wait_for_function(
        "() => !document.querySelector('.rc-explorer-status').textContent.includes('…')", timeout=60_000
    )
    return first, page.evaluate("performance.now()")


def _filtered(page: Page, change: dict[str, str]) -> float:
    """With the layout of the new rows, which is what a reader waits for."""
    times: list[float] = page.evaluate(
        """async (fragment) => {
          const times = [];
          for (let turn = 0; turn < 9; turn++) {
            for (const hash of ["text=none", fragment]) {
              const changed = new Promise((done) => addEventListener("hashchange", done, {once: true}));
              const start = performance.now();
              location.hash = hash;
              await changed;
              document.querySelector(".rc-explorer-rows").getBoundingClientRect();
              if (hash === fragment) times.push(performance.now() - start);
            }
          }
          return times;
        }""",
        "&".join(f"{name}={value}" for name, value in change.items()),
    )
    return statistics.median(times)


def _write(site: Path, runs: int) -> int:
    """Bytes of the data."""
    parts = -(-runs // ROWS_A_PART)
    entry = {
        "id": "made-up",
        "folder": "made-up",
        "title": {"zh": "x", "en": "x"},
        "pass_metric": METRICS[0],
        "parts": parts,
        "runs": runs,
        "variants": [{"id": f"v{n}", "name": {"zh": f"变体{n}", "en": f"Variant {n}"}} for n in range(4)],
    }
    metrics = [{"id": name, "name": {"zh": name, "en": name}, "direction": "higher"} for name in METRICS]
    scripts = {f"{FOLDER}index.js": ("explorer", {"batches": [entry], "metrics": metrics})}
    for place, part in enumerate(_parts(runs), start=1):
        scripts[f"{FOLDER}made-up/{place}.js"] = ("runs", part)
    size = 0
    for address, (call, data) in scripts.items():
        path = site / address
        path.parent.mkdir(parents=True, exist_ok=True)
        size += path.write_bytes(f"runcite.{call}({json.dumps(data, separators=(',', ':'))});\n".encode())
    return size


def _parts(runs: int) -> Iterator[dict[str, Any]]:
    draw = random.Random(20261130)
    for start in range(0, runs, ROWS_A_PART):
        rows = range(start, min(runs, start + ROWS_A_PART))
        yield {
            "batch": "made-up",
            "run": [f"made-up-{row:07}" for row in rows],
            "files": {},
            "lists": {
                "variant": [f"v{n}" for n in range(4)],
                "case": [f"case-{n:03}" for n in range(200)],
                "category": [f"category-{n}" for n in range(8)],
                "reason": ["rate_limited"],
            },
            "variant": [draw.randrange(4) for _ in rows],
            "case": [draw.randrange(200) for _ in rows],
            "category": [draw.randrange(8) for _ in rows],
            "reason": [draw.choice((-1, -1, -1, 0)) for _ in rows],
            "repeat": [row % 5 for row in rows],
            "state": "".join(draw.choice("CCCCFIX") for _ in rows),
            "outcomes": {name: "".join(draw.choice("hhmn") for _ in rows) for name in METRICS},
        }


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 100_000)
