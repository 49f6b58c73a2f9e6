"""The frame of stamped pages, its style sheet, and its script."""

import pickle
import re

from markupsafe import Markup

from generator.model.assertions import Outcome
from generator.model.metrics import Direction
from generator.render.outcomes import NOT_JUDGED, verdict
from generator.render.shell import SharedBlocks, placed
from generator.resources import resource
from tests.render.pages import ReadPage
from tests.render.sample import THEME_CSS, sample


def test_links_are_relative_to_the_depth_of_the_page() -> None:
    page = ReadPage(sample().shell.at_depth(2).fill("T", "", "<p>b</p>").decode("utf-8"))
    links = {link.attributes["href"] for link in page.all("a")}
    assert {"../../index.html", "../../en/index.html", "../../runs/index.html", "#en", "#zh"} <= links
    sheets = [link.attributes["href"] for link in page.all("link") if link.attributes["rel"] == "stylesheet"]
    assert sheets[:2] == [f"../../{name}" for name in THEME_CSS]
    assert sheets[2:] == [f"../../assets/{name}.css" for name in ("tokens", "decision", "runcite", "stamped")]


def test_small_and_whole() -> None:
    data = placed(sample().shell, 3).fill("T", "<p>banner</p>", "<p>body</p>")
    assert len(data) < 4096
    page = ReadPage(data.decode("utf-8"))
    assert page.all("html")[0].attributes["lang"] == "zh-CN"
    assert page.all("main")[0].text.strip() == "body"
    assert "\0" not in data.decode("utf-8")


def test_shared_blocks_stand_in_the_place_of_their_markers() -> None:
    shared = SharedBlocks()
    first, none, second = shared.keep(Markup("<p>一</p>")), shared.keep(Markup()), shared.keep(Markup("<p>2</p>"))
    page = placed(sample().shell, 2).fill("T", "", f"<i>{second}</i>{first}{none}{first}", shared).decode("utf-8")
    assert "<i><p>2</p></i><p>一</p><p>一</p>" in page
    assert "\0" not in page


def test_every_shape_and_tone_has_its_rule() -> None:
    """Where the style sheet lacks one, success and failure would look alike."""
    css = (resource("site_src") / "assets" / "stamped.css").read_text(encoding="utf-8")
    outcomes: list[Outcome] = ["hit", "miss", "value", "not_applicable"]
    directions: list[Direction] = ["higher", "lower", "neutral"]
    shown = [verdict(outcome, direction) for outcome in outcomes for direction in directions]
    for one in [*shown, NOT_JUDGED]:
        assert re.search(rf"^\.st-{one.shape}::before \{{\n  content: ", css, re.M)
        assert re.search(rf"^\.st-{one.tone}::before \{{\n  color: ", css, re.M)


def test_synthetic_batches_carry_a_banner() -> None:
    page = ReadPage(sample().evidence_page(sample().batch.rows[0].run_id))
    assert "合成数据" in page.all("p", "st-banner")[0].text


def test_a_stamper_travels_to_a_worker_and_stamps_the_same_bytes() -> None:
    number = next(iter(sample().batch.numbers.values()))
    stamper = pickle.loads(pickle.dumps(sample().stamper()))
    assert list(stamper.number_pages(sample().batch, number)) == list(
        sample().stamper().number_pages(sample().batch, number)
    )


def test_dark_without_a_script_has_the_colours_of_the_dark_scheme() -> None:
    assets = resource("site_src") / "assets"
    tokens = (assets / "tokens.css").read_text(encoding="utf-8")
    stamped = (assets / "stamped.css").read_text(encoding="utf-8")
    dark = _variables(tokens.partition('[data-md-color-scheme="slate"]')[2])
    assert dark == _variables(stamped.partition("@media (prefers-color-scheme: dark)")[2])


def test_colours_come_from_the_tokens_alone() -> None:
    stamped = (resource("site_src") / "assets" / "stamped.css").read_text(encoding="utf-8")
    used = set(re.findall(r"var\((--[\w-]+)\)", stamped))
    tokens = (resource("site_src") / "assets" / "tokens.css").read_text(encoding="utf-8")
    assert used <= set(_variables(tokens))
    rules = re.sub(r"--rc-[\w-]+: #\w+;", "", stamped)
    assert not re.search(r"#[0-9a-f]{3,8}\b(?!:target)", rules)


def _variables(css: str) -> dict[str, str]:
    block = css[css.index("--") : css.index("}")]
    return dict(re.findall(r"(--rc-[\w-]+):\s*(#\w+);", block))
