"""Templates are compiled once for environments that compile alike, and never for others."""

import jinja2
import pytest

from generator.read.texts import read_texts
from generator.render.compiled import CompiledTemplates
from generator.render.environment import make_environment
from tests.render.sample import sample


def _environment(rests_on: str, suffix: str) -> jinja2.Environment:
    """Its filter is computed when a template is compiled."""
    environment = jinja2.Environment(loader=jinja2.DictLoader({"a": '{{ "x" | ending }}'}), autoescape=True)
    environment.filters["ending"] = lambda text: f"{text}{suffix}"
    environment.bytecode_cache = CompiledTemplates(rests_on)
    return environment


def test_a_template_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _environment("once", "1").get_template("a").render() == "x1"

    def refuse(*_: object) -> str:
        raise AssertionError("compiled again")

    monkeypatch.setattr(jinja2.Environment, "_compile", refuse)
    assert _environment("once", "1").get_template("a").render() == "x1"
    with pytest.raises(AssertionError, match="compiled again"):
        _environment("another", "2").get_template("a")


def test_what_is_folded_in_is_that_of_the_environment() -> None:
    assert [_environment(each, each).get_template("a").render() for each in ("p", "q", "p")] == ["xp", "xq", "xp"]


def test_other_words_are_other_templates() -> None:
    """`"key" | both` is computed when a template is compiled."""
    texts = read_texts()
    changed = {lang: words | {"common.synthetic.mark": "!"} for lang, words in texts.items()}
    banners = [
        make_environment(words, sample().source.metrics).get_template("partials/synthetic.html.j2").render()
        for words in (texts, changed, texts)
    ]
    assert ["<strong>!</strong>" in banner for banner in banners] == [False, True, False]
