"""Number pages and lists of runs."""

import pytest

from generator.views import number as views
from tests.render.pages import ReadPage, assert_sound
from tests.render.sample import sample


def pages_of(number_id: str) -> dict[str, ReadPage]:
    number = sample().batch.numbers[f"ctx-small/{number_id}"]
    pages = sample().stamper().number_pages(sample().batch, number)
    return {path: ReadPage(data.decode("utf-8")) for path, data in pages}


def page_of(number_id: str) -> ReadPage:
    [page] = pages_of(number_id).values()
    return page


def test_every_number_has_a_sound_page() -> None:
    stamper = sample().stamper()
    for number in sample().batch.numbers.values():
        [(path, data)] = stamper.number_pages(sample().batch, number)
        assert path == number.page
        page = ReadPage(data.decode("utf-8"))
        assert_sound(page)
        shown = next(link for link in page.all("a", "num") if link.inside("main"))
        assert shown.attributes["data-num"] == number.id


def test_links_to_runs_and_numbers_lead_to_their_pages() -> None:
    page = page_of("full/call_relation_pass_rate")
    runs = [link.attributes["href"] for link in page.all("a", "ref") if "/runs/" in link.attributes["href"]]
    ids = {row.run_id for row in sample().batch.rows if row.variant == "full"}
    assert {href for href in runs if href.endswith(".html")} == {f"../../../runs/ctx-small/{id_}.html" for id_ in ids}
    other = next(link for link in page.all("a", "num") if "budgeted/call" in link.attributes["data-num"])
    assert other.attributes["href"] == "../../ctx-small/budgeted/call_relation_pass_rate.html"


def test_counts_of_a_proportion_lead_to_their_rows() -> None:
    page = page_of("full/call_relation_pass_rate")
    counts = {
        link.attributes["data-part"]: (link.text, link.attributes["href"])
        for link in page.all("a", "ref")
        if link.attributes.get("data-of") == "ctx-small/full/call_relation_pass_rate"
        and "." not in link.attributes["data-part"]
    }
    assert counts == {
        "numerator": ("8", "#numerator"),
        "misses": ("3", "#misses"),
        "denominator": ("11", "#denominator"),
        "excluded:cancelled:stopped_by_operator": ("1", "#cancelled-stopped_by_operator"),
        "low": ("43.4", "#interval"),
        "high": ("90.3", "#interval"),
    }
    assert len([row for row in page.by_id("numerator").children if row.children[0].tag == "td"]) == 8
    assert len([row for row in page.by_id("misses").children if row.children[0].tag == "td"]) == 3


def test_formula_interval_and_definition() -> None:
    page = page_of("full/call_relation_pass_rate")
    metric = sample().source.metrics.metric("call_relation_pass_rate")
    formula = page.all("p", "st-formula")[0].text
    assert metric.numerator.zh in formula
    assert formula.rstrip().endswith("= 8 ÷ 11\n = 72.7%")
    assert "Wilson" in page.section("interval").text
    assert metric.definition.en in page.section("definition").text


def test_a_quantile_says_where_it_lies() -> None:
    page = page_of("full/duration_p95")
    assert "在第 10 与第 11 个之间线性插值" in page.all("p", "st-formula")[0].text
    marks = [mark for mark in page.all("strong", "st-tag") if "分位数取自这里" in mark.text]
    assert len(marks) == 2
    assert any("测量约定" in fold.text for fold in page.all("details"))


def test_pass_hat_counts_cases() -> None:
    page = page_of("full/pass_hat_2")
    denominator = next(link for link in page.all("a") if link.attributes.get("data-part") == "denominator")
    assert (denominator.text, denominator.attributes["href"]) == ("3", "#cases")
    assert "1/6" in page.section("cases").text


def test_a_difference_names_both_sides_and_the_change() -> None:
    page = page_of("budgeted-vs-full/call_relation_pass_rate")
    assert "改善" in page.all("main")[0].text
    numbers = [link.attributes["data-num"] for link in page.all("a", "num")]
    assert "ctx-small/full/call_relation_pass_rate" in numbers
    assert "ctx-small/budgeted/call_relation_pass_rate" in numbers
    assert "Newcombe" in page.section("interval").text
    assert not [name for name in page.ids if name in ("denominator", "excluded")]


def test_no_value_has_a_reason() -> None:
    page = page_of("full/task_pass_rate")
    text = page.all("main")[0].text
    assert "没有值" in text
    assert "对任何运行都不适用" in text


def test_pages_of_one_number_link_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "ROWS_A_PAGE", 5)
    pages = pages_of("full/call_relation_pass_rate")
    assert len(pages) == 3
    for page in pages.values():
        assert_sound(page)
    names = [path.rpartition("/")[2] for path in pages]
    first = pages["numbers/ctx-small/full/call_relation_pass_rate.html"]
    inside = first.all("nav", "st-pages")[0].children
    links = [link.attributes["href"].rpartition("/")[2] for link in inside if link.tag == "a"]
    assert links == names
    misses = next(link for link in first.all("a", "ref") if link.attributes["href"].endswith("#misses"))
    assert misses.attributes["href"] == "../../ctx-small/full/call_relation_pass_rate--page-2.html#misses"
    assert "misses" in pages["numbers/ctx-small/full/call_relation_pass_rate--page-2.html"].ids


def test_lists_of_runs() -> None:
    pages = dict(sample().stamper().run_list_pages(sample().batch))
    assert list(pages) == ["runs/ctx-small/lists/full-1.html", "runs/ctx-small/lists/budgeted-1.html"]
    for data in pages.values():
        assert_sound(ReadPage(data.decode("utf-8")))
    page = ReadPage(pages["runs/ctx-small/lists/full-1.html"].decode("utf-8"))
    links = {link.attributes["href"] for link in page.all("a", "ref")}
    assert links == {f"../{row.run_id}.html" for row in sample().batch.rows if row.variant == "full"}


def test_a_page_of_many_links_to_a_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "ROWS_A_PAGE", 1)
    pages = list(pages_of("full/call_relation_pass_rate").values())
    assert len(pages) == 12
    links = [link for link in pages[5].all("a", "ref") if link.inside("nav") and link.attributes["href"] != "#"]
    shown = [link for link in links if link.text.isdigit()]
    assert [link.text for link in shown] == ["1", "4", "5", "6", "7", "8", "12"] * 2
    assert shown[0].attributes["href"].endswith("full/call_relation_pass_rate.html")
    assert shown[3].attributes["href"].endswith("full/call_relation_pass_rate--page-6.html")
    assert [link.text for link in shown if "aria-current" in link.attributes] == ["6", "6"]
