"""The published batches: what each one executes, and what befell it."""

import datetime
from dataclasses import dataclass, field

from generator.model.base import Json, Text
from generator.sample.faults import Weather


@dataclass(frozen=True)
class BatchSpec:
    """One batch.

    `effective` and `requested` are values at paths of the configuration, for all variants, and `without` the keys that
    it lacks; `requested_values` is what was asked for at the independent variable, where that is not the variant's
    value. `repeats` are the experiment's where nothing else is said. `token_budget` ends the batch; `publishes_turns`:
    the harness published its own mean of turns. Notes hold no digits: numbers cite their runs.
    """

    id: str
    experiment: str
    started_at: datetime.datetime
    sessions: bool = False
    repeats: int | None = None
    without: tuple[str, ...] = ()
    effective: dict[str, Json] = field(default_factory=dict)
    requested: dict[str, Json] = field(default_factory=dict)
    requested_values: dict[str, Json] = field(default_factory=dict)
    weather: Weather = field(default_factory=Weather)
    token_budget: int | None = None
    estimated: frozenset[str] = frozenset()
    publishes_turns: bool = False
    notes: tuple[Text, ...] = ()


def _morning(day: int, hour: int, month: int = 11) -> datetime.datetime:
    return datetime.datetime(2026, month, day, hour, tzinfo=datetime.UTC)


SYNTHETIC = Text(
    zh="合成数据：由脚本化的随机参考智能体执行，没有调用任何真实模型；结果由判官代码逐条判出，无人填写。",
    en="Synthetic: executed by a scripted stochastic reference agent, without any real model; the judges' code decided "
    "every outcome, nobody typed one.",
)

SPECS: tuple[BatchSpec, ...] = (
    BatchSpec(
        id="gov-2026-10",
        experiment="governance-on-off",
        started_at=_morning(20, 2, month=10),
        repeats=3,
        notes=(
            Text(
                zh="先行批次：同一智能体、同样的变体，重复较少；后一批次可以和它比较，也可以从它起步。",
                en="An earlier batch: the same agent and variants, fewer repeats. The later batch can be compared with "
                "it, and start from it.",
            ),
        ),
    ),
    BatchSpec(
        id="ctx-2026-11",
        experiment="context-strategy-comparison",
        started_at=_morning(3, 1),
        sessions=True,
        weather=Weather(broken_builder=0.025),
    ),
    BatchSpec(
        id="gov-2026-11",
        experiment="governance-on-off",
        started_at=_morning(5, 2),
        weather=Weather(cancel_from=151, cancel_count=4),
        publishes_turns=True,
    ),
    BatchSpec(
        id="delivery-2026-11",
        experiment="tool-delivery-comparison",
        started_at=_morning(9, 1),
        effective={"sampling.max_tokens": 768},
        requested={"sampling.max_tokens": 2048},
        token_budget=484_000,
        notes=(
            Text(
                zh="批次的 token 预算在末尾用尽，其余计划单元未启动，计为跳过；"
                "请求的输出上限高于服务端允许的值，按服务端的值生效。",
                en="The token budget of the batch ran out near its end; the cells left were never started and count as "
                "skipped. The requested output limit was above what the service allows, whose own limit was in effect.",
            ),
        ),
    ),
    BatchSpec(
        id="temp-2026-11",
        experiment="temperature-stability",
        started_at=_morning(12, 0),
        effective={"deployment": "pool-b"},
        requested={"deployment": "pool-b"},
        requested_values={"t-1-0": 1.3},
        estimated=frozenset({"t-0-0", "t-0-7", "t-1-0"}),
        notes=(
            Text(
                zh="最高一档请求的温度超过服务端上限，被压到上限，变体按实际生效值命名；本批次的 token 由执行端估算。",
                en="The highest level asked for a temperature above the cap of the service and got the cap; the "
                "variant is named after what was in effect. Tokens of this batch are estimates of the harness.",
            ),
        ),
    ),
    BatchSpec(
        id="avail-2026-11",
        experiment="tool-availability-degradation",
        started_at=_morning(17, 1),
        weather=Weather(balance_ends_at=203),
    ),
    BatchSpec(
        id="mut-2026-11",
        experiment="agent-mutation",
        started_at=_morning(19, 1),
        without=("model", "excluded_tools"),
        notes=(
            Text(
                zh="每个变异体只改原智能体的一个组成部分；改动如何影响脚本策略的失误率，写在参考智能体里，结果由运行得出。",
                en="Each mutant changes one component of the original agent; how a change acts on the mistakes of the "
                "scripted policy is written in the reference agent, and the runs give the outcome.",
            ),
        ),
    ),
    BatchSpec(
        id="meta-2026-11",
        experiment="metamorphic-relations",
        started_at=_morning(20, 1),
        notes=(
            Text(
                zh="后续运行与它的源运行使用同一随机种子：两者之间只差对输入的变换。",
                en="A run that follows takes the same random seed as its source: the two differ in the transformation "
                "of the input alone.",
            ),
        ),
    ),
)
