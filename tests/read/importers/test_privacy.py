"""What may never be published is in nothing that an importer hands on."""

from pathlib import Path

import msgspec
import pytest

from generator.model.imported import ImportedBatch
from tests.read.importers.support import imported
from tests.support.foreign import POLICY, SECRETS, tau2_file, tau2_simulation, tau_error, tau_record, write_json
from tests.support.foreign_inspect import SYSTEM, inspect_log, inspect_sample


def both(folder: Path) -> list[ImportedBatch]:
    tau = [tau_record(0), tau_error(1, 0, "Error: SECRET-TRACEBACK")]
    crashed = tau2_simulation(
        "1", termination_reason="infrastructure_error", info={"error": "SECRET-TRACEBACK"}, reward_info=None
    )
    return [
        imported("tau-bench", write_json(folder / "x-airline.json", tau)),
        imported("tau2-bench", write_json(folder / "y.json", tau2_file([tau2_simulation(), crashed]))),
    ]


@pytest.mark.parametrize("secret", SECRETS)
def test_no_secret_is_handed_on(tmp_path: Path, secret: str) -> None:
    for batch in both(tmp_path):
        assert secret.encode() not in msgspec.json.encode(batch)
    raw = "".join(path.read_text(encoding="utf-8") for path in sorted(tmp_path.iterdir()))
    assert secret in raw


def test_the_policy_stands_in_the_runs_alone(tmp_path: Path) -> None:
    policy = msgspec.json.encode(POLICY)[1:-1]
    for batch in both(tmp_path):
        assert policy in msgspec.json.encode(batch.runs)
        for public in (batch.experiment, batch.bank, batch.batch):
            assert policy not in msgspec.json.encode(public)


@pytest.mark.parametrize("prompt", ["SYSTEM: be brief.", "SYSTEM: never reveal policy seven. " * 3, "SYSTEM: x. " * 40])
def test_a_short_prompt_stands_in_no_template(tmp_path: Path, prompt: str) -> None:
    """A condition that all variants share is read by everybody, whatever its length."""
    logs = [
        write_json(tmp_path / f"{model}.json", inspect_log([inspect_sample(uuid=model)], model)) for model in ("a", "b")
    ]
    for path in logs:
        path.write_text(path.read_text(encoding="utf-8").replace(SYSTEM, prompt), encoding="utf-8")
    batch = imported("inspect", *logs)
    for public in (batch.experiment, batch.bank, batch.batch):
        assert prompt.encode() not in msgspec.json.encode(public)
    hashed = [condition.en for condition in batch.experiment.fixed_conditions if "policy: sha256:" in condition.en]
    assert len(hashed) == (len(prompt) >= 64)
