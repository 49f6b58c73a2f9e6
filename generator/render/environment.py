r"""The one Jinja environment: strict, autoescaping, bilingual.

A page in one language is rendered with `lang` ("zh" or "en") in its context, a page that carries both languages without
it. `here` is the address of the page that is rendered, relative to the root of the site; links need it. In templates:

| call | gives |
|---|---|
| `t("key", name=value)` | the text in the page's language; on a bilingual page both, as spans |
| `both("key")`, `"key" \| both` | the text in both languages; a constant key costs nothing when the page is rendered |
| `record \| say` | a `Text` of the definitions that may hold configured values, in the page's language or both |
| `record \| say_prose` | a `Text` that holds none |
| `named("reasons", code)` | the text `reasons.<code>`, or the code itself where there is none |
| `number(n)` | the number, as a link to its page (`partials/number.html.j2`) |
| `part(n, "numerator", "#numerator")` | one count of a number, as a link to its runs |
| `was(n, value, numerator, denominator)` | what a number was before a restatement, as a reference |
| `link(path)`, `path \| relative(here)` | a link from this page |
| `page_link(path, label)` | a link from a bilingual page to a page of each language; a key, a `Text` or markup |
| `"key" \| label` | both languages as plain text, for attributes |
| `0.0015 \| configured` | a configured number with the decimals that it has, marked as a reference |
| `value \| ref` | a configured value, an id or a position, marked as a reference |
| `0.8 \| share`, `0.1 \| points` | a configured level as a percentage or in points, marked as a reference |
| `0.1 \| share_left`, `(0.8, 0.1) \| share_less` | 1 − level; the first level less the second |
| `text \| visible` | foreign text, escaped, hidden characters made visible |
| `text \| in_pre` | the same as the content of a `pre` |
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import lru_cache

import jinja2
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context
from markupsafe import Markup, escape

from generator.model.addresses import file_name, relative
from generator.model.base import LANGS, Lang, Text
from generator.model.formatting import configured_text, decimal_text, exact
from generator.model.metrics import MetricTable
from generator.model.numbers import Number
from generator.render.compiled import CompiledTemplates
from generator.render.escape import foreign, in_pre
from generator.render.marking import with_names, with_values
from generator.render.quantities import NumberText, counted_thing, earlier, number_text, part_text
from generator.resources import resource

Texts = dict[Lang, dict[str, str]]


class MissingText(KeyError):
    """A template asks for a text that the language files do not have."""


def printed(value: object) -> str:
    """What a template prints: markup and integers as they are, anything else escaped."""
    if value.__class__ is Markup:
        return value
    return str(value) if type(value) is int else escape(value)


class _Generator(CodeGenerator):
    """Prints through `printed` instead of `escape`, which copies markup each time: two thirds of the cost of a page
    that is made of finished blocks."""

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo) -> None:
        self.write("environment.printed(")
        if finalize.src is not None:
            self.write(finalize.src)


class Environment(jinja2.Environment):
    """Always escapes: a template has no way to switch it off."""

    code_generator_class = _Generator
    printed = staticmethod(printed)


def make_environment(texts: Texts, metrics: MetricTable) -> jinja2.Environment:
    """The environment of all templates. `texts` maps a language to its flat keys; `metrics` decides decimals."""
    environment = Environment(
        loader=jinja2.FileSystemLoader(resource("templates")),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    words = Words(texts)
    environment.bytecode_cache = CompiledTemplates(f"words {words.digest}")
    environment.filters |= {"visible": foreign, "in_pre": in_pre, "both": words.both, "relative": relative}
    environment.filters |= {"say": _say, "say_prose": _say_prose, "unseen": words.unseen, "ref": _ref}
    environment.filters["configured"] = _configured
    environment.filters |= {"share": _share, "points": _points, "anchor_of": file_name}
    environment.filters |= {"share_left": lambda level: _share_less((1, level)), "share_less": _share_less}
    environment.globals |= {"t": words.t, "both": words.both, "named": words.named, "link": _link}
    environment.globals["page_link"] = words.page_link
    environment.globals |= _number_macros(environment, words, metrics)
    return environment


class Words:
    """Texts of the interface, by key."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._both: dict[str, Markup] = {}

    @property
    def digest(self) -> str:
        return hashlib.sha256(json.dumps(self._texts, sort_keys=True).encode()).hexdigest()

    def in_language(self, lang: Lang, key: str, values: Mapping[str, object] | None = None) -> Markup:
        """One text, escaped; `{name}` in it is replaced by the escaped value of that name, a `Text` by its half, digits
        in it marked."""
        try:
            text = self._texts[lang][key]
        except KeyError:
            raise MissingText(f"{key} ({lang})") from None
        if not values:
            return escape(text)
        halves = {
            name: with_values(value.in_language(lang)) if isinstance(value, Text) else value
            for name, value in values.items()
        }
        return escape(text).format(**halves)

    def both(self, key: str, /, **values: object) -> Markup:
        """The text in both languages, as spans."""
        if values:
            return spans(self.in_language("zh", key, values), self.in_language("en", key, values))
        found = self._both.get(key)
        if found is None:
            found = self._both[key] = spans(self.in_language("zh", key), self.in_language("en", key))
        return found

    def unseen(self, key: str, anchor: str) -> Markup:
        """The name of a region that names itself by this anchor: an attribute would hold one language, or a muddle."""
        return Markup('<span class="st-unseen" id="{}">{}</span>').format(anchor, self.both(key))

    @jinja2.pass_context
    def page_link(self, context: Context, path: str, label: str | Text | Markup) -> Markup:
        """`english` in the context is the folder of the English pages, empty where there are none."""
        here = _here(context)
        zh, en = (self._half(lang, label) for lang in LANGS)
        link = '<a lang="zh-CN" href="{}">{}</a><a lang="en" href="{}">{}</a>'
        return Markup(link).format(relative(path, here), zh, relative(f"{context['english']}{path}", here), en)

    def _half(self, lang: Lang, label: str | Text | Markup) -> Markup:
        if isinstance(label, Text):
            return with_names(label.in_language(lang))
        return label if isinstance(label, Markup) else self.in_language(lang, label)

    def has(self, key: str) -> bool:
        return key in self._texts["zh"]

    def say(self, lang: Lang | None, key: str, values: Mapping[str, object] | None = None) -> Markup:
        """In one language, or in both where there is none."""
        return self.both(key, **(values or {})) if lang is None else self.in_language(lang, key, values)

    @jinja2.pass_context
    def t(self, context: Context, key: str, /, **values: object) -> Markup:
        return self.say(context.get("lang"), key, values)

    @jinja2.pass_context
    def named(self, context: Context, group: str, code: str) -> Markup:
        return self.name_of(group, code, context.get("lang"))

    def label(self, group: str, code: str) -> Markup:
        """As `name_of` in both languages, with the colon of each."""
        key = f"{group}.{code}"
        if not self.has(key):
            return self.name_of(group, code) + self.both("common.colon")
        return spans(*(self.in_language(lang, key) + self.in_language(lang, "common.colon") for lang in LANGS))

    def name_of(self, group: str, code: str, lang: Lang | None = None) -> Markup:
        """The text of a code that may come from outside; the code itself where there is no text."""
        key = f"{group}.{code}"
        return self.say(lang, key) if self.has(key) else Markup('<code class="ref">{}</code>').format(foreign(code))


