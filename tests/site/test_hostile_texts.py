"""What others said is shown whole and as it is; none of it is obeyed.

Every evidence page is visited, and every page for readers of both languages. What stands on a page is compared with
what must stand there, letter by letter.
"""

import json
import os
import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from playwright.sync_api import Page

from generator.model.addresses import experiment_page, result_page, run_page
from tests.conftest import FIGURES
from tests.site.attacks import RAN, TEXTS, Hostile
from tests.site.hostile import (
    CASES,
    DEFINABLE,
    FIGURELESS,
    INLINE,
    NAMES,
    PROMPTS,
    SCRIPT,
    VARIANTS,
    run_id,
)
from tests.site.visiting import PHONE, Problems, Visitor
from tests.support.small_source import BATCH_ID, EXPERIMENT_ID

SOAK = os.environ.get("RUNCITE_SOAK") == "1"
PARTS = 6
"""The evidence pages are visited in so many tests, so that several processes share them."""
VISITED = NAMES if SOAK else NAMES[::3]
"""Runs whose pages are opened. Pages for readers show all of the texts, and are opened always."""
RESULT = result_page(EXPERIMENT_ID, BATCH_ID)
READ = [
    *("index.html", "experiments/index.html", experiment_page(EXPERIMENT_ID), RESULT, "runs/index.html", "data.html"),
    *("metrics.html", "methods.html", "verify.html", "changes.html"),
]
CASES_AS_SHOWN = [CASES["basic-01"], CASES["basic-02"].replace("\u202e", "⟦U+202E⟧"), CASES["safety-01"]]
ELEMENTS = (
    "script:not([src]):not([id]), iframe, frame, form[action], base, style, object, embed, applet, math, foreignObject,"
    "dialog, marquee, template, textarea:not([class]), video, audio, plaintext, xmp, listing, use, animate, set, portal"
)
"""What the pages of this site do not have: had they one, it would be a text's."""
LOOK = """(elements) => {
  const content = document.querySelector("article, .st-stamped main");
  const address = /^(href|src|srcset|srcdoc|data|action|formaction|poster|background|to|xlink:href|manifest|ping)$/;
  const program = /^[\\s\\0-\\x1f]*(javascript|vbscript|data:text)/i;
  const acts = (it) => it.name.startsWith("on") || (address.test(it.name) && program.test(it.value));
  const attributes = [...document.querySelectorAll("*")].flatMap(it => [...it.attributes]);
  return {
    ran: window.hostile === undefined ? null : window.hostile,
    elements: [...content.querySelectorAll(elements)].map(it => it.outerHTML.slice(0, 200)),
    handlers: attributes.filter(acts).map(it => `${it.name}=${it.value}`),
    links: [...document.querySelectorAll("main [href], main [src], main [srcset], main [action]")]
      .map(it => String(it.href || it.src || it.srcset || it.action))
      .filter(it => it.includes("example.")),
    wide: document.scrollingElement.scrollWidth > innerWidth,
  };
}"""
NOTHING: dict[str, Any] = {"ran": None, "elements": [], "handlers": [], "links": [], "wide": False}
READ_RUN = """() => {
  const texts = (selector) => [...document.querySelectorAll(selector)].map(it => it.textContent);
  return {
    id: texts("h1 bdi"),
    answer: texts("#answer ~ pre"),
    tool: texts(".st-trace .st-tool .st-step"),
    said: texts(".st-trace .st-tool pre"),
    prompt: texts("#prompt ~ pre"),
    seen: [...document.querySelectorAll("#answer ~ pre, h1 bdi, .st-step")].every(it => it.checkVisibility()),
  };
}"""


def harmless(page: Page, problems: Problems, *, wide: bool = False) -> None:
    """Nothing ran, nothing was asked for, no element, handler or link was made of a text."""
    assert page.evaluate(LOOK, ELEMENTS) == {**NOTHING, "wide": wide}
    assert problems.all == []


def test_there_are_two_hundred_texts(record_property: Callable[[str, object], None]) -> None:
    record_property(FIGURES, f"{len(TEXTS)} texts, {len(VISITED)} evidence pages and {2 * len(READ)} others opened")
    assert len({said.raw for said in TEXTS.values()}) >= 200
    assert sum(RAN in said.raw for said in TEXTS.values()) >= 80


@pytest.mark.parametrize("part", range(PARTS))
def test_a_run_says_all_of_it_and_does_none_of_it(visit_hostile: Visitor, part: int) -> None:
    page, problems = visit_hostile.at(visit_hostile.served.at(RESULT))
    cases = {evidence["run_id"]: evidence["case_id"] for _, evidence in visit_hostile.served.index.runs()}
    for name in VISITED[part::PARTS]:
        page.goto(visit_hostile.served.at(run_page(BATCH_ID, run_id(name))), wait_until="load")
        harmless(page, problems)
        _says(page.evaluate(READ_RUN), name, cases[run_id(name)])
    page.wait_for_load_state("networkidle")
    assert problems.all == []


def _says(shown: dict[str, Any], name: str, case: str) -> None:
    text = TEXTS[name]
    assert shown["id"] == [run_id(name).replace(text.raw, text.seen)]
    assert shown["answer"] == [text.seen], name
    assert shown["tool"] == [text.seen], name
    assert shown["prompt"] == [PROMPTS[list(CASES.values()).index(case)]]
    assert shown["seen"], name
    arguments, returned, error = shown["said"]
    assert json.loads(arguments) == {text.seen: [text.seen]} or escaped(text.raw) in arguments, name
    whole = f'{{"{escaped(text.raw)}":"{escaped(text.raw)}"}}'
    assert whole.startswith(returned) or text.seen in returned, name
    assert text.seen.startswith(error), name
    assert len(error) >= min(len(text.seen), 200), name


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
    page.wait_for_load_state("networkidle")
    assert problems.all == []


