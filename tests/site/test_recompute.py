"""The button of a number page counts the number again, says so, and names what does not agree."""

import hashlib
import json
import shutil
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from tests.site.kinds import NUMBERS
from tests.site.serving import serve
from tests.site.visiting import Origin, Served, Visitor

RECOMPUTED = [kind.name for kind in NUMBERS]
SECTION = ".st-recompute"


def press(page: Page) -> Locator:
    """Press the button; the section when the result stands there."""
    section = page.locator(SECTION)
    section.locator("button").click()
    page.wait_for_function(
        f"() => document.querySelector('{SECTION} [role=status]').textContent.match(/[✓✗]/)", timeout=30_000
    )
    return section


def table(section: Locator) -> list[list[str]]:
    """Published, recomputed and whether they agree, row by row."""
    return [
        [" ".join(cell.split()) for cell in row.locator("th, td").all_inner_texts()]
        for row in section.locator("tbody tr").all()
    ]


@pytest.mark.parametrize(
    ("kind", "origin"),
    [*product(RECOMPUTED, ("http", "file")), ("number, proportion", "subpath")],
)
def test_every_kind_of_number_agrees(visit: Visitor, kind: str, origin: Origin) -> None:
    page, problems = visit.open(kind, "en", origin)
    section = press(page)
    assert section.locator("[role=status]").inner_text() == "✓ It agrees: this browser counted the same."
    assert all(row[-1] == "✓ agrees" and row[1] == row[2] for row in table(section))
    assert "another: 0." in section.inner_text()
    assert problems.all == []


def test_it_says_what_was_counted(visit: Visitor, sample: Served) -> None:
    page, _ = visit.open("number, proportion", "en")
    address = sample.address("number, proportion").removeprefix(sample.http)
    number = next(number for number in sample.index.numbers if number["page"] == address)
    section = press(page)
    shown = page.locator(".st-big .num").inner_text().split()[0]
    rows = {row[0]: row[1:] for row in table(section)}
    assert rows.pop("value") == [shown, shown, "✓ agrees"]
    assert rows.pop("as printed on this page") == [shown, shown, "✓ agrees"]
    counted = {str(number["numerator"]), str(number["denominator"])}
    assert {row[0] for name, row in rows.items() if name.startswith(("in the numerator", "denominator"))} == counted
    excluded = [str(it["count"]) for it in number["excluded"].values()]
    assert [row[0] for name, row in rows.items() if not name.startswith(("in the", "denom"))] == excluded
    # The numbers, the metric table, the batch and at least one file of run sets, besides the evidence of the runs.
    runs = number["denominator"] + sum(it["count"] for it in number["excluded"].values())
    said = section.locator(".st-result").inner_text()
    files = int(said.split("Files read: ")[1].split(".")[0])
    assert runs + 4 <= files <= runs + 3 + 16
    assert f"SHA-256 as in the manifest: {files}, another: 0." in said
    assert "What it does not show: who made the runs" in said


def test_both_languages_and_the_keyboard(visit: Visitor) -> None:
    page, problems = visit.open("number, quantile")
    section = page.locator(SECTION)
    section.locator("button").focus()
    page.keyboard.press("Enter")
    page.wait_for_function(f"() => document.querySelector('{SECTION} [role=status]').textContent.includes('✓')")
    assert section.locator("[role=status]").inner_text() == "✓ 一致：这个浏览器数出来的结果相同。"
    assert page.evaluate("document.activeElement.tagName") == "BUTTON"
    assert section.locator("progress").is_hidden()
    assert section.locator("[lang=en]:visible").count() == 0
    page.evaluate("location.hash = '#en'")
    assert "What it does not show" in section.inner_text()
    assert section.locator("[lang=zh-CN]:visible").count() == 0
    assert problems.all == []


def test_without_scripts_there_is_no_button(visit: Visitor) -> None:
    page, _ = visit.open("number, proportion", java_script_enabled=False)
    assert page.locator(f"{SECTION} button").is_hidden()


def test_plain_http_has_its_own_sha256(visit: Visitor) -> None:
    """A page from plain http is given no cryptography; the hashes are the same."""
    page, problems = visit.open("number, case", "en")
    page.evaluate("Object.defineProperty(Crypto.prototype, 'subtle', {get: () => undefined})")
    assert "✓" in press(page).locator("[role=status]").inner_text()
    for length in (0, 1, 55, 56, 63, 64, 65, 1000):
        data = bytes((7 * place) % 256 for place in range(length))
        own = page.evaluate("data => runcite.files.ownSha256(Uint8Array.from(data))", list(data))
        assert own == hashlib.sha256(data).hexdigest()
    assert problems.all == []


