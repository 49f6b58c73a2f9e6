"""Texts that bind numbers: `num(<id>)` becomes the number as a link, `ref(<setting>)` its configured value."""

from collections.abc import Callable
from typing import Any

import jinja2
from jinja2.runtime import Context
from markupsafe import Markup

from generator.model.base import Text
from generator.model.bound_text import SETTINGS, setting_text, text_pieces
from generator.model.report import Report
from generator.render.escape import foreign, on_one_line
from generator.render.marking import with_names


def bound_text(report: Report, environment: jinja2.Environment) -> Callable[..., Markup]:
    """The filter of pages in one language. A number or setting that the report does not have stays as it is written:
    validation has refused it."""
    number: Any = environment.globals["number"]
    thresholds = report.source.publication.thresholds

    @jinja2.pass_context
    def bound(context: Context, text: Text) -> Markup:
        pieces = []
        for kind, value in text_pieces(text.in_language(context["lang"])):
            found = report.find_number(value) if kind == "num" else None
            if found is not None:
                pieces.append(number(context, found, count=False, interval=False))
            elif kind == "text":
                pieces.append(with_names(value))
            elif kind == "ref" and value in SETTINGS:
                pieces.append(Markup('<span class="ref">{}</span>').format(setting_text(thresholds, value)))
            else:
                pieces.append(Markup('<span class="ref">{}</span>').format(foreign(value)))
        return on_one_line("".join(pieces))

    return bound
