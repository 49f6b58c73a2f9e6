from typing import cast

import msgspec

from generator.model.base import Json
from generator.model.evidence import treated
from generator.model.rows import PublishedConfig
from generator.views.configuration import (
    ABSENT_VALUE,
    LONGEST_VALUE,
    WITHHELD,
    ShownValue,
    ValueRow,
    shown_value,
    value_words,
    variant_values,
)
from generator.views.experiments import experiment_entries, experiment_views
from generator.views.frame import PageView
from tests.views.reports import EXPERIMENT, UNPUBLISHED, small_report, with_experiment


def _views() -> dict[str, PageView]:
    return {view.path: view for view in experiment_views(small_report(), "en")}


def test_a_template_is_published_once_it_has_a_batch() -> None:
    states = {entry.experiment.id: entry.state for entry in experiment_entries(small_report())}
    assert states == {EXPERIMENT: "published", UNPUBLISHED: "unpublished"}


def test_a_private_experiment_shows_none_of_its_batches() -> None:
    report = small_report()
    private = msgspec.structs.replace(report.source.experiments[EXPERIMENT], visibility="private")
    entry = experiment_entries(with_experiment(report, private))[0]
    assert (entry.state, entry.batches) == ("private", [])


def test_only_a_published_experiment_has_batches_on_its_page() -> None:
    views = _views()
    assert len(cast(list[object], views[f"experiments/{EXPERIMENT}.html"].context["batches"])) == 1
    assert views[f"experiments/{UNPUBLISHED}.html"].context["batches"] == []


def _declared(*configs: PublishedConfig) -> list[ValueRow]:
    experiment = small_report().source.experiments[EXPERIMENT]
    variants = [variant.id for variant in experiment.ordered_variants]
    return variant_values(experiment, dict(zip(variants, configs, strict=True)))


def test_values_of_variants_are_those_that_are_published() -> None:
    (row,) = variant_values(small_report().source.experiments[EXPERIMENT], small_report().declared[EXPERIMENT])
    assert row == ValueRow("context.strategy", [ShownValue("value", "full"), ShownValue("value", "budgeted")])


def test_values_that_are_not_published_are_withheld() -> None:
    keys = ("context", "strategy")
    withheld = PublishedConfig({}, {keys: "context.strategy"})
    assert _declared(withheld, withheld) == [ValueRow("context.strategy", [WITHHELD, WITHHELD])]
    mixed = _declared(PublishedConfig({keys: "full"}), withheld)
    assert mixed == [ValueRow("context.strategy", [ShownValue("value", "full"), WITHHELD])]
    assert variant_values(small_report().source.experiments[EXPERIMENT], {}) == []


def test_names_below_the_independent_variable_are_withheld_with_their_values() -> None:
    first = PublishedConfig({("context", "strategy", "b"): 1}, {("context", "strategy", "secret", "key"): "x"})
    second = PublishedConfig({("context", "strategy", "b"): 2})
    assert _declared(first, second) == [
        ValueRow("context.strategy.b", [ShownValue("value", "1"), ShownValue("value", "2")]),
        ValueRow("context.strategy.*", [WITHHELD, ABSENT_VALUE]),
    ]


def test_treated_texts_show_their_beginning_or_their_hash() -> None:
    keys = ("a",)

    def shown(text: str | None, sha256: str | None) -> ShownValue:
        value = treated(text=text, truncated=True, length=70, sha256=sha256)
        return shown_value(PublishedConfig({keys: value}), keys)

    assert shown("begin", "ab") == ShownValue("value", "begin…")
    assert shown(None, "ab") == ShownValue("hash", "sha256:ab")
    assert shown(None, None) == WITHHELD


def test_words_tell_values_of_different_types_apart() -> None:
    values: list[Json] = [
        1,
        "1",
        True,
        "true",
        None,
        "null",
        "",
        " ",
        [],
        "[]",
        ["a"],
        ["b", "a"],
        ["a", "b"],
        {},
        "{}",
    ]
    words = [value_words(value) for value in values]
    assert len(set(words)) == len(words)
    assert value_words(["get_quote", 1, ["x"]]) == "[get_quote, 1, [x]]"
    assert value_words("recent-n") == "recent-n"


def test_long_values_are_cut() -> None:
    assert value_words("x" * (LONGEST_VALUE + 1)) == "x" * LONGEST_VALUE + "…"
    assert value_words(None) == "null"
    assert value_words(0.7) == "0.7"
