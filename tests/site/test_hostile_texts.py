"""What others said is shown whole and as it is; none of it is obeyed."""

import json
import re
from html.parser import HTMLParser

import pytest
from playwright.sync_api import Page

from generator.model.addresses import experiment_page, result_page, run_page
from tests.site.hostile import BATCH_ID, CASES, EXPERIMENT_ID, RAN, TEXTS, VARIANTS, run_id
from tests.site.visiting import PHONE, Problems, Visitor

RESULT = result_page(EXPERIMENT_ID, BATCH_ID)
READ = ["index.html", "experiments/index.html", experiment_page(EXPERIMENT_ID), RESULT, "runs/index.html", "data.html"]
CASES_AS_SHOWN = [CASES["basic-01"], CASES["basic-02"].replace("\u202e", "⟦U+202E⟧"), CASES["safety-01"]]
ELEMENTS = "script:not([src]):not([id]), iframe, form[action], base, style, object, embed, math, foreignObject"
"""What the pages of this site do not have: had they one, it would be a text's."""


def harmless(page: Page, problems: Problems) -> None:
    """Nothing ran, nothing was asked for, and no element was made of a text."""
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.hostile") is None
    assert problems.all == []
    assert page.locator(f":is(article, .st-stamped main) :is({ELEMENTS})").count() == 0
    handlers = page.evaluate(
        """() => [...document.querySelectorAll("*")].flatMap(it => [...it.attributes])
             .filter(it => it.name.startsWith("on") || /^\\s*javascript:/i.test(it.value)).map(it => it.value)"""
    )
    assert handlers == []
    links = page.evaluate("[...document.querySelectorAll('main [href], main [src]')].map(it => it.href || it.src)")
    assert [link for link in links if "example.org" in link] == []


def shown(page: Page, selector: str) -> list[str]:
    texts: list[str] = page.locator(selector).evaluate_all("all => all.map(it => it.textContent)")
    return texts


@pytest.mark.parametrize("name", TEXTS)
def test_a_run_says_all_of_it_and_does_none_of_it(visit_hostile: Visitor, name: str) -> None:
    text = TEXTS[name]
    page, problems = visit_hostile.at(visit_hostile.served.at(run_page(BATCH_ID, run_id(name))))
    harmless(page, problems)
    assert shown(page, "h1 bdi") == [run_id(name).replace(text.raw, text.seen)]
    assert shown(page, "#answer ~ pre") == [text.seen]
    step = page.locator(".st-trace .st-tool")
    assert step.locator(".st-step").evaluate("it => it.textContent") == text.seen
    arguments, returned, error = step.locator("pre").evaluate_all("all => all.map(it => it.textContent)")
    for said in (arguments, returned, error):
        assert escaped(text.raw) in said or text.seen in said
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


def escaped(raw: str) -> str:
    """A text as it stands inside JSON, with what cannot be seen named."""
    inside = json.dumps(raw, ensure_ascii=False)[1:-1]
    return re.sub(
        "[\x7f-\x9f\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e0fff⟦]",
        lambda found: f"⟦U+{ord(found[0]):04X}⟧",
        inside,
    )


@pytest.mark.parametrize("address", [*READ, *(f"en/{address}" for address in READ)])
def test_pages_for_readers_show_names_and_do_nothing(visit_hostile: Visitor, address: str) -> None:
    page, problems = visit_hostile.at(visit_hostile.served.at(address))
    harmless(page, problems)
    assert "Report <i>&amp;</i> {{ x }} `x`" in page.title() or "报告 <i>&amp;</i> {{ x }} `x`" in page.title()


@pytest.mark.parametrize(
    ("address", "texts"),
    [
        ("index.html", ["摘要 ![x](http://example.org/x.png) ![y][z]", f"实验 <script>{RAN}</script>"]),
        ("en/index.html", [f"Summary <script>{RAN}</script>", f"Experiment {TEXTS['markdown inline'].raw}"]),
        (experiment_page(EXPERIMENT_ID), [f"目的 {TEXTS['markdown link'].raw}", f"条件 {TEXTS['snippet'].raw}"]),
        (f"en/{experiment_page(EXPERIMENT_ID)}", [f"Purpose {TEXTS['comment'].raw}", TEXTS["template"].raw]),
        (RESULT, [f"变体 {TEXTS['image error'].raw}", f"类别 {TEXTS['svg load'].raw}", *CASES_AS_SHOWN]),
        (f"en/{RESULT}", [f"Variant {TEXTS['closing script'].raw}", f"Category {TEXTS['single quotes'].raw}"]),
        ("runs/index.html", [f"变体 {TEXTS['closing script'].raw}"]),
    ],
)
def test_pages_for_readers_show_definitions_letter_by_letter(
    visit_hostile: Visitor, address: str, texts: list[str]
) -> None:
    page, _ = visit_hostile.at(visit_hostile.served.at(address))
    content = page.locator("main article").evaluate("it => it.textContent")
    for text in texts:
        assert text in content, text


def test_ids_stand_on_number_pages_as_they_are(visit_hostile: Visitor) -> None:
    numbers = visit_hostile.served.index.numbers
    whole = [it for it in numbers if it["metric"] == "call_relation_pass_rate" and it["slice"] is None]
    assert {it["variant"] for it in whole if not it["compares"]} == set(VARIANTS.values())
    for number in whole:
        page, problems = visit_hostile.at(visit_hostile.served.at(number["page"]))
        harmless(page, problems)
    plain = next(it for it in whole if it["variant"] == VARIANTS["full"])
    page, _ = visit_hostile.at(visit_hostile.served.at(plain["page"]))
    listed = set(shown(page, "main td a bdi"))
    runs = {
        run_id(name).replace(text.raw, text.seen)
        for name, text in TEXTS.items()
        if run_id(name) in _runs_of(visit_hostile, VARIANTS["full"])
    }
    assert runs <= listed


def _runs_of(visitor: Visitor, variant: str) -> set[str]:
    return {evidence["run_id"] for _, evidence in visitor.served.index.runs() if evidence["variant"] == variant}


@pytest.mark.parametrize("address", [RESULT, "index.html", experiment_page(EXPERIMENT_ID), "runs/index.html"])
def test_long_words_do_not_widen_a_phone(visit_hostile: Visitor, address: str) -> None:
    page, _ = visit_hostile.at(visit_hostile.served.at(address), viewport=PHONE, is_mobile=True, has_touch=True)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"]


class _Attributes(HTMLParser):
    """Every attribute of a page, and every tag."""

    def __init__(self) -> None:
        super().__init__()
        self.handlers: list[str] = []
        self.scripts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handlers += [name for name, value in attrs if name.startswith("on") or "javascript:" in (value or "")[:20]]


def test_no_file_of_the_site_holds_a_handler(visit_hostile: Visitor) -> None:
    """All pages, with another parser than the browser's."""
    pages = sorted(visit_hostile.served.root.rglob("*.html"))
    assert len(pages) > 150
    for page in pages:
        parser = _Attributes()
        parser.feed(page.read_text(encoding="utf-8"))
        assert parser.handlers == [], page


def test_pages_hold_no_character_that_hides_or_turns(visit_hostile: Visitor) -> None:
    """Named, never written."""
    for path in sorted(visit_hostile.served.root.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b\u202a-\u202e\u2066-\u2069]", text), path


def test_data_is_json_whatever_was_said(visit_hostile: Visitor) -> None:
    for path in sorted(visit_hostile.served.root.rglob("*.json")):
        json.loads(path.read_text(encoding="utf-8"))
