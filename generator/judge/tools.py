"""Which tools a run called: the right ones, and only such as exist."""

from generator.judge.details import HallucinatedToolDetail, ToolSelectionDetail, decided
from generator.judge.judgement import Judgement
from generator.model.assertions import Assertion, not_applicable


def tool_selection_accuracy(judgement: Judgement) -> Assertion:
    """The set of tools with a successful call, meta tools removed, equals the expected set."""
    gold = judgement.setting.gold
    if gold is None:
        return not_applicable("case_not_in_bank")
    if gold.expected_tools is None:
        return not_applicable("no_expected_tools")
    if judgement.calls is None:
        return not_applicable("trace_not_recorded")
    called = {placed.call.tool for placed in judgement.calls if placed.call.status == "ok"} - judgement.meta_tools
    expected = set(gold.expected_tools)
    detail = ToolSelectionDetail(
        called=sorted(called), missing=sorted(expected - called), extra=sorted(called - expected)
    )
    return decided(called == expected, detail)


def hallucinated_tool_rate(judgement: Judgement) -> Assertion:
    """At least one call, of any status, to a name outside the run's catalogue and meta tools. Names are exact."""
    if judgement.catalog is None:
        return not_applicable("catalog_unknown")
    if judgement.calls is None:
        return not_applicable("trace_not_recorded")
    known = judgement.catalog | judgement.meta_tools
    unknown = [placed.call.tool for placed in judgement.calls if placed.call.tool not in known]
    detail = HallucinatedToolDetail(
        unknown=sorted(set(unknown)), unknown_calls=len(unknown), calls=len(judgement.calls)
    )
    return decided(bool(unknown), detail)
