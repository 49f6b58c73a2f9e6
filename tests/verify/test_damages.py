"""What somebody changes in a built site is found and its place named, though hashes, copies, manifest are renewed."""

import itertools
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from generator.verify import Disagreement, verify_site
from tests.support.small_source import BATCH_ID
from tests.verify.forging import BATCH, NUMBERS, Forged, evidence_of, number_page, page_of, runset_name

PASS_RATE = f"{BATCH_ID}/full/call_relation_pass_rate"
RESULT = f"experiments/context-strategy-comparison/{BATCH_ID}.html"


@pytest.fixture
def forged(small_site: Path, tmp_path: Path) -> Forged:
    return Forged(small_site, tmp_path / "site")


def _found(forged: Forged) -> list[Disagreement]:
    return verify_site(forged.root).disagreements


def _places(forged: Forged, *, renew: bool = True) -> set[str]:
    if renew:
        forged.renew()
    return {disagreement.place for disagreement in _found(forged)}


def _runs(forged: Forged, outcome: str, metric: str = "call_relation_pass_rate") -> Iterator[str]:
    """Runs of the baseline with that outcome."""
    for run in forged.json(BATCH)["runs"]:
        evidence = forged.json(run["evidence"])
        assertion = evidence["assertions"].get(metric, {"outcome": None})
        if run["variant"] == "full" and assertion["outcome"] == outcome:
            yield run["run_id"]


def test_renewing_what_was_not_changed_changes_nothing(forged: Forged) -> None:
    assert _places(forged) == set()


def test_one_byte(forged: Forged) -> None:
    forged.replace("assets/stamped.css", "a", "b")
    assert _places(forged, renew=False) == {"assets/stamped.css", "manifest.json"}


@pytest.mark.parametrize(
    ("old", "new"),
    [("72.7%", "73.7%"), (" 8/11", " 9/11"), (">72.7%<", ">72.7<"), ("[43.4", "[44.4")],
    ids=["value", "count", "unit", "interval"],
)
def test_one_digit_on_a_page(forged: Forged, old: str, new: str) -> None:
    # full: 8 of 11, Wilson [43.4, 90.3]
    pages = ("index.html", "en/index.html", RESULT, number_page("full/call_relation_pass_rate"))
    for address in pages:
        forged.replace(address, old, new)
    assert set(pages) <= _places(forged)


def test_one_outcome_in_an_evidence_file(forged: Forged) -> None:
    run_id = next(_runs(forged, "hit"))
    evidence = forged.json(evidence_of(run_id))
    evidence["assertions"]["call_relation_pass_rate"]["outcome"] = "miss"
    forged.write_json(evidence_of(run_id), evidence)
    places = _places(forged)
    assert {f"{evidence_of(run_id)} call_relation_pass_rate", PASS_RATE, page_of(run_id)} <= places


def test_an_outcome_with_the_detail_that_decides_it(forged: Forged) -> None:
    """Nothing in the evidence contradicts it; the numbers and the page do."""
    run_id = next(_runs(forged, "miss", "hallucinated_tool_rate"))
    evidence = forged.json(evidence_of(run_id))
    tool = next(step["tool"] for step in evidence["trace"] if step["kind"] == "tool")
    calls = [step["tool"] for step in evidence["trace"] if step["kind"] == "tool"]
    detail = {"unknown": [tool], "unknown_calls": calls.count(tool), "calls": len(calls)}
    evidence["assertions"]["hallucinated_tool_rate"] |= {"outcome": "hit", "detail": detail}
    cause = {"layer": "hallucinated_tool_rate", "metric": "hallucinated_tool_rate", "entries": [tool]}
    evidence["attribution"].append(cause)
    forged.write_json(evidence_of(run_id), evidence)
    assert {f"{BATCH_ID}/full/hallucinated_tool_rate", page_of(run_id)} <= _places(forged)


def test_two_runs_change_places(forged: Forged) -> None:
    hit, miss = next(_runs(forged, "hit")), next(_runs(forged, "miss"))
    one, other = forged.text(evidence_of(hit)), forged.text(evidence_of(miss))
    forged.write(evidence_of(hit), other.encode())
    forged.write(evidence_of(miss), one.encode())
    assert {evidence_of(hit), evidence_of(miss)} <= _places(forged)


