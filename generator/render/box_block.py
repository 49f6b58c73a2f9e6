"""The box on an evidence page."""

from collections.abc import Callable

from markupsafe import Markup

from generator.model.box import BoxedRun
from generator.render.names import Names


def box_block(boxed: BoxedRun | None, macros: dict[str, Callable[..., Markup]], names: Names) -> Markup:
    """A run against the profile in force; nothing without one, and of a run that is not valid."""
    profile = names.profile
    if boxed is None or profile is None:
        return Markup()
    rows = [
        (names.factor(factor.name), factor, boxed.factors[factor.name])
        for factor in profile.factors
        if factor.name in boxed.factors
    ]
    lacking = [(names.factor(name), names.code("reasons", reason)) for name, reason in boxed.missing.items()]
    return macros["box"](profile, boxed, rows, lacking)
