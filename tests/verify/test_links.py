"""Where links lead."""

import pytest

from generator.verify.links import Links

FILES = {"index.html", "404.html", "en/index.html", "runs/b/r.html", "a b.css", "runs/index.html"}
LINKS = Links(FILES, "/report/")


@pytest.mark.parametrize(
    ("folder", "link", "target"),
    [
        ("", "runs/b/r.html#step-1", ("runs/b/r.html", "step-1")),
        ("", "runs/b/r.html#%E6%AD%A5%E9%AA%A4", ("runs/b/r.html", "步骤")),
        ("", "runs/", ("runs/index.html", "")),
        ("", "#here", ("", "here")),
        ("runs/b", "../../en/", ("en/index.html", "")),
        ("runs/b", "../../", ("index.html", "")),
        ("en", "../a%20b.css?v=1", ("a b.css", "")),
    ],
)
def test_links_that_lead_somewhere(folder: str, link: str, target: tuple[str, str]) -> None:
    assert LINKS.target(folder, link) == target


@pytest.mark.parametrize(
    ("folder", "link"),
    [("", "runs/b/x.html"), ("", "../index.html"), ("", "/index.html"), ("", "/report/index.html"), ("", "runs/b")],
)
def test_links_that_lead_nowhere(folder: str, link: str) -> None:
    assert LINKS.target(folder, link)[0] is None


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("/report/en/index.html", "en/index.html"),
        ("/report/", "index.html"),
        ("/index.html", None),
        ("/report/../index.html", None),
    ],
)
def test_the_page_of_missing_addresses_uses_the_base_of_the_site(link: str, target: str | None) -> None:
    assert LINKS.target("", link, absolute=True)[0] == target


@pytest.mark.parametrize(
    ("load", "problem"),
    [
        ("a%20b.css", None),
        ("data:image/png;base64,AA", None),
        ("missing.css", "a request"),
        ("data:text/html,x", "a request to another host"),
        ("https://example.org/x.js", "a request to another host"),
        ("//example.org/y.js", "a request to another host"),
        ("\\\\example.org/y.js", "a request to another host"),
        (" ht\ttps://example.org/x.js", "a request to another host"),
    ],
)
def test_nothing_is_loaded_from_elsewhere(load: str, problem: str | None) -> None:
    assert LINKS.load_problem("", load) == problem
