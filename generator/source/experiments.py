"""The experiment of an imported batch: the registered one if it fits, else a template to be completed by a person."""

from dataclasses import dataclass, field
from typing import Any

import msgspec
from ruamel.yaml.comments import CommentedMap

from generator.errors import Finding, Place
from generator.model.base import Json
from generator.model.experiments import Experiment, Variant
from generator.model.imported import ImportedBatch
from generator.model.rules import finding
from generator.source.yaml_file import CHECK, commented, dump, plain


@dataclass(frozen=True, slots=True)
class Match:
    """`variants` maps the ids of the import to the registered ones."""

    registered: bool
    variants: dict[str, str]
    findings: list[Finding] = field(default_factory=list)


def match_experiment(experiments: list[Any], wanted: Experiment) -> Match:
    """Compare with the experiment of that id. Variants are recognised by their values, so that people may rename them;
    one that was registered without a value is recognised by its id."""
    for position, entry in enumerate(experiments):
        content = plain(entry)
        if isinstance(content, dict) and content.get("id") == wanted.id:
            place = Place("experiments.yaml", field=f"experiments[{position}]")
            try:
                registered = msgspec.convert(content, Experiment)
            except msgspec.ValidationError:
                return Match(True, {}, [finding("RC512", place, "a valid template", "something else", CHECK)])
            return _compare(registered, wanted, place)
    return Match(False, {variant.id: variant.id for variant in wanted.variants})


def _compare(registered: Experiment, wanted: Experiment, place: Place) -> Match:
    if registered.independent_variable != wanted.independent_variable:
        found = f"`{wanted.independent_variable}`"
        remedy = "import with --variant as registered, or into another experiment"
        problem = finding("RC512", place, f"`{registered.independent_variable}` as independent variable", found, remedy)
        return Match(True, {}, [problem])
    variants = {variant.id: _recognise(registered, variant) for variant in wanted.variants}
    known = {target for target in variants.values() if target is not None}
    missing = [variant.id for variant in registered.variants if variant.id not in known]
    unknown = [variant for variant, target in variants.items() if target is None]
    if missing or unknown or len(known) < len(variants):
        expected = "one variant for each of " + ", ".join(variant.id for variant in registered.variants)
        found = ", ".join(f"{name} ({target or 'not registered'})" for name, target in variants.items())
        remedy = "import the files of exactly these variants, or into another experiment"
        return Match(True, {}, [finding("RC512", place, expected, found, remedy)])
    return Match(True, {name: target for name, target in variants.items() if target is not None})


def _recognise(registered: Experiment, variant: Variant) -> str | None:
    same_value = [known.id for known in registered.variants if known.value is not None and known.value == variant.value]
    if variant.id in same_value or len(same_value) == 1:
        return variant.id if variant.id in same_value else same_value[0]
    no_value = [known.id for known in registered.variants if known.value is None and known.id == variant.id]
    return no_value[0] if no_value else None


def template(imported: ImportedBatch) -> CommentedMap:
    """The proposal, with comments that tell what was seen and what a person should fill in."""
    content: CommentedMap = commented(msgspec.to_builtins(imported.experiment))
    content.yaml_set_start_comment(
        f"Registered by an import of {imported.harness} results.\nTitle, purpose and names are drafts: write what a "
        "reader should know.",
        indent=2,
    )
    notes = {
        "independent_variable": "The path in the configuration that the experiment is about.",
        "variants": "As seen in the files, one for each configuration. Long texts stand as their hash.",
        "baseline": "The variant that the others are compared with.",
        "fixed_conditions": _about_conditions(imported.differs),
        "schedule": "The order is the harness's own.",
    }
    for key, note in notes.items():
        if key in content:
            content.yaml_set_comment_before_after_key(key, before=note, indent=4)
    return content


def _about_conditions(differs: list[str]) -> str:
    seen = "What all variants share, as far as the files say."
    if not differs:
        return seen
    accepted: Json = [{"path": path, "reason": {"zh": "…", "en": "…"}} for path in differs]
    block = dump(commented({"accepted_differences": accepted})).rstrip()
    return (
        f"{seen}\nThese differ between the variants as well: {', '.join(differs)}.\n"
        "The build refuses that, unless each stands under accepted_differences with its reason. To accept them,\n"
        f"remove the signs before these lines and write the reasons:\n{block}"
    )