def test_two_runs_change_places_in_the_sets_of_a_number(forged: Forged) -> None:
    """Counts stay, and the set has the name of its content."""
    hit, miss = next(_runs(forged, "hit")), next(_runs(forged, "miss"))
    numbers = forged.json(NUMBERS)
    number = next(number for number in numbers if number["id"] == PASS_RATE)
    runs = forged.json(f"api/v1/runsets/{BATCH_ID}/{number['numerator_runset'][3]}.json")[number["numerator_runset"]]
    assert hit in runs
    _publish_set(forged, number, "numerator_runset", sorted({*runs, miss} - {hit}))
    forged.write_json(NUMBERS, numbers)
    assert PASS_RATE in _places(forged)


def test_a_run_is_dropped_from_a_set(forged: Forged) -> None:
    numbers = forged.json(NUMBERS)
    number = next(number for number in numbers if number["id"] == PASS_RATE)
    runs = forged.json(f"api/v1/runsets/{BATCH_ID}/{number['runset'][3]}.json")[number["runset"]]
    miss = next(_runs(forged, "miss"))
    _publish_set(forged, number, "runset", [run for run in runs if run != miss])
    number |= {"denominator": 10, "value": 0.8}
    forged.write_json(NUMBERS, numbers)
    assert PASS_RATE in _places(forged)


def test_a_run_is_dropped_from_a_set_that_keeps_its_name(forged: Forged) -> None:
    address = next(
        path.relative_to(forged.root).as_posix()
        for path in sorted((forged.root / f"api/v1/runsets/{BATCH_ID}").glob("*.json"))
        if any(len(runs) > 1 for runs in json.loads(path.read_bytes()).values())
    )
    sets = forged.json(address)
    name = next(name for name, runs in sets.items() if len(runs) > 1)
    sets[name] = sets[name][1:]
    forged.write_json(address, sets)
    assert f"run set {name}" in _places(forged)


def _publish_set(forged: Forged, number: dict[str, object], field: str, runs: list[str]) -> None:
    name = runset_name(runs)
    address = f"api/v1/runsets/{BATCH_ID}/{name[3]}.json"
    sets = forged.json(address) if (forged.root / address).is_file() else {}
    forged.write_json(address, dict(sorted((sets | {name: runs}).items())))
    number[field] = name


def test_the_sum_stays_and_the_distribution_changes(forged: Forged) -> None:
    """The mean of the tokens is the same; each of the two runs shows what it had."""
    changed = list(itertools.islice(_runs(forged, "hit"), 2))
    for run_id, more in zip(changed, (1, -1), strict=True):
        evidence = forged.json(evidence_of(run_id))
        evidence["telemetry"]["usage"]["prompt_tokens"] += more
        evidence["assertions"]["avg_tokens"]["value"] += more
        evidence["assertions"]["avg_tokens"]["detail"]["prompt_tokens"] += more
        forged.write_json(evidence_of(run_id), evidence)
    assert set(map(page_of, changed)) <= _places(forged)


def test_the_durations_of_two_runs_change_and_their_sum_does_not(forged: Forged) -> None:
    runs = [run["run_id"] for run in forged.json(BATCH)["runs"] if run["variant"] == "full"]
    timed = {run: forged.json(evidence_of(run)) for run in runs}
    by_time = sorted(
        (run for run in runs if timed[run]["telemetry"].get("timing")),
        key=lambda run: timed[run]["telemetry"]["timing"]["duration_ms"],
    )
    for run_id, more in ((by_time[0], -50), (by_time[-1], 50)):
        evidence = timed[run_id]
        evidence["telemetry"]["timing"]["duration_ms"] += more
        for metric in ("duration_p50", "duration_p95"):
            if metric in evidence["assertions"]:
                evidence["assertions"][metric]["value"] += more
        forged.write_json(evidence_of(run_id), evidence)
    assert {f"{BATCH_ID}/full/duration_p95", page_of(by_time[-1])} <= _places(forged)


