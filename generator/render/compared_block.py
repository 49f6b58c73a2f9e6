"""A run beside its neighbours, on its evidence page."""

from collections.abc import Callable, Sequence

from markupsafe import Markup

from generator.model.addresses import comparison, file_name
from generator.model.evidence import Evidence
from generator.views.compared import Compared


def compared_block(
    compared: Sequence[Compared], evidence: Evidence, macros: dict[str, Callable[..., Markup]]
) -> Markup:
    """The section; nothing for a run that is alone. All links are of pages in the folder of the batch."""
    if not compared:
        return Markup()
    rows = [
        (
            it,
            file_name(it.beside.run_id) + ".html",
            comparison(evidence.batch, evidence.run_id, evidence.batch, it.beside.run_id),
        )
        for it in compared
    ]
    return macros["compared"](rows)