@pytest.mark.parametrize(
    ("address", "texts"),
    [
        ("index.html", ["摘要 " + TEXTS["markdown 4"].raw, f"实验 {SCRIPT}"]),
        ("en/index.html", [f"Summary {SCRIPT}", f"Experiment {INLINE}"]),
        (experiment_page(EXPERIMENT_ID), ["目的 " + TEXTS["markdown 0"].raw]),
        (f"en/{experiment_page(EXPERIMENT_ID)}", ["Purpose " + TEXTS["mutation 12"].raw]),
        (RESULT, ["变体 " + TEXTS["handler 0"].raw, "类别 " + TEXTS["handler 5"].raw, *CASES_AS_SHOWN]),
        (f"en/{RESULT}", ["Variant " + TEXTS["element 2"].raw, "Category " + TEXTS["handler 20"].raw]),
        ("runs/index.html", ["变体 " + TEXTS["element 2"].raw]),
        ("metrics.html", ["指标 avg_tokens <b>{{ x }}"]),
        ("en/metrics.html", ["Metric avg_tokens `*a*` <i>"]),
    ],
)
def test_pages_for_readers_show_definitions_letter_by_letter(
    visit_hostile: Visitor, address: str, texts: list[str]
) -> None:
    page, _ = visit_hostile.at(visit_hostile.served.at(address))
    content = _content(page)
    for text in texts:
        assert text in content, text


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        (experiment_page(EXPERIMENT_ID), DEFINABLE),
        (RESULT, FIGURELESS),
        ("metrics.html", DEFINABLE[: 8 * 20]),
    ],
)
def test_every_text_of_the_definitions_is_there(visit_hostile: Visitor, address: str, expected: list[Any]) -> None:
    """One half of the texts is Chinese, the other English."""
    pages = [visit_hostile.at(visit_hostile.served.at(it))[0] for it in (address, f"en/{address}")]
    content = " ".join(_in_one_line(_content(page)) for page in pages)
    assert len(expected) > 100
    assert [said.raw for said in expected if _in_one_line(_defined(said)) not in content] == []


def _defined(said: Hostile) -> str:
    """Marks in a definition are its own: nothing is put in the place of anything there."""
    return said.raw if "⟦" in said.raw else said.seen


def _content(page: Page) -> str:
    content: str = page.locator("main article").evaluate("it => it.textContent")
    return content


def _in_one_line(text: str) -> str:
    """HTML does not tell white space from white space, and Markdown takes the one at the ends."""
    return " ".join(text.split())


def test_number_pages_show_ids_and_definitions_as_they_are(visit_hostile: Visitor) -> None:
    """One page of each metric, and one with all runs of a variant."""
    numbers = visit_hostile.served.index.numbers
    whole = [it for it in numbers if it["slice"] is None and it["variant"] == VARIANTS["full"]]
    whole = whole if SOAK else [it for it in whole if it["metric"] in ("call_relation_pass_rate", "avg_tokens")]
    assert len(whole) > (20 if SOAK else 1)
    page, problems = visit_hostile.at(visit_hostile.served.at(RESULT))
    shown = ""
    for number in whole:
        page.goto(visit_hostile.served.at(number["page"]), wait_until="load")
        harmless(page, problems)
        shown += _in_one_line(page.locator("main").evaluate("it => it.textContent")) + "\n"
    words = visit_hostile.served.index.load("api/v1/metrics.json")["metrics"]
    for metric in words:
        if metric["id"] in {it["metric"] for it in whole}:
            assert f"指标 {metric['id']} <b>{{{{ x }}}}" in shown
    plain = next(it for it in whole if it["metric"] == "call_relation_pass_rate")
    page.goto(visit_hostile.served.at(plain["page"]), wait_until="load")
    listed = page.locator("main td a.ref").evaluate_all("all => all.map(it => it.textContent)")
    runs = {evidence["run_id"] for _, evidence in visit_hostile.served.index.runs() if _is_of(evidence, "full")}
    assert {run_id(it).replace(TEXTS[it].raw, TEXTS[it].seen) for it in NAMES if run_id(it) in runs} <= set(listed)


def _is_of(evidence: dict[str, Any], variant: str) -> bool:
    return bool(evidence["variant"] == VARIANTS[variant])


@pytest.mark.parametrize("address", [RESULT, "index.html", experiment_page(EXPERIMENT_ID), "runs/index.html"])
def test_long_words_do_not_widen_a_phone(visit_hostile: Visitor, address: str) -> None:
    page, _ = visit_hostile.at(visit_hostile.served.at(address), viewport=PHONE, is_mobile=True, has_touch=True)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"]


class _Attributes(HTMLParser):
    """Every attribute of a page that could do something."""

    def __init__(self) -> None:
        super().__init__()
        self.handlers: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handlers += [name for name, value in attrs if name.startswith("on") or "javascript:" in (value or "")[:20]]


def test_no_file_of_the_site_holds_a_handler(visit_hostile: Visitor) -> None:
    """With another parser than the browser's, and also pages that no other test opens."""
    pages = sorted(visit_hostile.served.root.rglob("*.html"))
    assert len(pages) > 380
    for page in pages if SOAK else pages[::5]:
        parser = _Attributes()
        parser.feed(page.read_text(encoding="utf-8"))
        assert parser.handlers == [], page