ADDED = {
    "an inline script": "<script>alert(1)</script>",
    "a script from elsewhere": '<script src="https://example.org/x.js"></script>',
    "a link to another host": '<a href="https://example.org/">x</a>',
    "a link without a scheme": '<a href="//example.org/">x</a>',
    "a link that runs": '<a href="javascript:alert(1)">x</a>',
    "an event handler": '<p onclick="alert(1)">…</p>',
    "an image from elsewhere": '<img src="https://example.org/x.png" alt="">',
    "one of several images": '<img srcset="https://example.org/x.png 2x" alt="">',
    "a poster": '<video poster="https://example.org/x.png"></video>',
    "a form": '<form action="https://example.org/"></form>',
    "a button": '<button formaction="https://example.org/">…</button>',
    "an image in a drawing": '<svg><image xlink:href="https://example.org/x.png"/></svg>',
    "a style": '<p style="background: url(https://example.org/x.png)">…</p>',
    "a style sheet in the page": "<style>@import 'x.css';</style>",
    "another policy": '<meta http-equiv="Content-Security-Policy" content="script-src *">',
    "a page that moves on": '<meta http-equiv="refresh" content="0;url=https://example.org/">',
    "a frame": '<iframe src="index.html"></iframe>',
    "a base": '<base href="https://example.org/">',
    "a number that names none": '<a class="num" href="index.html">…</a>',
    "a number of no kind": '<a class="num" data-num="x/y/z" href="index.html">99.9%</a>',
    "a loose quantity": "<p>99.9%</p>",
    "a loose quantity in a header": "<header>99.9%</header>",
    "a loose quantity in navigation": "<nav>99.9%</nav>",
    "a loose quantity in a text of an attribute": '<p title="99.9%">…</p>',
    "a label of a chart outside of one": '<p class="axis">99.9%</p>',
    "a broken link": '<a href="nowhere.html">x</a>',
    "a broken fragment": '<a href="#nowhere">x</a>',
    "an element that is not closed": '<span class="ref">',
    "an end without a beginning": "</div>",
}


@pytest.mark.parametrize("folder", ["numbers", "runs"])
def test_what_is_added_to_pages(forged: Forged, folder: str) -> None:
    """Each to a page of its own."""
    pages = sorted(path.relative_to(forged.root).as_posix() for path in (forged.root / folder).glob("**/*.html"))
    changed = dict(zip(pages, ADDED.items(), strict=False))
    for address, (_, added) in changed.items():
        forged.replace(address, "</main>", f"{added}</main>")
    places = _places(forged)
    assert [name for address, (name, _) in changed.items() if address not in places] == []


@pytest.mark.parametrize("name", ["an inline script", "a link to another host", "a loose quantity"])
def test_what_is_added_to_a_page_for_readers(forged: Forged, name: str) -> None:
    pages = ("index.html", "en/index.html", RESULT, "metrics.html", "experiments/index.html")
    for address in pages:
        forged.replace(address, "</main>", f"{ADDED[name]}</main>")
    assert set(pages) <= _places(forged)


def test_a_quantity_before_and_behind_the_content(forged: Forged) -> None:
    for place, end in (("index.html", "</footer>"), ("methods.html", "</header>")):
        forged.replace(place, end, f"99.9%{end}")
    assert {"index.html", "methods.html"} <= _places(forged)


def _shown_number(forged: Forged, address: str, number: str = PASS_RATE) -> str:
    match = re.search(rf'<a class="num" data-num="{number}" href="[^"]*">[^<]*', forged.text(address))
    assert match is not None
    return match[0]


CHANGED: dict[str, Callable[[str], str]] = {
    "leads to another number": lambda shown: shown.replace(".html", "/../runs_valid.html"),
    "is of another number": lambda shown: shown.replace("tool_selection_accuracy", "call_relation_pass_rate", 1),
    "has a part that no number has": lambda shown: shown + '<span data-part="note"> more</span>',
    "passes for a reference": lambda shown: shown.replace('class="num" data-num', 'class="ref" data-was'),
}


