"""What a row or column is called is found to be wrong, though all of its numbers are right."""

from pathlib import Path

import pytest

from generator.verify import verify_site
from tests.support.clock_source import with_clocks
from tests.support.once import small_site_once
from tests.support.profiles import with_profile
from tests.support.small_source import SmallSource
from tests.verify.forging import Forged, number_page
from tests.verify.test_times import RESULT

EN = f"en/{RESULT}"
_LABELS = ("head of", "words of a row", "the variant that heads", "the metric that heads", "the name of")
STATISTICS = f"{EN.removesuffix('.html')}/statistics.html"
STRATA = number_page("full/time_strata_runs")
CHANGE = number_page("budgeted-vs-full/boundary_change")


def _edit(source: SmallSource) -> None:
    """With a margin: `budgeted` fails less and takes more tokens."""
    with_clocks(source)
    with_profile(source)
    for run in source.batch.runs:
        run["usage"]["prompt_tokens"] += 400 if run["variant"] == "budgeted" else 0


@pytest.fixture(scope="module")
def labelled_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_site_once(tmp_path_factory, "labelled", _edit)


@pytest.fixture
def forged(labelled_site: Path, tmp_path: Path) -> Forged:
    return Forged(labelled_site, tmp_path / "site")


def exchange(forged: Forged, address: str, one: str, other: str) -> None:
    """Two texts of a page, wherever they stand."""
    text = forged.text(address)
    assert one in text, one
    assert other in text, other
    forged.write(address, text.replace(one, "\0").replace(other, one).replace("\0", other).encode())


@pytest.mark.parametrize(
    ("address", "one", "other"),
    [
        (EN, "client · abandonment · failed", "client · execution · complete"),
        (RESULT, "客户端 · 放弃 · 失败", "客户端 · 执行 · 完成"),
        (EN, ">server · event unresolved · ok<", ">client · waiting for approval · ok<"),
        (STRATA, '<span lang="en">abandonment</span>', '<span lang="en">execution</span>'),
        (STRATA, "各层合并", "敏感性：去掉饱和值"),
        (EN, '<span class="ref">p50</span>', '<span class="ref">p95</span>'),
        (EN, '<th scope="col">Missing</th> <th scope="col">Zero</th>', '<th scope="col">Saturated</th>'),
        (STRATA, '<span lang="zh-CN">最小</span>', '<span lang="zh-CN">最大</span>'),
        (EN, ">one model call</th>", ">the whole run</th>"),
        (EN, ">tokens</th>", ">time (ms)</th>"),
        (CHANGE, '<span lang="en">one model call</span>', '<span lang="en">the whole run</span>'),
        (
            number_page("full/time_within--within-1000"),
            '<code class="ref">client-execution-complete</code>',
            '<code class="ref">server-execution-complete</code>',
        ),
        (
            number_page("budgeted-vs-full/tool_selection_accuracy"),
            '<span lang="en">Basic</span>',
            '<span lang="en">Safety</span>',
        ),
        (
            number_page("budgeted/fingerprint_dimension"),
            '<span lang="en">Trace length</span>',
            '<span lang="en">Depth of calls</span>',
        ),
        (EN, '<span class="rc-variant">full<', '<span class="rc-variant">budgeted<'),
        (STATISTICS, '<span class="rc-variant">full<', '<span class="rc-variant">budgeted<'),
        (EN, ">Tool selection accuracy</a>", ">Call relation pass rate</a>"),
        (EN, "#tool_selection_accuracy", "#call_relation_pass_rate"),
        (STATISTICS, ">Trace length</a>", ">Depth of calls</a>"),
        (number_page("budgeted-vs-full/box_margin"), ">Factor tokens<", ">Factor quality<"),
    ],
)
def test_two_labels_that_are_exchanged(forged: Forged, address: str, one: str, other: str) -> None:
    exchange(forged, address, one, other)
    forged.renew()
    found = [wrong for wrong in verify_site(forged.root).disagreements if wrong.place == address]
    assert any(wrong.what.startswith(_LABELS) for wrong in found), found


@pytest.mark.parametrize(
    ("address", "old", "new"),
    [
        (EN, '">20</a><br>failed <a', '">19</a><br>failed <a'),
        (EN, "</a> valid runs, <a", "</a> runs, <a"),
        (EN, ">as the model service returned <a", ">estimate of the harness <a"),
        (RESULT, '<span class="rc-mark rc-measured-partly">', '<span class="rc-mark rc-measured-recorded">已记录'),
        (EN, "COMPLETE and FAILED. INVALID and CANCELLED are not counted.", "COMPLETE alone."),
    ],
    ids=["count", "unit", "value", "status", "contract"],
)
def test_a_measurement_contract(forged: Forged, address: str, old: str, new: str) -> None:
    forged.replace(address, old, new)
    forged.renew()
    found = {wrong.what for wrong in verify_site(forged.root).disagreements if wrong.place == address}
    assert "a row of the measurement contracts" in found


def test_a_contract_that_is_taken_away(forged: Forged) -> None:
    forged.replace(EN, 'class="rc-table rc-measured"', 'class="rc-table"')
    forged.renew()
    wrong = verify_site(forged.root).disagreements
    assert (EN, "tables of measurement contracts") in {(found.place, found.what) for found in wrong}


def test_a_margin_of_an_order_that_is_not_settled_says_so(labelled_site: Path) -> None:
    page = (labelled_site / EN).read_text(encoding="utf-8")
    assert "The order itself is not settled" in page
    assert "Factor quality: badness" in page
    assert "Factor tokens: badness" not in page
