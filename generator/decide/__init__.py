"""The release decision, from recorded runs alone."""

from generator.decide.decision import decide
from generator.decide.formats import GATE_FORMATS, annotations
from generator.decide.request import check_comparable, check_request, needed_batches

__all__ = ["GATE_FORMATS", "annotations", "check_comparable", "check_request", "decide", "needed_batches"]