@pytest.mark.parametrize("name", CHANGED)
def test_a_number_that(forged: Forged, name: str) -> None:
    # Its value is no configured one: a reference may say those.
    shown = _shown_number(forged, RESULT, f"{BATCH_ID}/full/tool_selection_accuracy")
    changed = CHANGED[name](shown)
    assert changed != shown
    forged.replace(RESULT, shown, changed)
    assert RESULT in _places(forged)


def test_the_policy_is_weakened_or_gone(forged: Forged) -> None:
    forged.replace("index.html", "default-src 'none'", "default-src *")
    page = page_of(f"{BATCH_ID}-0001")
    text = forged.text(page)
    forged.write(page, re.sub(r"<meta http-equiv[^>]*>", "", text).encode())
    assert {"index.html", page} <= _places(forged)


def test_a_script_of_the_theme_on_a_page_that_has_none(forged: Forged) -> None:
    script = re.search(r"<script>.*?</script>", forged.text("404.html"), re.DOTALL)
    assert script is not None
    page = page_of(f"{BATCH_ID}-0001")
    forged.replace(page, "</main>", f"{script[0]}</main>")
    assert page in _places(forged)


def test_a_style_sheet_that_loads(forged: Forged) -> None:
    forged.replace("assets/stamped.css", "{", "{background:url(https://example.org/x.png);")
    forged.replace("assets/runcite.css", "{", "{background:url(missing.png);")
    forged.write("assets/tokens.css", b"@import 'stamped.css';\n" + (forged.root / "assets/tokens.css").read_bytes())
    assert {f"assets/{name}.css" for name in ("stamped", "runcite", "tokens")} <= _places(forged)


def test_a_picture_that_runs(forged: Forged) -> None:
    forged.replace("assets/logo.svg", "</svg>", "<script>alert(1)</script></svg>")
    forged.replace("assets/favicon.svg", "<svg", '<svg onload="alert(1)"')
    assert {"assets/logo.svg", "assets/favicon.svg"} <= _places(forged)


def test_the_search_finds_what_no_page_says(forged: Forged) -> None:
    forged.replace("en/search/search_index.json", "72.7%", "92.7%")
    assert _places(forged) == {"en/search/search_index.json"}


@pytest.mark.parametrize("address", ["api/v1/extra.json", f"runs/{BATCH_ID}/extra.json", f"runs/{BATCH_ID}/extra.html"])
def test_a_file_that_nothing_names(forged: Forged, address: str) -> None:
    source = page_of(f"{BATCH_ID}-0001") if address.endswith(".html") else evidence_of(f"{BATCH_ID}-0001")
    forged.write(address, (forged.root / source).read_bytes())
    assert address in _places(forged)


@pytest.mark.parametrize(
    ("address", "copied"),
    [
        ("more.html", "methods.html"),
        ("en/more.html", "en/methods.html"),
        ("en/404.html", "en/methods.html"),
        ("experiments/more.html", "experiments/context-strategy-comparison.html"),
        ("en/experiments/context-strategy-comparison/more.html", f"en/{RESULT}"),
    ],
)
def test_a_page_for_readers_that_nothing_names(forged: Forged, address: str, copied: str) -> None:
    forged.write(address, (forged.root / copied).read_bytes())
    assert _places(forged) == {address}


def test_a_file_outside_the_manifest_and_one_that_is_gone(forged: Forged) -> None:
    forged.write("extra.txt", b"x")
    (forged.root / "assets/tables.js").unlink()
    assert {"extra.txt", "assets/tables.js"} <= _places(forged, renew=False)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("field", ["withdrawn", "thresholds", "address", "batches"])
def test_a_field_of_the_index_is_gone(forged: Forged, field: str, jobs: int) -> None:
    """Whichever process needs it: no traceback."""
    index = forged.json("api/v1/index.json")
    del index[field]
    forged.write_json("api/v1/index.json", index)
    forged.renew()
    assert "api/v1/index.json" in {found.place for found in verify_site(forged.root, jobs).disagreements}


@pytest.mark.parametrize("gone", [page_of(f"{BATCH_ID}-0001"), evidence_of(f"{BATCH_ID}-0001"), NUMBERS])
def test_a_file_that_must_be_there_is_gone(forged: Forged, gone: str) -> None:
    (forged.root / gone).unlink()
    assert gone in _places(forged)


