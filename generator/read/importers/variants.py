"""Which files are one variant, and what it is called."""

import hashlib
import re
from collections import Counter
from dataclasses import dataclass

from generator.errors import Finding, Place
from generator.model.base import Json
from generator.model.canonical import canonical, config_hash
from generator.model.json_leaves import Absent, dotted, keys_to, leaves, value_at
from generator.model.rules import finding
from generator.model.words import did_you_mean
from generator.read.importers.harness import HarnessFile
from generator.read.importers.values import as_text

_NAMES = ("name", "domain_name", "id", "implementation", "llm")
_LONG = 60


@dataclass(frozen=True, slots=True)
class Group:
    """Files of one configuration. `title` is what people read, `id` its form in addresses."""

    id: str
    title: str
    value: Json
    effective: dict[str, Json]
    config_hash: str
    files: list[HarnessFile]

    @property
    def model(self) -> str | None:
        return self.files[0].model

    @property
    def catalog(self) -> list[str] | None:
        return self.files[0].catalog


def choose_path(files: list[HarnessFile], wanted: str | None, *, propose: bool = False) -> str | Finding:
    """The path of the independent variable, which every configuration must hold.

    Without a wish it is the one path that differs, the object that holds all that differs, or the model where all files
    have one configuration; else a person has to say it, or, to `propose` one, the model or the first is taken.
    """
    differing = differing_paths([file.effective for file in files])
    place = Place(files[0].source.name if files else "(no file)", field="--variant")
    if wanted is None:
        if not differing:
            return _path_of_model(files)
        common = _common(differing)
        if common and _in_all(files, common):
            return common
        held = [path for path in differing if _in_all(files, path)]
        if propose and held:
            return next((path for path in held if path == _path_of_model(files)), held[0])
        remedy = "say which one the experiment is about: --variant PATH (a path may name a whole object)"
        found = "several that differ between the files: " + ", ".join(differing)
        return finding("RC505", place, "one path of the configuration", found, remedy)
    for file in files:
        if not _in_all([file], wanted):
            paths = sorted({*file.effective, *(dotted(keys) for keys, _ in leaves(file.effective))})
            place = Place(file.source.name, field="--variant")
            remedy = did_you_mean(wanted, paths, "name one of the paths that are there")
            return finding("RC505", place, f"one of {', '.join(paths)}", f"`{wanted}`", remedy)
    return wanted


def _path_of_model(files: list[HarnessFile]) -> str:
    """Where the configuration names the model, which a harness may put into an object of its own."""
    if not files or _in_all(files, "model"):
        return "model"
    paths = [(dotted(keys), value) for keys, value in leaves(files[0].effective)]
    named = [path for path, value in paths if value == files[0].model]
    return next(iter([*named, *(path for path, _ in paths if path.startswith("file."))]), "model")


def _common(paths: list[str]) -> str:
    """The path itself, or the innermost object of all of them."""
    keys = [keys_to(path) for path in paths]
    shared = 0
    while all(len(path) > shared for path in keys) and len({path[shared] for path in keys}) == 1:
        shared += 1
    return dotted(keys[0][:shared])


def _in_all(files: list[HarnessFile], path: str) -> bool:
    return not any(isinstance(value_at(file.effective, keys_to(path)), Absent) for file in files)


def differing_paths(configs: list[dict[str, Json]]) -> list[str]:
    """Paths (to what is no object) at which the configurations are not all equal, sorted."""
    forms = [{keys: canonical(value) for keys, value in leaves(config)} for config in configs]
    paths = sorted({keys for config in forms for keys in config})
    return [dotted(keys) for keys in paths if any(config.get(keys, b"") != forms[0].get(keys, b"") for config in forms)]


def group_files(files: list[HarnessFile], path: str) -> list[Group]:
    """In the order of the files."""
    by_hash: dict[str, list[HarnessFile]] = {}
    for file in files:
        # What has no canonical form is refused by the checks of the build (RC206); till then it stands for itself.
        by_hash.setdefault(config_hash(file.effective) or file.source.name, []).append(file)
    titles = _distinct([_titles(members[0], path) for members in by_hash.values()])
    ids = _numbered([slug(title) for title in titles])
    return [
        Group(
            id=variant_id,
            title=title,
            value=_value(members[0], path),
            effective=members[0].effective,
            config_hash=config_hash,
            files=members,
        )
        for variant_id, title, (config_hash, members) in zip(ids, titles, by_hash.items(), strict=True)
    ]


def slug(text: str) -> str:
    """A plain id: lower case letters, digits, single hyphens, underscores; at most 40 characters."""
    plain = re.sub(r"[^a-z0-9_]+", "-", text.lower()).strip("-_")[:40].strip("-_")
    return plain or "variant"


def _value(file: HarnessFile, path: str) -> Json:
    value = value_at(file.effective, keys_to(path))
    return None if isinstance(value, Absent) else value


def _titles(file: HarnessFile, path: str) -> list[str]:
    """Candidates from short to long; the last resort is the file's own name."""
    value = _value(file, path)
    if path == "file":
        return [file.label, file.source.name]
    short = _short(value, path)
    model = [f"{short}, {file.model}"] if file.model is not None and file.model != short else []
    return [short, *model, f"{short}, {file.source.name}"]


def _short(value: Json, path: str) -> str:
    if isinstance(value, dict):
        named = next((text for key in _NAMES if (text := as_text(value.get(key))) is not None), None)
        if named is not None:
            return named
        listed = ", ".join(
            text for _, leaf in leaves(value) if (text := as_text(leaf)) and not text.startswith("sha256:")
        )
        if 0 < len(listed) <= _LONG:
            return listed
    elif value is not None and len(str(value)) <= _LONG:
        return str(value)
    digest = hashlib.sha256(canonical(value) or b"").hexdigest()[:6]
    return f"{path.rsplit('.', 1)[-1]} {digest}"


def _distinct(candidates: list[list[str]]) -> list[str]:
    """The shortest candidate of each that no other variant has."""
    level = [0] * len(candidates)
    while True:
        titles = [names[min(at, len(names) - 1)] for names, at in zip(candidates, level, strict=True)]
        counts = Counter(titles)
        clashing = [i for i, title in enumerate(titles) if counts[title] > 1 and level[i] < len(candidates[i]) - 1]
        if not clashing:
            return titles
        for i in clashing:
            level[i] += 1


def _numbered(ids: list[str]) -> list[str]:
    """Ids that are still equal are told apart by `-2`, `-3` …"""
    taken: set[str] = set()
    numbered: list[str] = []
    for variant in ids:
        count = 2
        unique = variant
        while unique in taken:
            unique = f"{variant}-{count}"
            count += 1
        taken.add(unique)
        numbered.append(unique)
    return numbered
