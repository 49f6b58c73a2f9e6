"""Run → evidence: projection onto the whitelist, redaction, and what a reader cannot see made visible."""

from generator.project.configuration import config_projection, publish_declared_values
from generator.project.encode import encode
from generator.project.evidence import ProjectionContext, make_context, project_run
from generator.project.paths import check_projection

__all__ = [
    "ProjectionContext",
    "check_projection",
    "config_projection",
    "encode",
    "make_context",
    "project_run",
    "publish_declared_values",
]