def spans(zh: Markup, en: Markup) -> Markup:
    """Both languages side by side, each with its `lang`; once where they are equal. The style sheet shows one."""
    return zh if zh == en else Markup(f'<span lang="zh-CN">{zh}</span><span lang="en">{en}</span>')


def say_text(text: Text, lang: Lang | None, marked: Callable[[str], Markup] = with_values) -> Markup:
    """A text of the definitions, in one language or in both."""
    return spans(marked(text.zh), marked(text.en)) if lang is None else marked(text.in_language(lang))


@jinja2.pass_context
def _say(context: Context, text: Text) -> Markup:
    return say_text(text, context.get("lang"))


@jinja2.pass_context
def _say_prose(context: Context, text: Text) -> Markup:
    return say_text(text, context.get("lang"), with_names)


@jinja2.pass_context
def _link(context: Context, path: str) -> str:
    return relative(path, _here(context))


def _ref(value: object) -> Markup:
    return Markup('<span class="ref">{}</span>').format(value)


def _configured(value: float) -> Markup:
    return _ref(configured_text(value))


def _share(level: float) -> Markup:
    return _share_less((level, 0))


def _share_less(levels: tuple[float, float]) -> Markup:
    share = (exact(levels[0]) - exact(levels[1])) * 100
    return _ref(f"{decimal_text(share, 0 if share.denominator == 1 else 1)}%")


