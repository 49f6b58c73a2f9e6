"""The page of one run."""

import msgspec
import pytest

from generator.model.addresses import file_name
from generator.model.runs import ToolCall
from tests.render.pages import Element, ReadPage, assert_sound
from tests.render.sample import Sample, make_sample, sample

SHAPES = {"st-hit", "st-miss", "st-value", "st-none", "st-out"}
"""Classes for which the style sheet has a mark."""


@pytest.mark.parametrize("plot", [("basic-01", "budgeted", 0), ("basic-02", "full", 3), ("safety-01", "full", 3)])
def test_sound(plot: tuple[str, str, int]) -> None:
    assert_sound(page_of(sample(), *plot))


def test_every_assertion_stands_with_its_outcome() -> None:
    page = page_of(sample(), "basic-01", "budgeted", 1)
    rows = {row.children[0].text: row for row in page.all("tr") if row.inside("tbody") and _shapes(row.children[1])}
    run_id = sample().run_of("basic-01", "budgeted", 1)
    for metric_id, assertion in sample().evidence[run_id].assertions.items():
        name = sample().source.metrics.metric(metric_id).name
        if sample().source.metrics.metric(metric_id).family is not None:
            said = f"{name.zh}{name.en} {'–' if assertion.value is None else assertion.value}"
            assert any(said in row.text for row in page.all("tr")), metric_id
            continue
        assert any(name.zh in head and name.en in head for head in rows), metric_id
    hallucination = next(row for head, row in rows.items() if "数字幻觉率" in head)
    assert _shapes(hallucination.children[1]) == {"st-hit"}
    assert "发生" in hallucination.text
    assert "777" in hallucination.text


def test_the_number_without_a_source_is_marked_in_the_answer() -> None:
    page = page_of(sample(), "basic-01", "budgeted", 1)
    marks = [mark.text for mark in page.all("mark", "st-unsourced") if mark.inside("pre")]
    assert marks == ["777"]


def test_each_step_has_an_address() -> None:
    page = page_of(sample(), "basic-01", "full", 0)
    run_id = sample().run_of("basic-01", "full", 0)
    trace = sample().evidence[run_id].trace or []
    steps = [element for element in page.all("li") if element.attributes.get("id", "").startswith("step-")]
    assert [step.attributes["id"] for step in steps] == [f"step-{n}" for n in range(1, len(trace) + 1)]
    assert "get_price" in steps[3].text


def test_numbers_are_exactly_those_whose_run_set_holds_the_run() -> None:
    batch = sample().batch
    for row in batch.rows:
        page = ReadPage(sample().evidence_page(row.run_id))
        shown = {link.attributes["data-num"] for link in page.all("a", "num")}
        expected = {
            number.id
            for number in batch.numbers.values()
            if number.runset is not None and row.run_id in batch.runsets[number.runset]
        }
        assert shown == expected


def test_same_case_shows_every_run_and_marks_this_one() -> None:
    page = page_of(sample(), "basic-02", "full", 1)
    run_id = sample().run_of("basic-02", "full", 1)
    cells = [link for link in page.all("a") if _shapes(link) and link.inside("table")]
    assert len(cells) == 8
    here = [link for link in cells if link.attributes.get("aria-current") == "page"]
    assert [link.attributes["href"] for link in here] == [f"{file_name(run_id)}.html"]
    assert _shapes(here[0]) == {"st-miss"}


def test_neighbours_follow_the_executed_order() -> None:
    order = [row.run_id for row in sample().batch.rows]
    page = ReadPage(sample().evidence_page(order[1]))
    inside = page.all("nav", "st-neighbours")[0].children
    links = {link.attributes["rel"]: link.attributes["href"] for link in inside if link.tag == "a"}
    assert links == {"prev": f"{order[0]}.html", "next": f"{order[2]}.html"}
    first = ReadPage(sample().evidence_page(order[0]))
    assert not [link for link in first.all("a") if link.attributes.get("rel") == "prev"]


def test_a_run_that_is_not_valid_says_so_and_is_not_judged() -> None:
    page = page_of(sample(), "basic-01", "budgeted", 3)
    assert "被限流" in page.all("p", "st-state")[0].text
    assert "不作判定" in page.section("assertions").text


def test_source_hash_projection_and_what_was_left_out() -> None:
    run_id = sample().run_of("basic-01", "full", 0)
    evidence = sample().evidence[run_id]
    text = ReadPage(sample().evidence_page(run_id)).section("source")
    for shown in (sample().rows[run_id].evidence_sha256, evidence.source.sha256, str(evidence.source.withheld)):
        assert shown in text.text


ATTACK = "</pre><script>alert(1)</script><img src=x onerror=alert(1)> \u202e⟦ \"'&"


def test_what_a_run_says_is_shown_and_not_obeyed() -> None:
    hostile = attacked()
    run_id = next(iter(hostile.evidence))
    html = hostile.evidence_page(run_id)
    page = ReadPage(html)
    assert len(page.all("script")) == 1
    assert not page.all("img")
    assert "\u202e" not in html
    assert "<script>alert(1)</script>" in page.section("answer").text
    assert_sound(page)


def test_long_texts_of_the_trace_are_folded_and_cuts_are_stated() -> None:
    hostile = attacked()
    page = ReadPage(hostile.evidence_page(next(iter(hostile.evidence))))
    folds = [fold for fold in page.all("details") if fold.inside("li")]
    assert any("1" * 700 in fold.text for fold in folds)
    cuts = [cut.text for cut in page.all("p", "st-cut")]
    assert any("已截断" in cut and "sha256:" in cut for cut in cuts)


def attacked() -> Sample:
    """One run whose every text is hostile."""
    small = sample()
    line, run = 1, next(run for run in small.runs if run.answer)
    step = ToolCall(tool=ATTACK, arguments={ATTACK: "1" * 700}, status="error", result=ATTACK * 20, error=ATTACK)
    hostile = msgspec.structs.replace(run, run_id=f"run/{ATTACK}", answer=ATTACK, trace=[step])
    return make_sample(small.source, [(line, hostile)])


def page_of(of: Sample, case: str, variant: str, repeat: int) -> ReadPage:
    return ReadPage(of.evidence_page(of.run_of(case, variant, repeat)))


def _shapes(element: Element) -> set[str]:
    return SHAPES & set(element.attributes.get("class", "").split())
