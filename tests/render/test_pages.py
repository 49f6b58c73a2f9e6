import json
import re
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import markdown
import msgspec
import pytest

from generator.model.base import Lang, Text
from generator.model.experiments import Experiment
from generator.model.report import Report
from generator.read.texts import read_texts
from generator.render.pages import PageError, human_pages, page_environment, site_nav
from generator.verify.pages import Page, read_page
from tests.views.reports import EXPERIMENT, UNPUBLISHED, empty_report, small_report, with_experiment

HOSTILE = "a\n\n# b <script>x</script> & *c* _d_ `e` [f](g) ![h](i) {#j} \u202e &amp; | ~ 12"
RESULT = f"experiments/{EXPERIMENT}/ctx-small.md"


@lru_cache(maxsize=4)
def _pages(lang: Lang) -> dict[str, str]:
    return _rendered(small_report(), lang)


def _rendered(report: Report, lang: Lang) -> dict[str, str]:
    found = human_pages(report, {}, lang, read_texts())
    return {path: data.decode() for path, data in found if path.endswith(".md")}


def _head(page: str) -> dict[str, object]:
    lines = page.split("---\n")[1].splitlines()
    return {key: json.loads(value) for key, _, value in (line.partition(": ") for line in lines)}


def _html(page: str) -> str:
    body = page.split("---\n", 2)[2]
    html: str = markdown.markdown(body, extensions=["attr_list", "fenced_code", "tables", "toc"])
    return html


def _read(html: str) -> Page:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "page.html"
        file.write_text(f"<main>{html}</main>", encoding="utf-8")
        return read_page(file, is_evidence=False)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_no_page_has_a_loose_digit(lang: Lang) -> None:
    loose = {path: _read(_html(page)).loose_digits for path, page in _pages(lang).items()}
    assert {path: found for path, found in loose.items() if found} == {}


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_heading_has_an_ascii_address(lang: Lang) -> None:
    for path, page in _pages(lang).items():
        ids = re.findall(r'<h[1-6][^>]* id="([^"]*)"', _html(page))
        assert len(ids) == len(set(ids)), path
        assert all(re.fullmatch(r"[a-z][a-z0-9_-]*", name) for name in ids), (path, ids)
        assert "top" in ids, path


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_both_languages_have_the_same_pages_and_numbers(lang: Lang) -> None:
    def numbers(page: str) -> list[str]:
        return [shown.number for shown in _read(_html(page)).numbers]

    own, other = _pages(lang), _pages("en" if lang == "zh" else "zh")
    assert list(own) == list(other)
    assert {path: numbers(page) for path, page in own.items()} == {path: numbers(page) for path, page in other.items()}


def test_numbers_are_linked_from_the_folder_of_the_language() -> None:
    wanted = "numbers/ctx-small/full/call_relation_pass_rate.html"
    assert f'href="../../{wanted}"' in _pages("zh")[RESULT]
    assert f'href="../../../{wanted}#en"' in _pages("en")[RESULT]


def test_the_result_page_shows_every_number_of_the_main_table() -> None:
    shown = {number.number for number in _read(_html(_pages("zh")[RESULT])).numbers}
    (batch,) = small_report().batches
    whole = {
        number.id
        for number in batch.numbers.values()
        if number.slice is None and number.detail is None and not (number.compares is not None and number.value is None)
    }
    assert whole <= shown


def test_an_unpublished_template_shows_no_number_and_says_why() -> None:
    page = _pages("en")[f"experiments/{UNPUBLISHED}.md"]
    assert _read(_html(page)).numbers == []
    assert "No batch of this experiment has been published" in page


def test_a_private_template_shows_no_number_and_says_why() -> None:
    report = small_report()
    private = msgspec.structs.replace(report.source.experiments[EXPERIMENT], visibility="private")
    pages = _rendered(with_experiment(report, private), "en")
    assert RESULT not in pages
    page = pages[f"experiments/{EXPERIMENT}.md"]
    assert _read(_html(page)).numbers == []
    assert "private bench only" in page


def test_a_banner_stands_on_the_pages_that_show_synthetic_data() -> None:
    report = small_report()
    batch = msgspec.structs.replace(
        report.batches[0], batch=msgspec.structs.replace(report.batches[0].batch, synthetic=True)
    )
    pages = _rendered(msgspec.structs.replace(report, batches=[batch]), "en")
    with_banner = {path for path, page in pages.items() if "banner" in _head(page)}
    assert {"index.md", "runs/index.md", RESULT, f"experiments/{EXPERIMENT}.md", "verify.md"} <= with_banner
    assert f"experiments/{UNPUBLISHED}.md" not in with_banner
    assert "metrics.md" not in with_banner


def _hostile_experiment() -> Experiment:
    experiment = small_report().source.experiments[EXPERIMENT]
    hostile = Text(zh=HOSTILE, en=HOSTILE)
    variants = [msgspec.structs.replace(variant, name=hostile) for variant in experiment.variants]
    return msgspec.structs.replace(
        experiment, title=hostile, purpose=hostile, fixed_conditions=[hostile], variants=variants
    )