def _points(level: float) -> Markup:
    share = exact(level) * 100
    return _ref(decimal_text(share, 0 if share.denominator == 1 else 1))


def _here(context: Context) -> str:
    here = context.get("here")
    if not isinstance(here, str):
        raise jinja2.UndefinedError("a page that links needs its own address, `here`")
    return here


def _number_macros(
    environment: jinja2.Environment, words: Words, table: MetricTable
) -> dict[str, Callable[..., Markup]]:
    """`number` and `part`, bound to the language and address of the page that calls them."""

    decimals = {metric.id: metric.decimals for metric in table.metrics}
    of_cases = {metric.id for metric in table.metrics if metric.aggregate == "pass_hat"}
    texts: dict[int, tuple[Number, NumberText]] = {}

    def text_of(shown: Number) -> NumberText:
        """Made once a number: it stands on many pages, and exact arithmetic is slow. Kept with its number, whose
        identity it is found by."""
        found = texts.get(id(shown))
        if found is None:
            found = texts[id(shown)] = (shown, number_text(shown, decimals[shown.metric]))
        return found[1]

    @lru_cache(maxsize=1)
    def macros() -> dict[str, Callable[..., Markup]]:
        return vars(environment.get_template("partials/number.html.j2").make_module())

    @jinja2.pass_context
    def number(context: Context, shown: Number, *, count: bool = True, interval: bool = True) -> Markup:
        lang: Lang | None = context.get("lang")
        text = text_of(shown)
        href = relative(shown.page, _here(context)) + ("#en" if lang == "en" else "")
        unit = None if text.unit is None else words.say(lang, text.unit)
        shown_count, shown_interval = text.count if count else None, text.interval if interval else None
        # Every other sample is one of runs.
        counted = counted_thing(shown, of_cases)
        sample = None if counted is None else words.say(lang, f"common.unit.{counted}")
        return macros()["number"](shown.id, href, text.value, unit, shown_count, sample, shown_interval)

    @jinja2.pass_context
    def part(context: Context, shown: Number, name: str, href: str) -> Markup:
        return macros()["part"](shown.id, name, href, part_text(shown, name, decimals[shown.metric]))

    @jinja2.pass_context
    def was(
        context: Context, shown: Number, value: int | float | None, numerator: int | None, denominator: int | None
    ) -> Markup:
        text = number_text(earlier(shown, value, numerator, denominator), decimals[shown.metric])
        unit = "" if text.unit is None else words.say(context.get("lang"), text.unit)
        sample = words.say(context.get("lang"), "common.unit.cases") if text.count and shown.metric in of_cases else ""
        parts = [part for part in (text.value, unit, text.count, sample) if part]
        return Markup('<span class="ref">{}</span>').format(Markup(" ").join(parts))

    return {"number": number, "part": part, "was": was}