def test_the_arithmetic_is_exact(visit: Visitor) -> None:
    page, _ = visit.open("number, proportion")
    press(page)
    quantile = """([values, p]) => runcite.count.valueText(runcite.count.recount(
      {metric: "m"}, {id: "m", aggregate: "quantile", p}, {},
      values.map((value, place) => (
        {run_id: String(place), validity: "valid", assertions: {m: {outcome: "value", value}}}
      )),
    ).value, {unit: "ms", decimals: 3}, false)"""
    # h = (n − 1)·p: rank 2.7 of 1, 2, 3, 10 is 3 + 0.7 · 7 = 7.9, of 0.1 … 0.4 between the third and the fourth.
    assert page.evaluate(quantile, [[10, 3, 1, 2], 0.9]) == "7.900"
    assert page.evaluate(quantile, [[0.1, 0.2, 0.3, 0.4], 0.9]) == "0.370"
    assert page.evaluate(quantile, [[7], 0.95]) == "7.000"
    text = "([n, decimals, unit, apart]) => runcite.count.valueText(runcite.count.exact(n), {unit, decimals}, apart)"
    for given, shown in [
        ([2.5, 0, "turns", False], "3"),
        ([-2.5, 0, "turns", True], "\u22123"),
        ([0.0005, 1, "ratio", True], "+0.1"),
        ([-0.0004, 1, "ratio", True], "0.0"),
        ([1234567.5, 0, "ms", False], "1,234,568"),
        ([8.64e-7, 7, "usd", False], "$0.0000009"),
        ([0.545, 1, "ratio", False], "54.5%"),
    ]:
        assert page.evaluate(text, given) == shown


