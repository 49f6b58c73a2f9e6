import json
import re
from pathlib import Path

import pytest

from generator.errors import SiteError
from generator.model.base import Lang, Text
from generator.model.publication import Publication
from generator.publish.mkdocs_site import build_language, search_options, sitemap
from generator.resources import resource

EPOCH = 1_700_000_000
PUBLICATION = Publication(
    title=Text(zh="结果 <x>", en="Results <x>"),
    summary=Text(zh="摘要", en="Summary"),
    address="https://example.org/base/",
)
PAGE = """---
title: "{title} &lt;b&gt;"
banner: "合成数据"
hide: ["navigation"]
---
# {title} {{: #top }}

<div class="rc-x">
<p>智能体与无效运行：`a` *b* [c](d) &lt;i&gt;</p>

<pre>one

two</pre>
</div>

## 样本核算 {{: #accounting }}

<p>全部</p>
"""
NAV: list[object] = [{"首页": "index.md"}, {"实验": [{"全部": "experiments/index.md"}]}]


def _docs(folder: Path) -> Path:
    for name in ("index.md", "experiments/index.md"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(PAGE.format(title="页"), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> dict[Lang, Path]:
    built: dict[Lang, Path] = {}
    langs: tuple[Lang, ...] = ("zh", "en")
    for lang in langs:
        root = tmp_path_factory.mktemp(lang)
        build_language(_docs(root / "docs"), root / "site", lang, NAV, PUBLICATION, EPOCH)
        built[lang] = root / "site"
    return built


def _page(site: Path, name: str = "experiments/index.html") -> str:
    return (site / name).read_text(encoding="utf-8")


def test_each_language_says_which_it_is(sites: dict[Lang, Path]) -> None:
    assert '<html lang="zh-CN"' in _page(sites["zh"])
    assert '<html lang="en"' in _page(sites["en"])


def test_the_language_link_leads_to_the_same_page_by_a_relative_address(sites: dict[Lang, Path]) -> None:
    assert 'href="../en/experiments/index.html" hreflang="en"' in _page(sites["zh"])
    assert 'href="../../experiments/index.html" hreflang="zh-CN"' in _page(sites["en"])
    assert 'href="./en/index.html"' in _page(sites["zh"], "index.html")
    assert 'rel="alternate"' not in _page(sites["zh"])


def test_one_language_has_no_language_link(tmp_path: Path) -> None:
    alone = Publication(title=PUBLICATION.title, summary=PUBLICATION.summary, languages=("zh",))
    build_language(_docs(tmp_path / "docs"), tmp_path / "site", "zh", NAV, alone, EPOCH)
    assert "hreflang" not in _page(tmp_path / "site")


def test_raw_blocks_arrive_as_they_were(sites: dict[Lang, Path]) -> None:
    page = _page(sites["zh"])
    assert "<p>智能体与无效运行：`a` *b* [c](d) &lt;i&gt;</p>" in page
    assert "<pre>one\n\ntwo</pre>" in page
    assert '<h2 id="accounting">样本核算<a class="headerlink" href="#accounting" title="本节地址">#</a></h2>' in page


def test_titles_stay_escaped_and_the_banner_shows(sites: dict[Lang, Path]) -> None:
    page = _page(sites["zh"])
    assert "<title>页 &lt;b&gt; - 结果 &lt;x&gt;</title>" in page
    assert "<b>" not in page
    assert "<x>" not in page
    assert '<p class="rc-banner"><span aria-hidden="true">◆</span> 合成数据</p>' in page


def test_chinese_words_of_the_field_are_whole_in_the_search_index(sites: dict[Lang, Path]) -> None:
    index = json.loads((sites["zh"] / "search/search_index.json").read_text(encoding="utf-8"))
    assert index["config"]["lang"] == ["zh"]
    assert index["config"]["pipeline"] == []
    text = next(entry["text"] for entry in index["docs"] if entry["location"] == "index.html")
    assert "\u200b智能体\u200b" in text
    assert "\u200b无效运行\u200b" in text


def test_english_keeps_its_stemmer() -> None:
    assert search_options("en") == {"lang": "en"}
    assert search_options("zh") == {"lang": "zh", "pipeline": []}


def test_every_page_has_the_same_inline_scripts(sites: dict[Lang, Path]) -> None:
    def scripts(page: str) -> set[str]:
        return set(re.findall(r"<script>(.*?)</script>", page, re.DOTALL))

    found = [scripts(_page(site, name)) for site in sites.values() for name in ("index.html", "experiments/index.html")]
    assert all(scripts == found[0] for scripts in found)


def test_no_request_leaves_the_site(sites: dict[Lang, Path]) -> None:
    for site in sites.values():
        for path in sorted(site.rglob("*.html")):
            page = path.read_text(encoding="utf-8")
            loads = re.findall(r'<(?:script|img|link rel="(?:stylesheet|icon)")[^>]* (?:src|href)="([^"]+)"', page)
            assert loads
            assert not [address for address in loads if "//" in address], path
        assert not list(site.rglob("*.map"))
        assert not (site / "sitemap.xml").exists()


def test_the_error_page_speaks_both_languages_and_is_absolute(sites: dict[Lang, Path]) -> None:
    for site in sites.values():
        page = _page(site, "404.html")
        assert 'lang="zh-CN"' in page
        assert 'lang="en"' in page
    for site in sites.values():
        links = re.findall(r'<p><a href="([^"]*)"', _page(site, "404.html"))
        assert links == ["/base/index.html", "/base/en/index.html"]


def test_the_same_input_makes_the_same_bytes(sites: dict[Lang, Path], tmp_path: Path) -> None:
    build_language(_docs(tmp_path / "docs"), tmp_path / "site", "zh", NAV, PUBLICATION, EPOCH)
    files = [path.relative_to(tmp_path / "site") for path in sorted((tmp_path / "site").rglob("*")) if path.is_file()]
    assert files
    assert [
        path for path in files if (tmp_path / "site" / path).read_bytes() != (sites["zh"] / path).read_bytes()
    ] == []


def test_what_mkdocs_warns_of_stops_the_build(tmp_path: Path) -> None:
    docs = _docs(tmp_path / "docs")
    (docs / "index.md").write_text("# T\n\n[to nothing](nothing.md)\n", encoding="utf-8")
    with pytest.raises(SiteError, match=r"\(zh\) could not be built:\n.*nothing\.md"):
        build_language(docs, tmp_path / "site", "zh", NAV, PUBLICATION, EPOCH)


def test_the_sitemap_ties_the_languages_together() -> None:
    found = sitemap(["metrics.html", "index.html"], PUBLICATION)
    assert found is not None
    text = found.decode()
    assert re.findall(r"<loc>([^<]*)</loc>", text) == [
        "https://example.org/base/index.html",
        "https://example.org/base/en/index.html",
        "https://example.org/base/metrics.html",
        "https://example.org/base/en/metrics.html",
    ]
    links = re.findall(r'hreflang="([^"]*)" href="([^"]*)"', text.splitlines()[2])
    assert links == [
        ("zh-CN", "https://example.org/base/index.html"),
        ("en", "https://example.org/base/en/index.html"),
        ("x-default", "https://example.org/base/index.html"),
    ]


def test_without_an_address_there_is_no_sitemap() -> None:
    assert sitemap(["index.html"], Publication(title=PUBLICATION.title, summary=PUBLICATION.summary)) is None


def test_the_words_of_the_field_are_well_formed() -> None:
    lines = (resource("site_src") / "search_words.txt").read_text(encoding="utf-8").splitlines()
    words = [line.split()[0] for line in lines]
    assert len(words) == len(set(words))
    assert all(re.fullmatch(r"\S+ \d+ n", line) for line in lines)
