"""JUnit XML, as pytest, jest, go and many others write it: `testsuites/testsuite/testcase`.

| recorded | becomes |
| --- | --- |
| property `case_id` or `case`; without one `classname::name` | case |
| property `variant`; in a file without any the file's stem | configuration |
| property `repeat`, else the place among the test cases of that cell | repeat |
| batch, file stem, variant, case, repeat | run id |
| no child | COMPLETE, passed |
| `failure` | FAILED, `assertion_failed`, not passed |
| `error`, also beside a failure | INVALID |
| `skipped`, also of an expected failure | a planned cell without a run |
| `time` (s) | duration |
| properties `prompt_tokens`, `completion_tokens`, `cost_usd`, `model` | usage, configuration |
| any other property, messages, stack traces, `system-out`, `system-err`, `hostname` | never written |
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from generator.errors import Finding, Place
from generator.model.base import Json
from generator.model.imported import ImportOptions
from generator.model.runs import State, Timing, Usage
from generator.read.importers.beginning import Beginning
from generator.read.importers.capabilities import YES, no, part
from generator.read.importers.dates import first_day
from generator.read.importers.files import ForeignFile, visible
from generator.read.importers.harness import Harness, HarnessFile, HarnessRun, crash_reason, missing
from generator.read.importers.importer import Importer, ReadResult
from generator.read.importers.junit_file import load_junit
from generator.read.importers.repeats import Repeats
from generator.read.importers.values import as_list, as_object, as_text, drop_absent

HARNESS = Harness("junit", "JUnit XML")
PROPERTIES = ("case_id", "case", "variant", "repeat", "model", "prompt_tokens", "completion_tokens", "cost_usd")
UNNAMED = "unnamed"
_PER_SECOND = 1000
_SKIPPED = "skipped"


@dataclass
class _Variant:
    """The test cases of one variant and model. `skipped` are cells that were planned and not run."""

    name: str
    model: str | None
    runs: list[HarnessRun] = field(default_factory=list)
    cases: dict[str, Json] = field(default_factory=dict)
    repeats: int = 0


def _read(foreign: list[ForeignFile], options: ImportOptions) -> ReadResult:
    files: list[HarnessFile] = []
    findings: list[Finding] = []
    for file in foreign:
        found, problems = _variants(file, options)
        findings += problems
        suites = [as_object(suite) for suite in as_list(as_object(file.value)["suites"])]
        files += [
            HarnessFile(
                source=file.source,
                effective=drop_absent(harness=HARNESS.id, variant=variant.name, model=variant.model),
                label=variant.name,
                domain=None,
                model=variant.model,
                runs=variant.runs,
                tasks=variant.cases,
                repeats=variant.repeats,
                date=first_day(suite.get("timestamp") for suite in suites),
            )
            for variant in found
        ]
    return files, findings


def _variants(file: ForeignFile, options: ImportOptions) -> tuple[list[_Variant], list[Finding]]:
    tests = list(_tests(file))
    named = any("variant" in _properties(test) for _, test in tests)
    usual = UNNAMED if named else visible(file.path.stem)
    variants: dict[tuple[str, str | None], _Variant] = {}
    findings: list[Finding] = []
    repeats: dict[str, Repeats] = defaultdict(Repeats)
    for where, test in tests:
        properties = _properties(test)
        case = _case(test, properties)
        if case is None:
            findings.append(missing(file.name, where, "a name, or the property case_id"))
            continue
        name, model = as_text(properties.get("variant")) or usual, as_text(properties.get("model"))
        variant = variants.setdefault((name, model), _Variant(name, model))
        index = repeats[name].index(case, properties.get("repeat"))
        variant.cases[case] = None
        variant.repeats = max(variant.repeats, index + 1)
        kinds = {kind for outcome in as_list(test["outcomes"]) if (kind := as_text(as_object(outcome).get("kind")))}
        if kinds != {_SKIPPED}:
            run_id = f"{options.batch}/{visible(file.path.stem)}/{name}/{case}/{index}"
            variant.runs.append(_run(Place(file.name, field=where), run_id, case, index, test, properties))
    return list(variants.values()), findings


def _tests(file: ForeignFile) -> Iterator[tuple[str, dict[str, Json]]]:
    for number, suite in enumerate(as_list(as_object(file.value)["suites"])):
        for position, test in enumerate(as_list(as_object(suite)["cases"])):
            yield f"testsuite[{number}].testcase[{position}]", as_object(test)


def _properties(test: dict[str, Json]) -> dict[str, Json]:
    """Those that may pass; any other could hold a key of a service."""
    given = as_object(test.get("properties"))
    return {name: given[name] for name in PROPERTIES if name in given}


def _case(test: dict[str, Json], properties: dict[str, Json]) -> str | None:
    named = as_text(properties.get("case_id")) or as_text(properties.get("case"))
    if named is not None:
        return named
    name, group = as_text(test.get("name")), as_text(test.get("classname"))
    return f"{group}::{name}" if group is not None and name is not None else name


def _run(
    place: Place, run_id: str, case: str, index: int, test: dict[str, Json], properties: dict[str, Json]
) -> HarnessRun:
    state, reason = _state(test)
    passed = {"COMPLETE": True, "FAILED": False}.get(state)
    seconds = _number(test.get("time"))
    return HarnessRun(
        place=place,
        run_id=run_id,
        case_id=case,
        repeat_index=index,
        state=state,
        reason=reason,
        mode="autonomous",
        context=None,
        trace=None,
        answer=None,
        extra=drop_absent(passed=passed),
        usage=_usage(properties),
        timing=None if seconds is None else Timing(duration_ms=round(seconds * _PER_SECOND, 3)),
    )


def _state(test: dict[str, Json]) -> tuple[State, str | None]:
    outcomes = {as_text(as_object(item).get("kind")): as_object(item) for item in as_list(test["outcomes"])}
    if "error" in outcomes:
        return "INVALID", crash_reason(as_text(outcomes["error"].get("message")))
    return ("FAILED", "assertion_failed") if "failure" in outcomes else ("COMPLETE", None)


def _usage(properties: dict[str, Json]) -> Usage | None:
    prompt, completion = (_number(properties.get(name)) for name in ("prompt_tokens", "completion_tokens"))
    cost = _number(properties.get("cost_usd"))
    if prompt is None and completion is None and cost is None:
        return None
    return Usage(
        prompt_tokens=None if prompt is None else int(prompt),
        completion_tokens=None if completion is None else int(completion),
        cost_usd=cost,
    )


def _number(value: Json) -> float | None:
    """A finite number from 0 in a text; some runners write thousands with commas."""
    try:
        number = float((as_text(value) or "").replace(",", ""))
    except ValueError:
        return None
    return number if 0 <= number < 2**53 else None


def _recognises(beginning: Beginning) -> bool:
    return beginning.kind == "xml" and beginning.root in ("testsuites", "testsuite")


IMPORTER = Importer(
    harness=HARNESS,
    recognises=_recognises,
    read=_read,
    load=load_junit,
    suffixes=(".xml",),
    default_variant="variant",
    passes=PROPERTIES,
    feeds={
        "outcome": YES,
        "endings": part("a failed assertion and an error are told apart; a stop at a limit is not"),
        "repeats": part("by the property `repeat`, or where one name stands several times"),
        "turns": no("not recorded"),
        "tool_calls": no("not recorded"),
        "tool_results": no("not recorded"),
        "catalog": no("not recorded"),
        "answer": no("captured output is not imported: anything may stand in it"),
        "context": no("not recorded"),
        "tokens": part("by the properties `prompt_tokens` and `completion_tokens`"),
        "cost": part("by the property `cost_usd`"),
        "duration": part("of the whole test, where its `time` is recorded"),
        "headline": no("counts of the report are those of its test cases"),
    },
)
