"""Builds the package with the templates, hand-written pages and starting definitions inside it."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

BUNDLED = (
    "templates",
    "site_src",
    "mkdocs.yml",
    "data/metrics.yaml",
    "data/projection.yaml",
    "data/redaction.yaml",
)


class BuildWithBundle(build_py):
    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        root = Path(__file__).resolve().parent
        for name in BUNDLED:
            origin, target = root / name, Path(self.build_lib) / "generator" / "bundle" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if origin.is_dir():
                shutil.copytree(origin, target, dirs_exist_ok=True)
            else:
                shutil.copyfile(origin, target)


setup(cmdclass={"build_py": BuildWithBundle})
