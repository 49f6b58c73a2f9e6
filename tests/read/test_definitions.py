"""Every error of a definition at once, with place, options and suggestion."""

import datetime
from typing import Any, Literal

import pytest
from msgspec import inspect

from generator.model import batches, cases, experiments, metrics, projection, publication, runs, tools
from generator.model.base import Definition, Json, Text
from generator.model.register import EvidenceData
from generator.read.definitions import check_stem, read_definition
from generator.read.types import described


class Inner(Definition, frozen=True, kw_only=True):
    id: str
    size: int = 0


class Outer(Definition, frozen=True, kw_only=True):
    name: Text
    kind: Literal["one", "two"]
    since: datetime.date
    ratio: float | None = None
    inner: list[Inner] = []
    values: list[str | int | float] = []
    by_name: dict[str, int] = {}
    anything: Json = None
    switch: bool = False
    languages: tuple[Literal["zh", "en"], ...] = ()


GOOD = "name: {zh: 名, en: name}\nkind: one\nsince: 2026-11-30\n"


def _problems(text: str) -> list[tuple[str, str, str, str]]:
    record, findings = read_definition("d.yaml", text.encode(), Outer)
    assert record is None
    return [(finding.code, str(finding.place), finding.expected, finding.found) for finding in findings]


def test_what_is_wrong_everywhere_is_told_a_thousand_times() -> None:
    raw = f"{GOOD}inner: [{'1, ' * 5000}]".encode()
    _, findings = read_definition("d.yaml", raw, Outer)
    assert [finding.code for finding in findings] == ["RC008"] * 1000 + ["RC029"]


def test_quoted_values_are_printable() -> None:
    raw = GOOD + 'by_name: {a: "\\0\\u202e⟦", b: "\\x1b[2J"}'
    _, findings = read_definition("d.yaml", raw.encode(), Outer)
    assert [finding.found for finding in findings] == ["a text (`⟦U+0000⟧⟦U+202E⟧⟦`)", "a text (`⟦U+001B⟧[2J`)"]


def test_good_definition_is_typed() -> None:
    more = (
        "ratio: 1\ninner: [{id: a}]\nvalues: [1, 1.5, x]\nby_name: {no: 1}\nanything: {a: [1]}\nlanguages: [en, zh]\n"
    )
    record, findings = read_definition("d.yaml", (GOOD + more).encode(), Outer)
    assert findings == []
    assert record == Outer(
        name=Text(zh="名", en="name"),
        kind="one",
        since=datetime.date(2026, 11, 30),
        ratio=1.0,
        inner=[Inner(id="a")],
        values=[1, 1.5, "x"],
        by_name={"no": 1},
        anything={"a": [1]},
        languages=("en", "zh"),
    )


def test_all_errors_come_at_once() -> None:
    text = "name: {zh: 名}\nkind: on\nsince: 2026-02-30\nratio: x\ninner:\n - {id: 1.10, sise: 2}\n - 3\nswitch: no\n"
    inner_keys = "one of the keys id, size"
    assert _problems(text) == [
        ("RC011", "d.yaml:1  name.en", "a text", "no such key"),
        ("RC009", "d.yaml:2  kind", "one of one, two", "a text (`on`)"),
        ("RC008", "d.yaml:3  since", "a date (YYYY-MM-DD)", "a text (`2026-02-30`)"),
        ("RC008", "d.yaml:4  ratio", "a number or nothing", "a text (`x`)"),
        ("RC008", "d.yaml:6  inner[0].id", "a text", "a number with a fraction (`1.1`)"),
        ("RC010", "d.yaml:6  inner[0].sise", inner_keys, "`sise`"),
        ("RC008", "d.yaml:7  inner[1]", "an object with id", "an integer (`3`)"),
        ("RC008", "d.yaml:8  switch", "true or false", "a text (`no`)"),
    ]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("values: [true]", ("RC008", "d.yaml:4  values[0]", "a text or a number", "true or false (`true`)")),
        ("by_name: {a: 1.5}", ("RC008", "d.yaml:4  by_name.a", "an integer", "a number with a fraction (`1.5`)")),
        ("by_name: [1]", ("RC008", "d.yaml:4  by_name", "an object", "a list")),
        ("inner: {id: a}", ("RC008", "d.yaml:4  inner", "a list", "an object")),
        ("inner:", ("RC008", "d.yaml:4  inner", "a list", "nothing")),
        ("languages: [fr]", ("RC009", "d.yaml:4  languages[0]", "one of en, zh", "a text (`fr`)")),
    ],
)
def test_wrong_type(line: str, problem: tuple[str, str, str, str]) -> None:
    assert _problems(GOOD + line) == [problem]


