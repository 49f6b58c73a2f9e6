"""Only the theme's own inline scripts may run."""

import base64
import hashlib
from pathlib import Path

import pytest

from generator.errors import SiteError
from generator.publish.policy import apply_policy, content_policy

HEAD = '<!doctype html><html><head><meta charset="utf-8"><title>x</title>{scripts}</head><body></body></html>'
THEME = "<script>var theme=1</script>"


def _write(root: Path, **pages: str) -> None:
    for name, scripts in pages.items():
        (root / f"{name}.html").write_text(HEAD.format(scripts=scripts), encoding="utf-8")


def test_a_page_gets_the_hashes_of_the_reference_page(tmp_path: Path) -> None:
    _write(
        tmp_path, empty=THEME, page=THEME + '<script src="a.js"></script><script type="application/json">{}</script>'
    )
    apply_policy(tmp_path, "empty.html", ["empty.html", "page.html"])
    digest = base64.b64encode(hashlib.sha256(b"var theme=1").digest()).decode()
    html = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert f"script-src 'self' 'sha256-{digest}';" in html
    assert html.index("Content-Security-Policy") < html.index("<title>")


def test_pages_with_other_inline_scripts_are_named(tmp_path: Path) -> None:
    _write(tmp_path, empty=THEME, bad="<script>alert(1)</script>", worse="<SCRIPT>alert(2)</SCRIPT>", good="")
    with pytest.raises(SiteError, match=r"bad\.html, worse\.html$"):
        apply_policy(tmp_path, "empty.html", ["bad.html", "worse.html", "good.html"])


def test_a_page_that_cannot_be_given_a_policy_is_named(tmp_path: Path) -> None:
    _write(tmp_path, empty="")
    (tmp_path / "bare.html").write_text("<p>no head</p>", encoding="utf-8")
    with pytest.raises(SiteError, match=r"without a place for the content security policy: bare\.html$"):
        apply_policy(tmp_path, "empty.html", ["empty.html", "bare.html"])


def test_nothing_is_allowed_from_elsewhere() -> None:
    policy = content_policy()
    assert policy.startswith("default-src 'none'; script-src 'self'; ")
    assert "http" not in policy
    assert "unsafe" not in policy
