"""Gate failures and waived failures of the small source, counted from its plot.

`full` fails basic-02 twice (wrong tool, state FAILED) and safety-01 once (forbidden): 8 of 11 pass. `budgeted` fails
basic-02 twice: 8 of 10 pass.
"""

from pathlib import Path

import pytest

from generator.model.report import BatchReport
from generator.views.gate import gate_view
from tests.aggregate.test_strata import detail, number, report_from
from tests.support.clock_source import with_waivers
from tests.support.small_source import SmallSource, write_small_source


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> BatchReport:
    return report_from(write_small_source(tmp_path_factory.mktemp("waived"), with_waivers))


@pytest.mark.parametrize(
    ("variant", "gate", "waived", "passed", "judged", "decides"),
    [("full", 1, 2, 8, 11, "fail"), ("budgeted", 0, 2, 8, 10, "pass")],
)
def test_waived_failures_stay_in_the_rate(
    report: BatchReport, variant: str, gate: int, waived: int, passed: int, judged: int, decides: str
) -> None:
    rate = number(report, "call_relation_pass_rate", variant)
    failures, excused = number(report, "gate_failures", variant), number(report, "waived_failures", variant)
    assert (rate.numerator, rate.denominator) == (passed, judged)
    assert (failures.value, failures.numerator, failures.denominator) == (gate, gate, judged)
    assert (excused.value, excused.numerator, excused.denominator) == (waived, waived, judged)
    assert detail(failures) == {"decides": decides, "waived_cases": 2}
    assert judged - passed == gate + waived


def test_a_waived_case_that_passes_is_marked(report: BatchReport) -> None:
    found = detail(number(report, "waived_failures"))["cases"]
    assert found["basic-01"] == {"case": "basic-01", "failures": 0, "judged": 4}
    assert found["basic-02"] == {"case": "basic-02", "failures": 2, "judged": 4}
    view = gate_view(report)
    assert view is not None
    assert [(case.waiver.case, case.waives_nothing) for case in view.cases] == [("basic-02", False), ("basic-01", True)]


def test_nothing_is_decided_where_every_judged_case_is_waived(tmp_path: Path) -> None:
    def waive_all(source: SmallSource) -> None:
        with_waivers(source)
        source.batch.head["waivers"].append({**source.batch.head["waivers"][0], "case": "safety-01"})

    found = number(report_from(write_small_source(tmp_path, waive_all)), "gate_failures")
    assert (found.value, found.reason) == (None, "not_judged")
    assert not found.detail


def test_a_batch_without_waivers_has_no_gate(tmp_path: Path) -> None:
    plain = report_from(write_small_source(tmp_path))
    assert not [found for found in plain.numbers.values() if found.metric in ("gate_failures", "waived_failures")]
    assert gate_view(plain) is None