def test_a_run_is_left_out_of_the_batch_with_its_evidence(forged: Forged) -> None:
    head = forged.json(BATCH)
    gone = head["runs"].pop(3)
    forged.write_json(BATCH, head)
    for address in (gone["evidence"], gone["page"]):
        (forged.root / address).unlink()
    places = _places(forged)
    assert BATCH in places
    assert number_page("full/runs_planned") in places or number_page("budgeted/runs_planned") in places


def test_two_categories_change_places(forged: Forged) -> None:
    head = forged.json(BATCH)
    head["categories"].reverse()
    forged.write_json(BATCH, head)
    assert f"numbers of {BATCH_ID}" in _places(forged)


def test_a_run_is_left_out_of_a_page(forged: Forged) -> None:
    for address in (number_page("full/call_relation_pass_rate"), f"runs/{BATCH_ID}/lists/full-1.html"):
        text = forged.text(address)
        row = next(row for row in re.findall(r"<tr>\s*<td.*?</tr>\n?", text, re.DOTALL) if f"{BATCH_ID}-" in row)
        forged.write(address, text.replace(row, "", 1).encode())
        assert address in _places(forged)


def test_a_run_is_said_to_have_passed(forged: Forged) -> None:
    miss = next(_runs(forged, "miss"))
    for address in (page_of(miss), number_page("full/call_relation_pass_rate"), f"runs/{BATCH_ID}/lists/full-1.html"):
        forged.replace(address, '未达成</span><span lang="en">not met', '达成</span><span lang="en">met')
        assert address in _places(forged)


def test_a_field_outside_the_whitelist(forged: Forged) -> None:
    address = evidence_of(f"{BATCH_ID}-0001")
    evidence = forged.json(address)
    evidence["telemetry"]["account"] = "a-1"
    forged.write_json(address, evidence)
    assert address in _places(forged)


def test_a_key_that_stands_twice(forged: Forged) -> None:
    address = evidence_of(f"{BATCH_ID}-0001")
    forged.replace(address, '"variant":', '"variant":"full","variant":')
    assert address in _places(forged)


def test_one_language_says_something_else(forged: Forged) -> None:
    address = number_page("full/call_relation_pass_rate")
    forged.replace(address, "↑ higher is better", "↓ lower is better")
    assert address in _places(forged)


WORDS_OF_NUMBERS = (
    ("word:verdict.outcome", RESULT),
    ("word:verdict.outcome", number_page("full/call_relation_pass_rate")),
    ("word:change", RESULT),
)


@pytest.mark.parametrize(("part", "address"), WORDS_OF_NUMBERS)
def test_a_word_that_says_otherwise_than_its_number(forged: Forged, part: str, address: str) -> None:
    """Its sign alone, for whoever looks at signs alone."""
    text = forged.text(address)
    sign = re.search(rf'data-part="{part}"[^>]*><span aria-hidden="true">(.)</span>', text)
    assert sign is not None
    forged.write(address, (text[: sign.start(1)] + "↯" + text[sign.end(1) :]).encode())
    assert address in _places(forged)


@pytest.mark.parametrize(("part", "address"), WORDS_OF_NUMBERS)
def test_a_word_that_is_no_longer_of_its_number(forged: Forged, part: str, address: str) -> None:
    text = forged.text(address)
    mark = re.search(rf' data-of="[^"]*" data-part="{part}"', text)
    assert mark is not None
    forged.write(address, text.replace(mark[0], "", 1).encode())
    assert address in _places(forged)


def test_a_prompt_is_that_of_its_case(forged: Forged) -> None:
    batch = forged.json(BATCH)
    case = next(case for case in batch["cases"] if case["id"] == "basic-02")
    assert case["prompt"] == "B-2 还有多少？"
    case["prompt"] = "q-2 还有多少？"
    forged.write_json(BATCH, batch)
    pages = {page_of(run["run_id"]) for run in batch["runs"] if run["case_id"] == "basic-02"}
    assert pages
    assert pages <= _places(forged)
