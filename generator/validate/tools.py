"""Rules of catalogues, fixtures, sessions, policies and redaction patterns."""

from collections.abc import Iterator

from generator.errors import Finding, Place
from generator.model.patterns import PatternError, compile_pattern
from generator.model.rules import finding, visible_id
from generator.model.source import Source
from generator.model.tools import Catalog, Policy
from generator.model.words import did_you_mean, one_of
from generator.validate.common import unique_ids
from generator.validate.experiments import unknown_metric


def check_tool_files(source: Source) -> Iterator[Finding]:
    for catalog in source.catalogs.values():
        yield from check_catalog(catalog)
    for session in source.sessions.values():
        file = f"sessions/{session.id}.yaml"
        yield from unique_ids(file, "entries", (entry.id for entry in session.entries))
    for policy in source.policies.values():
        yield from check_policy(policy)
        if policy.metric not in {metric.id for metric in source.metrics.metrics}:
            yield unknown_metric(Place(_policy_file(policy), field="metric"), policy.metric, source.metrics)
    patterns = source.redaction.patterns
    yield from unique_ids("redaction.yaml", "patterns", (pattern.id for pattern in patterns))
    for position, pattern in enumerate(patterns):
        yield from check_pattern("redaction.yaml", f"patterns[{position}].pattern", pattern.pattern)
    yield from check_versions(source)


def check_versions(source: Source) -> Iterator[Finding]:
    """RC108: versions count from 1."""
    versions = {"projection.yaml": source.projection.version, "redaction.yaml": source.redaction.version}
    versions |= {f"catalogs/{catalog.id}.yaml": catalog.version for catalog in source.catalogs.values()}
    versions |= {f"fixtures/{fixtures.id}.yaml": fixtures.version for fixtures in source.fixtures.values()}
    versions |= {_policy_file(policy): policy.version for policy in source.policies.values()}
    versions |= {f"sessions/{session.id}.yaml": session.version for session in source.sessions.values()}
    for file, version in versions.items():
        if version < 1:
            yield finding("RC108", Place(file, field="version"), "1 or more", str(version), "count versions from 1")


def check_catalog(catalog: Catalog) -> Iterator[Finding]:
    """RC101, RC123: names once each; presets exclude tools that are there."""
    file = f"catalogs/{catalog.id}.yaml"
    tools = [tool.name for tool in catalog.tools]
    yield from unique_ids(file, "tools", tools, key="name")
    for preset, excluded in catalog.presets.items():
        for number, tool in enumerate(excluded):
            if tool not in tools:
                place = Place(file, field=f"presets.{preset}[{number}]")
                remedy = did_you_mean(tool, tools, "correct the name, or remove it from the preset")
                yield finding("RC123", place, one_of(tools, "a tool of the catalogue"), f"`{visible_id(tool)}`", remedy)


def check_policy(policy: Policy) -> Iterator[Finding]:
    file = _policy_file(policy)
    yield from check_pattern(file, "clause_split", policy.clause_split)
    for number, pattern in enumerate(policy.patterns):
        yield from check_pattern(file, f"patterns[{number}]", pattern)
    for number, negator in enumerate(policy.negators):
        if not negator.strip():
            remedy = "remove it: it would stand before every match"
            yield finding("RC140", Place(file, field=f"negators[{number}]"), "a word", "a blank one", remedy)


def check_pattern(file: str, path: str, pattern: str) -> Iterator[Finding]:
    """RC140: a pattern is a regular expression, and does not match where nothing stands."""
    place = Place(file, field=path)
    try:
        compiled = compile_pattern(pattern)
    except PatternError as error:
        yield finding("RC140", place, "a regular expression of Python", str(error), "correct the pattern")
        return
    if compiled.search("") is not None:
        remedy = "make something in it required"
        yield finding("RC140", place, "a pattern that matches some text", "one that matches the empty text", remedy)


def _policy_file(policy: Policy) -> str:
    return f"policies/{policy.id}.yaml"
