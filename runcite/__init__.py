"""Runs of one's own code as batches of a report.

`with runcite.recorder(DIR, batch=…, experiment=…) as recorder: recorder.run(…)`; see `docs/recording.md`.
"""

from generator.recording.finish import Finished, finish
from generator.recording.notes import RunNotes
from generator.recording.recorder import Recorder, recorder

__all__ = ["Finished", "Recorder", "RunNotes", "finish", "recorder"]
