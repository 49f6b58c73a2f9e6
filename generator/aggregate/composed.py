"""What a difference between two ratios owes to categories of different size."""

from generator.aggregate.groups import Setting
from generator.aggregate.made import Detail
from generator.aggregate.table import NONE
from generator.model.addresses import file_name
from generator.model.formatting import published_float
from generator.model.metrics import Metric
from generator.stats.composition import Counts, decompose


def composed(setting: Setting, metric: Metric, variant: str) -> Detail | None:
    """The detail of the difference between a variant and the baseline; None where their categories have the same
    weights, and for what is no ratio of runs."""
    if metric.aggregate != "proportion":
        return None
    found = decompose(*(_counts(setting, metric, name) for name in (variant, setting.experiment.baseline)))
    if found is None or not found.differs:
        return None
    return {
        "composition_part": published_float(found.composition),
        "rate_part": published_float(found.rate),
        "categories": {
            file_name(category): {
                "category": category,
                "weight": published_float(part.weight),
                "baseline_weight": published_float(part.baseline_weight),
                "composition_part": published_float(part.composition),
                "rate_part": published_float(part.rate),
            }
            for category, part in found.categories.items()
        },
    }


def _counts(setting: Setting, metric: Metric, variant: str) -> dict[str, Counts]:
    """Hits and judged runs of each category."""
    counts = {}
    for (of, category), partition in setting.table.partitions(metric.id, "category").items():
        if of == variant:
            hits, misses = (len(partition.get(part, NONE)) for part in ("hit", "miss"))
            counts[category] = (hits, hits + misses)
    return counts
