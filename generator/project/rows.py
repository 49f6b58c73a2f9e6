"""The compact row that later steps have of each run."""

from generator.model.base import Json
from generator.model.behaviour import behaviour_of
from generator.model.evidence import Evidence, is_treated
from generator.model.recorded import recorded_by
from generator.model.rows import UNPUBLISHED, ConfigSeen, Judged, PublishedConfig, RunRow
from generator.model.runs import Run
from generator.model.timed import stratum_key, timed_by
from generator.project.configuration import ConfigProjection


def make_row(run: Run, evidence: Evidence, evidence_sha256: str, line: int) -> RunRow:
    """The row of a run. `evidence_sha256` is the plain hex hash of the bytes that `encode` gave.

    `time_stratum` is `<authority>-<event>-<state>` (`stratum_key`), empty where no time was recorded.
    """
    timing, usage = run.timing, run.usage
    return RunRow(
        run_id=evidence.run_id,
        batch=evidence.batch,
        experiment=evidence.experiment,
        variant=evidence.variant,
        case_id=evidence.case_id,
        category=evidence.category,
        repeat_index=evidence.repeat_index,
        sequence=evidence.sequence,
        state=evidence.state,
        validity=evidence.validity,
        reason=evidence.reason,
        config_hash=evidence.config_hash,
        line=line,
        assertions={
            metric: Judged(assertion.outcome, assertion.value, assertion.reason)
            for metric, assertion in evidence.assertions.items()
        },
        attribution=evidence.attribution,
        requested_differs=requested_differs(run, evidence),
        estimated_tokens=usage is not None and usage.estimated,
        cached=usage is not None and usage.cached,
        censored=(None if timing is None else timing.censored) or "none",
        time_stratum="" if timing is None else stratum_key(timing.authority, timing.event, run.state),
        evidence_sha256=evidence_sha256,
        behaviour=behaviour_of(evidence),
        source_run_id=evidence.source_run_id,
        recorded=recorded_by(evidence),
        timed=timed_by(evidence),
    )


def bare_row(run: Run, batch: str, experiment: str, line: int) -> RunRow:
    """The row of a run that is not judged, because it or a definition is at fault: enough to check the batch."""
    return RunRow(
        run_id=run.run_id,
        batch=batch,
        experiment=experiment,
        variant=run.variant,
        case_id=run.case_id,
        category="",
        repeat_index=run.repeat_index,
        sequence=run.sequence,
        state=run.state,
        validity=run.validity,
        reason=run.reason,
        config_hash=run.config_hash,
        line=line,
        assertions={},
        attribution=[],
        requested_differs=[],
        estimated_tokens=False,
        cached=False,
        censored="none",
        time_stratum="",
        evidence_sha256="",
        source_run_id=run.source_run_id,
    )


def see_config(run: Run, line: int, configs: ConfigProjection | None) -> ConfigSeen:
    """The configuration of a run that stands in `line`. Without a projection, because a definition is at fault, nothing
    of it is published."""
    effective = run.config.effective
    return ConfigSeen(
        variant=run.variant,
        config_hash=run.config_hash,
        effective=effective,
        first_run=run.run_id,
        first_line=line,
        published=PublishedConfig() if configs is None else configs.publish(effective),
    )


def requested_differs(run: Run, evidence: Evidence) -> list[str]:
    """Published paths whose requested value is not the effective one, and `*` where unpublished ones differ too."""
    if not run.config.requested or run.config.requested == run.config.effective:
        return []
    published = list(_differing(evidence.config.get("requested", {}), evidence.config.get("effective", {}), ""))
    every = list(_differing(run.config.requested, run.config.effective, ""))
    return sorted(published) + ([UNPUBLISHED] if len(every) > len(published) else [])


def _differing(requested: Json, effective: Json, path: str) -> list[str]:
    """Paths at which something was requested and something else took effect."""
    if not isinstance(requested, dict) or not isinstance(effective, dict) or is_treated(requested):
        return [] if requested == effective else [path]
    found: list[str] = []
    for key, value in requested.items():
        below = f"{path}.{key}" if path else key
        found += _differing(value, effective.get(key), below)
    return found
