from typing import cast

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.model.base import Json
from generator.model.projection import ProjectedField, Projection
from generator.views.configuration import (
    LONGEST_VALUE,
    ValueRow,
    flatten,
    published_paths,
    shown_values,
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


def _projection(*paths: str) -> Projection:
    fields = [ProjectedField(field=path, path=path, type="json") for path in paths]
    return Projection(version=1, fields=fields)


def test_the_whitelist_names_paths_by_key_and_by_any_key() -> None:
    shown = published_paths(_projection("config.*.model", "config.*.tools[]", "config.effective.limits.*"))
    assert shown("model")
    assert shown("tools[]")
    assert shown("limits.steps")
    assert not shown("limits.steps.most")
    assert not shown("modelx")
    assert not shown("secret.model")


def test_a_summarised_or_hashed_path_is_no_path_for_a_value() -> None:
    field = ProjectedField(field="config.*.prompt", path="config.*.prompt", type="text", treatment="hash")
    assert not published_paths(Projection(version=1, fields=[field]))("prompt")


def test_values_of_variants_are_withheld_where_the_whitelist_has_no_path() -> None:
    experiment = small_report().source.experiments[EXPERIMENT]
    path = experiment.independent_variable
    shown = variant_values(experiment, published_paths(_projection(f"config.*.{path}")))
    assert shown == [ValueRow(path, [["full"], ["budgeted"]])]
    assert variant_values(experiment, published_paths(_projection("config.*.model"))) == [ValueRow(path, [[], []])]


def test_an_object_is_shown_path_by_path_and_an_absent_path_is_none() -> None:
    experiment = small_report().source.experiments[EXPERIMENT]
    first, second = experiment.variants
    changed = msgspec.structs.replace(
        experiment,
        variants=[
            msgspec.structs.replace(first, value={"b": 1, "a": ["x", "y"]}),
            msgspec.structs.replace(second, value={"b": 2}),
        ],
    )
    path = experiment.independent_variable
    rows = variant_values(changed, lambda _path: True)
    assert rows == [ValueRow(f"{path}.a[]", [["x", "y"], None]), ValueRow(f"{path}.b", [["1"], ["2"]])]


def test_an_empty_list_shows_where_its_elements_would() -> None:
    is_published = published_paths(_projection("config.*.tools[]"))
    assert shown_values(["[]"], "tools", is_published) == ["[]"]
    assert shown_values(["[]"], "others", is_published) == []


def test_long_values_are_cut() -> None:
    assert value_words("x" * (LONGEST_VALUE + 1)) == "x" * LONGEST_VALUE + "…"
    assert value_words(None) == "null"
    assert value_words(0.7) == "0.7"


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", min_size=1, max_size=3), inner),
    max_leaves=12,
)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(_json)
def test_flattening_keeps_every_scalar(value: Json) -> None:
    def scalars(part: Json) -> int:
        if isinstance(part, dict) and part:
            return sum(scalars(inner) for inner in part.values())
        if isinstance(part, list) and part:
            return sum(scalars(inner) for inner in part)
        return 1

    assert len(list(flatten(value))) == scalars(value)
