"""Coverage of a variant, counted by hand."""

from fractions import Fraction
from math import exp

import msgspec
import pytest

from generator.aggregate.behaviour import COVERAGES, DIMENSIONS
from generator.aggregate.made import Made
from generator.model.base import Json
from generator.model.batches import Versioned
from generator.model.behaviour import behaviour_of, boundaries
from generator.model.publication import CoverageSettings
from generator.model.rows import Behaviour, RunRow
from generator.model.source import Source
from generator.model.tools import Catalog
from tests.aggregate.build import make_batch, make_row, make_source
from tests.project.build import project, run_of

CATALOG = {
    "id": "shop",
    "version": 1,
    "tools": [
        {"name": "a", "description": {"zh": "甲", "en": "a"}, "parameters": {"n": {"minimum": 1, "maximum": 9}}},
        {"name": "b", "description": {"zh": "乙", "en": "b"}, "parameters": {"kind": {"enum": ["x", "y"]}}},
        {"name": "c", "description": {"zh": "丙", "en": "c"}},
    ],
}


def source(public: bool = True, models: tuple[str, ...] = ("m1", "m2")) -> Source:
    made = make_source()
    settings = CoverageSettings(state_scale=4, models=list(models))
    return msgspec.structs.replace(
        made,
        catalogs={"shop": msgspec.convert(CATALOG | {"public": public}, Catalog)},
        publication=msgspec.structs.replace(made.publication, coverage=settings),
    )


RUNS = [
    Behaviour("p1", ("a",), ("s1", "s2"), ("a.n = 1", "a.n = 5"), "m1"),
    Behaviour("p1", ("a", "b"), ("s1",), ('b.kind = "y"',), "m1"),
    Behaviour("p2", ("z",), ("s3",), (), "m3"),
]


def covered(name: str, runs: list[Behaviour] | None = None, of: Source | None = None) -> Made:
    batch = msgspec.structs.replace(make_batch(), catalog=Versioned(id="shop", version=1))
    rows: list[RunRow] = [
        msgspec.structs.replace(make_row(place), behaviour=behaviour)
        for place, behaviour in enumerate(RUNS if runs is None else runs)
    ]
    return COVERAGES[name](of or source(), batch, "full", rows)


def test_tools_of_the_catalogue() -> None:
    made = covered("coverage_tools")
    assert made.value == Fraction(2, 3)
    assert made.detail == {"reached": ["a", "b"], "outside": ["z"], "total": 3, "never": ["c"]}


def test_a_private_catalogue_is_not_named() -> None:
    private = source(public=False)
    tools, points = (covered(f"coverage_{name}", of=private).detail for name in ("tools", "boundaries"))
    assert (tools["never"], tools["total"]) == (None, 3)
    assert points == {"count": 2, "total": 4, "reached": None, "never": None}


def test_paths_by_chao1() -> None:
    # p1 twice, p2 once: two paths, one singleton, one doubleton, 2 + 1·0/(2·2) by the bias-corrected form.
    made = covered("coverage_paths")
    assert made.value == 1
    assert made.detail == {"observed": 2, "singletons": 1, "doubletons": 1, "estimated": 2, "classic": 2.5}
    alone = covered("coverage_paths", [Behaviour(f"p{place}") for place in range(3)])
    # Three singletons: 3 + 3·2/2.
    assert alone.value == pytest.approx(3 / 6)


def test_states_and_boundaries_and_models() -> None:
    assert float(covered("coverage_states").value or 0) == pytest.approx(1 - exp(-3 / 4))
    points = covered("coverage_boundaries")
    assert points.value == pytest.approx(2 / 4)
    assert points.detail["never"] == ["a.n = 9", 'b.kind = "x"']
    models = covered("coverage_models")
    assert models.value == pytest.approx(1 / 2)
    assert models.detail == {"reached": ["m1"], "outside": ["m3"], "total": 2, "never": ["m2"]}


def test_the_geometric_mean() -> None:
    parts = [float(covered(name).value or 0) for name in DIMENSIONS]
    product = 1.0
    for part in parts:
        product *= part
    assert float(covered("coverage").value or 0) == pytest.approx(product ** (1 / 5))


@pytest.mark.parametrize(
    ("name", "runs", "of", "reason"),
    [
        ("coverage_tools", [], None, "no_valid_runs"),
        ("coverage_paths", [Behaviour()], None, "no_record"),
        ("coverage_tools", None, make_source(), "catalog_unknown"),
        ("coverage_boundaries", None, make_source(), "schemas_unknown"),
        ("coverage_models", None, make_source(), "models_not_configured"),
        ("coverage", None, make_source(), "dimension_unknown"),
    ],
)
def test_what_is_unknown_is_null(name: str, runs: list[Behaviour] | None, of: Source | None, reason: str) -> None:
    made = covered(name, runs, of)
    assert (made.value, made.reason) == (None, reason)


def test_boundaries_of_a_schema() -> None:
    schemas: dict[str, dict[str, Json]] = {
        "text": {"type": "string", "minLength": 1},
        "list": {"type": "array", "minItems": 0, "maxItems": 3},
        "yes": {"type": "boolean"},
        "share": {"maximum": 1.0},
    }
    assert list(boundaries("t", schemas)) == [
        "t.text length 1",
        "t.list items 0",
        "t.list items 3",
        "t.yes = false",
        "t.yes = true",
        "t.share = 1",
    ]


def test_what_a_run_reached() -> None:
    call = {"kind": "tool", "tool": "a", "arguments": {"n": 2, "who": "li", "all": [1, 2], "deep": {"x": 1}}}
    trace = [{"kind": "model"}, call | {"status": "error"}, call | {"status": "ok"}]
    reached = behaviour_of(project(run_of(trace=trace, answer="done")))
    assert reached.tools == ("a",)
    assert reached.points == ("a.all items 2", "a.n = 2", 'a.who = "li"', "a.who length 2")
    assert reached.states == ("model clean 0", "tool a failed 1", "tool a failed 2")
    assert reached.path != behaviour_of(project(run_of(trace=trace, answer=None))).path
