"""What a finding says: the options complete, the one that was probably meant, and never `one of none`."""

from pathlib import Path
from typing import Any

import pytest

from generator.errors import Finding
from tests.support.checking import findings_of
from tests.support.small_source import SmallSource, config_hash, write_small_source
from tests.validate.rule_cases import Edit, both, put

Dict = dict[str, Any]
TOOLS = "search_docs, get_price, get_stock, get_account_note, place_order"


def _only(code: str, edit: Edit, tmp_path: Path) -> Finding:
    """The one finding of that code."""
    (found,) = [finding for finding in findings_of(write_small_source(tmp_path, edit)) if finding.code == code]
    return found


def _head(source: SmallSource) -> Dict:
    return source.batch.head


def _case(source: SmallSource) -> Dict:
    case: Dict = source.cases["bank-small"]["cases"][0]
    return case


def _experiment(source: SmallSource) -> Dict:
    return source.experiment()


def _run(source: SmallSource) -> Dict:
    return source.batch.runs[0]


NAMES: list[tuple[str, Edit, str, str]] = [
    ("RC105", put(_experiment, "main_metrics", ["AVG_Turns"]), "", "avg_turns"),
    ("RC111", put(_experiment, "baseline", "Full"), "one of full, budgeted", "full"),
    ("RC120", put(_case, "category", "basik"), "one of basic, safety", "basic"),
    ("RC121", put(lambda s: _case(s)["gold"]["required_dependencies"][0], "from", "fnd"), "one of find, price", "find"),
    (
        "RC123",
        put(lambda s: _case(s)["gold"], "expected_tools", ["get_prise"]),
        f"a tool of catalogs/shop.yaml: {TOOLS}",
        "get_price",
    ),
    ("RC123", put(lambda s: s.catalogs["shop"]["presets"], "no-price", ["getprice"]), f"one of {TOOLS}", "get_price"),
    ("RC125", put(_case, "session", "sesion-small"), "one of session-small", "session-small"),
    ("RC130", put(lambda s: s.projection["fields"][0], "path", "run_ids"), "", "run_id"),
    ("RC134", put(lambda s: s.projection["fields"][-1], "field", "telemetri.x"), "", "telemetry"),
    ("RC202", put(_run, "variant", "bugdeted"), "one of full, budgeted", "budgeted"),
    ("RC203", put(_run, "case_id", "basic_01"), "a case of cases/bank-small.yaml", "basic-01"),
    (
        "RC301",
        put(_head, "experiment", "context-strategy"),
        "one of context-strategy-comparison, temperature-stability",
        "context-strategy-comparison",
    ),
    ("RC304", put(_head, "case_bank", {"id": "bank-smal", "version": 1}), "one of bank-small", "bank-small"),
    (
        "RC305",
        lambda s: _head(s)["planned"]["cases"].append("safety_01"),
        "one of basic-01, basic-02, safety-01",
        "safety-01",
    ),
    ("RC306", put(lambda s: _head(s)["skipped"][0], "variant", "budgetd"), "one of full, budgeted", "budgeted"),
    ("RC319", put(lambda s: _head(s)["variant_catalogs"], "ful", []), "one of full, budgeted", "full"),
    (
        "RC319",
        put(lambda s: _head(s)["variant_catalogs"], "full", ["get_stok"]),
        f"tools of catalogs/shop.yaml: {TOOLS}",
        "get_stock",
    ),
    ("RC316", put(_experiment, "independent_variable", "context.stratgy"), "", "context.strategy"),
]


@pytest.mark.parametrize(
    ("code", "edit", "expected", "meant"), NAMES, ids=[f"{code} {meant}" for code, _, _, meant in NAMES]
)
def test_an_unknown_name_lists_the_options_and_suggests_the_closest(
    code: str, edit: Edit, expected: str, meant: str, tmp_path: Path
) -> None:
    findings = [found for found in findings_of(write_small_source(tmp_path, edit)) if found.code == code]
    assert findings
    assert findings[0].remedy.startswith(f"did you mean `{meant}`? If not, ")
    assert expected in ("", findings[0].expected)


def _without_definitions(source: SmallSource) -> None:
    for folder in (source.catalogs, source.fixtures, source.sessions, source.cases):
        folder.clear()
    source.experiments.clear()


