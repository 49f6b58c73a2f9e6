"""What somebody changes in what a page says of its neighbours is found."""

import re
from pathlib import Path

import pytest

from generator.verify import verify_site
from generator.verify.compared import is_comparison
from tests.support.small_source import BATCH_ID
from tests.verify.forging import Forged


def _page_with(site: Path, sign: str) -> str:
    """The first evidence page that has such a difference."""
    pages = sorted(site.glob(f"runs/{BATCH_ID}/*.html"))
    return next(it.relative_to(site).as_posix() for it in pages if f'st-cmp">{sign}' in it.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("sign", "old", "new"),
    [
        ("=", r"= <code>(\d+)</code>", r"= <code>9</code>"),
        ("−", r"− <a href=\"#step-\d+\"><code>", r'− <a href="#step-1"><code>'),
        (r"+", r"\+ (<a [^>]*><code>)\w+", r"+ \1search_docs_x"),
        ("=", r"(?<=compare/index.html#a=)\S+?(?=&amp;)", f"{BATCH_ID}/nobody"),
        ("=", r"<tbody><tr><th scope=\"row\"><a href=\"[^\"]*\">(?=<bdi[^>]*>[^<]*</bdi></a></th><td><bdi)", None),
    ],
    ids=["calls alike", "step", "tool", "link", "neighbour"],
)
def test_a_change_is_found(small_site: Path, tmp_path: Path, sign: str, old: str, new: str | None) -> None:
    address = _page_with(small_site, sign)
    forged = Forged(small_site, tmp_path / "site")
    head, mark, rest = forged.text(address).partition('aria-labelledby="compared"')
    own = f'<tbody><tr><th scope="row"><a href="{Path(address).name}">'
    changed = re.sub(old, own if new is None else new, rest, count=1)
    assert changed != rest
    forged.write(address, f"{head}{mark}{changed}".encode())
    forged.renew()
    assert {it.place for it in verify_site(forged.root).disagreements} == {address}


def test_a_fragment_names_two_runs_that_have_pages() -> None:
    pages = {"runs/b/one.html": 1, "runs/b/two.html": 2}
    assert is_comparison("en/compare/index.html", "a=b/one&b=b/two", pages)
    for target, fragment in (
        ("compare/index.html", "a=b/one&b=b/three"),
        ("compare/index.html", "a=b/one"),
        ("index.html", "a=b/one&b=b/two"),
    ):
        assert not is_comparison(target, fragment, pages)
