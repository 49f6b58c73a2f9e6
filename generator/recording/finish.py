"""What was recorded becomes a batch."""

from dataclasses import dataclass
from pathlib import Path

from generator.errors import Finding, refuse
from generator.source.journal import ReadJournal, has_writer, mutex, read_journals, recording_folder, remove_journals


@dataclass(frozen=True, slots=True)
class Finished:
    """A batch that was written: its runs, and the journals that it was made of."""

    batch: str
    runs: int
    journals: list[ReadJournal]


def finish(root: Path, batch: str) -> Finished | None:
    """Make the batch of what was recorded. None where there is nothing, or a process still writes.

    Raises
    ------
    Refused, SiteError
        As `Recorder.close`.
    """
    from generator.read.importers.run_ids import taken_run_ids
    from generator.source.begin import begin_source
    from generator.source.imports import write_import
    from generator.source.recordings import join_journals, recorded_batch

    folder = recording_folder(root, batch)
    if not folder.is_dir():
        return None
    with mutex(folder.parent):
        if has_writer(folder):
            return None
        journals = read_journals(folder)
        recording = join_journals(journals)
        if recording is None:
            return None
        if not recording.runs:
            remove_journals(folder)
            if not recording.planned:
                return None
        imported, findings = recorded_batch(recording)
        refuse(findings)
        assert imported is not None
        refuse(begin_source(root, recording.aim.thresholds or recording.shared_levels))
        others: list[Finding] = taken_run_ids(root, imported)
        refuse(write_import(root, imported, others=others))
        remove_journals(folder)
    return Finished(batch, len(imported.runs), journals)
