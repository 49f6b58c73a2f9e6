"""The guard: what differs between variants besides the independent variable."""

import hashlib
from pathlib import Path
from typing import Any

from generator.errors import Finding
from tests.support.checking import findings_of
from tests.support.small_definitions import text
from tests.support.small_source import SmallSource, write_small_source
from tests.validate.rule_cases import Edit, both

Dict = dict[str, Any]
RUNS = "batches/ctx-small/runs.jsonl"
BUDGETED = "ctx-small-0001"
"""The first run of the variant, in line 1; the first of `full` is in line 2."""


def _effective(source: SmallSource, variant: str) -> list[Dict]:
    return [run["config"]["effective"] for run in source.batch.runs if run["variant"] == variant]


def _set(variant: str, path: str, value: Any, only_first: bool = False) -> Edit:
    *parents, key = path.split(".")

    def edit(source: SmallSource) -> None:
        for effective in _effective(source, variant)[: 1 if only_first else None]:
            holder = effective
            for parent in parents:
                holder = holder.setdefault(parent, {})
            holder[key] = value

    return edit


def _accept(*paths: str) -> Edit:
    def edit(source: SmallSource) -> None:
        source.experiment()["accepted_differences"] = [{"path": path, "reason": text("因", "why")} for path in paths]

    return edit


def _found(tmp_path: Path, edit: Edit) -> list[Finding]:
    return findings_of(write_small_source(tmp_path, edit))


def test_all_paths_that_differ_are_named_with_their_variants(tmp_path: Path) -> None:
    """Shown values are quoted; withheld ones only group the variants."""
    edit = both(
        _set("budgeted", "model", "other-model"),
        _set("budgeted", "user_simulator.script", "be rude"),
        _set("budgeted", "limits.max_agent_steps", 9),
        _set("full", "system_prompt_sha256", "1" * 64),
    )
    (finding,) = _found(tmp_path, edit)
    assert str(finding) == (
        f"{RUNS}:1  run {BUDGETED}  config.effective  RC314 variants differ only at the independent variable\n"
        "  expected differences at `context.strategy` only, found "
        "limits.max_agent_steps (full: 5 | budgeted: 9); "
        'model (full: "scripted-policy-1" | budgeted: "other-model"); '
        "system_prompt_sha256 (full | budgeted); "
        "user_simulator.script (full: absent | budgeted)\n"
        "  hold these fixed, or declare them as accepted_differences with a reason that stands on the page"
    )


def test_accepted_differences_are_no_findings(tmp_path: Path) -> None:
    edit = both(
        _set("budgeted", "model", "other-model"),
        _set("budgeted", "user_simulator", {"model": "x", "script": "be rude"}),
        _accept("model", "user_simulator"),
    )
    assert _found(tmp_path, edit) == []


def test_accepting_a_path_does_not_accept_its_neighbour(tmp_path: Path) -> None:
    edit = both(_set("budgeted", "model_family", "x"), _accept("model"))
    (finding,) = _found(tmp_path, edit)
    assert finding.expected == "differences at `context.strategy`, `model` (accepted) only"
    assert finding.found == "model_family (full: absent | budgeted)"


def test_the_independent_variable_may_be_a_whole_object(tmp_path: Path) -> None:
    def edit(source: SmallSource) -> None:
        experiment = source.experiment()
        experiment["independent_variable"] = "context"
        for variant in experiment["variants"]:
            variant["value"] = {"strategy": variant["id"], "budget_tokens": 1200}

    assert _found(tmp_path, edit) == []


def test_runs_of_one_variant_share_one_configuration(tmp_path: Path) -> None:
    (finding,) = _found(tmp_path, _set("full", "limits.max_agent_steps", 6, only_first=True))
    assert finding.code == "RC315"
    assert finding.found == "2 configurations of `full` that differ at limits.max_agent_steps"


def test_the_independent_variable_may_not_vary_within_a_variant(tmp_path: Path) -> None:
    findings = _found(tmp_path, _set("full", "context.strategy", "other", only_first=True))
    assert [finding.code for finding in findings] == ["RC316", "RC315"]
    assert findings[0].expected == "the value of `full` in experiments.yaml"
    assert findings[0].found == '"other"'


def test_withheld_value_of_the_independent_variable_is_not_quoted(tmp_path: Path) -> None:
    def edit(source: SmallSource) -> None:
        source.experiment()["independent_variable"] = "policy"
        for variant in source.experiment()["variants"]:
            variant["value"] = None
        source.experiment()["variants"][0]["value"] = "gentle"
        for run in source.batch.runs:
            run["config"]["effective"]["policy"] = "secret wording"
            run["config"]["effective"]["context"]["strategy"] = "full"

    findings = _found(tmp_path, edit)
    assert [finding.code for finding in findings] == ["RC317", "RC316"]
    assert findings[1].found == "another value"
    assert not any("secret" in str(finding) for finding in findings)


