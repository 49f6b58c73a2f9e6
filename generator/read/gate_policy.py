"""The policy of a release decision."""

from pathlib import Path

from generator.errors import Finding, Place
from generator.model.gate import GatePolicy
from generator.model.rules import finding
from generator.read.definitions import read_definition


def read_gate_policy(file: str) -> tuple[GatePolicy | None, list[Finding]]:
    """The policy in a file, which need not be in the source; None, and every reason, where it states none."""
    try:
        raw = Path(file).read_bytes()
    except OSError as error:
        found = (error.strerror or "an error").lower()
        return None, [finding("RC001", Place(file), "a policy file that can be read", found, "correct --policy")]
    if not raw.strip():
        remedy = "state what differs from the defaults, or leave --policy out"
        return None, [finding("RC008", Place(file, 1), "an object", "nothing", remedy)]
    return read_definition(file, raw, GatePolicy)
