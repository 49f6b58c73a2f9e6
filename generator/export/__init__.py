"""A built site in the form of other programs, out of what it publishes and nothing else."""

from generator.export.every_eval_ever import export_every_eval_ever

__all__ = ["export_every_eval_ever"]