def test_where_there_is_no_option_that_is_said(tmp_path: Path) -> None:
    edit = both(put(_case, "session", "any"), _without_definitions)
    findings = findings_of(write_small_source(tmp_path, edit))
    expected = {(found.code, found.place.field): found.expected for found in findings}
    assert expected["RC301", "experiment"] == "an experiment of experiments.yaml, of which there is none"
    assert expected["RC304", "catalog.id"] == "a file of catalogs/, of which there is none"
    assert expected["RC304", "fixtures.id"] == "a file of fixtures/, of which there is none"
    assert expected["RC304", "case_bank.id"] == "a file of cases/, of which there is none"
    assert not [found for found in findings if "one of none" in found.expected]


def test_nothing_close_is_no_suggestion(tmp_path: Path) -> None:
    found = _only("RC301", put(_head, "experiment", "zzz"), tmp_path)
    assert found.remedy == "correct the id, or register the experiment in experiments.yaml"


def test_a_private_path_is_named_as_such_and_nothing_is_suggested(tmp_path: Path) -> None:
    found = _only("RC130", put(lambda s: s.projection["fields"][-1], "path", "private.trace"), tmp_path)
    assert found.found == "`private.trace`, which is never published"
    assert found.remedy == "name a field that runs have and that may be read by everybody"


@pytest.mark.parametrize(
    ("code", "edit", "expected", "found"),
    [
        (
            "RC104",
            put(lambda s: s.metric("avg_turns"), "p", 0.5),
            "no `p`: only quantile has one",
            "`p` with the aggregate mean",
        ),
        (
            "RC122",
            put(lambda s: _case(s)["gold"], "key_facts", [{"id": "a", "values": ["1", " "]}]),
            "at least one value, none of them blank",
            "a blank one",
        ),
        (
            "RC132",
            lambda s: s.projection["fields"].append(
                {
                    "field": "trace[].x",
                    "path": "trace[].result",
                    "type": "json",
                    "treatment": "summarise",
                    "limit": 9999,
                }
            ),
            "`summarise` with a limit of at most 2000, or `hash`",
            "`summarise` with a limit of 9999",
        ),
        (
            "RC206",
            both(
                put(_run, "config_hash", "sha256:" + "0" * 64),
                put(lambda s: _run(s)["config"]["effective"]["limits"], "big", 2**60),
            ),
            "values that RFC 8785 can write",
            "an integer beyond 2^53",
        ),
        (
            "RC209",
            put(lambda s: _run(s)["trace"][0], "started_at", "2026-02-30T08:01:00Z"),
            "YYYY-MM-DDThh:mm:ssZ",
            "a day or an hour that does not exist",
        ),
        ("RC210", put(_run, "extra", {"reward": [1]}), "a number or null", "a list"),
        ("RC210", put(_run, "extra", {"passed": "yes"}), "true or false", "a text"),
        ("RC210", put(_run, "extra", {"verdicts": [1]}), "a list of true and false", "a list with something else"),
        (
            "RC306",
            put(lambda s: _head(s)["skipped"][0], "repeat_index", 4),
            "0 to 3",
            "4",
        ),
        (
            "RC401",
            lambda s: s.publication["published"].append(dict(s.publication["published"][0])),
            "each batch once",
            "`ctx-small` again, as in published[0]",
        ),
    ],
)
def test_what_was_found_is_said(code: str, edit: Edit, expected: str, found: str, tmp_path: Path) -> None:
    finding = _only(code, edit, tmp_path)
    assert (finding.expected, finding.found) == (expected, found)


def test_a_run_outside_the_grid_says_what_was_not_planned(tmp_path: Path) -> None:
    def edit(source: SmallSource) -> None:
        _head(source)["planned"]["cases"].remove("basic-02")

    findings = findings_of(write_small_source(tmp_path, edit))
    outside = [found for found in findings if found.code == "RC309"]
    assert outside[0].found.endswith(", of which `basic-02` is not in planned.cases")


def test_the_hash_of_the_requested_configuration_is_recognised(tmp_path: Path) -> None:
    def edit(source: SmallSource) -> None:
        _run(source)["config_hash"] = config_hash(_run(source)["config"]["requested"])

    assert _only("RC207", edit, tmp_path).found.endswith(", the hash of the requested configuration")
