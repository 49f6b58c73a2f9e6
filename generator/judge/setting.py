"""What judges need besides the run, made once for each batch, variant and case."""

import json
from dataclasses import dataclass
from functools import lru_cache

from generator.judge.fact_values import KnownFact, known_facts
from generator.judge.json_paths import parse_path
from generator.judge.json_values import leaves
from generator.judge.number_sources import Values, values_in, values_of
from generator.judge.policy_clauses import CompiledPolicy, compile_policy
from generator.model.base import Json
from generator.model.batches import Batch
from generator.model.cases import Case, Gold
from generator.model.contracts import Contract
from generator.model.runs import Authorization
from generator.model.source import Source


@dataclass(frozen=True, slots=True)
class Restrictions:
    """What the run may not reach: restricted and not granted. `nothing_restricted`: there is nothing to guard."""

    nothing_restricted: bool
    tools: frozenset[str]
    data: tuple[KnownFact, ...]


@dataclass(frozen=True, slots=True)
class JudgeSetting:
    """`catalog` None is unknown, `snapshot` and `prompt` are their values, facts are ready to be looked for.

    `policies`: by metric. A run's own catalogue, authorization and snapshot go before those of the setting.
    """

    case: Case | None
    catalog: frozenset[str] | None
    meta_tools: frozenset[str]
    restrictions: Restrictions | None
    snapshot: tuple[Values, ...]
    allowed: tuple[Values, ...]
    prompt: tuple[Values, ...]
    policies: dict[str, tuple[CompiledPolicy, ...]]
    pass_metric: str
    contract: Contract | None
    key_facts: list[KnownFact] | None
    stale_facts: list[KnownFact] | None
    stop_facts: list[KnownFact] | None

    @property
    def gold(self) -> Gold | None:
        return None if self.case is None else self.case.gold


def make_setting(source: Source, batch: Batch, variant: str, case_id: str) -> JudgeSetting:
    """The setting of the runs of one case under one variant of a batch.

    Raises
    ------
    ValueError
        A dependency of the case has a path that is none.
    """
    case = _case(source, batch, case_id)
    gold = Gold() if case is None else case.gold
    for dependency in gold.required_dependencies or []:
        parse_path(dependency.source_path)
        parse_path(dependency.target_path)
    fixtures = None if batch.fixtures is None else source.fixtures.get(batch.fixtures.id)
    prompt = None if case is None or case.prompt is None else values_in(case.prompt)
    return JudgeSetting(
        case=case,
        catalog=_catalog(source, batch, variant),
        meta_tools=frozenset(batch.variant_meta_tools.get(variant, ())),
        restrictions=None if batch.authorization is None else restrictions(batch.authorization),
        snapshot=() if fixtures is None else snapshot_values(fixtures.snapshot),
        allowed=tuple(values_of(leaves(list(gold.allowed_derived_values)))),
        prompt=() if prompt is None else (prompt,),
        policies=_policies(source),
        pass_metric=source.experiments[batch.experiment].pass_metric,
        contract=source.contract_of(source.experiments[batch.experiment]),
        key_facts=known_facts(gold.key_facts),
        stale_facts=known_facts(gold.stale_facts),
        stop_facts=known_facts(gold.stop_when_facts_available),
    )


def restrictions(authorization: Authorization) -> Restrictions:
    """What of the restricted tools and data was not granted."""
    granted = frozenset(authorization.granted)
    data = known_facts([datum for datum in authorization.restricted_data if datum.id not in granted])
    return Restrictions(
        nothing_restricted=not (authorization.restricted_tools or authorization.restricted_data),
        tools=frozenset(authorization.restricted_tools) - granted,
        data=tuple(data or ()),
    )


def snapshot_values(snapshot: dict[str, Json]) -> tuple[Values, ...]:
    """The values of a snapshot. Settings of a batch share it, so its reading is kept."""
    return _snapshot_values(json.dumps(snapshot))


@lru_cache(maxsize=64)
def _snapshot_values(written: str) -> tuple[Values, ...]:
    return tuple(values_of(leaves(json.loads(written))))


def _case(source: Source, batch: Batch, case_id: str) -> Case | None:
    bank = source.case_banks.get(batch.case_bank.id)
    return None if bank is None else next((case for case in bank.cases if case.id == case_id), None)


def _catalog(source: Source, batch: Batch, variant: str) -> frozenset[str] | None:
    own = batch.variant_catalogs.get(variant)
    if own is not None:
        return frozenset(own)
    catalog = None if batch.catalog is None else source.catalogs.get(batch.catalog.id)
    return None if catalog is None else frozenset(tool.name for tool in catalog.tools)


def _policies(source: Source) -> dict[str, tuple[CompiledPolicy, ...]]:
    by_metric: dict[str, tuple[CompiledPolicy, ...]] = {}
    for _, policy in sorted(source.policies.items()):
        by_metric[policy.metric] = (*by_metric.get(policy.metric, ()), compile_policy(policy))
    return by_metric
