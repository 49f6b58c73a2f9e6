"""The content security policy stands on every page, and a browser obeys it."""

import re
from html.parser import HTMLParser

import pytest

from tests.site.visiting import Served, Visitor

KINDS = ["home", "result, two variants", "number, proportion", "evidence, complete", "run list", "not found"]


class _Head(HTMLParser):
    """The tags of a page in order, up to the end of its head, and the content of its policy."""

    def __init__(self) -> None:
        super().__init__()
        self.before_policy: list[str] = []
        self.policy: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if (given.get("http-equiv") or "").lower() == "content-security-policy" and self.policy is None:
            self.policy = given["content"]
        elif self.policy is None:
            self.before_policy.append(tag)


def test_every_page_has_the_policy_before_anything_that_loads(sample: Served) -> None:
    pages = sorted(sample.root.rglob("*.html"))
    assert len(pages) > 3000
    for page in pages:
        head = _Head()
        head.feed(page.read_text(encoding="utf-8")[:6000])
        assert head.policy is not None, page
        assert not {"script", "link", "style", "img", "body"} & set(head.before_policy), page
        rules = dict(rule.strip().split(" ", 1) for rule in head.policy.split(";"))
        assert rules.pop("default-src") == "'none'", page
        assert re.fullmatch(r"'self'( 'sha256-[\w+/=]+')*", rules.pop("script-src")), page
        assert set(" ".join(rules.values()).split()) <= {"'self'", "'none'", "data:"}, page


@pytest.mark.parametrize("kind", KINDS)
def test_an_injected_script_does_not_run(visit: Visitor, kind: str) -> None:
    page, problems = visit.open(kind)
    page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.ran = 'script'";
          document.body.append(script);
          document.body.insertAdjacentHTML("beforeend", "<img src='data:,' onerror=\\"window.ran = 'handler'\\">");
          document.body.insertAdjacentHTML("beforeend", "<a id=probe href=\\"javascript:window.ran='link'\\">x</a>");
          document.querySelector("#probe").click();
        }"""
    )
    page.wait_for_function("() => [...document.images].every(it => it.complete)")
    assert page.evaluate("window.ran") is None
    assert len([said for said in problems.console if "Content Security Policy" in said]) >= 3


@pytest.mark.parametrize("kind", KINDS)
def test_other_hosts_are_not_asked(visit: Visitor, sample: Served, kind: str) -> None:
    page, problems = visit.open(kind)
    other = sample.subpath
    blocked = page.evaluate(
        """async (other) => {
          const fetched = await fetch(other + "index.html").then(() => "answered", () => "blocked");
          const image = await new Promise((tell) => {
            const it = new Image();
            it.onload = () => tell("answered");
            it.onerror = () => tell("blocked");
            it.src = other + "assets/logo.svg";
          });
          return [fetched, image];
        }""",
        other,
    )
    assert blocked == ["blocked", "blocked"]
    assert [said for said in problems.failed if said.startswith(other) and "csp" not in said.lower()] == []


def test_scripts_of_pages_are_files_or_the_themes_own(sample: Served) -> None:
    """No page has an inline script that another page of its frame lacks."""
    inline: dict[str, int] = {}
    pages = sorted(sample.root.rglob("*.html"))
    for page in pages:
        for attributes, script in re.findall(r"<script([^>]*)>(.*?)</script>", page.read_text(encoding="utf-8"), re.S):
            if "src=" not in attributes and "application/json" not in attributes:
                inline[script] = inline.get(script, 0) + 1
    read = [page for page in pages if not {"runs", "numbers"} & set(page.relative_to(sample.root).parts[:1])]
    assert len(inline) <= 3
    assert all(count > len(read) // 2 for count in inline.values())