def test_long_texts_are_declared_by_their_hash(tmp_path: Path) -> None:
    """SHA-256 of 201 letters a, by sha256sum."""

    def edit(source: SmallSource) -> None:
        source.experiment()["independent_variable"] = "policy"
        for variant in source.experiment()["variants"]:
            letter = variant["id"][0]
            variant["value"] = letter if letter == "b" else _HASH_OF_201_A
        for run in source.batch.runs:
            run["config"]["effective"]["policy"] = "b" if run["variant"] == "budgeted" else "a" * 201
            run["config"]["effective"]["context"]["strategy"] = "full"

    assert _found(tmp_path, edit) == []


_HASH_OF_201_A = "sha256:a92efd82109373e58f9a2056dee01e807e216ce6075f7051207c0a9f7d666e50"


def test_path_that_no_configuration_has(tmp_path: Path) -> None:
    def edit(source: SmallSource) -> None:
        source.experiment()["independent_variable"] = "context.strategie"

    findings = _found(tmp_path, edit)
    assert [(finding.code, finding.found) for finding in findings] == [
        ("RC314", 'context.strategy (full: "full" | budgeted: "budgeted")'),
        ("RC316", "no such path"),
        ("RC316", "no such path"),
    ]


def test_variants_that_do_not_differ(tmp_path: Path) -> None:
    findings = _found(tmp_path, _set("budgeted", "context.strategy", "full"))
    assert [finding.code for finding in findings] == ["RC316", "RC317"]
    assert findings[1].found == "the value of `full` in line 2"


def test_an_accepted_difference_tells_variants_of_one_value_apart(tmp_path: Path) -> None:
    def one_value(source: SmallSource) -> None:
        for variant in source.experiment()["variants"]:
            variant["value"] = "full"

    same = both(one_value, _set("budgeted", "context.strategy", "full"), _accept("model"))
    (finding,) = _found(tmp_path / "same", same)
    assert finding.code == "RC317"
    assert _found(tmp_path / "told-apart", both(same, _set("budgeted", "model", "other"))) == []


def test_integers_and_floats_of_one_value_do_not_differ(tmp_path: Path) -> None:
    assert _found(tmp_path, _set("budgeted", "sampling.temperature", 0.0)) == []


def test_values_are_quoted_as_they_are_published(tmp_path: Path) -> None:
    """A key inside an address is redacted; a text where the whitelist says a number is withheld, as in the evidence."""
    edit = both(
        _set("budgeted", "model", "https://user:sk-proj-0123456789abcdefghijklmnopqrstuv@host/m"),
        _set("budgeted", "sampling.seed", "SECRET-SEED"),
    )
    (finding,) = _found(tmp_path, edit)
    assert "sk-proj-0123456789" not in str(finding)
    assert "SECRET-SEED" not in str(finding)
    assert 'model (full: "scripted-policy-1" | budgeted: "https://user:⟦' in finding.found
    assert finding.found.endswith("sampling.seed (full: absent | budgeted)")


def test_what_an_unlisted_field_holds_is_no_name(tmp_path: Path) -> None:
    edit = both(
        _set("budgeted", "accounts", {"li@example.org": {"balance": 1}, "wang@example.org": {"balance": 2}}),
        _set("budgeted", "context.13812345678", True),
    )
    (finding,) = _found(tmp_path, edit)
    assert finding.found == "accounts.* (full: absent | budgeted); context.⟦已脱敏：电话⟧ (full: absent | budgeted)"


def test_withheld_texts_of_one_beginning_differ(tmp_path: Path) -> None:
    policy = "The customer may cancel within a day. " * 10
    edit = both(
        _set("full", "environment_info.policy", policy + "a"),
        _set("budgeted", "environment_info.policy", policy + "b"),
    )
    (finding,) = _found(tmp_path, edit)
    full, budgeted = (hashlib.sha256((policy + last).encode()).hexdigest()[:51] for last in "ab")
    assert finding.found == f'environment_info.policy (full: "sha256:{full}… | budgeted: "sha256:{budgeted}…)'


def test_a_key_that_holds_a_dot_is_a_key_of_its_own(tmp_path: Path) -> None:
    edit = both(_set("full", "context.strategy", "full"), _flat("budgeted", "context.strategy", "other"))
    (finding,) = _found(tmp_path, edit)
    assert finding.code == "RC314"
    assert finding.found == "context.strategy (full: absent | budgeted)"


def _flat(variant: str, key: str, value: Any) -> Edit:
    def edit(source: SmallSource) -> None:
        for effective in _effective(source, variant):
            effective[key] = value

    return edit