@pytest.mark.parametrize(
    ("key", "remedy"), [("ratoi: 1", "did you mean `ratio`?"), ("zzz: 1", "remove it, or correct its spelling")]
)
def test_unknown_key_suggests_a_close_one(key: str, remedy: str) -> None:
    _, (finding,) = read_definition("d.yaml", (GOOD + key).encode(), Outer)
    assert finding.remedy == remedy
    assert finding.expected == (
        "one of the keys name, kind, since, ratio, inner, values, by_name, anything, switch, languages"
    )


def test_option_suggests_a_close_one() -> None:
    _, (finding,) = read_definition("d.yaml", GOOD.replace("one", "onee").encode(), Outer)
    assert str(finding) == (
        "d.yaml:2  kind  RC009 value is one of the allowed options\n"
        "  expected one of one, two, found a text (`onee`)\n"
        "  did you mean `one`?"
    )


def test_number_where_text_is_expected_asks_for_quotes() -> None:
    _, (finding,) = read_definition("d.yaml", (GOOD + "inner: [{id: 1}]").encode(), Outer)
    assert finding.remedy == "write it in quotes"


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("", "the file is empty: write its content"),
        (GOOD + "inner:", "write a value, or remove the key"),
        (GOOD + "inner: a", "write a list, also for one entry: [a]"),
        (GOOD + "inner: [a]", "write it as {id: …}"),
        (GOOD + "by_name: [1]", "write an object: {key: value}"),
        (GOOD + "switch: no", "write true or false, without quotes"),
        (GOOD + "ratio: 5%", "write the number without quotes or units"),
        (GOOD.replace("2026-11-30", "30.11.2026"), "write a day that exists, such as 2026-11-30"),
        (GOOD.replace("{zh: 名, en: name}", "name"), "write it as {zh: …, en: …}"),
    ],
)
def test_a_wrong_type_says_what_to_write(text: str, remedy: str) -> None:
    _, (finding,) = read_definition("d.yaml", text.encode(), Outer)
    assert (finding.code, finding.remedy) == ("RC008", remedy)


@pytest.mark.parametrize("text", ["", "- a", "x"])
def test_whole_file_of_another_kind(text: str) -> None:
    ((code, place, expected, _),) = _problems(text)
    assert (code, place, expected) == ("RC008", "d.yaml:1" if text else "d.yaml", "an object with name, kind, since")


def test_stem() -> None:
    assert check_stem("a", "a", "cases/a.yaml") == []
    (finding,) = check_stem("a", "b", "cases/b.yaml")
    assert (finding.code, finding.expected, finding.found) == ("RC012", "`b`", "`a`")


def test_record_types_are_all_understood() -> None:
    """A type of the model that the walk does not know would pass in silence."""
    known = (
        inspect.AnyType,
        inspect.BoolType,
        inspect.DateType,
        inspect.DictType,
        inspect.FloatType,
        inspect.IntType,
        inspect.ListType,
        inspect.LiteralType,
        inspect.NoneType,
        inspect.StrType,
        inspect.StructType,
        inspect.UnionType,
        inspect.VarTupleType,
    )
    pending: list[Any] = [
        described(type_)
        for type_ in (
            batches.Batch,
            cases.CaseBank,
            cases.Session,
            experiments.Experiment,
            metrics.MetricTable,
            projection.Projection,
            publication.Publication,
            runs.Run,
            tools.Catalog,
            tools.FixtureSet,
            tools.Policy,
            tools.Redaction,
        )
    ]
    while pending:
        info = pending.pop()
        assert isinstance(info, known), info
        pending += [field.type for field in getattr(info, "fields", ())]
        pending += getattr(info, "types", ())
        pending += [getattr(info, name) for name in ("item_type", "value_type", "key_type") if hasattr(info, name)]


def test_a_row_of_a_frequency_table_is_a_value_and_a_count() -> None:
    head = "tables: [{id: t, name: {zh: 表, en: table}, counts: records, unit: ms, rows: "
    rows = "[[0, 1], ['0.5', 2], [null, 3]]"
    record, findings = read_definition("evidence/a.yaml", f"{head}{rows}}}]".encode(), EvidenceData)
    assert findings == []
    assert record is not None
    assert record.tables[0].rows == [(0, 1), ("0.5", 2), (None, 3)]
    for row, found in (("[1]", "a list of 1"), ("7", "an integer (`7`)"), ("[1, x]", "a text (`x`)")):
        _, findings = read_definition("evidence/a.yaml", f"{head}[{row}]}}]".encode(), EvidenceData)
        assert [(wrong.code, wrong.found) for wrong in findings] == [("RC008", found)]
    _, findings = read_definition("evidence/a.yaml", f"{head}[[0.5, 1]]}}]".encode(), EvidenceData)
    assert [wrong.remedy for wrong in findings] == ["write it in quotes"]
