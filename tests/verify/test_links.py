"""Where links lead."""

import pytest

from generator.verify.links import check_links
from generator.verify.result import VerifyResult

FILES = {"index.html", "404.html", "en/index.html", "runs/b/r.html", "a b.css", "runs/index.html"}
IDS = {"runs/b/r.html": {"step-1", "步骤"}}


def _problems(address: str, link: str) -> list[str]:
    result = VerifyResult()
    check_links(FILES, IDS, {address: {link}}, {}, "/report/", result)
    return [disagreement.recomputed for disagreement in result.disagreements]


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("index.html", "runs/b/r.html#step-1"),
        ("index.html", "runs/b/r.html#%E6%AD%A5%E9%AA%A4"),
        ("index.html", "runs/"),
        ("index.html", "#anything-on-a-page-without-known-ids"),
        ("runs/b/r.html", "../../en/"),
        ("runs/b/r.html", "#step-1"),
        ("en/index.html", "../a%20b.css"),
        ("404.html", "/report/en/index.html"),
        ("404.html", "/report/"),
        ("index.html", "https://example.org/x"),
    ],
)
def test_links_that_lead_somewhere(address: str, link: str) -> None:
    assert _problems(address, link) == []


@pytest.mark.parametrize(
    ("address", "link", "problem"),
    [
        ("index.html", "runs/b/x.html", "no such file"),
        ("index.html", "../index.html", "no such file"),
        ("index.html", "/index.html", "no such file"),
        ("404.html", "/index.html", "no such file"),
        ("404.html", "/report/../index.html", "no such file"),
        ("index.html", "runs/b/r.html#step-2", "no such fragment"),
        ("runs/b/r.html", "#step-2", "no such fragment"),
    ],
)
def test_links_that_lead_nowhere(address: str, link: str, problem: str) -> None:
    assert _problems(address, link) == [problem]


def test_nothing_is_loaded_from_elsewhere() -> None:
    result = VerifyResult()
    loads = {"index.html": {"https://example.org/x.js", "//example.org/y.js", "data:image/png;base64,AA", "a b.css"}}
    check_links(FILES, IDS, {}, loads, "/", result)
    assert [(one.what, one.published) for one in result.disagreements] == [
        ("a request to another host", "//example.org/y.js"),
        ("a request to another host", "https://example.org/x.js"),
    ]