def test_texts_of_the_source_pass_through_markdown_untouched() -> None:
    pages = _rendered(with_experiment(small_report(), _hostile_experiment()), "en")
    seen = 0
    for path, page in pages.items():
        html = _html(page)
        assert "<script>x" not in html, path
        assert "<em>c" not in html, path
        assert 'href="g"' not in html, path
        assert "<img" not in html, path
        assert "\u202e" not in html, path
        seen += html.count("&lt;script&gt;x&lt;/script&gt;") + html.count("&#60;script&#62;")
    assert seen > 10


def test_lines_of_a_text_are_no_lines_of_markdown() -> None:
    """Markdown makes a block of a fence wherever it begins a line, with the attributes that it names."""
    said = "a\n\n``` {onclick=x}\nb\n```\n\n{: onclick=x }"
    fence = Text(zh=said, en=said)
    experiment = msgspec.structs.replace(_hostile_experiment(), purpose=fence, fixed_conditions=[fence])
    pages = _rendered(with_experiment(small_report(), experiment), "en")
    assert sum(page.count("``` {onclick=x}") for page in pages.values()) > 1
    for path, page in pages.items():
        assert " onclick=" not in _html(page).replace("{: onclick=", ""), path
        assert "<code>b" not in _html(page), path


def test_titles_are_escaped_where_the_theme_prints_them_as_they_are() -> None:
    report = with_experiment(small_report(), _hostile_experiment())
    title = cast(str, _head(_rendered(report, "en")[f"experiments/{EXPERIMENT}.md"])["title"])
    assert "<" not in title
    assert "\n" not in title
    nav = json.dumps(site_nav(report, "en", read_texts()))
    assert "<script" not in nav
    assert "&lt;script&gt;" in nav


def test_a_run_id_is_shown_and_linked_whatever_it_holds() -> None:
    report = small_report()
    batch = report.batches[0]
    odd = "x/<b>\u202e *y*"
    rows = [msgspec.structs.replace(row, run_id=odd) if row.attribution else row for row in batch.rows]
    page = _rendered(msgspec.structs.replace(report, batches=[msgspec.structs.replace(batch, rows=rows)]), "zh")[RESULT]
    html = _html(page)
    assert "x/&lt;b&gt;⟦U+202E⟧ *y*" in html
    assert "<b>" not in html


def test_a_source_without_batches_has_all_its_pages() -> None:
    pages = _rendered(empty_report(), "zh")
    assert {"index.md", "methods.md", "verify.md", "data.md", "changes.md", "runs/index.md"} <= set(pages)
    assert all(_read(_html(page)).numbers == [] for page in pages.values())


def test_the_metric_table_version_and_threshold_come_from_the_source() -> None:
    report = small_report()
    thresholds = msgspec.structs.replace(report.source.publication.thresholds, min_valid_per_group=37)
    publication = msgspec.structs.replace(report.source.publication, thresholds=thresholds)
    source = msgspec.structs.replace(report.source, publication=publication)
    pages = _rendered(msgspec.structs.replace(report, source=source), "en")
    assert '<span class="ref">37</span>' in pages["methods.md"]
    assert '<span class="ref">37</span>' in pages[RESULT]


def test_a_number_that_is_not_there_is_named() -> None:
    environment = page_environment(small_report(), "zh", read_texts())
    template = environment.from_string('{{ num("ctx-small/full/nothing") }}')
    with pytest.raises(PageError, match=r"ctx-small/full/nothing"):
        template.render(lang="zh", here="methods.html")


def test_a_number_by_id_is_the_number_of_the_report() -> None:
    environment = page_environment(small_report(), "zh", read_texts())
    template = environment.from_string('{{ num("ctx-small/full/call_relation_pass_rate", interval=False) }}')
    assert template.render(lang="zh", here="methods.html") == (
        '<a class="num" data-num="ctx-small/full/call_relation_pass_rate"'
        ' href="numbers/ctx-small/full/call_relation_pass_rate.html">72.7%<span data-part="count"> 8/11</span></a>'
    )


def test_assets_come_with_the_tree() -> None:
    files = {path for path, _ in human_pages(empty_report(), {}, "zh", read_texts())}
    assert {"assets/runcite.css", "assets/tokens.css", "assets/tables.js", "assets/favicon.svg"} <= files


def test_a_result_typed_into_prose_is_no_reference() -> None:
    """Validation refuses it; if it ever came here, the check of the site would find it."""
    report = small_report()
    typed = Text(zh="由 gpt-4 执行，通过率 95%", en="by gpt-4, pass rate 95%")
    publication = msgspec.structs.replace(report.source.publication, summary=typed)
    experiment = msgspec.structs.replace(report.source.experiments[EXPERIMENT], purpose=typed)
    report = with_experiment(report, experiment)
    source = msgspec.structs.replace(report.source, publication=publication)
    pages = _rendered(msgspec.structs.replace(report, source=source), "en")
    for path in ("index.md", f"experiments/{EXPERIMENT}.md", RESULT):
        assert _read(_html(pages[path])).loose_digits == [", pass rate 95%"]
