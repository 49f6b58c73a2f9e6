"""`verify.py`: the modules of `generator/verify` in one file, which a reader runs on a copy of the site.

The modules are joined in the order in which they need each other. What made them separate is taken out (imports of the
package); what they import of the standard library stands once, at the top.
"""

import ast
import heapq
from functools import cache
from pathlib import Path

import generator

VERIFIER = "verify.py"
_PACKAGE = "generator.verify"
_HEAD = '''\
#!/usr/bin/env python3
"""Recomputes a published evaluation site from its own evidence.

    python verify.py SITE [--format json] [--jobs N]

Needs Python 3.11 or later and nothing else: no library, no network, no clock. It reads the files below SITE, changes
none, and ends with 0 where everything agrees, 1 where not, and 2 where there is no site. Made of the modules of
`generator/verify` of the generator that built the site; it shares no code with the rest of it.
"""
'''


@cache
def verifier_file() -> bytes:
    """The bytes of `verify.py`; the same for the same modules.

    Raises
    ------
    ValueError
        Two modules give one name to different things, or import a name under another one: joined, one would hide the
        other.
    """
    folder = Path(generator.__file__).parent / "verify"
    return join_modules({path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.py")}).encode()


def join_modules(sources: dict[str, str]) -> str:
    """One program of modules of the package, by name; `__main__` comes last and `__init__` is left out."""
    modules = {name: _Module(name, text) for name, text in sources.items() if name != "__init__"}
    ordered = [modules[name] for name in _order({name: module.needs for name, module in modules.items()})]
    _refuse_shared_names(ordered)
    return "\n".join([_HEAD, *_import_lines(ordered), *(module.section() for module in ordered)]) + "\n"


class _Module:
    """What a module needs of the package and of the standard library, and its code without either."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.needs: set[str] = set()
        self.imports: dict[str, set[str]] = {}
        self.defined: set[str] = set()
        self._tree = ast.parse(text)
        self._lines = text.splitlines()
        dropped: set[int] = set()
        for node in self._tree.body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                self._note_import(node)
                dropped.update(range(node.lineno - 1, node.end_lineno or node.lineno))
            else:
                self.defined.update(_bound_names(node))
        docstring = self._tree.body[0]
        dropped.update(range(docstring.lineno - 1, docstring.end_lineno or docstring.lineno))
        self._code = "\n".join(line for place, line in enumerate(self._lines) if place not in dropped).strip("\n")

    def section(self) -> str:
        """The code under a heading that says what the module is for."""
        about = (ast.get_docstring(self._tree) or "").splitlines()
        heading = [f"# {self.name.strip('_')}", "#", *(f"# {line}".rstrip() for line in about)]
        return "\n\n" + "\n".join(heading) + "\n\n\n" + self._code

    def _note_import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            if alias.asname is not None:
                raise ValueError(f"{self.name}: imports {alias.name} under another name")
        names = {alias.name for alias in node.names}
        if isinstance(node, ast.Import):
            self.imports.setdefault("", set()).update(names)
        elif node.module is not None and node.module.startswith(f"{_PACKAGE}."):
            self.needs.add(node.module.removeprefix(f"{_PACKAGE}."))
        else:
            self.imports.setdefault(node.module or "", set()).update(names)


def _import_lines(modules: list[_Module]) -> list[str]:
    """What the modules import of the standard library, each module of it once."""
    found: dict[str, set[str]] = {}
    for module in modules:
        for origin, names in module.imports.items():
            found.setdefault(origin, set()).update(names)
    whole = [f"import {name}" for name in sorted(found.pop("", set()))]
    return whole + [f"from {origin} import {', '.join(sorted(names))}" for origin, names in sorted(found.items())]


def _bound_names(node: ast.stmt) -> set[str]:
    """Names that a statement at the top of a module gives."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}


def _order(needs: dict[str, set[str]]) -> list[str]:
    """Every module after those that it needs; of several that could come next, the first by name."""
    waiting = {name: set(needed) for name, needed in needs.items()}
    ready = [name for name, needed in waiting.items() if not needed]
    heapq.heapify(ready)
    ordered: list[str] = []
    while ready:
        name = heapq.heappop(ready)
        ordered.append(name)
        for other, needed in waiting.items():
            if name in needed:
                needed.remove(name)
                if not needed:
                    heapq.heappush(ready, other)
    if len(ordered) < len(needs):
        raise ValueError(f"modules need each other in a circle: {sorted(set(needs) - set(ordered))}")
    return ordered


def _refuse_shared_names(modules: list[_Module]) -> None:
    owners: dict[str, str] = {}
    shared: list[str] = []
    for module in modules:
        for name in sorted(module.defined):
            if name in owners:
                shared.append(f"{owners[name]} and {module.name} both define {name}")
            owners.setdefault(name, module.name)
    for module in modules:
        for name in sorted(set().union(*module.imports.values()) & set(owners)):
            shared.append(f"{module.name} imports {name}, which {owners[name]} defines")
    if shared:
        raise ValueError("; ".join(shared))
