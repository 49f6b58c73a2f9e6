"""Findings that say the same many times are told once, and none is lost from the count."""

import pytest

from generator.errors import Finding, Place
from generator.finding_groups import ALIKE, EQUAL, grouped

RUNS = "batches/ctx/runs.jsonl"


def _unknown(line: int, found: str = "`fulll`") -> Finding:
    place = Place(RUNS, line, f"ctx-{line:04}", "variant")
    return Finding("RC202", "variant is one of the experiment's", place, "one of full", found, "correct the variant")


def _short(field: str) -> Finding:
    return Finding("RC109", "range", Place("metrics.yaml", field=field), "1 or more", "0", "correct it")


def test_a_few_equal_findings_stand_one_by_one() -> None:
    findings = [_unknown(line) for line in range(1, EQUAL + 1)]
    assert [str(group) for group in grouped(findings)] == [str(finding) for finding in findings]


def test_many_equal_findings_are_one_with_their_count_and_first_lines() -> None:
    findings = [_unknown(line) for line in range(3, 483)]
    (group,) = grouped(findings)
    first = ", ".join(str(line) for line in range(3, 23))
    assert str(group) == f"{findings[0]}\n  480 times, in lines {first} and 460 more"


def test_another_message_field_or_file_is_no_equal_finding() -> None:
    many = [_unknown(line) for line in range(10, 40)]
    other = [_unknown(5, "`ful`"), Finding("RC203", "case is in the bank", Place(RUNS, 12), "a", "b", "c")]
    groups = grouped([other[0], *many[:2], other[1], *many[2:]])
    assert [(group.finding, len(group.places)) for group in groups] == [(other[0], 1), (many[0], 30), (other[1], 1)]


def test_positions_in_a_list_do_not_make_findings_different() -> None:
    findings = [_short(f"metrics[{position}].since") for position in range(30)] + [_short("metrics[3].decimals")]
    group, single = grouped(findings)
    assert (len(group.places), len(single.places)) == (30, 1)
    fields = ", ".join(f"metrics[{position}].since" for position in range(20))
    assert str(group).endswith(f"  30 times, in fields {fields} and 10 more")


def test_one_line_may_break_a_rule_often() -> None:
    findings = [
        Finding("RC208", "amounts", Place(RUNS, 7, "r", f"trace[{step}].duration_ms"), "0", "a negative number", "null")
        for step in range(25)
    ]
    (group,) = grouped(findings)
    assert str(group).endswith("\n  25 times, in line 7")


@pytest.mark.parametrize("many", [ALIKE, ALIKE + 1, 5000])
def test_of_one_rule_in_one_file_so_many_are_shown_and_the_others_counted(many: int) -> None:
    findings = [_unknown(line, f"`v{line}`") for line in range(1, many + 1)]
    elsewhere = Finding("RC202", "variant", Place("batches/other/runs.jsonl", 1, "r", "variant"), "a", "b", "c")
    groups = grouped([*findings, elsewhere])
    assert sum(len(group.places) for group in groups) == many + 1
    assert len(groups) == min(many, ALIKE) + 1 + (many > ALIKE)
    assert [group.finding for group in groups[: ALIKE + 1]] == [*findings[:ALIKE], elsewhere]
    if many == ALIKE + 1:
        assert str(groups[-1]) == (
            f"{RUNS}  RC202 variant is one of the experiment's\n"
            f"  1 more like these, in line {many}; --format json lists all"
        )