def _copy(sample: Served, number: str, site: Path) -> None:
    """What the recomputation of one number reads."""
    batch = number.split("/")[0]
    for folder in ("assets", f"runs/{batch}", "api/v1", f"copies/{batch}"):
        shutil.copytree(sample.root / folder, site / folder, ignore=shutil.ignore_patterns("lists", "*.html"))
    for file in ("404.html", "manifest.json", "copies/metrics.js", f"numbers/{number}.html"):
        (site / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(sample.root / file, site / file)


@pytest.fixture
def number(sample: Served) -> dict[str, Any]:
    """A proportion of a case with hits."""
    return next(number for number in sample.index.numbers if "--case-" in number["id"] and number["numerator"] > 1)


@pytest.fixture
def damaged(sample: Served, number: dict[str, Any], tmp_path: Path) -> Path:
    _copy(sample, number["id"], tmp_path / "site")
    return tmp_path / "site"


def _run_of(site: Path, number: dict[str, Any]) -> tuple[str, Path]:
    """The first run that the number counts as a hit, and its evidence."""
    name = number["numerator_runset"]
    run = json.loads((site / f"api/v1/runsets/{number['batch']}/{name[3]}.json").read_bytes())[name][0]
    return run, site / f"runs/{number['batch']}/{run}.json"


def _turn(path: Path, metric: str) -> bytes:
    """The outcome of a metric in an evidence file from hit to miss."""
    evidence = path.read_text(encoding="utf-8")
    before = f'"{metric}":{{"outcome":"hit"'
    assert evidence.count(before) == 1
    return evidence.replace(before, before.replace("hit", "miss")).encode()


def _problems(visit: Visitor, site: Path, number: dict[str, Any]) -> str:
    with serve(site) as root:
        page, problems = visit.elsewhere(f"{root}{number['page']}#en", root)
        said = press(page).inner_text()
        assert problems.console == [] or "404" in problems.console[0]
    return said


def test_changed_evidence_is_reported_with_its_run(visit: Visitor, damaged: Path, number: dict[str, Any]) -> None:
    run, path = _run_of(damaged, number)
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    path.write_bytes(_turn(path, number["metric"]))
    after = hashlib.sha256(path.read_bytes()).hexdigest()
    said = _problems(visit, damaged, number)
    assert said.split("\n\n")[0].startswith("Recompute in your browser")
    assert "✗ It does not agree." in said
    changed = f"{run}: the file runs/{number['batch']}/{run}.json was changed."
    assert f"{changed} SHA-256 in the manifest: {before}. Of the file: {after}" in said
    assert f"{run}: published as “in the numerator (hits)”, but its evidence does not say so" in said
    hits, n = number["numerator"], number["denominator"]
    assert f"in the numerator (hits): published {hits}, recomputed {hits - 1}" in said
    expected = f"published value {number['value']}"
    assert (expected if number["value"] != 1 else "published value 1") in said
    assert "another: 1." in said
    assert f"denominator\t{n}\t{n}\t✓ agrees" in said


def test_a_careful_forger_is_found_by_recounting(visit: Visitor, damaged: Path, number: dict[str, Any]) -> None:
    """With the manifest renewed, hashes agree; the count does not."""
    run, path = _run_of(damaged, number)
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    path.write_bytes(_turn(path, number["metric"]))
    manifest = (damaged / "manifest.json").read_text(encoding="utf-8")
    renewed = manifest.replace(before, hashlib.sha256(path.read_bytes()).hexdigest())
    (damaged / "manifest.json").write_text(renewed, encoding="utf-8")
    said = _problems(visit, damaged, number)
    # The value, the text on the page, the numerator, the run.
    assert "✗ It does not agree. Disagreements: 4" in said
    assert "another: 0." in said
    assert f"{run}: published as “in the numerator (hits)”" in said


def test_a_missing_file_is_named(visit: Visitor, damaged: Path, number: dict[str, Any]) -> None:
    run, path = _run_of(damaged, number)
    path.unlink()
    assert f"{run}: the file runs/{number['batch']}/{run}.json is missing" in _problems(visit, damaged, number)


def test_without_the_numbers_it_stops_and_says_why(visit: Visitor, damaged: Path, number: dict[str, Any]) -> None:
    (damaged / f"api/v1/numbers/{number['batch']}.json").write_text("[{", encoding="utf-8")
    said = _problems(visit, damaged, number)
    assert f"✗ the file api/v1/numbers/{number['batch']}.json is not JSON:" in said


def test_a_changed_run_set_is_found(visit: Visitor, damaged: Path, number: dict[str, Any]) -> None:
    name = number["runset"]
    path = damaged / f"api/v1/runsets/{number['batch']}/{name[3]}.json"
    sets = json.loads(path.read_bytes())
    lost = sets[name].pop()
    path.write_text(json.dumps(sets), encoding="utf-8")
    said = _problems(visit, damaged, number)
    assert f"the name of the run set {name} is not the hash of its content" in said
    assert f"{lost}: its evidence says “denominator”, but the published run set lacks it" in said


def test_a_changed_copy_is_found_in_a_folder(visit: Visitor, damaged: Path, number: dict[str, Any]) -> None:
    for path in sorted((damaged / f"copies/{number['batch']}").glob("[0-9]*.js")):
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace('"outcome\\":\\"hit', '"outcome\\":\\"miss'), encoding="utf-8")
    root = damaged.as_uri() + "/"
    page, problems = visit.elsewhere(f"{root}{number['page']}#en", root)
    said = press(page).inner_text()
    run, _ = _run_of(damaged, number)
    assert f"{run}: the file runs/{number['batch']}/{run}.json was changed." in said
    assert "recomputed 0" in said
    assert problems.all == []


def test_a_copy_that_is_missing_is_named(visit: Visitor, damaged: Path, number: dict[str, Any]) -> None:
    (damaged / f"copies/{number['batch']}/head.js").unlink()
    root = damaged.as_uri() + "/"
    page, _ = visit.elsewhere(f"{root}{number['page']}#en", root)
    assert f"✗ the file copies/{number['batch']}/head.js is missing" in press(page).inner_text()


def test_the_whole_batch_agrees(visit: Visitor, sample: Served) -> None:
    """Every number of a batch, by the scripts of one page; what is derived from several numbers is left to the
    verifier."""
    page, _ = visit.open("number, proportion", "en")
    press(page)
    batch = sample.index.batches[-1]
    numbers = sample.index.load(batch["numbers"])
    ids = [number["id"] for number in numbers]
    derived = [number["id"] for number in numbers if sample.index.aggregates[number["metric"]] == "derived"]
    left, wrong = page.evaluate(
        """async (ids) => {
          const files = new runcite.files.Files(runcite.root, ids[0].split("/")[0]);
          const [left, wrong] = [[], []];
          for (const id of ids) {
            const recomputation = new runcite.Recomputation(id, files, () => {});
            recomputation.shown = () => {};
            if (!(await recomputation.all())) left.push(id);
            if (recomputation.differences.length) wrong.push(id);
          }
          return [left, [...wrong, ...files.changed]];
        }""",
        ids,
    )
    assert len(ids) > 200
    assert wrong == []
    assert left == derived
