"""Importing the statistics must stay cheap: the command line and the workers do it."""

import subprocess
import sys

import generator.stats


def test_no_module_loads_a_heavy_library() -> None:
    program = (
        "import importlib, pkgutil, sys, generator.stats\n"
        "for module in pkgutil.iter_modules(generator.stats.__path__, 'generator.stats.'):\n"
        "    importlib.import_module(module.name)\n"
        "print(sorted({'numpy', 'scipy', 'statsmodels', 'pandas'} & sys.modules.keys()))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert generator.stats.__doc__
