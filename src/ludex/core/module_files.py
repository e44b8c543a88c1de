"""The modules of a Python file of the user's own, found without running it, and a hash of them."""

from __future__ import annotations

import ast
import hashlib
import os
import sysconfig
from collections.abc import Iterator
from importlib.machinery import all_suffixes
from pathlib import Path

MOST_FILES = 2000
MODULES = tuple(all_suffixes())
IMPORTERS = frozenset(("import_module", "__import__"))
OPAQUE = frozenset(("exec", "eval", "run_path", "run_module", "spec_from_file_location"))
"""functions that may run any file"""

LARGE = {"jax", "matplotlib", "networkx", "numba", "pandas", "polars", "pyarrow"}
LARGE |= {"scipy", "sklearn", "tensorflow", "torch"}
"""libraries whose import takes long, and is not an agent's thinking"""


def hash_of_modules(path: Path, content: bytes) -> str:
    """A hash of a file and of the modules beside it that it imports, and those import.

    A file that may import modules which it does not name is hashed with all that lie beside it.
    """
    folder = folder_of(path)
    hashed = hashlib.blake2b(digest_size=6)
    for file, held in sorted(files_of(path.resolve(), content, folder).items()):
        name = str(file.relative_to(folder) if file.is_relative_to(folder) else file.name)
        for part in (name.encode(errors="surrogateescape"), held):
            hashed.update(len(part).to_bytes(8, "big") + part)
    return hashed.hexdigest()


def folder_of(path: Path) -> Path:
    """The folder from which a file imports: its own, or the one of its outermost package."""
    folder = path.resolve().parent
    while (folder / "__init__.py").is_file():
        folder = folder.parent
    return folder


def files_of(path: Path, own: bytes, folder: Path) -> dict[Path, bytes]:
    """The contents of a file and of all modules beside it that it may import."""
    found: dict[Path, bytes] = {}
    waiting = [path]
    while waiting and len(found) < MOST_FILES:
        file = waiting.pop()
        if file in found:
            continue
        try:
            found[file] = content = own if file == path else file.read_bytes()
            tree = ast.parse(content)
        except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
            continue  # a module that is no Python is told by who runs it
        if imports_anything(tree):
            waiting += all_beside(folder)
        for name, dots in imports(tree):
            waiting += module_files(name, dots, file, folder)
    return found


def module_files(name: str, dots: int, file: Path, folder: Path) -> Iterator[Path]:
    """The files beside a file that are run when one of them imports a module."""
    roots = [file.parent.joinpath(*[".."] * (dots - 1))] if dots else [folder, file.parent]
    for root in roots:
        place = root.resolve()
        for part in filter(None, name.split(".")):
            place = place / part
            modules = [place.with_name(part + ending) for ending in MODULES]
            for one in (*modules, *(place / f"__init__{ending}" for ending in MODULES)):
                if one.is_file() and is_beside(one, folder):
                    yield one.resolve()


def is_beside(file: Path, folder: Path) -> bool:
    """Whether a module lies in the folder of a file, and is none of an installed library."""
    try:
        real = file.resolve()
    except OSError:
        return False
    return real.is_relative_to(folder) and not any(real.is_relative_to(one) for one in INSTALLED)


def all_beside(folder: Path) -> Iterator[Path]:
    """All modules below a folder, but no more than a look may cost."""
    for visited, (place, folders, files) in enumerate(os.walk(folder)):
        if visited >= MOST_FILES:
            return
        folders[:] = sorted(one for one in folders if not one.startswith((".", "__pycache__")))
        for name in sorted(files):
            file = Path(place, name)
            if name.endswith(MODULES) and is_beside(file, folder):
                yield file.resolve()


def imports(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """All modules that a file may import, anywhere in it, with the dots before their names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                yield one.name, 0
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "", node.level
            for one in node.names:  # each may be a module, too
                yield f"{node.module}.{one.name}" if node.module else one.name, node.level
        elif isinstance(node, ast.Call) and called(node) in IMPORTERS and node.args:
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                dots = len(first.value) - len(first.value.lstrip("."))
                yield first.value.lstrip("."), dots


def large_libraries(tree: ast.AST) -> tuple[str, ...]:
    """The large libraries that a file imports, for a process to import before any clock runs."""
    names = {module.partition(".")[0] for module, _ in imports(tree)}
    return tuple(sorted(names & LARGE))


def called(node: ast.Call) -> str:
    function = node.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def imports_anything(tree: ast.AST) -> bool:
    """Whether a file may import modules whose names it does not spell out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name):
            name = node.attr if isinstance(node, ast.Attribute) else node.id
            if name in OPAQUE or (name == "path" and of_sys(node)):
                return True
        if isinstance(node, ast.Call) and called(node) in IMPORTERS:
            first = node.args[0] if node.args else None
            if not (isinstance(first, ast.Constant) and isinstance(first.value, str)):
                return True
    return False


def of_sys(node: ast.AST) -> bool:
    is_attribute = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    return is_attribute and node.value.id == "sys"  # type: ignore[attr-defined]


LIBRARIES = [sysconfig.get_path(one) for one in ("stdlib", "platstdlib", "purelib", "platlib")]
INSTALLED = (*map(Path.resolve, map(Path, LIBRARIES)), Path(__file__).resolve().parent.parent)
